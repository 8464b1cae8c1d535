// SPDX-License-Identifier: GPL-2.0-only
/* Files of the guest: short names, reading, writing, comparing with before. */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "guest.h"

#define FILE_MAX (256 * 1024)

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

int write_words(const char *name, char **words)
{
	char value[512];
	int fd = open(file_path(name), O_WRONLY);
	int err = 0;

	if (fd < 0)
		return errno;
	join_words(value, sizeof(value), words);
	if (write(fd, value, strlen(value)) < 0)
		err = errno;
	close(fd);
	return err;
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
			fputc('\n', out);
		}
		globfree(&found);
	}
	if (out)
		fclose(out);
	return content;
}

/* save NAME FILE...: keeps the content of these files */
bool do_save(char **args)
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
bool do_same(char **args)
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
	/* Name the file in which the first difference lies, and where. */
	for (at = 0; at < size && at < saved[i].size &&
		     now[at] == saved[i].content[at];
	     at++)
		if (!strncmp(now + at, "\n/sys/", 6))
			line = now + at + 1;
	line = line ? line : now;
	fail("%s changed, first in %.*s, byte %#zx", args[0],
	     (int)strcspn(line, "\n"), line,
	     now + at - line - strcspn(line, "\n") - 1);
	free(now);
	return false;
}
