// SPDX-License-Identifier: GPL-2.0-only
/*
 * How values are written: addresses as lspci -D, sizes binary without
 * fraction.
 */
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/seq_file.h>

#include "peerbar.h"

/**
 * peerbar_print_size - print a size
 * @m: file
 * @bytes: size, printed in the largest of T, G, M and K that leaves no rest,
 *	or as plain bytes
 */
void peerbar_print_size(struct seq_file *m, u64 bytes)
{
	static const char units[] = "KMGT";
	int unit = -1;

	while (bytes && !(bytes & 1023) && unit < 3) {
		bytes >>= 10;
		unit++;
	}
	seq_printf(m, "%llu", bytes);
	if (unit >= 0)
		seq_putc(m, units[unit]);
}

/**
 * peerbar_print_address - print the address of a function
 * @m: file
 * @snap: the picture
 * @fn: index of the function
 */
void peerbar_print_address(struct seq_file *m, const struct peerbar_snap *snap,
			   int fn)
{
	const struct peerbar_fn *f = &snap->fn[fn];

	seq_printf(m, "%04x:%02x:%02x.%x", f->domain, f->bus,
		   PCI_SLOT(f->devfn), PCI_FUNC(f->devfn));
}

/**
 * peerbar_print_owner - print what a resource belongs to
 * @m: file
 * @snap: the picture
 * @res: index of the resource; PEERBAR_NONE prints "-"
 *
 * A host bridge is called by domain and root bus, such as 0000:00.
 */
void peerbar_print_owner(struct seq_file *m, const struct peerbar_snap *snap,
			 int res)
{
	const struct peerbar_host *host;

	if (res == PEERBAR_NONE) {
		seq_putc(m, '-');
		return;
	}
	if (snap->res[res].fn != PEERBAR_NONE) {
		peerbar_print_address(m, snap, snap->res[res].fn);
		return;
	}
	host = &snap->host[snap->res[res].host];
	seq_printf(m, "%04x:%02x", host->domain, host->bus);
}

/**
 * peerbar_print_state - say that a function could not be read, and end the line
 * @m: file
 * @state: the state; nothing is said when the function was present
 */
void peerbar_print_state(struct seq_file *m, enum peerbar_state state)
{
	if (state == PEERBAR_ASLEEP)
		seq_puts(m, " state=asleep");
	else if (state == PEERBAR_LOST)
		seq_puts(m, " state=lost");
	seq_putc(m, '\n');
}
