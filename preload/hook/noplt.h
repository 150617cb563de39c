/* SPDX-License-Identifier: MIT */
/*
 * Callers compiled with -fno-plt call through slots that also hold the
 * addresses of functions: a program that takes such an address from a hooked
 * slot would see another one than elsewhere.  So they are hooked only if
 * nothing but calls and jumps refers to them.
 */
#ifndef PTL_PRELOAD_HOOK_NOPLT_H
#define PTL_PRELOAD_HOOK_NOPLT_H

#include "preload/libc/image.h"

#define PTL_NOPLT_MAX 2048

/* The candidate slots of an object, sorted. */
struct ptl_noplt {
	size_t nr;
	uintptr_t slot[PTL_NOPLT_MAX];
	bool is_called[PTL_NOPLT_MAX]; /* and */
	bool is_used[PTL_NOPLT_MAX];   /* in any other way */
};

/* Adds a slot; false: there is no room. */
bool ptl_noplt_add(struct ptl_noplt *noplt, uintptr_t slot);

/* Scans all of the object's code. */
void ptl_noplt_scan(struct ptl_noplt *noplt, const struct dl_phdr_info *info);

/* May it be hooked? */
bool ptl_noplt_allows(const struct ptl_noplt *noplt, uintptr_t slot);

#endif
