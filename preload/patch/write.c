/* SPDX-License-Identifier: MIT */
/*
 * Two ways to write over code that is mapped to be read and executed.  By
 * /proc/self/mem no page is ever writable and executable, no mapping is split,
 * and it works where mprotect() does not (systemd's MemoryDenyWriteExecute); it
 * costs a system call for each page.  By mprotect() it is as fast as memory.
 * For either the kernel copies each page that is written.
 */
#include "preload/patch/write.h"

#include "core/sys/syscall.h"

#include "preload/patch/jump.h"

#include <string.h>

#define PAGE UINT64_C(4096)
#define MANY 200 /* pages: by then mprotect() is faster */

/* Since Linux 5.14. */
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

struct writer {
	const struct ptl_patch_view *block;
	uintptr_t base;
	uintptr_t arena;
	int memory; /* /proc/self/mem; -1: it is written to in place */
};

/* What is written at once: patches of a page, with what is between them. */
struct span {
	unsigned char bytes[PAGE];
	uintptr_t begin;
	size_t size;
};

static bool put(const struct writer *writer, const struct span *span)
{
	if (span->size == 0)
		return true;
	if (writer->memory < 0) {
		memcpy((void *)span->begin, span->bytes, span->size);
		ptl_jump_flush(span->begin, span->size);
		return true;
	}
	return ptl_sys_pwrite(writer->memory, span->bytes, span->size,
			      (int64_t)span->begin) == (long)span->size;
}

/* Adds to it; false: it would become too large. */
static bool add(struct span *span, uintptr_t at, const unsigned char *bytes,
		size_t size)
{
	uintptr_t end = span->begin + span->size;

	if (at < end || at + size - span->begin > sizeof(span->bytes))
		return false;
	memcpy(span->bytes + span->size, (const void *)end, at - end);
	memcpy(span->bytes + (at - span->begin), bytes, size);
	span->size = at + size - span->begin;
	return true;
}

/* Patches are in the order of their addresses.  Back: what was there.  Returns
 * how many are written. */
static uint64_t write_all(const struct writer *writer, uint64_t nr, bool back)
{
	static struct span span PTL_BULK;
	const unsigned char *was = writer->block->was;
	uint64_t written = 0;

	span.size = 0;
	for (uint64_t i = 0; i < nr; i++) {
		const struct ptl_patch *patch = &writer->block->patch[i];
		unsigned char bytes[PTL_PATCH_LONG];
		uintptr_t at = writer->base + patch->at;

		ptl_jump_make(patch, at, writer->arena, bytes);
		if (back)
			memcpy(bytes, was, patch->size);
		was += patch->was;
		if (span.size > 0 && add(&span, at, bytes, patch->size))
			continue;
		if (!put(writer, &span))
			return written;
		written = i;
		span.begin = at;
		span.size = 0;
		add(&span, at, bytes, patch->size);
	}
	return put(writer, &span) ? nr : written;
}

/* To write there; a /proc of other processes, or one that forbids it, is
 * noticed before. */
static int open_memory(uintptr_t at)
{
	unsigned char there[PTL_PATCH_SHORT];
	int fd = ptl_sys_open(AT_FDCWD, "/proc/self/mem", O_RDWR, 0);

	if (fd < 0)
		return fd;
	if (ptl_sys_pread(fd, there, sizeof(there), (int64_t)at) ==
		    sizeof(there) &&
	    memcmp(there, (const void *)at, sizeof(there)) == 0 &&
	    ptl_sys_pwrite(fd, there, sizeof(there), (int64_t)at) ==
		    sizeof(there))
		return fd;
	ptl_sys_close(fd);
	return -1;
}

static bool by_memory(struct writer *writer)
{
	uint64_t nr = writer->block->head.nr_patches, done;

	writer->memory = open_memory(writer->base + writer->block->patch[0].at);
	if (writer->memory < 0)
		return false;
	done = write_all(writer, nr, false);
	if (done != nr)
		write_all(writer, PTL_MIN(done + 1, nr), true);
	ptl_sys_close(writer->memory);
	writer->memory = -1;
	return done == nr;
}

/* Of all code of the object. */
static bool protect(const struct dl_phdr_info *info, int more)
{
	for (size_t i = 0; i < info->dlpi_phnum; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + ph->p_vaddr;
		uintptr_t end = (at + ph->p_memsz + PAGE - 1) & -PAGE;
		int prot = PROT_EXEC | more;

		if (ph->p_type != PT_LOAD || !(ph->p_flags & PF_X))
			continue;
		prot |= ph->p_flags & PF_R ? PROT_READ : 0;
		prot |= ph->p_flags & PF_W ? PROT_WRITE : 0;
		at &= -PAGE;
		if (ptl_sys(SYS_mprotect, at, end - at, prot, 0) != 0)
			return false;
	}
	return true;
}

static void copy_pages(uintptr_t begin, uintptr_t end)
{
	if (end - begin > PAGE)
		ptl_sys(SYS_madvise, begin, end - begin, MADV_POPULATE_WRITE,
			0);
}

/* Pages that will be written and follow each other are copied by a call, where
 * the kernel has it; else by a fault for each. */
static void copy_all_pages(const struct writer *writer)
{
	uintptr_t begin = 0, end = 0;

	for (uint64_t i = 0; i < writer->block->head.nr_patches; i++) {
		const struct ptl_patch *patch = &writer->block->patch[i];
		uintptr_t at = writer->base + patch->at;

		if ((at & -PAGE) > end) {
			copy_pages(begin, end);
			begin = at & -PAGE;
		}
		end = (at + patch->size + PAGE - 1) & -PAGE;
	}
	copy_pages(begin, end);
}

static bool by_protection(const struct writer *writer,
			  const struct dl_phdr_info *info)
{
	bool may = protect(info, PROT_READ | PROT_WRITE);

	if (may) {
		copy_all_pages(writer);
		write_all(writer, writer->block->head.nr_patches, false);
	}
	protect(info, 0);
	return may;
}

static bool is_much(const struct ptl_patch_view *block)
{
	uint64_t page = 0, nr = 0;

	for (uint64_t i = 0; i < block->head.nr_patches; i++) {
		nr += i == 0 || block->patch[i].at / PAGE != page;
		page = block->patch[i].at / PAGE;
	}
	return nr > MANY;
}

const char *ptl_write_patches(const struct ptl_patch_view *block,
			      const struct dl_phdr_info *info,
			      const struct ptl_arena *arena)
{
	struct writer writer = {
		.block = block,
		.base = info->dlpi_addr,
		.arena = arena->begin,
		.memory = -1,
	};
	bool is_done, much;

	if (block->head.nr_patches == 0)
		return NULL;
	much = is_much(block);
	is_done = much ? by_protection(&writer, info) : by_memory(&writer);
	if (!is_done)
		is_done = much ? by_memory(&writer) :
				 by_protection(&writer, info);
	return is_done ? NULL : "the system refused to change code";
}

bool ptl_write_code(uintptr_t at, const void *bytes, size_t size)
{
	int memory = open_memory(at);
	uintptr_t page = at & -PAGE;
	bool is_done;

	if (memory >= 0) {
		is_done = ptl_sys_pwrite(memory, bytes, size, (int64_t)at) ==
			  (long)size;
		ptl_sys_close(memory);
		return is_done;
	}
	if (ptl_sys(SYS_mprotect, page, PAGE, PROT_READ | PROT_WRITE, 0) != 0)
		return false;
	memcpy((void *)at, bytes, size);
	ptl_jump_flush(at, size);
	ptl_sys(SYS_mprotect, page, PAGE, PROT_READ | PROT_EXEC, 0);
	return true;
}
