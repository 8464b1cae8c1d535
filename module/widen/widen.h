/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peerbar-widen: grow shared bridge windows in place.
 */
#ifndef PEERBAR_WIDEN_H
#define PEERBAR_WIDEN_H

#include <linux/pci.h>

#include "widen_plan.h"

/**
 * struct widen_owner - what a planned window or claim stands for
 * @res: the kernel's resource
 * @dev: device that it belongs to, or NULL
 * @bar: index in the device's resources
 */
struct widen_owner {
	struct resource *res;
	struct pci_dev *dev;
	int bar;
};

/**
 * struct widen_host - one host bridge as the planner sees it
 * @root: its root bus
 * @tree: windows and claims
 * @window_owners: what each window stands for
 * @claim_owners: what each claim stands for
 * @max_windows: room in the arrays of windows
 * @max_claims: room in the arrays of claims
 * @failed: the arrays turned out to be too short
 */
struct widen_host {
	struct pci_bus *root;
	struct widen_tree tree;
	struct widen_owner *window_owners;
	struct widen_owner *claim_owners;
	s32 max_windows;
	s32 max_claims;
	bool failed;
};

int widen_host_read(struct widen_host *host, struct pci_bus *root);
void widen_host_free(struct widen_host *host);

int widen_apply(const struct widen_host *host,
		const struct widen_verdict *verdicts);

#endif
