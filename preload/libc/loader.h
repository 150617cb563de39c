/* SPDX-License-Identifier: MIT */
/* Who loads a program, by its headers; what else they say of how much of it can
 * be traced. */
#ifndef PTL_PRELOAD_LIBC_LOADER_H
#define PTL_PRELOAD_LIBC_LOADER_H

#include "preload/libc/front.h"

#define PTL_LOADER_SIZE 256

/* Behind a reason: such a program does not hand us on to what it starts. */
#define PTL_ELF_ENDS_HERE " (nor is what it starts)"

struct ptl_elf {
	/* A word or two, if it cannot be traced, or only partly; NULL if it
	 * can, or if that is unknown. */
	const char *reason;
	bool is_partly; /* it loads us, but not all that it does is seen */
	bool complains; /* its loader would, or would end, if told to load us */
	bool is_loader; /* it is a loader itself, run as a program */
	bool is_other;	/* of the other width: another library is for it */
	bool is_near;	/* found by a path that begins where we are */
	/* The caller has use for the file of a static one, and closes it: */
	bool wants_file;
	int file; /* if the reason is this one */
};

extern const char ptl_elf_static[]; /* a reason */

/*
 * Of an ELF file, by its path if that is known.  Returns whether there is a
 * loader that preloads us: then `loader' is its path, "" if that is unknown.
 */
bool ptl_loader_find(const struct ptl_front *front, const char *path,
		     struct ptl_elf *elf, char loader[PTL_LOADER_SIZE]);

#endif
