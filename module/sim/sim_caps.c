// SPDX-License-Identifier: GPL-2.0-only
/*
 * Capabilities of a function. Offsets follow real parts of each kind, because
 * tools and quirks look at some of them.
 *
 * Section numbers are those of the PCI Express Base Specification r6.2.
 */
#include <linux/pci_regs.h>

#include "sim_cfgspace.h"

#define VENDOR_PLX 0x10b5
#define VENDOR_BROADCOM 0x1000

/* Where a kind of part keeps its capabilities; 0: it has none. */
struct layout {
	u8 pm;
	u8 express;
	u8 msi;
	u8 ssvid;
	u16 acs;
};

/* Xeon E5 root port; PEX 880xx; PEX 87xx and 97xx; AMD's switch; a GPU. */
static const struct layout root_layout = { 0xe0, 0x90, 0x60, 0x40, 0x110 };
static const struct layout dmi_layout = { 0xe0, 0x90, 0, 0, 0x110 };
static const struct layout atlas_layout = { 0x40, 0x68, 0, 0xa4, 0xf24 };
static const struct layout plx_layout = { 0x40, 0x68, 0x48, 0xa4, 0xf24 };
static const struct layout switch_layout = { 0x50, 0x58, 0xa0, 0xc0, 0x2a0 };
static const struct layout endpoint_layout = { 0x50, 0x64, 0xa0, 0, 0x2a0 };
static const struct layout bridge_layout = { 0x50, 0, 0, 0xc0, 0 };
static const struct layout plain_layout = { 0x50, 0, 0xa0, 0, 0 };

#define VENDOR_SPECIFIC_AT 0x100
#define REBAR_AT 0x200

static const struct layout *layout_of(const struct sim_function_desc *f)
{
	switch (f->port) {
	case SIM_PORT_ROOT:
		return f->bridge ? &root_layout : &dmi_layout;
	case SIM_PORT_UPSTREAM:
	case SIM_PORT_DOWNSTREAM:
		/* A slot is of no use without an interrupt. */
		if (f->vendor == VENDOR_PLX ||
		    (f->vendor == VENDOR_BROADCOM && f->hotplug))
			return &plx_layout;
		return f->vendor == VENDOR_BROADCOM ? &atlas_layout :
						      &switch_layout;
	case SIM_PORT_CONVENTIONAL:
		return f->bridge ? &bridge_layout : &plain_layout;
	default:
		return &endpoint_layout;
	}
}

/* 7.5.3: every capability starts with its ID and the offset of the next. */
static void add_capability(struct sim_cfgspace *c, u8 at, u8 id, u8 *last)
{
	c->reg[at] = id;
	c->reg[*last] = at;
	*last = (u8)(at + PCI_CAP_LIST_NEXT);
	c->reg[PCI_STATUS] |= PCI_STATUS_CAP_LIST;
}

/* 7.6.3.1: the extended list starts at 0x100 and goes up. */
static void add_extended(struct sim_cfgspace *c, u16 at, u16 id, u8 version,
			 u16 *last)
{
	sim_put32(c->reg + at, id | (u32)version << 16);
	if (*last)
		sim_put16(c->reg + *last + 2,
			  (u16)((sim_get16(c->reg + *last + 2) & 0xf) |
				at << 4));
	*last = at;
}

/* 7.5.2: version 3, no PME, D0 and D3hot, state kept on the way back. */
static void init_power(struct sim_cfgspace *c, u8 at)
{
	sim_reg16(c, at + PCI_PM_PMC, 3, 0);
	sim_reg16(c, at + PCI_PM_CTRL, PCI_PM_CTRL_NO_SOFT_RESET,
		  PCI_PM_CTRL_STATE_MASK);
}

/* 7.7.1: one vector, 64-bit address. */
static void init_msi(struct sim_cfgspace *c, u8 at)
{
	sim_reg16(c, at + PCI_MSI_FLAGS, PCI_MSI_FLAGS_64BIT,
		  PCI_MSI_FLAGS_ENABLE | PCI_MSI_FLAGS_QSIZE);
	sim_reg32(c, at + PCI_MSI_ADDRESS_LO, 0, 0xfffffffcU);
	sim_reg32(c, at + PCI_MSI_ADDRESS_HI, 0, 0xffffffffU);
	sim_reg16(c, at + PCI_MSI_DATA_64, 0, 0xffff);
}

static u16 port_type(const struct sim_function_desc *f)
{
	switch (f->port) {
	case SIM_PORT_ROOT:
		return PCI_EXP_TYPE_ROOT_PORT;
	case SIM_PORT_UPSTREAM:
		return PCI_EXP_TYPE_UPSTREAM;
	case SIM_PORT_DOWNSTREAM:
		return PCI_EXP_TYPE_DOWNSTREAM;
	case SIM_PORT_LEGACY_ENDPOINT:
		return PCI_EXP_TYPE_LEG_END;
	case SIM_PORT_ROOT_INTEGRATED:
		return PCI_EXP_TYPE_RC_END;
	default:
		return PCI_EXP_TYPE_ENDPOINT;
	}
}

static bool faces_down(const struct sim_function_desc *f)
{
	return f->bridge && (f->port == SIM_PORT_ROOT ||
			     f->port == SIM_PORT_DOWNSTREAM);
}

/*
 * 7.5.3.6 to 7.5.3.8, 7.5.3.18 to 7.5.3.20. Retrain Link always reads as
 * zero, and training is over at once.
 */
static void init_link(struct sim_cfgspace *c, u8 at,
		      const struct sim_function_desc *f)
{
	u32 cap = f->link_max_speed | (u32)f->link_max_width << 4;
	u16 status = (u16)(f->link_speed | f->link_width << 4 |
			   PCI_EXP_LNKSTA_SLC);
	u16 control = PCI_EXP_LNKCTL_ASPMC | PCI_EXP_LNKCTL_CCC |
		      PCI_EXP_LNKCTL_ES;

	if (faces_down(f)) {
		cap |= PCI_EXP_LNKCAP_DLLLARC | PCI_EXP_LNKCAP_LBNC;
		cap |= (u32)f->devfn << 24;
		status |= PCI_EXP_LNKSTA_DLLLA;
		control |= PCI_EXP_LNKCTL_LBMIE | PCI_EXP_LNKCTL_LABIE;
		sim_put16(c->clear + at + PCI_EXP_LNKSTA,
			  PCI_EXP_LNKSTA_LBMS | PCI_EXP_LNKSTA_LABS);
	}
	sim_reg32(c, at + PCI_EXP_LNKCAP, cap, 0);
	sim_reg16(c, at + PCI_EXP_LNKCTL, 0, control);
	sim_reg16(c, at + PCI_EXP_LNKSTA, status, 0);
	sim_reg32(c, at + PCI_EXP_LNKCAP2,
		  ((1U << f->link_max_speed) - 1) << 1, 0);
	sim_reg16(c, at + PCI_EXP_LNKCTL2, f->link_target, 0xffbf);
}

/*
 * 7.5.3.9 to 7.5.3.11: a hot-plug slot with nothing but presence and link
 * state to report; commands complete without an event.
 */
static void init_slot(struct sim_cfgspace *c, u8 at,
		      const struct sim_function_desc *f)
{
	sim_reg32(c, at + PCI_EXP_SLTCAP,
		  PCI_EXP_SLTCAP_HPC | PCI_EXP_SLTCAP_HPS |
			  PCI_EXP_SLTCAP_NCCS | (u32)f->secondary << 19, 0);
	sim_reg16(c, at + PCI_EXP_SLTCTL, 0, 0x1fff);
	sim_reg16(c, at + PCI_EXP_SLTSTA, PCI_EXP_SLTSTA_PDS, 0);
	sim_put16(c->clear + at + PCI_EXP_SLTSTA, 0x011f);
}

/* 7.5.3: PCI Express capability, version 2. */
static void init_express(struct sim_cfgspace *c, u8 at,
			 const struct sim_function_desc *f)
{
	bool slot = f->hotplug && faces_down(f);

	sim_reg16(c, at + PCI_EXP_FLAGS,
		  (u16)(2 | port_type(f) << 4 |
			(slot ? PCI_EXP_FLAGS_SLOT : 0)), 0);
	sim_reg32(c, at + PCI_EXP_DEVCAP,
		  1 | PCI_EXP_DEVCAP_EXT_TAG | PCI_EXP_DEVCAP_RBER, 0);
	sim_reg16(c, at + PCI_EXP_DEVCTL, 0x2810, 0x7fff);
	sim_put16(c->clear + at + PCI_EXP_DEVSTA, 0x000f);
	if (f->port != SIM_PORT_ROOT_INTEGRATED)
		init_link(c, at, f);
	if (slot)
		init_slot(c, at, f);
	if (f->port == SIM_PORT_ROOT) {
		sim_reg16(c, at + PCI_EXP_RTCTL, 0, 0x001f);
		sim_put32(c->clear + at + PCI_EXP_RTSTA, PCI_EXP_RTSTA_PME);
	}
	/* 7.5.3.16: completion timeout value, ARI forwarding off. */
	sim_reg16(c, at + PCI_EXP_DEVCTL2, 0, 0x001f);
}

/*
 * 7.8.6: one capability and one control register for each resizable BAR.
 * Size bits 4 to 31 of the first are 1M to 128T, bits 16 to 31 of the
 * second 256T and more. Only the first entry counts the entries.
 */
static void init_rebar(struct sim_cfgspace *c, u16 at,
		       const struct sim_function_desc *f)
{
	u16 entry = at;
	int i;

	for (i = 0; i < SIM_BARS; i++) {
		const struct sim_rebar_desc *r = &f->rebar[i];
		u32 size = 0;

		if (!r->sizes)
			continue;
		while (1ULL << (20 + size) < r->current_size)
			size++;
		sim_reg32(c, entry + PCI_REBAR_CAP, (u32)(r->sizes << 4), 0);
		sim_reg32(c, entry + PCI_REBAR_CTRL,
			  (u32)i | size << 8 |
				  (u32)(r->sizes >> 28) << 16, 0x3f00);
		entry = (u16)(entry + 8);
		c->rebar_entries++;
	}
	c->rebar = at;
	c->reg[at + PCI_REBAR_CTRL] |= (u8)(c->rebar_entries << 5);
}

static bool has_rebar(const struct sim_function_desc *f)
{
	int i;

	for (i = 0; i < SIM_BARS; i++)
		if (f->rebar[i].sizes)
			return true;
	return false;
}

static void init_extended(struct sim_cfgspace *c,
			  const struct sim_function_desc *f, bool preset,
			  const struct layout *l)
{
	u16 last = 0;
	bool acs_first = l->acs < REBAR_AT;

	/* 7.9.5: ID 1, revision 1, 16 bytes, all of them zero. */
	add_extended(c, VENDOR_SPECIFIC_AT, PCI_EXT_CAP_ID_VNDR, 1, &last);
	sim_reg32(c, VENDOR_SPECIFIC_AT + PCI_VNDR_HEADER, 0x01010001, 0);

	if (has_rebar(f) && !acs_first) {
		add_extended(c, REBAR_AT, PCI_EXT_CAP_ID_REBAR, 1, &last);
		init_rebar(c, REBAR_AT, f);
	}
	if (f->has_acs) {
		/* 7.7.11: what cannot be enabled reads as zero. */
		add_extended(c, l->acs, PCI_EXT_CAP_ID_ACS, 1, &last);
		sim_reg16(c, l->acs + PCI_ACS_CAP, f->acs_capable, 0);
		sim_reg16(c, l->acs + PCI_ACS_CTRL,
			  preset ? f->acs_enabled : 0, f->acs_capable);
	}
	if (has_rebar(f) && acs_first) {
		add_extended(c, REBAR_AT, PCI_EXT_CAP_ID_REBAR, 1, &last);
		init_rebar(c, REBAR_AT, f);
	}
}

void sim_caps_init(struct sim_cfgspace *c, const struct sim_function_desc *f,
		   bool preset)
{
	const struct layout *l = layout_of(f);
	u8 last = PCI_CAPABILITY_LIST;

	if (l->ssvid && f->bridge && f->subsystem_vendor) {
		/* PCI-to-PCI Bridge Architecture r1.2, sec. 3.2.5.14 */
		add_capability(c, l->ssvid, PCI_CAP_ID_SSVID, &last);
		sim_reg16(c, l->ssvid + PCI_SSVID_VENDOR_ID,
			  f->subsystem_vendor, 0);
		sim_reg16(c, l->ssvid + PCI_SSVID_DEVICE_ID,
			  f->subsystem_device, 0);
	}
	add_capability(c, l->pm, PCI_CAP_ID_PM, &last);
	init_power(c, l->pm);
	if (l->msi) {
		add_capability(c, l->msi, PCI_CAP_ID_MSI, &last);
		init_msi(c, l->msi);
	}
	if (l->express) {
		add_capability(c, l->express, PCI_CAP_ID_EXP, &last);
		init_express(c, l->express, f);
		init_extended(c, f, preset, l);
	}
}
