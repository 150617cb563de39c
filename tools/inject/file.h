/* SPDX-License-Identifier: MIT */
/* An ELF file, mapped: its functions by name, its code by contents. */
#ifndef PTL_TOOLS_INJECT_FILE_H
#define PTL_TOOLS_INJECT_FILE_H

#include <elf.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct ptl_elf_file {
	const unsigned char *bytes;
	size_t size;
};

/* The file that a mapping of that inode is of; false: it is another one, or
 * none of this machine. */
bool ptl_elf_open(struct ptl_elf_file *elf, const char *path, ino_t inode);
void ptl_elf_close(struct ptl_elf_file *elf);

/* What it exports by that name, beginning at its base; size may be NULL. 0:
 * nothing. */
uintptr_t ptl_elf_symbol(const struct ptl_elf_file *elf, const char *name,
			 size_t *size);

/* Where these bytes are in its code; 0: nowhere. */
uintptr_t ptl_elf_code(const struct ptl_elf_file *elf, const void *bytes,
		       size_t size);

#endif
