/* SPDX-License-Identifier: MIT */
/* Notes of ELF files, as a PT_NOTE segment has them: foreign bytes. */
#ifndef PTL_TOOLS_LIB_NOTES_H
#define PTL_TOOLS_LIB_NOTES_H

#include <stddef.h>

/* The build id; returns its size, or 0: there is none, or it has no room. */
size_t ptl_notes_build_id(const unsigned char *notes, size_t size,
			  unsigned char *id, size_t room);

#endif
