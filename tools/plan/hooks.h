/* SPDX-License-Identifier: MIT */
/*
 * Hooks that compilers call: mcount() (-pg), __fentry__() (-mfentry), and the
 * two of -finstrument-functions.  In a program that is traced they are the
 * recorder's (preload/hook/instrument.c), so a call of a function that is
 * patched, too, would be recorded twice.  Its calls of hooks lead past these
 * to what is behind them: the profiler of gprof, or a library's own.
 */
#ifndef PTL_TOOLS_PLAN_HOOKS_H
#define PTL_TOOLS_PLAN_HOOKS_H

#include "core/format/patches.h"
#include "tools/plan/plan.h"

/* A word of the file will have the address of what has this name (or NULL). */
void ptl_hooks_word(struct ptl_plan *plan, uint64_t address, const char *name);

/* Finds the calls, when the sweep is over. */
void ptl_hooks_plan(struct ptl_plan *plan);

/* The first call from there on, and NULL behind the last one. */
const struct ptl_plan_hook *ptl_hooks_from(const struct ptl_plan *plan,
					   uint64_t address);

#endif
