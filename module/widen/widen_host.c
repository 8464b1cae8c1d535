// SPDX-License-Identifier: GPL-2.0-only
/*
 * Read what is below a host bridge into the planner's numbers.
 *
 * The resource tree says what lies where, and only it knows of things that
 * are no PCI device; the devices say which of it a resize will release.
 */
#include <linux/slab.h>

#include "widen.h"

/*
 * Functions whose drivers resize a BAR: displays and processing accelerators
 * (PCI Code and ID Assignment Specification 1.4, base class 12h).
 */
static bool is_card(const struct pci_dev *dev)
{
	u32 base = dev->class >> 16;

	return base == PCI_BASE_CLASS_DISPLAY || base == 0x12;
}

static bool is_window(int bar)
{
	return bar >= PCI_BRIDGE_RESOURCES && bar <= PCI_BRIDGE_RESOURCE_END;
}

static bool is_assigned_memory(const struct resource *res)
{
	return res->parent && res->flags & IORESOURCE_MEM &&
	       !(res->flags & IORESOURCE_UNSET);
}

/*
 * A window may grow if its bridge answers, decodes memory now, and has 64-bit
 * prefetchable registers.
 */
static bool can_grow(struct pci_dev *bridge, int bar)
{
	const struct resource *res = &bridge->resource[bar];
	u16 command;

	if (bar != PCI_BRIDGE_PREF_MEM_WINDOW ||
	    !(res->flags & IORESOURCE_PREFETCH) ||
	    !(res->flags & IORESOURCE_MEM_64))
		return false;
	if (!pci_device_is_present(bridge))
		return false;
	pci_read_config_word(bridge, PCI_COMMAND, &command);
	return command != 0xffff && command & PCI_COMMAND_MEMORY;
}

static s32 find_window(const struct widen_host *host, const struct resource *res)
{
	s32 i;

	for (i = 0; i < host->tree.nr_windows; i++)
		if (host->window_owners[i].res == res)
			return i;
	return WIDEN_NONE;
}

static bool is_claim(const struct widen_host *host, const struct resource *res)
{
	s32 i;

	for (i = 0; i < host->tree.nr_claims; i++)
		if (host->claim_owners[i].res == res)
			return true;
	return false;
}

static s32 add_window(struct widen_host *host, struct resource *res, s32 parent,
		      struct pci_dev *dev, int bar)
{
	s32 i = host->tree.nr_windows;

	if (i == host->max_windows) {
		host->failed = true;
		return 0;
	}
	host->tree.windows[i] = (struct widen_window){
		.parent = parent,
		.grows = dev && can_grow(dev, bar),
		.placed = true,
		.start = res->start,
		.end = res->end,
	};
	host->window_owners[i] = (struct widen_owner){ res, dev, bar };
	host->tree.nr_windows++;
	return i;
}

/*
 * The window that a resource is in.  One that belongs to no bridge below this
 * root is a host bridge window, or was put between by firmware's tables; it
 * stays as it is either way.
 */
static s32 parent_window(struct widen_host *host, struct resource *res)
{
	s32 w = find_window(host, res->parent);

	if (w != WIDEN_NONE)
		return w;
	return add_window(host, res->parent, WIDEN_NONE, NULL, 0);
}

static s32 add_claim(struct widen_host *host, struct resource *res, s32 window,
		     struct pci_dev *dev, int bar)
{
	s32 i = host->tree.nr_claims;

	if (i == host->max_claims) {
		host->failed = true;
		return WIDEN_NONE;
	}
	host->tree.claims[i] = (struct widen_claim){
		.window = window,
		.device = WIDEN_NONE,
		.placed = true,
		.start = res->start,
		.end = res->end,
		.later = resource_size(res),
	};
	host->claim_owners[i] = (struct widen_owner){ res, dev, bar };
	host->tree.nr_claims++;
	return i;
}

/*
 * The BAR that a driver is going to resize: the one that can become largest.
 * Drivers resize the BAR of the memory and leave others as they are.
 */
static int bar_to_resize(struct pci_dev *dev, u64 *size)
{
	int bar, best = -1;

	*size = 0;
	if (!is_card(dev) || !pci_device_is_present(dev))
		return -1;
	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++) {
		const struct resource *res = &dev->resource[bar];
		u64 sizes;

		if (!is_assigned_memory(res) ||
		    !(res->flags & IORESOURCE_MEM_64) ||
		    !(res->flags & IORESOURCE_PREFETCH))
			continue;
		/* Bit n stands for 2^n MiB. */
		sizes = pci_rebar_get_possible_sizes(dev, bar);
		if (!sizes || 1ULL << (fls64(sizes) - 1 + 20) <= *size)
			continue;
		*size = 1ULL << (fls64(sizes) - 1 + 20);
		best = bar;
	}
	if (best >= 0 && *size <= resource_size(&dev->resource[best]))
		return -1;
	return best;
}

static void add_device(struct widen_host *host, struct pci_dev *dev)
{
	s32 first = host->tree.nr_claims, claim, window = WIDEN_NONE;
	int bar, resized;
	u64 size;

	resized = bar_to_resize(dev, &size);
	for (bar = 0; bar < PCI_NUM_RESOURCES; bar++) {
		struct resource *res = &dev->resource[bar];

		if (is_window(bar) || !is_assigned_memory(res))
			continue;
		claim = add_claim(host, res, parent_window(host, res), dev, bar);
		if (claim == WIDEN_NONE || bar != resized)
			continue;
		host->tree.claims[claim].resized = true;
		host->tree.claims[claim].later = size;
		window = host->tree.claims[claim].window;
	}
	if (window == WIDEN_NONE)
		return;

	/* The kernel releases the device's other BARs in that window too. */
	for (claim = first; claim < host->tree.nr_claims; claim++)
		if (host->tree.claims[claim].window == window &&
		    host->claim_owners[claim].bar < PCI_STD_NUM_BARS)
			host->tree.claims[claim].device = host->tree.nr_devices;
	host->tree.nr_devices++;
}

static void add_bus(struct widen_host *host, struct pci_bus *bus)
{
	struct pci_dev *dev;
	int bar;

	list_for_each_entry(dev, &bus->devices, bus_list) {
		add_device(host, dev);
		for (bar = PCI_BRIDGE_RESOURCES;
		     dev->subordinate && bar <= PCI_BRIDGE_RESOURCE_END; bar++) {
			struct resource *res = &dev->resource[bar];

			if (is_assigned_memory(res))
				add_window(host, res, parent_window(host, res),
					   dev, bar);
		}
		if (dev->subordinate)
			add_bus(host, dev->subordinate);
	}
}

/* Whatever else lies in a window: nothing that a resize would move. */
static void add_others(struct widen_host *host)
{
	struct resource *child;
	s32 w;

	for (w = 0; w < host->tree.nr_windows; w++) {
		struct resource *res = host->window_owners[w].res;

		for (child = res->child; child; child = child->sibling)
			if (find_window(host, child) == WIDEN_NONE &&
			    !is_claim(host, child))
				add_claim(host, child, w, NULL, 0);
	}
}

static void count_bus(struct pci_bus *bus, s32 *windows, s32 *claims)
{
	struct pci_dev *dev;

	list_for_each_entry(dev, &bus->devices, bus_list) {
		*claims += PCI_NUM_RESOURCES;
		if (!dev->subordinate)
			continue;
		*windows += PCI_BRIDGE_RESOURCE_NUM;
		count_bus(dev->subordinate, windows, claims);
	}
}

/**
 * widen_host_free() - give back what widen_host_read() took
 * @host: host to empty
 */
void widen_host_free(struct widen_host *host)
{
	kvfree(host->tree.windows);
	kvfree(host->tree.claims);
	kvfree(host->window_owners);
	kvfree(host->claim_owners);
	*host = (struct widen_host){ };
}

/**
 * widen_host_read() - read all windows and claims below a root bus
 * @host: what to fill
 * @root: root bus, under pci_lock_rescan_remove()
 *
 * Return: 0, or a negative error and nothing to free.
 */
int widen_host_read(struct widen_host *host, struct pci_bus *root)
{
	struct resource *res;
	int i;

	*host = (struct widen_host){ .root = root };
	/* Room for host windows and for what is no PCI device. */
	host->max_windows = 64;
	host->max_claims = 256;
	count_bus(root, &host->max_windows, &host->max_claims);

	host->tree.windows = kvcalloc(host->max_windows,
				      sizeof(*host->tree.windows), GFP_KERNEL);
	host->tree.claims = kvcalloc(host->max_claims,
				     sizeof(*host->tree.claims), GFP_KERNEL);
	host->window_owners = kvcalloc(host->max_windows,
				       sizeof(*host->window_owners), GFP_KERNEL);
	host->claim_owners = kvcalloc(host->max_claims,
				      sizeof(*host->claim_owners), GFP_KERNEL);
	if (!host->tree.windows || !host->tree.claims ||
	    !host->window_owners || !host->claim_owners) {
		widen_host_free(host);
		return -ENOMEM;
	}

	pci_bus_for_each_resource(root, res, i)
		if (res && res->flags & IORESOURCE_MEM)
			add_window(host, res, WIDEN_NONE, NULL, 0);
	add_bus(host, root);
	add_others(host);
	if (host->failed) {
		widen_host_free(host);
		return -E2BIG;
	}
	return 0;
}
