/* SPDX-License-Identifier: MIT */
/*
 * The table .eh_frame of a file that is not loaded: where functions are, which
 * it has also for files without symbols, and of each instruction whether the
 * stack is as it was at the function's entry.
 */
#ifndef PTL_TOOLS_PLAN_FRAMES_H
#define PTL_TOOLS_PLAN_FRAMES_H

#include "core/unwind/dwarf.h"
#include "tools/plan/code.h"

struct ptl_cfa {
	uint64_t reg;
	int64_t offset;
	bool is_known; /* register and offset say it */
};

/* What several entries have in common. */
struct ptl_frame_kind {
	uint64_t place;
	uint64_t code_align;
	int64_t data_align;
	unsigned int pointers, lsda_pointers; /* their encodings */
	bool has_augmentation, has_lsda, is_signal, is_known;
	struct ptl_dwarf insns;
	struct ptl_cfa cfa; /* behind them */
	bool is_lost;
};

struct ptl_unwind_frame {
	uint64_t start, end;
	size_t kind;
	struct ptl_dwarf insns;
	uint64_t lsda; /* where its exception table is; 0: it has none */
};

struct ptl_frames {
	struct ptl_unwind_frame *frame; /* by address */
	size_t nr, room;
	size_t last; /* that was found */
	struct ptl_frame_kind *kind;
	size_t nr_kinds, kinds_room;
	/* Of the machine: the stack pointer, and how far above it the CFA is
	 * when a function begins. */
	unsigned int sp, at_entry;
};

void ptl_frames_read(struct ptl_frames *frames, struct ptl_code *code);
void ptl_frames_free(struct ptl_frames *frames);

/* The entry that has the address, or NULL. */
const struct ptl_unwind_frame *ptl_frames_find(struct ptl_frames *frames,
					       uint64_t address);

/* Is it entered by a signal, by no call? */
static inline bool ptl_frame_is_signal(const struct ptl_frames *frames,
				       const struct ptl_unwind_frame *frame)
{
	return frames->kind[frame->kind].is_signal;
}

/* Marks places that an exception leads to, and the code that it may be of.
 * False: the table is of an unknown kind. */
bool ptl_frame_pads(const struct ptl_unwind_frame *frame,
		    struct ptl_code *code);

/* The rules of an entry, followed from its first address on. */
#define PTL_CFA_REMEMBERED 8

struct ptl_cfa_run {
	const struct ptl_frames *frames;
	const struct ptl_unwind_frame *frame;
	const struct ptl_frame_kind *kind;
	struct ptl_dwarf insns;
	uint64_t at; /* from where on what follows holds */
	struct ptl_cfa cfa, remembered[PTL_CFA_REMEMBERED];
	unsigned int nr_remembered;
	bool is_lost; /* a rule is not known, nor what follows */
};

/* What holds at the beginning of all entries of a kind. */
void ptl_cfa_begin_kind(struct ptl_frame_kind *kind);

void ptl_cfa_begin(struct ptl_cfa_run *run, const struct ptl_frames *frames,
		   const struct ptl_unwind_frame *frame);

/*
 * The next rule that holds before the instruction at `address' runs; false:
 * there is no more.  *rule is what it consists of: nothing, if it only says
 * from where on the next ones hold.
 */
bool ptl_cfa_step(struct ptl_cfa_run *run, uint64_t address,
		  struct ptl_dwarf *rule);

/* Is the stack pointer as it was when the function began, before the
 * instruction there?  Addresses ascend from call to call. */
bool ptl_cfa_is_at_entry(struct ptl_cfa_run *run, uint64_t address);

#endif
