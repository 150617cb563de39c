/* SPDX-License-Identifier: MIT */
#include "tools/inject/file.h"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A part of the file; NULL: it has not so much. */
static const void *part(const struct ptl_elf_file *elf, uint64_t from,
			uint64_t size)
{
	return from <= elf->size && size <= elf->size - from ?
		       elf->bytes + from :
		       NULL;
}

static bool is_ours(const struct ptl_elf_file *elf)
{
	const Elf64_Ehdr *head = part(elf, 0, sizeof(*head));

	return head != NULL && memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 &&
	       head->e_ident[EI_CLASS] == ELFCLASS64 &&
	       head->e_machine == EM_X86_64;
}

bool ptl_elf_open(struct ptl_elf_file *elf, const char *path, ino_t inode)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	void *bytes = MAP_FAILED;
	struct stat st;

	if (fd < 0)
		return false;
	if (fstat(fd, &st) == 0 && (inode == 0 || st.st_ino == inode))
		bytes = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			     fd, 0);
	close(fd);
	if (bytes == MAP_FAILED)
		return false;
	elf->bytes = bytes;
	elf->size = (size_t)st.st_size;
	if (is_ours(elf))
		return true;
	ptl_elf_close(elf);
	return false;
}

void ptl_elf_close(struct ptl_elf_file *elf)
{
	munmap((void *)(uintptr_t)elf->bytes, elf->size);
}

static uintptr_t find_in(const struct ptl_elf_file *elf,
			 const Elf64_Shdr *symbols, const Elf64_Shdr *strings,
			 const char *name, size_t *size)
{
	const Elf64_Sym *sym = part(elf, symbols->sh_offset, symbols->sh_size);
	const char *text = part(elf, strings->sh_offset, strings->sh_size);
	size_t length = strlen(name) + 1;

	if (sym == NULL || text == NULL)
		return 0;
	for (size_t i = 0; i < symbols->sh_size / sizeof(*sym); i++) {
		if (sym[i].st_value == 0 || sym[i].st_name > strings->sh_size ||
		    strings->sh_size - sym[i].st_name < length ||
		    memcmp(text + sym[i].st_name, name, length) != 0)
			continue;
		if (size != NULL)
			*size = sym[i].st_size;
		return sym[i].st_value;
	}
	return 0;
}

uintptr_t ptl_elf_symbol(const struct ptl_elf_file *elf, const char *name,
			 size_t *size)
{
	const Elf64_Ehdr *head = part(elf, 0, sizeof(*head));
	const Elf64_Shdr *section =
		part(elf, head->e_shoff, head->e_shnum * sizeof(*section));

	for (unsigned int i = 0; section != NULL && i < head->e_shnum; i++)
		if (section[i].sh_type == SHT_DYNSYM &&
		    section[i].sh_link < head->e_shnum)
			return find_in(elf, &section[i],
				       &section[section[i].sh_link], name,
				       size);
	return 0;
}

uintptr_t ptl_elf_code(const struct ptl_elf_file *elf, const void *bytes,
		       size_t size)
{
	const Elf64_Ehdr *head = part(elf, 0, sizeof(*head));
	const Elf64_Phdr *segment =
		part(elf, head->e_phoff, head->e_phnum * sizeof(*segment));

	for (unsigned int i = 0; segment != NULL && i < head->e_phnum; i++) {
		const unsigned char *code =
			part(elf, segment[i].p_offset, segment[i].p_filesz);
		const unsigned char *found;

		if (segment[i].p_type != PT_LOAD ||
		    !(segment[i].p_flags & PF_X) || code == NULL)
			continue;
		found = memmem(code, segment[i].p_filesz, bytes, size);
		if (found != NULL)
			return segment[i].p_vaddr + (uintptr_t)(found - code);
	}
	return 0;
}
