// SPDX-License-Identifier: GPL-2.0-only
/*
 * The files below /sys/kernel/debug/peerbar. Reading from the start takes a
 * new picture; further reads go on in it, whatever happens to the devices.
 *
 * Modes stay at 0444 without a write method: debugfs refuses anything more
 * under lockdown.
 */
#include <linux/debugfs.h>
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/pci.h>
#include <linux/seq_file.h>
#include <linux/sort.h>

#include "peerbar.h"

static const struct peerbar_file *const peerbar_files[] = {
	&peerbar_version_file,
	&peerbar_windows_file,
	&peerbar_rebar_file,
	&peerbar_p2p_file,
	&peerbar_links_file,
};

static struct dentry *peerbar_dir;

/**
 * peerbar_add_line - add a line to a report
 * @rep: the report
 * @a: see struct peerbar_line
 * @b: see struct peerbar_line
 *
 * Return: the line, or NULL without memory.
 */
struct peerbar_line *peerbar_add_line(struct peerbar_report *rep, int a, int b)
{
	struct peerbar_line *line;

	if (peerbar_grow((void **)&rep->line, rep->n_line, &rep->cap_line,
			 sizeof(*rep->line)))
		return NULL;
	line = &rep->line[rep->n_line++];
	memset(line, 0, sizeof(*line));
	line->a = a;
	line->b = b;
	return line;
}

static u64 address_key(const struct peerbar_snap *snap, int fn)
{
	const struct peerbar_fn *f = &snap->fn[fn];

	return (u64)f->domain << 16 | f->bus << 8 | f->devfn;
}

static int cmp_lines(const void *l, const void *r, const void *priv)
{
	const struct peerbar_line *x = l, *y = r;
	const struct peerbar_snap *snap = priv;
	u64 kx = address_key(snap, x->a);
	u64 ky = address_key(snap, y->a);

	if (kx != ky)
		return kx < ky ? -1 : 1;
	return x->b < y->b ? -1 : x->b > y->b;
}

/**
 * peerbar_sort_lines - sort lines by address, then by number
 * @rep: a report whose lines have a function in @a and a number in @b
 */
void peerbar_sort_lines(struct peerbar_report *rep)
{
	if (rep->n_line)
		sort_r(rep->line, rep->n_line, sizeof(*rep->line), cmp_lines,
		       NULL, &rep->snap);
}

static void clear_report(struct peerbar_report *rep)
{
	peerbar_snap_free(&rep->snap);
	kvfree(rep->line);
	rep->line = NULL;
	rep->n_line = 0;
	rep->cap_line = 0;
}

static int fill_report(struct peerbar_report *rep)
{
	int err;

	clear_report(rep);

	pci_lock_rescan_remove();
	err = peerbar_snap_take(&rep->snap, rep->file->want);
	if (!err)
		err = rep->file->build(rep);
	peerbar_snap_put_devices(&rep->snap);
	pci_unlock_rescan_remove();

	if (err)
		clear_report(rep);
	return err;
}

/* Position 0 is the heading, position n the line n - 1. */
static void *peerbar_seq_start(struct seq_file *m, loff_t *pos)
{
	struct peerbar_report *rep = m->private;
	int err;

	if (!*pos) {
		err = fill_report(rep);
		return err ? ERR_PTR(err) : SEQ_START_TOKEN;
	}
	return *pos <= rep->n_line ? &rep->line[*pos - 1] : NULL;
}

static void *peerbar_seq_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct peerbar_report *rep = m->private;

	++*pos;
	return *pos <= rep->n_line ? &rep->line[*pos - 1] : NULL;
}

static void peerbar_seq_stop(struct seq_file *m, void *v)
{
}

static int peerbar_seq_show(struct seq_file *m, void *v)
{
	const struct peerbar_report *rep = m->private;

	if (v == SEQ_START_TOKEN) {
		seq_printf(m, "# peerbar %s format 1\n", rep->file->name);
		if (rep->file->head)
			rep->file->head(m);
		return 0;
	}
	rep->file->show(m, rep, (struct peerbar_line *)v - rep->line);
	return 0;
}

static const struct seq_operations peerbar_seq_ops = {
	.start	= peerbar_seq_start,
	.next	= peerbar_seq_next,
	.stop	= peerbar_seq_stop,
	.show	= peerbar_seq_show,
};

static int peerbar_open(struct inode *inode, struct file *file)
{
	struct peerbar_report *rep;

	rep = __seq_open_private(file, &peerbar_seq_ops, sizeof(*rep));
	if (!rep)
		return -ENOMEM;
	rep->file = inode->i_private;
	return 0;
}

static int peerbar_release(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;

	clear_report(m->private);
	return seq_release_private(inode, file);
}

static const struct file_operations peerbar_fops = {
	.owner		= THIS_MODULE,
	.open		= peerbar_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= peerbar_release,
};

/**
 * peerbar_debugfs_init - create the files
 *
 * Return: 0, or a negative errno when there is no debugfs or the folder is
 * there already. Files are not checked one by one, see debugfs_create_file().
 */
int peerbar_debugfs_init(void)
{
	int i;

	peerbar_dir = debugfs_create_dir("peerbar", NULL);
	if (IS_ERR(peerbar_dir))
		return PTR_ERR(peerbar_dir);

	for (i = 0; i < ARRAY_SIZE(peerbar_files); i++)
		debugfs_create_file(peerbar_files[i]->name, 0444, peerbar_dir,
				    (void *)peerbar_files[i], &peerbar_fops);
	return 0;
}

/**
 * peerbar_debugfs_exit - remove the files
 */
void peerbar_debugfs_exit(void)
{
	debugfs_remove_recursive(peerbar_dir);
}
