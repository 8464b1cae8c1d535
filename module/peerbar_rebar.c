// SPDX-License-Identifier: GPL-2.0-only
/*
 * rebar: every Resizable BAR, its size and sizes, and which window keeps it
 * from its largest one.
 */
#include <linux/align.h>
#include <linux/bitops.h>
#include <linux/errno.h>
#include <linux/ioport.h>
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/string.h>

#include "peerbar.h"

/* PCIe r6.2, sec. 7.5.1.3.9: bridge windows come in units of 1 MiB. */
#define WINDOW_UNIT	SZ_1M

/* What decides which window a BAR goes to. */
#define TYPE_MASK	(IORESOURCE_IO | IORESOURCE_MEM | IORESOURCE_PREFETCH)

/**
 * struct limit - the window that keeps a BAR from growing
 * @win: index of the window, PEERBAR_NONE when nothing does
 * @free: by how much the BAR can grow all the same
 */
struct limit {
	int win;
	u64 free;
};

static int find_bar(const struct peerbar_snap *snap, int fn, int bar)
{
	int i;

	for (i = 0; i < snap->n_res; i++)
		if (snap->res[i].fn == fn && snap->res[i].resno == bar)
			return i;
	return PEERBAR_NONE;
}

/*
 * The capability of a function that is asleep or lost is out of reach. Say so
 * in the place where a GPU's large BARs would be.
 */
static int add_unreadable(struct peerbar_report *rep, int fn)
{
	struct peerbar_fn *f = &rep->snap.fn[fn];
	int bar;

	f->n_rebar = 0;
	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++) {
		int res = find_bar(&rep->snap, fn, bar);
		unsigned long flags;

		if (res == PEERBAR_NONE)
			continue;
		flags = rep->snap.res[res].flags;
		if (!(flags & IORESOURCE_PREFETCH))
			continue;
		f->rebar[f->n_rebar].bar = bar;
		f->rebar[f->n_rebar].sizes = 0;
		f->rebar[f->n_rebar].size =
			peerbar_res_size(&rep->snap.res[res]);
		if (!peerbar_add_line(rep, fn, f->n_rebar++))
			return -ENOMEM;
	}
	return 0;
}

/* A BAR the kernel gave up on is a resource without address here. */
static int add_forgotten(struct peerbar_snap *snap, int fn,
			 const struct peerbar_rebar *rebar)
{
	struct peerbar_res *res;

	if (find_bar(snap, fn, rebar->bar) != PEERBAR_NONE)
		return 0;
	if (peerbar_grow((void **)&snap->res, snap->n_res, &snap->cap_res,
			 sizeof(*snap->res)))
		return -ENOMEM;

	res = &snap->res[snap->n_res++];
	memset(res, 0, sizeof(*res));
	res->end = rebar->size - 1;
	res->flags = IORESOURCE_MEM;
	if (rebar->prefetch)
		res->flags |= IORESOURCE_PREFETCH;
	res->fn = fn;
	res->host = snap->fn[fn].host;
	res->parent = PEERBAR_NONE;
	res->resno = rebar->bar;
	return 0;
}

static int rebar_build(struct peerbar_report *rep)
{
	struct peerbar_snap *snap = &rep->snap;
	int fn, i, err;

	for (fn = 0; fn < snap->n_fn; fn++) {
		const struct peerbar_fn *f = &snap->fn[fn];

		if (f->state != PEERBAR_PRESENT) {
			err = peerbar_is_gpu(f) ? add_unreadable(rep, fn) : 0;
			if (err)
				return err;
			continue;
		}
		for (i = 0; i < f->n_rebar; i++)
			if (add_forgotten(snap, fn, &f->rebar[i]) ||
			    !peerbar_add_line(rep, fn, i))
				return -ENOMEM;
	}
	peerbar_sort_lines(rep);
	return 0;
}

static u64 rebar_bytes(int size)
{
	return (u64)SZ_1M << size;
}

/*
 * The window of bridge @bridge, or of the host bridge, that BAR @bar would be
 * put in. Host windows are often not marked prefetchable: take the largest.
 */
static int matching_window(const struct peerbar_snap *snap, int bridge, int bar)
{
	const struct peerbar_res *r = &snap->res[bar];
	int i, found = PEERBAR_NONE;

	for (i = 0; i < snap->n_res; i++) {
		const struct peerbar_res *w = &snap->res[i];

		if (!w->window || w->fn != bridge || w->host != r->host ||
		    !(w->flags & IORESOURCE_MEM))
			continue;
		if (!((w->flags ^ r->flags) & IORESOURCE_PREFETCH))
			return i;
		if (bridge == PEERBAR_NONE &&
		    (found == PEERBAR_NONE || peerbar_res_size(w) >
		     peerbar_res_size(&snap->res[found])))
			found = i;
	}
	return found;
}

/*
 * The lowest window a BAR without an address would have to be put in. Bridges
 * below it have none, since what is below them got no address either.
 */
static int wanted_window(const struct peerbar_snap *snap, int bar)
{
	int bridge = snap->res[bar].fn;
	int win;

	do {
		bridge = snap->fn[bridge].up;
		win = matching_window(snap, bridge, bar);
	} while (win == PEERBAR_NONE && bridge != PEERBAR_NONE);
	return win;
}

/* Something besides function @fn and window @below lies in window @win. */
static bool is_pinned(const struct peerbar_snap *snap, int win, int below,
		      int fn)
{
	int i;

	if (snap->res[win].fn == PEERBAR_NONE)
		return true;
	for (i = 0; i < snap->n_res; i++)
		if (snap->res[i].parent == win && i != below &&
		    snap->res[i].fn != fn)
			return true;
	return false;
}

/**
 * struct need - what must fit beside what stays
 * @size: bytes in all
 * @align: alignment, that of the largest BAR
 */
struct need {
	u64 size;
	u64 align;
};

/*
 * BAR @bar at @size together with the other BARs of the function that a resize
 * moves along. All are powers of two and the kernel packs the largest first,
 * so they take the sum from an aligned start. One more window in between
 * rounds it up.
 */
static struct need sum_up(const struct peerbar_snap *snap, int bar, u64 size,
			  bool through_window)
{
	const struct peerbar_res *r = &snap->res[bar];
	struct need need = { .size = size, .align = size };
	int i;

	for (i = 0; i < snap->n_res; i++) {
		const struct peerbar_res *o = &snap->res[i];
		u64 other = peerbar_res_size(o);

		if (i == bar || o->fn != r->fn || o->parent != r->parent ||
		    (o->flags ^ r->flags) & TYPE_MASK)
			continue;
		need.size += other;
		need.align = max(need.align, other);
	}
	if (through_window) {
		need.size = ALIGN(need.size, WINDOW_UNIT);
		need.align = max_t(u64, need.align, WINDOW_UNIT);
	}
	return need;
}

static bool fits(const struct peerbar_snap *snap, int win, int below, int fn,
		 struct need need)
{
	struct peerbar_range gap;
	u64 pos = snap->res[win].start;
	u64 base;

	while (peerbar_next_gap(snap, win, below, fn, &pos, &gap)) {
		base = ALIGN(gap.start, need.align);
		if (base >= gap.start && base <= gap.end &&
		    gap.end - base >= need.size - 1)
			return true;
	}
	return false;
}

/*
 * Go up as pci_resize_resource() does: it releases the function's own BARs and
 * then one window after the other, up to the first that something else keeps
 * assigned. There the larger BAR must find room.
 */
static struct limit find_limit(const struct peerbar_snap *snap, int fn,
			       const struct peerbar_rebar *rebar)
{
	struct limit limit = { .win = PEERBAR_NONE };
	int bar = find_bar(snap, fn, rebar->bar);
	int below = PEERBAR_NONE;
	int win, size;
	u64 now = 0;

	if (bar == PEERBAR_NONE || !rebar->sizes)
		return limit;
	win = snap->res[bar].parent;
	if (win == PEERBAR_NONE)
		win = wanted_window(snap, bar);
	else
		now = rebar->size;

	for (; win != PEERBAR_NONE; win = snap->res[win].parent) {
		if (is_pinned(snap, win, below, fn))
			break;
		below = win;
	}
	if (win == PEERBAR_NONE)
		return limit;

	/* The largest size that fits; all that remains above it is limited. */
	for (size = fls64(rebar->sizes) - 1; size >= 0; size--) {
		u64 bytes = rebar_bytes(size);

		if (bytes <= now)
			break;
		if (!(rebar->sizes & BIT_ULL(size)))
			continue;
		if (fits(snap, win, below, fn,
			 sum_up(snap, bar, bytes,
				snap->res[win].fn != snap->fn[fn].up))) {
			limit.free = limit.win == PEERBAR_NONE ? 0 : bytes - now;
			break;
		}
		limit.win = win;
	}
	return limit;
}

static void print_sizes(struct seq_file *m, u64 sizes)
{
	bool first = true;
	int i;

	if (!sizes) {
		seq_puts(m, " max=- sizes=-");
		return;
	}
	seq_puts(m, " max=");
	peerbar_print_size(m, rebar_bytes(fls64(sizes) - 1));
	seq_puts(m, " sizes=");
	for (i = 0; i < 64; i++) {
		if (!(sizes & BIT_ULL(i)))
			continue;
		if (!first)
			seq_putc(m, ',');
		peerbar_print_size(m, rebar_bytes(i));
		first = false;
	}
}

static void rebar_show(struct seq_file *m, const struct peerbar_report *rep,
		       int i)
{
	const struct peerbar_snap *snap = &rep->snap;
	int fn = rep->line[i].a;
	const struct peerbar_rebar *rebar = &snap->fn[fn].rebar[rep->line[i].b];
	struct limit limit = find_limit(snap, fn, rebar);
	int bar = find_bar(snap, fn, rebar->bar);

	peerbar_print_address(m, snap, fn);
	seq_printf(m, " bar=%u size=", rebar->bar);
	peerbar_print_size(m, rebar->size);
	print_sizes(m, rebar->sizes);
	seq_puts(m, " window=");
	peerbar_print_owner(m, snap, bar == PEERBAR_NONE ? PEERBAR_NONE :
			    snap->res[bar].parent);
	seq_puts(m, " limit=");
	peerbar_print_owner(m, snap, limit.win);
	seq_puts(m, " limit-free=");
	peerbar_print_size(m, limit.free);
	peerbar_print_state(m, snap->fn[fn].state);
}

const struct peerbar_file peerbar_rebar_file = {
	.name	= "rebar",
	.want	= PEERBAR_WANT_REBAR,
	.build	= rebar_build,
	.show	= rebar_show,
};
