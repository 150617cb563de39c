/* SPDX-License-Identifier: MIT */
/* The beginning of a file: nearly always enough for every check, and small
 * enough for the stack of a small thread. */
#ifndef PTL_PRELOAD_LIBC_FRONT_H
#define PTL_PRELOAD_LIBC_FRONT_H

#include "core/base.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <link.h>
#include <string.h>

/* For a program of the other width there may be a library. */
#if defined(__x86_64__)
#define PTL_OUR_MACHINE EM_X86_64
#define PTL_OTHER_MACHINE EM_386
#elif defined(__i386__)
#define PTL_OUR_MACHINE EM_386
#define PTL_OTHER_MACHINE EM_X86_64
#else
#define PTL_OUR_MACHINE EM_AARCH64
#define PTL_OTHER_MACHINE EM_NONE
#endif
#if __SIZEOF_POINTER__ == 8
#define PTL_OUR_CLASS ELFCLASS64
#define PTL_OTHER_CLASS ELFCLASS32
#else
#define PTL_OUR_CLASS ELFCLASS32
#define PTL_OTHER_CLASS ELFCLASS64
#endif

struct ptl_front {
	union {
		ElfW(Ehdr) elf; /* of a program of our width */
		Elf32_Ehdr elf32;
		Elf64_Ehdr elf64;
		char text[1024];
	} data;
	size_t size;
	int fd;
};

PTL_INLINE void ptl_front_read(struct ptl_front *front, int fd)
{
	long ret = ptl_sys_pread(fd, &front->data, sizeof(front->data), 0);

	front->fd = fd;
	front->size = ret > 0 ? (size_t)ret : 0;
}

/* Bytes of the file, wherever they are. */
PTL_INLINE bool ptl_front_get(const struct ptl_front *front, uint64_t offset,
			      void *to, size_t size)
{
	if (offset > front->size || size > front->size - offset)
		return ptl_sys_pread(front->fd, to, size, (int64_t)offset) ==
		       (long)size;
	memcpy(to, front->data.text + offset, size);
	return true;
}

PTL_INLINE bool ptl_front_is_elf(const struct ptl_front *front)
{
	return front->size >= sizeof(Elf64_Ehdr) &&
	       ptl_strpre(front->data.text, ELFMAG);
}

/* For this processor, and its word size? */
PTL_INLINE bool ptl_elf_is_ours(const ElfW(Ehdr) * elf)
{
	return elf->e_ident[EI_CLASS] == PTL_OUR_CLASS &&
	       elf->e_ident[EI_DATA] == ELFDATA2LSB &&
	       elf->e_machine == PTL_OUR_MACHINE;
}

#endif
