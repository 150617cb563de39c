/* SPDX-License-Identifier: MIT */
/*
 * Rules for unwinders that come upon moved code, in a handler of a signal as a
 * rule: those of the function, at the new places of its instructions.
 */
#ifndef PTL_TOOLS_PLAN_RULES_H
#define PTL_TOOLS_PLAN_RULES_H

#include "tools/plan/pieces.h"

struct ptl_rules {
	struct ptl_pieces *arena;
	struct ptl_cfa_run run;
	uint32_t begin;	 /* of the piece */
	uint32_t last;	 /* where the last rules hold from on */
	uint32_t number; /* in arena->rules, + 1; 0: there are none */
};

/* A piece begins, of what is at that address of the file. */
void ptl_rules_begin(struct ptl_rules *rules, struct ptl_pieces *arena,
		     uint64_t address);

/* What comes next in the arena is the instruction from there. */
void ptl_rules_at(struct ptl_rules *rules, uint64_t address);

/* What comes next has so much more on the stack than the function has there. */
void ptl_rules_pushed(struct ptl_rules *rules, unsigned int size);

void ptl_rules_end(struct ptl_rules *rules);

#endif
