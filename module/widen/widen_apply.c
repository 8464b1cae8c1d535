// SPDX-License-Identifier: GPL-2.0-only
/*
 * Grow the windows of a plan: resources and registers, from the root down.
 *
 * A window's range must lie in its parent's at any time, so an ancestor grows
 * before the window below it.  Whatever fails, all that was done is taken back
 * in reverse order, register by register.
 */
#define pr_fmt(fmt) "peerbar-widen: " fmt

#include <linux/slab.h>

#include "widen.h"
#include "widen_regs.h"

/* A window that was grown, or is being grown. */
struct step {
	struct pci_dev *bridge;
	struct resource *res;
	struct resource old;
	struct widen_write writes[WIDEN_MAX_WRITES];
	int nr_writes;
	int written;
	bool adjusted;
};

static int read_regs(struct pci_dev *bridge, struct widen_regs *regs)
{
	int ret = pci_read_config_word(bridge, WIDEN_REG_BASE, &regs->base);

	if (!ret)
		ret = pci_read_config_word(bridge, WIDEN_REG_LIMIT,
					   &regs->limit);
	if (!ret)
		ret = pci_read_config_dword(bridge, WIDEN_REG_BASE_UPPER,
					    &regs->base_upper);
	if (!ret)
		ret = pci_read_config_dword(bridge, WIDEN_REG_LIMIT_UPPER,
					    &regs->limit_upper);
	return ret ? -EIO : 0;
}

static int write_reg(struct pci_dev *bridge, const struct widen_write *w,
		     u32 value)
{
	u16 back16 = 0;
	u32 back = 0;

	if (w->width == 2) {
		pci_write_config_word(bridge, w->reg, value);
		pci_read_config_word(bridge, w->reg, &back16);
		back = back16;
	} else {
		pci_write_config_dword(bridge, w->reg, value);
		pci_read_config_dword(bridge, w->reg, &back);
	}
	return back == value ? 0 : -EIO;
}

/*
 * The kernel restores a bridge's header from this copy after a reset.  It was
 * taken when the port driver bound, so it has the old window.
 */
static void refresh_saved_state(struct pci_dev *bridge)
{
	int i;

	if (!bridge->state_saved)
		return;
	for (i = WIDEN_REG_BASE / 4; i <= WIDEN_REG_LIMIT_UPPER / 4; i++)
		pci_read_config_dword(bridge, 4 * i,
				      &bridge->saved_config_space[i]);
}

/* Returns whether everything is as before. */
static bool undo_step(struct step *s)
{
	bool bad = false;

	while (s->written) {
		const struct widen_write *w = &s->writes[--s->written];

		bad |= write_reg(s->bridge, w, w->was) != 0;
	}
	refresh_saved_state(s->bridge);
	if (s->adjusted)
		bad |= adjust_resource(s->res, s->old.start,
				       resource_size(&s->old)) != 0;
	if (bad)
		pci_err(s->bridge,
			"peerbar-widen: prefetchable window could not be put back to %pR\n",
			&s->old);
	return !bad;
}

static int refuse(struct pci_dev *bridge, const char *why)
{
	pci_err(bridge, "peerbar-widen: window not grown: %s\n", why);
	return -EIO;
}

/* Registers of the window, and the writes that take it to its new range. */
static int prepare_step(struct step *s, const struct widen_verdict *v)
{
	struct resource wanted = *s->res;
	struct pci_bus_region now, want;
	struct widen_regs regs;
	u16 command;

	if (!pci_device_is_present(s->bridge))
		return refuse(s->bridge, "device is gone");
	pci_read_config_word(s->bridge, PCI_COMMAND, &command);
	if (!(command & PCI_COMMAND_MEMORY))
		return refuse(s->bridge, "bridge does not decode memory");
	if (read_regs(s->bridge, &regs) ||
	    (regs.base & PCI_PREF_RANGE_TYPE_MASK) != PCI_PREF_RANGE_TYPE_64 ||
	    (regs.limit & PCI_PREF_RANGE_TYPE_MASK) != PCI_PREF_RANGE_TYPE_64)
		return refuse(s->bridge, "no 64-bit prefetchable registers");

	pcibios_resource_to_bus(s->bridge->bus, &now, s->res);
	if (widen_regs_start(&regs) != now.start ||
	    widen_regs_end(&regs) != now.end)
		return refuse(s->bridge, "registers and resource differ");

	wanted.start = v->start;
	wanted.end = v->end;
	pcibios_resource_to_bus(s->bridge->bus, &want, &wanted);
	s->nr_writes = widen_regs_writes(&regs, want.start, want.end,
					 s->writes);
	if (s->nr_writes < 0)
		return refuse(s->bridge, "no safe order of register writes");
	return 0;
}

static int do_step(struct step *s, const struct widen_verdict *v)
{
	int ret = prepare_step(s, v);

	if (ret)
		return ret;
	if (adjust_resource(s->res, v->start, v->end - v->start + 1)) {
		refuse(s->bridge, "the range is taken");
		return -EBUSY;
	}
	s->adjusted = true;
	while (s->written < s->nr_writes) {
		const struct widen_write *w = &s->writes[s->written++];

		if (write_reg(s->bridge, w, w->value))
			return refuse(s->bridge, "a register does not keep what was written");
	}
	refresh_saved_state(s->bridge);
	return 0;
}

static void say_step(const struct step *s, const struct widen_verdict *v)
{
	pr_info("%s prefetchable window [mem %#llx-%#llx] -> [mem %#llx-%#llx] for %d BARs\n",
		pci_name(s->bridge), (u64)s->old.start, (u64)s->old.end,
		v->start, v->end, v->below);
}

/**
 * widen_apply() - grow the windows that the plan says
 * @host: what the plan was made from, under pci_lock_rescan_remove()
 * @verdicts: the plan
 *
 * Return: 0, or a negative error after everything was put back.
 */
int widen_apply(const struct widen_host *host,
		const struct widen_verdict *verdicts)
{
	s32 w, count = 0, done = 0;
	struct step *steps;
	int ret = 0;

	steps = kvcalloc(host->tree.nr_windows, sizeof(*steps), GFP_KERNEL);
	if (!steps)
		return -ENOMEM;

	/* Parents come first in the tree, so this goes from the root down. */
	for (w = 0; w < host->tree.nr_windows && !ret; w++) {
		const struct widen_owner *owner = &host->window_owners[w];
		struct step *s = &steps[count];

		if (verdicts[w].fate != WIDEN_GROWS)
			continue;
		*s = (struct step){ .bridge = owner->dev, .res = owner->res,
				    .old = *owner->res };
		count++;
		ret = do_step(s, &verdicts[w]);
	}
	if (ret) {
		bool undone = true;

		while (count)
			undone &= undo_step(&steps[--count]);
		pr_err("%s: error %d, %s\n", dev_name(&host->root->dev), ret,
		       undone ? "all windows are as before" :
				"not all could be undone");
	}
	for (w = 0; w < host->tree.nr_windows && !ret; w++)
		if (verdicts[w].fate == WIDEN_GROWS)
			say_step(&steps[done++], &verdicts[w]);
	kvfree(steps);
	return ret;
}
