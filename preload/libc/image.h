/* SPDX-License-Identifier: MIT */
/*
 * A loaded object as it is in memory: the tables that its dynamic section
 * names.  No file is read.  The loader's lock is held by whoever looks.
 */
#ifndef PTL_PRELOAD_LIBC_IMAGE_H
#define PTL_PRELOAD_LIBC_IMAGE_H

#include "core/base.h"

#include <elf.h>
#include <link.h>

struct ptl_image {
	uintptr_t base;
	uintptr_t low, high;	     /* all of it */
	uintptr_t sealed, sealed_to; /* read-only since it was relocated */
	ElfW(Dyn) * jmprel;	     /* where the loader finds `rel' */
	const ElfW(Rela) * rel;	     /* of its procedure linkage table */
	size_t nr_rel;
	const ElfW(Rela) *
		other; /* all others, as of the global offset table */
	size_t nr_other;
	const ElfW(Sym) * sym;
	const char *str;
	const uint32_t *hash; /* DT_GNU_HASH */
};

/* False: it has no symbols. */
bool ptl_image_read(struct ptl_image *image, const struct dl_phdr_info *info);

/* The function of that name that it defines, or NULL. */
const ElfW(Sym) *
	ptl_image_find(const struct ptl_image *image, const char *name);

/* What is found at a place that the loader wrote into the dynamic section: most
 * loaders put addresses there, some leave offsets. */
PTL_INLINE uintptr_t ptl_image_at(const struct ptl_image *image, uintptr_t ptr)
{
	return ptr < image->base ? image->base + ptr : ptr;
}

/* Makes what is sealed writable, and seals it again. */
bool ptl_image_unseal(const struct ptl_image *image);
void ptl_image_seal(const struct ptl_image *image);

#endif
