// SPDX-License-Identifier: GPL-2.0-only
/* The words and numbers of the configfs attributes. */
#include "sim_parse.h"

static const char *const space_names[] = {
	[SIM_SPACE_NONE] = "",
	[SIM_SPACE_IO] = "io",
	[SIM_SPACE_MEM32] = "mem32",
	[SIM_SPACE_PREF32] = "pref32",
	[SIM_SPACE_MEM64] = "mem64",
	[SIM_SPACE_PREF64] = "pref64",
};

static const char *const port_names[] = {
	[SIM_PORT_ENDPOINT] = "endpoint",
	[SIM_PORT_LEGACY_ENDPOINT] = "legacy-endpoint",
	[SIM_PORT_ROOT] = "root",
	[SIM_PORT_UPSTREAM] = "upstream",
	[SIM_PORT_DOWNSTREAM] = "downstream",
	[SIM_PORT_CONVENTIONAL] = "conventional",
	[SIM_PORT_ROOT_INTEGRATED] = "root-integrated",
};

static const char *const speed_names[] = { "",	   "2.5",  "5.0",
					   "8.0", "16.0", "32.0" };

/* In the order of the bits of the ACS capability register. */
static const char *const acs_names[] = { "sv", "tb", "rr", "cr",
					 "uf", "ec", "dt" };

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Length of @text without the newline that echo leaves. */
static size_t text_length(const char *text)
{
	size_t n = strlen(text);

	return n && text[n - 1] == '\n' ? n - 1 : n;
}

static int find_word(const char *text, size_t n, const char *const *words,
		     size_t count)
{
	size_t i;

	for (i = 0; i < count; i++)
		if (*words[i] && strlen(words[i]) == n &&
		    !memcmp(words[i], text, n))
			return (int)i;
	return -EINVAL;
}

static int digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return 16;
}

static int parse_digits(const char *text, size_t n, int base, u64 *value)
{
	u64 v = 0;
	size_t i;

	if (!n)
		return -EINVAL;
	for (i = 0; i < n; i++) {
		int digit = digit_of(text[i]);

		if (digit >= base)
			return -EINVAL;
		if (v >> 60 && (base == 16 || v > 0x1999999999999999ULL))
			return -EINVAL;
		if (base == 10 && v == 0x1999999999999999ULL && digit > 5)
			return -EINVAL;
		v = v * (u64)base + (u64)digit;
	}
	*value = v;
	return 0;
}

static int parse_number(const char *text, size_t n, u64 *value)
{
	if (n > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X'))
		return parse_digits(text + 2, n - 2, 16, value);
	return parse_digits(text, n, 10, value);
}

int sim_parse_u64(const char *text, u64 *value)
{
	return parse_number(text, text_length(text), value);
}

/* One part of an address: hex digits up to @stop, or to the end if it is 0. */
static int parse_part(const char **text, char stop, size_t max_digits,
		      u32 max, u32 *value)
{
	size_t n = 0;
	u64 v;

	while ((*text)[n] && (*text)[n] != stop)
		n++;
	if ((*text)[n] != stop || n > max_digits ||
	    parse_digits(*text, n, 16, &v) || v > max)
		return -EINVAL;
	*text += n + (stop ? 1 : 0);
	*value = (u32)v;
	return 0;
}

int sim_parse_host_name(const char *name, u32 *domain, u8 *bus)
{
	u32 d, b;

	if (parse_part(&name, ':', 8, 0x7fffffff, &d) ||
	    parse_part(&name, 0, 2, 0xff, &b))
		return -EINVAL;
	*domain = d;
	*bus = (u8)b;
	return 0;
}

int sim_parse_function_name(const char *name, u32 *domain, u8 *bus, u8 *devfn)
{
	u32 d, b, slot, func;

	if (parse_part(&name, ':', 8, 0x7fffffff, &d) ||
	    parse_part(&name, ':', 2, 0xff, &b) ||
	    parse_part(&name, '.', 2, 0x1f, &slot) ||
	    parse_part(&name, 0, 1, 7, &func))
		return -EINVAL;
	*domain = d;
	*bus = (u8)b;
	*devfn = SIM_DEVFN(slot, func);
	return 0;
}

int sim_parse_space(const char *text, enum sim_space *space)
{
	int i = find_word(text, text_length(text), space_names,
			  COUNT(space_names));

	if (i < 0)
		return i;
	*space = (enum sim_space)i;
	return 0;
}

int sim_parse_port(const char *text, enum sim_port *port)
{
	int i = find_word(text, text_length(text), port_names,
			  COUNT(port_names));

	if (i < 0)
		return i;
	*port = (enum sim_port)i;
	return 0;
}

/* "8" and "8.0" are the same speed. */
int sim_parse_speed(const char *text, u8 *speed)
{
	size_t n = text_length(text);
	size_t i;

	for (i = 1; i < COUNT(speed_names); i++) {
		size_t full = strlen(speed_names[i]);
		bool whole = speed_names[i][full - 1] == '0';

		if ((n == full || (whole && n + 2 == full)) &&
		    !memcmp(text, speed_names[i], n)) {
			*speed = (u8)i;
			return 0;
		}
	}
	return -EINVAL;
}

/* Calls @take for each word of a comma list. */
static int for_each_word(const char *text,
			 int (*take)(const char *word, size_t n, void *data),
			 void *data)
{
	size_t left = text_length(text);

	while (left) {
		size_t n = 0;
		int ret;

		while (n < left && text[n] != ',')
			n++;
		ret = take(text, n, data);
		if (ret)
			return ret;
		if (n == left)
			return 0;
		/* A comma must have a word behind it. */
		if (n + 1 == left)
			return -EINVAL;
		text += n + 1;
		left -= n + 1;
	}
	return 0;
}

static int take_acs(const char *word, size_t n, void *data)
{
	int bit = find_word(word, n, acs_names, COUNT(acs_names));

	if (bit < 0)
		return bit;
	*(u16 *)data |= (u16)(1 << bit);
	return 0;
}

int sim_parse_acs(const char *text, u16 *bits)
{
	u16 v = 0;
	int ret = for_each_word(text, take_acs, &v);

	if (!ret)
		*bits = v;
	return ret;
}

static int take_size(const char *word, size_t n, void *data)
{
	u64 v;

	if (parse_number(word, n, &v) || v < 0x100000 || (v & (v - 1)))
		return -EINVAL;
	*(u64 *)data |= v >> 20;
	return 0;
}

int sim_parse_sizes(const char *text, u64 *sizes)
{
	u64 v = 0;
	int ret = for_each_word(text, take_size, &v);

	if (!ret)
		*sizes = v;
	return ret;
}

const char *sim_space_name(enum sim_space space)
{
	return space_names[space];
}

const char *sim_port_name(enum sim_port port)
{
	return port_names[port];
}

const char *sim_speed_name(u8 speed)
{
	return speed <= SIM_SPEED_MAX ? speed_names[speed] : "";
}

size_t sim_print_acs(u16 bits, char *text, size_t size)
{
	size_t n = 0, i;

	text[0] = 0;
	for (i = 0; i < COUNT(acs_names) && n < size; i++)
		if (bits >> i & 1)
			n += (size_t)snprintf(text + n, size - n, "%s%s",
					      n ? "," : "", acs_names[i]);
	return n;
}

size_t sim_print_sizes(u64 sizes, char *text, size_t size)
{
	size_t n = 0;
	int i;

	text[0] = 0;
	for (i = 0; i < 44 && n < size; i++)
		if (sizes >> i & 1)
			n += (size_t)snprintf(text + n, size - n, "%s%llu",
					      n ? "," : "", 1ULL << (20 + i));
	return n;
}
