/* SPDX-License-Identifier: MIT */
/*
 * Before each file of a tool that is fuzzed: what the tool keeps in variables
 * goes where fuzz_call() finds all of it, to forget it between two runs.  A
 * fuzz target over files (main.c) has a process for each run, and needs none of
 * this.
 */
#ifndef PTL_T_FUZZ_STATE_H
#define PTL_T_FUZZ_STATE_H

#ifdef PTL_FUZZER
#pragma clang section bss = "ptl_bss" data = "ptl_data"
#endif

#endif
