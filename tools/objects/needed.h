/* SPDX-License-Identifier: MIT */
/* What a file needs, without running anything of it. */
#ifndef PTL_TOOLS_OBJECTS_NEEDED_H
#define PTL_TOOLS_OBJECTS_NEEDED_H

/* Calls fn for an ELF file, and for the libraries that it and they need, as far
 * as they are found.  Nothing for any other file. */
void ptl_needed_by(const char *path, void (*fn)(const char *path, void *arg),
		   void *arg);

#endif
