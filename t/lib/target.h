/* SPDX-License-Identifier: MIT */
/* A process to be traced: a child that records when it is told to. */
#ifndef PTL_T_LIB_TARGET_H
#define PTL_T_LIB_TARGET_H

#include "t/lib/proc.h"

/*
 * The child knows the name "an event", and has recorded nothing yet.  At each
 * proc_turn() it records `nr' of them.  When we wait for it, it exits with 0.
 */
void target_start(struct proc *p, int nr);

#endif
