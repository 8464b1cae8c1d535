// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes the picture of the PCI tree that a file is printed from.
 *
 * Locking: the caller holds the kernel's rescan lock, so buses and bridges
 * stay. Two things move without that lock. Virtual functions come and go:
 * pci_walk_bus() takes pci_bus_sem for the walk, and a reference keeps every
 * function found. And pci_resize_resource() moves resources: they are read
 * until two readings agree. Nothing is reached through resource::child, since
 * what a driver requested below a BAR may be freed at any moment.
 */
#include <linux/ioport.h>
#include <linux/mm.h>
#include <linux/overflow.h>
#include <linux/pci.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>

#include "peerbar.h"

/* Readings of all resources before a picture is refused with -EAGAIN. */
#define PEERBAR_MAX_READINGS	16

/**
 * peerbar_grow - make room for one more element
 * @array: the array, replaced when it moves
 * @n: elements in use
 * @cap: room, updated
 * @size: bytes in one element
 *
 * Return: 0, or -ENOMEM with everything as before.
 */
int peerbar_grow(void **array, int n, int *cap, size_t size)
{
	int new_cap = *cap ? 2 * *cap : 64;
	void *bigger;

	if (n < *cap)
		return 0;

	bigger = kvcalloc(new_cap, size, GFP_KERNEL);
	if (!bigger)
		return -ENOMEM;
	if (n)
		memcpy(bigger, *array, array_size(n, size));
	kvfree(*array);
	*array = bigger;
	*cap = new_cap;
	return 0;
}

struct walk {
	struct peerbar_snap *snap;
	int host;
	int err;
};

static int find_fn(const struct peerbar_snap *snap, const struct pci_dev *pdev)
{
	int i;

	/* From the end: a bridge is asked for soon after it was added. */
	for (i = snap->n_fn - 1; pdev && i >= 0; i--)
		if (snap->fn[i].pdev == pdev)
			return i;
	return PEERBAR_NONE;
}

/*
 * The driver offers memory of the device to peers. pci_has_p2pmem() would ask
 * in addition whether it is open to all drivers, but went private in 7.x.
 */
static bool has_p2pmem(struct pci_dev *pdev)
{
#ifdef CONFIG_PCI_P2PDMA
	return rcu_access_pointer(pdev->p2pdma);
#else
	return false;
#endif
}

static int add_fn(struct pci_dev *pdev, void *data)
{
	struct walk *walk = data;
	struct peerbar_snap *snap = walk->snap;
	struct peerbar_host *host = &snap->host[walk->host];
	struct peerbar_fn *fn;

	walk->err = peerbar_grow((void **)&snap->fn, snap->n_fn,
				 &snap->cap_fn, sizeof(*snap->fn));
	if (walk->err)
		return walk->err;

	fn = &snap->fn[snap->n_fn];
	memset(fn, 0, sizeof(*fn));
	fn->pdev = pci_dev_get(pdev);
	fn->domain = pci_domain_nr(pdev->bus);
	fn->bus = pdev->bus->number;
	fn->devfn = pdev->devfn;
	fn->vendor = pdev->vendor;
	fn->device = pdev->device;
	fn->class = pdev->class;
	fn->pcie_type = pci_is_pcie(pdev) ? pci_pcie_type(pdev) : PEERBAR_NONE;
	fn->bridge = pdev->subordinate;
	fn->up = find_fn(snap, pci_upstream_bridge(pdev));
	fn->host = walk->host;
	fn->p2pmem = has_p2pmem(pdev);
	if (fn->up == PEERBAR_NONE && host->first == PEERBAR_NONE &&
	    pci_is_root_bus(pdev->bus))
		host->first = snap->n_fn;
	snap->n_fn++;
	return 0;
}

static int add_functions(struct peerbar_snap *snap)
{
	struct pci_bus *bus = NULL;
	struct walk walk = { .snap = snap };
	struct peerbar_host *host;
	int err;

	while ((bus = pci_find_next_bus(bus))) {
		err = peerbar_grow((void **)&snap->host, snap->n_host,
				   &snap->cap_host, sizeof(*snap->host));
		if (err)
			return err;
		host = &snap->host[snap->n_host];
		host->domain = pci_domain_nr(bus);
		host->bus = bus->number;
		host->first = PEERBAR_NONE;
		walk.host = snap->n_host++;
		pci_walk_bus(bus, add_fn, &walk);
		if (walk.err)
			return walk.err;
	}
	return 0;
}

static struct peerbar_res *add_res(struct peerbar_snap *snap,
				   const struct resource *r)
{
	struct peerbar_res *res;

	if (peerbar_grow((void **)&snap->res, snap->n_res, &snap->cap_res,
			 sizeof(*snap->res)))
		return NULL;

	res = &snap->res[snap->n_res++];
	/* Padding too, because whole readings are compared. */
	memset(res, 0, sizeof(*res));
	res->start = READ_ONCE(r->start);
	res->end = READ_ONCE(r->end);
	res->flags = READ_ONCE(r->flags);
	res->id = r;
	res->parent_id = READ_ONCE(r->parent);
	res->parent = PEERBAR_NONE;
	res->fn = PEERBAR_NONE;
	return res;
}

static int read_fn_resources(struct peerbar_snap *snap, int fn)
{
	struct pci_dev *pdev = snap->fn[fn].pdev;
	int i;

	for (i = 0; i < DEVICE_COUNT_RESOURCE; i++) {
		const struct resource *r = &pdev->resource[i];
		bool window = i >= PCI_BRIDGE_RESOURCES &&
			      i <= PCI_BRIDGE_RESOURCE_END;
		struct peerbar_res *res;

		if (!(READ_ONCE(r->flags) & (IORESOURCE_IO | IORESOURCE_MEM)))
			continue;
		/* A closed window is not a window; an unassigned BAR is one. */
		if (!READ_ONCE(r->parent) && (window || !resource_size(r)))
			continue;

		res = add_res(snap, r);
		if (!res)
			return -ENOMEM;
		res->fn = fn;
		res->host = snap->fn[fn].host;
		res->resno = i;
		res->window = window;
	}
	return 0;
}

static int read_host_windows(struct peerbar_snap *snap)
{
	struct pci_bus *bus = NULL;
	struct peerbar_res *res;
	struct resource *r;
	int host = 0, i;

	while ((bus = pci_find_next_bus(bus))) {
		pci_bus_for_each_resource(bus, r, i) {
			if (!r || resource_type(r) == IORESOURCE_BUS)
				continue;
			res = add_res(snap, r);
			if (!res)
				return -ENOMEM;
			res->host = host;
			res->window = true;
		}
		host++;
	}
	return 0;
}

static int read_resources(struct peerbar_snap *snap)
{
	int i, err;

	snap->n_res = 0;
	err = read_host_windows(snap);
	for (i = 0; !err && i < snap->n_fn; i++)
		err = read_fn_resources(snap, i);
	return err;
}

static bool same_reading(const struct peerbar_snap *a,
			 const struct peerbar_snap *b)
{
	return a->n_res == b->n_res &&
	       !memcmp(a->res, b->res, array_size(a->n_res, sizeof(*a->res)));
}

static int read_settled_resources(struct peerbar_snap *snap)
{
	struct peerbar_snap other = *snap;
	int i, err;

	other.res = NULL;
	other.n_res = 0;
	other.cap_res = 0;

	err = read_resources(snap);
	for (i = 0; !err && i < PEERBAR_MAX_READINGS; i++) {
		err = read_resources(&other);
		if (err || same_reading(snap, &other))
			break;
		swap(snap->res, other.res);
		swap(snap->n_res, other.n_res);
		swap(snap->cap_res, other.cap_res);
		cond_resched();
	}
	if (i == PEERBAR_MAX_READINGS)
		err = -EAGAIN;

	kvfree(other.res);
	return err;
}

static int find_parent(const struct peerbar_snap *snap, int res)
{
	const struct peerbar_res *r = &snap->res[res];
	int i, found = PEERBAR_NONE;

	/*
	 * Host bridges without windows of their own share ioport_resource and
	 * iomem_resource: take the entry of the same host bridge.
	 */
	for (i = 0; r->parent_id && i < snap->n_res; i++) {
		if (!snap->res[i].window || snap->res[i].id != r->parent_id)
			continue;
		found = i;
		if (snap->res[i].host == r->host)
			break;
	}
	return found;
}

static int add_busy(struct resource *r, void *data)
{
	struct peerbar_snap *snap = data;

	if (peerbar_grow((void **)&snap->busy, snap->n_busy, &snap->cap_busy,
			 sizeof(*snap->busy)))
		return -ENOMEM;
	snap->busy[snap->n_busy].start = r->start;
	snap->busy[snap->n_busy].end = r->end;
	snap->n_busy++;
	return 0;
}

/*
 * What else lives in the host windows. The walk sees requested ranges only;
 * a range that firmware reserved without marking it busy counts as free.
 */
static int add_busy_ranges(struct peerbar_snap *snap)
{
	struct peerbar_range gap;
	u64 pos;
	int i;

	for (i = 0; i < snap->n_res; i++) {
		const struct peerbar_res *res = &snap->res[i];

		if (res->fn != PEERBAR_NONE || !(res->flags & IORESOURCE_MEM))
			continue;
		pos = res->start;
		while (peerbar_next_gap(snap, i, PEERBAR_NONE, PEERBAR_NONE,
					&pos, &gap))
			if (walk_iomem_res_desc(IORES_DESC_NONE,
						IORESOURCE_MEM | IORESOURCE_BUSY,
						gap.start, gap.end, snap,
						add_busy) == -ENOMEM)
				return -ENOMEM;
	}
	return 0;
}

/**
 * peerbar_snap_take - take the picture
 * @snap: all zero; to be given to peerbar_snap_put_devices() under the same
 *	lock and to peerbar_snap_free(), also after an error
 * @want: PEERBAR_WANT_*, what to read from configuration space
 *
 * Context: process context, the caller holds pci_lock_rescan_remove().
 * Return: 0, -ENOMEM, or -EAGAIN when resources never stood still.
 */
int peerbar_snap_take(struct peerbar_snap *snap, unsigned int want)
{
	int i, err;

	err = add_functions(snap);
	if (!err)
		err = read_settled_resources(snap);
	if (err)
		return err;

	for (i = 0; i < snap->n_res; i++)
		snap->res[i].parent = find_parent(snap, i);
	err = add_busy_ranges(snap);
	if (err)
		return err;

	for (i = 0; want && i < snap->n_fn; i++)
		peerbar_read_config(&snap->fn[i], want);
	return 0;
}

/**
 * peerbar_snap_put_devices - drop the references to devices
 * @snap: the picture; its numbers stay
 *
 * Context: process context, the caller holds pci_lock_rescan_remove().
 */
void peerbar_snap_put_devices(struct peerbar_snap *snap)
{
	int i;

	for (i = 0; i < snap->n_fn; i++) {
		pci_dev_put(snap->fn[i].pdev);
		snap->fn[i].pdev = NULL;
	}
}

/**
 * peerbar_snap_free - free the picture and make it all zero
 * @snap: the picture
 */
void peerbar_snap_free(struct peerbar_snap *snap)
{
	kvfree(snap->fn);
	kvfree(snap->res);
	kvfree(snap->host);
	kvfree(snap->busy);
	memset(snap, 0, sizeof(*snap));
}
