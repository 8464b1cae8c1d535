// SPDX-License-Identifier: GPL-2.0-only
/*
 * Arithmetic on windows: what is inside, what is free. Numbers only.
 */
#include <linux/ioport.h>
#include <linux/kernel.h>

#include "peerbar.h"

/**
 * peerbar_res_size - size of a resource
 * @res: the resource
 *
 * Return: bytes.
 */
u64 peerbar_res_size(const struct peerbar_res *res)
{
	return res->end - res->start + 1;
}

/**
 * peerbar_window_type - name the type of a window
 * @res: bridge or host window
 *
 * A bridge has one non-prefetchable window, always 32 bit, called mem; host
 * windows are told apart by where they end.
 *
 * Return: io, mem, pref32 or pref64; for a host window mem32 or mem64 in the
 * place of mem.
 */
const char *peerbar_window_type(const struct peerbar_res *res)
{
	bool high = res->flags & IORESOURCE_MEM_64 || res->end > U32_MAX;

	if (res->flags & IORESOURCE_IO)
		return "io";
	if (res->flags & IORESOURCE_PREFETCH)
		return high ? "pref64" : "pref32";
	if (res->fn != PEERBAR_NONE)
		return "mem";
	return high ? "mem64" : "mem32";
}

/*
 * The lowest range at or above @pos that takes space in window @win.
 * Children are found by who their parent is: see peerbar_snap.c.
 */
static bool next_taken(const struct peerbar_snap *snap, int win, int skip_res,
		       int skip_fn, u64 pos, struct peerbar_range *taken)
{
	const struct peerbar_res *w = &snap->res[win];
	bool found = false;
	int i;

	for (i = 0; i < snap->n_res; i++) {
		const struct peerbar_res *r = &snap->res[i];

		if (r->parent_id != w->id || i == skip_res || r->end < pos)
			continue;
		if (skip_fn != PEERBAR_NONE && r->fn == skip_fn)
			continue;
		if (found && r->start >= taken->start)
			continue;
		taken->start = r->start;
		taken->end = r->end;
		found = true;
	}

	if (w->fn != PEERBAR_NONE || !(w->flags & IORESOURCE_MEM))
		return found;
	for (i = 0; i < snap->n_busy; i++) {
		const struct peerbar_range *busy = &snap->busy[i];

		if (busy->end < pos || busy->start > w->end)
			continue;
		if (found && busy->start >= taken->start)
			continue;
		*taken = *busy;
		found = true;
	}
	return found;
}

/**
 * peerbar_next_gap - find the next free range of a window
 * @snap: the picture
 * @win: index of the window
 * @skip_res: a resource in it to be taken as free, or PEERBAR_NONE
 * @skip_fn: a function whose resources are taken as free, or PEERBAR_NONE
 * @pos: where to look from, set to the start of the window at first; moved
 * @gap: the range found
 *
 * Return: false when there is no other.
 */
bool peerbar_next_gap(const struct peerbar_snap *snap, int win, int skip_res,
		      int skip_fn, u64 *pos, struct peerbar_range *gap)
{
	const struct peerbar_res *w = &snap->res[win];
	struct peerbar_range taken;

	/* *pos is 0 again after a range that ends with the last address. */
	while (*pos >= w->start && *pos <= w->end) {
		u64 from = *pos;

		if (!next_taken(snap, win, skip_res, skip_fn, from, &taken) ||
		    taken.start > w->end) {
			gap->start = from;
			gap->end = w->end;
			*pos = w->end + 1;
			return true;
		}
		*pos = taken.end + 1;
		if (taken.start > from) {
			gap->start = from;
			gap->end = taken.start - 1;
			return true;
		}
		if (*pos <= from)
			return false;
	}
	return false;
}

/**
 * peerbar_holds - ask whether a resource lies in a window
 * @snap: the picture
 * @win: index of the window
 * @res: index of the resource
 *
 * Return: true when it is in the window directly or through others.
 */
bool peerbar_holds(const struct peerbar_snap *snap, int win, int res)
{
	for (res = snap->res[res].parent; res != PEERBAR_NONE;
	     res = snap->res[res].parent)
		if (res == win)
			return true;
	return false;
}

/**
 * peerbar_space_used - sum up what is used and free in a window
 * @snap: the picture
 * @win: index of the window
 * @used: bytes taken by the resources directly in it
 * @largest_gap: bytes in the largest free range
 */
void peerbar_space_used(const struct peerbar_snap *snap, int win, u64 *used,
			u64 *largest_gap)
{
	struct peerbar_range gap;
	u64 pos = snap->res[win].start;
	u64 free = 0;

	*largest_gap = 0;
	while (peerbar_next_gap(snap, win, PEERBAR_NONE, PEERBAR_NONE, &pos,
				&gap)) {
		free += gap.end - gap.start + 1;
		*largest_gap = max(*largest_gap, gap.end - gap.start + 1);
	}
	*used = peerbar_res_size(&snap->res[win]) - free;
}
