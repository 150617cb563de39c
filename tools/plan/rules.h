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
	uint32_t begin; /* of the piece */
	uint32_t last;	/* where the last rules hold from on */
	uint32_t at;	/* in arena->frames */
	bool has_any;
};

/* A piece begins, of what is at that address of the file. */
void ptl_rules_begin(struct ptl_rules *rules, struct ptl_pieces *arena,
		     uint64_t address);

/* What comes next in the arena is the instruction from there. */
void ptl_rules_at(struct ptl_rules *rules, uint64_t address);

/* What comes next has so much more on the stack than the function has there. */
void ptl_rules_pushed(struct ptl_rules *rules, unsigned int size);

/* The function returns there: its caller's registers have their values again.
 * Rules of the function may still find them below the stack pointer, where a
 * call that comes next writes. */
void ptl_rules_restored(struct ptl_rules *rules);

/* On aarch64: of what comes next the return address is on the stack, in the
 * upper half of 16 bytes more; or not any more. */
void ptl_rules_link(struct ptl_rules *rules, bool is_saved);

void ptl_rules_end(struct ptl_rules *rules);

/* An island of the file, from which what is at the address is jumped to: of its
 * first byte, the only one that a program can be at. */
void ptl_rules_island(struct ptl_pieces *arena, uint64_t island,
		      uint64_t address);

#endif
