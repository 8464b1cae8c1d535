// SPDX-License-Identifier: GPL-2.0-only
/*
 * peerbar-widen: grow shared bridge windows in place.
 *
 * A driver's pci_resize_resource() cannot grow a bridge window that a sibling
 * uses.  This module grows such windows, and those above them, into free
 * space of their parents before the drivers bind.  No BAR, driver or device
 * is touched, and windows only grow.
 */
#define pr_fmt(fmt) "peerbar-widen: " fmt

#include <linux/module.h>
#include <linux/slab.h>
#include <linux/version.h>

#include "widen.h"

static bool plan;
module_param(plan, bool, 0444);
MODULE_PARM_DESC(plan, "Say what would be done and do nothing");

/*
 * Rules by version.  Rounding up became optional in 6.10 ("PCI: Relax bridge
 * window tail sizing rules") and went away in 7.0 ("PCI: Stop over-estimating
 * bridge window size").  "PCI: Align head space better" is in 7.1 and went to
 * stable kernels, so a kernel that may have it or not has to do under both.
 */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 10, 0)
#define KERNEL_RULES	WIDEN_RULE_ROUND
#elif LINUX_VERSION_CODE < KERNEL_VERSION(7, 0, 0)
#define KERNEL_RULES	(WIDEN_RULE_RELAX | WIDEN_RULE_RELAX_HEAD)
#elif LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)
#define KERNEL_RULES	(WIDEN_RULE_EXACT | WIDEN_RULE_EXACT_HEAD)
#else
#define KERNEL_RULES	WIDEN_RULE_EXACT_HEAD
#endif

/* What ends the free space on one side: a device's resource, a window's end. */
static void say_edge(const struct widen_host *host, s32 window,
		     const struct widen_edge *edge, const char *side)
{
	const struct widen_owner *owner;
	const char *end = "";

	if (edge->claim != WIDEN_NONE) {
		owner = &host->claim_owners[edge->claim];
	} else {
		owner = &host->window_owners[edge->window];
		end = host->tree.windows[edge->window].grows ? "" : "the end of ";
	}
	if (owner->dev)
		pr_info("%s   %s: %s%s %s %d %pR\n",
			pci_name(host->window_owners[window].dev), side, end,
			pci_name(owner->dev),
			owner->bar >= PCI_BRIDGE_RESOURCES ? "window" : "BAR",
			owner->bar >= PCI_BRIDGE_RESOURCES ?
			owner->bar - PCI_BRIDGE_RESOURCES : owner->bar,
			owner->res);
	else
		pr_info("%s   %s: %s%s %pR\n",
			pci_name(host->window_owners[window].dev), side, end,
			owner->res->name, owner->res);
}

static void say_blocked(const struct widen_host *host, s32 w,
			const struct widen_verdict *v)
{
	const struct widen_owner *owner = &host->window_owners[w];

	pr_info("%s prefetchable window %pR cannot grow enough for %d BARs%s\n",
		pci_name(owner->dev), owner->res, v->devices,
		v->fate == WIDEN_TAKES_ROOM ?
		" without taking the room of another card" : "");
	say_edge(host, w, &v->up, "above");
	say_edge(host, w, &v->down, "below");
}

static void say_plan(const struct widen_host *host, s32 w,
		     const struct widen_verdict *v)
{
	const struct widen_owner *owner = &host->window_owners[w];

	pr_info("plan: %s prefetchable window [mem %#llx-%#llx] -> [mem %#llx-%#llx] for %d BARs\n",
		pci_name(owner->dev), (u64)owner->res->start,
		(u64)owner->res->end, v->start, v->end, v->below);
}

/*
 * Returns the number of windows grown or planned, or a negative error, and
 * counts the windows that cannot grow.
 */
static int widen_host(const struct widen_host *host, int *blocked)
{
	struct widen_verdict *verdicts;
	int count = -ENOMEM, ret;
	void *memory;
	s32 w;

	verdicts = kvcalloc(host->tree.nr_windows, sizeof(*verdicts),
			    GFP_KERNEL);
	memory = kvzalloc(widen_plan_memory(&host->tree), GFP_KERNEL);
	if (!verdicts || !memory)
		goto out;

	count = widen_plan(&host->tree, KERNEL_RULES, verdicts, memory);
	for (w = 0; w < host->tree.nr_windows; w++) {
		if (verdicts[w].fate == WIDEN_BLOCKED ||
		    verdicts[w].fate == WIDEN_TAKES_ROOM) {
			say_blocked(host, w, &verdicts[w]);
			(*blocked)++;
		} else if (verdicts[w].fate == WIDEN_GROWS && plan) {
			say_plan(host, w, &verdicts[w]);
		}
	}
	if (count && !plan) {
		ret = widen_apply(host, verdicts);
		if (ret)
			count = ret;
	}
out:
	kvfree(verdicts);
	kvfree(memory);
	return count;
}

static int __init widen_init(void)
{
	struct pci_bus *root = NULL;
	int windows = 0, blocked = 0, error = 0;

	pci_lock_rescan_remove();
	while ((root = pci_find_next_bus(root))) {
		struct widen_host host;
		int ret = widen_host_read(&host, root);

		if (!ret && host.tree.nr_devices)
			ret = widen_host(&host, &blocked);
		if (ret < 0)
			error = ret;
		else
			windows += ret;
		widen_host_free(&host);
	}
	pci_unlock_rescan_remove();

	/* A host bridge that failed is as before; the module stays for others. */
	if (!windows && !error)
		pr_info("%s\n", blocked ? "no window grown" : "nothing to grow");
	return windows ? 0 : error;
}

static void __exit widen_exit(void)
{
	pr_info("unloaded; windows stay as they are\n");
}

module_init(widen_init);
module_exit(widen_exit);

MODULE_DESCRIPTION("Grow shared PCI bridge windows in place");
MODULE_LICENSE("GPL");
MODULE_VERSION(PEERBAR_VERSION);
