/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Register writes that grow a bridge's 64-bit prefetchable window while the
 * devices behind it are in use.
 */
#ifndef PEERBAR_WIDEN_REGS_H
#define PEERBAR_WIDEN_REGS_H

#include "widen_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Register offsets of a type 1 header, PCI Express Base Spec 7.5.1.3. */
#define WIDEN_REG_BASE		0x24	/* 16 bit, address bits 31:20 */
#define WIDEN_REG_LIMIT		0x26	/* 16 bit, address bits 31:20 */
#define WIDEN_REG_BASE_UPPER	0x28	/* 32 bit, address bits 63:32 */
#define WIDEN_REG_LIMIT_UPPER	0x2c	/* 32 bit, address bits 63:32 */

/* A bridge window starts and ends on a multiple of 1 MiB. */
#define WIDEN_GRAIN		0x100000ULL

/* Three writes for each end at the very most. */
#define WIDEN_MAX_WRITES	6

/**
 * struct widen_regs - the four registers of a prefetchable window
 * @base: low part of the base with its type nibble
 * @limit: low part of the limit with its type nibble
 * @base_upper: upper half of the base
 * @limit_upper: upper half of the limit
 */
struct widen_regs {
	u16 base;
	u16 limit;
	u32 base_upper;
	u32 limit_upper;
};

/**
 * struct widen_write - one configuration write
 * @reg: register offset
 * @width: bytes, 2 or 4
 * @was: value before this write, to take it back
 * @value: value to write
 */
struct widen_write {
	u8 reg;
	u8 width;
	u32 was;
	u32 value;
};

u64 widen_regs_start(const struct widen_regs *regs);
u64 widen_regs_end(const struct widen_regs *regs);
bool widen_limit_reachable(u64 from, u64 to);
bool widen_base_reachable(u64 from, u64 to);
u64 widen_limit_reach(u64 from, u64 to);
u64 widen_base_reach(u64 from, u64 to);
int widen_regs_writes(const struct widen_regs *regs, u64 start, u64 end,
		      struct widen_write writes[WIDEN_MAX_WRITES]);

#ifdef __cplusplus
}
#endif

#endif
