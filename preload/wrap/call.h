/* SPDX-License-Identifier: MIT */
/*
 * The wrappers of calls that are only recorded: all are made by these macros
 * and have one shape.  While nobody asks for the call they jump to the real
 * function.  Else they call it, and record what it was given and what it
 * returned; that it does not return (a thread cancelled in it, for one) does
 * no harm, for nothing is held meanwhile.
 *
 * Recorded when it returns, since only then there is a result, and it can be
 * told which pointers are good: see call.c.
 */
#ifndef PTL_PRELOAD_WRAP_CALL_H
#define PTL_PRELOAD_WRAP_CALL_H

#ifdef _FILE_OFFSET_BITS
#error "_FILE_OFFSET_BITS would silently rename our open() to open64()"
#endif

#include "core/base.h"
#include "core/core.h"

#include "preload/libc/lookup.h"

#include <errno.h>

/* What goes with an event. */
struct ptl_call {
	const int64_t *value;
	unsigned int nr_values, nr_strings;
	const char *string[3]; /* NULL in it: an empty one */
	const void *bytes;     /* before the strings; 255 at most */
	size_t bytes_size;
	bool has_bytes;
	bool failed; /* so that pointers may be bad */
};

/* errno is kept. */
void ptl_call_record(enum ptl_sysevent id, const struct ptl_call *call,
		     const void *addr);

/* May these bytes, of one page or two, be read?  A system call; no, where none
 * may be made. */
bool ptl_call_readable(const void *at, size_t size);

/* In place of functions that this libc does not have. */
long ptl_call_missing(void);
int ptl_call_missing_number(void);
void *ptl_call_missing_pointer(void);

/* How functions fail: -1, NULL, MAP_FAILED, what is returned is the error, not;
 * what is recorded of that; and what those return that are not there. */
#define FAILED_INT(ret) ((ret) == -1)
#define FAILED_PTR(ret) (!(ret))
#define FAILED_MAP(ret) ((intptr_t)(ret) == -1)
#define FAILED_NUM(ret) ((ret) != 0)
#define FAILED_NONE(ret) ((void)(ret), false)
#define RESULT_NONE(ret, failed) (int64_t)(ret)
#define MISSING_NONE ptl_call_missing
#define RESULT_INT(ret, failed) (int64_t)(ret), (failed) ? errno : 0
#define RESULT_PTR(ret, failed) P(ret), (failed) ? errno : 0
#define RESULT_MAP(ret, failed) P(ret), (failed) ? errno : 0
#define RESULT_NUM(ret, failed) (int64_t)(ret)
#define MISSING_INT ptl_call_missing
#define MISSING_PTR ptl_call_missing_pointer
#define MISSING_MAP ptl_call_missing
#define MISSING_NUM ptl_call_missing_number

/* A pointer as an integer. */
#define P(pointer) ((int64_t)(intptr_t)(pointer))

/* What an event has beside integers. */
#define NOTHING .nr_strings = 0
#define STRING(a) .nr_strings = 1, .string = {(a)}
#define STRINGS2(a, b) .nr_strings = 2, .string = {(a), (b)}
#define STRINGS3(a, b, c) .nr_strings = 3, .string = {(a), (b), (c)}
#define ADDRESS(at, size) .has_bytes = true, .bytes = (at), .bytes_size = (size)

#define CALL_VALUES(...) __VA_OPT__(__VA_ARGS__, )

#define CALL_LIST(...) __VA_ARGS__

/* The real function; there is a variable for it. */
#define CALL_REAL(name, how) \
	(PTL_LIKELY(real_##name != NULL) ? \
		 real_##name : \
		 (__typeof__(real_##name))ptl_lookup_real( \
			 (void **)&real_##name, #name, (void *)MISSING_##how))

/* The integers in parentheses come before the result. */
#define CALL_RECORD(event, how, values, ...) \
	do { \
		bool failed_ = FAILED_##how(ret); \
		const int64_t value_[] = { \
			CALL_VALUES values RESULT_##how(ret, failed_)}; \
		const struct ptl_call call_ = {.value = value_, \
					       .nr_values = \
						       PTL_ARRAY_SIZE(value_), \
					       .failed = failed_, \
					       __VA_ARGS__}; \
		ptl_call_record(PTL_EV_##event, &call_, addr); \
	} while (0)

/*
 * type name params { return real args; }, and the event.  In two functions, so
 * that it is a test and a jump while nothing traces us.
 */
#define WRAP(type, name, params, args, how, event, values, ...) \
	type name params; \
	static type(*real_##name) params; \
	CALL_TOLD(type, name, (CALL_LIST params, const void *addr), args, how, \
		  event, values, __VA_ARGS__) \
	PTL_JUMP type name params \
	{ \
		if (PTL_LIKELY(!ptl_core_maybe() && real_##name)) \
			return real_##name args; \
		return told_##name(CALL_LIST args, \
				   __builtin_return_address(0)); \
	}

/* The same for functions without parameters. */
#define WRAP0(type, name, how, event, values, ...) \
	type name(void); \
	static type (*real_##name)(void); \
	CALL_TOLD(type, name, (const void *addr), (), how, event, values, \
		  __VA_ARGS__) \
	PTL_JUMP type name(void) \
	{ \
		if (PTL_LIKELY(!ptl_core_maybe() && real_##name)) \
			return real_##name(); \
		return told_##name(__builtin_return_address(0)); \
	}

#define CALL_TOLD(type, name, params, args, how, event, values, ...) \
	__attribute__((noinline)) PTL_ALIGNS static type told_##name params \
	{ \
		bool wanted = ptl_core_wants_call(PTL_EV_##event); \
		type ret = CALL_REAL(name, how) args; \
\
		if (wanted) \
			CALL_RECORD(event, how, values, __VA_ARGS__); \
		return ret; \
	}

/* The same for functions that return nothing. */
#define WRAP_VOID(name, params, args, event, ...) \
	void name params; \
	static void(*real_##name) params; \
	__attribute__((noinline)) \
	PTL_ALIGNS static void told_##name(CALL_LIST params, const void *addr) \
	{ \
		bool wanted = ptl_core_wants_call(PTL_EV_##event); \
\
		CALL_REAL(name, NONE) args; \
		if (wanted) { \
			const int64_t value_[] = {__VA_ARGS__}; \
			const struct ptl_call call_ = { \
				.value = value_, \
				.nr_values = PTL_ARRAY_SIZE(value_)}; \
			ptl_call_record(PTL_EV_##event, &call_, addr); \
		} \
	} \
	PTL_JUMP void name params \
	{ \
		if (PTL_LIKELY(!ptl_core_maybe() && real_##name)) \
			real_##name args; \
		else \
			told_##name(CALL_LIST args, \
				    __builtin_return_address(0)); \
	}

#endif
