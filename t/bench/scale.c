/* SPDX-License-Identifier: MIT */
/*
 * usage: scale LOG
 * How what an event costs grows: with streams, threads, processes, data, and
 * the size of the log.  Processor time of an event, beside that of the least
 * of each kind, measured in the same round.
 */
#include <trace.h>

#include "t/bench/measure.h"
#include "t/bench/verify.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 5
#define SLICE 100000ul
#define WARM_UP 1000ul
#define RUNNERS_MAX 2000
#define END UINT_MAX

static trace_event_id_t event;
static unsigned char data[65536];

static void check(int err, const char *what)
{
	if (err == 0)
		return;
	fprintf(stderr, "%s: %s\n", what, strerror(err));
	exit(1);
}

static trace_id_t make_stream(size_t size, size_t max_data)
{
	trace_attr_t attr;
	trace_id_t trid;

	check(posix_trace_attr_init(&attr), "attr_init");
	check(posix_trace_attr_setstreamsize(&attr, size), "setstreamsize");
	check(posix_trace_attr_setmaxdatasize(&attr, max_data),
	      "setmaxdatasize");
	check(posix_trace_attr_setinherited(&attr, POSIX_TRACE_INHERITED),
	      "setinherited");
	check(posix_trace_create(0, &attr, &trid), "create");
	check(posix_trace_start(trid), "start");
	return trid;
}

static void end_stream(trace_id_t trid, unsigned long made)
{
	verify_recorded(trid, event, made);
	check(posix_trace_shutdown(trid), "shutdown");
}

static double cpu_now(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* Processor time of this thread for each of so many events, in ns. */
static double slice(unsigned long nr, size_t size)
{
	double start;

	/* What is done once: a chunk, pages. */
	for (unsigned long i = 0; i < WARM_UP; i++)
		posix_trace_event(event, data, size);
	start = cpu_now(CLOCK_THREAD_CPUTIME_ID);
	for (unsigned long i = 0; i < nr; i++)
		posix_trace_event(event, data, size);
	return (cpu_now(CLOCK_THREAD_CPUTIME_ID) - start) / (double)nr;
}

static double of_streams(unsigned int nr)
{
	trace_id_t trid[64];
	double ns;

	for (unsigned int i = 0; i < nr; i++)
		trid[i] = make_stream(1 << 20, 256);
	ns = slice(SLICE, 16);
	for (unsigned int i = 0; i < nr; i++)
		end_stream(trid[i], WARM_UP + SLICE);
	return ns;
}

static void *run(void *ns)
{
	*(double *)ns = slice(SLICE / 10, 16);
	return NULL;
}

static double mean(const double *ns, unsigned int nr)
{
	double sum = 0;

	for (unsigned int i = 0; i < nr; i++)
		sum += ns[i];
	return sum / nr;
}

static double of_threads(unsigned int nr)
{
	trace_id_t trid = make_stream(8 << 20, 256);
	pthread_t thread[RUNNERS_MAX];
	double ns[RUNNERS_MAX];

	for (unsigned int i = 0; i < nr; i++)
		check(pthread_create(&thread[i], NULL, run, &ns[i]), "thread");
	for (unsigned int i = 0; i < nr; i++)
		pthread_join(thread[i], NULL);
	end_stream(trid, nr * (WARM_UP + SLICE / 10));
	return mean(ns, nr);
}

static double of_processes(unsigned int nr)
{
	trace_id_t trid = make_stream(8 << 20, 256);
	double *ns = mmap(NULL, RUNNERS_MAX * sizeof(*ns),
			  PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
			  -1, 0),
	       result;

	for (unsigned int i = 0; i < nr; i++)
		if (fork() == 0) {
			run(&ns[i]);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	end_stream(trid, nr * (WARM_UP + SLICE / 10));
	result = mean(ns, nr);
	munmap(ns, RUNNERS_MAX * sizeof(*ns));
	return result;
}

static double of_bytes(unsigned int size)
{
	trace_id_t trid = make_stream(8 << 20, sizeof(data));
	unsigned long nr = size > 4096 ? SLICE / 10 : SLICE;
	double ns = slice(nr, size);

	end_stream(trid, WARM_UP + nr);
	return ns;
}

static const char *path;

static double all_cpu(void)
{
	struct rusage use;

	getrusage(RUSAGE_SELF, &use);
	return (double)(use.ru_utime.tv_sec + use.ru_stime.tv_sec) * 1e9 +
	       (double)(use.ru_utime.tv_usec + use.ru_stime.tv_usec) * 1e3;
}

/* Until a log of so many MiB is complete, the flusher's time included. */
static double of_log(unsigned int mib)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
	unsigned long nr = ((unsigned long)mib << 20) / 32;
	struct posix_trace_info_np info;
	trace_attr_t attr;
	trace_id_t trid;
	double start;

	check(posix_trace_attr_init(&attr), "attr_init");
	check(posix_trace_attr_setstreamsize(&attr, 64 << 20), "streamsize");
	check(posix_trace_attr_setlogfullpolicy(&attr, POSIX_TRACE_APPEND),
	      "setlogfullpolicy");
	check(posix_trace_attr_setstreamfullpolicy(&attr, POSIX_TRACE_BLOCK_NP),
	      "setstreamfullpolicy");
	check(posix_trace_create_withlog(0, &attr, fd, &trid), "create");
	check(posix_trace_start(trid), "start");
	start = all_cpu();
	for (unsigned long i = 0; i < nr; i++)
		posix_trace_event(event, data, 16);
	check(posix_trace_shutdown_np(trid, &info), "shutdown");
	if (info.events < nr || info.lost > 0)
		check(EIO, "events of the log");
	close(fd);
	return (all_cpu() - start) / (double)nr;
}

/* A virtual machine may get its memory when it is first used, which takes the
 * kernel ten times what the pages of a file take else. */
static void touch_memory(unsigned int mib)
{
	int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);

	for (unsigned int i = 0; i < mib << 4; i++)
		if (write(fd, data, sizeof(data)) < 0)
			break;
	close(fd);
	unlink(path);
}

/* Each number beside the first; numbers end with END. */
static void grow(const char *what, double (*cost)(unsigned int),
		 const unsigned int *number, unsigned int rounds)
{
	struct measure m[16];
	char name[64];

	memset(m, 0, sizeof(m));
	for (unsigned int round = 0; round < rounds; round++) {
		double least = cost(number[0]);

		for (unsigned int i = 1; number[i] != END; i++)
			measure_add(&m[i], cost(number[i]), least);
	}
	for (unsigned int i = 1; number[i] != END; i++) {
		snprintf(name, sizeof(name), "%u %s (%u)", number[i], what,
			 number[0]);
		measure_tell(&m[i], name);
	}
}

int main(int argc, char **argv)
{
	static const unsigned int streams[] = {1, 2, 4, 8, 16, 32, 64, END};
	static const unsigned int threads[] = {1, 2, 4, 16, 64, 200, 512, END};
	static const unsigned int processes[] = {1, 2, 10, 100, 500, 2000, END};
	static const unsigned int bytes[] = {16,   0,	 64,	65,    256,
					     1024, 4096, 16384, 65536, END};
	static const unsigned int mib[] = {10, 100, 500, 2000, END};

	if (argc != 2)
		return 2;
	path = argv[1];
	check(posix_trace_eventid_open("bench", &event), "eventid_open");
	grow("streams", of_streams, streams, ROUNDS);
	grow("threads", of_threads, threads, ROUNDS);
	grow("processes", of_processes, processes, ROUNDS);
	grow("bytes", of_bytes, bytes, ROUNDS);
	touch_memory(2100);
	grow("MiB of log", of_log, mib, 1);
	unlink(path);
	return 0;
}
