/* SPDX-License-Identifier: GPL-2.0-only */
/* The guest's init: what its files share. */
#ifndef PEERBAR_GUEST_H
#define PEERBAR_GUEST_H

#include <stdbool.h>
#include <stdio.h>

/* The report's port, and the name of the running test point. */
extern FILE *report;
extern char point_name[256];

/* Says in the report why a line failed; returns false. */
__attribute__((format(printf, 1, 2))) bool fail(const char *fmt, ...);

/* Runs one command of the scenario; false if it failed (and said why). */
bool run_command(const char *name, char **args, int nr);

/* The content of a file of the guest, NULL if it cannot be read; valid until
 * the next call. @name is a path or a short name, see Documentation/lab.rst.
 */
char *read_file(const char *name);

/* Writes @words, joined by blanks, to a file; 0 or an errno. */
int write_words(const char *name, char **words);

#endif
