/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A machine at work: the tree of functions, the way configuration cycles
 * take through it, and the oracle that watches.
 */
#ifndef PEERBAR_SIM_MODEL_H
#define PEERBAR_SIM_MODEL_H

#include "sim_cfgspace.h"
#include "sim_oracle.h"

#ifdef __cplusplus
extern "C" {
#endif

struct sim_function {
	struct sim_function_desc desc;
	struct sim_cfgspace space;
	struct sim_function *parent;	/* NULL on a root bus */
	struct sim_function *child;	/* first function on its secondary */
	struct sim_function *next;	/* next one on the same bus */
	u32 index;			/* depth-first, as the oracle counts */
};

struct sim_host {
	struct sim_host_desc desc;
	struct sim_function *child;
	struct sim_machine *machine;
};

struct sim_machine {
	bool preset;
	u32 nhosts;
	u32 nfunctions;
	struct sim_host *hosts;
	struct sim_function *functions;
	struct sim_oracle *oracle;
	u64 reads;
	u64 writes;
};

/*
 * Build a machine. NULL with *error filled if the description is not valid
 * or there is no memory (error->text then says so). @desc is put in order
 * of address and may be freed afterwards.
 */
struct sim_machine *sim_machine_create(struct sim_machine_desc *desc,
				       struct sim_error *error);
void sim_machine_destroy(struct sim_machine *m);

/*
 * Configuration cycles as the root complex sends them. What no function
 * answers reads as all ones and swallows writes. The caller serialises.
 */
u32 sim_config_read(struct sim_host *h, u8 bus, u8 devfn, u16 offset,
		    u8 size);
void sim_config_write(struct sim_host *h, u8 bus, u8 devfn, u16 offset,
		      u8 size, u32 value);

/* The function that answers on @bus, by the bus numbers in the bridges. */
struct sim_function *sim_route_config(struct sim_host *h, u8 bus, u8 devfn);

#ifdef __cplusplus
}
#endif

#endif
