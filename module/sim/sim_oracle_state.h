/* SPDX-License-Identifier: GPL-2.0-only */
/* Inside the oracle: its state, and what its two files share. */
#ifndef PEERBAR_SIM_ORACLE_STATE_H
#define PEERBAR_SIM_ORACLE_STATE_H

#include "sim_oracle.h"

/* PCI Express r6.2, sec. 7.5.1 and 7.8.6 */
enum {
	REG_COMMAND = 0x04,
	REG_HEADER = 0x0e,
	REG_BAR = 0x10,
	REG_MEMORY_WINDOW = 0x20,
	REG_PREF_WINDOW = 0x24,
	REG_PREF_BASE_UPPER = 0x28,
	REG_PREF_LIMIT_UPPER = 0x2c,
	REG_ROM = 0x30,
	REG_BRIDGE_ROM = 0x38,
	REG_EXTENDED = 0x100,
	COMMAND_MEMORY = 0x02,
	BAR_IO = 0x01,
	BAR_TYPE = 0x06,
	BAR_TYPE_64 = 0x04,
	ID_REBAR = 0x15,
	ROM_BAR = SIM_BARS,
};

struct node {
	const u8 *config;
	int parent;
	u32 host;
	u32 domain;
	u8 bus;
	u8 devfn;
	bool bridge;
	u32 last;		/* last function at or below this one */
	u32 first_claim, nclaims;
	u32 first_sibling;
	u16 rebar[SIM_BARS];	/* control register of each BAR, or 0 */
	struct sim_range mem, pref;
};

struct claim {
	u32 node;
	u8 bar;			/* ROM_BAR: the expansion ROM */
	u64 size;
	struct sim_range range;
	bool live;
	bool held;		/* live and reached: protected by the rules */
	bool doubled;		/* a second path was reported */
	bool pending;		/* lost by the first write of a rewrite */
};

struct sim_oracle {
	u32 nnodes, nclaims, nhosts;
	struct node *nodes;
	struct claim *claims;
	struct sim_oracle_host *hosts;
	u64 violations;
	u64 unused;
	u64 rewrites;
	/* A rewrite under way: its bridge, its first write, what comes next. */
	u32 rewriter;
	u64 rewrite_start;
	u32 rewrite_step;
	u32 npending;
	bool (*in_use)(void *context, u32 index);
	void *context;
	u64 write;
	u16 reg;
	u32 writer;
	struct sim_violation records[SIM_ORACLE_RECORDS];
};

/* sim_oracle_regs.c */
extern const struct sim_range sim_oracle_nowhere;
struct sim_range sim_oracle_bar(const struct node *n, const struct claim *c);
/* Decode a bridge's windows again; whether they changed. */
bool sim_oracle_windows(struct node *n);
bool sim_oracle_same(struct sim_range a, struct sim_range b);

/* sim_oracle.c: the state at hand-over, where counting starts from. */
void sim_oracle_take_stock(struct sim_oracle *o);

#endif
