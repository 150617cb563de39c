/* SPDX-License-Identifier: MIT */
/* The constructor of libptrace.so, for a program that has no loader. */
#include "preload/init.c" /* NOLINT */

#include "preload/static/static.h"

const Elf64_auxv_t *ptl_static_auxv;
char **ptl_static_environment;

void ptl_static_begin(long *stack, bool is_clean)
{
	int argc = (int)*stack;
	char **argv = (char **)(stack + 1), **envp = argv + argc + 1;
	char **end = envp;

	while (*end)
		end++;
	ptl_static_auxv = (const void *)(end + 1);
	ptl_static_environment = envp;
	if (!ptl_static_first())
		return;
	ptl_filter_vouched = is_clean;
	begin(argc, argv, envp);
	environ = envp;
}
