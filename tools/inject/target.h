/* SPDX-License-Identifier: MIT */
/* The process: may it be done there, and where is what is needed for it. */
#ifndef PTL_TOOLS_INJECT_TARGET_H
#define PTL_TOOLS_INJECT_TARGET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Addresses in the process. */
struct ptl_inject_target {
	pid_t pid;
	uintptr_t libc, libc_end; /* libc's code */
	uintptr_t locks;	  /* the loader's three, one behind the other */
	uintptr_t errno_at;	  /* less the thread's base */
	uintptr_t sigreturn;	  /* code that calls rt_sigreturn(2) */
	uintptr_t dlopen, swab;	  /* functions */
};

/* NULL, or why it may not be done. */
const char *ptl_target_refuse(pid_t pid);

/* Finds the addresses; NULL, or what is missing. */
const char *ptl_target_open(struct ptl_inject_target *target, pid_t pid);

/* Does nobody hold a lock of the loader's? */
bool ptl_target_is_free(const struct ptl_inject_target *target);

bool ptl_target_read(pid_t pid, uintptr_t from, void *to, size_t size);
bool ptl_target_write(pid_t pid, uintptr_t to, const void *from, size_t size);

#endif
