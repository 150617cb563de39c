/* SPDX-License-Identifier: MIT */
/* The files that tools/symbolize/symbols.c knows, which it never forgets by itself. */
#include "tools/symbolize/symbols.c"

void fuzz_forget_files(void);

void fuzz_forget_files(void)
{
	memset(files, 0, sizeof(files));
}
