// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the kernel will do when a driver resizes a BAR, on numbers.
 *
 * pci_resize_resource() releases the device's BARs in the window, then climbs
 * and releases every bridge window that has nothing else in it.  The window
 * where it stops is pinned and stays.  The released chain is sized from the
 * device up (drivers/pci/setup-bus.c, pbus_size_mem()) and placed first fit
 * from the bottom of the pinned window (kernel/resource.c,
 * __find_resource_space()).
 */
#include "widen_place.h"
#include "widen_regs.h"

#define NR_ORDERS	44	/* alignments from 1 MiB to 8 EiB */

struct span {
	u64 size;
	u64 align;
};

static u64 align_up(u64 value, u64 align)
{
	return (value + align - 1) & ~(align - 1);
}

static int order_of(u64 align)
{
	int order = 0;

	while (order < NR_ORDERS - 1 && (WIDEN_GRAIN << order) < align)
		order++;
	return order;
}

/*
 * The item of window @w that ends last-or-after @from and starts first, or
 * false when there is none.
 */
static bool next_item(const struct widen_tree *t, s32 w, u64 from,
		      u64 *start, u64 *end)
{
	bool found = false;
	s32 i;

	for (i = 0; i < t->nr_claims; i++) {
		const struct widen_claim *c = &t->claims[i];

		if (!c->placed || c->window != w || c->end < from)
			continue;
		if (found && c->start >= *start)
			continue;
		found = true;
		*start = c->start;
		*end = c->end;
	}
	for (i = 0; i < t->nr_windows; i++) {
		const struct widen_window *c = &t->windows[i];

		if (!c->placed || c->parent != w || c->end < from)
			continue;
		if (found && c->start >= *start)
			continue;
		found = true;
		*start = c->start;
		*end = c->end;
	}
	return found;
}

static bool in_use(const struct widen_tree *t, s32 w)
{
	u64 start, end;

	return next_item(t, w, 0, &start, &end);
}

static bool rule_head(enum widen_rule rule)
{
	return rule == WIDEN_RULE_RELAX_HEAD || rule == WIDEN_RULE_EXACT_HEAD;
}

static bool rule_exact(enum widen_rule rule)
{
	return rule == WIDEN_RULE_EXACT || rule == WIDEN_RULE_EXACT_HEAD;
}

/*
 * Try one gap.  With the head rules the part of the size that is no multiple
 * of the alignment goes before the aligned address when it fits there
 * (drivers/pci/setup-res.c, pci_align_resource()).
 */
static bool fits_gap(u64 gap_start, u64 gap_end, struct span s,
		     enum widen_rule rule, u64 *at)
{
	u64 start = align_up(gap_start, s.align);
	u64 odd = s.size & (s.align - 1);

	if (start < gap_start)
		return false;
	if (rule_head(rule) && odd && !(odd & (WIDEN_GRAIN - 1)) &&
	    start - gap_start >= odd)
		start -= odd;
	if (start > gap_end || s.size - 1 > gap_end - start)
		return false;
	*at = start;
	return true;
}

static bool first_fit(const struct widen_tree *t, s32 w, struct span s,
		      enum widen_rule rule, u64 *at)
{
	u64 from = t->windows[w].start, start, end;

	while (next_item(t, w, from, &start, &end)) {
		if (start > from && fits_gap(from, start - 1, s, rule, at))
			return true;
		if (end >= t->windows[w].end)
			return false;
		from = end + 1;
	}
	return fits_gap(from, t->windows[w].end, s, rule, at);
}

/*
 * A chain that is released up to the root bus may go to any host window;
 * the kernel tries those above 4 GiB first (drivers/pci/bus.c, pci_high).
 */
static bool first_fit_host(const struct widen_tree *t, struct span s,
			   enum widen_rule rule, s32 *w, u64 *at)
{
	int low;
	s32 i;

	for (low = 0; low < 2; low++) {
		for (i = 0; i < t->nr_windows; i++) {
			if (t->windows[i].parent != WIDEN_NONE ||
			    (t->windows[i].start >> 32 == 0) != low)
				continue;
			if (first_fit(t, i, s, rule, at)) {
				*w = i;
				return true;
			}
		}
	}
	return false;
}

/* drivers/pci/setup-bus.c, calculate_mem_align(), up to 6.19. */
static u64 round_align(const u64 *aligns, int max_order)
{
	u64 align = 0, min_align = 0;
	int order;

	for (order = 0; order <= max_order; order++) {
		u64 align1 = WIDEN_GRAIN << order;

		if (!align)
			min_align = align1;
		else if (align_up(align + min_align, min_align) < align1)
			min_align = align1 >> 1;
		align += aligns[order];
	}
	return min_align;
}

/* drivers/pci/setup-bus.c, calculate_head_align(), from 7.0 on. */
static u64 head_align(const u64 *aligns, int max_order)
{
	u64 align = WIDEN_GRAIN << max_order, rest = 0;
	int order;

	for (order = max_order - 1; order >= 0; order--) {
		rest += aligns[order];
		while (align > WIDEN_GRAIN << order && rest >= align / 2) {
			align /= 2;
			rest -= align;
		}
	}
	return align;
}

/* What is on one bus of the chain, summed as pbus_size_mem() does. */
struct bus_sum {
	u64 size;
	u64 small[NR_ORDERS];	/* only what is not larger than its alignment */
	u64 all[NR_ORDERS];
	int max_order;
};

static void bus_add(struct bus_sum *sum, struct span s)
{
	int order = order_of(s.align);

	sum->size += s.size > s.align ? s.size : s.align;
	if (s.size <= s.align)
		sum->small[order] += s.align;
	sum->all[order] += s.align;
	if (order > sum->max_order)
		sum->max_order = order;
}

static struct span bus_window(const struct bus_sum *sum,
			      const struct widen_tree *t, s32 landing,
			      enum widen_rule rule)
{
	struct span s;
	u64 at;

	if (rule_exact(rule)) {
		s.align = head_align(sum->all, sum->max_order);
		s.size = align_up(sum->size, WIDEN_GRAIN);
		return s;
	}

	s.align = round_align(sum->small, sum->max_order);
	s.size = align_up(sum->size, s.align);
	/* pbus_upstream_space_available() does not look at host windows. */
	if (rule != WIDEN_RULE_ROUND &&
	    t->windows[landing].parent != WIDEN_NONE &&
	    !first_fit(t, landing, s, rule, &at)) {
		s.align = WIDEN_GRAIN << sum->max_order;
		s.size = align_up(sum->size, WIDEN_GRAIN);
	}
	return s;
}

static s32 resized_claim(const struct widen_tree *t, s32 device)
{
	s32 i;

	for (i = 0; i < t->nr_claims; i++)
		if (t->claims[i].device == device && t->claims[i].resized)
			return i;
	return WIDEN_NONE;
}

/* Take away what the resize releases; returns the pinned window. */
static s32 release_chain(struct widen_tree *t, s32 device, s32 bottom)
{
	s32 w = bottom, i;

	for (i = 0; i < t->nr_claims; i++)
		if (t->claims[i].device == device &&
		    t->claims[i].window == bottom)
			t->claims[i].placed = false;

	while (t->windows[w].parent != WIDEN_NONE && !in_use(t, w)) {
		t->windows[w].placed = false;
		w = t->windows[w].parent;
	}
	return w;
}

/*
 * Size the released windows from the device up.  As in the kernel, a window
 * that has no place yet keeps its alignment in start and its size in end.
 */
static void size_chain(struct widen_tree *t, s32 device, s32 bottom,
		       s32 landing, enum widen_rule rule)
{
	struct bus_sum sum = { 0 };
	s32 i, w;

	for (i = 0; i < t->nr_claims; i++) {
		const struct widen_claim *c = &t->claims[i];

		if (c->device == device && c->window == bottom)
			bus_add(&sum, (struct span){ c->later, c->later });
	}
	for (w = bottom; w != landing; w = t->windows[w].parent) {
		struct span s = bus_window(&sum, t, landing, rule);

		t->windows[w].start = s.align;
		t->windows[w].end = s.size;
		sum = (struct bus_sum){ 0 };
		bus_add(&sum, s);
	}
}

/* The window of the chain that is directly below @from. */
static s32 next_down(const struct widen_tree *t, s32 bottom, s32 from)
{
	s32 w = bottom;

	while (t->windows[w].parent != from)
		w = t->windows[w].parent;
	return w;
}

static bool place_chain(struct widen_tree *t, s32 bottom, s32 landing,
			enum widen_rule rule)
{
	s32 w, down;

	for (w = landing; w != bottom; w = down) {
		struct widen_window *next;
		struct span s;
		u64 at;

		down = next_down(t, bottom, w);
		next = &t->windows[down];
		s = (struct span){ next->end, next->start };
		if (t->windows[w].parent == WIDEN_NONE) {
			if (!first_fit_host(t, s, rule, &next->parent, &at))
				return false;
		} else if (!first_fit(t, w, s, rule, &at)) {
			return false;
		}
		next->start = at;
		next->end = at + s.size - 1;
		next->placed = true;
	}
	return true;
}

/* Place the device's BARs in @w, the largest first as the kernel sorts them. */
static bool place_bars(struct widen_tree *t, s32 device, s32 w,
		       enum widen_rule rule)
{
	for (;;) {
		s32 best = WIDEN_NONE, i;
		struct span s;
		u64 at;

		for (i = 0; i < t->nr_claims; i++) {
			const struct widen_claim *c = &t->claims[i];

			if (c->device != device || c->window != w || c->placed)
				continue;
			if (best == WIDEN_NONE ||
			    c->later > t->claims[best].later)
				best = i;
		}
		if (best == WIDEN_NONE)
			return true;
		s = (struct span){ t->claims[best].later, t->claims[best].later };
		if (!first_fit(t, w, s, rule, &at))
			return false;
		t->claims[best].start = at;
		t->claims[best].end = at + t->claims[best].later - 1;
		t->claims[best].placed = true;
	}
}

/**
 * widen_landing() - the window in which a device's chain is placed again
 * @tree: windows and claims
 * @device: device that resizes its BAR
 *
 * Return: the lowest window above the device that something else pins, or
 * the host window, or WIDEN_NONE if the device has no BAR to resize.
 */
s32 widen_landing(const struct widen_tree *tree, s32 device)
{
	s32 claim = resized_claim(tree, device), w, only = WIDEN_NONE, i;

	if (claim == WIDEN_NONE)
		return WIDEN_NONE;
	for (w = tree->claims[claim].window;
	     tree->windows[w].parent != WIDEN_NONE;
	     w = tree->windows[w].parent) {
		for (i = 0; i < tree->nr_claims; i++) {
			const struct widen_claim *c = &tree->claims[i];

			if (c->window == w && c->device != device)
				return w;
		}
		for (i = 0; i < tree->nr_windows; i++)
			if (tree->windows[i].parent == w && i != only)
				return w;
		only = w;
	}
	return w;
}

/**
 * widen_resize() - resize one device's BAR as the kernel would
 * @tree: windows and claims, changed to what is there afterwards
 * @device: device that resizes its BAR
 * @rule: how the kernel sizes and places
 *
 * Return: true if it fits; if not, @tree is of no further use.
 */
bool widen_resize(struct widen_tree *tree, s32 device, enum widen_rule rule)
{
	s32 claim = resized_claim(tree, device), bottom, landing;

	if (claim == WIDEN_NONE)
		return true;
	bottom = tree->claims[claim].window;
	landing = release_chain(tree, device, bottom);
	size_chain(tree, device, bottom, landing, rule);
	return place_chain(tree, bottom, landing, rule) &&
	       place_bars(tree, device, bottom, rule);
}
