/* SPDX-License-Identifier: MIT */
/* Logs that zstd has compressed: unpacked into a file without a name. */
#ifndef PTL_TOOLS_READ_UNPACK_H
#define PTL_TOOLS_READ_UNPACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Do these bytes begin what zstd has made? */
bool ptl_unpack_knows(const void *bytes, size_t size);

struct ptl_unpacked {
	int fd; /* not 0; or a negative error number */
	/* NULL: it is all of it, or what there is of a file that was cut. */
	const char *why;
	bool is_short; /* nothing came out of it, and more was to come */
	struct ptl_unpack_rest *rest; /* what was left out, or NULL */
};

/*
 * What was left out, where only some time is wanted: frames that others do not
 * need.  In their place are placeholders; once it is known which are wanted,
 * these are unpacked, and the log has to be opened again.
 */
struct ptl_unpack_rest;

/* Wanted: are events wanted that began between these counters?  What is not
 * stays left out.  False: it cannot be unpacked. */
bool ptl_unpack_wanted(struct ptl_unpack_rest *rest,
		       bool (*wanted)(void *arg, uint64_t first, uint64_t last),
		       void *arg);
bool ptl_unpack_is_all(const struct ptl_unpack_rest *rest);
void ptl_unpack_free(struct ptl_unpack_rest *rest);

/*
 * All that the file or pipe still has to give, as far as it makes sense, and
 * what is in the part of it beside it (tools/read/packed.h); -1: there is none.
 * Some: leave out what can be.  -ENOTSUP: this was built without zstd.
 */
struct ptl_unpacked ptl_unpack(int fd, int part, bool some);

#endif
