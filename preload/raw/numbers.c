/* SPDX-License-Identifier: MIT */
/*
 * What records a number (preload/calls/numbers): made of what records
 * syscall(), but for how the call is made, and where.  For general registers
 * only, as the kernel leaves the others alone.
 */
#include "preload/raw/raw.h"

#if defined(__x86_64__)

#define PTL_NUMBER_CALL ptl_raw_made
#define PTL_NUMBER_CALLER ptl_raw_caller()
#define PTL_NUMBER_FIND ptl_raw_found

void *ptl_raw_found(long number);

#include "preload/calls/numbers.c" /* NOLINT */

ptl_raw_recorder *ptl_raw_number(long number)
{
	return (ptl_raw_recorder *)ptl_raw_found(number);
}

#else

ptl_raw_recorder *ptl_raw_number(long number)
{
	(void)number;
	return NULL;
}

#endif
