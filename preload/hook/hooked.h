/* SPDX-License-Identifier: MIT */
/*
 * Recording calls: a slot of an object's global offset table leads to a stub
 * (stub.S), from there to the functions here, and then on to the callee.  All
 * this runs while the vector registers hold the program's arguments and
 * results, and uses general registers only.
 */
#ifndef PTL_PRELOAD_HOOK_HOOKED_H
#define PTL_PRELOAD_HOOK_HOOKED_H

#include "core/core.h"

#include "preload/hook/limits.h"
#include "preload/hook/stub.h"

/* A cache line each: threads call different functions. */
struct ptl_stub {
	uint64_t callee; /* in events; 0: record call:symbol first */
	uint64_t real;	 /* where to go on; the loader's resolver writes it */
	uint64_t lazy;	 /* the resolver, until real changes; 0: bound */
	uint64_t known;	 /* the callee, or the likely one */
	uint64_t *slot;
	const char *name;  /* as in the object that has the slot */
	uint32_t library;  /* that has the callee: the number of its object */
	uint32_t rel : 29; /* of the slot */
	uint32_t returns : 1;
	uint32_t sited : 1; /* it returns to a site: returns, or it counts */
	uint32_t typed : 1; /* its prototype is known: typed.h */
	uint64_t told;	    /* the callee of the last call:symbol */
} __attribute__((aligned(PTL_STUB_INFO)));
static_assert(sizeof(struct ptl_stub) == PTL_STUB_INFO, "stub.S");
static_assert(offsetof(struct ptl_stub, real) == PTL_STUB_REAL, "stub.S");

extern struct ptl_stub ptl_stub[PTL_STUBS]
	__attribute__((visibility("hidden")));
extern const unsigned char ptl_stub_code[]
	__attribute__((visibility("hidden")));

PTL_INLINE bool ptl_stub_is_code(uintptr_t code)
{
	return code - (uintptr_t)ptl_stub_code < PTL_STUBS * PTL_STUB_SIZE;
}

/* Where the return address is when the function begins, and when it has
 * returned to its site: on the stack, or where the stack ends. */
PTL_INLINE uintptr_t ptl_call_place(const uint64_t *ret)
{
#if defined(__aarch64__)
	return (uintptr_t)(ret - 1) +
	       176; /* as `enter' in stub.S has made it */
#else
	return (uintptr_t)ret;
#endif
}

/* Called by the assembly. ret: where the stub's caller's return address is.
 * Returns where to go on. */
uint64_t ptl_call_enter(struct ptl_stub *stub, const uint64_t *ret);

/* A function has returned to its site. after: an address in the site; value:
 * the result register; at: where its return address was. */
void ptl_call_leave(uintptr_t after, uint64_t value, uintptr_t at);

/*
 * The callee of a stub that has none yet.  Records its name first, if not done
 * yet: while the slot is not bound, that of the function that the loader will
 * probably find; afterwards, that of the one it has found. code: of its
 * prototype, or NULL.
 */
uint64_t ptl_call_announce(struct ptl_stub *stub, const char *code)
	__attribute__((noinline, cold));

/* Records once that a return is not recorded because all sites are in use. */
void ptl_call_missed(void) __attribute__((noinline, cold));

#endif
