/* SPDX-License-Identifier: MIT */
/*
 * The table of streams and logs of this process.  A trid is pid:32
 * generation:17 index+1:15, and the key of its entry: 0 when there is none.
 * The table is in blocks, of which all but the first are made when they are
 * needed, and stay.
 *
 * Getting a stream is lock-free: a thread counts itself in, then looks at the
 * key.  Taking a stream away is the other way round: clear the key, then wait
 * until the count is 0.  Whatever the order, one of the two sees the other.
 */
#include "core/stream/stream.h"

#include "core/format/names.h"
#include "core/record/slots.h"
#include "core/sys/lifeline.h"
#include "core/sys/syscall.h"
#include "core/sys/wait.h"

#include <string.h>

#define INDEX_BITS 15
#define BLOCK_SIZE 512
#define BLOCKS 63
#define TABLE_SIZE (BLOCKS * BLOCK_SIZE)
_Static_assert(TABLE_SIZE < 1 << INDEX_BITS, "index + 1 fits");
/* At exit: a stream that is held for longer is left to be ended by recovery. */
#define EXIT_MS 1000
#define GENERATION_MASK 0x1ffffu

struct entry {
	_Atomic uint64_t key;
	_Atomic uint32_t refs;
	uint32_t generation;
	_Atomic(struct ptl_stream *) stream;
	uint64_t reserved;
};

static struct entry first_block[BLOCK_SIZE] PTL_BULK;
static _Atomic(struct entry *) block[BLOCKS] PTL_BULK; /* [0]: not used */

/* All entries that were ever used come before this index.  Most processes have
 * no stream, and so need not touch the table's pages. */
static _Atomic unsigned int table_end;

/* A hint: no entry before this one is free.  So that of many logs each is not
 * looked for from the beginning. */
static _Atomic unsigned int first_free;

/* One that exists: it is in a block before the end of the table. */
static struct entry *entry_at(unsigned int i)
{
	if (PTL_LIKELY(i < BLOCK_SIZE))
		return &first_block[i];
	/* Pairs with make_block(). */
	return &atomic_load_explicit(&block[i / BLOCK_SIZE],
				     memory_order_acquire)[i % BLOCK_SIZE];
}

/* Sees to it that the block of the entry exists. */
static int make_block(unsigned int i)
{
	const size_t size = BLOCK_SIZE * sizeof(struct entry);
	_Atomic(struct entry *) *place = &block[i / BLOCK_SIZE];
	struct entry *none = NULL;
	void *p;

	if (i < BLOCK_SIZE || atomic_load_explicit(place, memory_order_relaxed))
		return 0;
	p = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (p == MAP_FAILED)
		return ENOMEM;
	/* Pairs with entry_at().  Another thread, or a handler, was first. */
	if (!atomic_compare_exchange_strong_explicit(place, &none, p,
						     memory_order_acq_rel,
						     memory_order_relaxed))
		ptl_sys_munmap(p, size);
	return 0;
}

/* Relaxed: a thread that was given a trid by another sees its entry, too. */
static unsigned int end_of_table(void)
{
	return atomic_load_explicit(&table_end, memory_order_relaxed);
}

/* Never lowered: another thread may have registered a later entry. */
static void extend_table(unsigned int to)
{
	unsigned int end = end_of_table();

	while (end < to && !atomic_compare_exchange_weak_explicit(
				   &table_end, &end, to, memory_order_relaxed,
				   memory_order_relaxed))
		;
}

int ptl_stream_new(enum ptl_stream_kind kind, struct ptl_stream **stream)
{
	/* From the kernel: a stream may be created where the state of the heap
	 * is unknown, as in an exit handler or a fork child. */
	void *p = ptl_sys_mmap(NULL, sizeof(struct ptl_stream),
			       PROT_READ | PROT_WRITE,
			       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return ENOMEM;
	*stream = p;
	(*stream)->kind = kind;
	(*stream)->log.writer.fd = -1;
	return 0;
}

void ptl_stream_free(struct ptl_stream *stream)
{
	if (stream->entry.is_borrowed)
		return;
	if (stream->cursor)
		ptl_sys_munmap(stream->cursor,
			       ptl_stream_cursors_size(stream->map));
	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++)
		if (stream->bridges.map[i])
			ptl_map_detach(stream->bridges.map[i]);
	if (stream->buffer)
		ptl_sys_munmap(stream->buffer, stream->buffer_size);
	if (stream->map)
		ptl_map_detach(stream->map);
	if (stream->names)
		ptl_sys_munmap(stream->names, sizeof(*stream->names));
	ptl_pipetail_end(&stream->log.tail);
	if (stream->log.writer.fd >= 0)
		ptl_log_close(&stream->log.writer);
	if (stream->opened.reader)
		ptl_log_reader_close(stream->opened.reader);
	if (stream->lifeline)
		ptl_lifeline_drop(stream->lifeline);
	ptl_sys_munmap(stream, sizeof(*stream));
}

/* No thread can have the stream any more: the entry is free. */
static void vacate(struct entry *entry, unsigned int i)
{
	unsigned int first =
		atomic_load_explicit(&first_free, memory_order_relaxed);

	/* Pairs with claim_entry(). */
	atomic_store_explicit(&entry->stream, NULL, memory_order_release);
	while (i < first && !atomic_compare_exchange_weak_explicit(
				    &first_free, &first, i,
				    memory_order_relaxed, memory_order_relaxed))
		;
}

static bool claim_entry(struct entry *entry, struct ptl_stream *stream)
{
	struct ptl_stream *none = NULL;

	/* Pairs with vacate(). */
	return atomic_load_explicit(&entry->refs, memory_order_relaxed) == 0 &&
	       atomic_compare_exchange_strong_explicit(
		       &entry->stream, &none, stream, memory_order_acq_rel,
		       memory_order_relaxed);
}

/* The entry is the stream's. */
static void enter(struct ptl_stream *stream, struct entry *entry,
		  unsigned int i, trace_id_t *trid)
{
	uint32_t pid = (uint32_t)ptl_sys_getpid();

	entry->generation = (entry->generation + 1) & GENERATION_MASK;
	stream->entry.index = i;
	extend_table(i + 1);
	*trid = (trace_id_t)pid << 32 |
		(trace_id_t)entry->generation << INDEX_BITS | (i + 1);
	/* Pairs with ptl_stream_get(): the stream is complete. */
	atomic_store_explicit(&entry->key, *trid, memory_order_seq_cst);
}

int ptl_stream_register(struct ptl_stream *stream, trace_id_t *trid)
{
	unsigned int hint =
		atomic_load_explicit(&first_free, memory_order_relaxed);
	unsigned int i;
	int err = 0;

	for (i = hint; i < TABLE_SIZE && !(err = make_block(i)); i++)
		if (claim_entry(entry_at(i), stream))
			break;
	/* The hint may be too high: entries became free meanwhile. */
	if (err || i == TABLE_SIZE)
		for (i = 0; i < hint; i++)
			if (claim_entry(entry_at(i), stream))
				break;
	if (i == TABLE_SIZE || (err && i >= hint))
		return err ? err : EAGAIN;
	/* One that became free before it stays unused until the next is. */
	atomic_compare_exchange_strong_explicit(&first_free, &hint, i + 1,
						memory_order_relaxed,
						memory_order_relaxed);
	enter(stream, entry_at(i), i, trid);
	return 0;
}

static struct entry *entry_of(trace_id_t trid)
{
	unsigned int i = (unsigned int)(trid & ((1u << INDEX_BITS) - 1)) - 1;

	/* The child of a fork that was not dealt with yet still has its
	 * parent's table. */
	return i < end_of_table() && !ptl_slots_forked() ? entry_at(i) : NULL;
}

/* A handler that interrupts this restores the count before it returns. */
static void count_alone(struct entry *entry, uint32_t by)
{
	uint32_t refs =
		atomic_load_explicit(&entry->refs, memory_order_relaxed);

	atomic_store_explicit(&entry->refs, refs + by, memory_order_relaxed);
}

static void count_in(struct entry *entry)
{
	if (ptl_alone())
		count_alone(entry, 1);
	else
		/* Pairs with take(): counted before the key is looked at. */
		atomic_fetch_add_explicit(&entry->refs, 1,
					  memory_order_seq_cst);
	PTL_HANDLER_FENCE();
}

static void count_out(struct entry *entry)
{
	PTL_HANDLER_FENCE();
	if (ptl_alone())
		count_alone(entry, UINT32_MAX);
	else
		/* A thread that frees the stream sees what we did to it.
		 * Pairs with take(). */
		atomic_fetch_sub_explicit(&entry->refs, 1,
					  memory_order_release);
}

struct ptl_stream *ptl_stream_get(trace_id_t trid, unsigned int kinds)
{
	struct entry *entry = entry_of(trid);
	struct ptl_stream *stream;

	if (!entry)
		return NULL;
	ptl_thread.refs++;
	PTL_HANDLER_FENCE();
	count_in(entry);
	/* Pairs with take(). */
	if (atomic_load_explicit(&entry->key, memory_order_seq_cst) == trid) {
		stream = atomic_load_explicit(&entry->stream,
					      memory_order_relaxed);
		/* A handler may have forked just now: a child has no streams.
		 */
		if (stream && stream->kind & kinds)
			return stream;
	}
	count_out(entry);
	PTL_HANDLER_FENCE();
	ptl_thread.refs--;
	return NULL;
}

void ptl_stream_put(struct ptl_stream *stream)
{
	count_out(entry_at(stream->entry.index));
	PTL_HANDLER_FENCE();
	ptl_thread.refs--;
}

/* The caller has checked that the key is a stream that may be taken. */
static struct ptl_stream *take(struct entry *entry, uint64_t key,
			       unsigned int patience_ms)
{
	struct timespec pause = {0, 1000000};
	struct ptl_stream *stream;

	/* Pairs with ptl_stream_get(). */
	if (!atomic_compare_exchange_strong_explicit(&entry->key, &key, 0,
						     memory_order_seq_cst,
						     memory_order_relaxed))
		return NULL;
	stream = atomic_load_explicit(&entry->stream, memory_order_relaxed);
	/* A handler may have forked just now: a child has no streams. */
	if (!stream)
		return NULL;
	atomic_store_explicit(&stream->entry.is_dying, true,
			      memory_order_relaxed);
	/*
	 * A flush may be as slow as its disk.  A reference that never goes away
	 * is one of a frame of our own thread that a handler interrupted to
	 * come here: then the stream is ended under that frame, and not freed.
	 */
	for (unsigned int ms = 0;; ms++) {
		/* Pairs with ptl_stream_get() and _put(). */
		uint32_t refs = atomic_load_explicit(&entry->refs,
						     memory_order_seq_cst);

		if (refs == 0 || (ptl_thread.refs && refs <= ptl_thread.refs)) {
			stream->entry.is_borrowed = refs != 0;
			vacate(entry, stream->entry.index);
			return stream;
		}
		if (ms >= patience_ms)
			return NULL;
		/* Repeated: a reader may be just about to sleep. */
		if (stream->kind == PTL_STREAM_LIVE)
			ptl_wait_wake(&stream->map->head->sleeper);
		ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
	}
}

struct ptl_stream *ptl_stream_take(trace_id_t trid, unsigned int kinds)
{
	struct ptl_stream *stream = ptl_stream_get(trid, kinds);
	struct entry *entry = entry_of(trid);

	if (!stream)
		return NULL;
	ptl_stream_put(stream);
	return take(entry, trid, UINT32_MAX);
}

static uint64_t active_key(struct entry *entry)
{
	uint64_t key = atomic_load_explicit(&entry->key, memory_order_relaxed);
	struct ptl_stream *stream = ptl_stream_get(key, PTL_STREAM_ACTIVE);

	if (!key || !stream)
		return 0;
	ptl_stream_put(stream);
	return key;
}

struct ptl_stream *ptl_stream_take_any(void)
{
	for (unsigned int i = 0; i < end_of_table(); i++) {
		uint64_t key = active_key(entry_at(i));
		struct ptl_stream *stream =
			key ? take(entry_at(i), key, EXIT_MS) : NULL;

		if (stream)
			return stream;
	}
	return NULL;
}

bool ptl_streams_any(void)
{
	for (unsigned int i = 0; i < end_of_table(); i++)
		if (active_key(entry_at(i)))
			return true;
	return false;
}

/*
 * A handler that interrupted a call with a stream forked; in the child the call
 * goes on when the handler returns.  It keeps its stream, but nothing that it
 * does reaches the parent's.
 */
static void part(struct ptl_stream *stream)
{
	struct ptl_map *parents;

	if (!(stream->kind & PTL_STREAM_ACTIVE))
		return;
	parents = ptl_map_part(stream->map);
	if (parents)
		ptl_map_detach(parents);
}

void ptl_streams_forked(void)
{
	ptl_log_reader_forked();
	for (unsigned int i = 0; i < end_of_table(); i++) {
		struct entry *entry = entry_at(i);
		struct ptl_stream *stream = atomic_load_explicit(
			&entry->stream, memory_order_relaxed);

		atomic_store_explicit(&entry->key, 0, memory_order_relaxed);
		/* A frame that was interrupted inside will count itself out. */
		atomic_store_explicit(&entry->refs, ptl_thread.refs,
				      memory_order_relaxed);
		vacate(entry, i);
		/* Which a fork child does not get. */
		if (stream)
			stream->lifeline = NULL;
		/* Opened logs hold heap memory, which another thread of the
		 * parent may have been changing: leave those alone. */
		if (stream && ptl_thread.refs)
			part(stream);
		else if (stream && stream->kind & PTL_STREAM_ACTIVE)
			ptl_stream_free(stream);
	}
}
