/* SPDX-License-Identifier: MIT */
/* See notes.h. */
#include "tools/lib/notes.h"

#include <elf.h>
#include <string.h>

static size_t padded(size_t size)
{
	return (size + 3) & ~(size_t)3;
}

size_t ptl_notes_build_id(const unsigned char *notes, size_t size,
			  unsigned char *id, size_t room)
{
	Elf64_Nhdr head;

	while (size >= sizeof(head)) {
		const unsigned char *name = notes + sizeof(head);
		size_t all;

		memcpy(&head, notes, sizeof(head));
		all = sizeof(head) + padded(head.n_namesz) +
		      padded(head.n_descsz);
		if (all > size)
			return 0;
		if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 &&
		    memcmp(name, "GNU", 4) == 0 && head.n_descsz <= room) {
			memcpy(id, name + padded(head.n_namesz), head.n_descsz);
			return head.n_descsz;
		}
		notes += all;
		size -= all;
	}
	return 0;
}
