/* SPDX-License-Identifier: MIT */
/* What patched functions call: entry.S, and from there told.c. */
#ifndef PTL_PRELOAD_PATCH_ENTRY_H
#define PTL_PRELOAD_PATCH_ENTRY_H

#include "core/base.h"

/* Not for C: each returns to the code that called it, with all registers as
 * they were. */
void ptl_entry_begin(void) __attribute__((visibility("hidden")));
void ptl_entry_loop(void) __attribute__((visibility("hidden")));
void ptl_entry_only(void) __attribute__((visibility("hidden")));
void ptl_entry_end(void) __attribute__((visibility("hidden")));
void ptl_entry_left(void) __attribute__((visibility("hidden")));
void ptl_entry_left_role(void) __attribute__((visibility("hidden")));
void ptl_entry_begin_typed(void) __attribute__((visibility("hidden")));
void ptl_entry_loop_typed(void) __attribute__((visibility("hidden")));
void ptl_entry_only_typed(void) __attribute__((visibility("hidden")));
void ptl_entry_end_typed(void) __attribute__((visibility("hidden")));

void ptl_entry_probe(void) __attribute__((visibility("hidden")));

/* Does nothing. */
void ptl_entry_none(void) __attribute__((visibility("hidden")));

/* word: the function's (ptl_told_callee()); mark: which leads to it; ret: where
 * its return address is; value: the result register. */
void ptl_told_begin(uint64_t word, const uint64_t *ret);
void ptl_told_loop(uint64_t word, const uint64_t *ret);
void ptl_told_only(uint64_t word, const uint64_t *ret);
void ptl_told_end(uint64_t word, const uint64_t *ret, uint64_t value);
void ptl_told_left(uint64_t word, const uint64_t *ret);
void ptl_told_left_role(uint64_t word, const uint64_t *ret);
void ptl_told_begin_typed(uintptr_t mark, const uint64_t *ret);
void ptl_told_loop_typed(uintptr_t mark, const uint64_t *ret);
void ptl_told_only_typed(uintptr_t mark, const uint64_t *ret);
void ptl_told_end_typed(uintptr_t mark, const uint64_t *ret, uint64_t value);

/* reg: the general registers, as instructions number them. */
void ptl_told_probe(uintptr_t mark, const uint64_t *reg);

#endif
