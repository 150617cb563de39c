/* SPDX-License-Identifier: MIT */
/*
 * Seccomp filters that are there when a program begins.  What they allow cannot
 * be asked: each question may be the one that they kill for.
 */
#ifndef PTL_CORE_SYS_FILTER_H
#define PTL_CORE_SYS_FILTER_H

#include "core/base.h"

/*
 * Are there more of them than `known', of which it is known that they let us do
 * what we do?  Then the door (syscall.h) is narrow until a program is executed.
 * Known -1: nothing; those that process 1 has, too, are the container's, and
 * let pass what runs there.  Returns how many let us pass.
 */
int ptl_door_look(int known);

/* Who had us by ptrace(2) when it was looked; 0: nobody. */
#define PTL_DOOR_NOT_LOOKED UINT64_MAX
extern uint64_t ptl_door_tracer __attribute__((visibility("hidden")));

/* From now on any call may be the last.  Tid asks libc which thread this is;
 * NULL: it cannot be asked. */
void ptl_door_shut(uint32_t (*tid)(void));

/* Opens it as it was when the program began.  False: a filter has come since.
 */
bool ptl_door_reopen(void);

/* In what may be the child of a fork, where the door is not open.  False: it
 * cannot be known who this is. */
bool ptl_door_forked(void);

#endif
