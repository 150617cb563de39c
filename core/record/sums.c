/* SPDX-License-Identifier: MIT */
/* See sums.h. */
#include "core/record/sums.h"

#include "core/buffer/chunk.h"
#include "core/buffer/chunk_change.h"
#include "core/buffer/counter.h"
#include "core/core.h"
#include "core/record/attached.h"
#include "core/record/fastpath.h"
#include "core/record/owner.h"
#include "core/record/slots.h"
#include "core/sys/clock.h"
#include "core/sys/syscall.h"
#include "core/sys/wait.h"
#include "core/sys/wide.h"

#define RECORD_BYTES sizeof(struct ptl_sum_record)

/* One instruction: a handler may sum up in between. */
PTL_INLINE void add(uint64_t *to, uint64_t amount)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("addq %1, %0" : "+m"(*to) : "er"(amount) : "cc");
#else
	__atomic_fetch_add(to, amount, __ATOMIC_RELAXED);
#endif
}

PTL_INLINE void count(uint32_t *to)
{
#if defined(__x86_64__) && !defined(__SANITIZE_THREAD__)
	__asm__ volatile("incl %0" : "+m"(*to) : : "cc");
#else
	__atomic_fetch_add(to, 1, __ATOMIC_RELAXED);
#endif
}

/* ---- records ---------------------------------------------------------- */

/* Room for as many records as a chunk has, of no use yet: whoever finds it
 * when its thread is dead steps over them. */
static void fill(struct ptl_sums *sums, const struct ptl_claim *claim)
{
	struct ptl_map *map = sums->map;
	unsigned char *base = ptl_map_chunk(map, claim->index);
	uint64_t at = claim->offset;

	for (; map->chunk_size - at >= RECORD_BYTES; at += RECORD_BYTES) {
		ptl_record_bound(base + at + RECORD_BYTES,
				 map->chunk_size - at - RECORD_BYTES);
		ptl_record_pad(base + at, RECORD_BYTES);
	}
	/* None is taken between the two. */
	sums->next = 0;
	PTL_HANDLER_FENCE();
	sums->end = (uintptr_t)(base + at);
	PTL_HANDLER_FENCE();
	sums->next = (uintptr_t)(base + claim->offset);
}

/* A chunk more; false: there is none. */
static bool get_chunk(struct ptl_slot *slot, struct ptl_sums *sums)
{
	struct ptl_map *map = sums->map;
	uint32_t tid = ptl_thread.tid | map->tid_mark;
	struct ptl_emit_as as;
	struct ptl_claim claim;

	if (map->chunk_size < PTL_SPAN_BYTES + RECORD_BYTES ||
	    !ptl_chunk_claim(map, tid, map->chunk_size, PTL_CLAIM_KEEP,
			     ptl_slots_may_call() ? PTL_CLAIM_GROWS :
						    PTL_CLAIM_STORES,
			     &claim))
		return false;
	/* First of all: a reader that steps over what is in it would not come
	 * back. */
	if (!ptl_chunk_keep(map, &claim))
		return false;
	ptl_owner_as(slot, &as);
	ptl_owner_span(map, &claim, &as, ptl_counter_now(map->clock));
	fill(sums, &claim);
	return true;
}

/* Takes the next; NULL: there is none in this chunk. */
static struct ptl_sum_record *next_record(struct ptl_sums *sums)
{
	uint64_t at;

	do {
		at = sums->next;
		if (at == 0 || at + RECORD_BYTES > sums->end)
			return NULL;
	} while (!ptl_word_change(&sums->next, at, at + RECORD_BYTES));
	return (struct ptl_sum_record *)(uintptr_t)at;
}

/* A record has the time of the first call that it sums up. */
static void begin_record(const struct ptl_sums *sums,
			 struct ptl_sum_record *record, uint64_t callee,
			 uint64_t place)
{
	uint64_t now = ptl_counter_now(sums->map->clock);

	record->sum = (struct ptl_sum){.callee = callee};
	/* 1: it is not known. */
	record->word[1] = ptl_record_word1(now, place > 1 ? place : 0);
	/* Pairs with ptl_record_parse(). */
	__atomic_store_n(&record->word[0],
			 ptl_record_word0(now, PTL_EV_CALL_SUMMARY,
					  PTL_RECORD_COMMITTED,
					  sizeof(struct ptl_sum)),
			 __ATOMIC_RELEASE);
}

/* Gives an entry its record; false: there is no room for one.  The first is put
 * by for all those for which there will be none. */
static bool give_record(struct ptl_slot *slot, struct ptl_sums *sums,
			struct ptl_sum_entry *entry)
{
	struct ptl_sum_record *record = next_record(sums);

	if (!record && get_chunk(slot, sums)) {
		if (!sums->spare)
			sums->spare = next_record(sums);
		record = next_record(sums);
	}
	if (!record)
		return false;
	begin_record(sums, record, entry->callee, entry->place);
	entry->record = record;
	entry->least = UINT64_MAX;
	return true;
}

/* That of all for which there is no other. */
static struct ptl_sum_entry *get_other(struct ptl_slot *slot,
				       struct ptl_sums *sums)
{
	struct ptl_sum_entry *other = sums->other;

	if (!other || (!sums->spare && !give_record(slot, sums, other)))
		return NULL;
	if (!other->record) {
		begin_record(sums, sums->spare, 0, 0);
		other->record = sums->spare;
		other->least = UINT64_MAX;
	}
	return other;
}

/* NULL: there is not even room for the record of all others. */
static __attribute__((noinline)) struct ptl_sum_entry *
find_long(struct ptl_slot *slot, struct ptl_sums *sums,
	  struct ptl_sum_entry *entry)
{
	if (entry && give_record(slot, sums, entry))
		return entry;
	return get_other(slot, sums);
}

PTL_INLINE struct ptl_sum_entry *find(struct ptl_slot *slot,
				      struct ptl_sums *sums, uint64_t callee,
				      const void *addr, bool nested)
{
	/* Of place 0 is the function. */
	uint64_t place = (uintptr_t)addr | !addr;
	struct ptl_sum_entry *entry =
		ptl_sum_index_get(&sums->index, callee, place, nested);

	if (PTL_LIKELY(entry && entry->record))
		return entry;
	return find_long(slot, sums, entry);
}

/* ---- the thread's ----------------------------------------------------- */

/* A stream that has died: who records no event that it wants would not see
 * that. */
static void leave_dead(struct ptl_slot *slot, unsigned int i)
{
	struct ptl_map *map = slot->stream[i].map;

	if (!map || !(ptl_head_state(map->head) & PTL_STATE_DEAD))
		return;
	ptl_owner_forget(slot, i);
	ptl_attached_drop(i, map);
}

/* The stream of ours that wants sums. */
static bool find_stream(struct ptl_slot *slot, struct ptl_sums *sums)
{
	for (uint64_t left = ptl_attached_active(); left; left &= left - 1) {
		unsigned int i = (unsigned int)__builtin_ctzll(left);
		struct ptl_slot_stream *own = &slot->stream[i];
		struct ptl_map *map;

		leave_dead(slot, i);
		if (!own->map)
			ptl_owner_attach(slot, i);
		/* Once: a handler may forget it. */
		map = own->map;
		if (!map || !atomic_load_explicit(&map->head->call_sums,
						  memory_order_relaxed))
			continue;
		sums->own = own;
		sums->map = map;
		sums->stream = left & -left;
		sums->gate = PTL_GATE_NONE;
		sums->rate = atomic_load_explicit(&map->head->call_rate,
						  memory_order_relaxed);
		return true;
	}
	return false;
}

static struct ptl_sums *make(struct ptl_slot *slot)
{
	struct ptl_sums *sums, *none = NULL;

	if (ptl_thread.ended || !ptl_slots_may_call())
		return NULL;
	sums = ptl_sys_mmap(NULL, sizeof(*sums), PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (sums == MAP_FAILED)
		return NULL;
	sums->call[0].at = UINT64_MAX;
	if (find_stream(slot, sums) &&
	    /* A handler may have been here. */
	    __atomic_compare_exchange_n(&slot->sums, &none, sums, false,
					__ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
		/* While there is room. */
		sums->other = ptl_sum_index_get(&sums->index, 0, 1, false);
		return sums;
	}
	ptl_sys_munmap(sums, sizeof(*sums));
	return none;
}

/* Drops calls that were left: stacks grow downwards. */
static __attribute__((noinline)) uint32_t drop(struct ptl_sums *sums,
					       uintptr_t at)
{
	uint32_t nr = sums->nr;

	for (; nr > 0 && sums->call[nr].at <= at; nr--) {
		struct ptl_sum_entry *function = sums->call[nr].entry->function;

		if (function)
			function->open--;
	}
	sums->nr = nr;
	return nr;
}

/* The stream is gone, and its records with it: perhaps another one wants sums.
 * Calls in progress are not those of that one. */
static __attribute__((noinline)) bool begin_again(struct ptl_slot *slot,
						  struct ptl_sums *sums)
{
	bool is_found;

	sums->is_leaving = true;
	PTL_HANDLER_FENCE();
	drop(sums, UINTPTR_MAX - 1);
	sums->next = 0;
	sums->spare = NULL;
	ptl_sum_index_forget(&sums->index);
	PTL_HANDLER_FENCE();
	is_found = find_stream(slot, sums);
	PTL_HANDLER_FENCE();
	sums->is_leaving = false;
	return is_found;
}

/* Does the stream run, and record them?  While its gate is the same it does. */
static __attribute__((noinline)) bool is_open(struct ptl_sums *sums)
{
	uint64_t gate = ptl_head_gate(sums->map->head);

	if (!ptl_state_runs(ptl_gate_state(gate)) ||
	    ptl_head_filters(sums->map->head, PTL_EV_CALL_SUMMARY) ||
	    ptl_counter_denied(sums->map->clock))
		return false;
	sums->gate = gate;
	return true;
}

/* Sums that may be added to: these, or, if their stream has died, of the one
 * that is there now.  NULL: none. */
static __attribute__((noinline)) struct ptl_sums *
open_again(struct ptl_slot *slot, struct ptl_sums *sums, bool nested)
{
	if (is_open(sums))
		return sums;
	if (!nested)
		leave_dead(slot, (unsigned int)__builtin_ctzll(sums->stream));
	return sums->stream == 0 && begin_again(slot, sums) && is_open(sums) ?
		       sums :
		       NULL;
}

/* What sums up here; NULL: nothing does, record an event. */
PTL_INLINE struct ptl_sums *mine(struct ptl_slot *slot, uint64_t active,
				 bool nested)
{
	struct ptl_sums *sums = slot->sums;

	if (PTL_UNLIKELY(!sums)) {
		sums = make(slot);
		if (!sums)
			return NULL;
	}
	if (PTL_UNLIKELY(sums->own->map != sums->map ||
			 !(sums->stream & active) || sums->is_leaving)) {
		if (sums->stream || sums->is_leaving || nested ||
		    !begin_again(slot, sums))
			return NULL;
	}
	if (PTL_UNLIKELY(ptl_head_gate(sums->map->head) != sums->gate))
		return open_again(slot, sums, nested);
	return sums;
}

/* ---- calls ------------------------------------------------------------ */

/* A handler that comes before the number is changed takes the same place. */
PTL_INLINE void push(struct ptl_sums *sums, uint32_t i, uintptr_t at,
		     struct ptl_sum_entry *entry, uint64_t since)
{
	struct ptl_sum_call *call = &sums->call[i + 1];

	call->at = at;
	call->entry = entry;
	PTL_HANDLER_FENCE();
	__atomic_store_n(&sums->nr, i + 1, __ATOMIC_RELAXED);
	PTL_HANDLER_FENCE();
	call->at = at;
	call->entry = entry;
	call->inner = 0;
	call->since = since;
	if (entry->function)
		entry->function->open++;
}

PTL_INLINE uint64_t ns_of(uint64_t rate, uint64_t ticks)
{
	uint64_t low, high = ptl_wide_product(ticks, rate, &low);

	low += 1u << 31; /* rounded */
	high += low < 1u << 31;
	return high << 32 | low >> 32;
}

/* How many bits it has. */
PTL_INLINE unsigned int bucket_of(uint64_t ns)
{
	unsigned int bits = 63 - (unsigned int)__builtin_clzll(2 * ns + 1);

	return PTL_MIN(bits, PTL_SUM_BUCKETS - 1u);
}

PTL_INLINE void add_call(struct ptl_sum_entry *entry, uint64_t ns,
			 uint64_t inner, bool outermost)
{
	struct ptl_sum *sum = &entry->record->sum;

	if (outermost)
		add(&sum->total, ns);
	add(&sum->self, ns - PTL_MIN(inner, ns));
	if (PTL_UNLIKELY(ns < entry->least))
		entry->least = sum->least = ns;
	if (PTL_UNLIKELY(ns > sum->most))
		sum->most = ns;
	count(&sum->took[bucket_of(ns)]);
}

/* The newest call, number i, has ended: is it inside no other of its function?
 */
PTL_INLINE bool take_call(struct ptl_sums *sums, uint32_t i, uint64_t now,
			  uint64_t *ns, uint64_t *inner)
{
	const struct ptl_sum_call *call = &sums->call[i];
	struct ptl_sum_entry *function = call->entry->function;
	bool outermost = !function || --function->open == 0;

	*inner = call->inner;
	*ns = now > call->since ? ns_of(sums->rate, now - call->since) : 0;
	PTL_HANDLER_FENCE();
	__atomic_store_n(&sums->nr, i - 1, __ATOMIC_RELAXED);
	sums->call[i - 1].inner += *ns;
	return outermost;
}

static void end_call(struct ptl_slot *slot, struct ptl_sums *sums, uint32_t i,
		     uint64_t now)
{
	struct ptl_sum_entry *entry = sums->call[i].entry;
	uint64_t ns, inner;
	bool outermost = take_call(sums, i, now, &ns, &inner);

	/* The call was in records that the thread has left since. */
	if (entry->record || give_record(slot, sums, entry))
		add_call(entry, ns, inner, outermost);
}

static bool begin_call(struct ptl_slot *slot, uint64_t active, uint64_t callee,
		       const void *addr, uintptr_t at, bool nested)
{
	struct ptl_sums *sums = mine(slot, active, nested);
	struct ptl_sum_entry *entry =
		sums ? find(slot, sums, callee, addr, nested) : NULL;
	uint32_t i;

	if (!entry)
		return false;
	add(&entry->record->sum.calls, 1);
	i = at ? drop(sums, at) : PTL_SUM_CALLS;
	if (i < PTL_SUM_CALLS)
		push(sums, i, at, entry, ptl_clock_now(sums->map->clock));
	return true;
}

/* Does the stream run, and filter what would be recorded of it? */
static __attribute__((noinline)) bool is_unwanted(const struct ptl_slot *slot)
{
	const struct ptl_sums *sums = slot->sums;
	const struct ptl_map *map = sums ? sums->own->map : NULL;

	return map && map == sums->map && sums->stream &&
	       ptl_state_runs(ptl_head_state(map->head)) &&
	       ptl_head_filters(map->head, PTL_EV_CALL_SUMMARY);
}

static __attribute__((noinline)) bool begin_long(uint64_t callee,
						 const void *addr, uintptr_t at)
{
	uint64_t active = ptl_attached_active();
	struct ptl_slot *slot;
	bool mark, done;

	if (!active)
		return true;
	slot = ptl_thread.slot;
	/* New, or wiped, or in attention: an event sees to that. */
	if (PTL_UNLIKELY(slot->busy == 0))
		return false;
	mark = ptl_slot_mark(slot);
	done = begin_call(slot, active, callee, addr, at, !mark) ||
	       is_unwanted(slot);
	/* A handler may have forked: the child has no slot. */
	if (mark && PTL_LIKELY(slot->busy != 0))
		ptl_slot_unmark(slot);
	return done;
}

static __attribute__((noinline)) bool end_long(uintptr_t at)
{
	uint64_t active = ptl_attached_active(), now;
	struct ptl_sums *sums;
	struct ptl_slot *slot;
	bool mark, is_ours = false;
	uint32_t i;

	if (!active)
		return true;
	slot = ptl_thread.slot;
	if (PTL_UNLIKELY(slot->busy == 0 || !slot->sums))
		return false;
	mark = ptl_slot_mark(slot);
	sums = mine(slot, active, true);
	if (sums) {
		now = ptl_clock_now(sums->map->clock);
		i = drop(sums, at - 1);
		is_ours = sums->call[i].at == at;
		if (is_ours)
			end_call(slot, sums, i, now);
	}
	if (mark && PTL_LIKELY(slot->busy != 0))
		ptl_slot_unmark(slot);
	return is_ours;
}

/* ---- where nothing is out of the ordinary ----------------------------- */

PTL_INLINE bool is_usual(const struct ptl_sums *sums, uint64_t active)
{
	const struct ptl_map *map = sums->map;

	return PTL_LIKELY(sums->own->map == map && sums->stream & active &&
			  !sums->is_leaving &&
			  ptl_head_gate(map->head) == sums->gate &&
			  map->clock == PTL_CLOCK_TSC);
}

/* The calling thread's, if it is idle; or NULL. */
PTL_INLINE struct ptl_slot *idle_slot(void)
{
	struct ptl_slot *slot;

	if (ptl_outsider_maybe())
		return NULL;
	slot = ptl_thread.slot;
	return PTL_LIKELY(slot->busy == PTL_SLOT_IDLE && slot->sums) ? slot :
								       NULL;
}

/* A handler may have forked: the child has no slot. */
PTL_INLINE bool leave_slot(struct ptl_slot *slot, bool is_done)
{
	if (PTL_LIKELY(slot->busy != 0))
		ptl_slot_unmark(slot);
	return is_done;
}

/* False: nothing has been done. */
PTL_INLINE bool begin_usual(uint64_t callee, const void *addr, uintptr_t at)
{
	uint64_t active = ptl_attached_bits();
	struct ptl_slot *slot = idle_slot();
	struct ptl_sum_entry *entry;
	struct ptl_sums *sums;
	uint32_t i;

	if (!slot)
		return false;
	ptl_slot_set_busy(slot);
	sums = slot->sums;
	if (!is_usual(sums, active))
		return leave_slot(slot, false);
	/* Of place 0 there is no record. */
	entry = ptl_sum_index_find(&sums->index, callee, (uintptr_t)addr);
	i = sums->nr;
	if (PTL_UNLIKELY(!entry || !entry->record) ||
	    (at && PTL_UNLIKELY(i >= PTL_SUM_CALLS || sums->call[i].at <= at)))
		return leave_slot(slot, false);
	add(&entry->record->sum.calls, 1);
	if (at)
		push(sums, i, at, entry, ptl_clock_now(PTL_CLOCK_TSC));
	return leave_slot(slot, true);
}

PTL_INLINE bool end_usual(uintptr_t at)
{
	uint64_t active = ptl_attached_bits(), now, ns, inner;
	struct ptl_slot *slot = idle_slot();
	struct ptl_sum_entry *entry;
	struct ptl_sums *sums;
	bool outermost;
	uint32_t i;

	if (!slot)
		return false;
	ptl_slot_set_busy(slot);
	sums = slot->sums;
	if (!is_usual(sums, active))
		return leave_slot(slot, false);
	now = ptl_clock_now(PTL_CLOCK_TSC);
	i = sums->nr;
	entry = sums->call[i].entry;
	if (PTL_UNLIKELY(sums->call[i].at != at || !entry->record))
		return leave_slot(slot, false);
	outermost = take_call(sums, i, now, &ns, &inner);
	add_call(entry, ns, inner, outermost);
	return leave_slot(slot, true);
}

bool ptl_core_sum_usual_begin(uint64_t callee, const void *addr, uintptr_t at)
{
	return begin_usual(callee, addr, at);
}

bool ptl_core_sum_usual_end(uintptr_t at)
{
	return end_usual(at);
}

bool ptl_core_sum_begin(uint64_t callee, const void *addr, uintptr_t at)
{
	return begin_usual(callee, addr, at) || begin_long(callee, addr, at);
}

static __attribute__((noinline)) void call_long(uint64_t callee,
						const void *addr, uintptr_t at)
{
	if (!begin_long(callee, addr, at))
		ptl_core_call_begin(callee, addr, at, 0);
}

void ptl_core_sum_call(uint64_t callee, const void *addr, uintptr_t at)
{
	if (!begin_usual(callee, addr, at))
		call_long(callee, addr, at);
}

bool ptl_core_sum_end(uintptr_t at)
{
	return end_usual(at) || end_long(at);
}

bool ptl_core_sum_is_newest(uintptr_t at)
{
	const struct ptl_sums *sums =
		ptl_outsider() ? NULL : ptl_thread.slot->sums;

	return sums && sums->stream && sums->call[sums->nr].at == at;
}

/* ---- the end ---------------------------------------------------------- */

static void leave_chunks(const struct ptl_sums *sums)
{
	struct ptl_map *map = sums->map;
	uint32_t tid = ptl_thread.tid | map->tid_mark;
	uint32_t present = ptl_map_present(map);

	for (uint32_t i = 0; i < present; i++) {
		uint64_t own = ptl_chunk_own(&map->table[i]);

		if (own & PTL_CHUNK_KEPT && ptl_own_tid(own) == tid)
			ptl_chunk_release(map, i, tid, map->chunk_size);
	}
	if (ptl_slots_may_call())
		ptl_wait_wake(&map->head->flusher);
}

void ptl_sums_release(struct ptl_slot *slot)
{
	struct ptl_sums *sums = slot->sums;

	/* Who was interrupted in the midst of a record goes on in it. */
	if (!sums || slot->busy > PTL_SLOT_IDLE || sums->is_leaving)
		return;
	sums->is_leaving = true;
	PTL_HANDLER_FENCE();
	sums->next = 0;
	sums->spare = NULL;
	ptl_sum_index_forget(&sums->index);
	PTL_HANDLER_FENCE();
	if (sums->stream && sums->own->map == sums->map)
		leave_chunks(sums);
	PTL_HANDLER_FENCE();
	sums->is_leaving = false;
}

/* Records that are being written stay where they are: the stream is mapped as
 * long as a thread is in the midst of one. */
void ptl_sums_close(struct ptl_slot *slot)
{
	if (slot->sums)
		slot->sums->gate = PTL_GATE_NONE;
}

void ptl_sums_forget(struct ptl_slot *slot, unsigned int i)
{
	struct ptl_sums *sums = slot->sums;

	if (sums && sums->own == &slot->stream[i])
		sums->stream = 0;
}

void ptl_sums_free(struct ptl_slot *slot)
{
	struct ptl_sums *sums = slot->sums;

	if (!sums || !ptl_slots_may_call())
		return;
	slot->sums = NULL;
	PTL_HANDLER_FENCE();
	ptl_sum_index_free(&sums->index);
	ptl_sys_munmap(sums, sizeof(*sums));
}
