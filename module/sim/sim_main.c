// SPDX-License-Identifier: GPL-2.0-only
/*
 * peerbar-sim: simulated PCI hierarchies for testing resource assignment.
 *
 * Machines are described under /sys/kernel/config/peerbar-sim and watched
 * under /sys/kernel/debug/peerbar-sim. No memory is behind their BARs.
 */
#include <linux/module.h>

#include "sim.h"

static int __init sim_init(void)
{
	int ret;

	ret = sim_bus_init();
	if (ret)
		return ret;
	sim_debugfs_init();
	ret = sim_configfs_init();
	if (ret) {
		sim_debugfs_exit();
		sim_bus_exit();
	}
	return ret;
}
module_init(sim_init);

/* Every machine's folder holds a reference, so none is left here. */
static void __exit sim_exit(void)
{
	sim_configfs_exit();
	sim_debugfs_exit();
	sim_bus_exit();
}
module_exit(sim_exit);

MODULE_DESCRIPTION("Simulated PCI hierarchies for testing resource assignment");
MODULE_AUTHOR("peerbar");
MODULE_LICENSE("GPL");
