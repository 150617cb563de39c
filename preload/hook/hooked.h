/* SPDX-License-Identifier: MIT */
/*
 * The recorder of calls: a slot of some object's global offset table leads to a
 * stub (stub.S), the stub here, and then on to the function.  All this runs
 * while the vector registers hold the program's arguments and results, and uses
 * general registers alone.
 */
#ifndef PTL_PRELOAD_HOOK_HOOKED_H
#define PTL_PRELOAD_HOOK_HOOKED_H

#include "core/base.h"

#include "preload/hook/stub.h"

/* In a line of the cache each: threads call different functions. */
struct ptl_stub {
	uint64_t callee; /* as events name it; 0: call:symbol comes first */
	uint64_t real;	 /* where to go on; the loader's resolver writes it */
	uint64_t lazy;	 /* not 0: the resolver, until real is another */
	uint64_t known;	 /* the callee, or what it is likely to be */
	uint64_t *slot;
	const char *name;  /* in the object that has the slot */
	uint32_t library;  /* in which the callee is: number of its object */
	uint32_t rel : 31; /* the slot's relocation */
	uint32_t returns : 1;
	uint64_t told; /* the callee of the last call:symbol */
};
static_assert(sizeof(struct ptl_stub) == PTL_STUB_INFO, "stub.S");
static_assert(offsetof(struct ptl_stub, real) == PTL_STUB_REAL, "stub.S");

extern struct ptl_stub ptl_stub[PTL_STUBS]
	__attribute__((visibility("hidden")));
extern const unsigned char ptl_stub_code[]
	__attribute__((visibility("hidden")));

/* Of an address in its code. */
PTL_INLINE struct ptl_stub *ptl_stub_at(uintptr_t code)
{
	return &ptl_stub[(code - (uintptr_t)ptl_stub_code) / PTL_STUB_SIZE];
}

PTL_INLINE bool ptl_stub_is_code(uintptr_t code)
{
	return code - (uintptr_t)ptl_stub_code < PTL_STUBS * PTL_STUB_SIZE;
}

/*
 * For the assembly.  After: an address in the stub; ret: where its caller's
 * return address is.  Returns where to go on.
 */
uint64_t ptl_call_enter(uintptr_t after, const uint64_t *ret);

/* A function returned to its site.  After: an address in the site; value: what
 * is in the register for results. */
void ptl_call_leave(uintptr_t after, uint64_t value);

/*
 * The callee of a stub that has none yet, told if it was not: while the slot is
 * not bound what the loader is likely to find, then what it has found.
 */
uint64_t ptl_call_announce(struct ptl_stub *stub)
	__attribute__((noinline, cold));

/* For the first time a return cannot be recorded, since all sites are taken. */
void ptl_call_missed(void) __attribute__((noinline, cold));

#endif
