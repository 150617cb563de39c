/* SPDX-License-Identifier: MIT */
/* Switches functions off; see hot.h.  While this runs the vector registers are
 * the program's. */
#include "preload/patch/hot.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/pages.h"
#include "preload/libc/payload.h"
#include "preload/patch/entry.h"
#include "preload/patch/told.h"
#include "preload/settings/rate.h"

#define MOST 1024 /* functions of a process */

static char wanted[PTL_RATE_SIZE]; /* as the user said it */
static uintptr_t off[MOST] PTL_BULK;
static _Atomic uint32_t nr_off;

/* What is read may be of an object that is unloaded. */
static const unsigned char *readable(uintptr_t at, size_t size)
{
	return ptl_pages_ask(at) && ptl_pages_ask(at + size - 1) ?
		       (const unsigned char *)at :
		       NULL;
}

static uintptr_t behind(const unsigned char *at, size_t size, intptr_t distance)
{
	return (uintptr_t)at + size + (uintptr_t)distance;
}

static int32_t distance_at(const unsigned char *at)
{
	int32_t distance;

	__builtin_memcpy(&distance, at, sizeof(distance));
	return distance;
}

/* Where the patch of a function leads to, over an island or not; 0: there is
 * none. */
static uintptr_t piece_of(uintptr_t callee)
{
	static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
	const unsigned char *at = readable(callee, 16);

	if (!at)
		return 0;
	if (distance_at(at) == distance_at(endbr64))
		at += sizeof(endbr64);
	if (*at == 0xeb)
		at = readable(behind(at, PTL_PATCH_SHORT, (signed char)at[1]),
			      PTL_PATCH_LONG);
	if (!at || *at != 0xe9)
		return 0;
	return behind(at, PTL_PATCH_LONG, distance_at(at + 1));
}

static bool is_entry(uint64_t called)
{
	return called == (uintptr_t)ptl_entry_begin ||
	       called == (uintptr_t)ptl_entry_loop ||
	       called == (uintptr_t)ptl_entry_only ||
	       called == (uintptr_t)ptl_entry_begin_typed ||
	       called == (uintptr_t)ptl_entry_loop_typed ||
	       called == (uintptr_t)ptl_entry_only_typed;
}

/* The word of a function, by the mark behind the first call of its piece; 0: it
 * is not patched, or something else is there. */
static uintptr_t word_of(uintptr_t callee)
{
	const unsigned char *at = readable(piece_of(callee), 32), *slot, *word;

	if (!at)
		return 0;
	if (*at == 0x48) /* lea: the red zone */
		at += 5;
	if (at[0] != 0xff || at[1] != 0x15)
		return 0;
	at += 6;
	slot = readable(behind(at, 0, distance_at(at - 4)), sizeof(uint64_t));
	if (!slot || !is_entry(*(const uint64_t *)(const void *)slot))
		return 0;
	word = readable((uintptr_t)ptl_told_words((uintptr_t)at),
			sizeof(uint64_t));
	return word && *(const uint64_t *)(const void *)word == callee ?
		       (uintptr_t)word :
		       0;
}

/* One byte, so that no thread sees a part of it.  Memory that may be executed
 * is not made writable: threads run there. */
static bool set(uintptr_t word, unsigned char byte)
{
	int memory = ptl_sys_open(AT_FDCWD, "/proc/self/mem", O_RDWR, 0);
	bool is_done;

	if (memory < 0)
		return false;
	is_done =
		ptl_sys_pwrite(memory, &byte, sizeof(byte),
			       (int64_t)(word + PTL_TOLD_OFF)) ==
			sizeof(byte) &&
		*(const volatile unsigned char *)(word + PTL_TOLD_OFF) == byte;
	ptl_sys_close(memory);
	return is_done;
}

/* At the function, in it as a return address would be. */
static void tell(uint64_t callee)
{
	unsigned char bytes[128];
	char text[96];
	struct ptl_payload payload = {bytes, sizeof(bytes), 0};
	size_t size = ptl_strcopy(text, sizeof(text), "hot: more than ");

	size += ptl_strcopy(text + size, sizeof(text) - size, wanted);
	ptl_strcopy(text + size, sizeof(text) - size,
		    " calls within a second, not recorded any more");
	ptl_put_int(&payload, 1);
	ptl_put_string(&payload, text);
	ptl_core_event(PTL_EV_CALL_UNHOOKED, payload.data, payload.size,
		       (const void *)(callee + 1));
}

static bool switch_off(uint64_t callee)
{
	uintptr_t word;
	uint32_t i;

	if (ptl_core_in_vfork_child())
		return false;
	word = word_of(callee);
	if (!word)
		return false;
	i = atomic_load_explicit(&nr_off, memory_order_relaxed);
	do {
		if (i == MOST)
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&nr_off, &i, i + 1,
							memory_order_relaxed,
							memory_order_relaxed));
	off[i] = word;
	if (!set(word, 1))
		return false;
	tell(callee);
	return true;
}

void ptl_hot_begin(const char *rate)
{
	uint32_t nr = atomic_load_explicit(&nr_off, memory_order_relaxed);

	ptl_core_hot(0, switch_off);
	for (uint32_t i = 0; i < nr; i++)
		if (off[i])
			set(off[i], 0);
	atomic_store_explicit(&nr_off, 0, memory_order_relaxed);
	ptl_strcopy(wanted, sizeof(wanted), rate ? rate : "");
	ptl_core_hot(ptl_rate_read(wanted), switch_off);
}
