// SPDX-License-Identifier: GPL-2.0-only
/*
 * peerbar: report on bridge windows, Resizable BARs and peer-to-peer paths.
 */
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/utsname.h>

#include "peerbar.h"

static int version_build(struct peerbar_report *rep)
{
	return peerbar_add_line(rep, 0, 0) ? 0 : -ENOMEM;
}

static void version_show(struct seq_file *m, const struct peerbar_report *rep,
			 int i)
{
	seq_printf(m, "peerbar module=%s kernel=%s p2pdma=%s\n",
		   PEERBAR_VERSION, init_utsname()->release,
		   IS_ENABLED(CONFIG_PCI_P2PDMA) ? "yes" : "no");
}

const struct peerbar_file peerbar_version_file = {
	.name	= "version",
	.build	= version_build,
	.show	= version_show,
};

static int __init peerbar_init(void)
{
	return peerbar_debugfs_init();
}

static void __exit peerbar_exit(void)
{
	peerbar_debugfs_exit();
}

module_init(peerbar_init);
module_exit(peerbar_exit);

MODULE_DESCRIPTION("Read-only report on PCI bridge windows, Resizable BARs and peer-to-peer paths");
MODULE_AUTHOR("The peerbar authors");
MODULE_VERSION(PEERBAR_VERSION);
MODULE_LICENSE("GPL");
