/* SPDX-License-Identifier: MIT */
/* See mapped.h. */
#include "tools/monitor/process/mapped.h"

#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tools/lib/notes.h"

#define PAGE UINT64_C(4096)
#define SEGMENTS 64
#define NOTES 4096

static bool read_at(int fd, void *to, size_t size, uint64_t at)
{
	return pread(fd, to, size, (off_t)at) == (ssize_t)size;
}

/* As the process finds it; if it is gone there, as long as that is its program
 * the kernel has it. */
static int open_mapped(pid_t pid, const struct ptl_mapping *mapping)
{
	const int flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;
	char path[PATH_MAX + 32];
	struct stat status;

	for (int i = 0; i < 2; i++) {
		int fd;

		snprintf(path, sizeof(path), "/proc/%d/%s%s", (int)pid,
			 i == 0 ? "root" : "exe", i == 0 ? mapping->path : "");
		fd = open(path, flags);
		if (fd < 0)
			continue;
		if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
		    status.st_ino == mapping->inode)
			return fd;
		close(fd);
	}
	return -1;
}

static void read_id(struct ptl_mapped_file *mapped, int fd,
		    const Elf64_Phdr *notes)
{
	unsigned char bytes[NOTES];
	size_t size = notes->p_filesz < sizeof(bytes) ? notes->p_filesz :
							sizeof(bytes);

	if (mapped->id_size == 0 && read_at(fd, bytes, size, notes->p_offset))
		mapped->id_size = (uint8_t)ptl_notes_build_id(
			bytes, size, mapped->id, sizeof(mapped->id));
}

static bool read_file(struct ptl_mapped_file *mapped, int fd, uint64_t from)
{
	Elf64_Phdr segment[SEGMENTS];
	uint64_t low = UINT64_MAX, high = 0;
	Elf64_Ehdr head;

	if (!read_at(fd, &head, sizeof(head), 0) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 || head.e_phnum > SEGMENTS ||
	    !read_at(fd, segment, head.e_phnum * sizeof(*segment),
		     head.e_phoff))
		return false;
	for (unsigned int i = 0; i < head.e_phnum; i++) {
		const Elf64_Phdr *ph = &segment[i];

		if (ph->p_type == PT_NOTE)
			read_id(mapped, fd, ph);
		if (ph->p_type != PT_LOAD)
			continue;
		if (ph->p_vaddr < low)
			low = ph->p_vaddr;
		if (ph->p_vaddr + ph->p_memsz > high)
			high = ph->p_vaddr + ph->p_memsz;
	}
	if (low >= high)
		return false;
	mapped->base = from - (low & -PAGE);
	mapped->size = high - low;
	return true;
}

bool ptl_mapped_read(struct ptl_mapped_file *mapped, pid_t pid,
		     const struct ptl_mapping *mapping)
{
	int fd = open_mapped(pid, mapping);
	bool is_read;

	*mapped = (struct ptl_mapped_file){0};
	if (fd < 0)
		return false;
	is_read = read_file(mapped, fd, mapping->from);
	close(fd);
	return is_read;
}
