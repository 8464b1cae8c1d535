// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks on a machine description: only what hardware could be is accepted,
 * so that a mistake in a machine file is not taken for a kernel bug later.
 */
#include "sim_desc.h"

#ifdef __KERNEL__
#include <linux/sort.h>
#include <linux/stdarg.h>
#else
#include <stdarg.h>
#endif

#define SIM_4G 0x100000000ULL

int sim_fail(struct sim_error *error, const char *where, const char *format,
	     ...)
{
	va_list args;

	error->code = -EINVAL;
	snprintf(error->where, sizeof(error->where), "%s", where);
	va_start(args, format);
	vsnprintf(error->text, sizeof(error->text), format, args);
	va_end(args);
	return error->code;
}

void sim_function_name(const struct sim_function_desc *f, char *name,
		       size_t size)
{
	snprintf(name, size, "%04x:%02x:%02x.%x", f->domain, f->bus,
		 (unsigned int)SIM_SLOT(f->devfn),
		 (unsigned int)SIM_FUNC(f->devfn));
}

void sim_function_desc_init(struct sim_function_desc *f)
{
	memset(f, 0, sizeof(*f));
	f->port = SIM_PORT_ENDPOINT;
	f->link_max_speed = 3;
	f->link_speed = 3;
	f->link_target = 3;
	f->link_max_width = 16;
	f->link_width = 16;
	f->io.start = 1;
	f->mem.start = 1;
	f->pref.start = 1;
}

bool sim_space_is_64(enum sim_space space)
{
	return space == SIM_SPACE_MEM64 || space == SIM_SPACE_PREF64;
}

bool sim_space_is_prefetchable(enum sim_space space)
{
	return space == SIM_SPACE_PREF32 || space == SIM_SPACE_PREF64;
}

int sim_function_compare(const void *a, const void *b)
{
	const struct sim_function_desc *x = a, *y = b;

	if (x->domain != y->domain)
		return x->domain < y->domain ? -1 : 1;
	if (x->bus != y->bus)
		return x->bus < y->bus ? -1 : 1;
	return x->devfn - y->devfn;
}

void sim_desc_sort(struct sim_machine_desc *m)
{
#ifdef __KERNEL__
	sort(m->functions, m->nfunctions, sizeof(*m->functions),
	     sim_function_compare, NULL);
#else
	if (m->nfunctions)
		qsort(m->functions, m->nfunctions, sizeof(*m->functions),
		      sim_function_compare);
#endif
}

static int check_host_window(const struct sim_host_window_desc *w,
			     const char *name, struct sim_error *error)
{
	bool io = w->space == SIM_SPACE_IO;

	if (w->space == SIM_SPACE_NONE)
		return sim_fail(error, name,
				"a window has no type; write io, mem32, pref32, mem64 or pref64");
	if (sim_range_empty(w->range))
		return sim_fail(error, name, "window end %#llx is below its start %#llx",
				w->range.end, w->range.start);
	if (io && w->range.end > 0xffff)
		return sim_fail(error, name, "an io window must end at or below 0xffff");
	if (!io && !sim_space_is_64(w->space) && w->range.end >= SIM_4G)
		return sim_fail(error, name,
				"window end %#llx needs type mem64 or pref64",
				w->range.end);
	return 0;
}

static int check_host_pair(const struct sim_host_desc *a,
			   const struct sim_host_desc *b, const char *name,
			   struct sim_error *error)
{
	u32 i, j;

	if (a != b && a->domain == b->domain && a->bus_start <= b->bus_end &&
	    b->bus_start <= a->bus_end)
		return sim_fail(error, name,
				"bus numbers overlap host bridge %04x:%02x",
				b->domain, b->bus_start);

	for (i = 0; i < a->nwindows; i++) {
		for (j = 0; j < b->nwindows; j++) {
			const struct sim_host_window_desc *v = &a->windows[i];
			const struct sim_host_window_desc *w = &b->windows[j];

			if (v == w || (v->space == SIM_SPACE_IO) !=
				      (w->space == SIM_SPACE_IO))
				continue;
			if (sim_range_overlaps(v->range, w->range))
				return sim_fail(error, name,
						"window %#llx-%#llx overlaps %#llx-%#llx of host bridge %04x:%02x",
						v->range.start, v->range.end,
						w->range.start, w->range.end,
						b->domain, b->bus_start);
		}
	}
	return 0;
}

static int check_hosts(const struct sim_machine_desc *m,
		       struct sim_error *error)
{
	char name[32];
	u32 i, j;
	int ret;

	if (!m->nhosts)
		return sim_fail(error, "host_bridges",
				"a machine needs at least one host bridge");

	for (i = 0; i < m->nhosts; i++) {
		const struct sim_host_desc *h = &m->hosts[i];

		snprintf(name, sizeof(name), "%04x:%02x", h->domain,
			 h->bus_start);
		if (h->bus_end < h->bus_start)
			return sim_fail(error, name,
					"bus_end is below bus_start");
		for (j = 0; j < h->nwindows; j++) {
			ret = check_host_window(&h->windows[j], name, error);
			if (ret)
				return ret;
		}
		for (j = 0; j <= i; j++) {
			ret = check_host_pair(h, &m->hosts[j], name, error);
			if (ret)
				return ret;
		}
	}
	return 0;
}

int sim_desc_validate(const struct sim_machine_desc *m,
		      struct sim_error *error)
{
	u32 i;
	int ret;

	ret = check_hosts(m, error);
	for (i = 0; !ret && i < m->nfunctions; i++)
		ret = sim_desc_check_function(m, i, error);
	return ret;
}
