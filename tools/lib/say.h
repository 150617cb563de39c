/* SPDX-License-Identifier: MIT */
/* The tools' messages on stderr, one line each: "PROGRAM: ...". */
#ifndef PTL_TOOLS_LIB_SAY_H
#define PTL_TOOLS_LIB_SAY_H

#include <stddef.h>

/* The name at the beginning of each message; NULL: no messages at all. */
void ptl_say_as(const char *program);

/* One write(2), so that lines of several processes do not mix. */
void ptl_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* After the message for a usage error: says where to find help, and exits with
 * 2. */
void ptl_say_usage(void) __attribute__((noreturn));

/* Why posix_trace_create_logfile_np() refuses to open a file. */
const char *ptl_say_refused(int error);

/* Zeroed memory; if there is none, ends the program. */
void *ptl_alloc(size_t size) __attribute__((malloc, returns_nonnull));

/*
 * Makes room for one element more; *room counts elements, *nr of them are
 * used.  For arrays that only grow.
 */
void *ptl_grow(void *array, size_t nr, size_t *room, size_t element_size)
	__attribute__((returns_nonnull));

#endif
