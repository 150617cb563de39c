/* SPDX-License-Identifier: MIT */
/*
 * Records calls of patched functions that count as malloc() or one of its like
 * (ptrace-run --allocator), as these: when they end, since there is no address
 * before; what is freed when that begins, since another thread may have it
 * afterwards.  While this runs the vector registers are the program's.
 */
#include "preload/patch/entry.h"

#include "preload/hook/pages.h"
#include "preload/patch/known.h"
#include "preload/patch/told.h"

/* Arguments of a role. */
#define MOST 2

/* On aarch64 no place is known where it would be: a call that was left by a
 * jump counts until one begins that is as deep. */
static bool is_there(uint64_t at, uint64_t ret)
{
#if defined(__aarch64__)
	(void)at, (void)ret;
	return true;
#else
	return ptl_pages_ask(at) && *(const volatile uint64_t *)at == ret;
#endif
}

static void record_freed(uint64_t pointer, const void *addr)
{
	uint64_t data[] = {pointer, 0};

	ptl_core_call_typed(PTL_EV_MEM_FREE, data, sizeof(data), addr);
}

/* The arguments that count. */
static void take(const struct ptl_known *known, const uint64_t *ret,
		 uint64_t *word)
{
	uint64_t given[PTL_TYPED_WORDS];
	size_t nr = ptl_typed_given(&known->typed, ret - known->typed.above,
				    given, PTL_TYPED_WORDS);

	for (unsigned int i = 0; i < MOST; i++) {
		unsigned int from = known->role.argument[i];

		word[i] = from != 0 && from < nr ? given[from] : 0;
	}
}

void ptl_told_role_begin(const struct ptl_known *known, const uint64_t *ret,
			 bool has_end)
{
	struct ptl_core_allocation call = {
		.ret = *ret,
		.since = ptl_core_call_time(),
	};

	take(known, ret, call.word);
	if (has_end &&
	    !ptl_core_allocating_enter(ptl_call_place(ret), &call, is_there))
		return;
	if (known->role.kind == PTL_ROLE_FREE)
		record_freed(call.word[0], ptl_told_caller(ret));
}

/* What the event of a role has: the arguments, the result, no error that is
 * known, and when it began. */
static size_t put(const struct ptl_known *known,
		  const struct ptl_core_allocation *call, uint64_t value,
		  uint64_t *data)
{
	size_t nr = 0;

	for (unsigned int i = 0; i < known->role.nr && i < MOST; i++)
		data[nr++] = call->word[i];
	data[nr++] = value;
	data[nr++] = 0;
	data[nr++] = call->since;
	return nr * sizeof(*data);
}

static enum ptl_sysevent event_of(const struct ptl_known *known)
{
	switch (known->role.kind) {
	case PTL_ROLE_CALLOC:
		return PTL_EV_MEM_CALLOC;
	case PTL_ROLE_REALLOC:
		return PTL_EV_MEM_REALLOC;
	case PTL_ROLE_ALIGNED:
		return PTL_EV_MEM_ALIGNED;
	default:
		return PTL_EV_MEM_MALLOC;
	}
}

void ptl_told_role_end(const struct ptl_known *known, const uint64_t *ret,
		       uint64_t value)
{
	struct ptl_core_allocation call;
	uint64_t data[MOST + 3];

	if (ptl_core_allocating_leave(ptl_call_place(ret), &call) &&
	    known->role.kind != PTL_ROLE_FREE)
		ptl_core_call_typed(event_of(known), data,
				    put(known, &call, value, data),
				    ptl_told_caller(ret));
}

/* What it jumped to returns in its place: what that is nobody tells. */
void ptl_told_left_role(uint64_t word, const uint64_t *ret)
{
	struct ptl_core_allocation call;

	(void)word;
	ptl_core_allocating_leave(ptl_call_place(ret), &call);
}
