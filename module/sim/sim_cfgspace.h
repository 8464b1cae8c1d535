/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Configuration space of one function: 4 KiB of registers and, for each
 * byte, which bits software may write and which it clears by writing 1.
 */
#ifndef PEERBAR_SIM_CFGSPACE_H
#define PEERBAR_SIM_CFGSPACE_H

#include "sim_desc.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sim_cfgspace {
	u8 reg[SIM_CONFIG_SIZE];
	u8 writable[SIM_CONFIG_SIZE];	/* read-write bits */
	u8 clear[SIM_CONFIG_SIZE];	/* write-1-to-clear bits */
	u16 rebar;	/* offset of the Resizable BAR capability, or 0 */
	u8 rebar_entries;
	bool express;	/* has the extended space */
	struct sim_bar_desc bars[SIM_BARS];
};

/*
 * Fill *c with what the function shows at hand-over. @preset says whether
 * firmware's addresses, windows and bus numbers are in it, @multi whether
 * the device has more than one function.
 */
void sim_cfgspace_init(struct sim_cfgspace *c,
		       const struct sim_function_desc *f, bool preset,
		       bool multi);

u32 sim_cfgspace_read(const struct sim_cfgspace *c, u16 offset, u8 size);
void sim_cfgspace_write(struct sim_cfgspace *c, u16 offset, u8 size,
			u32 value);

/* Offset of the register of BAR @index. */
u16 sim_bar_offset(int index);

/* Parts of sim_cfgspace_init(): */
void sim_caps_init(struct sim_cfgspace *c, const struct sim_function_desc *f,
		   bool preset);
void sim_bar_init(struct sim_cfgspace *c, int index, u64 address);
void sim_bar_resize(struct sim_cfgspace *c, int index, u64 size);

/* Registers put in while a space is built: value and writable bits. */
static inline void sim_reg16(struct sim_cfgspace *c, u16 at, u16 value,
			     u16 writable)
{
	sim_put16(c->reg + at, value);
	sim_put16(c->writable + at, writable);
}

static inline void sim_reg32(struct sim_cfgspace *c, u16 at, u32 value,
			     u32 writable)
{
	sim_put32(c->reg + at, value);
	sim_put32(c->writable + at, writable);
}

#ifdef __cplusplus
}
#endif

#endif
