/* SPDX-License-Identifier: MIT */
/*
 * The memory for the kernel's events is less where a user has no more of it:
 * the sampler is woken before it is full, then, too.
 */
#include "t/lib/tap.h"
#include "tools/sampler/events.h"

#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Nobody else's: what a user has is counted for all of its processes. */
#define USER 64732
#define RING (64u * 1024)
#define TAKEN_MOST 4096

static long page_size;
static struct ptl_events events;

/* ---- little memory -------------------------------------------------- */

static void *taken[TAKEN_MOST];
static int fds[TAKEN_MOST];
static unsigned int nr_taken;

static bool take_one(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.exclude_kernel = 1,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	void *at = fd < 0 ? MAP_FAILED :
			    mmap(NULL, (size_t)page_size + RING,
				 PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (at == MAP_FAILED) {
		close(fd);
		return false;
	}
	fds[nr_taken] = fd;
	taken[nr_taken++] = at;
	return true;
}

static void give_one(void)
{
	munmap(taken[--nr_taken], (size_t)page_size + RING);
	close(fds[nr_taken]);
}

/* A ring of that size is left to each CPU, and a bit. */
static bool take_memory(void)
{
	const struct rlimit none = {0, 0};
	unsigned int cpus = (unsigned int)sysconf(_SC_NPROCESSORS_CONF);

	page_size = sysconf(_SC_PAGESIZE);
	if (setrlimit(RLIMIT_MEMLOCK, &none) != 0)
		return false;
	while (nr_taken < TAKEN_MOST && take_one())
		;
	if (nr_taken == TAKEN_MOST || nr_taken <= cpus)
		return false;
	for (unsigned int i = 0; i <= cpus; i++)
		give_one();
	return true;
}

/* ---- a program that is sampled -------------------------------------- */

static int compute(void)
{
	volatile unsigned long sum = 0;
	struct timespec used;

	do {
		for (int i = 0; i < 100000; i++)
			sum += (unsigned long)i;
		clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
	} while (used.tv_sec == 0 && used.tv_nsec < 300000000);
	return 0;
}

/* On the first CPU, when `go' has been closed. */
static pid_t begin(int go[2])
{
	pid_t pid = fork();
	cpu_set_t first;
	char byte;

	if (pid != 0)
		return pid;
	CPU_ZERO(&first);
	CPU_SET(0, &first);
	close(go[1]);
	if (sched_setaffinity(0, sizeof(first), &first) != 0 ||
	    read(go[0], &byte, 1) != 0)
		_exit(1);
	execl("/proc/self/exe", "rings", "compute", (char *)NULL);
	_exit(1);
}

static void count(void *arg, const struct perf_event_header *record)
{
	*(unsigned int *)arg += record->type == PERF_RECORD_SAMPLE;
}

/* By what the kernel says of it, not by a clock: POLLHUP is for the end. */
static void watch(int go[2])
{
	unsigned int nr = 0;

	ok(events.ring[0].size > 0 && events.ring[0].size < 512u * 1024,
	   "a ring of %llu bytes is left",
	   (unsigned long long)events.ring[0].size);
	close(go[1]);
	while (poll(events.fds, 1, -1) < 0)
		;
	is_int(events.fds[0].revents, POLLIN,
	       "it wakes before the program ends");
	ptl_events_drain(&events, count, &nr);
	ok(nr > 0, "there are %u samples", nr);
}

int main(int argc, char **argv)
{
	int go[2], error;
	bool of_memory;
	pid_t pid;

	(void)argv;
	if (argc > 1)
		return compute();
	/* Who was root may not be looked at, otherwise. */
	if (getuid() != 0 || setuid(USER) != 0 ||
	    prctl(PR_SET_DUMPABLE, 1) != 0)
		skip_all("only root can become a user without memory");
	if (pipe(go) != 0 || !take_memory())
		skip_all("the kernel gives no events, or too much memory");
	plan(4);
	pid = begin(go);
	error = ptl_events_open(
		&events,
		&(struct ptl_events_wanted){
			.pid = pid, .hz = 999, .stack = 16384, .follows = true},
		&of_memory);
	is_int(error, 0, "the events are opened");
	if (error == 0)
		watch(go);
	else
		skip(3, "there are none");
	close(go[1]);
	if (pid > 0)
		waitpid(pid, NULL, 0);
	return done();
}
