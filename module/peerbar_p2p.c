// SPDX-License-Identifier: GPL-2.0-only
/*
 * p2p: what this kernel answers for each ordered pair of possible peers, and
 * why.
 */
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/pci.h>
#include <linux/pci-p2pdma.h>
#include <linux/seq_file.h>

#include "peerbar.h"

enum verdict {
	VERDICT_UNKNOWN,
	VERDICT_REFUSED,
	VERDICT_ALLOWED,
};

static bool is_peer(const struct peerbar_fn *fn)
{
	return peerbar_is_gpu(fn) || fn->p2pmem;
}

static int ask_kernel(const struct peerbar_snap *snap, int provider, int client)
{
	struct device *dev = &snap->fn[client].pdev->dev;

	return pci_p2pdma_distance_many(snap->fn[provider].pdev, &dev, 1,
					false);
}

static int nth_on_root_bus(const struct peerbar_snap *snap, int host, int n)
{
	int i;

	for (i = 0; i < snap->n_fn; i++)
		if (snap->fn[i].host == host &&
		    snap->fn[i].up == PEERBAR_NONE && !n--)
			return i;
	return PEERBAR_NONE;
}

/*
 * Whether the kernel lets peers through these host bridges, asked about two
 * functions on the root buses themselves: they have no port in common, so the
 * answer is the whitelist's and nothing is logged.
 */
static enum verdict ask_roots(const struct peerbar_snap *snap, int host_a,
			      int host_b)
{
	int a = nth_on_root_bus(snap, host_a, 0);
	int b = nth_on_root_bus(snap, host_b, host_a == host_b);

	if (a == PEERBAR_NONE || b == PEERBAR_NONE)
		return VERDICT_UNKNOWN;
	return ask_kernel(snap, a, b) < 0 ? VERDICT_REFUSED : VERDICT_ALLOWED;
}

static enum peerbar_reason why_refused(const struct peerbar_snap *snap,
				       const struct peerbar_path *path,
				       int host_a, int host_b)
{
	if (path->common != PEERBAR_NONE)
		return path->n_acs ? PEERBAR_REASON_ACS_REDIRECT :
				     PEERBAR_REASON_REFUSED;
	if (peerbar_root_device(snap, host_a) == PEERBAR_NONE ||
	    peerbar_root_device(snap, host_b) == PEERBAR_NONE)
		return PEERBAR_REASON_NO_ROOT_DEVICE;
	if (host_a != host_b &&
	    ask_roots(snap, host_a, host_a) != VERDICT_REFUSED &&
	    ask_roots(snap, host_b, host_b) != VERDICT_REFUSED)
		return PEERBAR_REASON_DIFFERENT_HOST_BRIDGES;
	return PEERBAR_REASON_ROOT_NOT_WHITELISTED;
}

static void judge_by_kernel(const struct peerbar_snap *snap,
			    const struct peerbar_path *path,
			    struct peerbar_line *line)
{
	int host_a = snap->fn[line->a].host;
	int host_b = snap->fn[line->b].host;
	bool redirected = path->common != PEERBAR_NONE && path->n_acs;

	/*
	 * The kernel logs a line each time it refuses a redirected pair. Its
	 * answer is known when its roots refuse, so do not fill the log.
	 */
	if (redirected && ask_roots(snap, host_a, host_b) == VERDICT_REFUSED)
		line->distance = -1;
	else
		line->distance = ask_kernel(snap, line->a, line->b);

	if (line->distance < 0) {
		line->route = PEERBAR_ROUTE_NONE;
		line->reason = why_refused(snap, path, host_a, host_b);
	} else if (redirected) {
		line->route = PEERBAR_ROUTE_ROOT;
		line->reason = PEERBAR_REASON_ACS_REDIRECT;
	} else if (path->common == PEERBAR_NONE) {
		line->route = PEERBAR_ROUTE_ROOT;
	} else {
		line->route = PEERBAR_ROUTE_SWITCH;
	}
}

static void judge(const struct peerbar_snap *snap, struct peerbar_line *line)
{
	enum peerbar_state a = snap->fn[line->a].state;
	enum peerbar_state b = snap->fn[line->b].state;
	struct peerbar_path path;

	peerbar_path(snap, line->a, line->b, &path);
	line->distance = -1;

	if (a == PEERBAR_LOST || b == PEERBAR_LOST) {
		line->reason = PEERBAR_REASON_LOST;
	} else if (a == PEERBAR_ASLEEP || b == PEERBAR_ASLEEP) {
		/* ACS control of a sleeping port is not to be read. */
		line->reason = PEERBAR_REASON_ASLEEP;
	} else if (!IS_ENABLED(CONFIG_PCI_P2PDMA)) {
		line->reason = PEERBAR_REASON_P2PDMA_OFF;
		line->route = path.common != PEERBAR_NONE && !path.n_acs ?
			      PEERBAR_ROUTE_SWITCH : PEERBAR_ROUTE_ROOT;
	} else {
		judge_by_kernel(snap, &path, line);
	}
}

static int p2p_build(struct peerbar_report *rep)
{
	const struct peerbar_snap *snap = &rep->snap;
	struct peerbar_line *line;
	int a, b;

	for (a = 0; a < snap->n_fn; a++) {
		if (!is_peer(&snap->fn[a]))
			continue;
		for (b = 0; b < snap->n_fn; b++) {
			if (a == b || !is_peer(&snap->fn[b]))
				continue;
			line = peerbar_add_line(rep, a, b);
			if (!line)
				return -ENOMEM;
			judge(snap, line);
		}
		cond_resched();
	}
	peerbar_sort_lines(rep);
	return 0;
}

static void print_root(struct seq_file *m, const struct peerbar_snap *snap,
		       int host)
{
	int root = peerbar_root_device(snap, host);

	if (root == PEERBAR_NONE)
		seq_putc(m, '-');
	else
		seq_printf(m, "%04x:%04x", snap->fn[root].vendor,
			   snap->fn[root].device);
}

static void print_roots(struct seq_file *m, const struct peerbar_snap *snap,
			int host_a, int host_b)
{
	seq_puts(m, " root=");
	print_root(m, snap, host_a);
	if (host_a == host_b)
		return;
	seq_putc(m, ',');
	print_root(m, snap, host_b);
}

static void print_acs_ports(struct seq_file *m, const struct peerbar_snap *snap,
			    const struct peerbar_path *path)
{
	int i;

	for (i = 0; i < path->n_acs && i < PEERBAR_MAX_ACS_PORTS; i++) {
		seq_puts(m, i ? "," : " acs=");
		peerbar_print_address(m, snap, path->acs[i]);
	}
	if (path->n_acs > PEERBAR_MAX_ACS_PORTS)
		seq_printf(m, ",+%d", path->n_acs - PEERBAR_MAX_ACS_PORTS);
}

static void p2p_show(struct seq_file *m, const struct peerbar_report *rep,
		     int i)
{
	const struct peerbar_snap *snap = &rep->snap;
	const struct peerbar_line *line = &rep->line[i];
	struct peerbar_path path;

	peerbar_print_address(m, snap, line->a);
	seq_putc(m, ' ');
	peerbar_print_address(m, snap, line->b);
	seq_printf(m, " distance=%d route=%s reason=%s", line->distance,
		   peerbar_route_name(line->route),
		   peerbar_reason_name(line->reason));

	/* A way that stays in a switch has neither. */
	peerbar_path(snap, line->a, line->b, &path);
	if (path.common == PEERBAR_NONE || path.n_acs)
		print_roots(m, snap, snap->fn[line->a].host,
			    snap->fn[line->b].host);
	if (path.common != PEERBAR_NONE)
		print_acs_ports(m, snap, &path);
	seq_putc(m, '\n');
}

static void p2p_head(struct seq_file *m)
{
	if (!IS_ENABLED(CONFIG_PCI_P2PDMA))
		seq_puts(m, "# P2PDMA is not built into this kernel\n");
}

const struct peerbar_file peerbar_p2p_file = {
	.name	= "p2p",
	.want	= PEERBAR_WANT_ACS,
	.build	= p2p_build,
	.head	= p2p_head,
	.show	= p2p_show,
};
