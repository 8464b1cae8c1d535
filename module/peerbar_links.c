// SPDX-License-Identifier: GPL-2.0-only
/*
 * links: speed and width of every PCIe link end, and which ACS functions its
 * port has enabled.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/pci_regs.h>
#include <linux/seq_file.h>

#include "peerbar.h"

static int links_build(struct peerbar_report *rep)
{
	const struct peerbar_snap *snap = &rep->snap;
	int i;

	for (i = 0; i < snap->n_fn; i++)
		if (snap->fn[i].link.exists && !peerbar_add_line(rep, i, 0))
			return -ENOMEM;
	peerbar_sort_lines(rep);
	return 0;
}

static void print_speed(struct seq_file *m, const char *key, u8 speed)
{
	/* PCIe r6.2, sec. 7.5.3.6: codes count from 1. */
	static const char *const names[] = {
		"-", "2.5", "5.0", "8.0", "16.0", "32.0", "64.0"
	};

	seq_printf(m, " %s=%s", key,
		   speed < ARRAY_SIZE(names) ? names[speed] : "?");
}

static void print_width(struct seq_file *m, const char *key, u8 width)
{
	if (width)
		seq_printf(m, " %s=%u", key, width);
	else
		seq_printf(m, " %s=-", key);
}

static void print_acs(struct seq_file *m, const struct peerbar_fn *fn)
{
	static const struct {
		u16 bit;
		const char *name;
	} names[] = {
		{ PCI_ACS_SV, "sv" }, { PCI_ACS_TB, "tb" },
		{ PCI_ACS_RR, "rr" }, { PCI_ACS_CR, "cr" },
		{ PCI_ACS_UF, "uf" }, { PCI_ACS_EC, "ec" },
		{ PCI_ACS_DT, "dt" },
	};
	const char *sep = "";
	int i;

	seq_puts(m, " acs=");
	if (!fn->acs) {
		seq_putc(m, '-');
		return;
	}
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (!(fn->acs_ctrl & names[i].bit))
			continue;
		seq_printf(m, "%s%s", sep, names[i].name);
		sep = ",";
	}
	if (!*sep)
		seq_puts(m, "none");
}

static void links_show(struct seq_file *m, const struct peerbar_report *rep,
		       int i)
{
	int fn = rep->line[i].a;
	const struct peerbar_fn *f = &rep->snap.fn[fn];

	peerbar_print_address(m, &rep->snap, fn);
	print_speed(m, "speed", f->link.speed);
	print_speed(m, "max-speed", f->link.max_speed);
	print_speed(m, "target", f->link.target);
	print_width(m, "width", f->link.width);
	print_width(m, "max-width", f->link.max_width);
	print_acs(m, f);
	peerbar_print_state(m, f->state);
}

const struct peerbar_file peerbar_links_file = {
	.name	= "links",
	.want	= PEERBAR_WANT_LINK | PEERBAR_WANT_ACS,
	.build	= links_build,
	.show	= links_show,
};
