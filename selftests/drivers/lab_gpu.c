// SPDX-License-Identifier: GPL-2.0-only
/*
 * A driver for the display functions of the lab's machines.
 *
 * It makes the calls into the PCI core that a real driver of the running
 * kernel makes to grow its memory BAR, in the same order, keeps the small BAR
 * when that fails, and then holds its BARs.  There is nothing behind the BARs,
 * so it never touches them.
 */
#define pr_fmt(fmt) "lab_gpu: " fmt

#include <linux/debugfs.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/version.h>

static char *driver = "amdgpu";
module_param(driver, charp, 0444);
MODULE_PARM_DESC(driver, "Driver to behave like: amdgpu");

static char *order = "ascending";
module_param(order, charp, 0444);
MODULE_PARM_DESC(order, "Order of addresses in which devices bind: ascending or descending");

static unsigned long vram_mb;
module_param(vram_mb, ulong, 0444);
MODULE_PARM_DESC(vram_mb, "Memory of each card in MiB; 0: as much as its BAR can show");

#define FB_BAR		0
#define DOORBELL_BAR	2
#define MMIO_BAR	5

struct lab_gpu {
	struct list_head list;
	struct pci_dev *pdev;
	struct resource held[PCI_STD_NUM_BARS];
	int bars;
};

static LIST_HEAD(gpus);
static DEFINE_MUTEX(gpus_lock);
static struct dentry *debugfs;

/* While binding in a chosen order: the one device whose turn it is. */
static struct pci_dev *turn;
static bool take_turns;

/*
 * pci_resize_resource() got the mask of BARs that must stay in 6.19 and in
 * updates of older kernels, so the version does not say which it is.
 */
typedef int (*resize_fn)(struct pci_dev *pdev, int bar, int size);
typedef int (*resize_exclude_fn)(struct pci_dev *pdev, int bar, int size,
				 int exclude_bars);

static int resize(struct pci_dev *pdev, int bar, int size, int exclude_bars)
{
	void *fn = (void *)pci_resize_resource;

	if (__builtin_types_compatible_p(typeof(&pci_resize_resource),
					 resize_exclude_fn))
		return ((resize_exclude_fn)fn)(pdev, bar, size, exclude_bars);
	return ((resize_fn)fn)(pdev, bar, size);
}

/* What a resize needs to be worth trying: a root bus window above 4 GiB. */
static bool root_has_high_window(struct pci_dev *pdev)
{
	struct pci_bus *root = pdev->bus;
	struct resource *res;
	int i;

	while (root->parent)
		root = root->parent;
	pci_bus_for_each_resource(root, res, i)
		if (res && res->flags & (IORESOURCE_MEM | IORESOURCE_MEM_64) &&
		    res->start > 0x100000000ULL)
			return true;
	return false;
}

/* amdgpu_doorbell_init(): the doorbell BAR must be there. */
static int doorbell_init(struct pci_dev *pdev)
{
	return pci_resource_flags(pdev, DOORBELL_BAR) & IORESOURCE_UNSET ?
	       -EINVAL : 0;
}

/*
 * drivers/gpu/drm/amd/amdgpu/amdgpu_device.c, amdgpu_device_resize_fb_bar(),
 * for a card from Bonaire on (doorbells in BAR 2, registers in BAR 5).  Up to
 * 6.18 the driver releases BARs 2 and 0 itself and afterwards assigns what is
 * left over; from 6.19 on it leaves both to pci_resize_resource().
 */
static int amdgpu_resize_fb_bar(struct pci_dev *pdev, u64 vram)
{
	const bool driver_releases =
		LINUX_VERSION_CODE < KERNEL_VERSION(6, 19, 0);
	u64 sizes = pci_rebar_get_possible_sizes(pdev, FB_BAR);
	int size = pci_rebar_bytes_to_size(vram);
	u16 cmd;
	int ret;

	if (vram && pci_resource_len(pdev, FB_BAR) >= vram)
		return 0;
	if (!root_has_high_window(pdev))
		return 0;

	size = min(fls64(sizes) - 1, size);

	pci_read_config_word(pdev, PCI_COMMAND, &cmd);
	pci_write_config_word(pdev, PCI_COMMAND, cmd & ~PCI_COMMAND_MEMORY);

	if (driver_releases) {
		pci_release_resource(pdev, DOORBELL_BAR);
		pci_release_resource(pdev, FB_BAR);
	}

	ret = resize(pdev, FB_BAR, size, 1 << MMIO_BAR);
	if (ret == -ENOSPC)
		pci_info(pdev, "Not enough PCI address space for a large BAR.\n");
	else if (ret && ret != -EOPNOTSUPP)
		pci_err(pdev, "Problem resizing BAR0 (%d).\n", ret);

	if (driver_releases)
		pci_assign_unassigned_bus_resources(pdev->bus);

	ret = doorbell_init(pdev);
	if (ret || pci_resource_flags(pdev, FB_BAR) & IORESOURCE_UNSET)
		return -ENODEV;

	pci_write_config_word(pdev, PCI_COMMAND, cmd);
	return 0;
}

static u64 vram_size(struct pci_dev *pdev)
{
	u64 sizes = pci_rebar_get_possible_sizes(pdev, FB_BAR);
	u64 largest;

	if (!sizes)
		return pci_resource_len(pdev, FB_BAR);
	largest = 1ULL << (fls64(sizes) - 1 + 20);
	if (!vram_mb)
		return largest;
	return (u64)vram_mb << 20;
}

/* Number of BARs that are no longer where they were when they were taken. */
static int count_moved(const struct lab_gpu *gpu)
{
	int bar, moved = 0;

	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++)
		if (gpu->bars & BIT(bar) &&
		    (gpu->held[bar].start != pci_resource_start(gpu->pdev, bar) ||
		     gpu->held[bar].end != pci_resource_end(gpu->pdev, bar)))
			moved++;
	return moved;
}

static int hold_bars(struct lab_gpu *gpu)
{
	struct pci_dev *pdev = gpu->pdev;
	int bar, ret;

	gpu->bars = pci_select_bars(pdev, IORESOURCE_MEM) &
		    (BIT(PCI_STD_NUM_BARS) - 1);
	ret = pci_request_selected_regions(pdev, gpu->bars, "lab_gpu");
	if (ret)
		return ret;
	for (bar = 0; bar < PCI_STD_NUM_BARS; bar++)
		gpu->held[bar] = pdev->resource[bar];

	mutex_lock(&gpus_lock);
	list_add_tail(&gpu->list, &gpus);
	mutex_unlock(&gpus_lock);
	return 0;
}

static int lab_gpu_probe(struct pci_dev *pdev, const struct pci_device_id *id)
{
	struct lab_gpu *gpu;
	int ret;

	if (take_turns && pdev != turn)
		return -ENODEV;

	ret = pcim_enable_device(pdev);
	if (ret)
		return ret;
	gpu = devm_kzalloc(&pdev->dev, sizeof(*gpu), GFP_KERNEL);
	if (!gpu)
		return -ENOMEM;
	gpu->pdev = pdev;
	pci_set_drvdata(pdev, gpu);

	ret = amdgpu_resize_fb_bar(pdev, vram_size(pdev));
	if (ret) {
		pci_err(pdev, "no BAR left to work with (%d)\n", ret);
		return ret;
	}
	ret = hold_bars(gpu);
	if (ret)
		return ret;
	pci_info(pdev, "BAR 0 %pR, %llu MiB\n", &pdev->resource[FB_BAR],
		 (u64)pci_resource_len(pdev, FB_BAR) >> 20);
	return 0;
}

static void lab_gpu_remove(struct pci_dev *pdev)
{
	struct lab_gpu *gpu = pci_get_drvdata(pdev);

	mutex_lock(&gpus_lock);
	list_del(&gpu->list);
	mutex_unlock(&gpus_lock);
	pci_info(pdev, "moved=%d\n", count_moved(gpu));
	pci_release_selected_regions(pdev, gpu->bars);
}

static const struct pci_device_id lab_gpu_ids[] = {
	{ PCI_DEVICE_CLASS(PCI_CLASS_DISPLAY_VGA << 8, 0xffff00) },
	{ PCI_DEVICE_CLASS(PCI_CLASS_DISPLAY_3D << 8, 0xffff00) },
	{ PCI_DEVICE_CLASS(PCI_CLASS_DISPLAY_OTHER << 8, 0xffff00) },
	{ }
};

static struct pci_driver lab_gpu_driver = {
	.name = "lab_gpu",
	.id_table = lab_gpu_ids,
	.probe = lab_gpu_probe,
	.remove = lab_gpu_remove,
	.driver.probe_type = PROBE_FORCE_SYNCHRONOUS,
};

static int held_show(struct seq_file *m, void *unused)
{
	struct lab_gpu *gpu;
	int bar, moved = 0;

	mutex_lock(&gpus_lock);
	list_for_each_entry(gpu, &gpus, list)
		moved += count_moved(gpu);
	seq_printf(m, "moved=%d\n", moved);
	list_for_each_entry(gpu, &gpus, list)
		for (bar = 0; bar < PCI_STD_NUM_BARS; bar++)
			if (gpu->bars & BIT(bar))
				seq_printf(m, "%s bar=%d start=%#llx size=%llu\n",
					   pci_name(gpu->pdev), bar,
					   (u64)gpu->held[bar].start,
					   (u64)resource_size(&gpu->held[bar]));
	mutex_unlock(&gpus_lock);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(held);

/*
 * Bind in descending order.  The driver core offers devices in ascending
 * order and the probe declines all; then each gets its turn from the end.
 */
static void bind_descending(void)
{
	struct pci_dev *pdev = NULL, **devs;
	int count = 0, i;

	for_each_pci_dev(pdev)
		count += !!pci_match_id(lab_gpu_ids, pdev);
	devs = kcalloc(count, sizeof(*devs), GFP_KERNEL);
	if (!devs)
		return;

	i = 0;
	for_each_pci_dev(pdev)
		if (i < count && pci_match_id(lab_gpu_ids, pdev))
			devs[i++] = pci_dev_get(pdev);
	while (i--) {
		turn = devs[i];
		if (device_driver_attach(&lab_gpu_driver.driver,
					 &devs[i]->dev))
			pci_dbg(devs[i], "not bound\n");
		pci_dev_put(devs[i]);
	}
	kfree(devs);
}

static int __init lab_gpu_init(void)
{
	bool descending = !strcmp(order, "descending");
	int ret;

	if (strcmp(driver, "amdgpu")) {
		pr_err("driver=%s is not known, only amdgpu\n", driver);
		return -EINVAL;
	}
	if (!descending && strcmp(order, "ascending")) {
		pr_err("order=%s is neither ascending nor descending\n", order);
		return -EINVAL;
	}

	debugfs = debugfs_create_dir("lab_gpu", NULL);
	debugfs_create_file("held", 0444, debugfs, NULL, &held_fops);

	take_turns = descending;
	ret = pci_register_driver(&lab_gpu_driver);
	if (ret) {
		debugfs_remove_recursive(debugfs);
		return ret;
	}
	if (descending)
		bind_descending();
	take_turns = false;
	return 0;
}

static void __exit lab_gpu_exit(void)
{
	pci_unregister_driver(&lab_gpu_driver);
	debugfs_remove_recursive(debugfs);
}

module_init(lab_gpu_init);
module_exit(lab_gpu_exit);

MODULE_DESCRIPTION("Lab driver that resizes and holds BARs as GPU drivers do");
MODULE_LICENSE("GPL");
