/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Types for the pure part of the simulator, which is compiled into the module
 * and into host tests alike.
 */
#ifndef PEERBAR_SIM_TYPES_H
#define PEERBAR_SIM_TYPES_H

#ifdef __KERNEL__

#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/mm.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/types.h>
#include <linux/vmalloc.h>

static inline void *sim_alloc(size_t count, size_t size)
{
	return kvcalloc(count, size, GFP_KERNEL);
}

static inline void sim_free(const void *memory)
{
	kvfree(memory);
}

#else

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;
typedef unsigned long long u64;

static inline void *sim_alloc(size_t count, size_t size)
{
	return calloc(count, size);
}

static inline void sim_free(const void *memory)
{
	free((void *)memory);
}

#endif

#define SIM_CONFIG_SIZE 4096
#define SIM_PCI_CONFIG_SIZE 256

#define SIM_SLOT(devfn) ((devfn) >> 3)
#define SIM_FUNC(devfn) ((devfn) & 7)
#define SIM_DEVFN(slot, func) ((u8)(((slot) << 3) | (func)))

struct sim_range {
	u64 start;
	u64 end;	/* inclusive */
};

/* A range that holds nothing has its end below its start. */
static inline bool sim_range_empty(struct sim_range r)
{
	return r.end < r.start;
}

static inline bool sim_range_contains(struct sim_range outer,
				      struct sim_range inner)
{
	return outer.start <= inner.start && inner.end <= outer.end;
}

static inline bool sim_range_overlaps(struct sim_range a, struct sim_range b)
{
	return a.start <= b.end && b.start <= a.end;
}

static inline u16 sim_get16(const u8 *p)
{
	return (u16)(p[0] | p[1] << 8);
}

static inline u32 sim_get32(const u8 *p)
{
	return (u32)p[0] | (u32)p[1] << 8 | (u32)p[2] << 16 | (u32)p[3] << 24;
}

static inline void sim_put16(u8 *p, u16 v)
{
	p[0] = v & 0xff;
	p[1] = v >> 8 & 0xff;
}

static inline void sim_put32(u8 *p, u32 v)
{
	sim_put16(p, v & 0xffff);
	sim_put16(p + 2, v >> 16 & 0xffff);
}

#endif
