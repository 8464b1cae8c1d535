// SPDX-License-Identifier: GPL-2.0-only
/*
 * storm ROUNDS [ADDRESS...]: reads every file of peerbar.ko without a pause
 * while devices are removed, found again and resized. Without addresses, all
 * display functions and every bridge above them take turns.
 *
 * Each reading must be whole lines that keep to the format, however short the
 * reads. Prints one line of counts; exit 0 when no line was broken and every
 * device came back, 1 when not, 2 when it could not start.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEVICES "/sys/bus/pci/devices"
#define FOLDER "/sys/kernel/debug/peerbar"
#define MAX_TARGETS 256
#define MAX_TEXT (4 << 20)

static const char *const files[] = {
	"version", "windows", "rebar", "p2p", "links"
};
#define N_FILES ((int)(sizeof(files) / sizeof(files[0])))

/* Shared by all processes. */
struct counts {
	volatile int stop;
	volatile long readings, lines, broken, busy, resizes;
};

static struct counts *counts;
static char *targets[MAX_TARGETS];
static int n_targets;

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) > 0;

	if (fd >= 0)
		close(fd);
	return ok;
}

/* dddd:bb or dddd:bb:dd.f */
static bool is_address(const char *word)
{
	unsigned int domain, bus, dev, fn;
	int end = 0;

	if (sscanf(word, "%x:%x:%x.%x%n", &domain, &bus, &dev, &fn, &end) == 4)
		return !word[end];
	end = 0;
	return sscanf(word, "%x:%x%n", &domain, &bus, &end) == 2 && !word[end];
}

static bool is_whole(const char *file, char *line)
{
	char *rest, *word = strtok_r(line, " ", &rest);
	int n, want = !strcmp(file, "p2p") ? 2 : 1;

	for (n = 0; n < want; n++, word = strtok_r(NULL, " ", &rest))
		if (!word || !(is_address(word) || !strcmp(word, "peerbar")))
			return false;
	for (n = 0; word; n++, word = strtok_r(NULL, " ", &rest))
		if (!strchr(word, '=') || word[strlen(word) - 1] == '=')
			return false;
	return n > 0;
}

static void check_text(const char *file, char *text)
{
	char head[64], *line = text, *end;
	bool first = true;

	snprintf(head, sizeof(head), "# peerbar %s format 1", file);
	for (; *line; line = end + 1, first = false) {
		char copy[1024];

		end = strchr(line, '\n');
		if (!end) {
			fprintf(stderr, "storm: %s: half a line: %s\n", file, line);
			__sync_fetch_and_add(&counts->broken, 1);
			return;
		}
		*end = '\0';
		snprintf(copy, sizeof(copy), "%s", line);
		if (first ? strcmp(line, head) != 0 :
			    *line != '#' && !is_whole(file, copy)) {
			fprintf(stderr, "storm: %s: broken: %s\n", file, line);
			__sync_fetch_and_add(&counts->broken, 1);
		}
		__sync_fetch_and_add(&counts->lines, 1);
	}
	if (first) {
		fprintf(stderr, "storm: %s: empty\n", file);
		__sync_fetch_and_add(&counts->broken, 1);
	}
}

/* One reading in pieces of a random size, the file stays open for the next. */
static void read_once(const char *file, int fd, char *text, unsigned int *seed)
{
	size_t used = 0, piece = 1 + rand_r(seed) % (rand_r(seed) % 4 ? 4096 : 40);
	ssize_t n = 0;

	lseek(fd, 0, SEEK_SET);
	while (used + piece < MAX_TEXT && (n = read(fd, text + used, piece)) > 0)
		used += n;
	if (n < 0) {
		/* Resources did not stand still: allowed, and counted. */
		__sync_fetch_and_add(errno == EAGAIN ? &counts->busy : &counts->broken, 1);
		return;
	}
	text[used] = '\0';
	check_text(file, text);
	__sync_fetch_and_add(&counts->readings, 1);
}

static void reader(const char *file)
{
	char path[PATH_MAX], *text = malloc(MAX_TEXT);
	unsigned int seed = getpid();
	int i, fd;

	snprintf(path, sizeof(path), FOLDER "/%s", file);
	while (text && !counts->stop) {
		fd = open(path, O_RDONLY | O_CLOEXEC);
		if (fd < 0) {
			perror(path);
			__sync_fetch_and_add(&counts->broken, 1);
			break;
		}
		for (i = 0; i < 4 && !counts->stop; i++)
			read_once(file, fd, text, &seed);
		close(fd);
	}
	_exit(0);
}

/*
 * Shrinks or grows BAR 0 of a target, if it has one that is resizable. Never
 * beside a rescan: the kernel takes no common lock for the two, and 7.3 warns
 * in __pci_bridge_assign_resources() when they meet.
 */
static void resize(const char *address, unsigned int *seed)
{
	char path[PATH_MAX], size[8];

	snprintf(path, sizeof(path), DEVICES "/%s/resource0_resize", address);
	snprintf(size, sizeof(size), "%u", 8 + rand_r(seed) % 3);
	if (write_file(path, size))
		counts->resizes++;
}

static void add_target(const char *address)
{
	int i;

	for (i = 0; i < n_targets; i++)
		if (!strcmp(targets[i], address))
			return;
	if (n_targets < MAX_TARGETS)
		targets[n_targets++] = strdup(address);
}

/* A function and every bridge above it: its path in sysfs names them all. */
static void add_with_bridges(const char *address)
{
	char link[PATH_MAX], path[PATH_MAX];

	snprintf(link, sizeof(link), DEVICES "/%s", address);
	if (!realpath(link, path))
		return;
	while (is_address(basename(path)) && strchr(basename(path), '.')) {
		add_target(basename(path));
		dirname(path);
	}
}

static void find_targets(void)
{
	DIR *dir = opendir(DEVICES);
	struct dirent *entry;

	while (dir && (entry = readdir(dir))) {
		char path[PATH_MAX], class[16] = "";
		FILE *f;

		if (entry->d_name[0] == '.')
			continue;
		snprintf(path, sizeof(path), DEVICES "/%s/class", entry->d_name);
		f = fopen(path, "r");
		if (f && fgets(class, sizeof(class), f) && !strncmp(class, "0x03", 4))
			add_with_bridges(entry->d_name);
		if (f)
			fclose(f);
	}
	if (dir)
		closedir(dir);
}

static int count_present(void)
{
	char path[PATH_MAX];
	int i, n = 0;

	for (i = 0; i < n_targets; i++) {
		snprintf(path, sizeof(path), DEVICES "/%s", targets[i]);
		n += !access(path, F_OK);
	}
	return n;
}

static void churn(long rounds)
{
	char path[PATH_MAX];
	unsigned int seed = 1;
	long i;
	int k;

	for (i = 0; i < rounds; i++) {
		for (k = 0; k < n_targets; k++)
			resize(targets[k], &seed);
		snprintf(path, sizeof(path), DEVICES "/%s/remove", targets[i % n_targets]);
		write_file(path, "1");
		write_file("/sys/bus/pci/rescan", "1");
	}
}

static void start_reader(const char *file)
{
	pid_t pid = fork();

	if (pid < 0) {
		perror("storm: fork");
		counts->stop = 1;
		exit(2);
	}
	if (!pid)
		reader(file);
}

int main(int argc, char **argv)
{
	long rounds = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
	int i, present;

	if (rounds <= 0) {
		fprintf(stderr, "usage: storm ROUNDS [ADDRESS...]\n");
		return 2;
	}
	for (i = 2; i < argc; i++)
		add_target(argv[i]);
	if (!n_targets)
		find_targets();
	if (!n_targets || access(FOLDER, F_OK)) {
		fprintf(stderr, "storm: %s\n", n_targets ? "peerbar is not loaded" : "no display function");
		return 2;
	}
	present = count_present();
	counts = mmap(NULL, sizeof(*counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (counts == MAP_FAILED) {
		perror("storm: mmap");
		return 2;
	}

	for (i = 0; i < N_FILES; i++)
		start_reader(files[i]);
	churn(rounds);
	counts->stop = 1;
	while (wait(NULL) > 0)
		;

	printf("storm: rounds=%ld targets=%d present=%d readings=%ld lines=%ld busy=%ld resizes=%ld broken=%ld\n",
	       rounds, n_targets, count_present(), counts->readings, counts->lines, counts->busy,
	       counts->resizes, counts->broken);
	return counts->broken || count_present() < present;
}
