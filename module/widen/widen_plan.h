/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which bridge windows must grow, how far and which way, so that the running
 * kernel can later resize every BAR below them.  Numbers in, numbers out.
 */
#ifndef PEERBAR_WIDEN_PLAN_H
#define PEERBAR_WIDEN_PLAN_H

#include "widen_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define WIDEN_NONE	(-1)

/*
 * How a kernel sizes and places the bridge windows of a chain that it has
 * released to resize a BAR.  A plan has to hold under every rule that is
 * asked for, because some rules arrived in stable updates and the version
 * alone does not tell them apart.
 */
enum widen_rule {
	/* up to 6.9: size and alignment rounded to half or all of the BAR */
	WIDEN_RULE_ROUND = 1 << 0,
	/* 6.10 to 6.19: the same, and without rounding where that has no room */
	WIDEN_RULE_RELAX = 1 << 1,
	/* the same, and the odd part of a window goes before the aligned one */
	WIDEN_RULE_RELAX_HEAD = 1 << 2,
	/* 7.0: no rounding */
	WIDEN_RULE_EXACT = 1 << 3,
	/* later: no rounding, and the odd part goes before the aligned one */
	WIDEN_RULE_EXACT_HEAD = 1 << 4,
};

#define WIDEN_RULE_LAST	WIDEN_RULE_EXACT_HEAD

/**
 * struct widen_window - an address range that holds claims and windows
 * @parent: window that holds this one, or WIDEN_NONE for a host bridge window
 * @grows: the range may be changed (64-bit, decoding, its bridge answers)
 * @placed: the range is valid; input windows all are
 * @start: first address
 * @end: last address
 *
 * A window comes after its parent in the array.
 */
struct widen_window {
	s32 parent;
	bool grows;
	bool placed;
	u64 start;
	u64 end;
};

/**
 * struct widen_claim - a BAR or anything else that uses part of a window
 * @window: window that holds it
 * @device: device that releases it when it resizes a BAR, or WIDEN_NONE
 * @resized: it is the BAR that is resized
 * @placed: the range is valid; input claims all are
 * @start: first address
 * @end: last address
 * @later: size in bytes after its device has resized
 */
struct widen_claim {
	s32 window;
	s32 device;
	bool resized;
	bool placed;
	u64 start;
	u64 end;
	u64 later;
};

/**
 * struct widen_tree - everything below one host bridge
 * @windows: all windows, parents first
 * @claims: all claims
 * @nr_windows: number of windows
 * @nr_claims: number of claims
 * @nr_devices: number of devices that will resize a BAR, in address order
 */
struct widen_tree {
	struct widen_window *windows;
	struct widen_claim *claims;
	s32 nr_windows;
	s32 nr_claims;
	s32 nr_devices;
};

/* What became of a window that has devices to resize in it. */
enum widen_fate {
	WIDEN_FITS,		/* as it is */
	WIDEN_GROWS,		/* after growing */
	WIDEN_BLOCKED,		/* no room up to the neighbours */
	WIDEN_TAKES_ROOM,	/* growing would take another device's room */
};

/**
 * struct widen_edge - what ends the free space on one side of a window
 * @window: the window whose end it is or that lies there, or WIDEN_NONE
 * @claim: the claim that lies there, or WIDEN_NONE
 * @addr: last (first) address to which the window could grow
 */
struct widen_edge {
	s32 window;
	s32 claim;
	u64 addr;
};

/**
 * struct widen_verdict - the outcome for one window
 * @fate: outcome
 * @devices: devices whose BARs are going to be placed directly in this window
 * @below: devices at or below a window that grows
 * @up: what ends the free space above, when blocked
 * @down: what ends the free space below, when blocked
 * @start: first address after the plan
 * @end: last address after the plan
 *
 * An ancestor that only grows to hold a window below it has no @devices.
 */
struct widen_verdict {
	enum widen_fate fate;
	s32 devices;
	s32 below;
	struct widen_edge up;
	struct widen_edge down;
	u64 start;
	u64 end;
};

size_t widen_plan_memory(const struct widen_tree *tree);
int widen_plan(const struct widen_tree *tree, unsigned int rules,
	       struct widen_verdict *verdicts, void *memory);

#ifdef __cplusplus
}
#endif

#endif
