/* SPDX-License-Identifier: MIT */
/* The programs and libraries that a command line names. */
#ifndef PTL_TOOLS_OBJECTS_NAMED_H
#define PTL_TOOLS_OBJECTS_NAMED_H

/* Calls fn as ptl_needed_by() does, for a file; and if that is a script, for
 * the files that it names by a path. */
void ptl_named_file(const char *path, void (*fn)(const char *path, void *arg),
		    void *arg);

/* Calls fn() for each file that a word of the text names, also along PATH.  The
 * text may be a shell's. */
void ptl_named_in(const char *text, void (*fn)(const char *path, void *arg),
		  void *arg);

#endif
