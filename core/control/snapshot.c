/* SPDX-License-Identifier: MIT */
/*
 * The stream is copied into private memory, while threads go on writing to it,
 * and the copy is flushed into a log of its own and thrown away.  So the log is
 * made by the same steps as any other, nothing of the stream is consumed, and
 * the file may be as slow as it likes.
 *
 * What is copied is what was recorded up to one time: events that are later are
 * left out, since of some chunks they would be there, and of others not.
 */
#include "core/control/snapshot.h"

#include "core/format/logfile.h"
#include "core/buffer/counter.h"
#include "core/buffer/loss.h"
#include "core/buffer/timeline.h"
#include "core/flush/flush.h"
#include "core/flush/log_policy.h"
#include "core/flush/totals.h"
#include "core/format/chunk_words.h"
#include "core/log/packet.h"
#include "core/stream/bridges.h"
#include "core/sys/syscall.h"

#include <string.h>

/* How often in all, and for how long each time, to wait for threads that take a
 * chunk over and count what is lost with it: a peer that is hostile could say
 * so for ever. */
#define WAITS 1000
#define PAUSE_NS 100000

/*
 * Upwards, and one word after the other: of a record whose first word says in
 * the copy that it is committed, the rest is there, too.  Zeroes, which the
 * copy has already, take no memory there.
 */
static void copy_words(void *to, const void *from, uint64_t size)
{
	const uint64_t *word = from;
	uint64_t *copy = to;

	for (uint64_t i = 0; i < size / 8; i++) {
		/* Pairs with ptl_record_write() and ptl_fastpath_record(). */
		uint64_t value = __atomic_load_n(&word[i], __ATOMIC_ACQUIRE);

		if (value)
			copy[i] = value;
	}
}

/* Is what was copied of the chunk since `read' was looked at what was in it?
 * The same protocol as that of a reader, which consumes nothing. */
static bool is_unchanged(struct ptl_shm_chunk *chunk, uint64_t read)
{
	uint64_t now = read;

	/* Pairs with tell_unread() in chunk.c: if it comes later, so do the
	 * bytes of those who have the chunk next. */
	return !(read & PTL_READ_TAKEN) &&
	       atomic_compare_exchange_strong_explicit(&chunk->read, &now, read,
						       memory_order_acq_rel,
						       memory_order_relaxed);
}

static uint64_t get(const _Atomic uint64_t *word)
{
	return atomic_load_explicit(word, memory_order_relaxed);
}

static void set(_Atomic uint64_t *word, uint64_t value)
{
	atomic_store_explicit(word, value, memory_order_relaxed);
}

/* Copies a chunk that is in use.  False: it was taken over meanwhile. */
static bool copy_used(const struct ptl_map *map, const struct ptl_map *copy,
		      uint32_t i, uint64_t own)
{
	struct ptl_shm_chunk *from = &map->table[i], *to = &copy->table[i];
	uint64_t read = get(&from->read), used = get(&from->used);
	uint64_t size = ptl_own_state(own) == PTL_CHUNK_OPEN ?
				map->chunk_size :
				ptl_used(map, used);

	set(&to->used, used);
	set(&to->seq, get(&from->seq));
	set(&to->span, get(&from->span));
	set(&to->base, get(&from->base));
	set(&to->life, get(&from->life));
	set(&to->logged, get(&from->logged));
	copy_words(ptl_map_chunk(copy, i), ptl_map_chunk(map, i), size);
	if (ptl_own_gen(own) != ptl_read_gen(read) ||
	    !is_unchanged(from, read)) {
		memset(ptl_map_chunk(copy, i), 0, size);
		return false;
	}
	set(&to->read, read);
	set(&to->own, own);
	return true;
}

static bool wait_once(unsigned int *waits)
{
	const struct timespec pause = {0, PAUSE_NS};

	if (*waits == WAITS)
		return false;
	++*waits;
	ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
	return true;
}

/* What is lost while we look is lost in the copy as in the stream. */
static void copy_chunk(const struct ptl_map *map, const struct ptl_map *copy,
		       uint32_t i, unsigned int *waits)
{
	do {
		/* Pairs with ptl_chunk_change(). */
		uint64_t own = atomic_load_explicit(&map->table[i].own,
						    memory_order_acquire);
		uint32_t state = ptl_own_state(own);

		if (state == PTL_CHUNK_FREE)
			return;
		if (!(own & PTL_CHUNK_LOSING) && state != PTL_CHUNK_CLEANING &&
		    state <= PTL_CHUNK_PARTIAL && copy_used(map, copy, i, own))
			return;
	} while (wait_once(waits));
}

/* Makes a stream that nobody else has of what the words say that were copied:
 * as it would be if its log had just been begun. */
static void begin_anew(struct ptl_map *copy)
{
	struct ptl_shm_log *log = copy->log;
	uint64_t due = get(&log->resume_due);

	copy->is_copy = true;
	/* The log is not the stream's: nobody looks for that to complete it. */
	copy->id = 0;
	copy->head->attr.log_policy = POSIX_TRACE_APPEND;
	/* Of what is lost the stream's log may know half. */
	if (due)
		set(&log->overflow_due, due);
	set(&log->resume_due, 0);
	set(&log->end, 0);
	set(&log->events, 0);
	set(&log->discarded, 0);
	set(&log->ring, 0);
	atomic_store_explicit(&log->log_status, 0, memory_order_relaxed);
	atomic_store_explicit(&log->error, 0, memory_order_relaxed);
	/* Bridges are copied one by one. */
	memset(&log->bridges, 0, sizeof(log->bridges));
}

static uint64_t offset_in(const struct ptl_map *map, const void *at)
{
	return (uint64_t)((const unsigned char *)at -
			  (const unsigned char *)map->head);
}

/* What the segment says of itself may have changed since it was mapped, if it
 * is another user's, and only what was checked then is known of it. */
static bool has_shape_of(const struct ptl_map *copy, const struct ptl_map *map)
{
	return copy->nr_chunks == map->nr_chunks &&
	       copy->chunk_size == map->chunk_size &&
	       copy->max_data == map->max_data && copy->clock == map->clock &&
	       offset_in(copy, copy->chunks) == offset_in(map, map->chunks) &&
	       offset_in(copy, copy->table) == offset_in(map, map->table) &&
	       offset_in(copy, copy->log) == offset_in(map, map->log);
}

static int enter_copy(void *at, const struct ptl_map *map,
		      struct ptl_map **copy)
{
	int err = ptl_map_enter(at, map->size, map->uid, map->id, copy);

	if (err)
		return err == ENOMEM ? ENOMEM : EIO;
	if (has_shape_of(*copy, map))
		return 0;
	ptl_map_detach(*copy);
	*copy = NULL;
	return EIO;
}

/* The segment, or a bridge.  0, ENOMEM, or EIO: it is damaged. */
static int copy_map(const struct ptl_map *map, unsigned int *waits,
		    struct ptl_map **copy)
{
	void *to = ptl_sys_mmap(NULL, map->size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				0);
	int err;

	if (to == MAP_FAILED)
		return ENOMEM;
	copy_words(to, map->head, offset_in(map, map->chunks));
	err = enter_copy(to, map, copy);
	if (err)
		return err;
	begin_anew(*copy);
	memset((*copy)->table, 0, map->nr_chunks * sizeof(*map->table));
	for (uint32_t i = 0; i < ptl_map_present(*copy); i++)
		copy_chunk(map, *copy, i, waits);
	/* After the chunks, of which some may have been lost meanwhile. */
	set(&(*copy)->head->lost_since, get(&map->head->lost_since));
	set(&(*copy)->head->lost, get(&map->head->lost));
	return 0;
}

/* With the lock of whoever consumes the stream. */
static int copy_stream(struct ptl_stream *stream, struct ptl_stream *copy)
{
	unsigned int waits = 0;
	int err;

	ptl_stream_grow(stream);
	ptl_bridges_look(stream);
	err = copy_map(stream->map, &waits, &copy->map);
	if (!err)
		err = ptl_flush_init(copy);
	for (unsigned int i = 0; i < PTL_SHM_GUESTS && !err; i++)
		if (stream->bridges.map[i])
			err = copy_map(stream->bridges.map[i], &waits,
				       &copy->bridges.map[i]);
	if (err)
		return err;
	/* A loss that its reader has yet to be told. */
	if (stream->reading.lost_since)
		ptl_loss_since(copy->map, stream->reading.lost_since);
	copy->names = stream->names;
	copy->nr_chunks = PTL_MAX(copy->nr_chunks, stream->nr_chunks);
	for (uint32_t n = 0; n < copy->nr_chunks; n++)
		copy->order[n] = n;
	return 0;
}

/* All anchors, so that events have the same time as in the stream's log. */
static int put_clock(struct ptl_stream *copy)
{
	uint64_t packet[(2 * sizeof(struct ptl_log_packet) +
			 sizeof(copy->map->log->anchor)) /
			8];
	size_t size = ptl_packet_begin(packet, PTL_PACKET_CLOCK);

	for (uint32_t i = 0; i < ptl_timeline_count(copy->map); i++)
		size = ptl_packet_clock(packet, sizeof(packet),
					&copy->map->log->anchor[i]);
	return ptl_log_policy_other(copy, packet, size);
}

static int write_log(struct ptl_stream *copy, int fd, uint64_t until)
{
	struct ptl_log_end end;
	int err = ptl_flush_begin(copy, fd);

	if (!err)
		err = put_clock(copy);
	if (!err)
		err = ptl_flush_until(copy, until);
	if (err)
		return err;
	ptl_totals_known(copy->map, copy->names, false, &end);
	return ptl_flush_end(copy, &end);
}

int ptl_snapshot(struct ptl_stream *stream, int fd)
{
	struct ptl_lock *lock = stream->kind == PTL_STREAM_LOGGED ?
					&stream->flusher.lock :
					&stream->lock;
	struct ptl_lock_mask mask;
	struct ptl_stream *copy;
	uint64_t until;
	int err = ptl_stream_new(PTL_STREAM_LOGGED, &copy);

	if (err)
		return err;
	ptl_lock(lock, &mask);
	until = ptl_counter_now(stream->map->clock);
	/* In the stream itself: of an event there is one time. */
	ptl_timeline_extend(stream->map);
	err = copy_stream(stream, copy);
	ptl_unlock(lock, &mask);
	if (!err)
		err = write_log(copy, fd, until);
	/* The names are the stream's. */
	copy->names = NULL;
	ptl_stream_free(copy);
	return err;
}
