/* SPDX-License-Identifier: MIT */
/*
 * For the fuzz targets: the code of the tools runs in the fuzzer's own process
 * again and again.  Exit() comes back to fuzz_call(), what is written to
 * standard output and standard error goes to memory, no file is opened but the
 * one that is named, and at the end what was allocated and not freed is freed,
 * and what the tool's files keep in variables (state.h) is as it was at first,
 * since the tools leave both to their end.  (The linker's --wrap does it.)
 */
#ifndef PTL_T_FUZZ_H
#define PTL_T_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was written since the last fuzz_call(), NUL-terminated. */
struct fuzz_text {
	char *bytes;
	size_t size, room;
};
extern struct fuzz_text fuzz_out, fuzz_err;

/* Calls the function; returns its result or what it gave to exit(). */
int fuzz_call(int (*function)(void *), void *arg);

/*
 * Each time that this thread asks for the time some is gone: waits for what does
 * not come are short.
 */
void fuzz_hurry(void);

/* Files of this path can be opened; NULL: none. */
void fuzz_allow(const char *path);

/* A file of these bytes, its path in path; the same one each time. */
#define FUZZ_PATH 32
void fuzz_file(const void *bytes, size_t size, char *path);

/* Aborts unless it is UTF-8 that a terminal shows as it is, in whole lines. */
void fuzz_check_text(const struct fuzz_text *text);

/* Aborts unless each line is an object of JSON. */
void fuzz_check_json(const struct fuzz_text *text);

#endif
