/* SPDX-License-Identifier: GPL-2.0-only */
/* A machine that the PCI core sees: what the kernel side's files share. */
#ifndef PEERBAR_SIM_H
#define PEERBAR_SIM_H

#include <linux/spinlock.h>

#include "sim_model.h"

struct dentry;
struct pci_dev;
struct sim_root;

struct sim_device {
	const char *name;
	struct sim_machine *machine;
	struct sim_root **roots;	/* one for each host bridge */
	struct pci_dev **users;		/* by function, as the kernel has them */
	struct dentry *debugfs;
};

/* sim_bus.c */
int sim_device_start(struct sim_device *d);
void sim_device_stop(struct sim_device *d);
int sim_bus_init(void);
void sim_bus_exit(void);

/*
 * Serialises configuration cycles and with them everything inside a machine
 * that runs: x86 does not take pci_lock around its accessors.
 */
extern raw_spinlock_t sim_config_lock;

/* sim_debugfs.c */
void sim_debugfs_init(void);
void sim_debugfs_exit(void);
void sim_debugfs_add(struct sim_device *d);

/* sim_configfs.c */
int sim_configfs_init(void);
void sim_configfs_exit(void);

#endif
