// SPDX-License-Identifier: GPL-2.0-only
/*
 * The machine: its tree, built from the bus numbers of the description, and
 * configuration cycles, routed by the bus numbers in the registers.
 */
#include <linux/pci_regs.h>

#include "sim_model.h"

/*
 * PCIe r6.2, sec. 7.3.3: a bridge passes a type 1 cycle on when the bus lies
 * in secondary..subordinate, as type 0 when it is the secondary itself.
 */
static struct sim_function *bridge_towards(struct sim_function *f, u8 bus)
{
	for (; f; f = f->next) {
		const u8 *reg = f->space.reg;

		if (f->desc.bridge && reg[PCI_SECONDARY_BUS] <= bus &&
		    bus <= reg[PCI_SUBORDINATE_BUS])
			return f;
	}
	return NULL;
}

struct sim_function *sim_route_config(struct sim_host *h, u8 bus, u8 devfn)
{
	struct sim_function *f = h->child;
	u8 here = h->desc.bus_start;

	while (here != bus) {
		struct sim_function *bridge = bridge_towards(f, bus);

		if (!bridge)
			return NULL;
		here = bridge->space.reg[PCI_SECONDARY_BUS];
		f = bridge->child;
	}
	while (f && f->desc.devfn != devfn)
		f = f->next;
	return f;
}

u32 sim_config_read(struct sim_host *h, u8 bus, u8 devfn, u16 offset, u8 size)
{
	const struct sim_function *f = sim_route_config(h, bus, devfn);

	h->machine->reads++;
	if (!f)
		return size < 4 ? (1U << (8 * size)) - 1 : 0xffffffffU;
	return sim_cfgspace_read(&f->space, offset, size);
}

void sim_config_write(struct sim_host *h, u8 bus, u8 devfn, u16 offset,
		      u8 size, u32 value)
{
	struct sim_function *f = sim_route_config(h, bus, devfn);
	struct sim_machine *m = h->machine;

	m->writes++;
	if (!f)
		return;
	sim_cfgspace_write(&f->space, offset, size, value);
	sim_oracle_after_write(m->oracle, f->index, m->writes, offset);
}

/* ---- construction --------------------------------------------------- */

/*
 * Depth-first numbering without recursion: descriptions are in order of
 * address, so the functions of a bus are neighbours there, and the place of
 * each in the new order is found by walking the tree once.
 */
struct builder {
	struct sim_machine *m;
	const struct sim_machine_desc *desc;
	u32 done;
};

static bool has_other_functions(const struct sim_machine_desc *d, u32 i)
{
	const struct sim_function_desc *f = &d->functions[i];
	u32 j;

	for (j = 0; j < d->nfunctions; j++) {
		const struct sim_function_desc *o = &d->functions[j];

		if (j != i && o->domain == f->domain && o->bus == f->bus &&
		    SIM_SLOT(o->devfn) == SIM_SLOT(f->devfn))
			return true;
	}
	return false;
}

/* The first description at or after @from that sits on @bus, or nfunctions. */
static u32 find_on_bus(const struct sim_machine_desc *d, u32 from, u32 domain,
		       u8 bus)
{
	while (from < d->nfunctions && (d->functions[from].domain != domain ||
					d->functions[from].bus != bus))
		from++;
	return from;
}

static struct sim_function *add_function(struct builder *b, u32 i,
					 struct sim_function *parent)
{
	struct sim_function *f = &b->m->functions[b->done];

	f->desc = b->desc->functions[i];
	f->parent = parent;
	f->index = b->done++;
	sim_cfgspace_init(&f->space, &f->desc, b->desc->preset,
			  has_other_functions(b->desc, i));
	return f;
}

/*
 * Secondary bus numbers rise on the way down (checked), so this ends. @link
 * is where the next function of the bus being walked is hooked in.
 */
static void build_host(struct builder *b, struct sim_host *h)
{
	u32 domain = h->desc.domain;
	struct sim_function *parent = NULL;
	struct sim_function **link = &h->child;
	u8 bus = h->desc.bus_start;
	u32 i = find_on_bus(b->desc, 0, domain, bus);

	for (;;) {
		struct sim_function *f;

		if (i == b->desc->nfunctions) {
			/* This bus is done: go on after its bridge. */
			u8 above;

			if (!parent)
				return;
			f = parent;
			parent = f->parent;
			link = &f->next;
			above = f->desc.bus;
			i = find_on_bus(b->desc, 0, domain, above);
			while (b->desc->functions[i].devfn != f->desc.devfn)
				i++;
			bus = above;
			i = find_on_bus(b->desc, i + 1, domain, bus);
			continue;
		}
		f = add_function(b, i, parent);
		*link = f;
		link = &f->next;
		if (f->desc.bridge) {
			parent = f;
			link = &f->child;
			bus = f->desc.secondary;
			i = find_on_bus(b->desc, 0, domain, bus);
		} else {
			i = find_on_bus(b->desc, i + 1, domain, bus);
		}
	}
}

static void describe_to_oracle(const struct sim_function *f, u32 host,
			       struct sim_oracle_function *o)
{
	int i;

	o->config = f->space.reg;
	o->parent = f->parent ? (int)f->parent->index : -1;
	o->host = host;
	o->domain = f->desc.domain;
	o->bus = f->desc.bus;
	o->devfn = f->desc.devfn;
	o->rom_size = f->desc.rom;
	for (i = 0; i < SIM_BARS; i++)
		if (f->desc.bars[i].space != SIM_SPACE_NONE)
			o->bar_size[i] = f->desc.bars[i].size;
}

static void describe_host(const struct sim_host *h, struct sim_oracle_host *o)
{
	u32 i;

	for (i = 0; i < h->desc.nwindows; i++)
		if (h->desc.windows[i].space != SIM_SPACE_IO)
			o->windows[o->nwindows++] = h->desc.windows[i].range;
}

static u32 host_of(const struct sim_machine *m, const struct sim_function *f)
{
	u32 i = 0;

	while (m->hosts[i].desc.domain != f->desc.domain ||
	       f->desc.bus < m->hosts[i].desc.bus_start ||
	       f->desc.bus > m->hosts[i].desc.bus_end)
		i++;
	return i;
}

static struct sim_oracle *create_oracle(const struct sim_machine *m)
{
	struct sim_oracle_function *functions;
	struct sim_oracle_host *hosts;
	struct sim_oracle *o = NULL;
	u32 i;

	functions = sim_alloc(m->nfunctions + 1, sizeof(*functions));
	hosts = sim_alloc(m->nhosts, sizeof(*hosts));
	if (functions && hosts) {
		for (i = 0; i < m->nhosts; i++)
			describe_host(&m->hosts[i], &hosts[i]);
		for (i = 0; i < m->nfunctions; i++)
			describe_to_oracle(&m->functions[i],
					   host_of(m, &m->functions[i]),
					   &functions[i]);
		o = sim_oracle_create(hosts, m->nhosts, functions,
				      m->nfunctions);
	}
	sim_free(functions);
	sim_free(hosts);
	return o;
}

static struct sim_machine *build(const struct sim_machine_desc *desc)
{
	struct sim_machine *m = sim_alloc(1, sizeof(*m));
	struct builder b = { m, desc, 0 };
	u32 i;

	if (!m)
		return NULL;
	m->preset = desc->preset;
	m->nhosts = desc->nhosts;
	m->nfunctions = desc->nfunctions;
	m->hosts = sim_alloc(m->nhosts, sizeof(*m->hosts));
	m->functions = sim_alloc(m->nfunctions + 1, sizeof(*m->functions));
	if (!m->hosts || !m->functions)
		goto fail;
	for (i = 0; i < m->nhosts; i++) {
		m->hosts[i].desc = desc->hosts[i];
		m->hosts[i].machine = m;
		build_host(&b, &m->hosts[i]);
	}
	m->oracle = create_oracle(m);
	if (!m->oracle)
		goto fail;
	return m;

fail:
	sim_machine_destroy(m);
	return NULL;
}

struct sim_machine *sim_machine_create(struct sim_machine_desc *desc,
				       struct sim_error *error)
{
	struct sim_machine *m;

	sim_desc_sort(desc);
	if (sim_desc_validate(desc, error))
		return NULL;
	m = build(desc);
	if (!m) {
		sim_fail(error, "machine", "out of memory");
		error->code = -ENOMEM;
	}
	return m;
}

void sim_machine_destroy(struct sim_machine *m)
{
	if (!m)
		return;
	sim_oracle_destroy(m->oracle);
	sim_free(m->functions);
	sim_free(m->hosts);
	sim_free(m);
}
