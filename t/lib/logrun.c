/* SPDX-License-Identifier: MIT */
#include "t/lib/logrun.h"
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MAX_WRITERS 4

/* A writer, and what it is to do in each round. */
struct writer {
	const struct logrun *run;
	trace_event_id_t id;
	unsigned int which;
};

static pthread_barrier_t barrier;

long file_size(int fd)
{
	struct stat st;

	return fstat(fd, &st) ? -1 : (long)st.st_size;
}

static void one_round(const struct writer *writer, unsigned long round)
{
	unsigned long per_round = writer->run->per_round;

	for (unsigned long i = 0; i < per_round; i++)
		story_put(writer->id, writer->which, round * per_round + i);
}

static void *thread(void *arg)
{
	const struct writer *writer = arg;

	for (unsigned long i = 0; i < writer->run->rounds; i++) {
		one_round(writer, i);
		pthread_barrier_wait(&barrier);
		pthread_barrier_wait(&barrier);
	}
	return NULL;
}

static int process(struct proc *self, void *arg)
{
	const struct writer *writer = arg;

	for (unsigned long i = 0; proc_await(self); i++) {
		one_round(writer, i);
		proc_tell(self);
	}
	return 0;
}

static void must_flush(struct logrun *run, trace_id_t trid, unsigned long i)
{
	int err = 0;

	if (run->flush_every && i % run->flush_every == run->flush_every - 1)
		err = posix_trace_flush(trid);
	if (!run->err)
		run->err = err;
}

static void by_one(struct logrun *run, trace_id_t trid, struct writer *writer)
{
	for (unsigned long i = 0; i < run->rounds; i++) {
		one_round(&writer[0], i);
		must_flush(run, trid, i);
	}
}

static void by_threads(struct logrun *run, trace_id_t trid,
		       struct writer *writer)
{
	pthread_t id[MAX_WRITERS];

	pthread_barrier_init(&barrier, NULL, (unsigned)run->nr_writers + 1);
	for (int n = 0; n < run->nr_writers; n++)
		pthread_create(&id[n], NULL, thread, &writer[n]);
	for (unsigned long i = 0; i < run->rounds; i++) {
		pthread_barrier_wait(&barrier);
		must_flush(run, trid, i);
		pthread_barrier_wait(&barrier);
	}
	for (int n = 0; n < run->nr_writers; n++)
		pthread_join(id[n], NULL);
	pthread_barrier_destroy(&barrier);
}

static void by_processes(struct logrun *run, trace_id_t trid,
			 struct writer *writer)
{
	struct proc p[MAX_WRITERS];

	for (int n = 0; n < run->nr_writers; n++)
		proc_start(&p[n], process, &writer[n]);
	for (unsigned long i = 0; i < run->rounds; i++) {
		for (int n = 0; n < run->nr_writers; n++)
			proc_tell(&p[n]);
		for (int n = 0; n < run->nr_writers; n++)
			proc_await(&p[n]);
		must_flush(run, trid, i);
	}
	for (int n = 0; n < run->nr_writers; n++)
		proc_wait(&p[n]);
}

static trace_id_t make(const struct logrun *run, int fd)
{
	trace_attr_t *attr = story_attr(2 << 20, run->policy, run->log_size,
					run->log_policy);

	posix_trace_attr_setmaxdatasize(attr, 64);
	return stream_run_log(attr_inherit(attr), fd);
}

void logrun(struct logrun *run, trace_event_id_t id)
{
	static const int nr_writers[] = { 1, 4, 3 };
	struct writer writer[MAX_WRITERS];
	int fd = file_make(), err;
	trace_id_t trid = make(run, fd);

	run->err = 0;
	run->nr_writers = nr_writers[run->writers];
	for (unsigned int n = 0; n < MAX_WRITERS; n++)
		writer[n] = (struct writer){ run, id, n };
	if (run->writers == ONE_THREAD)
		by_one(run, trid, writer);
	else if (run->writers == FOUR_THREADS)
		by_threads(run, trid, writer);
	else
		by_processes(run, trid, writer);
	err = posix_trace_shutdown(trid);
	if (!run->err)
		run->err = err;
	run->file_size = file_size(fd);
	err = story_log(fd, id, &run->story);
	if (!run->err)
		run->err = err;
	close(fd);
}

void logrun_all(struct logrun *run, trace_event_id_t id, logrun_look *look)
{
	static const int policies[] = { POSIX_TRACE_LOOP,
					POSIX_TRACE_UNTIL_FULL,
					POSIX_TRACE_FLUSH };

	for (int i = 0; i < 3; i++)
		for (run->writers = ONE_THREAD; run->writers <= THREE_PROCESSES;
		     run->writers++) {
			run->policy = policies[i];
			logrun(run, id);
			look(run);
		}
}

void logrun_sizes(struct logrun *run, trace_event_id_t id, logrun_look *look)
{
	static const struct {
		size_t log_size;
		unsigned long rounds, per_round, flush_every;
	} sizes[] = {
		{ 8192, 200, 20, 3 },
		{ 65536, 400, 20, 3 },
		{ 1 << 20, 200, 500, 5 },
	};

	for (int i = 0; i < 3; i++) {
		run->log_size = sizes[i].log_size;
		run->rounds = sizes[i].rounds;
		run->per_round = sizes[i].per_round;
		run->flush_every = sizes[i].flush_every;
		logrun_all(run, id, look);
	}
}

static const char *policy_name(int policy)
{
	return policy == POSIX_TRACE_LOOP	? "LOOP" :
	       policy == POSIX_TRACE_UNTIL_FULL ? "UNTIL_FULL" :
	       policy == POSIX_TRACE_FLUSH	? "FLUSH" :
						  "APPEND";
}

const char *logrun_name(const struct logrun *run)
{
	static const char *const writers[] = { "one thread", "four threads",
					       "three processes" };
	static char name[128];

	snprintf(name, sizeof(name), "%s, log %s of %zu, %s",
		 policy_name(run->policy), policy_name(run->log_policy),
		 run->log_size, writers[run->writers]);
	return name;
}
