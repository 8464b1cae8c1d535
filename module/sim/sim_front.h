/* SPDX-License-Identifier: GPL-2.0-only */
/* The configfs folders a user makes, and what their files share. */
#ifndef PEERBAR_SIM_FRONT_H
#define PEERBAR_SIM_FRONT_H

#include <linux/configfs.h>
#include <linux/list.h>
#include <linux/mutex.h>

#include "sim.h"

struct front_machine {
	struct config_group group;
	struct config_group host_group;
	struct config_group function_group;
	struct mutex lock;		/* everything below, and children */
	bool preset;
	bool busy;			/* live, or about to be, or just was */
	struct sim_device *device;	/* while live */
	struct list_head hosts;
	struct list_head functions;
};

struct front_host {
	struct config_group group;
	struct config_group window_group;
	struct list_head list;
	struct list_head windows;
	struct front_machine *machine;
	struct sim_host_desc desc;	/* without the windows */
};

/* Attributes that an untouched folder leaves to be worked out. */
#define FRONT_UNSET (-1)

struct front_function {
	struct config_group group;
	struct config_group bar_group;
	struct config_group rebar_group;
	struct config_group window_group;
	struct list_head list;
	struct front_machine *machine;
	struct sim_function_desc desc;
	struct sim_range pref_windows[2];	/* pref32, pref64 */
	int header;			/* 0, 1 or unset: as the port says */
	int decode;			/* 0, 1 or unset: if anything is preset */
	int link_speed, link_target;	/* unset: link_max_speed */
	int link_width;			/* unset: link_max_width */
	unsigned int bars;		/* folders that exist: bit n, BAR n */
	unsigned int rebars;
	unsigned int windows;		/* bit n: enum front_window_kind */
};

enum front_window_kind {
	FRONT_WINDOW_IO,
	FRONT_WINDOW_MEM,
	FRONT_WINDOW_PREF32,
	FRONT_WINDOW_PREF64,
	FRONT_WINDOW_KINDS,
};

/* A folder inside bars/, rebar/ or windows/: @index says which one. */
struct front_leaf {
	struct config_item item;
	struct front_function *function;
	int index;
};

extern const struct config_item_type front_hosts_type;
extern const struct config_item_type front_functions_type;
extern const struct config_item_type front_bars_type;
extern const struct config_item_type front_rebars_type;
extern const struct config_item_type front_windows_type;

/* Under the machine's lock: copy what the folders say. */
int front_host_collect(const struct front_host *h, struct sim_host_desc *desc,
		       struct sim_error *error);
int front_function_collect(const struct front_function *f,
			   struct sim_function_desc *desc,
			   struct sim_error *error);

int front_lock(struct front_machine *m, struct config_item *item);
ssize_t front_refuse(struct config_item *item, const char *attribute,
		     const char *page, const char *wanted);
ssize_t front_store_number(struct front_machine *m, struct config_item *item,
			   const char *attribute, const char *page,
			   size_t count, u64 max, void *field, size_t size);

/*
 * The attribute @name of a folder: a number at @field of the object that
 * @to makes of the item, @machine its machine.
 */
#define FRONT_NUMBER(prefix, name, to, machine_, field, max, format)	     \
static ssize_t prefix##_##name##_show(struct config_item *item, char *page) \
{									     \
	return sprintf(page, format "\n", to(item)->field);		     \
}									     \
static ssize_t prefix##_##name##_store(struct config_item *item,	     \
				       const char *page, size_t count)	     \
{									     \
	return front_store_number(to(item)->machine_, item, #name, page,     \
				  count, max, &to(item)->field,		     \
				  sizeof(to(item)->field));		     \
}									     \
CONFIGFS_ATTR(prefix##_, name)

#endif
