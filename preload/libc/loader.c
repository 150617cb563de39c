/* SPDX-License-Identifier: MIT */
#include "preload/libc/loader.h"

#include "core/core.h"

/* The kernel takes no more program headers; nor do we look at more notes. */
#define MAX_HEADERS_SIZE 65536
#define MAX_NOTES 8

#define GO_BUILD_ID 4

const char ptl_elf_static[] = "static";

/* A loader itself has none, and preloads: ld-linux.so.2, ld.so.1, ld64.so.1. */
static bool is_loader(const char *path)
{
	const char *base = path, *s;

	for (; *path; path++)
		if (*path == '/')
			base = path + 1;
	for (s = base; *s && !ptl_strpre(s, ".so"); s++)
		;
	return *s && (ptl_strpre(base, "ld-") || ptl_strpre(base, "ld.so") ||
		      ptl_strpre(base, "ld64"));
}

/* Go's linker leaves a note in each program; these make their own system calls.
 */
static bool is_go(const struct ptl_front *front, const ElfW(Phdr) * ph)
{
	uint64_t at = ph->p_offset, end = at + ph->p_filesz;
	struct {
		ElfW(Nhdr) head;
		char name[4];
	} note;

	for (size_t i = 0; i < MAX_NOTES && at < end; i++) {
		if (!ptl_front_get(front, at, &note, sizeof(note)))
			return false;
		if (note.head.n_type == GO_BUILD_ID &&
		    note.head.n_namesz == sizeof(note.name) &&
		    ptl_strpre(note.name, "Go"))
			return true;
		at += sizeof(note.head) +
		      (((uint64_t)note.head.n_namesz + 3) & ~UINT64_C(3)) +
		      (((uint64_t)note.head.n_descsz + 3) & ~UINT64_C(3));
	}
	return false;
}

/* Of a file for another word size or processor: the type is the first word of
 * each program header.  What is not known has one. */
static bool has_loader(const struct ptl_front *front)
{
	const Elf64_Ehdr *elf = &front->data.elf64;
	const Elf32_Ehdr *elf32 = &front->data.elf32;
	bool is_32 = elf->e_ident[EI_CLASS] == ELFCLASS32;
	uint64_t at = is_32 ? elf32->e_phoff : elf->e_phoff;
	size_t nr = is_32 ? elf32->e_phnum : elf->e_phnum;
	size_t size = is_32 ? sizeof(Elf32_Phdr) : sizeof(Elf64_Phdr);
	uint32_t type;

	if (elf->e_ident[EI_DATA] != ELFDATA2LSB ||
	    nr * size > MAX_HEADERS_SIZE)
		return true;
	for (; nr > 0; nr--, at += size)
		if (!ptl_front_get(front, at, &type, sizeof(type)) ||
		    type == PT_INTERP)
			return true;
	return false;
}

/* For this processor, too; the machine is in the same place in both. */
static bool is_other(const struct ptl_front *front)
{
	const Elf32_Ehdr *elf = &front->data.elf32;

	return elf->e_ident[EI_CLASS] == PTL_OTHER_CLASS &&
	       elf->e_ident[EI_DATA] == ELFDATA2LSB &&
	       elf->e_machine == PTL_OTHER_MACHINE;
}

static void check_foreign(const struct ptl_front *front, const char *path,
			  struct ptl_elf *elf)
{
	static const char *const reasons[][2] = {
		{"32-bit", "32-bit" PTL_ELF_ENDS_HERE},
		{"64-bit", "64-bit" PTL_ELF_ENDS_HERE},
		{"other architecture", "other architecture" PTL_ELF_ENDS_HERE}};
	bool is_64 = front->data.elf.e_ident[EI_CLASS] == ELFCLASS64;
	unsigned int of = 0;

	elf->is_loader = path && is_loader(path);
	elf->complains = elf->is_loader || has_loader(front);
	elf->is_other = elf->complains && !elf->is_loader && is_other(front);
	if (is_64)
		of = is_other(front) ? 1 : 2;
	elf->reason = reasons[of][elf->complains];
}

/* False: these are no headers of a program. */
static bool read_headers(const struct ptl_front *front, struct ptl_elf *elf,
			 bool *is_loaded, char *loader)
{
	const ElfW(Ehdr) *head = &front->data.elf;
	size_t size = head->e_phnum * sizeof(ElfW(Phdr));
	ElfW(Phdr) ph;

	if ((head->e_type != ET_EXEC && head->e_type != ET_DYN) ||
	    head->e_phentsize != sizeof(ph) || size > MAX_HEADERS_SIZE)
		return false;
	for (size_t at = 0; at < size; at += sizeof(ph)) {
		if (!ptl_front_get(front, head->e_phoff + at, &ph, sizeof(ph)))
			return false;
		if (ph.p_type == PT_NOTE)
			elf->is_partly |= is_go(front, &ph);
		if (ph.p_type != PT_INTERP)
			continue;
		*is_loaded = true;
		if (ph.p_filesz < PTL_LOADER_SIZE &&
		    ptl_front_get(front, ph.p_offset, loader, ph.p_filesz))
			loader[ph.p_filesz] = '\0';
	}
	return true;
}

bool ptl_loader_find(const struct ptl_front *front, const char *path,
		     struct ptl_elf *elf, char loader[PTL_LOADER_SIZE])
{
	bool is_loaded = false;

	loader[0] = '\0';
	if (!ptl_elf_is_ours(&front->data.elf)) {
		check_foreign(front, path, elf);
		return false;
	}
	if (!read_headers(front, elf, &is_loaded, loader))
		return false;
	if (!is_loaded && path && is_loader(path)) {
		elf->is_loader = is_loaded = true;
		ptl_strcopy(loader, PTL_LOADER_SIZE, path);
	}
	if (!is_loaded)
		elf->reason = ptl_elf_static;
	else if (elf->is_partly)
		elf->reason = PTL_UNTRACED_PARTLY " (Go: its own system calls, "
						  "and what it starts by them, "
						  "are not recorded)";
	elf->is_partly &= is_loaded;
	return is_loaded;
}
