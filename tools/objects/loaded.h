/* SPDX-License-Identifier: MIT */
/* The program and the libraries of which a process consists. */
#ifndef PTL_TOOLS_OBJECTS_LOADED_H
#define PTL_TOOLS_OBJECTS_LOADED_H

#include <stdbool.h>
#include <sys/types.h>

/* Calls fn for those that a program will have when it starts, and for it. */
void ptl_loaded_by(const char *program, void (*fn)(const char *path, void *arg),
		   void *arg);

/* Calls fn() for the objects that a process has. */
void ptl_loaded_in(pid_t pid, void (*fn)(const char *path, void *arg),
		   void *arg);

/* The ELF file that runs when it is started: itself, or of a script its
 * interpreter; a new string.  NULL: none is found. */
char *ptl_loaded_program(const char *program);

/* Is it a program that no loader starts? */
bool ptl_loaded_is_static(const char *program);

#endif
