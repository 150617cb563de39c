/* SPDX-License-Identifier: MIT */
/*
 * The recorder inside of static programs (--reach static), which have neither
 * libc for us nor thread-local storage: this program is mapped beside such a
 * one, and its system calls lead here.  It is made of the same sources as
 * libptrace.so; where those look behind %fs it looks behind %gs, which these
 * programs do not use.
 */
#ifndef PTL_PRELOAD_STATIC_STATIC_H
#define PTL_PRELOAD_STATIC_STATIC_H

#include "core/base.h"

#include <elf.h>

/* Not for C. */
void ptl_static_start(void) __attribute__((visibility("hidden")));

/* Of so many bytes from there on the file is mapped; false: the rest cannot be.
 */
bool ptl_static_load(int fd, const Elf64_Ehdr *head, uint64_t size)
	__attribute__((visibility("hidden")));

/* With what the kernel put on the stack of the program; who executed it knew of
 * no filter that could do harm. */
void ptl_static_begin(long *stack, bool is_clean)
	__attribute__((visibility("hidden")));

/* The kernel's auxiliary vector. */
extern const Elf64_auxv_t *ptl_static_auxv
	__attribute__((visibility("hidden")));
extern char **ptl_static_environment __attribute__((visibility("hidden")));

/* thread.c: what is a thread's own, before anything else. False: no memory. */
bool ptl_static_first(void);

/* Before what makes another thread, or a process that shares our memory. */
void ptl_static_makes(uint64_t flags);

#endif
