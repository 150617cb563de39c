/* SPDX-License-Identifier: MIT */
/* The kernel's functions, by /proc/kallsyms, which has addresses for those who
 * may see them (kernel.kptr_restrict). */
#ifndef PTL_TOOLS_SAMPLER_KERNEL_H
#define PTL_TOOLS_SAMPLER_KERNEL_H

#include <stdbool.h>
#include <stdint.h>

struct ptl_kernel_function {
	uint64_t start, end;
	char *name;
	unsigned int told; /* the caller's */
};

/* Is it an address of the kernel's? */
static inline bool ptl_kernel_has(uint64_t address)
{
	return address >> 63;
}

/* The function there; NULL: it is not known. */
struct ptl_kernel_function *ptl_kernel_find(uint64_t address);

#endif
