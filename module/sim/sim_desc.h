/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Description of a machine: what configfs collects and what the model is
 * built from. Plain data, no behaviour.
 */
#ifndef PEERBAR_SIM_DESC_H
#define PEERBAR_SIM_DESC_H

#include "sim_types.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SIM_BARS 6
#define SIM_BRIDGE_BARS 2
#define SIM_HOST_WINDOWS 32

enum sim_space {
	SIM_SPACE_NONE,
	SIM_SPACE_IO,
	SIM_SPACE_MEM32,
	SIM_SPACE_PREF32,
	SIM_SPACE_MEM64,
	SIM_SPACE_PREF64,
};

enum sim_port {
	SIM_PORT_ENDPOINT,
	SIM_PORT_LEGACY_ENDPOINT,
	SIM_PORT_ROOT,
	SIM_PORT_UPSTREAM,
	SIM_PORT_DOWNSTREAM,
	SIM_PORT_CONVENTIONAL,
	SIM_PORT_ROOT_INTEGRATED,
};

/* Link speeds as the register fields count them: 1 = 2.5 GT/s ... 5 = 32 GT/s */
#define SIM_SPEED_MAX 5

struct sim_bar_desc {
	enum sim_space space;
	u64 size;
	u64 address;	/* 0: not preset */
};

struct sim_rebar_desc {
	u64 sizes;	/* bit n: 2^n MiB is supported; 0: no entry */
	u64 current_size;	/* bytes */
};

struct sim_function_desc {
	u32 domain;
	u8 bus;
	u8 devfn;
	u16 vendor;
	u16 device;
	u16 subsystem_vendor;
	u16 subsystem_device;
	u32 class_code;
	u8 revision;
	enum sim_port port;
	bool bridge;		/* header type 1 */
	u8 secondary;
	u8 subordinate;
	u32 rom;
	bool decode;		/* memory and I/O decode on at hand-over */
	bool hotplug;
	u8 link_speed, link_max_speed, link_target;
	u8 link_width, link_max_width;
	bool has_acs;
	u16 acs_capable;
	u16 acs_enabled;
	struct sim_bar_desc bars[SIM_BARS];
	struct sim_rebar_desc rebar[SIM_BARS];
	/* Bridge windows as firmware left them; empty: closed. */
	struct sim_range io, mem, pref;
	bool pref32;		/* prefetchable window has no upper registers */
};

struct sim_host_window_desc {
	enum sim_space space;
	struct sim_range range;
};

struct sim_host_desc {
	u32 domain;
	u8 bus_start;
	u8 bus_end;
	int node;
	u32 nwindows;
	struct sim_host_window_desc windows[SIM_HOST_WINDOWS];
};

struct sim_machine_desc {
	bool preset;
	u32 nhosts;
	u32 nfunctions;
	struct sim_host_desc *hosts;
	struct sim_function_desc *functions;
};

/* What is wrong with a description: which object, and what to do about it. */
struct sim_error {
	int code;		/* -EINVAL, or -ENOMEM */
	char where[32];
	char text[160];
};

/* The values an untouched configfs entry stands for. */
void sim_function_desc_init(struct sim_function_desc *f);

bool sim_space_is_64(enum sim_space space);
bool sim_space_is_prefetchable(enum sim_space space);

/* Put functions in order of address, which the checks below rely on. */
void sim_desc_sort(struct sim_machine_desc *m);

/*
 * 0, or -EINVAL with *error saying which function or host bridge is not
 * possible in hardware and what has to change.
 */
int sim_desc_validate(const struct sim_machine_desc *m,
		      struct sim_error *error);

/* The part of it that is about the function at @index: sim_check.c */
int sim_desc_check_function(const struct sim_machine_desc *m, u32 index,
			    struct sim_error *error);

/* By address, for sort(). */
int sim_function_compare(const void *a, const void *b);

/* Fill *error; returns error->code, which is -EINVAL. */
int sim_fail(struct sim_error *error, const char *where, const char *format,
	     ...) __attribute__((format(printf, 3, 4)));
void sim_function_name(const struct sim_function_desc *f, char *name,
		       size_t size);

#ifdef __cplusplus
}
#endif

#endif
