// SPDX-License-Identifier: GPL-2.0-only
/* configfs front: functions/<dddd:bb:dd.f>/ and its attributes. */
#define pr_fmt(fmt) "peerbar-sim: " fmt

#include <linux/err.h>
#include <linux/module.h>
#include <linux/slab.h>

#include "sim_front.h"
#include "sim_parse.h"

static struct front_function *to_function(struct config_item *item)
{
	return container_of(to_config_group(item), struct front_function,
			    group);
}

#define FUNCTION_NUMBER(name, field, max, format)			\
	FRONT_NUMBER(function, name, to_function, machine, field, max, format)

FUNCTION_NUMBER(vendor, desc.vendor, 0xffff, "0x%04x");
FUNCTION_NUMBER(device, desc.device, 0xffff, "0x%04x");
FUNCTION_NUMBER(subsystem_vendor, desc.subsystem_vendor, 0xffff, "0x%04x");
FUNCTION_NUMBER(subsystem_device, desc.subsystem_device, 0xffff, "0x%04x");
FUNCTION_NUMBER(class, desc.class_code, 0xffffff, "0x%06x");
FUNCTION_NUMBER(revision, desc.revision, 0xff, "0x%02x");
FUNCTION_NUMBER(header, header, 1, "%d");
FUNCTION_NUMBER(secondary, desc.secondary, 0xff, "0x%02x");
FUNCTION_NUMBER(subordinate, desc.subordinate, 0xff, "0x%02x");
FUNCTION_NUMBER(rom, desc.rom, 0x7fffffff, "%u");
FUNCTION_NUMBER(decode, decode, 1, "%d");
FUNCTION_NUMBER(link_width, link_width, 32, "%d");
FUNCTION_NUMBER(link_max_width, desc.link_max_width, 32, "%u");
FUNCTION_NUMBER(hotplug, desc.hotplug, 1, "%d");

/* ---- attributes made of words ----------------------------------------- */

static ssize_t function_port_show(struct config_item *item, char *page)
{
	return sprintf(page, "%s\n",
		       sim_port_name(to_function(item)->desc.port));
}

static ssize_t function_port_store(struct config_item *item, const char *page,
				   size_t count)
{
	struct front_function *f = to_function(item);
	enum sim_port port;
	int ret;

	if (sim_parse_port(page, &port))
		return front_refuse(item, "port", page,
				    "root, upstream, downstream, endpoint, legacy-endpoint, conventional or root-integrated");
	ret = front_lock(f->machine, item);
	if (ret)
		return ret;
	f->desc.port = port;
	mutex_unlock(&f->machine->lock);
	return count;
}
CONFIGFS_ATTR(function_, port);

static ssize_t show_speed(int speed, char *page)
{
	return sprintf(page, "%s\n", speed < 0 ? "" : sim_speed_name(speed));
}

/* A speed that was never written (@wide) or one that always has a value. */
static ssize_t store_speed(struct config_item *item, const char *attribute,
			   const char *page, size_t count, int *wide, u8 *field)
{
	struct front_function *f = to_function(item);
	u8 speed;
	int ret;

	if (sim_parse_speed(page, &speed))
		return front_refuse(item, attribute, page,
				    "2.5, 5.0, 8.0, 16.0 or 32.0");
	ret = front_lock(f->machine, item);
	if (ret)
		return ret;
	if (wide)
		*wide = speed;
	else
		*field = speed;
	mutex_unlock(&f->machine->lock);
	return count;
}

static ssize_t function_link_speed_show(struct config_item *item, char *page)
{
	return show_speed(to_function(item)->link_speed, page);
}

static ssize_t function_link_speed_store(struct config_item *item,
					 const char *page, size_t count)
{
	return store_speed(item, "link_speed", page, count,
			   &to_function(item)->link_speed, NULL);
}
CONFIGFS_ATTR(function_, link_speed);

static ssize_t function_link_target_show(struct config_item *item, char *page)
{
	return show_speed(to_function(item)->link_target, page);
}

static ssize_t function_link_target_store(struct config_item *item,
					  const char *page, size_t count)
{
	return store_speed(item, "link_target", page, count,
			   &to_function(item)->link_target, NULL);
}
CONFIGFS_ATTR(function_, link_target);

static ssize_t function_link_max_speed_show(struct config_item *item,
					    char *page)
{
	return show_speed(to_function(item)->desc.link_max_speed, page);
}

static ssize_t function_link_max_speed_store(struct config_item *item,
					     const char *page, size_t count)
{
	return store_speed(item, "link_max_speed", page, count, NULL,
			   &to_function(item)->desc.link_max_speed);
}
CONFIGFS_ATTR(function_, link_max_speed);

static ssize_t show_acs(u16 bits, char *page)
{
	size_t n = sim_print_acs(bits, page, PAGE_SIZE - 1);

	page[n] = '\n';
	return n + 1;
}

/* Writing either list, even an empty one, gives the function ACS. */
static ssize_t store_acs(struct config_item *item, const char *attribute,
			 const char *page, size_t count, u16 *field)
{
	struct front_function *f = to_function(item);
	u16 bits;
	int ret;

	if (sim_parse_acs(page, &bits))
		return front_refuse(item, attribute, page,
				    "a comma list of sv, tb, rr, cr, uf, ec, dt");
	ret = front_lock(f->machine, item);
	if (ret)
		return ret;
	*field = bits;
	f->desc.has_acs = true;
	mutex_unlock(&f->machine->lock);
	return count;
}

static ssize_t function_acs_capable_show(struct config_item *item, char *page)
{
	return show_acs(to_function(item)->desc.acs_capable, page);
}

static ssize_t function_acs_capable_store(struct config_item *item,
					  const char *page, size_t count)
{
	return store_acs(item, "acs_capable", page, count,
			 &to_function(item)->desc.acs_capable);
}
CONFIGFS_ATTR(function_, acs_capable);

static ssize_t function_acs_enabled_show(struct config_item *item, char *page)
{
	return show_acs(to_function(item)->desc.acs_enabled, page);
}

static ssize_t function_acs_enabled_store(struct config_item *item,
					  const char *page, size_t count)
{
	return store_acs(item, "acs_enabled", page, count,
			 &to_function(item)->desc.acs_enabled);
}
CONFIGFS_ATTR(function_, acs_enabled);

static struct configfs_attribute *function_attributes[] = {
	&function_attr_vendor,
	&function_attr_device,
	&function_attr_subsystem_vendor,
	&function_attr_subsystem_device,
	&function_attr_class,
	&function_attr_revision,
	&function_attr_port,
	&function_attr_header,
	&function_attr_secondary,
	&function_attr_subordinate,
	&function_attr_rom,
	&function_attr_decode,
	&function_attr_link_speed,
	&function_attr_link_max_speed,
	&function_attr_link_target,
	&function_attr_link_width,
	&function_attr_link_max_width,
	&function_attr_hotplug,
	&function_attr_acs_capable,
	&function_attr_acs_enabled,
	NULL,
};

/* ---- the folder ------------------------------------------------------- */

static void function_release(struct config_item *item)
{
	kfree(to_function(item));
}

static struct configfs_item_operations function_item_ops = {
	.release = function_release,
};

static struct configfs_group_operations function_group_ops = {};

static const struct config_item_type function_type = {
	.ct_owner = THIS_MODULE,
	.ct_item_ops = &function_item_ops,
	.ct_group_ops = &function_group_ops,
	.ct_attrs = function_attributes,
};

static void add_default_groups(struct front_function *f)
{
	config_group_init_type_name(&f->bar_group, "bars", &front_bars_type);
	configfs_add_default_group(&f->bar_group, &f->group);
	config_group_init_type_name(&f->rebar_group, "rebar",
				    &front_rebars_type);
	configfs_add_default_group(&f->rebar_group, &f->group);
	config_group_init_type_name(&f->window_group, "windows",
				    &front_windows_type);
	configfs_add_default_group(&f->window_group, &f->group);
}

static struct front_function *create_function(u32 domain, u8 bus, u8 devfn)
{
	struct front_function *f = kzalloc(sizeof(*f), GFP_KERNEL);

	if (!f)
		return NULL;
	sim_function_desc_init(&f->desc);
	f->desc.domain = domain;
	f->desc.bus = bus;
	f->desc.devfn = devfn;
	f->header = FRONT_UNSET;
	f->decode = FRONT_UNSET;
	f->link_speed = FRONT_UNSET;
	f->link_target = FRONT_UNSET;
	f->link_width = FRONT_UNSET;
	return f;
}

static struct config_group *make_function(struct config_group *group,
					  const char *name)
{
	struct front_machine *m = container_of(group, struct front_machine,
					       function_group);
	struct front_function *f;
	u32 domain;
	u8 bus, devfn;
	int ret;

	if (sim_parse_function_name(name, &domain, &bus, &devfn)) {
		pr_err("functions: '%s' is not an address such as 0000:05:00.0\n",
		       name);
		return ERR_PTR(-EINVAL);
	}
	f = create_function(domain, bus, devfn);
	if (!f)
		return ERR_PTR(-ENOMEM);
	f->machine = m;
	ret = front_lock(m, &group->cg_item);
	if (ret) {
		kfree(f);
		return ERR_PTR(ret);
	}
	list_add_tail(&f->list, &m->functions);
	config_group_init_type_name(&f->group, name, &function_type);
	add_default_groups(f);
	mutex_unlock(&m->lock);
	return &f->group;
}

static void drop_function(struct config_group *group,
			  struct config_item *item)
{
	struct front_function *f = to_function(item);

	mutex_lock(&f->machine->lock);
	list_del(&f->list);
	mutex_unlock(&f->machine->lock);
	config_item_put(item);
}

static struct configfs_group_operations functions_group_ops = {
	.make_group = make_function,
	.drop_item = drop_function,
};

const struct config_item_type front_functions_type = {
	.ct_owner = THIS_MODULE,
	.ct_group_ops = &functions_group_ops,
};

/* ---- from the folder to a description --------------------------------- */

static bool port_has_header_1(enum sim_port port)
{
	return port == SIM_PORT_ROOT || port == SIM_PORT_UPSTREAM ||
	       port == SIM_PORT_DOWNSTREAM;
}

static bool anything_preset(const struct sim_function_desc *d)
{
	int i;

	for (i = 0; i < SIM_BARS; i++)
		if (d->bars[i].address)
			return true;
	return d->bridge;
}

static int collect_windows(const struct front_function *f,
			   struct sim_function_desc *d, const char *name,
			   struct sim_error *error)
{
	bool pref32 = f->windows & BIT(FRONT_WINDOW_PREF32);

	if (f->windows && !d->bridge)
		return sim_fail(error, name,
				"windows are for bridges; remove them or set header to 1");
	if (pref32 && f->windows & BIT(FRONT_WINDOW_PREF64))
		return sim_fail(error, name,
				"windows/pref32 and windows/pref64 are one register; remove one");
	d->pref32 = pref32;
	if (pref32)
		d->pref = f->pref_windows[0];
	else if (f->windows & BIT(FRONT_WINDOW_PREF64))
		d->pref = f->pref_windows[1];
	return 0;
}

static int check_folders(const struct front_function *f, const char *name,
			 struct sim_error *error)
{
	int i;

	for (i = 0; i < SIM_BARS; i++) {
		if (f->bars & BIT(i) &&
		    f->desc.bars[i].space == SIM_SPACE_NONE)
			return sim_fail(error, name,
					"bars/%d: type was not set", i);
		if (f->rebars & BIT(i) && !f->desc.rebar[i].sizes)
			return sim_fail(error, name,
					"rebar/%d: sizes was not set", i);
	}
	return 0;
}

/**
 * front_function_collect - copy what a function's folders say
 * @f: the folder
 * @d: where to
 * @error: filled on failure
 *
 * Attributes that were not written get the values that follow from others.
 *
 * Return: 0 or -EINVAL.
 */
int front_function_collect(const struct front_function *f,
			   struct sim_function_desc *d,
			   struct sim_error *error)
{
	const char *name = config_item_name((struct config_item *)
					    &f->group.cg_item);
	int ret;

	ret = check_folders(f, name, error);
	if (ret)
		return ret;
	*d = f->desc;
	d->bridge = f->header == FRONT_UNSET ? port_has_header_1(d->port) :
					       f->header;
	ret = collect_windows(f, d, name, error);
	if (ret)
		return ret;
	d->decode = f->decode == FRONT_UNSET ? anything_preset(d) : f->decode;
	d->link_speed = f->link_speed == FRONT_UNSET ? d->link_max_speed :
						       f->link_speed;
	d->link_target = f->link_target == FRONT_UNSET ? d->link_max_speed :
							 f->link_target;
	d->link_width = f->link_width == FRONT_UNSET ? d->link_max_width :
						       f->link_width;
	return 0;
}
