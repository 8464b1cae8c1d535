// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks on the functions of a description: their registers, their place
 * and what they share with others.
 */
#include "sim_desc.h"

#define SIM_4G 0x100000000ULL
#define SIM_1M 0x100000ULL

static int fail(struct sim_error *error, const struct sim_function_desc *f,
		const char *text)
{
	char name[32];

	sim_function_name(f, name, sizeof(name));
	return sim_fail(error, name, "%s", text);
}

static int fail_bar(struct sim_error *error, const struct sim_function_desc *f,
		    int bar, const char *text)
{
	char name[32];

	sim_function_name(f, name, sizeof(name));
	return sim_fail(error, name, "bars/%d: %s", bar, text);
}

static int fail_pair(struct sim_error *error,
		     const struct sim_function_desc *f,
		     const struct sim_function_desc *other, const char *text)
{
	char name[32], second[32];

	sim_function_name(f, name, sizeof(name));
	sim_function_name(other, second, sizeof(second));
	return sim_fail(error, name, "%s %s", text, second);
}

static bool is_power_of_two(u64 n)
{
	return n && !(n & (n - 1));
}

static const struct sim_host_desc *
find_host(const struct sim_machine_desc *m, const struct sim_function_desc *f)
{
	u32 i;

	for (i = 0; i < m->nhosts; i++) {
		const struct sim_host_desc *h = &m->hosts[i];

		if (h->domain == f->domain && h->bus_start <= f->bus &&
		    f->bus <= h->bus_end)
			return h;
	}
	return NULL;
}

static const struct sim_function_desc *
find_bridge_above(const struct sim_machine_desc *m,
		  const struct sim_function_desc *f)
{
	u32 i;

	for (i = 0; i < m->nfunctions; i++) {
		const struct sim_function_desc *p = &m->functions[i];

		if (p->bridge && p->domain == f->domain &&
		    p->secondary == f->bus)
			return p;
	}
	return NULL;
}

/* PCIe r6.2, sec. 7.5.1.2.1: a memory BAR asks for 16 bytes to 2^63. */
static int check_bar(const struct sim_function_desc *f, int i,
		     struct sim_error *error)
{
	const struct sim_bar_desc *b = &f->bars[i];
	int slots = f->bridge ? SIM_BRIDGE_BARS : SIM_BARS;
	bool is_64 = sim_space_is_64(b->space);

	if (b->space == SIM_SPACE_NONE)
		return 0;
	if (i >= slots)
		return fail_bar(error, f, i,
				"a bridge has only BARs 0 and 1; remove it or set header to 0");
	if (is_64 && i + 1 >= slots)
		return fail_bar(error, f, i,
				"a 64-bit BAR needs the next register too; use a lower index");
	if (is_64 && f->bars[i + 1].space != SIM_SPACE_NONE)
		return fail_bar(error, f, i + 1,
				"is the upper half of the 64-bit BAR before it; remove it");
	if (!is_power_of_two(b->size))
		return fail_bar(error, f, i, "size is not a power of two");
	if (b->space == SIM_SPACE_IO && (b->size < 4 || b->size > 0x10000))
		return fail_bar(error, f, i, "an io BAR has 4 to 65536 bytes");
	if (b->space != SIM_SPACE_IO && b->size < 16)
		return fail_bar(error, f, i,
				"a memory BAR has at least 16 bytes");
	if (!is_64 && b->size > SIM_4G / 2)
		return fail_bar(error, f, i,
				"a 32-bit BAR has at most 2G; use mem64 or pref64");
	if (b->address & (b->size - 1))
		return fail_bar(error, f, i,
				"address is not a multiple of the size");
	if (!is_64 && b->address > SIM_4G - b->size)
		return fail_bar(error, f, i,
				"address of a 32-bit BAR is above 4G");
	if (b->space == SIM_SPACE_IO && b->address > 0x10000 - b->size)
		return fail_bar(error, f, i,
				"address of an io BAR is above 0xffff");
	return 0;
}

/* PCIe r6.2, sec. 7.8.6: Resizable BAR; bit n of sizes stands for 2^n MiB. */
static int check_rebar(const struct sim_function_desc *f, int i,
		       struct sim_error *error)
{
	const struct sim_rebar_desc *r = &f->rebar[i];
	const struct sim_bar_desc *b = &f->bars[i];

	if (!r->sizes && !r->current_size)
		return 0;
	if (f->port == SIM_PORT_CONVENTIONAL)
		return fail_bar(error, f, i,
				"rebar needs a PCI Express port type, not conventional");
	if (b->space == SIM_SPACE_NONE || b->space == SIM_SPACE_IO)
		return fail_bar(error, f, i,
				"rebar is for a memory BAR that exists");
	if (!r->sizes)
		return fail_bar(error, f, i, "rebar has no sizes");
	if (r->sizes >> 44)
		return fail_bar(error, f, i, "rebar sizes go from 1M to 8E");
	if (!sim_space_is_64(b->space) && r->sizes >> 12)
		return fail_bar(error, f, i,
				"rebar sizes above 2G need a 64-bit BAR");
	if (!is_power_of_two(r->current_size) || r->current_size < SIM_1M ||
	    !(r->sizes & (r->current_size / SIM_1M)))
		return fail_bar(error, f, i,
				"rebar current is not one of its sizes");
	if (r->current_size != b->size)
		return fail_bar(error, f, i,
				"size differs from rebar current; make them equal");
	return 0;
}

static bool valid_width(u8 width)
{
	return width == 12 || (width <= 32 && is_power_of_two(width));
}

static int check_registers(const struct sim_function_desc *f,
			   struct sim_error *error)
{
	int i, ret;

	if (f->vendor == 0 || f->vendor == 0xffff)
		return fail(error, f,
			    "vendor must be set, and not to 0 or 0xffff, which mean an empty slot");
	for (i = 0; i < SIM_BARS; i++) {
		ret = check_bar(f, i, error);
		if (!ret)
			ret = check_rebar(f, i, error);
		if (ret)
			return ret;
	}
	if (f->rom && (!is_power_of_two(f->rom) || f->rom < 2048 ||
		       f->rom > 16 * SIM_1M))
		return fail(error, f,
			    "rom must be a power of two from 2K to 16M");
	if (f->acs_enabled & ~f->acs_capable)
		return fail(error, f,
			    "acs_enabled has bits that acs_capable has not");
	if (f->has_acs && f->port == SIM_PORT_CONVENTIONAL)
		return fail(error, f,
			    "ACS needs a PCI Express port type, not conventional");
	if (f->link_speed < 1 || f->link_speed > f->link_max_speed ||
	    f->link_max_speed > SIM_SPEED_MAX || f->link_target < 1 ||
	    f->link_target > SIM_SPEED_MAX)
		return fail(error, f,
			    "link_speed must be from 2.5 to link_max_speed, which is at most 32.0");
	if (!valid_width(f->link_width) || !valid_width(f->link_max_width) ||
	    f->link_width > f->link_max_width)
		return fail(error, f,
			    "link_width must be 1, 2, 4, 8, 12, 16 or 32 and at most link_max_width");
	return 0;
}

static int check_window(const struct sim_function_desc *f, struct sim_range r,
			u64 granule, u64 limit, const char *kind,
			struct sim_error *error)
{
	char name[32];

	if (sim_range_empty(r))
		return 0;
	sim_function_name(f, name, sizeof(name));
	if (r.start % granule || (r.end + 1) % granule)
		return sim_fail(error, name,
				"windows/%s: start and end + 1 must be multiples of %#llx",
				kind, granule);
	if (r.end > limit)
		return sim_fail(error, name, "windows/%s: end is above %#llx",
				kind, limit);
	return 0;
}

/* Window granularity: PCIe r6.2, sec. 7.5.1.3.6 to 7.5.1.3.9. */
static int check_windows(const struct sim_function_desc *f,
			 struct sim_error *error)
{
	int ret;

	ret = check_window(f, f->io, 0x1000, 0xffffffff, "io", error);
	if (!ret)
		ret = check_window(f, f->mem, SIM_1M, SIM_4G - 1, "mem",
				   error);
	if (!ret)
		ret = check_window(f, f->pref, SIM_1M,
				   f->pref32 ? SIM_4G - 1 : ~0ULL - 1,
				   f->pref32 ? "pref32" : "pref64", error);
	return ret;
}

static int check_bus_numbers(const struct sim_machine_desc *m,
			     const struct sim_function_desc *f,
			     const struct sim_host_desc *host,
			     const struct sim_function_desc *above,
			     struct sim_error *error)
{
	u8 last = above ? above->subordinate : host->bus_end;
	u32 i;

	if (!f->bridge) {
		if (f->secondary || f->subordinate)
			return fail(error, f,
				    "secondary and subordinate are for header 1 only");
		return 0;
	}
	if (f->secondary <= f->bus)
		return fail(error, f,
			    "secondary must be above the bridge's own bus (a bus loop otherwise)");
	if (f->subordinate < f->secondary)
		return fail(error, f, "subordinate is below secondary");
	if (f->subordinate > last)
		return fail(error, f,
			    "subordinate is outside the bus numbers of the bridge above");

	for (i = 0; i < m->nfunctions; i++) {
		const struct sim_function_desc *o = &m->functions[i];

		if (o == f || !o->bridge || o->domain != f->domain ||
		    o->bus != f->bus)
			continue;
		if (f->secondary <= o->subordinate &&
		    o->secondary <= f->subordinate)
			return fail_pair(error, f, o,
					 "bus numbers overlap those of");
	}
	return 0;
}

/* Where each port type may sit: PCIe r6.2, sec. 1.3 and 7.3.1. */
static int check_place(const struct sim_function_desc *f,
		       const struct sim_function_desc *above,
		       struct sim_error *error)
{
	enum sim_port port = f->port;
	bool link_above = above && (above->port == SIM_PORT_ROOT ||
				    above->port == SIM_PORT_DOWNSTREAM);

	if (f->bridge && (port == SIM_PORT_ENDPOINT ||
			  port == SIM_PORT_LEGACY_ENDPOINT ||
			  port == SIM_PORT_ROOT_INTEGRATED))
		return fail(error, f,
			    "an endpoint has header 0; set port to root, upstream, downstream or conventional");
	if (!f->bridge &&
	    (port == SIM_PORT_UPSTREAM || port == SIM_PORT_DOWNSTREAM))
		return fail(error, f, "a switch port has header 1");
	if ((port == SIM_PORT_ROOT || port == SIM_PORT_ROOT_INTEGRATED) &&
	    above)
		return fail_pair(error, f, above,
				 "root and root-integrated must be on the root bus, not below");
	if (port == SIM_PORT_UPSTREAM && !link_above)
		return fail(error, f,
			    "an upstream port must be below a root or downstream port");
	if (port == SIM_PORT_DOWNSTREAM &&
	    (!above || above->port != SIM_PORT_UPSTREAM))
		return fail(error, f,
			    "a downstream port must be below an upstream port");
	if (link_above && SIM_SLOT(f->devfn))
		return fail_pair(error, f, above,
				 "only device 0 exists on the link below");
	return 0;
}

static int check_function_0(const struct sim_machine_desc *m, u32 index,
			    struct sim_error *error)
{
	const struct sim_function_desc *f = &m->functions[index];

	/* Sorted: function 0 is the first one with this device number. */
	while (index-- > 0) {
		const struct sim_function_desc *o = &m->functions[index];

		if (o->domain != f->domain || o->bus != f->bus ||
		    SIM_SLOT(o->devfn) != SIM_SLOT(f->devfn))
			break;
		if (!SIM_FUNC(o->devfn))
			return 0;
	}
	return fail(error, f,
		    "function 0 of this device is missing, so nothing would find it");
}

static int check_siblings(const struct sim_machine_desc *m, u32 index,
			  struct sim_error *error)
{
	const struct sim_function_desc *f = &m->functions[index];
	u32 i;

	for (i = 0; i < index; i++) {
		const struct sim_function_desc *o = &m->functions[i];

		if (!o->bridge || o->domain != f->domain || o->bus != f->bus)
			continue;
		if ((!sim_range_empty(f->mem) && !sim_range_empty(o->mem) &&
		     sim_range_overlaps(f->mem, o->mem)) ||
		    (!sim_range_empty(f->pref) && !sim_range_empty(o->pref) &&
		     sim_range_overlaps(f->pref, o->pref)) ||
		    (!sim_range_empty(f->mem) && !sim_range_empty(o->pref) &&
		     sim_range_overlaps(f->mem, o->pref)) ||
		    (!sim_range_empty(f->pref) && !sim_range_empty(o->mem) &&
		     sim_range_overlaps(f->pref, o->mem)))
			return fail_pair(error, f, o,
					 "a memory window overlaps one of");
		if (!sim_range_empty(f->io) && !sim_range_empty(o->io) &&
		    sim_range_overlaps(f->io, o->io))
			return fail_pair(error, f, o,
					 "the io window overlaps that of");
	}
	return 0;
}

static bool preset_bars_overlap(const struct sim_function_desc *a,
				const struct sim_function_desc *b)
{
	int i, j;

	for (i = 0; i < SIM_BARS; i++) {
		const struct sim_bar_desc *x = &a->bars[i];
		bool x_io = x->space == SIM_SPACE_IO;

		if (x->space == SIM_SPACE_NONE || !x->address)
			continue;
		for (j = 0; j < SIM_BARS; j++) {
			const struct sim_bar_desc *y = &b->bars[j];

			if (x == y || y->space == SIM_SPACE_NONE ||
			    !y->address || x_io != (y->space == SIM_SPACE_IO))
				continue;
			if (x->address < y->address + y->size &&
			    y->address < x->address + x->size)
				return true;
		}
	}
	return false;
}

int sim_desc_check_function(const struct sim_machine_desc *m, u32 index,
			    struct sim_error *error)
{
	const struct sim_function_desc *f = &m->functions[index];
	const struct sim_function_desc *above;
	const struct sim_host_desc *host = find_host(m, f);
	u32 i;
	int ret;

	if (!host)
		return fail(error, f,
			    "no host bridge has this domain and bus number");
	if (index && !sim_function_compare(f, f - 1))
		return fail(error, f, "two functions have this address");
	above = find_bridge_above(m, f);
	if (f->bus != host->bus_start && !above)
		return fail(error, f,
			    "its bus is neither the root bus nor any bridge's secondary");

	ret = check_registers(f, error);
	if (!ret)
		ret = check_windows(f, error);
	if (!ret)
		ret = check_place(f, above, error);
	if (!ret)
		ret = check_bus_numbers(m, f, host, above, error);
	if (!ret && SIM_FUNC(f->devfn))
		ret = check_function_0(m, index, error);
	if (!ret && f->bridge && m->preset)
		ret = check_siblings(m, index, error);
	for (i = 0; !ret && m->preset && i <= index; i++)
		if (preset_bars_overlap(f, &m->functions[i]))
			ret = fail_pair(error, f, &m->functions[i],
					"a preset BAR overlaps one of");
	return ret;
}
