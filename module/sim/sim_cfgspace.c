// SPDX-License-Identifier: GPL-2.0-only
/*
 * Type 0 and type 1 headers and the access to a function's registers.
 *
 * Section numbers are those of the PCI Express Base Specification r6.2.
 */
#include <linux/pci_regs.h>

#include "sim_cfgspace.h"

/* 7.5.1.1.4: reading the status bits; the error bits clear by writing 1. */
#define STATUS_CLEAR 0xf900

/* 7.5.1.1.3: the command bits a PCI Express function has. */
#define COMMAND_WRITABLE						\
	(PCI_COMMAND_IO | PCI_COMMAND_MEMORY | PCI_COMMAND_MASTER |	\
	 PCI_COMMAND_PARITY | PCI_COMMAND_SERR | PCI_COMMAND_INTX_DISABLE)

/* 7.5.1.3.13: bridge control without the conventional PCI timer bits. */
#define BRIDGE_CONTROL_WRITABLE 0x005f

#define ROM_ADDRESS_MASK 0xfffff800U

u16 sim_bar_offset(int index)
{
	return (u16)(PCI_BASE_ADDRESS_0 + 4 * index);
}

static u32 bar_type_bits(enum sim_space space)
{
	switch (space) {
	case SIM_SPACE_IO:
		return PCI_BASE_ADDRESS_SPACE_IO;
	case SIM_SPACE_PREF32:
		return PCI_BASE_ADDRESS_MEM_PREFETCH;
	case SIM_SPACE_MEM64:
		return PCI_BASE_ADDRESS_MEM_TYPE_64;
	case SIM_SPACE_PREF64:
		return PCI_BASE_ADDRESS_MEM_TYPE_64 |
		       PCI_BASE_ADDRESS_MEM_PREFETCH;
	default:
		return 0;
	}
}

/*
 * 7.5.1.2.1: address bits below the size are hardwired to zero, the others
 * hold the address. This is what makes probing with all ones work.
 */
static void set_bar_mask(struct sim_cfgspace *c, int index)
{
	const struct sim_bar_desc *b = &c->bars[index];
	u64 mask = ~(b->size - 1);
	u16 at = sim_bar_offset(index);

	sim_put32(c->writable + at, (u32)mask & (b->space == SIM_SPACE_IO ?
						 0xfffffffcU : 0xfffffff0U));
	if (sim_space_is_64(b->space))
		sim_put32(c->writable + at + 4, (u32)(mask >> 32));
}

void sim_bar_init(struct sim_cfgspace *c, int index, u64 address)
{
	const struct sim_bar_desc *b = &c->bars[index];
	u16 at = sim_bar_offset(index);

	set_bar_mask(c, index);
	sim_put32(c->reg + at, (u32)address | bar_type_bits(b->space));
	if (sim_space_is_64(b->space))
		sim_put32(c->reg + at + 4, (u32)(address >> 32));
}

/* 7.8.6.3: a larger BAR loses its low address bits, whatever they held. */
void sim_bar_resize(struct sim_cfgspace *c, int index, u64 size)
{
	struct sim_bar_desc *b = &c->bars[index];
	u16 at = sim_bar_offset(index);
	u32 type = bar_type_bits(b->space);

	b->size = size;
	set_bar_mask(c, index);
	sim_put32(c->reg + at, (sim_get32(c->reg + at) &
				sim_get32(c->writable + at)) | type);
	if (sim_space_is_64(b->space))
		sim_put32(c->reg + at + 4, sim_get32(c->reg + at + 4) &
					   sim_get32(c->writable + at + 4));
}

/* 7.5.1.1: the part both header types share. */
static void init_common_header(struct sim_cfgspace *c,
			       const struct sim_function_desc *f, bool preset,
			       bool multi)
{
	u16 command = 0;

	if (preset && f->decode)
		command = PCI_COMMAND_IO | PCI_COMMAND_MEMORY |
			  (f->bridge ? PCI_COMMAND_MASTER : 0);

	sim_reg16(c, PCI_VENDOR_ID, f->vendor, 0);
	sim_reg16(c, PCI_DEVICE_ID, f->device, 0);
	sim_reg16(c, PCI_COMMAND, command, COMMAND_WRITABLE);
	sim_put16(c->clear + PCI_STATUS, STATUS_CLEAR);
	sim_reg32(c, PCI_CLASS_REVISION, f->class_code << 8 | f->revision, 0);
	c->writable[PCI_CACHE_LINE_SIZE] = 0xff;
	c->reg[PCI_HEADER_TYPE] = (u8)((f->bridge ? PCI_HEADER_TYPE_BRIDGE :
						    PCI_HEADER_TYPE_NORMAL) |
				       (multi ? 0x80 : 0));
	c->writable[PCI_INTERRUPT_LINE] = 0xff;
}

static void init_bars(struct sim_cfgspace *c,
		      const struct sim_function_desc *f, bool preset)
{
	int i;

	memcpy(c->bars, f->bars, sizeof(c->bars));
	for (i = 0; i < SIM_BARS; i++)
		if (c->bars[i].space != SIM_SPACE_NONE)
			sim_bar_init(c, i, preset ? c->bars[i].address : 0);
}

/* 7.5.1.2.4: the enable bit is bit 0, the address starts at bit 11. */
static void init_rom(struct sim_cfgspace *c,
		     const struct sim_function_desc *f, u16 at)
{
	if (f->rom)
		sim_reg32(c, at, 0,
			  (~(f->rom - 1) & ROM_ADDRESS_MASK) |
			  PCI_ROM_ADDRESS_ENABLE);
}

/* 7.5.1.3.6: I/O base and limit; low nibble 1 says 32-bit addresses. */
static void init_io_window(struct sim_cfgspace *c, struct sim_range r,
			   bool preset)
{
	u32 base = 0, limit = 0;

	if (preset && sim_range_empty(r)) {
		base = 0xf000;
	} else if (preset) {
		base = (u32)r.start;
		limit = (u32)r.end;
	}
	sim_reg16(c, PCI_IO_BASE,
		  (u16)(((base >> 8) & 0xf0) | (limit & 0xf000) | 0x0101),
		  0xf0f0);
	sim_reg32(c, PCI_IO_BASE_UPPER16,
		  (base >> 16) | (limit & 0xffff0000U), 0xffffffff);
}

/* 7.5.1.3.8: bits 31:20 of a 32-bit address, and no more. */
static void init_mem_window(struct sim_cfgspace *c, struct sim_range r,
			    bool preset)
{
	u32 base = 0, limit = 0;

	if (preset && sim_range_empty(r)) {
		base = 0xfff00000U;
	} else if (preset) {
		base = (u32)r.start;
		limit = (u32)r.end;
	}
	sim_reg32(c, PCI_MEMORY_BASE,
		  ((base >> 16) & 0xfff0) | (limit & 0xfff00000U),
		  0xfff0fff0U);
}

/* 7.5.1.3.9: as above, with upper halves when the low nibble is 1. */
static void init_pref_window(struct sim_cfgspace *c,
			     const struct sim_function_desc *f, bool preset)
{
	u64 base = 0, limit = 0;
	u32 type = f->pref32 ? 0 : 0x00010001;

	if (preset && sim_range_empty(f->pref)) {
		base = 0xfff00000U;
	} else if (preset) {
		base = f->pref.start;
		limit = f->pref.end;
	}
	sim_reg32(c, PCI_PREF_MEMORY_BASE,
		  (u32)((base >> 16) & 0xfff0) |
		  ((u32)limit & 0xfff00000U) | type, 0xfff0fff0U);
	if (f->pref32)
		return;
	sim_reg32(c, PCI_PREF_BASE_UPPER32, (u32)(base >> 32), 0xffffffff);
	sim_reg32(c, PCI_PREF_LIMIT_UPPER32, (u32)(limit >> 32), 0xffffffff);
}

/* 7.5.1.3: type 1 header. Without preset it is as after reset: all zero. */
static void init_bridge_header(struct sim_cfgspace *c,
			       const struct sim_function_desc *f, bool preset)
{
	u32 buses = 0;

	if (preset)
		buses = f->bus | (u32)f->secondary << 8 |
			(u32)f->subordinate << 16;
	sim_reg32(c, PCI_PRIMARY_BUS, buses, 0x00ffffff);
	init_io_window(c, f->io, preset);
	sim_put16(c->clear + PCI_SEC_STATUS, STATUS_CLEAR);
	init_mem_window(c, f->mem, preset);
	init_pref_window(c, f, preset);
	init_rom(c, f, PCI_ROM_ADDRESS1);
	sim_reg16(c, PCI_BRIDGE_CONTROL, 0, BRIDGE_CONTROL_WRITABLE);
}

/* 7.5.1.2: type 0 header. */
static void init_endpoint_header(struct sim_cfgspace *c,
				 const struct sim_function_desc *f)
{
	sim_reg16(c, PCI_SUBSYSTEM_VENDOR_ID, f->subsystem_vendor, 0);
	sim_reg16(c, PCI_SUBSYSTEM_ID, f->subsystem_device, 0);
	init_rom(c, f, PCI_ROM_ADDRESS);
}

void sim_cfgspace_init(struct sim_cfgspace *c,
		       const struct sim_function_desc *f, bool preset,
		       bool multi)
{
	memset(c, 0, sizeof(*c));
	c->express = f->port != SIM_PORT_CONVENTIONAL;
	init_common_header(c, f, preset, multi);
	if (f->bridge)
		init_bridge_header(c, f, preset);
	else
		init_endpoint_header(c, f);
	init_bars(c, f, preset);
	sim_caps_init(c, f, preset);
}

static bool in_space(const struct sim_cfgspace *c, u16 offset, u8 size)
{
	return (size == 1 || size == 2 || size == 4) && !(offset % size) &&
	       offset < (c->express ? SIM_CONFIG_SIZE : SIM_PCI_CONFIG_SIZE);
}

u32 sim_cfgspace_read(const struct sim_cfgspace *c, u16 offset, u8 size)
{
	if (!in_space(c, offset, size))
		return size < 4 ? (1U << (8 * size)) - 1 : 0xffffffffU;
	if (size == 1)
		return c->reg[offset];
	return size == 2 ? sim_get16(c->reg + offset) :
			   sim_get32(c->reg + offset);
}

/*
 * 7.8.6.3: a control register whose size field was written takes effect at
 * once; a size that the capability does not list is not taken.
 */
static void after_rebar_write(struct sim_cfgspace *c, u16 entry, u8 old_size)
{
	u8 *ctrl = c->reg + entry + PCI_REBAR_CTRL;
	u64 sizes = sim_get32(c->reg + entry + PCI_REBAR_CAP) >> 4 |
		    (u64)(sim_get32(ctrl) >> 16) << 28;
	u8 size = ctrl[1] & 0x3f;
	int index = ctrl[0] & PCI_REBAR_CTRL_BAR_IDX;

	if (size == old_size)
		return;
	if (size > 43 || !(sizes >> size & 1)) {
		ctrl[1] = old_size;
		return;
	}
	sim_bar_resize(c, index, 1ULL << (20 + size));
}

void sim_cfgspace_write(struct sim_cfgspace *c, u16 offset, u8 size, u32 value)
{
	u8 old_size = 0;
	u16 entry = 0;
	u8 i;

	if (!in_space(c, offset, size))
		return;
	if (c->rebar && offset >= c->rebar + 4 &&
	    offset < c->rebar + 4 + 8 * c->rebar_entries) {
		entry = (u16)(c->rebar +
			      ((offset - c->rebar - 4) & ~7));
		old_size = c->reg[entry + PCI_REBAR_CTRL + 1] & 0x3f;
	}

	for (i = 0; i < size; i++) {
		u8 byte = (u8)(value >> (8 * i));
		u8 rw = c->writable[offset + i];
		u8 *reg = &c->reg[offset + i];

		*reg = (u8)((*reg & ~rw) | (byte & rw));
		*reg &= (u8)~(byte & c->clear[offset + i]);
	}

	if (entry)
		after_rebar_write(c, entry, old_size);
}
