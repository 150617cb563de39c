/* SPDX-License-Identifier: MIT */
/* The addresses of code in a file's data: in relocations, in words of a program
 * that is not relocated, in the tables of switches.  They become targets. */
#ifndef PTL_TOOLS_PLAN_POINTERS_H
#define PTL_TOOLS_PLAN_POINTERS_H

#include "tools/plan/plan.h"

/* Call it after the sweep: only where instructions begin code is meant. */
void ptl_pointers_read(struct ptl_plan *plan);

/*
 * What looks like a table of distances from its own address to code, as a
 * switch has it: they lead there.  next: the next address that is computed.  No
 * more than *budget words, which are taken off, are looked at.
 */
void ptl_pointers_table(struct ptl_plan *plan, uint64_t address, uint64_t next,
			uint64_t *budget);

#endif
