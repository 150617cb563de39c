/* SPDX-License-Identifier: MIT */
/*
 * A peer that changes what we look at after each of our instructions does not
 * keep us: flushing, reading and counting come to an end.
 */
#include "core/control/processes.h"
#include "core/flush/limit.h"
#include "core/flush/overflow.h"
#include "core/stream/reader.h"
#include "core/stream/stream.h"
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/story.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <unistd.h>

static trace_event_id_t id;
static struct ptl_stream *stream;
static struct ptl_map *map;

/* The chunks are used again, each with one event. */
static int churn(long n)
{
	uint32_t gen = (uint32_t)n % 0xffff + 1;

	map->head->processes++;
	map->head->lost_since = (uint64_t)n;
	map->log->nr_anchors = n % 2 ? 2 : UINT32_MAX;
	for (uint32_t i = 0; i < 4; i++) {
		struct ptl_shm_chunk *chunk = &map->table[i];
		uint64_t *word = (void *)ptl_map_chunk(map, i);

		word[0] = PTL_RECORD_COMMITTED | id << PTL_RECORD_ID_SHIFT;
		chunk->used = 16;
		chunk->read = (uint64_t)gen << 48;
		chunk->own = (uint64_t)gen << 16 | PTL_CHUNK_CLOSED;
		chunk->life++;
	}
	return 1;
}

static void copy(void)
{
	struct ptl_copy pass = ptl_copy_of(stream, false);

	ptl_copy_events(&pass);
}

static void fit(void)
{
	struct ptl_copy pass = ptl_copy_of(stream, false);

	ptl_limit_pass(&pass);
}

static void read_event(void)
{
	struct ptl_event event;
	char data[64];

	ptl_reader_try(stream, &event, data, sizeof(data));
}

static void count(void)
{
	ptl_processes_live(map->uid, map->id);
}

/* Does it come to an end, with a stream and log of these policies? */
static void ends(void (*fn)(void), int stream_policy, int log_policy, int log,
		 const char *what)
{
	trace_id_t trid = 0;

	if (log)
		posix_trace_create_withlog(
			0, story_attr(65536, stream_policy, 65536, log_policy),
			file_make(), &trid);
	else
		posix_trace_create(0,
				   story_attr(65536, stream_policy, 0,
					      POSIX_TRACE_APPEND),
				   &trid);
	stream_begin(trid);
	for (unsigned long i = 0; i < 100; i++)
		story_put(id, 0, i);
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	map = stream->map;
	ok(step_through(fn, churn) > 100, "%s", what);
	ptl_stream_put(stream);
	posix_trace_shutdown(trid);
}

static int idle(struct proc *self, void *arg)
{
	(void)arg;
	proc_turn(self);
	return 0;
}

/* Of a stream whose process is gone, and others seem to come. */
static void census(void)
{
	trace_id_t trid = 0;
	struct proc p;

	proc_start(&p, idle, NULL);
	proc_await(&p);
	posix_trace_create(p.pid, NULL, &trid);
	proc_kill(&p, SIGKILL);
	stream = ptl_stream_get(trid, PTL_STREAM_ACTIVE);
	map = stream->map;
	ok(step_through(count, churn) > 100, "counting");
	ptl_stream_put(stream);
	posix_trace_shutdown(trid);
}

int main(void)
{
	step_needed();
	plan(6);
	id = event_id("an event");
	census();
	ends(copy, POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_APPEND, 1, "copying");
	ends(copy, POSIX_TRACE_LOOP, POSIX_TRACE_LOOP, 1, "a ring");
	ends(fit, POSIX_TRACE_UNTIL_FULL, POSIX_TRACE_UNTIL_FULL, 1, "fitting");
	ends(read_event, POSIX_TRACE_UNTIL_FULL, 0, 0, "reading");
	ends(read_event, POSIX_TRACE_LOOP, 0, 0, "reading what loops");
	return done();
}
