// SPDX-License-Identifier: GPL-2.0-only
/*
 * The oracle. It shares no code with the kernel and none with the model: it
 * decodes the registers itself, and its own offsets are below.
 *
 * A claim is a memory BAR that is live (memory decode on in its function)
 * and that a host window reaches through every bridge above it. Rules:
 *
 *  route    a claim must keep exactly one path from a host window for as
 *           long as it is live and stays where it is;
 *  overlap  two claims never have an address in common.
 *
 * A live BAR that nothing reaches yet is no claim: firmware and kernels may
 * set up BARs before windows. Writing the BAR itself moves the claim, and
 * turning decode off ends it; neither is a loss. Anything else that ends a
 * claim is one, growing out of its route included.
 *
 * One sequence is told apart. Whenever a kernel sets up a bridge it rewrites
 * the prefetchable window even if nothing changes: upper limit to zero, then
 * base and limit, upper base, upper limit (pci_setup_bridge_mmio_pref() in
 * drivers/pci/setup-bus.c, "this temporarily disables PREF range, which is
 * ok"). It does so on a resize too, above cards that are at work. For three
 * writes those are cut off, so it is a breach; but it is the kernel's own and
 * says nothing about who asked for the resize. A claim lost by the first of
 * these four writes and back after the last one is counted as a rewrite, and
 * as a violation if it does not come back or anything else is written.
 *
 * Cost: runs with a raw spinlock held. A write that changes no decoded
 * address ends at once. Otherwise only claims of the function and, for a
 * bridge, those below its parent are looked at; claims are kept in
 * depth-first order, so that these are one stretch of an array.
 */
#include "sim_oracle_state.h"

#ifdef __KERNEL__
#include <linux/stdarg.h>
#else
#include <stdarg.h>
#endif

/* ---- reports -------------------------------------------------------- */

static void __attribute__((format(printf, 3, 4)))
report(struct sim_oracle *o, const char *rule, const char *format, ...)
{
	struct sim_violation *v;
	const struct node *n = &o->nodes[o->writer];
	va_list args;

	if (o->violations++ >= SIM_ORACLE_RECORDS)
		return;
	v = &o->records[o->violations - 1];
	v->write = o->write;
	v->domain = n->domain;
	v->bus = n->bus;
	v->devfn = n->devfn;
	v->reg = o->reg;
	v->rule = rule;
	va_start(args, format);
	vsnprintf(v->text, sizeof(v->text), format, args);
	va_end(args);
}

struct name {
	char text[24];
};

static struct name name_of(const struct node *n)
{
	struct name name;

	snprintf(name.text, sizeof(name.text), "%04x:%02x:%02x.%x", n->domain,
		 n->bus, (unsigned int)SIM_SLOT(n->devfn),
		 (unsigned int)SIM_FUNC(n->devfn));
	return name;
}

static struct name name_of_bar(const struct claim *c)
{
	struct name name;

	if (c->bar == ROM_BAR)
		snprintf(name.text, sizeof(name.text), "ROM");
	else
		snprintf(name.text, sizeof(name.text), "BAR %u", c->bar);
	return name;
}

/* Whether a rule's breach matters to anyone; if not, that is counted. */
static bool counts(struct sim_oracle *o, bool in_use)
{
	if (!in_use)
		o->unused++;
	return in_use;
}

static bool in_use(const struct sim_oracle *o, const struct claim *c)
{
	return !o->in_use || o->in_use(o->context, c->node);
}

/* ---- the rules ------------------------------------------------------ */

static bool window_contains(const struct node *n, struct sim_range r)
{
	return sim_range_contains(n->mem, r) || sim_range_contains(n->pref, r);
}

static bool window_touches(const struct node *n, struct sim_range r)
{
	return (!sim_range_empty(n->mem) && sim_range_overlaps(n->mem, r)) ||
	       (!sim_range_empty(n->pref) && sim_range_overlaps(n->pref, r));
}

/* -1: reached; otherwise the bridge that stops it, or nnodes for the host. */
static int first_obstacle(const struct sim_oracle *o, const struct claim *c)
{
	const struct node *n = &o->nodes[c->node];
	const struct sim_oracle_host *host = &o->hosts[n->host];
	int at;
	u32 i;

	for (at = n->parent; at >= 0; at = o->nodes[at].parent)
		if (!window_contains(&o->nodes[at], c->range))
			return at;
	for (i = 0; i < host->nwindows; i++)
		if (sim_range_contains(host->windows[i], c->range))
			return -1;
	return (int)o->nnodes;
}

/*
 * A bridge that is not on the path of a claim, but sits on a bus of that
 * path and forwards addresses of it. A bridge's own BAR is on the bus above
 * it, so its own windows are such a second path for it too.
 */
static const struct node *second_path(const struct sim_oracle *o,
				      const struct claim *c)
{
	int at = (int)c->node;
	bool own = true;

	for (; at >= 0; at = o->nodes[at].parent) {
		const struct node *n = &o->nodes[at];
		u32 i = n->first_sibling;
		u32 last = n->parent >= 0 ? o->nodes[n->parent].last :
					    o->nnodes - 1;

		for (; i <= last; i = o->nodes[i].last + 1) {
			const struct node *s = &o->nodes[i];

			if (s->host != n->host)
				break;
			if (s->bridge && ((int)i != at || own) &&
			    window_touches(s, c->range))
				return s;
		}
		own = false;
	}
	return NULL;
}

static void report_lost(struct sim_oracle *o, struct claim *c, int obstacle)
{
	const struct node *n = &o->nodes[c->node];

	if (!counts(o, in_use(o, c)))
		return;
	if (o->rewrite_step == 1 && o->writer == o->rewriter) {
		c->pending = true;
		o->npending++;
		return;
	}
	if (obstacle == (int)o->nnodes)
		report(o, "route",
		       "%s %s at %#llx-%#llx is outside the host windows",
		       name_of(n).text, name_of_bar(c).text, c->range.start,
		       c->range.end);
	else
		report(o, "route",
		       "%s %s at %#llx-%#llx is no longer reached through %s",
		       name_of(n).text, name_of_bar(c).text, c->range.start,
		       c->range.end, name_of(&o->nodes[obstacle]).text);
}

static void check_overlap(struct sim_oracle *o, const struct claim *c)
{
	u32 i;

	for (i = 0; i < o->nclaims; i++) {
		const struct claim *d = &o->claims[i];

		if (d == c || !d->held ||
		    !sim_range_overlaps(c->range, d->range))
			continue;
		if (!counts(o, in_use(o, c) || in_use(o, d)))
			continue;
		report(o, "overlap",
		       "%s %s at %#llx-%#llx overlaps %s %s at %#llx-%#llx",
		       name_of(&o->nodes[c->node]).text, name_of_bar(c).text,
		       c->range.start, c->range.end,
		       name_of(&o->nodes[d->node]).text, name_of_bar(d).text,
		       d->range.start, d->range.end);
	}
}

/*
 * A second path is reported once, when it appears, and again only after it
 * was gone.
 *
 * @moved: the write changed the claim's own address or decode
 */
static void check_claim(struct sim_oracle *o, struct claim *c, bool moved)
{
	const struct node *other;
	int obstacle;
	bool was_held = c->held;

	if (!c->live) {
		c->held = false;
		c->doubled = false;
		return;
	}

	obstacle = first_obstacle(o, c);
	c->held = obstacle < 0;
	if (!c->held) {
		if (was_held && !moved)
			report_lost(o, c, obstacle);
		c->doubled = false;
		return;
	}

	other = second_path(o, c);
	if (other && !c->doubled && counts(o, in_use(o, c)))
		report(o, "route",
		       "%s %s at %#llx-%#llx is claimed by the window of %s too",
		       name_of(&o->nodes[c->node]).text, name_of_bar(c).text,
		       c->range.start, c->range.end, name_of(other).text);
	c->doubled = other;
	if (!was_held || moved)
		check_overlap(o, c);
}

static void check_own_claims(struct sim_oracle *o, struct node *n)
{
	u32 i;

	for (i = n->first_claim; i < n->first_claim + n->nclaims; i++) {
		struct claim *c = &o->claims[i];
		struct sim_range r = sim_oracle_bar(n, c);
		bool moved = r.start != c->range.start;

		if (sim_oracle_same(r, c->range))
			continue;
		c->range = r;
		c->live = !sim_range_empty(r);
		c->doubled = false;
		check_claim(o, c, moved);
		/* In place, but larger: what it now covers is new. */
		if (!moved && c->held)
			check_overlap(o, c);
	}
}

/* Claims below @n: only those whose passage through it has changed. */
static void check_below(struct sim_oracle *o, const struct node *n)
{
	const struct node *last = &o->nodes[n->last];
	u32 i = n->first_claim + n->nclaims;

	for (; i < last->first_claim + last->nclaims; i++) {
		struct claim *c = &o->claims[i];

		if (c->live && c->held != window_contains(n, c->range))
			check_claim(o, c, false);
	}
}

/* Claims beside @n, its own included: only those it forwards, or did. */
static void check_beside(struct sim_oracle *o, const struct node *n, u32 from,
			 u32 to)
{
	for (; from < to; from++) {
		struct claim *c = &o->claims[from];

		if (c->held && (c->doubled || window_touches(n, c->range)))
			check_claim(o, c, false);
	}
}

/*
 * The windows of @n have changed. What is above its parent is not affected;
 * for what is below the parent, most is settled by one comparison.
 */
static void check_around(struct sim_oracle *o, const struct node *n)
{
	const struct node *first = &o->nodes[n->first_sibling];
	const struct node *last = n->parent >= 0 ?
		&o->nodes[o->nodes[n->parent].last] : &o->nodes[o->nnodes - 1];
	const struct node *below = &o->nodes[n->last];

	check_below(o, n);
	check_beside(o, n, first->first_claim, n->first_claim + n->nclaims);
	check_beside(o, n, below->first_claim + below->nclaims,
		     last->first_claim + last->nclaims);
}

/* ---- the kernel's rewrite of a prefetchable window --------------------- */

static const u16 rewrite_registers[] = {
	REG_PREF_LIMIT_UPPER,
	REG_PREF_WINDOW,
	REG_PREF_BASE_UPPER,
	REG_PREF_LIMIT_UPPER,
};

#define REWRITE_STEPS (sizeof(rewrite_registers) / sizeof(rewrite_registers[0]))

/* Judge the claims that the rewrite's first write has cut off. */
static void end_rewrite(struct sim_oracle *o)
{
	u64 write = o->write;
	u32 writer = o->writer;
	u16 reg = o->reg;
	u32 i;

	for (i = 0; o->npending && i < o->nclaims; i++) {
		struct claim *c = &o->claims[i];

		if (!c->pending)
			continue;
		o->npending--;
		c->pending = false;
		if (c->held) {
			o->rewrites++;
			continue;
		}
		o->write = o->rewrite_start;
		o->writer = o->rewriter;
		o->reg = REG_PREF_LIMIT_UPPER;
		report(o, "route",
		       "%s %s at %#llx-%#llx is no longer reached through %s",
		       name_of(&o->nodes[c->node]).text, name_of_bar(c).text,
		       c->range.start, c->range.end,
		       name_of(&o->nodes[o->rewriter]).text);
	}
	o->rewrite_step = 0;
	o->write = write;
	o->writer = writer;
	o->reg = reg;
}

/* Before the write is judged: is it one of the four, and in its turn? */
static void follow_rewrite(struct sim_oracle *o, const struct node *n)
{
	if (o->rewrite_step && o->writer != o->rewriter)
		return;
	if (o->rewrite_step &&
	    o->reg != rewrite_registers[o->rewrite_step])
		end_rewrite(o);
	if (o->rewrite_step) {
		o->rewrite_step++;
	} else if (n->bridge && o->reg == REG_PREF_LIMIT_UPPER &&
		   !sim_get32(n->config + REG_PREF_LIMIT_UPPER)) {
		o->rewriter = o->writer;
		o->rewrite_start = o->write;
		o->rewrite_step = 1;
	}
}

void sim_oracle_after_write(struct sim_oracle *o, u32 index, u64 write,
			    u16 reg)
{
	struct node *n = &o->nodes[index];

	/* Beyond the header only the size of a BAR matters. */
	if (reg >= 0x40 && reg < REG_EXTENDED)
		return;
	o->write = write;
	o->reg = reg;
	o->writer = index;
	follow_rewrite(o, n);
	check_own_claims(o, n);
	if (n->bridge && sim_oracle_windows(n))
		check_around(o, n);
	if (o->rewrite_step == 1 && !o->npending)
		o->rewrite_step = 0;
	if (o->rewrite_step == REWRITE_STEPS)
		end_rewrite(o);
}

void sim_oracle_take_stock(struct sim_oracle *o)
{
	u32 i;

	for (i = 0; i < o->nnodes; i++)
		sim_oracle_windows(&o->nodes[i]);
	for (i = 0; i < o->nnodes; i++) {
		o->writer = i;
		check_own_claims(o, &o->nodes[i]);
	}
}

/* ---- results ----------------------------------------------------------- */

u64 sim_oracle_violations(const struct sim_oracle *o)
{
	return o->violations + o->npending;
}

u64 sim_oracle_rewrites(const struct sim_oracle *o)
{
	return o->rewrites;
}

u64 sim_oracle_unused(const struct sim_oracle *o)
{
	return o->unused;
}

void sim_oracle_set_in_use(struct sim_oracle *o,
			   bool (*in_use)(void *context, u32 index),
			   void *context)
{
	o->in_use = in_use;
	o->context = context;
}

const struct sim_violation *sim_oracle_record(const struct sim_oracle *o,
					      u32 index)
{
	if (index >= SIM_ORACLE_RECORDS || index >= o->violations)
		return NULL;
	return &o->records[index];
}

int sim_violation_print(const struct sim_violation *v, char *text, size_t size)
{
	return snprintf(text, size,
			"write=%llu function=%04x:%02x:%02x.%x register=%#x rule=%s %s",
			v->write, v->domain, v->bus,
			(unsigned int)SIM_SLOT(v->devfn),
			(unsigned int)SIM_FUNC(v->devfn), v->reg, v->rule,
			v->text);
}
