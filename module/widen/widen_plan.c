// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which bridge windows must grow, how far and which way.
 *
 * A window is a case for growth when a device's released chain will be placed
 * in it (it is pinned by something else) and there is an order in which the
 * devices resize so that one of them does not fit.  Windows are looked at from
 * the lowest level up.  For each the smallest growth is searched by playing
 * the kernel's part (widen_place.c): upwards, downwards, and both.
 *
 * The search tries few ranges and still misses none.  Placement is first fit,
 * so shrinking the range to what one play has used changes nothing in that
 * play; the next range worth trying ends one step short of that.
 */
#include "widen_plan.h"
#include "widen_grow.h"
#include "widen_place.h"
#include "widen_play.h"
#include "widen_regs.h"

/* Ranges tried for one window and one direction before giving up. */
#define MAX_TRIES	4096

/* Lower the end step by step as long as a smaller one may still do. */
static bool least_end(struct widen_planner *p, s32 w, struct widen_range *range, u64 least)
{
	u64 end = range->end;
	bool found = false;
	int tries;

	for (tries = 0; tries < MAX_TRIES && end >= least; tries++) {
		struct widen_used used = widen_play_all(p, w, (struct widen_range){ range->start,
								  end });

		if (used.end < least)
			used.end = least;
		if (used.end > end)
			used.end = end;
		if (used.fits) {
			range->end = used.end;
			found = true;
		}
		if (used.end < WIDEN_GRAIN)
			break;
		end = used.end - WIDEN_GRAIN;
	}
	return found;
}

/* The same for the start, from far below upwards; the highest start wins. */
static bool most_start(struct widen_planner *p, s32 w, struct widen_range *range, u64 most)
{
	u64 start = range->start;
	bool found = false;
	int tries;

	for (tries = 0; tries < MAX_TRIES && start <= most; tries++) {
		struct widen_used used = widen_play_all(p, w, (struct widen_range){ start,
								  range->end });

		if (used.start > most)
			used.start = most;
		if (used.start < start)
			used.start = start;
		if (used.fits) {
			range->start = used.start;
			found = true;
		}
		start = used.start + WIDEN_GRAIN;
	}
	return found;
}

/*
 * More than any layout of the group can need on one side of the window: every
 * chain at twice its BARs and on an alignment of the same size.
 */
static u64 ample(const struct widen_planner *p)
{
	const struct widen_tree *t = &p->now;
	u64 sum = WIDEN_GRAIN;
	s32 i, k;

	for (k = 0; k < p->nr_group; k++) {
		u64 chain = WIDEN_GRAIN;

		for (i = 0; i < t->nr_claims; i++)
			if (t->claims[i].device == p->group[k])
				chain += t->claims[i].later;
		while (chain & (chain - 1))
			chain += chain & -chain;
		sum += 3 * chain;
	}
	return sum;
}

/* How many devices alone below a root port find room in the host windows. */
static s32 lone_devices(struct widen_planner *p, const struct widen_tree *t)
{
	s32 least = t->nr_devices, d;
	unsigned int rule;

	for (rule = 1; rule <= WIDEN_RULE_LAST; rule <<= 1) {
		s32 count = 0;

		if (!(p->rules & rule))
			continue;
		widen_copy(&p->play, t);
		for (d = 0; d < t->nr_devices; d++) {
			s32 w = widen_landing(t, d);

			if (w == WIDEN_NONE ||
			    t->windows[w].parent != WIDEN_NONE)
				continue;
			if (!widen_resize(&p->play, d, (enum widen_rule)rule))
				break;
			count++;
		}
		least = count < least ? count : least;
	}
	return least;
}

/*
 * Find the smallest growth of @w that lets its group resize in any order.
 */
static enum widen_fate grow_for_group(struct widen_planner *p, s32 w,
				      struct widen_edge up,
				      struct widen_edge down)
{
	const struct widen_window old = p->now.windows[w];
	struct widen_range found[3], best = { 0, 0 };
	u64 room = ample(p), above, below;
	bool ok[3], any = false, taken = false;
	s32 lone = lone_devices(p, &p->now);
	int i;

	above = up.addr - old.end < room ? up.addr : old.end + room;
	below = old.start - down.addr < room ? down.addr : old.start - room;

	found[0] = (struct widen_range){ old.start, above };
	ok[0] = least_end(p, w, &found[0], old.end);
	found[1] = (struct widen_range){ below, old.end };
	ok[1] = most_start(p, w, &found[1], old.start);
	found[2] = (struct widen_range){ below, above };
	ok[2] = !ok[0] && !ok[1] && most_start(p, w, &found[2], old.start) &&
		least_end(p, w, &found[2], old.end);

	for (i = 0; i < 3; i++) {
		if (!ok[i])
			continue;
		if (any && found[i].end - found[i].start >= best.end - best.start)
			continue;
		widen_copy(&p->trial, &p->now);
		if (!widen_grow(&p->trial, w, found[i].start, found[i].end))
			continue;
		if (lone && lone_devices(p, &p->trial) < lone) {
			taken = true;
			continue;
		}
		best = found[i];
		any = true;
	}
	if (!any)
		return taken ? WIDEN_TAKES_ROOM : WIDEN_BLOCKED;
	widen_grow(&p->now, w, best.start, best.end);
	return WIDEN_GROWS;
}

static void find_group(struct widen_planner *p, s32 w)
{
	s32 d;

	p->nr_group = 0;
	for (d = 0; d < p->now.nr_devices; d++)
		if (widen_landing(&p->now, d) == w)
			p->group[p->nr_group++] = d;
}

static void plan_window(struct widen_planner *p, s32 w, struct widen_verdict *v)
{
	struct widen_range now = { p->now.windows[w].start, p->now.windows[w].end };

	find_group(p, w);
	v->devices = p->nr_group;
	v->fate = WIDEN_FITS;
	if (!p->nr_group || p->now.windows[w].parent == WIDEN_NONE)
		return;
	if (widen_play_all(p, w, now).fits)
		return;
	v->up = widen_edge_above(&p->now, w);
	v->down = widen_edge_below(&p->now, w);
	v->fate = grow_for_group(p, w, v->up, v->down);
}

/* Whether the window @w is @above or below it. */
static bool is_within(const struct widen_tree *t, s32 w, s32 above)
{
	while (w != WIDEN_NONE && w != above)
		w = t->windows[w].parent;
	return w == above;
}

static void finish(struct widen_planner *p, const struct widen_tree *tree,
		   struct widen_verdict *verdicts)
{
	s32 w, u;

	for (w = 0; w < tree->nr_windows; w++) {
		struct widen_verdict *v = &verdicts[w];

		v->start = p->now.windows[w].start;
		v->end = p->now.windows[w].end;
		if (v->fate == WIDEN_FITS &&
		    (v->start != tree->windows[w].start ||
		     v->end != tree->windows[w].end))
			v->fate = WIDEN_GROWS;
		for (u = w; u < tree->nr_windows; u++)
			if (verdicts[u].fate == WIDEN_GROWS &&
			    is_within(tree, u, w))
				v->below += verdicts[u].devices;
	}
}

/**
 * widen_plan_memory() - how much scratch memory a plan needs
 * @tree: what is to be planned
 *
 * Return: size in bytes.
 */
size_t widen_plan_memory(const struct widen_tree *tree)
{
	return 3 * (size_t)tree->nr_windows * sizeof(struct widen_window) +
	       3 * (size_t)tree->nr_claims * sizeof(struct widen_claim) +
	       2 * (size_t)tree->nr_devices * sizeof(s32) +
	       sizeof(struct widen_planner);
}

/**
 * widen_plan() - decide which windows grow
 * @tree: windows and claims as they are
 * @rules: mask of enum widen_rule, how the running kernel may place chains
 * @verdicts: one for each window, filled in
 * @memory: scratch memory, widen_plan_memory() bytes, aligned to 8
 *
 * Return: number of windows that grow.
 */
int widen_plan(const struct widen_tree *tree, unsigned int rules,
	       struct widen_verdict *verdicts, void *memory)
{
	const struct widen_verdict none = {
		.fate = WIDEN_FITS,
		.up = { WIDEN_NONE, WIDEN_NONE, 0 },
		.down = { WIDEN_NONE, WIDEN_NONE, 0 },
	};
	struct widen_planner *p = memory;
	int count = 0;
	s32 w;

	p->now.windows = (struct widen_window *)(p + 1);
	p->trial.windows = p->now.windows + tree->nr_windows;
	p->play.windows = p->trial.windows + tree->nr_windows;
	p->now.claims = (struct widen_claim *)(p->play.windows +
					       tree->nr_windows);
	p->trial.claims = p->now.claims + tree->nr_claims;
	p->play.claims = p->trial.claims + tree->nr_claims;
	p->group = (s32 *)(p->play.claims + tree->nr_claims);
	p->order = p->group + tree->nr_devices;
	p->rules = rules;
	widen_copy(&p->now, tree);

	for (w = 0; w < tree->nr_windows; w++)
		verdicts[w] = none;
	for (w = tree->nr_windows - 1; w >= 0; w--)
		plan_window(p, w, &verdicts[w]);
	finish(p, tree, verdicts);
	for (w = 0; w < tree->nr_windows; w++)
		count += verdicts[w].fate == WIDEN_GROWS;
	return count;
}
