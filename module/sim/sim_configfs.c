// SPDX-License-Identifier: GPL-2.0-only
/*
 * configfs front: the machine folder and its "live" attribute.
 *
 * Folders only collect a description. Writing 1 to "live" checks it, builds
 * the model from a copy and hands that to the PCI core.
 */
#define pr_fmt(fmt) "peerbar-sim: " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "sim_front.h"
#include "sim_parse.h"

static struct configfs_subsystem front_subsystem;

static struct front_machine *to_machine(struct config_item *item)
{
	return container_of(to_config_group(item), struct front_machine,
			    group);
}

/* The folder below the machine's, such as functions/0000:05:00.0/bars/0. */
static const char *path_of(struct config_item *item, char *path, size_t size)
{
	struct config_item *top = &front_subsystem.su_group.cg_item;
	size_t at = size - 1;

	path[at] = 0;
	for (; item && item != top; item = item->ci_parent) {
		const char *name = config_item_name(item);
		size_t n = strlen(name);

		if (n + 1 > at)
			break;
		if (path[at])
			path[--at] = '/';
		at -= n;
		memcpy(path + at, name, n);
	}
	return path + at;
}

/**
 * front_lock - take the lock of a machine in order to change it
 * @m: the machine
 * @item: folder that is to change, for the message
 *
 * Return: 0 with the lock held, or -EBUSY while the machine is live.
 */
int front_lock(struct front_machine *m, struct config_item *item)
{
	char path[96];

	mutex_lock(&m->lock);
	if (!m->busy)
		return 0;
	mutex_unlock(&m->lock);
	pr_err("%s: machine is live; write 0 to its live attribute first\n",
	       path_of(item, path, sizeof(path)));
	return -EBUSY;
}

/**
 * front_refuse - say what is wrong with a value
 * @item: folder
 * @attribute: attribute in it
 * @page: what was written
 * @wanted: what would have been right
 *
 * Return: -EINVAL.
 */
ssize_t front_refuse(struct config_item *item, const char *attribute,
		     const char *page, const char *wanted)
{
	char path[96];

	pr_err("%s: %s: '%.*s' is not valid; write %s\n",
	       path_of(item, path, sizeof(path)), attribute,
	       (int)min_t(size_t, strcspn(page, "\n"), 40), page, wanted);
	return -EINVAL;
}

static void store_field(void *field, size_t size, u64 value)
{
	switch (size) {
	case 1:
		*(u8 *)field = value;
		break;
	case 2:
		*(u16 *)field = value;
		break;
	case 4:
		*(u32 *)field = value;
		break;
	default:
		*(u64 *)field = value;
	}
}

/**
 * front_store_number - store a number into a description
 * @m: machine that the description belongs to
 * @item: folder
 * @attribute: attribute in it
 * @page: what was written
 * @count: its length
 * @max: largest value
 * @field: where it goes
 * @size: size of @field: 1, 2, 4 or 8
 *
 * Return: @count, -EINVAL or -EBUSY.
 */
ssize_t front_store_number(struct front_machine *m, struct config_item *item,
			   const char *attribute, const char *page,
			   size_t count, u64 max, void *field, size_t size)
{
	char wanted[64];
	u64 value;
	int ret;

	if (sim_parse_u64(page, &value) || value > max) {
		snprintf(wanted, sizeof(wanted),
			 "a number from 0 to %#llx, decimal or 0x..", max);
		return front_refuse(item, attribute, page, wanted);
	}
	ret = front_lock(m, item);
	if (ret)
		return ret;
	store_field(field, size, value);
	mutex_unlock(&m->lock);
	return count;
}

/* ---- from folders to a description ---------------------------------- */

static u32 list_length(const struct list_head *list)
{
	const struct list_head *at;
	u32 n = 0;

	list_for_each(at, list)
		n++;
	return n;
}

static int collect(const struct front_machine *m,
		   struct sim_machine_desc *desc, struct sim_error *error)
{
	struct front_function *f;
	struct front_host *h;
	int ret;

	desc->preset = m->preset;
	desc->hosts = sim_alloc(list_length(&m->hosts) + 1,
				sizeof(*desc->hosts));
	desc->functions = sim_alloc(list_length(&m->functions) + 1,
				    sizeof(*desc->functions));
	if (!desc->hosts || !desc->functions) {
		sim_fail(error, "machine", "out of memory");
		error->code = -ENOMEM;
		return error->code;
	}
	list_for_each_entry(h, &m->hosts, list) {
		ret = front_host_collect(h, &desc->hosts[desc->nhosts++],
					 error);
		if (ret)
			return ret;
	}
	list_for_each_entry(f, &m->functions, list) {
		ret = front_function_collect(f,
					     &desc->functions[desc->nfunctions++],
					     error);
		if (ret)
			return ret;
	}
	return 0;
}

static struct sim_machine *build_machine(const struct front_machine *m,
					 struct sim_error *error)
{
	struct sim_machine_desc desc = {};
	struct sim_machine *machine = NULL;

	if (!collect(m, &desc, error))
		machine = sim_machine_create(&desc, error);
	sim_free(desc.hosts);
	sim_free(desc.functions);
	return machine;
}

static struct sim_device *create_device(struct front_machine *m)
{
	const char *name = config_item_name(&m->group.cg_item);
	struct sim_error error;
	struct sim_device *d;
	int ret;

	d = kzalloc(sizeof(*d), GFP_KERNEL);
	if (!d)
		return ERR_PTR(-ENOMEM);
	d->name = name;
	d->machine = build_machine(m, &error);
	if (!d->machine) {
		pr_err("%s: %s: %s\n", name, error.where, error.text);
		kfree(d);
		return ERR_PTR(error.code);
	}
	ret = sim_device_start(d);
	if (ret) {
		sim_machine_destroy(d->machine);
		kfree(d);
		return ERR_PTR(ret);
	}
	return d;
}

static void destroy_device(struct sim_device *d)
{
	sim_device_stop(d);
	sim_machine_destroy(d->machine);
	kfree(d);
}

/* ---- live ----------------------------------------------------------- */

static bool is_group(const struct config_item *item)
{
	return item->ci_type->ct_group_ops;
}

static void unpin(struct config_item *item)
{
	struct config_item *child;

	configfs_undepend_item(item);
	if (is_group(item))
		list_for_each_entry(child, &to_config_group(item)->cg_children,
				    ci_entry)
			unpin(child);
}

/* Keep a folder and all below it from being removed. */
static int pin(struct config_item *item)
{
	struct config_item *child;
	struct config_group *group;
	int ret;

	ret = configfs_depend_item_unlocked(&front_subsystem, item);
	if (ret || !is_group(item))
		return ret;
	group = to_config_group(item);
	list_for_each_entry(child, &group->cg_children, ci_entry) {
		ret = pin(child);
		if (!ret)
			continue;
		list_for_each_entry_continue_reverse(child,
						     &group->cg_children,
						     ci_entry)
			unpin(child);
		configfs_undepend_item(item);
		return ret;
	}
	return 0;
}

/*
 * While busy is set nothing in the machine's folders changes: make and store
 * are refused, remove is kept away by the pins. So a machine is started and
 * stopped without any lock held, whatever the PCI core then calls.
 */
static int become_busy(struct front_machine *m)
{
	int ret;

	mutex_lock(&front_subsystem.su_mutex);
	ret = front_lock(m, &m->group.cg_item);
	if (!ret) {
		ret = pin(&m->group.cg_item);
		m->busy = !ret;
		mutex_unlock(&m->lock);
	}
	mutex_unlock(&front_subsystem.su_mutex);
	/* -ENOENT: a folder is just being made or removed by someone else. */
	return ret == -ENOENT ? -EBUSY : ret;
}

static void become_idle(struct front_machine *m)
{
	mutex_lock(&front_subsystem.su_mutex);
	mutex_lock(&m->lock);
	unpin(&m->group.cg_item);
	m->busy = false;
	mutex_unlock(&m->lock);
	mutex_unlock(&front_subsystem.su_mutex);
}

static int go_live(struct front_machine *m)
{
	struct sim_device *d;
	int ret;

	ret = become_busy(m);
	if (ret)
		return ret;
	d = create_device(m);
	if (IS_ERR(d)) {
		become_idle(m);
		return PTR_ERR(d);
	}
	mutex_lock(&m->lock);
	m->device = d;
	mutex_unlock(&m->lock);
	return 0;
}

static void go_down(struct front_machine *m)
{
	struct sim_device *d;

	mutex_lock(&m->lock);
	d = m->device;
	m->device = NULL;
	mutex_unlock(&m->lock);
	if (!d)
		return;
	destroy_device(d);
	become_idle(m);
}

static ssize_t machine_live_show(struct config_item *item, char *page)
{
	struct front_machine *m = to_machine(item);
	bool live;

	mutex_lock(&m->lock);
	live = m->device;
	mutex_unlock(&m->lock);
	return sprintf(page, "%d\n", live);
}

static ssize_t machine_live_store(struct config_item *item, const char *page,
				  size_t count)
{
	struct front_machine *m = to_machine(item);
	u64 live;
	int ret = 0;

	if (sim_parse_u64(page, &live) || live > 1)
		return front_refuse(item, "live", page, "0 or 1");
	if (live)
		ret = go_live(m);
	else
		go_down(m);
	return ret ? ret : count;
}
CONFIGFS_ATTR(machine_, live);

static ssize_t machine_preset_show(struct config_item *item, char *page)
{
	return sprintf(page, "%d\n", to_machine(item)->preset);
}

static ssize_t machine_preset_store(struct config_item *item,
				    const char *page, size_t count)
{
	struct front_machine *m = to_machine(item);

	return front_store_number(m, item, "preset", page, count, 1,
				  &m->preset, sizeof(m->preset));
}
CONFIGFS_ATTR(machine_, preset);

static struct configfs_attribute *machine_attributes[] = {
	&machine_attr_live,
	&machine_attr_preset,
	NULL,
};

static void machine_release(struct config_item *item)
{
	struct front_machine *m = to_machine(item);

	mutex_destroy(&m->lock);
	kfree(m);
}

static struct configfs_item_operations machine_item_ops = {
	.release = machine_release,
};

/* Children are default groups only, so nothing is made here. */
static struct configfs_group_operations machine_group_ops = {};

static const struct config_item_type machine_type = {
	.ct_owner = THIS_MODULE,
	.ct_item_ops = &machine_item_ops,
	.ct_group_ops = &machine_group_ops,
	.ct_attrs = machine_attributes,
};

static struct config_group *make_machine(struct config_group *group,
					 const char *name)
{
	struct front_machine *m = kzalloc(sizeof(*m), GFP_KERNEL);

	if (!m)
		return ERR_PTR(-ENOMEM);
	mutex_init(&m->lock);
	INIT_LIST_HEAD(&m->hosts);
	INIT_LIST_HEAD(&m->functions);
	m->preset = true;
	config_group_init_type_name(&m->group, name, &machine_type);
	config_group_init_type_name(&m->host_group, "host_bridges",
				    &front_hosts_type);
	configfs_add_default_group(&m->host_group, &m->group);
	config_group_init_type_name(&m->function_group, "functions",
				    &front_functions_type);
	configfs_add_default_group(&m->function_group, &m->group);
	return &m->group;
}

static struct configfs_group_operations front_group_ops = {
	.make_group = make_machine,
};

static const struct config_item_type front_type = {
	.ct_owner = THIS_MODULE,
	.ct_group_ops = &front_group_ops,
};

static struct configfs_subsystem front_subsystem = {
	.su_group = {
		.cg_item = {
			.ci_namebuf = "peerbar-sim",
			.ci_type = &front_type,
		},
	},
};

int sim_configfs_init(void)
{
	config_group_init(&front_subsystem.su_group);
	mutex_init(&front_subsystem.su_mutex);
	return configfs_register_subsystem(&front_subsystem);
}

void sim_configfs_exit(void)
{
	configfs_unregister_subsystem(&front_subsystem);
	mutex_destroy(&front_subsystem.su_mutex);
}
