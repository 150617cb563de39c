/* SPDX-License-Identifier: MIT */
/*
 * The stack of a thread of another process, as return addresses: from its
 * registers, a copy of the innermost part of its stack, and what its objects
 * have in their files.  That process is not stopped, nor trusted; nothing of it
 * is read but what rules of its objects ask for within these. Not in the
 * library: its objects are not those that the loader mapped here (object.h), so
 * foreign.c has a ptl_loaded_at() of its own.
 */
#ifndef PTL_CORE_UNWIND_FOREIGN_H
#define PTL_CORE_UNWIND_FOREIGN_H

#include "core/unwind/frame.h"

/*
 * An object of that process, of which a part is here: the bytes from begin to
 * end are laid out as the loader does it, the whole .eh_frame_hdr and .eh_frame
 * are among them: from bytes to bytes_end.
 */
struct ptl_foreign_object {
	const unsigned char *begin, *end;
	/* What is there: of one piece. */
	const unsigned char *bytes, *bytes_end;
	uint64_t table; /* here, .eh_frame_hdr; 0: there is none */
	uint64_t bias;	/* an address there, less the one here */
};

/* The object that has code at an address there; false: none is known. */
typedef bool ptl_foreign_find(void *arg, uint64_t pc,
			      struct ptl_foreign_object *object);

/*
 * A word of that process's memory, which is within an object whose rules ask
 * for it, and never changes; false: it cannot be read.
 */
typedef bool ptl_foreign_read(void *arg, uint64_t addr, uint64_t *value);

enum ptl_foreign_end {
	PTL_FOREIGN_WHOLE, /* to the outermost frame */
	PTL_FOREIGN_CUT,   /* there is more than was copied, or than `max' */
	PTL_FOREIGN_LOST,  /* no caller can be found */
};

struct ptl_foreign {
	const uint64_t *reg; /* by DWARF's numbers, PTL_DWARF_REGS of them */
	/* From the stack pointer outwards. */
	const unsigned char *stack;
	size_t stack_size;
	ptl_foreign_find *find;
	ptl_foreign_read *read; /* NULL: nothing can be */
	void *arg;		/* theirs */
};

/*
 * Finds the return addresses, innermost first; the first is what was
 * interrupted, one byte behind where its instruction begins: as if it returned
 * to there.  At most max, from 1 on.  Not for two threads at a time.
 */
size_t ptl_foreign_unwind(const struct ptl_foreign *foreign, uint64_t *frame,
			  size_t max, enum ptl_foreign_end *end);

#endif
