/* SPDX-License-Identifier: MIT */
/*
 * A reader takes an event behind a record that is being written, and a writer
 * the whole chunk, each while the other is about it: the event is read, or
 * counted as lost.
 */
#include "core/format/record.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* Events: a span more or less before them is no more than that. */
#define MARGIN 10

static trace_event_id_t id;
static trace_id_t trid;
static struct ptl_shm_chunk *chunk; /* the writer's first */
static uint64_t before;		    /* what of it is consumed */
static uint64_t *first, complete;   /* record of his */
static pthread_barrier_t turn;
static unsigned long nr, enough; /* recorded; until the chunk is taken over */
static int consumed, taken, got;
static struct event read_late;

/* Where this process has a stream's segment mapped. */
static unsigned char *find_segment(void)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	void *address = NULL;
	char line[512];

	while (maps && !address && fgets(line, sizeof(line), maps))
		if (strstr(line, "/s."))
			sscanf(line, "%p", &address);
	if (maps)
		fclose(maps);
	return address;
}

static void record(unsigned long to)
{
	while (nr < to)
		event_put(id, nr++);
}

static void record_rest(void)
{
	record(enough + MARGIN);
}

static void make_stream(void)
{
	trid = stream_begin(
		stream_make(0, stream_attr(16384, 0, POSIX_TRACE_LOOP)));
}

/* The chunk that has events, in the segment. */
static unsigned char *find_chunk(void)
{
	unsigned char *segment = find_segment();
	struct ptl_shm_head *head = (void *)segment;
	struct ptl_shm_chunk *table = (void *)(segment + head->table_off);
	uint32_t i = head->nr_chunks;

	while (--i > 0 && !table[i].span)
		;
	chunk = &table[i];
	return segment + head->chunks_off + i * head->chunk_size;
}

static void find_enough(void)
{
	make_stream();
	record(3);
	find_chunk();
	for (before = chunk->read; chunk->read == before;)
		record(nr + 1);
	stream_end(trid);
	enough = nr;
	nr = 0;
}

/* Makes the writer's first event one that is not yet complete. */
static void make_hole(void)
{
	unsigned char *span = find_chunk() + chunk->span - 1;

	first = (void *)(span + PTL_RECORD_HEADER +
			 sizeof(struct ptl_shm_span));
	complete = *first;
	*first = (complete & ~(uint64_t)PTL_RECORD_COMMITTED) |
		 ptl_record_id_bits(PTL_ID_PENDING);
}

static int is_taken(long n)
{
	(void)n;
	if (!(chunk->read & PTL_READ_TAKEN))
		return 1;
	taken = 1;
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	return 0;
}

static void *writer(void *arg)
{
	record(3);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	record(enough - MARGIN);
	step_through(record_rest, is_taken);
	return arg;
}

/* All before the hole is consumed first, then the event behind it. */
static int is_consumed(long n)
{
	(void)n;
	if (chunk->read == before)
		return 1;
	consumed = 1;
	__atomic_store_n(first, complete, __ATOMIC_RELEASE);
	pthread_barrier_wait(&turn);
	pthread_barrier_wait(&turn);
	return 0;
}

static void read_one(void)
{
	got = event_next(trid, &read_late);
}

int main(void)
{
	struct posix_trace_info_np info;
	unsigned long n = 0;
	pthread_t thread;
	struct event ev;

	step_needed();
	plan(5);
	id = event_id("an event");
	find_enough();
	make_stream();
	pthread_barrier_init(&turn, NULL, 2);
	pthread_create(&thread, NULL, writer, NULL);
	pthread_barrier_wait(&turn);
	ok(event_next(trid, &ev) && ev.info.posix_event_id == POSIX_TRACE_START,
	   "START is read");
	make_hole();
	ok(event_next(trid, &ev) && ev.info.posix_event_id == id &&
		   ev.word == 1,
	   "what is behind a record being written is read");
	/* A change of it will tell that it was consumed. */
	chunk->read -= 8;
	before = chunk->read;
	n++;
	step_through(read_one, is_consumed);
	pthread_barrier_wait(&turn);
	pthread_join(thread, NULL);
	ok(consumed && taken, "both have begun before either was done");
	n += got && read_late.info.posix_event_id == id;
	while (event_next(trid, &ev))
		n += ev.info.posix_event_id == id;
	ok(n > 0, "some are read: %lu", n);
	posix_trace_get_info_np(trid, &info);
	is_int((long long)(n + info.lost), (long long)nr,
	       "all are read or lost");
	stream_end(trid);
	return done();
}
