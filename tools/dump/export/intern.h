/* SPDX-License-Identifier: MIT */
/* Numbers for strings, so that each is written once. */
#ifndef PTL_TOOLS_DUMP_EXPORT_INTERN_H
#define PTL_TOOLS_DUMP_EXPORT_INTERN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ptl_intern;

struct ptl_intern *ptl_intern_new(void);
void ptl_intern_free(struct ptl_intern *intern);

/* 1, 2 ... for each string of a kind.  *is_new: it was not asked for since the
 * beginning, or since ptl_intern_forget(). */
uint64_t ptl_intern_number(struct ptl_intern *intern, unsigned int kind,
			   const char *bytes, size_t size, bool *is_new);
void ptl_intern_forget(struct ptl_intern *intern);

#endif
