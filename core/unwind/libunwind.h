/* SPDX-License-Identifier: MIT */
/*
 * Between the code around a walk by libunwind (libunwind.c) and the walk itself
 * (libunwind_walk.c), which runs on a stack of ours.
 */
#ifndef PTL_CORE_UNWIND_LIBUNWIND_H
#define PTL_CORE_UNWIND_LIBUNWIND_H

#include "core/unwind/backend.h"

#include <libunwind.h>

/* perf declares it in the same way. */
typedef int search_function(unw_addr_space_t, unw_word_t, unw_dyn_info_t *,
			    unw_proc_info_t *, int, void *);

/* The functions of the library that are called. */
struct ptl_libunwind {
	__typeof__(&unw_create_addr_space) create;
	__typeof__(&unw_set_caching_policy) set_caching_policy;
	__typeof__(&unw_set_cache_size) set_cache_size;
	__typeof__(&unw_flush_cache) flush_cache;
	__typeof__(&unw_init_remote) init;
	__typeof__(&unw_step) step;
	__typeof__(&unw_get_reg) get_reg;
	search_function *search;
};
extern struct ptl_libunwind ptl_libunwind __attribute__((visibility("hidden")));

/* Our memory as an address space. */
extern unw_addr_space_t ptl_libunwind_space
	__attribute__((visibility("hidden")));
unw_accessors_t *ptl_libunwind_accessors(void);

#if defined(__x86_64__)
#define PTL_LIBUNWIND_REGS 17
#define PTL_LIBUNWIND_FP UNW_X86_64_RBP
#define PTL_LIBUNWIND_SP UNW_X86_64_RSP
#define PTL_LIBUNWIND_IP UNW_X86_64_RIP
#define PTL_LIBUNWIND_KEPT ((uint64_t)PTL_FRAME_KEPT)
#else
#define PTL_LIBUNWIND_REGS 33
#define PTL_LIBUNWIND_FP UNW_AARCH64_X29
#define PTL_LIBUNWIND_SP UNW_AARCH64_SP
#define PTL_LIBUNWIND_IP UNW_AARCH64_PC
#define PTL_LIBUNWIND_KEPT UINT64_C(0x1fff80000) /* x19 to x30, sp, pc */
#endif

/* A walk. */
struct ptl_libunwind_job {
	struct ptl_walk *walk;
	struct ptl_found *found;
	enum ptl_backend_found result;
	struct ptl_unwind_object object; /* the one last looked up */
	uint64_t known;			 /* a bit for each of reg[] */
	uint64_t reg[PTL_LIBUNWIND_REGS];
	uint64_t room[PTL_LOADED_ROOM];
	unw_cursor_t cursor;
};

/* Walks outwards from the registers in the job. */
void ptl_libunwind_walk(void *job);

#endif
