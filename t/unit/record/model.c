/* SPDX-License-Identifier: MIT */
/*
 * The recorder's own code (core/buffer, core/record), compiled for it, in a
 * stream of a few small chunks, with a few threads, their handlers and deaths:
 * whatever comes in between what, each event is read once, or counted as lost
 * once, in the name of its thread; no chunk is used again while it is written
 * to, or pinned for good; no state changes as it never should (core/README,
 * `States of the recorder').  How all that is gone through: model/explore.c.
 *
 * What it does not know: the order in which processors make stores visible
 * (there is one memory here), what comes between two plain stores that no fence
 * is between (the tests *-step run a handler there), and what the kernel does.
 *
 * Is it still able to fail?  t/meta/model.t plants faults in copies of these
 * files and looks whether each is found.  By hand: break a step in core/, make
 * t/unit/record/model.t and run that.  It says which task began, and what came
 * at which point; to see where a point is, stop there with a debugger: break
 * model_point if nr_points == 93.
 */
#include "t/unit/record/model/model.h"

#include "core/buffer/chunk.h"
#include "core/buffer/chunk_change.h"
#include "core/buffer/cursor.h"
#include "core/buffer/leftover.h"
#include "core/record/attached.h"
#include "core/record/emit.h"
#include "core/record/slots.h"

#include "t/lib/tap.h"

#include <stdlib.h>
#include <string.h>
#include <trace.h>

/* A span and three events of one word, and not a fourth. */
#define CHUNK_SIZE 128
#define EVENTS_IN_CHUNK 3
#define CHUNKS_MAX 8
#define EVENTS 32 /* of a task */
#define DATA (UINT64_C(0x5a) << 56)
#define TID 1000u

static struct world {
	struct ptl_shm_head head;
	struct ptl_shm_log log;
	struct ptl_shm_chunk table[CHUNKS_MAX] __attribute__((aligned(64)));
	unsigned char chunk[CHUNKS_MAX * CHUNK_SIZE]
		__attribute__((aligned(64)));
} world;

static struct ptl_slot slot[TASKS];
static _Atomic uint32_t owner[TASKS];
static struct ptl_map map;

/* What is known of the events. */
static struct ledger {
	struct event {
		bool begun, ended;
		int read;
	} event[TASKS][EVENTS];
	int next[TASKS];
	uint64_t twice; /* perhaps counted as lost a second time */
} ledger;

static uint32_t nr_chunks, policy;

_Noreturn void ptl_check_failed(const char *place, const char *expected)
{
	explore_wrong("%s: expected: %s", place, expected);
}

bool model_tid_alive(int tid);
bool model_tid_alive(int tid)
{
	return !explore_is_dead(tid - (int)TID);
}

static void put(int self)
{
	int n = ledger.next[self]++;
	uint64_t data = DATA | (uint64_t)self << 32 | (uint64_t)n;

	ledger.event[self][n].begun = true;
	ptl_emit(PTL_ID_FIRST_USER, &data, sizeof(data), NULL, 1);
	ledger.event[self][n].ended = true;
}

static void make_stream(void)
{
	memset(&world, 0, sizeof(world));
	memset(&ledger, 0, sizeof(ledger));
	world.head.clock = PTL_CLOCK_TSC;
	world.head.nr_chunks = world.head.nr_first = nr_chunks;
	atomic_init(&world.head.present, nr_chunks);
	atomic_init(&world.head.state, PTL_STATE_RUNNING | PTL_STATE_START);
	world.head.attr.stream_policy = policy;
	world.log.has_log = 1;
	map = (struct ptl_map){
		.head = &world.head,
		.chunks = world.chunk,
		.chunk_size = CHUNK_SIZE,
		.max_data = 64,
		.nr_chunks = nr_chunks,
		.nr_first = nr_chunks,
		.clock = PTL_CLOCK_TSC,
		.max_kept = nr_chunks,
		.min_shared = 0,
		.table = world.table,
		.log = &world.log,
		.id = 1,
		.is_told = true,
	};
	for (uint32_t i = 0; i < nr_chunks; i++)
		ptl_chunk_init(&world.table[i], 1);
	ptl_attached.map[0] = &map;
	atomic_store(&ptl_slots_no_syscalls, true);
}

/* A thread, with its slot; a recorder has a chunk with one event, so that the
 * third from here on needs another. */
static void make_task(int i, struct ptl_own_thread *thread, bool records)
{
	struct ptl_own_thread ours = ptl_thread;

	if (i == 0)
		make_stream();
	memset(&slot[i], 0, sizeof(slot[i]));
	slot[i].busy = PTL_SLOT_IDLE;
	slot[i].owner = &owner[i];
	slot[i].pid = 1;
	atomic_store(&owner[i], TID + (uint32_t)i);
	ptl_thread.slot = &slot[i];
	ptl_thread.tid = TID + (uint32_t)i;
	ptl_thread_forget();
	if (records) {
		put(i);
		put(i);
	}
	*thread = ptl_thread;
	ptl_thread = ours;
}

static void setup_recorder(int i, struct ptl_own_thread *thread)
{
	make_task(i, thread, true);
}

/* An event that was read is one that was recorded, in its thread's name. */
static void read_one(uint64_t data, uint32_t tid)
{
	unsigned int task = data >> 32 & 0xffff, n = (uint32_t)data;

	if ((data & ~UINT64_C(0xffffffffffff)) != DATA || task >= TASKS ||
	    n >= EVENTS || !ledger.event[task][n].begun)
		explore_wrong("%#lx was read", (unsigned long)data);
	if (tid != TID + task)
		explore_wrong("event %u of task %u is of %u", n, task,
			      tid - TID);
	if (ledger.event[task][n].read++)
		explore_wrong("event %u of task %u is read twice", n, task);
}

/* Copies of events, believed when they are consumed. */
struct found {
	unsigned int nr;
	struct {
		uint64_t data;
		uint32_t tid;
	} event[8];
};

static void find(struct found *found, const struct ptl_cursor *cursor,
		 const struct ptl_record *rec)
{
	if (found->nr == PTL_ARRAY_SIZE(found->event))
		explore_wrong("a chunk has too many events");
	memcpy(&found->event[found->nr].data, rec->data, sizeof(uint64_t));
	found->event[found->nr++].tid = cursor->span.tid;
}

static bool consume_found(uint32_t i, struct ptl_cursor *cursor,
			  struct found *found)
{
	unsigned int nr = found->nr;

	found->nr = 0;
	if (cursor->gen == 0 || !ptl_cursor_consume(&map, i, cursor))
		return false;
	for (unsigned int n = 0; n < nr; n++)
		read_one(found->event[n].data, found->event[n].tid);
	return true;
}

/* One event behind a hole. */
static bool take_one(uint32_t i, struct ptl_cursor *cursor,
		     const struct ptl_record *rec, struct found *found)
{
	struct found one = {0};

	if (!consume_found(i, cursor, found))
		return false;
	find(&one, cursor, rec);
	if (ptl_cursor_mark(&map, i, cursor, rec))
		read_one(one.event[0].data, one.event[0].tid);
	return true;
}

static void read_chunk(uint32_t i, enum ptl_patience patience)
{
	struct ptl_cursor cursor = {0};
	struct found found = {0};
	struct ptl_record rec;
	uint32_t begun = 0;
	enum ptl_peek is;

	while ((is = ptl_cursor_peek(&map, i, &cursor, patience, &rec)) ==
		       PTL_PEEK_EVENT &&
	       ptl_cursor_goes_on(&cursor, 0)) {
		/* It was taken over: what was read before is not believed. */
		if (cursor.begun != begun)
			found.nr = 0;
		begun = cursor.begun;
		if (!cursor.hole)
			find(&found, &cursor, &rec);
		else if (!take_one(i, &cursor, &rec, &found))
			return;
		ptl_cursor_step(&cursor, &rec);
	}
	if (cursor.begun != begun)
		found.nr = 0;
	if (consume_found(i, &cursor, &found) && is == PTL_PEEK_ALL)
		ptl_chunk_free(&map, i, cursor.gen, ptl_thread.tid);
}

static void read_all(enum ptl_patience patience)
{
	for (uint32_t i = 0; i < nr_chunks; i++)
		read_chunk(i, patience);
}

/* Who takes over a chunk counts what is lost with it, and then says so: between
 * the two a death leaves it to be counted again. */
static void dies(int self)
{
	for (uint32_t i = 0; i < nr_chunks; i++)
		if (world.table[i].own & PTL_CHUNK_LOSING &&
		    ptl_own_tid(world.table[i].own) == TID + (uint32_t)self)
			ledger.twice += EVENTS_IN_CHUNK;
}

/* When all tasks have come to their ends. */
static void check(void)
{
	uint64_t lost, missing = 0, perhaps = 0;
	struct ptl_own_thread ours = ptl_thread;

	/* What a handler pinned after its thread has looked is unpinned by its
	 * next event. */
	for (int t = 0; t < TASKS; t++) {
		ptl_thread = *explore_thread(t);
		if (ledger.next[t] && !explore_is_dead(t))
			put(t);
	}
	ptl_thread = ours;
	ptl_thread.tid = TID + TASKS;
	while (ptl_leftover_reap(&map))
		;
	read_all(PTL_PATIENCE_LAST);
	ptl_thread = ours;
	lost = world.head.lost;
	for (int t = 0; t < TASKS; t++)
		for (int n = 0; n < ledger.next[t]; n++) {
			const struct event *event = &ledger.event[t][n];

			missing += !event->read && event->ended;
			perhaps += !event->read && !event->ended;
		}
	if (lost < missing || lost > missing + perhaps + ledger.twice)
		explore_wrong("%lu are missing, %lu more perhaps, and %lu "
			      "counted as lost",
			      (unsigned long)missing, (unsigned long)perhaps,
			      (unsigned long)lost);
	for (uint32_t i = 0; i < nr_chunks; i++)
		if (ptl_own_pinned(world.table[i].own))
			explore_wrong("chunk %u is pinned for good", i);
}

static void record_one(int self)
{
	(void)self;
	explore_call(put);
}

static void record_two(int self)
{
	(void)self;
	explore_call(put);
	explore_call(put);
}

static void consume(int self)
{
	(void)self;
	read_all(PTL_PATIENCE_ORDER);
	read_all(PTL_PATIENCE_PASS);
}

static void put_two(int self)
{
	put(self);
	put(self);
}

/* All chunks are used: one is taken over. */
static void setup_full(int i, struct ptl_own_thread *thread)
{
	struct ptl_own_thread ours = ptl_thread;

	nr_chunks = 2;
	make_task(i, thread, i == 0);
	if (i == 0) {
		ptl_thread = *thread;
		for (int n = 0; n < EVENTS_IN_CHUNK; n++)
			put(i);
		*thread = ptl_thread;
		ptl_thread = ours;
	}
}

/* May a call be seen to have been left? */
static void setup_asks(int i, struct ptl_own_thread *thread)
{
	make_task(i, thread, true);
	atomic_store(&ptl_slots_no_syscalls, false);
}

static void setup_read(int i, struct ptl_own_thread *thread)
{
	make_task(i, thread, i != 2);
}

static void setup_last_reads(int i, struct ptl_own_thread *thread)
{
	make_task(i, thread, i != 1);
}

static void child(int self)
{
	if (self < 0)
		memset(slot, 0, sizeof(slot));
}

static const struct scenario scenarios[] = {
	{.name = "two record, one reads",
	 .may = MAY_SWITCH,
	 .budget = 2,
	 .nr_tasks = 3,
	 .task = {record_two, record_two, consume},
	 .setup = setup_read,
	 .check = check},
	{.name = "handlers",
	 .may = MAY_HANDLE,
	 .budget = 3,
	 .nr_tasks = 1,
	 .task = {record_one},
	 .setup = setup_recorder,
	 .handler = put,
	 .check = check},
	{.name = "one is taken over, and one reads",
	 .may = MAY_SWITCH | MAY_HANDLE,
	 .budget = 2,
	 .nr_tasks = 2,
	 .task = {record_two, consume},
	 .setup = setup_full,
	 .handler = put,
	 .check = check},
	{.name = "one is taken over, and one dies",
	 .may = MAY_SWITCH | MAY_DIE,
	 .budget = 2,
	 .nr_tasks = 2,
	 .task = {record_two, consume},
	 .setup = setup_full,
	 .dies = dies,
	 .check = check},
	{.name = "handlers, and one reads",
	 .may = MAY_SWITCH | MAY_HANDLE,
	 .budget = 2,
	 .nr_tasks = 2,
	 .task = {record_two, consume},
	 .setup = setup_last_reads,
	 .handler = put_two,
	 .check = check},
	{.name = "deaths",
	 .may = MAY_SWITCH | MAY_HANDLE | MAY_DIE,
	 .budget = 2,
	 .nr_tasks = 2,
	 .task = {record_two, record_two},
	 .setup = setup_recorder,
	 .handler = put,
	 .dies = dies,
	 .check = check},
	{.name = "calls are left",
	 .may = MAY_HANDLE | MAY_LEAVE,
	 .budget = 2,
	 .nr_tasks = 1,
	 .task = {record_two},
	 .setup = setup_asks,
	 .handler = put,
	 .check = check},
	{.name = "forks",
	 .may = MAY_HANDLE | MAY_FORK,
	 .budget = 1,
	 .nr_tasks = 1,
	 .task = {record_two},
	 .setup = setup_recorder,
	 .handler = put,
	 .child = child,
	 .check = check},
};

/* With a name only the scenario that has it. */
int main(int argc, char **argv)
{
	unsigned long runs;

	if (under_valgrind() || under_asan() || under_tsan())
		skip_all("many stacks, and millions of points");
	explore_keep(&world, sizeof(world));
	explore_keep(slot, sizeof(slot));
	explore_keep(&ledger, sizeof(ledger));
	explore_shared(&world, sizeof(world));
	plan(argc > 1 ? 1 : (int)PTL_ARRAY_SIZE(scenarios));
	policy = POSIX_TRACE_LOOP;
	for (size_t i = 0; i < PTL_ARRAY_SIZE(scenarios); i++) {
		bool good;

		if (argc > 1 && strcmp(argv[1], scenarios[i].name) != 0)
			continue;
		nr_chunks = 4;
		good = explore(&scenarios[i], &runs);

		ok(good, "%s: %lu runs", scenarios[i].name, runs);
	}
	return done();
}
