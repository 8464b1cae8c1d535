// SPDX-License-Identifier: GPL-2.0-only
/*
 * Host bridge glue: presents a machine's host bridges to the PCI core, with
 * exported symbols only, so that any distribution's kernel will do.
 *
 * On x86 the arch code takes bus->sysdata for a struct pci_sysdata and reads
 * domain, node and companion from it, so each host bridge has its own.
 */
#define pr_fmt(fmt) "peerbar-sim: " fmt

#include <linux/debugfs.h>
#include <linux/ioport.h>
#include <linux/nodemask.h>
#include <linux/numa.h>
#include <linux/pci.h>
#include <linux/slab.h>

#include <asm/pci.h>

#include "sim.h"

DEFINE_RAW_SPINLOCK(sim_config_lock);

/* Lives in the host bridge's private part, as long as its devices do. */
struct sim_root {
	struct pci_sysdata sysdata;
	struct pci_host_bridge *bridge;
	struct sim_host *host;		/* NULL once the machine is gone */
	struct sim_device *device;
	bool scanned;			/* bridge->bus is ours to remove */
	struct resource buses;
	u32 requested;			/* windows held in the resource tree */
	struct resource windows[SIM_HOST_WINDOWS];
	char names[SIM_HOST_WINDOWS][24];
};

static struct sim_root *root_of_bus(const struct pci_bus *bus)
{
	return container_of(bus->sysdata, struct sim_root, sysdata);
}

static int config_read(struct pci_bus *bus, unsigned int devfn, int where,
		       int size, u32 *value)
{
	struct sim_root *root = root_of_bus(bus);
	unsigned long flags;

	*value = ~0U;
	raw_spin_lock_irqsave(&sim_config_lock, flags);
	if (root->host)
		*value = sim_config_read(root->host, bus->number, devfn,
					 where, size);
	raw_spin_unlock_irqrestore(&sim_config_lock, flags);
	return PCIBIOS_SUCCESSFUL;
}

static int config_write(struct pci_bus *bus, unsigned int devfn, int where,
			int size, u32 value)
{
	struct sim_root *root = root_of_bus(bus);
	unsigned long flags;

	raw_spin_lock_irqsave(&sim_config_lock, flags);
	if (root->host)
		sim_config_write(root->host, bus->number, devfn, where, size,
				 value);
	raw_spin_unlock_irqrestore(&sim_config_lock, flags);
	return PCIBIOS_SUCCESSFUL;
}

static struct pci_ops sim_pci_ops = {
	.read = config_read,
	.write = config_write,
};

/* ---- which functions are in use ----------------------------------------- */

/*
 * The PCI core closes windows for a moment while it sets up bridges ("this
 * temporarily disables PREF range, which is ok", setup-bus.c) and turns off
 * decode in bridges while it sizes their BARs. It may do so as long as it
 * has not handed out the functions below. pci_bus_add_device() does that;
 * the entry in /proc/bus/pci is the visible sign, made just before drivers
 * may bind and taken away after they were released.
 */
static bool function_in_use(void *context, u32 index)
{
	const struct sim_device *d = context;
	const struct pci_dev *pdev = d->users[index];

	if (!pdev)
		return false;
	return pdev->procent || pdev->dev.driver;
}

static void add_user(struct sim_root *root, struct pci_dev *pdev)
{
	const struct sim_function *f;

	f = sim_route_config(root->host, pdev->bus->number, pdev->devfn);
	if (f)
		root->device->users[f->index] = pdev;
}

/* Not by its address: bus numbers may have changed since it was added. */
static void remove_user(struct sim_root *root, const struct pci_dev *pdev)
{
	struct sim_device *d = root->device;
	u32 i;

	for (i = 0; i < d->machine->nfunctions; i++)
		if (d->users[i] == pdev)
			d->users[i] = NULL;
}

static int note_device(struct notifier_block *nb, unsigned long action,
		       void *data)
{
	struct pci_dev *pdev = to_pci_dev(data);
	struct sim_root *root;
	unsigned long flags;

	if (pdev->bus->ops != &sim_pci_ops)
		return NOTIFY_DONE;
	root = root_of_bus(pdev->bus);
	raw_spin_lock_irqsave(&sim_config_lock, flags);
	if (root->host && action == BUS_NOTIFY_ADD_DEVICE)
		add_user(root, pdev);
	else if (root->host && action == BUS_NOTIFY_DEL_DEVICE)
		remove_user(root, pdev);
	raw_spin_unlock_irqrestore(&sim_config_lock, flags);
	return NOTIFY_DONE;
}

static struct notifier_block sim_notifier = {
	.notifier_call = note_device,
};

/**
 * sim_bus_init - start watching which functions the kernel uses
 *
 * Return: 0 or a negative error.
 */
int sim_bus_init(void)
{
	return bus_register_notifier(&pci_bus_type, &sim_notifier);
}

/**
 * sim_bus_exit - stop watching
 */
void sim_bus_exit(void)
{
	bus_unregister_notifier(&pci_bus_type, &sim_notifier);
}

/* ---- windows ----------------------------------------------------------- */

static unsigned long window_flags(enum sim_space space)
{
	unsigned long flags = IORESOURCE_WINDOW;

	if (space == SIM_SPACE_IO)
		return flags | IORESOURCE_IO;
	flags |= IORESOURCE_MEM;
	if (sim_space_is_prefetchable(space))
		flags |= IORESOURCE_PREFETCH;
	if (sim_space_is_64(space))
		flags |= IORESOURCE_MEM_64;
	return flags;
}

static int request_window(struct sim_root *root, u32 i, const char *machine)
{
	const struct sim_host_desc *h = &root->host->desc;
	const struct sim_host_window_desc *w = &h->windows[i];
	bool io = w->space == SIM_SPACE_IO;
	struct resource *parent = io ? &ioport_resource : &iomem_resource;
	struct resource *res = &root->windows[i];

	snprintf(root->names[i], sizeof(root->names[i]), "PCI Bus %04x:%02x",
		 h->domain, h->bus_start);
	res->name = root->names[i];
	res->start = w->range.start;
	res->end = w->range.end;
	res->flags = window_flags(w->space);
	if (request_resource(parent, res)) {
		pr_err("%s: host bridge %04x:%02x: window %pR is not free in /proc/%s or beyond its end %pa; choose another range\n",
		       machine, h->domain, h->bus_start, res,
		       io ? "ioports" : "iomem", &parent->end);
		return -EBUSY;
	}
	root->requested++;
	pci_add_resource(&root->bridge->windows, res);
	return 0;
}

static void release_windows(struct sim_root *root)
{
	while (root->requested)
		release_resource(&root->windows[--root->requested]);
}

/* ---- one host bridge ---------------------------------------------------- */

static bool buses_taken(const struct sim_host_desc *h)
{
	struct pci_bus *bus = NULL;

	while ((bus = pci_find_next_bus(bus)))
		if (pci_domain_nr(bus) == h->domain &&
		    bus->busn_res.start <= h->bus_end &&
		    h->bus_start <= bus->busn_res.end)
			return true;
	return false;
}

/*
 * Memory is allocated near the device, and setting up its interrupts follows
 * the node to its CPUs without a check (assign_irq_vector_any_locked()), so
 * a node that the guest does not have must not get there.
 */
static int usable_node(const struct sim_device *d, int node)
{
	if (node >= 0 && node < MAX_NUMNODES && node_online(node))
		return node;
	if (node > 0)
		pr_info("%s: no node %d in this system, its host bridge has none\n",
			d->name, node);
	return NUMA_NO_NODE;
}

static struct sim_root *create_root(struct sim_device *d,
				    struct sim_host *host)
{
	const struct sim_host_desc *h = &host->desc;
	struct pci_host_bridge *bridge;
	struct sim_root *root;
	int ret;
	u32 i;

	if (buses_taken(h)) {
		pr_err("%s: host bridge %04x:%02x: the kernel already has a root bus within %02x-%02x of domain %04x; choose another domain\n",
		       d->name, h->domain, h->bus_start, h->bus_start,
		       h->bus_end, h->domain);
		return ERR_PTR(-EBUSY);
	}

	bridge = pci_alloc_host_bridge(sizeof(*root));
	if (!bridge)
		return ERR_PTR(-ENOMEM);
	root = pci_host_bridge_priv(bridge);
	root->bridge = bridge;
	root->host = host;
	root->device = d;
	root->sysdata.domain = h->domain;
	root->sysdata.node = usable_node(d, h->node);
	root->buses.name = "peerbar-sim buses";
	root->buses.start = h->bus_start;
	root->buses.end = h->bus_end;
	root->buses.flags = IORESOURCE_BUS;
	bridge->sysdata = &root->sysdata;
	bridge->ops = &sim_pci_ops;
	pci_add_resource(&bridge->windows, &root->buses);

	for (i = 0; i < h->nwindows; i++) {
		ret = request_window(root, i, d->name);
		if (ret) {
			release_windows(root);
			pci_free_host_bridge(bridge);
			return ERR_PTR(ret);
		}
	}
	return root;
}

/*
 * What ACPI's root bridge driver does where firmware has set things up:
 * scan, claim what is there, assign the rest, then let drivers bind.
 */
static int scan_preset(struct sim_root *root)
{
	struct pci_bus *bus, *child;
	int ret;

	pci_lock_rescan_remove();
	ret = pci_scan_root_bus_bridge(root->bridge);
	if (!ret) {
		root->scanned = true;
		bus = root->bridge->bus;
		pci_bus_claim_resources(bus);
		pci_assign_unassigned_bus_resources(bus);
		list_for_each_entry(child, &bus->children, node)
			pcie_bus_configure_settings(child);
		pci_bus_add_devices(bus);
	}
	pci_unlock_rescan_remove();
	return ret;
}

/* Where nothing was preset: the short form that assigns everything. */
static int scan_blank(struct sim_root *root)
{
	int ret = pci_host_probe(root->bridge);

	root->scanned = !ret;
	return ret;
}

static void remove_root(struct sim_root *root)
{
	struct pci_host_bridge *bridge = root->bridge;
	unsigned long flags;

	if (root->scanned) {
		pci_lock_rescan_remove();
		pci_stop_root_bus(bridge->bus);
		pci_remove_root_bus(bridge->bus);
		pci_unlock_rescan_remove();
	}
	raw_spin_lock_irqsave(&sim_config_lock, flags);
	root->host = NULL;
	raw_spin_unlock_irqrestore(&sim_config_lock, flags);
	release_windows(root);
	pci_free_host_bridge(bridge);
}

/* ---- the machine -------------------------------------------------------- */

static void remove_roots(struct sim_device *d, u32 count)
{
	while (count)
		remove_root(d->roots[--count]);
	kfree(d->roots);
	kvfree(d->users);
	d->roots = NULL;
	d->users = NULL;
}

/**
 * sim_device_start - let the PCI core see a machine
 * @d: the machine, with its name and model
 *
 * Return: 0, or a negative error with nothing left behind: -EBUSY if bus
 * numbers or a host window are taken.
 */
int sim_device_start(struct sim_device *d)
{
	struct sim_machine *m = d->machine;
	u32 i;
	int ret = 0;

	d->roots = kcalloc(m->nhosts, sizeof(*d->roots), GFP_KERNEL);
	d->users = kvcalloc(m->nfunctions + 1, sizeof(*d->users), GFP_KERNEL);
	if (!d->roots || !d->users) {
		remove_roots(d, 0);
		return -ENOMEM;
	}
	sim_oracle_set_in_use(m->oracle, function_in_use, d);
	for (i = 0; i < m->nhosts; i++) {
		d->roots[i] = create_root(d, &m->hosts[i]);
		if (IS_ERR(d->roots[i])) {
			ret = PTR_ERR(d->roots[i]);
			remove_roots(d, i);
			return ret;
		}
	}
	sim_debugfs_add(d);
	for (i = 0; i < m->nhosts && !ret; i++)
		ret = m->preset ? scan_preset(d->roots[i]) :
				  scan_blank(d->roots[i]);
	if (ret) {
		pr_err("%s: host bridge %04x:%02x: scan failed: %d\n",
		       d->name, m->hosts[i - 1].desc.domain,
		       m->hosts[i - 1].desc.bus_start, ret);
		sim_device_stop(d);
		return ret;
	}
	pr_info("%s: %u functions behind %u host bridges\n", d->name,
		m->nfunctions, m->nhosts);
	return 0;
}

/**
 * sim_device_stop - take a machine away from the PCI core
 * @d: the machine; its model may be freed afterwards
 */
void sim_device_stop(struct sim_device *d)
{
	debugfs_remove_recursive(d->debugfs);
	d->debugfs = NULL;
	remove_roots(d, d->machine->nhosts);
}
