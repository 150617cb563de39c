/* SPDX-License-Identifier: MIT */
/* Sorts large arrays by a number, without comparing. */
#ifndef PTL_TOOLS_LIB_SORT_H
#define PTL_TOOLS_LIB_SORT_H

#include <stddef.h>

/* Each element is of `size' bytes, and begins with a uint64_t, which is the
 * number.  Equal ones stay in their order. */
void ptl_sort_by_number(void *array, size_t nr, size_t size);

#endif
