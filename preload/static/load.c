/* SPDX-License-Identifier: MIT */
/*
 * Maps what this program writes to, and relocates it.  What it reads and
 * executes is mapped already, and behind that the file goes on where this
 * belongs.
 */
#include "preload/static/static.h"

#include "core/sys/syscall.h"

#include <elf.h>

#define PAGE UINT64_C(4096)

static long call(long nr, uintptr_t a, uintptr_t b, long c, long d, long e,
		 long f)
{
	return ptl_sys_pass(nr, (long)a, (long)b, c, d, e, f);
}

static bool is_error(long ret)
{
	return ret < 0 && ret >= -4095;
}

static int protection(const Elf64_Phdr *ph)
{
	return (ph->p_flags & PF_R ? PROT_READ : 0) |
	       (ph->p_flags & PF_W ? PROT_WRITE : 0) |
	       (ph->p_flags & PF_X ? PROT_EXEC : 0);
}

static bool map_segment(int fd, uintptr_t base, const Elf64_Phdr *ph)
{
	uintptr_t at = base + (ph->p_vaddr & -PAGE);
	uintptr_t end = base + ph->p_vaddr + ph->p_filesz;
	uintptr_t all = (base + ph->p_vaddr + ph->p_memsz + PAGE - 1) & -PAGE;
	uintptr_t whole = (end + PAGE - 1) & -PAGE;

	/* Code is where it is to be. */
	if (!(ph->p_flags & PF_W))
		return true;
	if (end > at && is_error(call(SYS_mmap, at, end - at, protection(ph),
				      MAP_PRIVATE | MAP_FIXED, fd,
				      (long)(ph->p_offset & -PAGE))))
		return false;
	for (char *byte = (char *)end; byte < (char *)PTL_MIN(whole, all);
	     byte++)
		*byte = 0;
	return all <= whole ||
	       !is_error(call(SYS_mmap, whole, all - whole, protection(ph),
			      MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
}

/* All of them are relative: nothing is looked up. */
static void relocate(uintptr_t base, const Elf64_Phdr *ph)
{
	const Elf64_Dyn *dyn = (const void *)(base + ph->p_vaddr);
	const Elf64_Rela *rela = NULL;
	uint64_t size = 0;

	for (; dyn->d_tag != DT_NULL; dyn++) {
		if (dyn->d_tag == DT_RELA)
			rela = (const void *)(base + dyn->d_un.d_ptr);
		if (dyn->d_tag == DT_RELASZ)
			size = dyn->d_un.d_val;
	}
	for (; rela && size >= sizeof(*rela); rela++, size -= sizeof(*rela))
		if (ELF64_R_TYPE(rela->r_info) == R_X86_64_RELATIVE)
			*(uint64_t *)(base + rela->r_offset) =
				base + (uint64_t)rela->r_addend;
}

static bool map_all(int fd, uintptr_t base, const Elf64_Ehdr *head)
{
	const Elf64_Phdr *ph =
		(const void *)((const char *)head + head->e_phoff);

	for (unsigned int i = 0; i < head->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD && !map_segment(fd, base, &ph[i]))
			return false;
	for (unsigned int i = 0; i < head->e_phnum; i++)
		if (ph[i].p_type == PT_DYNAMIC)
			relocate(base, &ph[i]);
	return true;
}

static uint64_t span(const Elf64_Ehdr *head)
{
	const Elf64_Phdr *ph =
		(const void *)((const char *)head + head->e_phoff);
	uint64_t end = 0;

	for (unsigned int i = 0; i < head->e_phnum; i++)
		if (ph[i].p_type == PT_LOAD)
			end = PTL_MAX(end, ph[i].p_vaddr + ph[i].p_memsz);
	return (end + PAGE - 1) & -PAGE;
}

bool ptl_static_load(int fd, const Elf64_Ehdr *head, uint64_t size)
{
	bool is_mapped =
		size >= span(head) && map_all(fd, (uintptr_t)head, head);

	call(SYS_close, (uintptr_t)fd, 0, 0, 0, 0, 0);
	return is_mapped;
}
