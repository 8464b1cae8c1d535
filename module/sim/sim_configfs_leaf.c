// SPDX-License-Identifier: GPL-2.0-only
/*
 * configfs front: the folders inside a function's bars/, rebar/ and
 * windows/. They hold nothing themselves; their attributes are fields of the
 * function's description.
 */
#define pr_fmt(fmt) "peerbar-sim: " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "sim_front.h"
#include "sim_parse.h"

static struct front_leaf *to_leaf(struct config_item *item)
{
	return container_of(item, struct front_leaf, item);
}

static struct sim_bar_desc *to_bar(struct config_item *item)
{
	struct front_leaf *leaf = to_leaf(item);

	return &leaf->function->desc.bars[leaf->index];
}

static struct sim_rebar_desc *to_rebar(struct config_item *item)
{
	struct front_leaf *leaf = to_leaf(item);

	return &leaf->function->desc.rebar[leaf->index];
}

static struct sim_range *to_window(struct config_item *item)
{
	struct front_leaf *leaf = to_leaf(item);
	struct front_function *f = leaf->function;

	switch (leaf->index) {
	case FRONT_WINDOW_IO:
		return &f->desc.io;
	case FRONT_WINDOW_MEM:
		return &f->desc.mem;
	default:
		return &f->pref_windows[leaf->index - FRONT_WINDOW_PREF32];
	}
}

/* A 64-bit number that hangs on a leaf. */
#define LEAF_NUMBER(prefix, name, to, field, format)			     \
static ssize_t prefix##_##name##_show(struct config_item *item, char *page) \
{									     \
	return sprintf(page, format "\n", to(item)->field);		     \
}									     \
static ssize_t prefix##_##name##_store(struct config_item *item,	     \
				       const char *page, size_t count)	     \
{									     \
	return front_store_number(to_leaf(item)->function->machine, item,    \
				  #name, page, count, ~0ULL,		     \
				  &to(item)->field, sizeof(u64));	     \
}									     \
CONFIGFS_ATTR(prefix##_, name)

/* ---- attributes ------------------------------------------------------- */

LEAF_NUMBER(bar, size, to_bar, size, "%llu");
LEAF_NUMBER(bar, address, to_bar, address, "%#llx");

static ssize_t bar_type_show(struct config_item *item, char *page)
{
	return sprintf(page, "%s\n", sim_space_name(to_bar(item)->space));
}

static ssize_t bar_type_store(struct config_item *item, const char *page,
			      size_t count)
{
	struct front_machine *m = to_leaf(item)->function->machine;
	enum sim_space space;
	int ret;

	if (sim_parse_space(page, &space))
		return front_refuse(item, "type", page,
				    "io, mem32, pref32, mem64 or pref64");
	ret = front_lock(m, item);
	if (ret)
		return ret;
	to_bar(item)->space = space;
	mutex_unlock(&m->lock);
	return count;
}
CONFIGFS_ATTR(bar_, type);

/* LEAF_NUMBER() would not do: "current" is a macro in the kernel. */
static ssize_t rebar_current_size_show(struct config_item *item, char *page)
{
	return sprintf(page, "%llu\n", to_rebar(item)->current_size);
}

static ssize_t rebar_current_size_store(struct config_item *item,
					const char *page, size_t count)
{
	return front_store_number(to_leaf(item)->function->machine, item,
				  "current", page, count, ~0ULL,
				  &to_rebar(item)->current_size, sizeof(u64));
}

static struct configfs_attribute rebar_attr_current_size = {
	.ca_name = "current",
	.ca_mode = 0644,
	.ca_owner = THIS_MODULE,
	.show = rebar_current_size_show,
	.store = rebar_current_size_store,
};

static ssize_t rebar_sizes_show(struct config_item *item, char *page)
{
	size_t n = sim_print_sizes(to_rebar(item)->sizes, page,
				   PAGE_SIZE - 1);

	page[n] = '\n';
	return n + 1;
}

static ssize_t rebar_sizes_store(struct config_item *item, const char *page,
				 size_t count)
{
	struct front_machine *m = to_leaf(item)->function->machine;
	u64 sizes;
	int ret;

	if (sim_parse_sizes(page, &sizes))
		return front_refuse(item, "sizes", page,
				    "a comma list of bytes, each a power of two of at least 1048576");
	ret = front_lock(m, item);
	if (ret)
		return ret;
	to_rebar(item)->sizes = sizes;
	mutex_unlock(&m->lock);
	return count;
}
CONFIGFS_ATTR(rebar_, sizes);

LEAF_NUMBER(window, start, to_window, start, "%#llx");
LEAF_NUMBER(window, end, to_window, end, "%#llx");

static struct configfs_attribute *bar_attributes[] = {
	&bar_attr_size,
	&bar_attr_type,
	&bar_attr_address,
	NULL,
};

static struct configfs_attribute *rebar_attributes[] = {
	&rebar_attr_sizes,
	&rebar_attr_current_size,
	NULL,
};

static struct configfs_attribute *window_attributes[] = {
	&window_attr_start,
	&window_attr_end,
	NULL,
};

static void leaf_release(struct config_item *item)
{
	kfree(to_leaf(item));
}

static struct configfs_item_operations leaf_item_ops = {
	.release = leaf_release,
};

static const struct config_item_type bar_type = {
	.ct_owner = THIS_MODULE,
	.ct_item_ops = &leaf_item_ops,
	.ct_attrs = bar_attributes,
};

static const struct config_item_type rebar_type = {
	.ct_owner = THIS_MODULE,
	.ct_item_ops = &leaf_item_ops,
	.ct_attrs = rebar_attributes,
};

static const struct config_item_type window_type = {
	.ct_owner = THIS_MODULE,
	.ct_item_ops = &leaf_item_ops,
	.ct_attrs = window_attributes,
};

/* ---- making and removing ---------------------------------------------- */

/* @present: the function's set of folders of this kind. */
static struct config_item *make_leaf(struct front_function *f, int index,
				     const char *name,
				     const struct config_item_type *type,
				     unsigned int *present)
{
	struct front_leaf *leaf;
	int ret;

	leaf = kzalloc(sizeof(*leaf), GFP_KERNEL);
	if (!leaf)
		return ERR_PTR(-ENOMEM);
	leaf->function = f;
	leaf->index = index;
	ret = front_lock(f->machine, &f->group.cg_item);
	if (ret) {
		kfree(leaf);
		return ERR_PTR(ret);
	}
	*present |= BIT(index);
	config_item_init_type_name(&leaf->item, name, type);
	mutex_unlock(&f->machine->lock);
	return &leaf->item;
}

static void drop_leaf(struct config_item *item, unsigned int *present,
		      void *field, size_t size)
{
	struct front_leaf *leaf = to_leaf(item);

	mutex_lock(&leaf->function->machine->lock);
	memset(field, 0, size);
	*present &= ~BIT(leaf->index);
	mutex_unlock(&leaf->function->machine->lock);
	config_item_put(item);
}

static int parse_index(const char *folder, const char *name)
{
	if (name[0] >= '0' && name[0] < '0' + SIM_BARS && !name[1])
		return name[0] - '0';
	pr_err("%s: '%s' is not a BAR number from 0 to 5\n", folder, name);
	return -EINVAL;
}

static struct config_item *make_bar(struct config_group *group,
				    const char *name)
{
	struct front_function *f = container_of(group, struct front_function,
						bar_group);
	int index = parse_index("bars", name);

	if (index < 0)
		return ERR_PTR(index);
	return make_leaf(f, index, name, &bar_type, &f->bars);
}

static void drop_bar(struct config_group *group, struct config_item *item)
{
	drop_leaf(item, &to_leaf(item)->function->bars, to_bar(item),
		  sizeof(struct sim_bar_desc));
}

static struct config_item *make_rebar(struct config_group *group,
				      const char *name)
{
	struct front_function *f = container_of(group, struct front_function,
						rebar_group);
	int index = parse_index("rebar", name);

	if (index < 0)
		return ERR_PTR(index);
	return make_leaf(f, index, name, &rebar_type, &f->rebars);
}

static void drop_rebar(struct config_group *group, struct config_item *item)
{
	drop_leaf(item, &to_leaf(item)->function->rebars, to_rebar(item),
		  sizeof(struct sim_rebar_desc));
}

static const char *const window_names[FRONT_WINDOW_KINDS] = {
	[FRONT_WINDOW_IO] = "io",
	[FRONT_WINDOW_MEM] = "mem",
	[FRONT_WINDOW_PREF32] = "pref32",
	[FRONT_WINDOW_PREF64] = "pref64",
};

static struct config_item *make_window(struct config_group *group,
				       const char *name)
{
	struct front_function *f = container_of(group, struct front_function,
						window_group);
	int i = match_string(window_names, FRONT_WINDOW_KINDS, name);

	if (i < 0) {
		pr_err("windows: '%s' is not io, mem, pref32 or pref64\n",
		       name);
		return ERR_PTR(-EINVAL);
	}
	return make_leaf(f, i, name, &window_type, &f->windows);
}

/* Without its folder a window is closed: its end below its start. */
static void drop_window(struct config_group *group, struct config_item *item)
{
	struct sim_range *r = to_window(item);
	struct front_leaf *leaf = to_leaf(item);

	mutex_lock(&leaf->function->machine->lock);
	r->start = 1;
	r->end = 0;
	leaf->function->windows &= ~BIT(leaf->index);
	mutex_unlock(&leaf->function->machine->lock);
	config_item_put(item);
}

static struct configfs_group_operations bars_group_ops = {
	.make_item = make_bar,
	.drop_item = drop_bar,
};

const struct config_item_type front_bars_type = {
	.ct_owner = THIS_MODULE,
	.ct_group_ops = &bars_group_ops,
};

static struct configfs_group_operations rebars_group_ops = {
	.make_item = make_rebar,
	.drop_item = drop_rebar,
};

const struct config_item_type front_rebars_type = {
	.ct_owner = THIS_MODULE,
	.ct_group_ops = &rebars_group_ops,
};

static struct configfs_group_operations windows_group_ops = {
	.make_item = make_window,
	.drop_item = drop_window,
};

const struct config_item_type front_windows_type = {
	.ct_owner = THIS_MODULE,
	.ct_group_ops = &windows_group_ops,
};
