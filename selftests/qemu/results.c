// SPDX-License-Identifier: GPL-2.0-only
/* Lines for a person: one a card, one a pair, one a measured step. */
#include <stdlib.h>
#include <string.h>

#include "guest.h"

/* The text after @key in @line, as a string of its own. */
static const char *value_of(const char *line, const char *key)
{
	static char values[8][64];
	static unsigned int next;
	char *value = values[next++ % 8];
	const char *at = strstr(line, key);

	if (!at)
		return "-";
	at += strlen(key);
	snprintf(value, sizeof(values[0]), "%.*s", (int)strcspn(at, " \n"), at);
	return value;
}

static const char *kernel_name(void)
{
	const char *name = getenv("PEERBAR_KERNEL");

	return name ? name : "kernel";
}

/* cards VARIANT: one line a card, from the module's rebar file */
bool do_cards(char **args)
{
	char *text = read_file("rebar");
	char *line, *rest;
	int cards = 0;

	if (!text)
		return false;
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		if (!has_word(line, "bar=0"))
			continue;
		fprintf(report, "%s %s %.*s BAR0 %s of %s\n", kernel_name(),
			args[0], (int)strcspn(line, " "), line,
			value_of(line, " size="), value_of(line, " max="));
		cards++;
	}
	return cards ? true : fail("no card in the rebar file");
}

/* pairs VARIANT: one line an ordered pair, from the module's p2p file */
bool do_pairs(char **args)
{
	char *text = read_file("p2p");
	char *line, *rest;
	int pairs = 0;

	if (!text)
		return false;
	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest)) {
		char a[32], b[32];
		bool yes = atoi(value_of(line, " distance=")) >= 0;

		if (line[0] == '#' || sscanf(line, "%31s %31s", a, b) != 2)
			continue;
		fprintf(report, "%s %s %s %s p2p %s %s", kernel_name(), args[0],
			a, b, yes ? "yes" : "no",
			value_of(line, yes ? " route=" : " reason="));
		if (strstr(line, " root="))
			fprintf(report, " %s", value_of(line, " root="));
		fprintf(report, "\n");
		pairs++;
	}
	return pairs ? true : fail("no pair in the p2p file");
}

/* What the last count has seen. */
static unsigned long reads, writes;

/* A new machine counts from zero. */
void reset_counts(void)
{
	reads = 0;
	writes = 0;
}

/* count STEP...: config reads and writes since the last count */
bool do_count(char **args)
{
	unsigned long now_reads, now_writes;
	char step[256];
	char *text = read_file("counters");

	if (!text)
		return false;
	now_reads = strtoul(value_of(text, "config-reads="), NULL, 10);
	now_writes = strtoul(value_of(text, "config-writes="), NULL, 10);
	join_words(step, sizeof(step), args);
	fprintf(report, "count %s: %lu config reads, %lu config writes\n", step,
		now_reads - reads, now_writes - writes);
	reads = now_reads;
	writes = now_writes;
	return true;
}
