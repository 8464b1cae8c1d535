// SPDX-License-Identifier: GPL-2.0-only
/*
 * The room around a window, and growing it into that room.
 *
 * A window grows together with its ancestors, so the room goes up the tree
 * until something lies beside one of them.
 */
#include "widen_grow.h"
#include "widen_regs.h"

#define GRAIN_MASK	(WIDEN_GRAIN - 1)

/*
 * The lowest item of the window @w above @addr, or the highest below it, as
 * an edge whose address is the last one free.
 */
static bool neighbour_above(const struct widen_tree *t, s32 w, u64 addr,
			    struct widen_edge *edge)
{
	bool found = false;
	s32 i;

	for (i = 0; i < t->nr_claims; i++) {
		const struct widen_claim *c = &t->claims[i];

		if (c->window != w || c->start <= addr ||
		    (found && c->start > edge->addr))
			continue;
		*edge = (struct widen_edge){ WIDEN_NONE, i, c->start - 1 };
		found = true;
	}
	for (i = 0; i < t->nr_windows; i++) {
		const struct widen_window *c = &t->windows[i];

		if (c->parent != w || c->start <= addr ||
		    (found && c->start > edge->addr))
			continue;
		*edge = (struct widen_edge){ i, WIDEN_NONE, c->start - 1 };
		found = true;
	}
	return found;
}

static bool neighbour_below(const struct widen_tree *t, s32 w, u64 addr,
			    struct widen_edge *edge)
{
	bool found = false;
	s32 i;

	for (i = 0; i < t->nr_claims; i++) {
		const struct widen_claim *c = &t->claims[i];

		if (c->window != w || c->end >= addr ||
		    (found && c->end < edge->addr))
			continue;
		*edge = (struct widen_edge){ WIDEN_NONE, i, c->end + 1 };
		found = true;
	}
	for (i = 0; i < t->nr_windows; i++) {
		const struct widen_window *c = &t->windows[i];

		if (c->parent != w || c->end >= addr ||
		    (found && c->end < edge->addr))
			continue;
		*edge = (struct widen_edge){ i, WIDEN_NONE, c->end + 1 };
		found = true;
	}
	return found;
}

/**
 * widen_edge_above() - how far up a window can grow
 * @t: windows and claims
 * @w: window
 *
 * Return: what ends the free space, its ancestors growing along where they can.
 */
struct widen_edge widen_edge_above(const struct widen_tree *t, s32 w)
{
	struct widen_edge edge;

	for (;;) {
		s32 up = t->windows[w].parent;

		if (!t->windows[w].grows)
			return (struct widen_edge){ w, WIDEN_NONE,
						    t->windows[w].end };
		if (neighbour_above(t, up, t->windows[w].end, &edge))
			break;
		w = up;
	}
	edge.addr = ((edge.addr + 1) & ~GRAIN_MASK) - 1;
	return edge;
}

/**
 * widen_edge_below() - how far down a window can grow
 * @t: windows and claims
 * @w: window
 *
 * Return: what ends the free space, its ancestors growing along where they can.
 */
struct widen_edge widen_edge_below(const struct widen_tree *t, s32 w)
{
	struct widen_edge edge;

	for (;;) {
		s32 up = t->windows[w].parent;

		if (!t->windows[w].grows)
			return (struct widen_edge){ w, WIDEN_NONE,
						    t->windows[w].start };
		if (neighbour_below(t, up, t->windows[w].start, &edge))
			break;
		w = up;
	}
	edge.addr = (edge.addr + GRAIN_MASK) & ~GRAIN_MASK;
	return edge;
}

/**
 * widen_grow() - grow a window and its ancestors with it, on numbers
 * @t: windows and claims; of no further use when this fails
 * @w: window
 * @start: first address wanted
 * @end: last address wanted
 *
 * An end that cannot be reached by safe register writes goes as far as it must
 * (widen_regs.c).
 *
 * Return: true if there is room for it.
 */
bool widen_grow(struct widen_tree *t, s32 w, u64 start, u64 end)
{
	while (t->windows[w].grows) {
		struct widen_window *win = &t->windows[w];
		u64 above = widen_edge_above(t, w).addr;
		u64 below = widen_edge_below(t, w).addr;

		if (start > win->start)
			start = win->start;
		if (end < win->end)
			end = win->end;
		if (start == win->start && end == win->end)
			return true;
		end = widen_limit_reach(win->end, end);
		start = widen_base_reach(win->start, start);
		if (end > win->end && end > above)
			return false;
		if (start < win->start && start < below)
			return false;
		win->start = start;
		win->end = end;
		w = win->parent;
	}
	return start >= t->windows[w].start && end <= t->windows[w].end;
}
