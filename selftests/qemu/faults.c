// SPDX-License-Identifier: GPL-2.0-only
/*
 * Every allocation below one command made to fail in turn, by the kernel's own
 * fault injection (Documentation/fault-injection/fault-injection.rst,
 * /proc/<pid>/fail-nth). Needs the debug flavour of the lab's kernels.
 */
#include <fcntl.h>
#include <stdlib.h>
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
