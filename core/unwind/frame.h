/* SPDX-License-Identifier: MIT */
/*
 * Steps from a frame of the calling thread's stack to that of its caller.  No
 * memory is read that may not be mapped.
 */
#ifndef PTL_CORE_UNWIND_FRAME_H
#define PTL_CORE_UNWIND_FRAME_H

#include "core/unwind/cfi.h"

struct ptl_walk {
	struct ptl_dwarf_regs regs;
	bool is_exact;	     /* rip was interrupted there, no return address */
	bool is_partial;     /* a walk from the start may know more registers */
	bool is_cut;	     /* no aside (scratch.h) was free */
	bool is_whole;	     /* walk_all() came to the outermost frame */
	uint32_t below;	     /* PLAIN: of rbp, from the new rsp, or 0 */
	uint64_t low, high;  /* memory known to be mapped */
	uint64_t generation; /* of the loaded objects (cache.h) */
};

/* The registers that calls preserve: rbx, rbp, rsp, r12 to r15; and rip. */
#define PTL_FRAME_KEPT UINT32_C(0x1f0c8)

enum ptl_step {
	PTL_STEP_PLAIN, /* rip was below the new rsp; rsp by rsp or rbp */
	PTL_STEP_SITE,	/* rip by the old rip alone; rsp, rbp unchanged */
	PTL_STEP_OTHER,
	PTL_STEP_END,	 /* there is no caller */
	PTL_STEP_FAILED, /* the caller cannot be found */
	PTL_STEP_AGAIN,	 /* it could be found if the walk were not partial */
};

enum ptl_step ptl_frame_step(struct ptl_walk *walk);

/* Can code be at this address?  The outermost frame has a return address of 0.
 */
PTL_INLINE bool ptl_address_is_code(uint64_t addr)
{
	return addr >= 4096 && addr < UINT64_C(1) << 56;
}

/* Sets what is known of the memory around the first frame. */
void ptl_frame_begin(struct ptl_walk *walk);

/* For unwind.h. */
void ptl_frame_init(void);
void ptl_frame_hide(const void *from, const void *to,
		    uint64_t (*plain)(uint64_t ret));
bool ptl_frame_is_hidden(uint64_t addr);

/* The place in the program where a function that returns to `ret' goes on. */
uint64_t ptl_frame_plain(uint64_t ret);

PTL_COLD bool ptl_frame_is_there(struct ptl_walk *walk, uint64_t addr);

/* Reads between the variables of frames, which AddressSanitizer would report.
 */
__attribute__((no_sanitize("address"))) static inline bool
ptl_frame_load(struct ptl_walk *walk, uint64_t addr, uint64_t *value)
{
	if (addr % 8 || ((addr < walk->low || addr >= walk->high) &&
			 !ptl_frame_is_there(walk, addr)))
		return false;
	*value = *(const volatile uint64_t *)(uintptr_t)addr;
	return true;
}

#endif
