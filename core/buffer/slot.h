/* SPDX-License-Identifier: MIT */
/*
 * The private side of recording: each thread has a slot, and in it for each
 * stream the word that says where its next record goes.  Slots lie on pages
 * that are all zero after any fork: a child cannot write through its parent's
 * words, whichever way it was made.
 */
#ifndef PTL_CORE_BUFFER_SLOT_H
#define PTL_CORE_BUFFER_SLOT_H

#include "core/shm/map.h"

#define PTL_SLOT_PINS 4
/* For so many stacks (core/record/nest.h). */
#define PTL_NESTS 8
#define PTL_SLOT_MEMORY (65536 * PTL_NESTS)
#define PTL_SLOT_AHEAD 8

/*
 * What a thread stores plainly and others look at after a membarrier() in its
 * midst.  ThreadSanitizer knows of no membarrier: for it the store releases
 * and the look acquires what the barrier orders.
 */
#ifdef __SANITIZE_THREAD__
#define PTL_WATCHED _Atomic
#define PTL_WATCH_ORDER __ATOMIC_ACQUIRE
#else
#define PTL_WATCHED
#define PTL_WATCH_ORDER __ATOMIC_RELAXED
#endif

/* Why a thread may not take the fast path. */
#define PTL_ATTENTION_VFORK 1u /* ask the pid until the parent writes */
#define PTL_ATTENTION_CLONE 2u /* a child goes on beside the parent: always */

/*
 * A pin is one word, so that it is set and taken away by one instruction:
 *
 *   chunk:16  generation:16  number:24  resumes:1  stream:7
 *
 * The chunk and its generation are where they are in the word of a stream.
 * `resumes' is for ptl_chunk_unpin().  The stream is its bit number + 1, so
 * that the lower half is 0 only where there is no pin.  No two pins of a slot
 * have the same number: who changes one that he has seen before changes no
 * other that has come meanwhile.
 */
#define PTL_PIN_STREAM 0x7fu
#define PTL_PIN_RESUMES 0x80u
#define PTL_PIN_NUMBER_SHIFT 8
/* Of a stream that is dead: nothing is to be done. */
#define PTL_PIN_DEAD PTL_PIN_STREAM
static_assert(PTL_MAX_STREAMS < PTL_PIN_DEAD, "a pin");

/* The chunks of a LOOP stream that are to be taken over next, the oldest first,
 * as the thread saw them when it last looked at all. */
struct ptl_ahead {
	uint64_t stream; /* its id */
	uint32_t at, nr;
	struct {
		uint32_t index;
		uint64_t own, seq;
	} next[PTL_SLOT_AHEAD];
};

/*
 * A thread in one stream, all of it in one line of the cache.  The word is
 * chunk:16 generation:16 offset:32, the offset in units of 8 bytes; without a
 * chunk the generation is 0, and nothing fits (ptl_word_none()).  It changes by
 * un-locked compare-and-swap only, which a handler on the same thread can
 * interrupt but no other thread sees.  It belongs to `map' and to no later
 * stream that comes to have the same bit: both are cleared together, by this
 * thread alone.
 */
struct ptl_slot_stream {
	uint64_t word;
	struct ptl_map *PTL_WATCHED map; /* NULL: not attached */
	/* For the fast path (fastpath.h), copies of what is in the map. */
	uint64_t bit; /* 1 << the stream's number; 0: never the fast path */
	unsigned char *base; /* of the chunk that the word names */
	uint64_t units;	     /* chunk_size / 8 */
	uint64_t max_data;   /* the largest it takes */
	uint32_t until;	     /* upper half of the counter when its span ends */
	uint32_t count; /* events in the chunk, or PTL_COUNT_LOST and more */
	/* The gate of the stream (map.h) that ran when this thread last looked
	 * before an event, and filtered nothing; or PTL_GATE_NONE. */
	uint64_t gate;
} __attribute__((aligned(64)));
static_assert(sizeof(struct ptl_slot_stream) == 64, "a cache line");

/*
 * No chunk of that mapping.  Each has its own: who finds a word that he has
 * seen before, and then the mapping that he goes by, changes that word only if
 * no handler has come to another mapping meanwhile; in the child of one that
 * forks it is another.
 */
PTL_INLINE uint64_t ptl_word_none(const struct ptl_map *map)
{
	return UINT64_C(0x80000000) | (uint64_t)((uintptr_t)map >> 4 & 0xffff)
					      << 48;
}

/* What is in the chunk was not all counted here. */
#define PTL_COUNT_LOST 0x80000000u

/*
 * What a recorder looks at first: is its thread idle?  Anything else takes
 * the slow path: no slot yet, wiped by a fork, attention wanted (0), or the
 * stack address of the recorder that a handler interrupted.
 */
#define PTL_SLOT_IDLE 1u

/* A child that runs in our memory, and has been told of. */
struct ptl_announced {
	_Atomic uint32_t pid; /* 0: none */
	uint32_t pidns;
	uint32_t at; /* its entry: 1 + its place; 0: none */
};

struct ptl_slot {
	PTL_WATCHED uint64_t busy;
	_Atomic uint32_t *owner; /* holds its thread's tid; NULL: free */
	uint32_t pid;
	struct ptl_announced announced; /* the last */
	uint64_t thread;		/* pthread_t */
	uint32_t attention;		/* then busy is never idle */
	uint32_t nr_pins; /* that were ever set: the number of the next */
	const char
		*executes;  /* such a child, or NULL: ptl_registry_program() */
	const void *vforks; /* where it made a child that is not announced */
	uint64_t called;    /* when it made its last child: caller.h */
	/* None (0) behind a first that is none, but where they are being taken
	 * away: ptl_slot_pinned(). */
	uint64_t pin[PTL_SLOT_PINS];
	/* Up from here to `thread' the thread's own stack is known to be there
	 * (frame.c); 0: nothing is known yet. */
	uint64_t stack;
	struct ptl_walked *walked; /* its last stack */
	struct ptl_desk *desk;	   /* to unwind on */
	void *memory;		   /* of its own, for hooks: ptl_nest_mine() */
	struct ptl_sums *sums;	   /* of calls, or NULL: core/record/sums.h */
	/* A bit for each stream in which it claims a chunk, or closes one; or a
	 * handler left it there by siglongjmp(). */
	uint64_t claiming;
	/* The time of an event that goes to several streams, or 0; good for
	 * those that are left unless a handler has recorded since it began. */
	uint64_t when;
	PTL_WATCHED bool overtaken;
	/* The number of its last user span; 0: none yet.  Another after a
	 * fork. */
	uint64_t user_span;
	struct ptl_ahead ahead;
	uint64_t attached; /* a bit for each stream that has been; others are
			    * not looked at, which would touch a page */
	struct ptl_slot_stream stream[PTL_MAX_STREAMS]
		__attribute__((aligned(64)));
};

/* Of a thread that has none: never idle, without owner, empty; it is never
 * written to, and shares a page with other constants. */
extern const struct ptl_slot ptl_no_slot __attribute__((visibility("hidden")));
#define PTL_NO_SLOT ((struct ptl_slot *)(uintptr_t)&ptl_no_slot)

/*
 * What the fast path begins with stands here, all of it: CPUs that wait for
 * what is under way when the counter is read make it pay for each pointer that
 * leads to another.  A fork does not wipe it, but what it points at.
 */
struct ptl_own_thread {
	struct ptl_slot *slot; /* ptl_no_slot: none yet */
	/* The stream recorded in last, and its head; if there is none, or it
	 * is gone, one of ptl_no_slot, which is no stream's. */
	struct ptl_slot_stream *last;
	struct ptl_shm_head *head;
	/* The kernel's id of this thread; in a fork child, of the parent's that
	 * forked, until the child takes a slot. */
	uint32_t tid;
	/* How many streams this thread has got and not put, of any entry;
	 * counted a moment longer than in the entry (stream.c), so that a
	 * handler never finds too few. */
	uint16_t refs;
	/* A handler forks that has interrupted it in the recorder (fork.c). */
	bool forks_inside : 1;
	/* The thread has put its slot back for good: calls of libc on its way
	 * out get no other, which would never be put back. */
	bool ended : 1;
	/* The thread may not read the CPU's counter (counter.h). */
	bool no_counter;
};

extern __thread struct ptl_own_thread ptl_thread
	__attribute__((tls_model("initial-exec"), visibility("hidden")));

/* What was recorded in last is to be looked up again. */
PTL_INLINE void ptl_thread_forget(void)
{
	ptl_thread.last = PTL_NO_SLOT->stream;
	PTL_HANDLER_FENCE();
}

/* Loaded once: a handler may fork, and NULL is here then. */
PTL_INLINE _Atomic uint32_t *ptl_slot_owner(const struct ptl_slot *slot)
{
	return __atomic_load_n(&slot->owner, __ATOMIC_RELAXED);
}

/* Does a thread own it?  Not after a fork. */
PTL_INLINE bool ptl_slot_owned(const struct ptl_slot *slot)
{
	_Atomic uint32_t *owner = ptl_slot_owner(slot);

	return owner && atomic_load_explicit(owner, memory_order_relaxed) != 0;
}

/* Has a handler pinned a chunk? */
PTL_INLINE uint32_t ptl_slot_pinned(const struct ptl_slot *slot)
{
	return (uint32_t)PTL_LOAD_PLAINLY(&slot->pin[0]);
}

/* The longest data for which no memcpy() is called. */
#define PTL_SHORT_DATA 256

/* Says in `busy' where on the stack the caller is. */
PTL_INLINE void ptl_slot_set_busy(struct ptl_slot *slot)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	/* No frame pointer for that alone. */
	__asm__ volatile("movq %%rsp, %0" : "=m"(slot->busy) : : "memory");
#else
	slot->busy = (uintptr_t)__builtin_frame_address(0);
	PTL_HANDLER_FENCE();
#endif
}

/*
 * For work outside of ptl_emit() that claims chunks or looks into mappings: a
 * handler must know that it interrupts a recorder, and other threads that a
 * mapping is in use.  True if the caller is to take the mark away again.
 */
PTL_INLINE bool ptl_slot_mark(struct ptl_slot *slot)
{
	if (slot->busy != PTL_SLOT_IDLE)
		return false;
	ptl_slot_set_busy(slot);
	return true;
}

PTL_INLINE void ptl_slot_unmark(struct ptl_slot *slot)
{
	PTL_HANDLER_FENCE();
	slot->busy = PTL_SLOT_IDLE;
}

PTL_INLINE uint64_t ptl_word(uint32_t gen, uint32_t chunk, uint64_t offset)
{
	return (uint64_t)chunk << 48 | (uint64_t)gen << 32 | offset >> 3;
}

PTL_INLINE uint32_t ptl_word_gen(uint64_t word)
{
	return word >> 32 & 0xffff;
}

PTL_INLINE uint32_t ptl_word_chunk(uint64_t word)
{
	return (uint32_t)(word >> 48);
}

PTL_INLINE bool ptl_word_holds(uint64_t word)
{
	return ptl_word_gen(word) != 0;
}

PTL_INLINE uint64_t ptl_word_offset(uint64_t word)
{
	return (word & 0xffffffff) << 3;
}

/*
 * May the word of a stream change so by compare-and-swap?  Within a chunk it
 * goes on, and never back; between chunks it goes to one, or to none; and to
 * the first only when the stream is attached, which is a store.
 */
PTL_INLINE bool ptl_word_may_change(uint64_t from, uint64_t to)
{
	if (!ptl_word_holds(to))
		return ptl_word_holds(from) && (uint32_t)to == 0x80000000;
	return from != 0 && (from >> 32 != to >> 32 || from < to);
}

/*
 * cmpxchg without lock: atomic against this thread's handlers, which is all
 * it is for.  A locked one costs the record path a third more.
 */
PTL_INLINE bool ptl_word_change(uint64_t *word, uint64_t from, uint64_t to)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	bool done;

	__asm__ volatile("cmpxchgq %3, %1"
			 : "=@ccz"(done), "+m"(*word), "+a"(from)
			 : "r"(to)
			 : "memory");
	return done;
#else
	return __atomic_compare_exchange_n(word, &from, to, false,
					   __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#endif
}

/* One event more.  A handler may come in between and count its own, so it is
 * one instruction like the change of the word. */
PTL_INLINE void ptl_slot_count(struct ptl_slot_stream *own)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("incl %0" : "+m"(own->count) : : "cc");
#else
	__atomic_fetch_add(&own->count, 1, __ATOMIC_RELAXED);
#endif
}

/* No system call may be made in a recording thread from now on. */
extern _Atomic bool ptl_slots_no_syscalls;

/*
 * May the caller make system calls?  Relaxed: what is needed without them was
 * published by itself before, and the kernel orders the word before its filter.
 */
PTL_INLINE bool ptl_slots_may_call(void)
{
	return !atomic_load_explicit(&ptl_slots_no_syscalls,
				     memory_order_relaxed);
}

#endif
