// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every allocation below one command made to fail in turn, by the kernel's own
 * fault injection (Documentation/fault-injection/fault-injection.rst,
 * /proc/<pid>/fail-nth). Needs the debug flavour of the lab's kernels.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

static unsigned int round_nr;
static bool happened, command_failed, running;

void begin_fault_round(unsigned int nr)
{
	round_nr = nr;
	happened = false;
	command_failed = false;
}

bool fault_happened(void)
{
	return happened;
}

bool fault_running(void)
{
	return running;
}

/* The kernel counts down to 0 when it has made the allocation fail. */
static unsigned int fail_nth(unsigned int arm)
{
	char left[16] = "0";
	int fd = open("/proc/thread-self/fail-nth", O_RDWR);

	if (fd < 0)
		return 0;
	if (arm)
		dprintf(fd, "%u", arm);
	else if (pread(fd, left, sizeof(left) - 1, 0) < 0)
		left[0] = '0';
	if (!arm)
		dprintf(fd, "0");
	close(fd);
	return strtoul(left, NULL, 10);
}

/* fault COMMAND...: the command, with the round's allocation failing in it */
bool do_fault(char **args)
{
	int nr = 0;

	while (args[nr])
		nr++;
	if (access("/proc/thread-self/fail-nth", W_OK))
		return fail("this kernel has no fault injection");
	running = true;
	fail_nth(round_nr);
	command_failed = !run_command(args[0], args + 1, nr - 1);
	running = false;
	happened = !fail_nth(0);
	return true;
}

/* same-if-failed NAME FILE...: a command that failed has changed nothing */
bool do_same_if_failed(char **args)
{
	return !command_failed || do_same(args);
}

/* on-success COMMAND...: the command, if the one with the fault succeeded */
bool do_on_success(char **args)
{
	int nr = 0;

	while (args[nr])
		nr++;
	return command_failed || run_command(args[0], args + 1, nr - 1);
}

/* The addresses of a function of the kernel, up to the next symbol. */
static bool function_range(const char *function, unsigned long long *start,
			   unsigned long long *end)
{
	FILE *symbols = fopen("/proc/kallsyms", "r");
	unsigned long long addr;
	char line[512], name[256];

	*start = 0;
	*end = ~0ULL;
	while (symbols && fgets(line, sizeof(line), symbols))
		if (sscanf(line, "%llx %*c %255s", &addr, name) == 2 &&
		    !strcmp(name, function))
			*start = addr;
	/* The symbols are not in order. */
	if (symbols)
		rewind(symbols);
	while (symbols && fgets(line, sizeof(line), symbols))
		if (sscanf(line, "%llx", &addr) == 1 && addr > *start &&
		    addr < *end)
			*end = addr;
	if (symbols)
		fclose(symbols);
	return *start || fail("no function %s in this kernel", function);
}

static bool set_filter(const char *file, unsigned long long addr)
{
	char path[64], value[32];
	char *words[] = { value, NULL };
	int err;

	snprintf(path, sizeof(path), "/sys/kernel/debug/failslab/%s", file);
	snprintf(value, sizeof(value), "%#llx", addr);
	err = write_words(path, words);
	return !err || fail("write to %s: %s", path, strerror(err));
}

/*
 * Faults must reach allocations that may sleep, and need not be dumped. Whole
 * pages would take a turn too, and what needs one depends on the state of the
 * slab caches: leave them out.
 */
static bool set_up_faults(void)
{
	char *zero[] = { "0", NULL }, *no[] = { "N", NULL };
	char *never[] = { "64", NULL };

	return !write_words("/sys/kernel/debug/failslab/verbose", zero) &&
	       !write_words("/sys/kernel/debug/failslab/ignore-gfp-wait", no) &&
	       !write_words("/sys/kernel/debug/fail_page_alloc/min-order",
			    never);
}

/*
 * fault-below FUNCTION: only allocations below this kernel function fail;
 * "modules" stands for the code of all modules (x86 has it in one area,
 * Documentation/arch/x86/x86_64/mm.rst).
 */
bool do_fault_below(char **args)
{
	unsigned long long start = 0xffffffffa0000000, end = 0xffffffffff000000;

	if (!set_up_faults())
		return fail("this kernel has no fault injection");
	if (strcmp(args[0], "modules") &&
	    !function_range(args[0], &start, &end))
		return false;
	return set_filter("require-start", start) &&
	       set_filter("require-end", end);
}

/*
 * fault-skip FUNCTION: allocations below this kernel function do not fail,
 * for one that panics then by design of the kernel under test.
 */
bool do_fault_skip(char **args)
{
	unsigned long long start, end;

	return function_range(args[0], &start, &end) &&
	       set_filter("reject-start", start) &&
	       set_filter("reject-end", end);
}
