// SPDX-License-Identifier: GPL-2.0-only
/*
 * The oracle's view of a machine: from registers to ranges of addresses, and
 * the tables that the rules work on.
 */
#include "sim_oracle_state.h"

const struct sim_range sim_oracle_nowhere = { 1, 0 };

/* ---- registers to ranges ------------------------------------------- */

static bool memory_on(const struct node *n)
{
	return sim_get16(n->config + REG_COMMAND) & COMMAND_MEMORY;
}

static struct sim_range decode_memory_window(const struct node *n)
{
	u32 v = sim_get32(n->config + REG_MEMORY_WINDOW);
	struct sim_range r;

	if (!n->bridge || !memory_on(n))
		return sim_oracle_nowhere;
	r.start = (u64)(v & 0xfff0) << 16;
	r.end = (v & 0xfff00000U) | 0xfffff;
	return sim_range_empty(r) ? sim_oracle_nowhere : r;
}

static struct sim_range decode_pref_window(const struct node *n)
{
	u32 v = sim_get32(n->config + REG_PREF_WINDOW);
	struct sim_range r;

	if (!n->bridge || !memory_on(n))
		return sim_oracle_nowhere;
	r.start = (u64)(v & 0xfff0) << 16;
	r.end = (v & 0xfff00000U) | 0xfffff;
	if ((v & 0xf) == 1) {
		r.start |= (u64)sim_get32(n->config + REG_PREF_BASE_UPPER)
			   << 32;
		r.end |= (u64)sim_get32(n->config + REG_PREF_LIMIT_UPPER)
			 << 32;
	}
	return sim_range_empty(r) ? sim_oracle_nowhere : r;
}

static u64 claim_size(const struct node *n, const struct claim *c)
{
	if (c->bar < SIM_BARS && n->rebar[c->bar])
		return 1ULL << (20 + (n->config[n->rebar[c->bar] + 1] & 0x3f));
	return c->size;
}

struct sim_range sim_oracle_bar(const struct node *n, const struct claim *c)
{
	u16 at = (u16)(REG_BAR + 4 * c->bar);
	struct sim_range r;
	u32 low;

	if (!memory_on(n))
		return sim_oracle_nowhere;
	if (c->bar == ROM_BAR) {
		low = sim_get32(n->config +
				(n->bridge ? REG_BRIDGE_ROM : REG_ROM));
		if (!(low & 1))
			return sim_oracle_nowhere;
		r.start = low & 0xfffff800U;
	} else {
		low = sim_get32(n->config + at);
		r.start = low & 0xfffffff0U;
		if ((low & BAR_TYPE) == BAR_TYPE_64)
			r.start |= (u64)sim_get32(n->config + at + 4) << 32;
	}
	/* Bits below the size take no part in the comparison. */
	r.start &= ~(claim_size(n, c) - 1);
	r.end = r.start + claim_size(n, c) - 1;
	return r;
}

bool sim_oracle_same(struct sim_range a, struct sim_range b)
{
	return a.start == b.start && a.end == b.end;
}

bool sim_oracle_windows(struct node *n)
{
	struct sim_range mem = decode_memory_window(n);
	struct sim_range pref = decode_pref_window(n);
	bool changed = !sim_oracle_same(mem, n->mem) || !sim_oracle_same(pref, n->pref);

	n->mem = mem;
	n->pref = pref;
	return changed;
}

/* ---- set-up --------------------------------------------------------- */

static void find_rebar(struct node *n)
{
	u16 at = REG_EXTENDED;
	int steps, i, entries;

	for (steps = 0; at >= REG_EXTENDED && steps < 64; steps++) {
		u32 header = sim_get32(n->config + at);

		if ((header & 0xffff) == ID_REBAR) {
			entries = n->config[at + 8] >> 5;
			for (i = 0; i < entries; i++, at += 8) {
				u8 bar = n->config[at + 8] & 7;

				if (bar < SIM_BARS)
					n->rebar[bar] = (u16)(at + 8);
			}
			return;
		}
		at = (u16)(header >> 20 & 0xffc);
	}
}

static void add_claims(struct sim_oracle *o, u32 index,
		       const struct sim_oracle_function *f)
{
	struct node *n = &o->nodes[index];
	int i;

	n->first_claim = o->nclaims;
	for (i = 0; i <= ROM_BAR; i++) {
		u64 size = i == ROM_BAR ? f->rom_size : f->bar_size[i];

		if (!size || (i < ROM_BAR &&
			      n->config[REG_BAR + 4 * i] & BAR_IO))
			continue;
		o->claims[o->nclaims].node = index;
		o->claims[o->nclaims].bar = (u8)i;
		o->claims[o->nclaims].size = size;
		o->claims[o->nclaims].range = sim_oracle_nowhere;
		o->nclaims++;
	}
	n->nclaims = o->nclaims - n->first_claim;
}

static void add_node(struct sim_oracle *o, u32 index,
		     const struct sim_oracle_function *f)
{
	struct node *n = &o->nodes[index];
	u32 i;

	n->config = f->config;
	n->parent = f->parent;
	n->host = f->host;
	n->domain = f->domain;
	n->bus = f->bus;
	n->devfn = f->devfn;
	n->bridge = (f->config[REG_HEADER] & 0x7f) == 1;
	n->last = index;
	n->first_sibling = index;
	for (i = index; i-- > 0;)
		if (o->nodes[i].parent == n->parent &&
		    o->nodes[i].host == n->host)
			n->first_sibling = i;
	find_rebar(n);
	n->mem = sim_oracle_nowhere;
	n->pref = sim_oracle_nowhere;
	add_claims(o, index, f);
}

struct sim_oracle *
sim_oracle_create(const struct sim_oracle_host *hosts, u32 nhosts,
		  const struct sim_oracle_function *functions, u32 nfunctions)
{
	struct sim_oracle *o = sim_alloc(1, sizeof(*o));
	u32 i;
	int p;

	if (!o)
		return NULL;
	o->nodes = sim_alloc(nfunctions + 1, sizeof(*o->nodes));
	o->claims = sim_alloc((nfunctions + 1) * (SIM_BARS + 1),
			      sizeof(*o->claims));
	o->hosts = sim_alloc(nhosts + 1, sizeof(*o->hosts));
	if (!o->nodes || !o->claims || !o->hosts) {
		sim_oracle_destroy(o);
		return NULL;
	}
	memcpy(o->hosts, hosts, nhosts * sizeof(*hosts));
	o->nhosts = nhosts;
	o->nnodes = nfunctions;
	for (i = 0; i < nfunctions; i++)
		add_node(o, i, &functions[i]);
	for (i = 0; i < nfunctions; i++)
		for (p = o->nodes[i].parent; p >= 0; p = o->nodes[p].parent)
			o->nodes[p].last = i;
	sim_oracle_take_stock(o);
	return o;
}

void sim_oracle_destroy(struct sim_oracle *o)
{
	if (!o)
		return;
	sim_free(o->nodes);
	sim_free(o->claims);
	sim_free(o->hosts);
	sim_free(o);
}

