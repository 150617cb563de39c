/* SPDX-License-Identifier: MIT */
/*
 * log-full-policy POSIX_TRACE_LOOP: a thread that was slow to fill its part of
 * the stream loses its newest events no sooner than others lose older ones.
 */
#include "t/lib/clock.h"
#include "t/lib/logrun.h"
#include "t/lib/tap.h"

#include <pthread.h>

#define LOG_SIZE (1 << 18)
/* What the other one records takes most of the log. */
#define MANY (LOG_SIZE / LOGRUN_RECORD * 3 / 4)

static trace_event_id_t id;
static trace_id_t trid;
static pthread_barrier_t turn;

/* It has its part from the beginning. */
static void *slow(void *arg)
{
	(void)arg;
	story_put(id, 1, 0);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	for (unsigned long i = 1; i < 10; i++)
		story_put(id, 1, i);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	return NULL;
}

static void fast(unsigned long from, unsigned long to)
{
	for (unsigned long i = from; i < to; i++)
		story_put(id, 0, i);
}

int main(void)
{
	trace_attr_t *attr = story_attr(1 << 20, POSIX_TRACE_UNTIL_FULL,
					LOG_SIZE, POSIX_TRACE_LOOP);
	const struct story_writer *writer;
	int fd = file_make();
	struct posix_trace_info_np info;
	struct story story;
	trace_id_t log = 0;
	pthread_t thread;

	plan(7);
	id = event_id("an event");
	posix_trace_create_withlog(0, attr, fd, &trid);
	stream_begin(trid);
	pthread_barrier_init(&turn, NULL, 2);
	pthread_create(&thread, NULL, slow, NULL);
	pthread_barrier_wait(&turn);
	fast(0, MANY);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	is_int(posix_trace_flush(trid), 0, "flush");
	fast(MANY, 2 * MANY - MANY / 2);
	is_int(posix_trace_shutdown(trid), 0, "shutdown");
	pthread_barrier_wait(&turn);
	pthread_join(thread, NULL);
	story_log(fd, id, &story);
	writer = story.writer;
	ok(writer[0].nr && writer[0].first > 0 && writer[0].first < MANY,
	   "of the fast one %lu is the first", writer[0].first);
	ok(writer[1].nr && writer[1].last == 9,
	   "[logpolicy.2] the slow one's last is later: it is there");
	is_int(story_gaps(&story) + story_disorder(&story), 0,
	       "[logpolicy.2] no gap, none twice: %ld", story.users);
	is_int(posix_trace_open(fd, &log), 0, "open");
	posix_trace_get_info_np(log, &info);
	is_int((long)info.events, story.nr - 2,
	       "so many are told, OVERFLOW and RESUME aside");
	posix_trace_close(log);
	return done();
}
