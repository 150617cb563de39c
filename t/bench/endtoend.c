/* SPDX-License-Identifier: MIT */
/*
 * usage: endtoend LOG EVENTS [ROUNDS [block]]
 * From the first event to the complete log: a child records EVENTS events of
 * 16 bytes as fast as it can, the parent controls.  The limit has the same
 * bytes to move: records of 32 bytes through shared memory of the same size to
 * a process that writes them to a file; it waits for room, as a stream of the
 * policy BLOCK_NP does, where one of FLUSH loses events.
 */
#include <trace.h>

#include "t/bench/limit.h"
#include "t/bench/measure.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define SHARED_SIZE (64ul << 20)
#define WRITE_SIZE (1ul << 20)

/* What one round gives. */
struct result {
	double complete;	/* ns until the log is complete */
	double producer;	/* ns the child took, for each event */
	double cpu;		/* ns of processor time of both */
	double lost;
	double bytes;		/* of the log, for each event in it */
};

static unsigned long events;
static const char *path;
static int policy = POSIX_TRACE_FLUSH;

static void check(int err, const char *what)
{
	if (err == 0)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(err));
	exit(1);
}

static double cpu_time(int who)
{
	struct rusage use;

	getrusage(who, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e9 +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e3;
}

static double both_cpu_times(void)
{
	return cpu_time(RUSAGE_SELF) + cpu_time(RUSAGE_CHILDREN);
}

static int open_log(void)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	if (fd < 0) {
		perror(path);
		exit(1);
	}
	return fd;
}

/* A child that waits for a byte, then does fn(arg); what it took is in *ns. */
static pid_t start_child(void (*fn)(void *arg), void *arg, int go[2],
			 double *ns)
{
	pid_t pid;
	char byte;

	if (pipe(go) != 0)
		exit(1);
	pid = fork();
	if (pid == 0) {
		double start;

		if (read(go[0], &byte, 1) != 1)
			_exit(1);
		start = measure_now();
		fn(arg);
		*ns = measure_now() - start;
		_exit(0);
	}
	return pid;
}

static void let_go(int go[2])
{
	if (write(go[1], "", 1) != 1)
		exit(1);
	close(go[0]);
	close(go[1]);
}

static void record_all(void *arg)
{
	unsigned char data[16] = {1};
	trace_event_id_t id;

	(void)arg;
	if (posix_trace_eventid_open("bench", &id) != 0)
		_exit(1);
	for (unsigned long i = 0; i < events; i++)
		posix_trace_event(id, data, sizeof(data));
}

static void ours(struct result *result, double *shared)
{
	struct posix_trace_info_np info;
	int go[2], fd = open_log();
	pid_t pid = start_child(record_all, NULL, go, shared);
	double cpu = both_cpu_times(), start;
	trace_attr_t attr;
	trace_id_t trid;

	check(posix_trace_attr_init(&attr), "attr_init");
	check(posix_trace_attr_setstreamsize(&attr, SHARED_SIZE),
	      "setstreamsize");
	check(posix_trace_attr_setstreamfullpolicy(&attr, policy),
	      "setstreamfullpolicy");
	check(posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND),
	      "setlogfullpolicy");
	check(posix_trace_create_withlog(pid, &attr, fd, &trid), "create");
	check(posix_trace_start(trid), "start");
	start = measure_now();
	let_go(go);
	waitpid(pid, NULL, 0);
	check(posix_trace_shutdown_np(trid, &info), "shutdown");
	result->complete = measure_now() - start;
	if (info.events == 0 || info.events + info.lost < events)
		check(EIO, "events of the log");
	result->producer = *shared / (double)events;
	result->cpu = both_cpu_times() - cpu;
	result->lost = (double)info.lost;
	result->bytes = (double)info.log_size / (double)info.events;
	close(fd);
}

struct record {
	uint64_t word[4];
};

/* Shared memory between the limit's two processes. */
struct channel {
	_Atomic uint64_t written;	/* bytes, by the producer */
	char pad0[64 - sizeof(uint64_t)];
	_Atomic uint64_t taken;		/* by the writer of the file */
	_Atomic int done;
	char pad1[64 - sizeof(uint64_t) - sizeof(int)];
	unsigned char bytes[SHARED_SIZE];
};

static void produce(void *arg)
{
	struct channel *channel = arg;
	uint64_t pos = 0;

	for (unsigned long i = 0; i < events; i++) {
		struct record *to = (void *)(channel->bytes +
					     pos % SHARED_SIZE);

		to->word[0] = limit_counter();
		to->word[1] = (uintptr_t)produce;
		to->word[2] = i;
		to->word[3] = i;
		pos += sizeof(*to);
		if (pos % (64 * 1024))
			continue;
		atomic_store_explicit(&channel->written, pos,
				      memory_order_release);
		while (pos - atomic_load_explicit(&channel->taken,
						  memory_order_acquire) >
		       SHARED_SIZE - 128 * 1024)
			usleep(100);
	}
	atomic_store(&channel->written, pos);
	atomic_store(&channel->done, 1);
}

static void write_out(struct channel *channel, int fd)
{
	uint64_t taken = 0;

	for (;;) {
		int done = atomic_load(&channel->done);
		uint64_t written = atomic_load_explicit(&channel->written,
							memory_order_acquire);
		uint64_t size = written - taken, at = taken % SHARED_SIZE;

		if (size == 0 && done)
			break;
		if (size < WRITE_SIZE && !done) {
			usleep(200);
			continue;
		}
		if (size > WRITE_SIZE)
			size = WRITE_SIZE;
		if (size > SHARED_SIZE - at)
			size = SHARED_SIZE - at;
		if (write(fd, channel->bytes + at, size) != (ssize_t)size) {
			perror(path);
			exit(1);
		}
		taken += size;
		atomic_store_explicit(&channel->taken, taken,
				      memory_order_release);
	}
}

static void limit(struct result *result, double *shared)
{
	struct channel *channel =
		mmap(NULL, sizeof(*channel), PROT_READ | PROT_WRITE,
		     MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int go[2], fd = open_log();
	double cpu, start;
	pid_t pid;

	if (channel == MAP_FAILED)
		exit(1);
	/* A stream's memory, too, was allocated before it started. */
	for (size_t i = 0; i < SHARED_SIZE; i += 4096)
		channel->bytes[i] = 1;
	pid = start_child(produce, channel, go, shared);
	cpu = both_cpu_times();
	start = measure_now();
	let_go(go);
	write_out(channel, fd);
	waitpid(pid, NULL, 0);
	result->complete = measure_now() - start;
	result->producer = *shared / (double)events;
	result->cpu = both_cpu_times() - cpu;
	result->bytes = sizeof(struct record);
	munmap(channel, sizeof(*channel));
	close(fd);
}

int main(int argc, char **argv)
{
	double *shared = mmap(NULL, 4096, PROT_READ | PROT_WRITE,
			      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct measure complete = {0}, producer = {0}, cpu = {0};
	double lost = 0, bytes = 0;
	unsigned int rounds = 3;

	if (argc < 3 || argc > 5 || shared == MAP_FAILED)
		return 2;
	if (argc > 4 && strcmp(argv[4], "block") == 0)
		policy = POSIX_TRACE_BLOCK_NP;
	if (argc > 3)
		rounds = (unsigned int)atoi(argv[3]);
	path = argv[1];
	events = strtoul(argv[2], NULL, 10);
	for (unsigned int round = 0; round < rounds; round++) {
		struct result a = {0}, b = {0};

		limit(&b, shared);
		ours(&a, shared);
		measure_add(&complete, a.complete / (double)events,
			    b.complete / (double)events);
		measure_add(&producer, a.producer, b.producer);
		measure_add(&cpu, a.cpu / (double)events,
			    b.cpu / (double)events);
		lost += a.lost;
		bytes = a.bytes;
	}
	measure_tell(&producer, "producer");
	measure_tell(&complete, "until the log is complete");
	measure_tell(&cpu, "processor time of both");
	printf("# %.0f of %lu events lost, %.1f bytes an event in the log\n",
	       lost, events * rounds, bytes);
	return 0;
}
