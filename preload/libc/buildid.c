/* SPDX-License-Identifier: MIT */
/* Notes of loaded objects; see buildid.h. */
#include "preload/libc/buildid.h"

#include "core/sys/text.h"

#include <elf.h>

/* Finds it in the notes at [at, end), which are in the object's mapping. */
static struct ptl_build_id find(uintptr_t at, uintptr_t end)
{
	struct ptl_build_id none = {NULL, 0};

	while (end - at >= sizeof(ElfW(Nhdr))) {
		const ElfW(Nhdr) *note = (const void *)at;
		size_t name_size = (note->n_namesz + (size_t)3) & ~(size_t)3;
		size_t desc_size = (note->n_descsz + (size_t)3) & ~(size_t)3;
		size_t room = end - at - sizeof(*note);
		const unsigned char *name = (const void *)(note + 1);

		if (name_size > room || desc_size > room - name_size)
			return none;
		if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 &&
		    ptl_strpre((const char *)name, "GNU"))
			return (struct ptl_build_id){
				name + name_size,
				PTL_MIN(note->n_descsz, (size_t)PTL_BUILD_ID),
			};
		at += sizeof(*note) + name_size + desc_size;
	}
	return none;
}

struct ptl_build_id ptl_build_id(const struct dl_phdr_info *info)
{
	struct ptl_build_id id = {NULL, 0};

	for (size_t i = 0; i < info->dlpi_phnum && !id.bytes; i++) {
		const ElfW(Phdr) *ph = &info->dlpi_phdr[i];
		uintptr_t at = info->dlpi_addr + ph->p_vaddr;

		if (ph->p_type == PT_NOTE)
			id = find(at, at + ph->p_memsz);
	}
	return id;
}
