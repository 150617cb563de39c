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
const char *ptl_ask(const char *socket, const char *path, uint32_t what,
		    struct ptl_answer *answer);
void ptl_ask_return(const struct ptl_answer *answer);

/* Of the static program in that file, which this thread, or its next child by
 * vfork(), is about to execute: that the recorder be put into it.  -1, and why
 * not; else it will be, and what is returned is to be given back if the program
 * was not executed. */
int ptl_ask_in(const char *socket, int file, bool by_child, bool is_clean,
	       char why[96]);
void ptl_ask_out(int to);

/* Hands the file over, for what it is called: it may be needed when nobody
 * finds it any more.  Nothing is waited for.  With the loader's lock held. */
void ptl_ask_keep(const char *socket, const char *path, bool is_program);

/* The child has executed it, or something else. */
void ptl_ask_done(int to);

#endif
