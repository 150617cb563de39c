/* SPDX-License-Identifier: MIT */
/* Asks the controller of a stream for patches that the stream does not have:
 * its socket is named there (core/format/patches.h). */
#ifndef PTL_PRELOAD_PATCH_ASK_H
#define PTL_PRELOAD_PATCH_ASK_H

#include "core/base.h"

/* Blocks, in memory that nobody changes. */
struct ptl_answer {
	const unsigned char *bytes;
	size_t size;
};

/* For the file of that path, which is the program, or not.  NULL: *answer has
 * them, to be given back; or why not.  With the loader's lock held. */
const char *ptl_ask(const char *socket, const char *path, bool is_program,
		    struct ptl_answer *answer);
void ptl_ask_return(const struct ptl_answer *answer);

#endif
