// SPDX-License-Identifier: GPL-2.0-only
/* debugfs: what the oracle saw, how many cycles there were, the registers. */
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "sim.h"

static struct dentry *sim_debugfs_root;

static bool copy_record(const struct sim_machine *m, u32 i,
			struct sim_violation *v)
{
	const struct sim_violation *record;
	unsigned long flags;

	raw_spin_lock_irqsave(&sim_config_lock, flags);
	record = sim_oracle_record(m->oracle, i);
	if (record)
		*v = *record;
	raw_spin_unlock_irqrestore(&sim_config_lock, flags);
	return record;
}

static int oracle_show(struct seq_file *s, void *v)
{
	const struct sim_machine *m = s->private;
	struct sim_violation violation;
	unsigned long flags;
	char text[256];
	u64 violations;
	u32 i;

	raw_spin_lock_irqsave(&sim_config_lock, flags);
	violations = sim_oracle_violations(m->oracle);
	raw_spin_unlock_irqrestore(&sim_config_lock, flags);
	seq_printf(s, "violations=%llu\n", violations);
	for (i = 0; i < violations && copy_record(m, i, &violation); i++) {
		sim_violation_print(&violation, text, sizeof(text));
		seq_printf(s, "%s\n", text);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(oracle);

static int counters_show(struct seq_file *s, void *v)
{
	const struct sim_machine *m = s->private;
	unsigned long flags;
	u64 reads, writes, unused, rewrites;

	raw_spin_lock_irqsave(&sim_config_lock, flags);
	reads = m->reads;
	writes = m->writes;
	unused = sim_oracle_unused(m->oracle);
	rewrites = sim_oracle_rewrites(m->oracle);
	raw_spin_unlock_irqrestore(&sim_config_lock, flags);
	seq_printf(s, "config-reads=%llu\nconfig-writes=%llu\nunused-losses=%llu\nrewrite-losses=%llu\n",
		   reads, writes, unused, rewrites);
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(counters);

/* In the form of lspci -xxxx, so that its readers can be used. */
static int registers_show(struct seq_file *s, void *v)
{
	const struct sim_function *f = s->private;
	u32 size = f->space.express ? SIM_CONFIG_SIZE : SIM_PCI_CONFIG_SIZE;
	unsigned long flags;
	u8 line[16];
	u32 at;

	for (at = 0; at < size; at += sizeof(line)) {
		raw_spin_lock_irqsave(&sim_config_lock, flags);
		memcpy(line, f->space.reg + at, sizeof(line));
		raw_spin_unlock_irqrestore(&sim_config_lock, flags);
		seq_printf(s, "%02x: %*ph\n", at, (int)sizeof(line), line);
	}
	return 0;
}
DEFINE_SHOW_ATTRIBUTE(registers);

/**
 * sim_debugfs_add - make a machine's folder
 * @d: machine about to be scanned; its stop removes the folder
 */
void sim_debugfs_add(struct sim_device *d)
{
	struct sim_machine *m = d->machine;
	struct dentry *registers;
	char name[32];
	u32 i;

	d->debugfs = debugfs_create_dir(d->name, sim_debugfs_root);
	debugfs_create_file("oracle", 0444, d->debugfs, m, &oracle_fops);
	debugfs_create_file("counters", 0444, d->debugfs, m, &counters_fops);
	registers = debugfs_create_dir("registers", d->debugfs);
	for (i = 0; i < m->nfunctions; i++) {
		sim_function_name(&m->functions[i].desc, name, sizeof(name));
		debugfs_create_file(name, 0444, registers, &m->functions[i],
				    &registers_fops);
	}
}

/**
 * sim_debugfs_init - make the folder for all machines
 */
void sim_debugfs_init(void)
{
	sim_debugfs_root = debugfs_create_dir("peerbar-sim", NULL);
}

/**
 * sim_debugfs_exit - remove it again
 */
void sim_debugfs_exit(void)
{
	debugfs_remove_recursive(sim_debugfs_root);
}
