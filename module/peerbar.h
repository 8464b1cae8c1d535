/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * peerbar report module: the picture of the PCI tree that every file is
 * printed from.
 *
 * A read takes the picture under the kernel's rescan lock and lets go of the
 * lock before the first line is printed. All derivations work on the picture,
 * so a slow reader never holds up a rescan and never sees half of one.
 */
#ifndef PEERBAR_H
#define PEERBAR_H

#include <linux/types.h>

struct pci_dev;
struct seq_file;

/* What a file needs read from configuration space, see peerbar_snap_take(). */
#define PEERBAR_WANT_ACS	BIT(0)
#define PEERBAR_WANT_LINK	BIT(1)
#define PEERBAR_WANT_REBAR	BIT(2)

/* PCIe r6.2, sec. 7.8.6: a function has at most six resizable BARs. */
#define PEERBAR_MAX_REBAR	6

/* Ports with ACS redirect that a p2p line names; more are counted only. */
#define PEERBAR_MAX_ACS_PORTS	8

#define PEERBAR_NONE		(-1)

enum peerbar_state {
	PEERBAR_PRESENT,
	PEERBAR_ASLEEP,		/* unreachable until its path is woken */
	PEERBAR_LOST,		/* configuration space reads all ones */
};

/**
 * struct peerbar_rebar - one entry of the Resizable BAR capability
 * @bar: BAR index
 * @size: current size in bytes
 * @sizes: bit n set: 2^n MiB is supported (pci_rebar_get_possible_sizes())
 * @prefetch: the BAR is prefetchable
 */
struct peerbar_rebar {
	u8 bar;
	u64 size;
	u64 sizes;
	bool prefetch;
};

/**
 * struct peerbar_link - link registers of a function, as encoded there
 * @exists: the function has a link
 * @speed: current link speed, 0 when unknown
 * @max_speed: maximum link speed
 * @target: target link speed, 0 when the function has no such register
 * @width: negotiated width
 * @max_width: maximum width
 */
struct peerbar_link {
	bool exists;
	u8 speed;
	u8 max_speed;
	u8 target;
	u8 width;
	u8 max_width;
};

/**
 * struct peerbar_res - a resource of a function or a window of a host bridge
 * @start: first address
 * @end: last address
 * @flags: IORESOURCE_*
 * @id: where the kernel keeps it, used as identity only and never followed
 * @parent_id: the same of the parent
 * @fn: index of the function that owns it, PEERBAR_NONE for a host window
 * @host: index of the host bridge it is below
 * @parent: index of the parent resource, PEERBAR_NONE when not assigned (or,
 *	for a host window, always)
 * @resno: index in pci_dev::resource
 * @window: it is a bridge or host window
 */
struct peerbar_res {
	u64 start;
	u64 end;
	unsigned long flags;
	const void *id;
	const void *parent_id;
	int fn;
	int host;
	int parent;
	u16 resno;
	bool window;
};

/**
 * struct peerbar_fn - one PCI function
 * @pdev: the device, to be used under the rescan lock only
 * @domain: domain
 * @bus: bus number
 * @devfn: device and function number
 * @vendor: vendor ID
 * @device: device ID
 * @class: class code, 24 bit
 * @pcie_type: PCI_EXP_TYPE_*, or PEERBAR_NONE for conventional PCI
 * @up: index of the bridge above, PEERBAR_NONE on a root bus
 * @host: index of the host bridge
 * @state: whether configuration space could be read
 * @bridge: it has a secondary bus
 * @p2pmem: it has published peer-to-peer memory
 * @acs: it has the ACS capability
 * @acs_ctrl: ACS Control Register
 * @link: link registers
 * @rebar: resizable BARs
 * @n_rebar: number of them
 */
struct peerbar_fn {
	struct pci_dev *pdev;
	u32 domain;
	u8 bus;
	u8 devfn;
	u16 vendor;
	u16 device;
	u32 class;
	int pcie_type;
	int up;
	int host;
	enum peerbar_state state;
	bool bridge;
	bool p2pmem;
	bool acs;
	u16 acs_ctrl;
	struct peerbar_link link;
	struct peerbar_rebar rebar[PEERBAR_MAX_REBAR];
	u8 n_rebar;
};

/**
 * struct peerbar_host - one host bridge
 * @domain: domain
 * @bus: number of its root bus
 * @first: index of the first function on the root bus in the kernel's order,
 *	PEERBAR_NONE when the bus is empty
 */
struct peerbar_host {
	u32 domain;
	u8 bus;
	int first;
};

/**
 * struct peerbar_range - part of a host window that is taken, but not by PCI
 * @start: first address
 * @end: last address
 */
struct peerbar_range {
	u64 start;
	u64 end;
};

/**
 * struct peerbar_snap - the picture
 * @fn: functions, a bridge before what is below it
 * @res: resources, host windows included
 * @host: host bridges
 * @busy: ranges taken by others than PCI inside host windows
 * @n_fn: number of functions
 * @n_res: number of resources
 * @n_host: number of host bridges
 * @n_busy: number of such ranges
 * @cap_fn: room in @fn
 * @cap_res: room in @res
 * @cap_host: room in @host
 * @cap_busy: room in @busy
 */
struct peerbar_snap {
	struct peerbar_fn *fn;
	struct peerbar_res *res;
	struct peerbar_host *host;
	struct peerbar_range *busy;
	int n_fn, n_res, n_host, n_busy;
	int cap_fn, cap_res, cap_host, cap_busy;
};

/**
 * struct peerbar_line - what one line of a file is about
 * @a: index of a resource or function, as the file likes
 * @b: index of a second function or a number within the first
 * @distance: p2p only
 * @route: p2p only, enum peerbar_route_kind
 * @reason: p2p only, enum peerbar_reason
 */
struct peerbar_line {
	int a;
	int b;
	int distance;
	u8 route;
	u8 reason;
};

/**
 * struct peerbar_report - one file while it is being read
 * @file: which file
 * @snap: picture it is printed from
 * @line: its lines
 * @n_line: number of lines
 * @cap_line: room in @line
 */
struct peerbar_report {
	const struct peerbar_file *file;
	struct peerbar_snap snap;
	struct peerbar_line *line;
	int n_line, cap_line;
};

/**
 * struct peerbar_file - one debugfs file
 * @name: its name
 * @want: PEERBAR_WANT_*
 * @build: fills the lines of a report; called under the rescan lock
 * @head: prints comment lines after the first one, optional
 * @show: prints line @i; called without any lock
 */
struct peerbar_file {
	const char *name;
	unsigned int want;
	int (*build)(struct peerbar_report *rep);
	void (*head)(struct seq_file *m);
	void (*show)(struct seq_file *m, const struct peerbar_report *rep,
		     int i);
};

extern const struct peerbar_file peerbar_version_file;
extern const struct peerbar_file peerbar_windows_file;
extern const struct peerbar_file peerbar_rebar_file;
extern const struct peerbar_file peerbar_p2p_file;
extern const struct peerbar_file peerbar_links_file;

/* peerbar_debugfs.c */
int peerbar_debugfs_init(void);
void peerbar_debugfs_exit(void);
struct peerbar_line *peerbar_add_line(struct peerbar_report *rep, int a, int b);
void peerbar_sort_lines(struct peerbar_report *rep);

/* peerbar_snap.c */
int peerbar_grow(void **array, int n, int *cap, size_t size);
int peerbar_snap_take(struct peerbar_snap *snap, unsigned int want);
void peerbar_snap_put_devices(struct peerbar_snap *snap);
void peerbar_snap_free(struct peerbar_snap *snap);

/* peerbar_config.c */
bool peerbar_is_gpu(const struct peerbar_fn *fn);
void peerbar_read_config(struct peerbar_fn *fn, unsigned int want);

/* peerbar_space.c */
u64 peerbar_res_size(const struct peerbar_res *res);
const char *peerbar_window_type(const struct peerbar_res *res);
bool peerbar_next_gap(const struct peerbar_snap *snap, int win, int skip_res,
		      int skip_fn, u64 *pos, struct peerbar_range *gap);
bool peerbar_holds(const struct peerbar_snap *snap, int win, int res);
void peerbar_space_used(const struct peerbar_snap *snap, int win, u64 *used,
			u64 *largest_gap);

/* peerbar_route.c */
enum peerbar_route_kind {
	PEERBAR_ROUTE_NONE,
	PEERBAR_ROUTE_SWITCH,
	PEERBAR_ROUTE_ROOT,
};

enum peerbar_reason {
	PEERBAR_REASON_NONE,
	PEERBAR_REASON_P2PDMA_OFF,
	PEERBAR_REASON_ACS_REDIRECT,
	PEERBAR_REASON_ROOT_NOT_WHITELISTED,
	PEERBAR_REASON_NO_ROOT_DEVICE,
	PEERBAR_REASON_DIFFERENT_HOST_BRIDGES,
	PEERBAR_REASON_REFUSED,		/* by the kernel, for a reason not known here */
	PEERBAR_REASON_ASLEEP,
	PEERBAR_REASON_LOST,
};

/**
 * struct peerbar_path - the way from one function to another
 * @common: lowest function both are at or below, PEERBAR_NONE if there is none
 * @distance: ports on the way, counted as the kernel counts them
 * @n_acs: ports on the way that redirect to the root
 * @acs: the first PEERBAR_MAX_ACS_PORTS of them
 */
struct peerbar_path {
	int common;
	int distance;
	int n_acs;
	int acs[PEERBAR_MAX_ACS_PORTS];
};

void peerbar_path(const struct peerbar_snap *snap, int a, int b,
		  struct peerbar_path *path);
int peerbar_root_device(const struct peerbar_snap *snap, int host);
const char *peerbar_route_name(enum peerbar_route_kind route);
const char *peerbar_reason_name(enum peerbar_reason reason);

/* peerbar_print.c */
void peerbar_print_size(struct seq_file *m, u64 bytes);
void peerbar_print_address(struct seq_file *m, const struct peerbar_snap *snap,
			   int fn);
void peerbar_print_owner(struct seq_file *m, const struct peerbar_snap *snap,
			 int res);
void peerbar_print_state(struct seq_file *m, enum peerbar_state state);

#endif
