/* SPDX-License-Identifier: MIT */
/*
 * Functions that are switched off since they are entered too often (ptrace-run
 * --hot).  The word that says which function it is says that, too, in its first
 * byte, which an address has not: told of by one store, seen by all threads at
 * once (entry.S).  The arena stays as it is otherwise, and nobody stops.
 */
#ifndef PTL_PRELOAD_PATCH_HOT_H
#define PTL_PRELOAD_PATCH_HOT_H

#include "core/base.h"

/* For another trace: all are on again, and what this one asks for; NULL or "":
 * nothing. */
void ptl_hot_begin(const char *rate);

#endif
