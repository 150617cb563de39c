/* SPDX-License-Identifier: MIT */
/*
 * Values by their names in C, as strace shows them: flags, errors, modes,
 * addresses of sockets.  Which names they are is said after the dot in a
 * field's type: libptrace-events(7).
 */
#ifndef PTL_TOOLS_LIB_ARGS_WORDS_H
#define PTL_TOOLS_LIB_ARGS_WORDS_H

#include "tools/lib/args/arg.h"

/* NULL: unknown; shown by its type alone. */
const struct ptl_words *ptl_words_find(const char *name, size_t size);

/* The words for an argument of a call of that function, counted from 0.  The
 * bytes may be foreign. */
const struct ptl_words *ptl_words_of_argument(const char *function, size_t size,
					      unsigned int place);

/* Is it an error of 0, or something that is not known, which is not shown? */
bool ptl_words_omit(const struct ptl_arg *arg);

/* Is it shown as true or false? */
bool ptl_words_is_bool(const struct ptl_arg *arg);

/* Is it a directory's descriptor, or an error's number? */
bool ptl_words_is_dirfd(const struct ptl_arg *arg);
bool ptl_words_is_errno(const struct ptl_arg *arg);

/* What some arguments mean depends on those before them: an option of a socket
 * on its level, its value on both, what an ioctl() told on the request. */
bool ptl_words_depend(const struct ptl_words *words);
void ptl_words_settle(struct ptl_args *args);

/* Is it the value of SO_ERROR, and an error?  That is how a connection fails
 * that is made while the program does something else. */
bool ptl_words_is_late_error(const struct ptl_arg *arg);

/* Of counts: how many values are below 2^at, and not below half of that. */
#define PTL_COUNTS_MAX 32
unsigned int ptl_counts_nr(const struct ptl_arg *arg);
uint32_t ptl_counts_at(const struct ptl_arg *arg, unsigned int at);

/* Only for an argument that has words.  Writes no null; returns the length.
 * The bytes may be foreign. */
#define PTL_WORDS_MAX 4096
size_t ptl_words_text(const struct ptl_arg *arg, char buf[PTL_WORDS_MAX]);

#endif
