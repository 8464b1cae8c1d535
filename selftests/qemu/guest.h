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

/* Is @word one of the blank-separated words of @line? */
bool has_word(const char *line, const char *word);

/* Joins @words by blanks into @out. */
void join_words(char *out, size_t size, char **words);

/* Commands that live in files of their own. */
bool do_save(char **args); /* files.c */
bool do_same(char **args);
bool do_cards(char **args); /* results.c */
bool do_pairs(char **args);
bool do_count(char **args);
void reset_counts(void);
bool do_fault(char **args); /* faults.c */
bool do_fault_below(char **args);
bool do_fault_skip(char **args);
bool do_on_success(char **args);
bool do_same_if_failed(char **args);

/* Begins round @nr of an each-fault block: `fault` makes allocation @nr fail. */
void begin_fault_round(unsigned int nr);

/* Did the round's fault happen? If not, every allocation had its turn. */
bool fault_happened(void);

/* Is a command running that is meant to fail? */
bool fault_running(void);

#endif
