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
 * fault-skip FUNCTION: allocations below this kernel function do not fail,
 * for one that panics then by design of the kernel under test.
 */
bool do_fault_skip(char **args)
{
	FILE *symbols = fopen("/proc/kallsyms", "r");
	unsigned long long addr, start = 0, end = ~0ULL;
	char line[512], name[256];

	while (symbols && fgets(line, sizeof(line), symbols))
		if (sscanf(line, "%llx %*c %255s", &addr, name) == 2 &&
		    !strcmp(name, args[0]))
			start = addr;
	/* It ends where the next symbol starts; they are not in order. */
	if (symbols)
		rewind(symbols);
	while (symbols && fgets(line, sizeof(line), symbols))
		if (sscanf(line, "%llx", &addr) == 1 && addr > start &&
		    addr < end)
			end = addr;
	if (symbols)
		fclose(symbols);
	if (!start)
		return fail("no function %s in this kernel", args[0]);
	return set_filter("reject-start", start) &&
	       set_filter("reject-end", end);
}
