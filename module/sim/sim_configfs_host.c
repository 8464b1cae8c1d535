// SPDX-License-Identifier: GPL-2.0-only
/* configfs front: host_bridges/<dddd:bb>/ and its windows. */
#define pr_fmt(fmt) "peerbar-sim: " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/numa.h>
#include <linux/slab.h>

#include "sim_front.h"
#include "sim_parse.h"

/* Any node a real machine has; whether it is here is seen when going live. */
#define MAX_NODE 1023

struct front_host_window {
	struct config_item item;
	struct list_head list;
	struct front_machine *machine;
	struct sim_host_window_desc desc;
};

static struct front_host *to_host(struct config_item *item)
{
	return container_of(to_config_group(item), struct front_host, group);
}

static struct front_host_window *to_window(struct config_item *item)
{
	return container_of(item, struct front_host_window, item);
}

/* ---- windows/<n>/ ---------------------------------------------------- */

FRONT_NUMBER(host_window, start, to_window, machine, desc.range.start,
	     ~0ULL, "%#llx");
FRONT_NUMBER(host_window, end, to_window, machine, desc.range.end, ~0ULL,
	     "%#llx");

static ssize_t host_window_type_show(struct config_item *item, char *page)
{
	return sprintf(page, "%s\n",
		       sim_space_name(to_window(item)->desc.space));
}

static ssize_t host_window_type_store(struct config_item *item,
				      const char *page, size_t count)
{
	struct front_host_window *w = to_window(item);
	enum sim_space space;
	int ret;

	if (sim_parse_space(page, &space))
		return front_refuse(item, "type", page,
				    "io, mem32, pref32, mem64 or pref64");
	ret = front_lock(w->machine, item);
	if (ret)
		return ret;
	w->desc.space = space;
	mutex_unlock(&w->machine->lock);
	return count;
}
CONFIGFS_ATTR(host_window_, type);

static struct configfs_attribute *host_window_attributes[] = {
	&host_window_attr_start,
	&host_window_attr_end,
	&host_window_attr_type,
	NULL,
};

static void host_window_release(struct config_item *item)
{
	kfree(to_window(item));
}

static struct configfs_item_operations host_window_item_ops = {
	.release = host_window_release,
};

static const struct config_item_type host_window_type = {
	.ct_owner = THIS_MODULE,
	.ct_item_ops = &host_window_item_ops,
	.ct_attrs = host_window_attributes,
};

static struct front_host *host_of_windows(struct config_group *group)
{
	return container_of(group, struct front_host, window_group);
}

static struct config_item *make_window(struct config_group *group,
				       const char *name)
{
	struct front_host *h = host_of_windows(group);
	struct front_host_window *w;
	int ret;

	w = kzalloc(sizeof(*w), GFP_KERNEL);
	if (!w)
		return ERR_PTR(-ENOMEM);
	w->machine = h->machine;
	ret = front_lock(h->machine, &group->cg_item);
	if (ret) {
		kfree(w);
		return ERR_PTR(ret);
	}
	list_add_tail(&w->list, &h->windows);
	config_item_init_type_name(&w->item, name, &host_window_type);
	mutex_unlock(&h->machine->lock);
	return &w->item;
}

static void drop_window(struct config_group *group, struct config_item *item)
{
	struct front_host_window *w = to_window(item);

	mutex_lock(&w->machine->lock);
	list_del(&w->list);
	mutex_unlock(&w->machine->lock);
	config_item_put(item);
}

static struct configfs_group_operations windows_group_ops = {
	.make_item = make_window,
	.drop_item = drop_window,
};

static const struct config_item_type windows_type = {
	.ct_owner = THIS_MODULE,
	.ct_group_ops = &windows_group_ops,
};

/* ---- host_bridges/<dddd:bb>/ ----------------------------------------- */

FRONT_NUMBER(host, bus_start, to_host, machine, desc.bus_start, 0xff,
	     "0x%02x");
FRONT_NUMBER(host, bus_end, to_host, machine, desc.bus_end, 0xff, "0x%02x");

static ssize_t host_node_show(struct config_item *item, char *page)
{
	return sprintf(page, "%d\n", to_host(item)->desc.node);
}

/* -1 is what sysfs says for "no node", so it is taken here as well. */
static ssize_t host_node_store(struct config_item *item, const char *page,
			       size_t count)
{
	struct front_host *h = to_host(item);
	int node = NUMA_NO_NODE;
	int ret;

	if (strncmp(page, "-1", 2))
		return front_store_number(h->machine, item, "node", page,
					  count, MAX_NODE,
					  &h->desc.node,
					  sizeof(h->desc.node));
	ret = front_lock(h->machine, item);
	if (ret)
		return ret;
	h->desc.node = node;
	mutex_unlock(&h->machine->lock);
	return count;
}
CONFIGFS_ATTR(host_, node);

static struct configfs_attribute *host_attributes[] = {
	&host_attr_bus_start,
	&host_attr_bus_end,
	&host_attr_node,
	NULL,
};

static void host_release(struct config_item *item)
{
	kfree(to_host(item));
}

static struct configfs_item_operations host_item_ops = {
	.release = host_release,
};

static struct configfs_group_operations host_group_ops = {};

static const struct config_item_type host_type = {
	.ct_owner = THIS_MODULE,
	.ct_item_ops = &host_item_ops,
	.ct_group_ops = &host_group_ops,
	.ct_attrs = host_attributes,
};

static struct front_machine *machine_of_hosts(struct config_group *group)
{
	return container_of(group, struct front_machine, host_group);
}

static struct config_group *make_host(struct config_group *group,
				      const char *name)
{
	struct front_machine *m = machine_of_hosts(group);
	struct front_host *h;
	u32 domain;
	u8 bus;
	int ret;

	if (sim_parse_host_name(name, &domain, &bus)) {
		pr_err("host_bridges: '%s' is not a name such as 0000:00 (domain:bus)\n",
		       name);
		return ERR_PTR(-EINVAL);
	}
	h = kzalloc(sizeof(*h), GFP_KERNEL);
	if (!h)
		return ERR_PTR(-ENOMEM);
	h->machine = m;
	h->desc.domain = domain;
	h->desc.bus_start = bus;
	h->desc.bus_end = 0xff;
	h->desc.node = NUMA_NO_NODE;
	INIT_LIST_HEAD(&h->windows);
	ret = front_lock(m, &group->cg_item);
	if (ret) {
		kfree(h);
		return ERR_PTR(ret);
	}
	list_add_tail(&h->list, &m->hosts);
	config_group_init_type_name(&h->group, name, &host_type);
	config_group_init_type_name(&h->window_group, "windows",
				    &windows_type);
	configfs_add_default_group(&h->window_group, &h->group);
	mutex_unlock(&m->lock);
	return &h->group;
}

static void drop_host(struct config_group *group, struct config_item *item)
{
	struct front_host *h = to_host(item);

	mutex_lock(&h->machine->lock);
	list_del(&h->list);
	mutex_unlock(&h->machine->lock);
	config_item_put(item);
}

static struct configfs_group_operations hosts_group_ops = {
	.make_group = make_host,
	.drop_item = drop_host,
};

const struct config_item_type front_hosts_type = {
	.ct_owner = THIS_MODULE,
	.ct_group_ops = &hosts_group_ops,
};

/**
 * front_host_collect - copy what a host bridge's folders say
 * @h: the folder
 * @desc: where to
 * @error: filled on failure
 *
 * Return: 0 or -EINVAL.
 */
int front_host_collect(const struct front_host *h, struct sim_host_desc *desc,
		       struct sim_error *error)
{
	const char *name = config_item_name((struct config_item *)
					    &h->group.cg_item);
	struct front_host_window *w;
	u32 domain;
	u8 bus;

	*desc = h->desc;
	if (sim_parse_host_name(name, &domain, &bus) ||
	    bus != desc->bus_start)
		return sim_fail(error, name,
				"bus_start %#x differs from the folder's name",
				desc->bus_start);
	list_for_each_entry(w, &h->windows, list) {
		if (desc->nwindows == SIM_HOST_WINDOWS)
			return sim_fail(error, name,
					"more than %d windows; merge adjacent ones",
					SIM_HOST_WINDOWS);
		desc->windows[desc->nwindows++] = w->desc;
	}
	return 0;
}
