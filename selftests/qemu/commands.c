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

#define FILE_MAX (256 * 1024)

bool fail(const char *fmt, ...)
{
	va_list args;

	fprintf(report, "# failed: ");
	va_start(args, fmt);
	vfprintf(report, fmt, args);
	va_end(args);
	fprintf(report, "\n");
	return false;
}

/* A short name of a file that the modules offer, as a path. */
static const char *file_path(const char *name)
{
	static char path[512];
	glob_t found;

	if (name[0] == '/')
		snprintf(path, sizeof(path), "%s", name);
	else if (!strcmp(name, "oracle") || !strcmp(name, "counters"))
		snprintf(path, sizeof(path),
			 "/sys/kernel/debug/peerbar-sim/*/%s", name);
	else if (!strcmp(name, "held"))
		snprintf(path, sizeof(path), "/sys/kernel/debug/lab_gpu/held");
	else
		snprintf(path, sizeof(path), "/sys/kernel/debug/peerbar/%s",
			 name);
	if (!glob(path, 0, NULL, &found)) {
		snprintf(path, sizeof(path), "%s", found.gl_pathv[0]);
		globfree(&found);
	}
	return path;
}

char *read_file(const char *name)
{
	static char text[FILE_MAX];
	const char *path = file_path(name);
	size_t used = 0;
	ssize_t got;
	int fd = open(path, O_RDONLY);

	if (fd < 0) {
		fail("cannot open %s: %s", path, strerror(errno));
		return NULL;
	}
	while (used < sizeof(text) - 1 &&
	       (got = read(fd, text + used, sizeof(text) - 1 - used)) > 0)
		used += got;
	close(fd);
	text[used] = '\0';
	return text;
}

/* Is @word one of the blank-separated words of @line? */
static bool has_word(const char *line, const char *word)
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

static void join(char *out, size_t size, char **words)
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
	join(words, sizeof(words), args + 1);
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

	join(words, sizeof(words), args);
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
	join(params, sizeof(params), args + 1);
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

int write_words(const char *name, char **words)
{
	char value[512];
	int fd = open(file_path(name), O_WRONLY);
	int err = 0;

	if (fd < 0)
		return errno;
	join(value, sizeof(value), words);
	if (write(fd, value, strlen(value)) < 0)
		err = errno;
	close(fd);
	return err;
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
static bool do_cards(char **args)
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
static bool do_pairs(char **args)
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

/* What `save` kept, for `same` to compare with. */
static struct {
	char *name;
	char *content;
	size_t size;
} saved[8];

/* The content of every file that @patterns match, each behind its path. */
static char *collect(char **patterns, size_t *size)
{
	char *content = NULL;
	FILE *out = open_memstream(&content, size);
	glob_t found;
	size_t i;

	for (; out && *patterns; patterns++) {
		if (glob(*patterns, 0, NULL, &found))
			continue;
		for (i = 0; i < found.gl_pathc; i++) {
			char block[4096];
			ssize_t got;
			int fd = open(found.gl_pathv[i], O_RDONLY);

			fprintf(out, "%s\n", found.gl_pathv[i]);
			while (fd >= 0 &&
			       (got = read(fd, block, sizeof(block))) > 0)
				fwrite(block, 1, got, out);
			if (fd >= 0)
				close(fd);
		}
		globfree(&found);
	}
	if (out)
		fclose(out);
	return content;
}

/* save NAME FILE...: keeps the content of these files */
static bool do_save(char **args)
{
	size_t i;

	for (i = 0; i < sizeof(saved) / sizeof(saved[0]); i++) {
		if (saved[i].name && strcmp(saved[i].name, args[0]))
			continue;
		free(saved[i].name);
		free(saved[i].content);
		saved[i].name = strdup(args[0]);
		saved[i].content = collect(args + 1, &saved[i].size);
		return saved[i].size ? true : fail("no file to save");
	}
	return fail("too many saved names");
}

/* same NAME FILE...: the files still have the content that save kept */
static bool do_same(char **args)
{
	char *now, *line = NULL;
	size_t i, at, size = 0;

	for (i = 0; i < sizeof(saved) / sizeof(saved[0]); i++)
		if (saved[i].name && !strcmp(saved[i].name, args[0]))
			break;
	if (i == sizeof(saved) / sizeof(saved[0]))
		return fail("nothing saved as %s", args[0]);
	now = collect(args + 1, &size);
	if (size == saved[i].size && !memcmp(now, saved[i].content, size)) {
		free(now);
		return true;
	}
	/* Name the file in which the first difference lies. */
	for (at = 0; at < size && at < saved[i].size &&
		     now[at] == saved[i].content[at];
	     at++)
		if (now[at] == '/' && (!at || now[at - 1] == '\n'))
			line = now + at;
	fail("%s changed, first in %.*s", args[0],
	     line ? (int)strcspn(line, "\n") : 0, line ? line : "");
	free(now);
	return false;
}

static const struct {
	const char *name;
	int min_args;
	bool (*run)(char **args);
} commands[] = {
	{ "cards", 1, do_cards },
	{ "expect", 2, do_expect },
	{ "insmod", 1, do_insmod },
	{ "load", 1, do_load },
	{ "log-has", 1, do_log_has },
	{ "log-lacks", 1, do_log_lacks },
	{ "pairs", 1, do_pairs },
	{ "refused", 1, do_refused },
	{ "reject", 2, do_reject },
	{ "rmmod", 1, do_rmmod },
	{ "run", 1, do_run },
	{ "same", 2, do_same },
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
