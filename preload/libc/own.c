/* SPDX-License-Identifier: MIT */
#include "preload/libc/own.h"

#include <link.h>

const char *ptl_own_end = ptl_own_begin;

void ptl_own_init(void)
{
	const ElfW(Ehdr) *image = (const void *)ptl_own_begin;
	const ElfW(Phdr) *phdr = (const void *)(ptl_own_begin + image->e_phoff);

	for (unsigned int i = 0; i < image->e_phnum; i++)
		if (phdr[i].p_type == PT_LOAD)
			ptl_own_end = ptl_own_begin + phdr[i].p_vaddr +
				      phdr[i].p_memsz;
}
