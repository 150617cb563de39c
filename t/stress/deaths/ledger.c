/* SPDX-License-Identifier: MIT */
/* What everybody knows, in shared memory; and who kills whom. */
#include "t/stress/deaths/deaths.h"

#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define PATH "/dev/shm/deaths"

struct dt_ledger *dt;

static int map(int flags)
{
	int fd = open(PATH, O_RDWR | O_CLOEXEC | flags, 0666);

	if (fd < 0)
		return -1;
	if (flags && (fchmod(fd, 0666) || ftruncate(fd, sizeof(*dt))))
		return -1;
	dt = mmap(NULL, sizeof(*dt), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	return dt == MAP_FAILED ? -1 : 0;
}

int dt_ledger_make(void)
{
	return map(O_CREAT | O_EXCL);
}

int dt_ledger_open(void)
{
	return map(0);
}

uint64_t dt_random(uint64_t *state)
{
	uint64_t x = *state += UINT64_C(0x9e3779b97f4a7c15);

	x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
	return x ^ x >> 31;
}

uint32_t dt_below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)(dt_random(state) % limit);
}

void dt_nap(uint64_t *state, uint32_t most_us)
{
	struct timespec time = {0, 1000 * (long)dt_below(state, most_us)};

	nanosleep(&time, NULL);
}

uint64_t dt_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

uint64_t dt_self(void)
{
	struct stat st;

	/* Whatever namespace /proc is of, it knows the process that asks. */
	if (stat("/proc/self/ns/pid", &st))
		st.st_ino = 0;
	return (uint64_t)st.st_ino << 32 | (uint32_t)getpid();
}

void dt_wrong(const char *fmt, ...)
{
	char text[600];
	va_list ap;
	int n = snprintf(text, sizeof(text), "# deaths: WRONG: ");

	va_start(ap, fmt);
	n += vsnprintf(text + n, sizeof(text) - (size_t)n - 1, fmt, ap);
	va_end(ap);
	n = n < (int)sizeof(text) - 1 ? n : (int)sizeof(text) - 2;
	text[n++] = '\n';
	dt->failed++;
	(void)!write(DT_STDERR, text, (size_t)n);
}

uint32_t dt_trace_new(uint32_t world)
{
	uint32_t i = dt->nr_traces++;

	if (i >= DT_TRACES) {
		dt->nr_traces = DT_TRACES;
		return DT_NONE;
	}
	dt->trace[i].uid = geteuid();
	dt->trace[i].world = world;
	dt->count.traces++;
	/* Who ends the world looks at all traces after it has said so. */
	for (; world < DT_WORLDS; world = dt->world[world].parent)
		if (dt->world[world].ending)
			dt_trace_doom(i, __LINE__);
	return i;
}

void dt_trace_log(uint32_t trace, char *path, size_t size)
{
	snprintf(path, size, "%s/t.%u", dt->dir, trace);
}

void dt_trace_doom(uint32_t trace, int why)
{
	if (trace >= DT_TRACES || atomic_exchange(&dt->trace[trace].doomed, 1))
		return;
	dt->trace[trace].why = why;
	dt->count.doomed++;
}

uint32_t dt_world_new(uint32_t parent)
{
	uint32_t i = dt->nr_worlds++;

	if (i >= DT_WORLDS) {
		dt->nr_worlds = DT_WORLDS;
		return DT_NONE;
	}
	dt->world[i].parent = parent;
	dt->count.worlds++;
	return i;
}

static int is_in(uint32_t world, uint32_t other)
{
	while (world != other && world < DT_WORLDS)
		world = dt->world[world].parent;
	return world == other;
}

static void doom_all(uint32_t world)
{
	for (uint32_t i = 0; i < dt->nr_traces && i < DT_TRACES; i++)
		if (!dt->trace[i].doomed && is_in(dt->trace[i].world, world))
			dt_trace_doom(i, __LINE__);
}

void dt_world_doom(uint32_t world)
{
	if (world >= DT_WORLDS)
		return;
	dt->world[world].ending = 1;
	doom_all(world);
}

/* The log that a command line names: ptrace-run's, and its monitor's. */
static int names_trace(pid_t pid, uint32_t *trace)
{
	char path[32], line[1024], *at;
	ssize_t n;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/cmdline", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return 0;
	n = read(fd, line, sizeof(line) - 1);
	close(fd);
	for (ssize_t i = 0; i < n; i++)
		if (!line[i])
			line[i] = ' ';
	line[n > 0 ? n : 0] = '\0';
	at = strstr(line, "ptrace-") ? strstr(line, "/t.") : NULL;
	return at && sscanf(at, "/t.%u", trace) == 1;
}

/* Is /proc that of our pid namespace? */
int dt_proc_is_ours(void)
{
	char text[16] = "";

	return readlink("/proc/self", text, sizeof(text) - 1) > 0 &&
	       atoi(text) == getpid();
}

/* A process of our namespace, or of one below, as it knows itself. */
static uint64_t who_is(pid_t pid)
{
	char path[48], line[256];
	uint64_t number = 0;
	struct stat st;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/ns/pid", pid);
	if (stat(path, &st))
		return 0;
	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	file = fopen(path, "re");
	while (file && fgets(line, sizeof(line), file))
		if (strncmp(line, "NSpid:", 6) == 0)
			number = strtoul(strrchr(line, '\t'), NULL, 10);
	if (file)
		fclose(file);
	return (uint64_t)st.st_ino << 32 | number;
}

int dt_controls(pid_t pid)
{
	uint64_t who = who_is(pid);
	uint32_t trace;

	for (uint32_t i = 0; who && i < dt->nr_traces && i < DT_TRACES; i++)
		if (dt->trace[i].controller == who)
			return 1;
	return names_trace(pid, &trace);
}

/* All that may have its controller there. */
static void doom(pid_t pid, uint32_t world)
{
	uint64_t who = who_is(pid);
	uint32_t trace;

	for (uint32_t i = 0; who && i < dt->nr_traces && i < DT_TRACES; i++)
		if (dt->trace[i].controller == who)
			dt_trace_doom(i, __LINE__);
	for (uint32_t i = 0; who && i < dt->nr_worlds && i < DT_WORLDS; i++)
		if (dt->world[i].first == who && !dt->world[i].ending) {
			dt_world_doom(i);
			dt->count.worlds_killed++;
		}
	if (!dt_proc_is_ours() && world < DT_WORLDS)
		doom_all(world);
	else if (names_trace(pid, &trace))
		dt_trace_doom(trace, __LINE__);
}

void dt_kill(pid_t pid, uint32_t world)
{
	if (pid <= 1 || pid == getpid() || kill(pid, 0))
		return;
	/* Of one that is not known it is not seen that it becomes another. */
	if (!dt_proc_is_ours())
		kill(pid, SIGSTOP);
	doom(pid, world);
	if (kill(pid, SIGKILL) == 0)
		dt->count.kills++;
}
