/* SPDX-License-Identifier: MIT */
#include "tools/inject/loaded.h"

#if defined(__x86_64__)

#include <elf.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tools/inject/file.h"
#include "tools/inject/maps.h"
#include "tools/inject/target.h"

#define SONAME "libptrace.so"
#define SEGMENTS_MAX 32
#define DYNAMIC_MAX 128

/* What is mapped at `at' begins with an ELF file: its segments; 0: it does not.
 */
static size_t read_segments(pid_t pid, uintptr_t at,
			    Elf64_Phdr segment[SEGMENTS_MAX])
{
	Elf64_Ehdr head;
	size_t size;

	if (!ptl_target_read(pid, at, &head, sizeof(head)) ||
	    memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
	    head.e_ident[EI_CLASS] != ELFCLASS64 ||
	    head.e_phentsize != sizeof(*segment) || head.e_phnum > SEGMENTS_MAX)
		return 0;
	size = head.e_phnum * sizeof(*segment);
	return ptl_target_read(pid, at + head.e_phoff, segment, size) ?
		       head.e_phnum :
		       0;
}

/* By the name that the linker gave to the library.  Where the loader has made
 * an address of an offset it is loaded, and not only read by somebody. */
static bool is_libptrace(pid_t pid, uintptr_t base, const Elf64_Phdr *dynamic)
{
	Elf64_Dyn entry[DYNAMIC_MAX];
	size_t size = dynamic->p_memsz < sizeof(entry) ? dynamic->p_memsz :
							 sizeof(entry);
	uint64_t strings = 0, name = 0;
	char text[sizeof(SONAME) - 1];

	if (!ptl_target_read(pid, base + dynamic->p_vaddr, entry, size))
		return false;
	for (size_t i = 0; i < size / sizeof(*entry); i++) {
		if (entry[i].d_tag == DT_NULL)
			break;
		if (entry[i].d_tag == DT_STRTAB)
			strings = entry[i].d_un.d_ptr;
		if (entry[i].d_tag == DT_SONAME)
			name = entry[i].d_un.d_val;
	}
	return strings > base && name != 0 &&
	       ptl_target_read(pid, strings + name, text, sizeof(text)) &&
	       memcmp(text, SONAME, sizeof(text)) == 0;
}

/* Code, and what is only read: the loader changes nothing there. */
static bool is_same(pid_t pid, uintptr_t base, const Elf64_Phdr *first,
		    const char *file)
{
	unsigned char bytes[4096];
	struct ptl_elf_file elf;
	size_t at, size;

	if (!ptl_elf_open(&elf, file, 0))
		return false;
	for (at = 0; at < first->p_filesz; at += size) {
		size = first->p_filesz - at < sizeof(bytes) ?
			       first->p_filesz - at :
			       sizeof(bytes);
		if (size > elf.size || at > elf.size - size ||
		    !ptl_target_read(pid, base + at, bytes, size) ||
		    memcmp(bytes, elf.bytes + at, size) != 0)
			break;
	}
	ptl_elf_close(&elf);
	return at >= first->p_filesz;
}

/* A mapping of a file's beginning. */
static bool look(struct ptl_injected *loaded, pid_t pid, uintptr_t base,
		 const char *file)
{
	const Elf64_Phdr *first = NULL, *dynamic = NULL;
	Elf64_Phdr segment[SEGMENTS_MAX];
	size_t nr = read_segments(pid, base, segment);

	for (size_t i = 0; i < nr; i++) {
		if (segment[i].p_type == PT_LOAD && first == NULL)
			first = &segment[i];
		if (segment[i].p_type == PT_DYNAMIC)
			dynamic = &segment[i];
	}
	if (first == NULL || first->p_vaddr != 0 || dynamic == NULL ||
	    !is_libptrace(pid, base, dynamic))
		return false;
	loaded->base = base;
	loaded->is_ours = is_same(pid, base, first, file);
	return true;
}

void ptl_loaded_find(struct ptl_injected *loaded, pid_t pid, const char *file)
{
	FILE *maps = ptl_maps_open(pid, "maps");
	struct ptl_mapping mapping;
	bool found = false;

	*loaded = (struct ptl_injected){0};
	while (maps != NULL && !found && ptl_maps_next(maps, &mapping))
		found = mapping.offset == 0 && mapping.path[0] == '/' &&
			look(loaded, pid, mapping.from, file);
	if (found)
		snprintf(loaded->name, sizeof(loaded->name), "%s",
			 strrchr(mapping.path, '/') + 1);
	if (maps != NULL)
		fclose(maps);
}

uintptr_t ptl_loaded_function(const struct ptl_injected *loaded,
			      const char *file, const char *name)
{
	struct ptl_elf_file elf;
	uintptr_t at;

	if (!loaded->is_ours || !ptl_elf_open(&elf, file, 0))
		return 0;
	at = ptl_elf_symbol(&elf, name, NULL);
	ptl_elf_close(&elf);
	return at != 0 ? loaded->base + at : 0;
}

#endif
