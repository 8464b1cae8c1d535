// SPDX-License-Identifier: GPL-2.0-only
/*
 * windows: every window of every bridge and host bridge, what is free in it,
 * and which devices keep it in place.
 */
#include <linux/errno.h>
#include <linux/ioport.h>
#include <linux/seq_file.h>

#include "peerbar.h"

/* Devices that a line names as pinning; more are counted only. */
#define MAX_PINNERS	4

static int add_windows(struct peerbar_report *rep, int fn, int host)
{
	const struct peerbar_snap *snap = &rep->snap;
	int i;

	for (i = 0; i < snap->n_res; i++) {
		const struct peerbar_res *res = &snap->res[i];

		if (!res->window || res->fn != fn || res->host != host)
			continue;
		if (!peerbar_add_line(rep, i, 0))
			return -ENOMEM;
	}
	return 0;
}

/* Host bridge first, then what is below it, each bridge before its children. */
static int windows_build(struct peerbar_report *rep)
{
	const struct peerbar_snap *snap = &rep->snap;
	int host, fn, err;

	for (host = 0; host < snap->n_host; host++) {
		err = add_windows(rep, PEERBAR_NONE, host);
		if (err)
			return err;
		for (fn = 0; fn < snap->n_fn; fn++) {
			if (snap->fn[fn].host != host || !snap->fn[fn].bridge)
				continue;
			err = add_windows(rep, fn, host);
			if (err)
				return err;
		}
	}
	return 0;
}

static bool fn_in_window(const struct peerbar_snap *snap, int win, int fn)
{
	int i;

	for (i = 0; i < snap->n_res; i++)
		if (snap->res[i].fn == fn && !snap->res[i].window &&
		    peerbar_holds(snap, win, i))
			return true;
	return false;
}

/*
 * A resize releases the BARs of one function and then each window that is
 * empty without them. So a window with BARs of one function only is free to
 * move, and one with BARs of more is pinned, for each of them by the others.
 */
static void print_pinners(struct seq_file *m, const struct peerbar_snap *snap,
			  int win)
{
	int fn, n = 0;

	/* A host window never moves, whoever is in it. */
	for (fn = 0; snap->res[win].fn != PEERBAR_NONE && fn < snap->n_fn; fn++)
		n += fn_in_window(snap, win, fn);
	if (n < 2) {
		seq_putc(m, '-');
		return;
	}

	n = 0;
	for (fn = 0; fn < snap->n_fn; fn++) {
		if (!fn_in_window(snap, win, fn))
			continue;
		if (n++ >= MAX_PINNERS)
			continue;
		if (n > 1)
			seq_putc(m, ',');
		peerbar_print_address(m, snap, fn);
	}
	if (n > MAX_PINNERS)
		seq_printf(m, ",+%d", n - MAX_PINNERS);
}

static void windows_show(struct seq_file *m, const struct peerbar_report *rep,
			 int i)
{
	const struct peerbar_snap *snap = &rep->snap;
	int win = rep->line[i].a;
	const struct peerbar_res *res = &snap->res[win];
	u64 used, gap;

	peerbar_space_used(snap, win, &used, &gap);
	peerbar_print_owner(m, snap, win);
	seq_printf(m, " type=%s start=%#llx end=%#llx size=",
		   peerbar_window_type(res), res->start, res->end);
	peerbar_print_size(m, peerbar_res_size(res));
	seq_puts(m, " used=");
	peerbar_print_size(m, used);
	seq_puts(m, " largest-gap=");
	peerbar_print_size(m, gap);
	seq_puts(m, " pinned-by=");
	print_pinners(m, snap, win);
	seq_putc(m, '\n');
}

const struct peerbar_file peerbar_windows_file = {
	.name	= "windows",
	.build	= windows_build,
	.show	= windows_show,
};
