/* SPDX-License-Identifier: MIT */
/*
 * Arguments and results of functions whose prototypes are known: copied from
 * where calls have them, as they are; what they mean is for readers to say
 * (tools/lib/args/typed.h).  All this runs while the vector registers are the
 * program's.
 *
 * The data of an event: the callee; a word for each argument, or two for those
 * of 16 bytes; then, in the same order, of each that is a string or a
 * structure in memory a word, its size and PTL_STRING_*, and the bytes, padded
 * to 8.
 */
#ifndef PTL_PRELOAD_HOOK_TYPED_H
#define PTL_PRELOAD_HOOK_TYPED_H

#include "core/base.h"
#include "core/format/patches.h"

#include "preload/hook/stub.h"

#define PTL_CODE_SIZE 16 /* of a prototype, with the null */

#define PTL_STRING_CUT (UINT64_C(1) << 32)     /* it goes on */
#define PTL_STRING_UNKNOWN (UINT64_C(2) << 32) /* it could not be read */

/* What a stub calls, if stub->typed. */
struct ptl_typed {
	char code[PTL_CODE_SIZE];
	/* Of a function with all its arguments in general registers, as most
	 * are: how many, and a bit for each that is a string. */
	bool is_plain;
	uint8_t nr;
	uint16_t strings;
	bool is_word;  /* the result is in the general register, and no more */
	uint8_t words; /* the callee and the arguments */
	/* Words between the frame that the assembly has made and where the
	 * function's return address is. */
	uint8_t above;
	/* Of the structures that the result and the first arguments are, or
	 * point to: in bytes, UINT8_MAX if they are more; in words on the
	 * stack. */
	uint8_t size[PTL_PATCH_SIZED];
};
static_assert(sizeof(struct ptl_typed) == 32, "half a cache line");
extern struct ptl_typed ptl_typed[PTL_STUBS]
	__attribute__((visibility("hidden")));

/* From now on this is what is known of functions; NULL: nothing. */
void ptl_typed_use(const char *prototypes, size_t size);

/* Fills it in for a function; false: nothing is known of that. */
bool ptl_typed_find(const char *name, struct ptl_typed *typed);

/* The data of a call:symbol that says the names in the function's prototype,
 * too, without its own; NULL: there are none. */
const void *ptl_typed_names(const char *name, uint64_t callee, size_t *size);

/* Makes the plan by the prototype's code alone. */
void ptl_typed_plan(struct ptl_typed *typed);

/*
 * Copies what a call is given behind the first of words, of which there are
 * `most'; returns how many are used then.  If they were not enough, none or but
 * PTL_TYPED_SPARE are left; PTL_TYPED_WORDS always are.  ret: where the return
 * address of the stub's caller is, in the frame that the assembly has made.
 */
#define PTL_TYPED_WORDS 64
#define PTL_TYPED_SPARE 2
size_t ptl_typed_given(const struct ptl_typed *typed, const uint64_t *ret,
		       uint64_t *words, size_t most);

/* Copies what it returned; value: the result register; at: where its return
 * address was.  Returns how many words that is, as above. */
#define PTL_TYPED_RESULT 24
size_t ptl_typed_returned(const struct ptl_typed *typed, uint64_t value,
			  uintptr_t at, uint64_t *words, size_t most);

/* Records a call that has ended, and began then; and, in one event, with what
 * it was given (ptl_core_nest_kept()). */
void ptl_typed_ended(const struct ptl_typed *typed, uint64_t callee,
		     uint64_t value, uint64_t since, const void *addr,
		     uintptr_t at);
void ptl_typed_whole(const struct ptl_typed *typed, uint64_t callee,
		     uint64_t value, uint64_t since, const void *addr,
		     uintptr_t at);

/* Record them.  The end of a call that begins is recorded, too: at as for
 * ptl_core_call_begin().  These return `go'. */
uint64_t ptl_typed_enter(const struct ptl_typed *typed, uint64_t callee,
			 const uint64_t *ret, const void *addr, uint64_t go);
uint64_t ptl_typed_begin(const struct ptl_typed *typed, uint64_t callee,
			 const uint64_t *ret, const void *addr, uintptr_t at,
			 uint64_t go);
void ptl_typed_leave(const struct ptl_typed *typed, uint64_t callee,
		     uint64_t value, const void *addr, uintptr_t at);

#endif
