/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Fixed width types for the files that are built both into the module and
 * into the host tests.
 */
#ifndef PEERBAR_WIDEN_TYPES_H
#define PEERBAR_WIDEN_TYPES_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int32_t s32;
#endif

#endif
