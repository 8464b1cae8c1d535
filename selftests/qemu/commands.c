// SPDX-License-Identifier: GPL-2.0-only
/*
 * The commands of a scenario, see Documentation/lab.rst. Each is a function
 * that gets its words, does one thing and says in the report why it failed.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "guest.h"

#define FILE_MAX (256 * 1024) /* of the kernel log */

bool fail(const char *fmt, ...)
{
	va_list args;

	if (fault_running())
		return false; /* meant to fail: not worth a line */
	fprintf(report, "# failed: ");
	va_start(args, fmt);
	vfprintf(report, fmt, args);
	va_end(args);
	fprintf(report, "\n");
	return false;
}

/* Is @word one of the blank-separated words of @line? */
bool has_word(const char *line, const char *word)
{
	size_t len = strlen(word);
	const char *at = line;

	while ((at = strstr(at, word))) {
		bool starts = at == line || at[-1] == ' ' || at[-1] == '\t';
		bool ends = !at[len] || at[len] == ' ' || at[len] == '\t';

		if (starts && ends)
			return true;
		at++;
	}
	return false;
}

static bool line_has_words(const char *line, char **words)
{
	for (; *words; words++)
		if (!has_word(line, *words))
			return false;
	return true;
}

static bool some_line_has(char *text, char **words)
{
	char *line, *rest;

	for (line = strtok_r(text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		if (line_has_words(line, words))
			return true;
	return false;
}

void join_words(char *out, size_t size, char **words)
{
	size_t used = 0;

	out[0] = '\0';
	for (; *words && used < size; words++)
		used += snprintf(out + used, size - used, "%s%s",
				 used ? " " : "", *words);
}

/* expect FILE WORD...: one line of FILE has all these words */
static bool cmd_expect(char **args, bool wanted)
{
	char words[512];
	char *text = read_file(args[0]);

	if (!text)
		return false;
	join_words(words, sizeof(words), args + 1);
	if (some_line_has(text, args + 1) != wanted)
		return fail("%s line of %s has: %s", wanted ? "no" : "a",
			    args[0], words);
	return true;
}

static bool do_expect(char **args)
{
	return cmd_expect(args, true);
}

static bool do_reject(char **args)
{
	return cmd_expect(args, false);
}

/* The kernel log since the start of the running test point. */
static char *read_kernel_log(void)
{
	static char log[FILE_MAX];
	char record[8192];
	size_t used = 0;
	ssize_t got;
	int fd = open("/dev/kmsg", O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		return NULL;
	log[0] = '\0';
	while ((got = read(fd, record, sizeof(record) - 1)) > 0 ||
	       (got < 0 && errno == EPIPE)) {
		char *text, *end;

		if (got < 0)
			continue;
		record[got] = '\0';
		text = strchr(record, ';');
		if (!text)
			continue;
		text++;
		end = strchr(text, '\n');
		if (end)
			*end = '\0';
		if (!strncmp(text, "lab: ", 5) && !strcmp(text + 5, point_name))
			used = 0;
		if (used + strlen(text) + 2 > sizeof(log))
			break;
		used += sprintf(log + used, "%s\n", text);
	}
	close(fd);
	return log;
}

static bool cmd_log(char **args, bool wanted)
{
	char words[512];
	char *log = read_kernel_log();
	char *line, *rest;
	bool found = false;

	join_words(words, sizeof(words), args);
	if (!log)
		return fail("cannot read the kernel log");
	for (line = strtok_r(log, "\n", &rest); line && !found;
	     line = strtok_r(NULL, "\n", &rest))
		found = strncmp(line, "lab: ", 5) && strstr(line, words);
	if (found != wanted)
		return fail("the kernel log %s: %s",
			    wanted ? "lacks" : "should not have", words);
	return true;
}

/* log-has TEXT: a kernel message since the test point began contains TEXT */
static bool do_log_has(char **args)
{
	return cmd_log(args, true);
}

static bool do_log_lacks(char **args)
{
	return cmd_log(args, false);
}

static bool do_show(char **args)
{
	for (; *args; args++) {
		char *text = read_file(*args);

		if (!text)
			return false;
		fprintf(report, "-- %s\n%s", *args, text);
	}
	return true;
}

static bool do_insmod(char **args)
{
	char path[256], params[512];
	int fd;
	bool ok;

	snprintf(path, sizeof(path), "/modules/%s.ko", args[0]);
	join_words(params, sizeof(params), args + 1);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return fail("no module %s in this guest", args[0]);
	ok = !syscall(SYS_finit_module, fd, params, 0);
	if (!ok)
		fail("insmod %s: %s", args[0], strerror(errno));
	close(fd);
	return ok;
}

static bool do_rmmod(char **args)
{
	char *dash;

	/* The kernel knows a module by its name with underscores. */
	while ((dash = strchr(args[0], '-')))
		*dash = '_';
	if (syscall(SYS_delete_module, args[0], O_NONBLOCK))
		return fail("rmmod %s: %s", args[0], strerror(errno));
	return true;
}

static int run_program(char **args)
{
	int status = -1;
	pid_t pid;

	fflush(report);
	pid = fork();
	if (!pid) {
		dup2(fileno(report), 1);
		dup2(fileno(report), 2);
		execv(args[0], args);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -1;
	return WEXITSTATUS(status);
}

static bool do_run(char **args)
{
	int code = run_program(args);

	if (code)
		return fail("%s ended with %d", args[0], code);
	return true;
}

/* load MACHINE: peerbar sim load /machines/MACHINE.json */
static bool do_load(char **args)
{
	char path[256];
	char *load[] = { "/bin/peerbar", "sim", "load", path, NULL };

	snprintf(path, sizeof(path), "/machines/%s.json", args[0]);
	reset_counts();
	return do_run(load);
}

static bool do_unload(char **args)
{
	char *unload[] = { "/bin/peerbar", "sim", "unload", args[0], NULL };

	return do_run(unload);
}

static bool do_refused(char **args)
{
	if (!run_program(args))
		return fail("%s ended with 0, expected a refusal", args[0]);
	return true;
}

static bool do_write(char **args)
{
	int err = write_words(args[0], args + 1);

	if (err)
		return fail("write to %s: %s", args[0], strerror(err));
	return true;
}

static bool do_write_fails(char **args)
{
	int err = write_words(args[0], args + 2);

	if (!err || strcmp(strerrorname_np(err), args[1]))
		return fail("write to %s: %s, expected %s", args[0],
			    err ? strerrorname_np(err) : "no error", args[1]);
	return true;
}

/* setup: the modules that every scenario needs */
static bool do_setup(char **args)
{
	char *configfs[] = { "configfs", NULL };
	char *sim[] = { "peerbar-sim", NULL };
	char *peerbar[] = { "peerbar", NULL };

	(void)args;
	if (!access("/modules/configfs.ko", R_OK) && !do_insmod(configfs))
		return false;
	if (mount("none", "/sys/kernel/config", "configfs", 0, NULL))
		return fail("mount configfs: %s", strerror(errno));
	return do_insmod(sim) && do_insmod(peerbar);
}

static const struct {
	const char *name;
	int min_args;
	bool (*run)(char **args);
} commands[] = {
	{ "cards", 1, do_cards },
	{ "count", 1, do_count },
	{ "expect", 2, do_expect },
	{ "fault", 1, do_fault },
	{ "fault-below", 1, do_fault_below },
	{ "fault-skip", 1, do_fault_skip },
	{ "insmod", 1, do_insmod },
	{ "load", 1, do_load },
	{ "log-has", 1, do_log_has },
	{ "log-lacks", 1, do_log_lacks },
	{ "on-success", 1, do_on_success },
	{ "pairs", 1, do_pairs },
	{ "refused", 1, do_refused },
	{ "reject", 2, do_reject },
	{ "rmmod", 1, do_rmmod },
	{ "run", 1, do_run },
	{ "same", 2, do_same },
	{ "same-if-failed", 2, do_same_if_failed },
	{ "save", 2, do_save },
	{ "setup", 0, do_setup },
	{ "show", 1, do_show },
	{ "unload", 1, do_unload },
	{ "write", 2, do_write },
	{ "write-fails", 3, do_write_fails },
};

bool run_command(const char *name, char **args, int nr)
{
	size_t i;

	for (i = 0; i < sizeof(commands) / sizeof(commands[0]); i++) {
		if (strcmp(name, commands[i].name))
			continue;
		if (nr < commands[i].min_args)
			return fail("%s needs %d words", name,
				    commands[i].min_args);
		return commands[i].run(args);
	}
	return fail("no command %s", name);
}
