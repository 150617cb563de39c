/* SPDX-License-Identifier: MIT */
/*
 * System calls that a program makes past libc, by instructions of its own,
 * where these are patched (preload/patch).  Each is recorded as the function of
 * libc that makes it, and what is started by one is traced.
 */
#ifndef PTL_PRELOAD_RAW_RAW_H
#define PTL_PRELOAD_RAW_RAW_H

/* For entry.S, too. */
#define PTL_RAW_NUMBERS 512
#define PTL_RAW_NEVER 0
#define PTL_RAW_TRACED 1 /* while a stream traces us */
#define PTL_RAW_ALWAYS 2
#define PTL_RAW_SIZE 2 /* of the instruction */

/* In the recorder of static programs (preload/static). */
#if defined(PTL_STATIC)
#define PTL_RAW_IS_STATIC 1
#else
#define PTL_RAW_IS_STATIC 0
#endif

#ifndef __ASSEMBLER__

#include "core/base.h"

/* What entry.S has on the program's stack. */
struct ptl_raw {
	uint64_t rbx;
	long a, b, c, d, e, f;
	long number;  /* and what the call returned */
	uintptr_t at; /* the instruction, in its piece */
	uint64_t flags;
};
static_assert(sizeof(long) < 8 || sizeof(struct ptl_raw) == 80, "entry.S");

/* For the constructor, once it is known what the program is called. */
void ptl_raw_init(char *const *envp, const char *exe);

/* What is to be done with each number: 64 KiB at an address that is a multiple
 * of that, for entry.S puts the lower half of a number in the lower half of it.
 */
extern unsigned char *ptl_raw_kinds __attribute__((visibility("hidden")));

/* Not for C. */
void ptl_raw_entry(void) __attribute__((visibility("hidden")));

/* That none is recorded is told. */
void ptl_raw_tell(const char *exe, const char *why);

/* From now on no call is recorded, for what is a thread's own is not found any
 * more.  Told while it can be. */
void ptl_raw_give_up(const char *why);

/* What more of is not recorded than there is room for. */
enum ptl_raw_limit {
	PTL_RAW_THREADS = 1,
	PTL_RAW_CHILDREN = 2, /* beside their parents */
	PTL_RAW_STACKS = 4,   /* of a thread whose handlers jump away */
};

/* Which of them have been met with, and nobody was told so. */
unsigned int ptl_raw_missed(void);
void ptl_raw_tell_missed(unsigned int limits);

/* pass.c: stacks of our own are used.  A thread ends. */
void ptl_raw_use_stacks(void);
void ptl_raw_thread_ends(void);

/* Around what records a call; what is returned is for the end: that of the
 * thread whose call a handler interrupted. */
struct ptl_raw *ptl_raw_begin(struct ptl_raw *raw);
void ptl_raw_end(struct ptl_raw *outer);

/* In static programs: the calling thread has its own thread-local storage;
 * false: it cannot (preload/static). */
bool ptl_static_thread(void);

/* In static programs: may the stack there be too small for a call that is
 * recorded? */
bool ptl_static_is_small(const void *at);

/* On which stack to go on, down from there; 0: the call is not recorded.  Who
 * is off it again says so: false where is_busy points, unless it is NULL. */
struct ptl_raw_room {
	uintptr_t sp;
	bool *is_busy;
};
struct ptl_raw_room ptl_raw_stack(struct ptl_raw *raw)
	__attribute__((visibility("hidden")));

/* Returns whether the call was made: its result is where the number was. */
bool ptl_raw_call(struct ptl_raw *raw) __attribute__((visibility("hidden")));

/* The call itself, on the stack below `sp'; 0: on this one. */
long ptl_raw_syscall(long number, long a, long b, long c, long d, long e,
		     long f, uintptr_t sp)
	__attribute__((visibility("hidden")));

/* The call on the program's stack, while it is being recorded; -errno. */
long ptl_raw_pass(long number, long a, long b, long c, long d, long e, long f);

/* The call as libc would make it: -1 and errno.  What the program gets is kept.
 */
long ptl_raw_made(long number, long a, long b, long c, long d, long e, long f);

/* Where in the program the call is that is being recorded. */
const void *ptl_raw_caller(void);

/* The call does not come back if it does what it is to do. */
void ptl_raw_leaving(void);

/* numbers.c: what records a number, or NULL. */
typedef long ptl_raw_recorder(long number, long a, long b, long c, long d,
			      long e, long f);
ptl_raw_recorder *ptl_raw_number(long number);

/* hand.c: makes, or prepares, what changes what is traced; 1: it is made, 0: it
 * is to be made; -1: it is another call. */
int ptl_raw_by_hand(struct ptl_raw *raw);
bool ptl_raw_is_by_hand(long number);

#endif

#endif
