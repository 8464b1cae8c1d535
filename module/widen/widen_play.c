// SPDX-License-Identifier: GPL-2.0-only
/*
 * Play the drivers: resize a window's devices one after another, in every
 * order that may come, and see whether a range is enough.
 */
#include "widen_play.h"
#include "widen_place.h"
#include "widen_regs.h"

#define GRAIN_MASK	(WIDEN_GRAIN - 1)

/* Every order is played for so many devices, a selection for more. */
#define ALL_ORDERS	4
#define SHUFFLES	256

/**
 * widen_copy() - copy a tree into one of the same size
 * @to: tree to overwrite
 * @from: tree to copy
 */
void widen_copy(struct widen_tree *to, const struct widen_tree *from)
{
	s32 i;

	for (i = 0; i < from->nr_windows; i++)
		to->windows[i] = from->windows[i];
	for (i = 0; i < from->nr_claims; i++)
		to->claims[i] = from->claims[i];
	to->nr_windows = from->nr_windows;
	to->nr_claims = from->nr_claims;
	to->nr_devices = from->nr_devices;
}

static void note_used(const struct widen_tree *t, s32 w, struct widen_used *used)
{
	s32 i;

	for (i = 0; i < t->nr_claims; i++) {
		const struct widen_claim *c = &t->claims[i];

		if (!c->placed || c->window != w)
			continue;
		used->start = c->start < used->start ? c->start : used->start;
		used->end = c->end > used->end ? c->end : used->end;
	}
	for (i = 0; i < t->nr_windows; i++) {
		const struct widen_window *c = &t->windows[i];

		if (!c->placed || c->parent != w)
			continue;
		used->start = c->start < used->start ? c->start : used->start;
		used->end = c->end > used->end ? c->end : used->end;
	}
}

/* Resize the devices of p->order one after another inside @range. */
static void play(struct widen_planner *p, s32 w, struct widen_range range,
		 enum widen_rule rule, struct widen_used *all)
{
	struct widen_used used = { true, range.end, range.start };
	s32 i;

	widen_copy(&p->play, &p->now);
	p->play.windows[w].start = range.start;
	p->play.windows[w].end = range.end;
	note_used(&p->play, w, &used);
	for (i = 0; i < p->nr_group && used.fits; i++) {
		if (widen_resize(&p->play, p->order[i], rule))
			note_used(&p->play, w, &used);
		else
			used.fits = false;
	}
	if (!used.fits) {
		*all = used;
		return;
	}
	all->start = used.start < all->start ? used.start : all->start;
	all->end = used.end > all->end ? used.end : all->end;
}

/* The next permutation in lexical order; false after the last. */
static bool next_order(s32 *v, s32 n)
{
	s32 i = n - 2, j = n - 1, t;

	while (i >= 0 && v[i] > v[i + 1])
		i--;
	if (i < 0)
		return false;
	while (v[j] < v[i])
		j--;
	t = v[i]; v[i] = v[j]; v[j] = t;
	for (i++, j = n - 1; i < j; i++, j--) {
		t = v[i]; v[i] = v[j]; v[j] = t;
	}
	return true;
}

/*
 * Order number @k for a large group: rotations, forwards and backwards, then
 * shuffles, always the same ones.
 */
static void set_order(struct widen_planner *p, s32 k)
{
	s32 n = p->nr_group, i, j, t;
	u32 random = (u32)k;

	for (i = 0; i < n; i++) {
		s32 from = (i + k / 2) % n;

		p->order[i] = p->group[k & 1 ? n - 1 - from : from];
	}
	for (i = n - 1; k >= 2 * n && i > 0; i--) {
		/* Numerical Recipes' generator; its low bits are poor. */
		random = random * 1664525u + 1013904223u;
		j = (s32)((random >> 16) % (u32)(i + 1));
		t = p->order[i];
		p->order[i] = p->order[j];
		p->order[j] = t;
	}
}

static void play_rule(struct widen_planner *p, s32 w, struct widen_range range,
		      enum widen_rule rule, struct widen_used *used)
{
	s32 k;

	if (p->nr_group > ALL_ORDERS) {
		for (k = 0; k < 2 * p->nr_group + SHUFFLES && used->fits; k++) {
			set_order(p, k);
			play(p, w, range, rule, used);
		}
		return;
	}
	for (k = 0; k < p->nr_group; k++)
		p->order[k] = p->group[k];
	do {
		play(p, w, range, rule, used);
	} while (used->fits && next_order(p->order, p->nr_group));
}

/**
 * widen_play_all() - resize the group in every order under every rule
 * @p: planner with the group
 * @w: window that the group's chains are placed in
 * @range: range to give the window
 *
 * Return: whether all fit, and what part of the range was used.
 */
struct widen_used widen_play_all(struct widen_planner *p, s32 w,
				 struct widen_range range)
{
	struct widen_used used = { true, range.end, range.start };
	unsigned int rule;

	for (rule = 1; rule <= WIDEN_RULE_LAST; rule <<= 1)
		if (p->rules & rule && used.fits)
			play_rule(p, w, range, (enum widen_rule)rule, &used);
	used.start &= ~GRAIN_MASK;
	used.end |= GRAIN_MASK;
	return used;
}

