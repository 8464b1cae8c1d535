// SPDX-License-Identifier: GPL-2.0-only
/*
 * init of the lab's guest: runs one scenario and says "success" or nothing.
 *
 * Three serial ports, so that no kernel message can be taken for a result:
 *   ttyS0  the kernel's console
 *   ttyS1  the word "success", written only when every test point passed
 *   ttyS2  the report: KTAP lines and the files that the scenario shows
 *
 * The scenario language is described in Documentation/lab.rst. A line that
 * fails makes its test point fail; the rest of the scenario still runs, since
 * the later points often say why.
 */
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/stat.h>
#include <unistd.h>

#include "guest.h"

#define MAX_ARGS 32

FILE *report;
char point_name[256];
static int points, failed_points;
static bool point_open, point_failed;

static void power_off(void)
{
	fflush(NULL);
	sync();
	reboot(RB_AUTOBOOT); /* qemu runs with -no-reboot */
	for (;;)
		pause();
}

/*
 * Marks the test point in the kernel log. Not dprintf(), which seeks first; and
 * a record without a newline cannot be read before the next one.
 */
static bool kernel_log(const char *text)
{
	char line[300];
	int len = snprintf(line, sizeof(line), "<5>lab: %s\n", text);
	int fd = open("/dev/kmsg", O_WRONLY);
	bool ok = fd >= 0 && write(fd, line, len) == len;

	if (fd >= 0)
		close(fd);
	return ok;
}

static void end_point(void)
{
	if (!point_open)
		return;
	points++;
	if (point_failed)
		failed_points++;
	fprintf(report, "%s %d - %s\n", point_failed ? "not ok" : "ok", points,
		point_name);
	point_open = false;
}

static void begin_point(const char *name)
{
	end_point();
	snprintf(point_name, sizeof(point_name), "%s", name);
	point_open = true;
	point_failed = false;
	if (!kernel_log(name))
		point_failed = !fail("cannot mark the kernel log");
}

static void run_line(char *line)
{
	char *args[MAX_ARGS + 1] = { NULL };
	char *word, *rest;
	int nr = 0;

	line += strspn(line, " \t");
	line[strcspn(line, "\n")] = '\0';
	if (!line[0] || line[0] == '#')
		return;
	if (!strncmp(line, "test ", 5)) {
		begin_point(line + 5);
		return;
	}
	for (word = strtok_r(line, " \t", &rest); word && nr < MAX_ARGS;
	     word = strtok_r(NULL, " \t", &rest))
		args[nr++] = word;
	if (!point_open)
		begin_point("before the first test point");
	if (!run_command(args[0], args + 1, nr - 1))
		point_failed = true;
}

/*
 * each-fault ... end: the lines between, once for each allocation that the
 * `fault` line among them makes, until all had their turn.
 */
static void run_fault_block(FILE *scenario)
{
	char lines[32][1024], copy[1024];
	unsigned int nr, count = 0, i;

	while (count < 32 && fgets(lines[count], sizeof(lines[0]), scenario) &&
	       strncmp(lines[count], "end", 3))
		count++;
	for (nr = 1; !point_failed; nr++) {
		begin_fault_round(nr);
		for (i = 0; i < count && !point_failed; i++) {
			strcpy(copy, lines[i]);
			run_line(copy);
		}
		if (!fault_happened())
			break;
	}
	fprintf(report, "# %u faults\n", nr - 1);
	if (nr == 1)
		point_failed = true;
}

static void run_scenario(void)
{
	char line[1024];
	FILE *scenario = fopen("/scenario", "r");

	if (!scenario) {
		begin_point("the guest has a scenario");
		point_failed = true;
	}
	while (scenario && fgets(line, sizeof(line), scenario)) {
		if (!strncmp(line, "each-fault", 10))
			run_fault_block(scenario);
		else
			run_line(line);
		fflush(report);
	}
	end_point();
	if (scenario)
		fclose(scenario);
}

/* A second scan, since the first one marks only what is surely lost. */
static void check_leaks(void)
{
	char *scan[] = { "scan", NULL };
	const char *file = "/sys/kernel/debug/kmemleak";
	char *text;

	if (access(file, R_OK))
		return;
	begin_point("kmemleak finds nothing");
	write_words(file, scan);
	sleep(6); /* an object counts as lost when older than 5 seconds */
	write_words(file, scan);
	text = read_file(file);
	if (!text || text[0]) {
		fprintf(report, "%s", text ? text : "");
		point_failed = true;
	}
	end_point();
}

static void mount_all(void)
{
	mkdir("/dev", 0755);
	mkdir("/proc", 0555);
	mkdir("/sys", 0555);
	mkdir("/tmp", 01777);
	mount("none", "/dev", "devtmpfs", 0, NULL);
	mount("none", "/proc", "proc", 0, NULL);
	mount("none", "/sys", "sysfs", 0, NULL);
	mount("none", "/sys/kernel/debug", "debugfs", 0, NULL);
	mount("none", "/tmp", "tmpfs", 0, NULL);
}

int main(void)
{
	FILE *word;

	mount_all();
	report = fopen("/dev/ttyS2", "w");
	word = fopen("/dev/ttyS1", "w");
	if (!report || !word) {
		fprintf(stderr, "init: no ttyS1 or ttyS2\n");
		power_off();
	}
	fprintf(report, "KTAP version 1\n");
	run_scenario();
	check_leaks();
	fprintf(report, "1..%d\n", points);
	if (points && !failed_points)
		fprintf(word, "success\n");
	power_off();
}
