// SPDX-License-Identifier: GPL-2.0-only
/*
 * The way from one function to another and who redirects it, from the picture
 * alone. Follows calc_map_type_and_dist() and pci_host_bridge_dev() of
 * drivers/pci/p2pdma.c, which give the number but not the reason.
 */
#include <linux/kernel.h>
#include <linux/pci.h>

#include "peerbar.h"

/* Any of these sends a peer request up to the root, PCIe r6.2, sec. 6.12.3. */
#define ACS_REDIRECT	(PCI_ACS_RR | PCI_ACS_CR | PCI_ACS_EC)

static void note_acs(const struct peerbar_snap *snap, int fn,
		     struct peerbar_path *path)
{
	if (!(snap->fn[fn].acs_ctrl & ACS_REDIRECT))
		return;
	if (path->n_acs < PEERBAR_MAX_ACS_PORTS)
		path->acs[path->n_acs] = fn;
	path->n_acs++;
}

/* Steps up from @fn to @to; PEERBAR_NONE when @to is not above it. */
static int steps_up(const struct peerbar_snap *snap, int fn, int to)
{
	int n;

	for (n = 0; fn != PEERBAR_NONE; n++, fn = snap->fn[fn].up)
		if (fn == to)
			return n;
	return PEERBAR_NONE;
}

static int depth(const struct peerbar_snap *snap, int fn)
{
	int n;

	for (n = 0; fn != PEERBAR_NONE; fn = snap->fn[fn].up)
		n++;
	return n;
}

/**
 * peerbar_path - find the way between two functions
 * @snap: picture taken with PEERBAR_WANT_ACS
 * @a: index of the function that has the memory
 * @b: index of the function that accesses it
 * @path: the way
 *
 * As in the kernel, the common port itself counts among those that may
 * redirect, and without a common port only the ports above @a are looked at,
 * since the way leads through the root in any case.
 */
void peerbar_path(const struct peerbar_snap *snap, int a, int b,
		  struct peerbar_path *path)
{
	int up = a, down, i;

	path->common = PEERBAR_NONE;
	path->n_acs = 0;

	for (i = 0; up != PEERBAR_NONE; i++, up = snap->fn[up].up) {
		note_acs(snap, up, path);
		down = steps_up(snap, b, up);
		if (down == PEERBAR_NONE)
			continue;
		path->common = up;
		path->distance = i + down;
		for (; b != up; b = snap->fn[b].up)
			note_acs(snap, b, path);
		return;
	}
	path->distance = i + depth(snap, b);
}

/**
 * peerbar_root_device - find the function a host bridge is known by
 * @snap: the picture
 * @host: index of the host bridge
 *
 * Return: index of the first function on the root bus if it is 00.0 or a root
 * port, else PEERBAR_NONE: then the kernel has nothing to look up.
 */
int peerbar_root_device(const struct peerbar_snap *snap, int host)
{
	int first = snap->host[host].first;

	if (first == PEERBAR_NONE)
		return PEERBAR_NONE;
	if (snap->fn[first].devfn == PCI_DEVFN(0, 0) ||
	    snap->fn[first].pcie_type == PCI_EXP_TYPE_ROOT_PORT)
		return first;
	return PEERBAR_NONE;
}

/**
 * peerbar_route_name - the word for a route
 * @route: the route
 *
 * Return: the word used in the file p2p.
 */
const char *peerbar_route_name(enum peerbar_route_kind route)
{
	switch (route) {
	case PEERBAR_ROUTE_SWITCH:
		return "switch";
	case PEERBAR_ROUTE_ROOT:
		return "root";
	default:
		return "none";
	}
}

/**
 * peerbar_reason_name - the word for a reason
 * @reason: the reason
 *
 * Return: the word used in the file p2p.
 */
const char *peerbar_reason_name(enum peerbar_reason reason)
{
	static const char *const names[] = {
		[PEERBAR_REASON_NONE] = "-",
		[PEERBAR_REASON_P2PDMA_OFF] = "p2pdma-off",
		[PEERBAR_REASON_ACS_REDIRECT] = "acs-redirect",
		[PEERBAR_REASON_ROOT_NOT_WHITELISTED] = "root-not-whitelisted",
		[PEERBAR_REASON_NO_ROOT_DEVICE] = "no-root-device",
		[PEERBAR_REASON_DIFFERENT_HOST_BRIDGES] =
			"different-host-bridges",
		[PEERBAR_REASON_REFUSED] = "refused",
		[PEERBAR_REASON_ASLEEP] = "asleep",
		[PEERBAR_REASON_LOST] = "lost",
	};

	return names[reason];
}
