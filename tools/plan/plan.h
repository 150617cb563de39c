/* SPDX-License-Identifier: MIT */
/*
 * What could be traced of the functions inside a program or library, by jumps
 * that are written over their instructions: over the first ones, and over those
 * that leave the function.  A jump takes five bytes; what stood there is moved
 * elsewhere.  That is right only if nothing leads into these bytes, so all code
 * of the file is looked at.  Nothing is run, and nothing is written.
 *
 * A plan is of a file, whoever asks; addresses are those of the file.  It does
 * not say which functions somebody wants.
 */
#ifndef PTL_TOOLS_PLAN_PLAN_H
#define PTL_TOOLS_PLAN_PLAN_H

#include "core/format/patches.h"
#include "tools/plan/frames.h"

/* How a place is to be patched. */
enum ptl_plan_how {
	PTL_PLAN_NOT,
	PTL_PLAN_JUMP,	  /* by a jump of five bytes over instructions */
	PTL_PLAN_PADDING, /* the same, partly over padding behind them */
	PTL_PLAN_SHORT,	  /* by a jump of two bytes to the island */
	PTL_PLAN_INSIDE,  /* an exit that is moved with the entry */
	PTL_PLAN_HOWS,
};

/* Why not; or why its exits not. */
enum ptl_plan_why {
	PTL_PLAN_WHY_NOT, /* no reason: it can be */

	/* Never patched. */
	PTL_PLAN_STARTUP,
	PTL_PLAN_SIGNAL,
	PTL_PLAN_LOADER,
	PTL_PLAN_STACKS,
	PTL_PLAN_RECORDER,
	PTL_PLAN_XRAY,

	/* Nobody wants it. */
	PTL_PLAN_SMALL,

	/* The entry cannot be. */
	PTL_PLAN_NO_FRAME,
	PTL_PLAN_PADS,
	PTL_PLAN_UNKNOWN,
	PTL_PLAN_TRAP,
	PTL_PLAN_TARGET,
	PTL_PLAN_CALL,
	PTL_PLAN_TINY,
	PTL_PLAN_ADDRESS,
	PTL_PLAN_LOOPS,
	PTL_PLAN_FAR,
	PTL_PLAN_LABELS,
	PTL_PLAN_CAUGHT,

	/* A system call cannot be. */
	PTL_PLAN_CALL_ROOM,
	PTL_PLAN_CALL_TARGET,
	PTL_PLAN_CALL_WATCHED,
	PTL_PLAN_CALL_STACK,
	PTL_PLAN_CALL_DATA,

	/* A probe cannot be. */
	PTL_PLAN_PROBE_ROOM,
	PTL_PLAN_PROBE_TARGET,
	PTL_PLAN_PROBE_OUTSIDE,
	PTL_PLAN_PROBE_NO_NOP,
	PTL_PLAN_PROBE_TAKEN,

	/* The entry can be, but not all of the exits. */
	PTL_PLAN_EXIT_ROOM,
	PTL_PLAN_EXIT_INTO,
	PTL_PLAN_EXIT_STACK,
	PTL_PLAN_EXIT_RUNS_ON,
	PTL_PLAN_EXIT_SHARED,
	PTL_PLAN_EXIT_UNKNOWN,
	PTL_PLAN_EXIT_SWITCH,
	PTL_PLAN_EXIT_LABELS,
	PTL_PLAN_WHYS,
};

/* In words. */
const char *ptl_plan_why(enum ptl_plan_why why);

enum ptl_plan_kind {
	PTL_PLAN_ENTRY,
	PTL_PLAN_RETURN,
	PTL_PLAN_TAIL, /* a jump to another function, which ends this one */
	PTL_PLAN_HOOK, /* a call of a hook */
	PTL_PLAN_SITE, /* a system call */
	PTL_PLAN_PROBE,
};

struct ptl_plan_place {
	uint64_t at;	 /* of the first instruction that is moved */
	uint64_t island; /* by a short jump: where the long one is to be */
	uint32_t function;
	uint8_t size; /* of the instructions that are moved */
	uint8_t kind; /* enum ptl_plan_kind */
	uint8_t how;  /* enum ptl_plan_how */
	uint8_t why;  /* enum ptl_plan_why, if it cannot be patched */
};

struct ptl_plan_function {
	uint64_t start, end;
	const char *name; /* NULL: it has none */
	/* Of its debug information, if somebody has asked; or NULL. */
	const char *prototype;
	struct ptl_patch_role role; /* that somebody has said it has */
	struct ptl_plan_place entry;
	/* The exits, in plan->exit, also of parts of it that are elsewhere. */
	size_t first_exit, nr_exits;
	uint8_t why;	  /* enum ptl_plan_why: not traced at all */
	uint8_t exit_why; /* its entry only */
	bool is_part;	  /* of another function; nothing else is said of it */
	bool has_loop;	  /* that leads to its first instruction */
	bool has_addresses; /* of its instructions, in tables */
	bool has_labels;    /* the address of one is computed */
	/* While the plan is made: */
	uint32_t jumper;  /* the number of the one that jumps to it, + 1 */
	bool has_jumpers; /* there are several */
	bool has_unknown; /* bytes that are no instruction that is known */
	bool runs_on;	  /* behind its end */

	/* Islands of others are in its entry's instructions: these have to be
	 * moved, whether it is traced or not. */
	bool lends;
};

/* A call of a hook, or a jump there, which an option of the compiler has put
 * into a function. */
struct ptl_plan_hook {
	uint64_t at;
	uint32_t function;
	uint8_t size;
	uint8_t slot; /* enum ptl_patch_slot: what is behind the hook */
};

/* A system call instruction; what is moved may begin before it. */
struct ptl_plan_site {
	struct ptl_plan_place place;
	uint64_t at;
	int32_t number; /* that stands before it; -1: it is not known */
};

struct ptl_plan_alias {
	uint64_t at;
	const char *name;
};

struct ptl_plan {
	struct ptl_code code;
	struct ptl_frames frames;
	struct ptl_plan_function *function; /* by address */
	size_t nr, room;
	struct ptl_plan_place *exit;
	size_t nr_exits, exits_room;
	/* All names of functions, by address: one may have several. */
	struct ptl_plan_alias *alias;
	size_t nr_aliases, aliases_room;
	/* Instructions that may leave a function, by address: what the sweep
	 * found. */
	uint64_t *leap;
	size_t nr_leaps, leaps_room;
	/* Through which words of the file hooks are called; and the calls of
	 * functions that can be patched, by address. */
	struct ptl_plan_hook *hook_word, *hook;
	size_t nr_hook_words, hook_words_room, nr_hooks, hooks_room;
	/* System calls, by address, once the sweep has found them. */
	struct ptl_plan_site *site;
	size_t nr_sites, sites_room;
	bool has_symbols;     /* of local functions, too */
	bool has_own_symbols; /* these are in the file itself */
	bool is_loader;	      /* it is ld.so */
	bool is_libc;
	bool is_of_calls;	       /* and not of functions */
	uint64_t nr_insns, nr_unknown; /* that were looked at; bytes of none */
	bool uses_gs;		       /* one of them sets it */
};

/* All functions are there, by address: they can be found now. */
void ptl_plan_index(struct ptl_plan *plan);

/* The function that begins at an address, or NULL; and the one that has it. */
struct ptl_plan_function *ptl_plan_at(const struct ptl_plan *plan,
				      uint64_t address);
struct ptl_plan_function *ptl_plan_in(const struct ptl_plan *plan,
				      uint64_t address);

/* Does the function of a place end with the instruction of it that ends there?
 */
bool ptl_plan_ends(const struct ptl_plan *plan,
		   const struct ptl_plan_place *place, uint64_t end);

#endif
