// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads facts of one function from configuration space. Nothing is written,
 * and nothing is woken: a function that cannot be reached now is reported as
 * asleep, with what the kernel remembers of it.
 */
#include <linux/bitfield.h>
#include <linux/pci.h>
#include <linux/sizes.h>

#include "peerbar.h"

/* PCI Code and ID Assignment r1.11, sec. 1.19: processing accelerators. */
#define BASE_CLASS_ACCELERATOR	0x12

/**
 * peerbar_is_gpu - ask whether a function is a GPU or an accelerator
 * @fn: the function
 *
 * Return: true for display controllers of any kind and for accelerators.
 */
bool peerbar_is_gpu(const struct peerbar_fn *fn)
{
	return fn->class >> 16 == PCI_BASE_CLASS_DISPLAY ||
	       fn->class >> 16 == BASE_CLASS_ACCELERATOR;
}

static bool is_suspended(const struct pci_dev *pdev)
{
	pci_power_t state = READ_ONCE(pdev->current_state);

	/* PCI_UNKNOWN is what a driver leaves behind: no reason to wait. */
	return state == PCI_D1 || state == PCI_D2 || state == PCI_D3hot ||
	       state == PCI_D3cold;
}

/*
 * A bridge that is not in D0 does not forward configuration requests
 * (PCI PM r1.2, sec. 4.7), and a function in D3cold has no power. One in
 * D3hot still answers.
 */
static bool is_asleep(struct pci_dev *pdev)
{
	struct pci_dev *up;

	if (READ_ONCE(pdev->current_state) == PCI_D3cold)
		return true;
	for (up = pci_upstream_bridge(pdev); up; up = pci_upstream_bridge(up))
		if (is_suspended(up))
			return true;
	return false;
}

/* All ones were read: the function is gone, or fell asleep just now. */
static void lose(struct peerbar_fn *fn)
{
	fn->state = is_asleep(fn->pdev) ? PEERBAR_ASLEEP : PEERBAR_LOST;
}

static void read_state(struct peerbar_fn *fn)
{
	if (is_asleep(fn->pdev))
		fn->state = PEERBAR_ASLEEP;
	else if (pci_device_is_present(fn->pdev))
		fn->state = PEERBAR_PRESENT;
	else
		lose(fn);
}

static void read_acs(struct peerbar_fn *fn)
{
	if (!fn->pdev->acs_cap)
		return;
	fn->acs = true;
	pci_read_config_word(fn->pdev, fn->pdev->acs_cap + PCI_ACS_CTRL,
			     &fn->acs_ctrl);
	if (PCI_POSSIBLE_ERROR(fn->acs_ctrl)) {
		fn->acs_ctrl = 0;
		lose(fn);
	}
}

/* Encoding of PCI_EXP_LNKSTA_CLS, from the kernel's own, or 0. */
static u8 encode_speed(enum pci_bus_speed speed)
{
	if (speed < PCIE_SPEED_2_5GT || speed == PCI_SPEED_UNKNOWN)
		return 0;
	return speed - PCIE_SPEED_2_5GT + 1;
}

/* The bus below a port, or the bus a device is on, has the link's speeds. */
static void recall_link(struct peerbar_fn *fn)
{
	struct pci_bus *bus = fn->pdev->bus;

	if (fn->pcie_type == PCI_EXP_TYPE_ROOT_PORT ||
	    fn->pcie_type == PCI_EXP_TYPE_DOWNSTREAM)
		bus = fn->pdev->subordinate;
	if (!bus)
		return;
	fn->link.speed = encode_speed(bus->cur_bus_speed);
	fn->link.max_speed = encode_speed(bus->max_bus_speed);
}

static void read_link(struct peerbar_fn *fn)
{
	struct peerbar_link *link = &fn->link;
	u32 cap;
	u16 word;

	if (!pci_is_pcie(fn->pdev) || fn->pcie_type == PCI_EXP_TYPE_RC_END ||
	    fn->pcie_type == PCI_EXP_TYPE_RC_EC)
		return;

	link->exists = true;
	if (fn->state != PEERBAR_PRESENT) {
		recall_link(fn);
		return;
	}

	pcie_capability_read_dword(fn->pdev, PCI_EXP_LNKCAP, &cap);
	if (PCI_POSSIBLE_ERROR(cap)) {
		lose(fn);
		recall_link(fn);
		return;
	}
	link->max_speed = FIELD_GET(PCI_EXP_LNKCAP_SLS, cap);
	link->max_width = FIELD_GET(PCI_EXP_LNKCAP_MLW, cap);
	/* A port without a link, PCIe r6.2, sec. 7.5.3.6: no width. */
	link->exists = link->max_width;

	pcie_capability_read_word(fn->pdev, PCI_EXP_LNKSTA, &word);
	if (!PCI_POSSIBLE_ERROR(word)) {
		link->speed = FIELD_GET(PCI_EXP_LNKSTA_CLS, word);
		link->width = FIELD_GET(PCI_EXP_LNKSTA_NLW, word);
	}
	pcie_capability_read_word(fn->pdev, PCI_EXP_LNKCTL2, &word);
	if (!PCI_POSSIBLE_ERROR(word))
		link->target = FIELD_GET(PCI_EXP_LNKCTL2_TLS, word);
}

/* From 7.x on, a BAR that got no address loses its flags too: look it up. */
static bool is_prefetchable(struct pci_dev *pdev, int bar)
{
	u32 reg;

	if (pci_resource_flags(pdev, bar))
		return pci_resource_flags(pdev, bar) & IORESOURCE_PREFETCH;
	pci_read_config_dword(pdev, PCI_BASE_ADDRESS_0 + 4 * bar, &reg);
	return reg & PCI_BASE_ADDRESS_MEM_PREFETCH;
}

static void read_rebar(struct peerbar_fn *fn)
{
	struct pci_dev *pdev = fn->pdev;
	unsigned int pos, n, i;
	u32 ctrl;

	if (fn->state != PEERBAR_PRESENT || fn->bridge || pdev->is_virtfn)
		return;
	pos = pci_find_ext_capability(pdev, PCI_EXT_CAP_ID_REBAR);
	if (!pos)
		return;

	pci_read_config_dword(pdev, pos + PCI_REBAR_CTRL, &ctrl);
	n = min_t(unsigned int, FIELD_GET(PCI_REBAR_CTRL_NBAR_MASK, ctrl),
		  PEERBAR_MAX_REBAR);
	for (i = 0; i < n; i++, pos += 8) {
		struct peerbar_rebar *rebar = &fn->rebar[fn->n_rebar];

		pci_read_config_dword(pdev, pos + PCI_REBAR_CTRL, &ctrl);
		if (PCI_POSSIBLE_ERROR(ctrl)) {
			lose(fn);
			return;
		}
		rebar->bar = FIELD_GET(PCI_REBAR_CTRL_BAR_IDX, ctrl);
		rebar->size = (u64)SZ_1M <<
			      FIELD_GET(PCI_REBAR_CTRL_BAR_SIZE, ctrl);
		if (rebar->bar >= PCI_STD_NUM_BARS)
			continue;
		rebar->sizes = pci_rebar_get_possible_sizes(pdev, rebar->bar);
		rebar->prefetch = is_prefetchable(pdev, rebar->bar);
		if (rebar->sizes)
			fn->n_rebar++;
	}
}

/**
 * peerbar_read_config - read what a file wants of one function
 * @fn: the function
 * @want: PEERBAR_WANT_*
 *
 * Context: process context, the caller holds pci_lock_rescan_remove().
 */
void peerbar_read_config(struct peerbar_fn *fn, unsigned int want)
{
	read_state(fn);
	if (want & PEERBAR_WANT_LINK)
		read_link(fn);
	if (want & PEERBAR_WANT_ACS && fn->state == PEERBAR_PRESENT)
		read_acs(fn);
	if (want & PEERBAR_WANT_REBAR)
		read_rebar(fn);
}
