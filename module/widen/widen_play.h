/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Play the drivers: resize a window's devices in every order.
 */
#ifndef PEERBAR_WIDEN_PLAY_H
#define PEERBAR_WIDEN_PLAY_H

#include "widen_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * struct widen_planner - a plan in the making
 * @now: the tree with the growth decided so far
 * @trial: the tree with a growth being considered
 * @play: scratch for widen_resize()
 * @group: devices that land in the window being planned
 * @order: the same in the order being played
 * @nr_group: number of devices in the group
 * @rules: mask of enum widen_rule
 */
struct widen_planner {
	struct widen_tree now;
	struct widen_tree trial;
	struct widen_tree play;
	s32 *group;
	s32 *order;
	s32 nr_group;
	unsigned int rules;
};

/**
 * struct widen_used - what the plays of one range have used of it
 * @fits: every device found room in every order
 * @start: first address used
 * @end: last address used
 *
 * When a play fails this is what that one has used, as it would fail in all
 * ranges down to that.
 */
struct widen_used {
	bool fits;
	u64 start;
	u64 end;
};

/**
 * struct widen_range - addresses that a window may get
 * @start: first address
 * @end: last address
 */
struct widen_range {
	u64 start;
	u64 end;
};

void widen_copy(struct widen_tree *to, const struct widen_tree *from);
struct widen_used widen_play_all(struct widen_planner *p, s32 w,
				 struct widen_range range);

#ifdef __cplusplus
}
#endif

#endif
