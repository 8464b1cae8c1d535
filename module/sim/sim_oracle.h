/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The oracle: from registers alone it decides, after every write to
 * configuration space, whether addresses that were in use still work.
 */
#ifndef PEERBAR_SIM_ORACLE_H
#define PEERBAR_SIM_ORACLE_H

#include "sim_desc.h"

#ifdef __cplusplus
extern "C" {
#endif

#define SIM_ORACLE_RECORDS 32

/* What the oracle is told about a function: its registers and its place. */
struct sim_oracle_function {
	const u8 *config;
	int parent;		/* index of the bridge above, -1 on a root bus */
	u32 host;
	u32 domain;
	u8 bus;
	u8 devfn;
	u64 bar_size[SIM_BARS];	/* of BARs that cannot be resized */
	u64 rom_size;
};

struct sim_oracle_host {
	u32 nwindows;
	struct sim_range windows[SIM_HOST_WINDOWS];
};

/* A rule that was broken, and by which write. */
struct sim_violation {
	u64 write;
	u32 domain;
	u8 bus;
	u8 devfn;
	u16 reg;
	const char *rule;
	char text[160];
};

struct sim_oracle;

/*
 * Functions are given in depth-first order: a bridge before what is below
 * it, and everything below it before its next sibling. The arrays may go
 * away after the call, the configuration spaces may not. NULL: no memory.
 */
struct sim_oracle *sim_oracle_create(const struct sim_oracle_host *hosts,
				     u32 nhosts,
				     const struct sim_oracle_function *functions,
				     u32 nfunctions);
void sim_oracle_destroy(struct sim_oracle *o);

/* Look at what the write @write to @reg of function @index has changed. */
void sim_oracle_after_write(struct sim_oracle *o, u32 index, u64 write,
			    u16 reg);

/*
 * By default every claim counts. With @in_use, a claim counts only while it
 * says so about its function: before a kernel has handed a function to its
 * users, it may close windows above it for a moment. What is let pass for
 * that reason is counted apart. Called from sim_oracle_after_write().
 */
void sim_oracle_set_in_use(struct sim_oracle *o,
			   bool (*in_use)(void *context, u32 index),
			   void *context);

u64 sim_oracle_violations(const struct sim_oracle *o);
u64 sim_oracle_unused(const struct sim_oracle *o);
/* Losses within the kernel's own rewrite of a window: see sim_oracle.c. */
u64 sim_oracle_rewrites(const struct sim_oracle *o);
/* The first SIM_ORACLE_RECORDS of them, or NULL. */
const struct sim_violation *sim_oracle_record(const struct sim_oracle *o,
					      u32 index);

/* One line of the report, without the newline. */
int sim_violation_print(const struct sim_violation *v, char *text, size_t size);

#ifdef __cplusplus
}
#endif

#endif
