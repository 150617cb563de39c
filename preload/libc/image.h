/* SPDX-License-Identifier: MIT */
/*
 * A loaded object in memory: the tables that its dynamic section points to.  No
 * file is read.  The caller holds the loader's lock.
 */
#ifndef PTL_PRELOAD_LIBC_IMAGE_H
#define PTL_PRELOAD_LIBC_IMAGE_H

#include "core/base.h"

#include <elf.h>
#include <link.h>

struct ptl_image {
	uintptr_t base;
	uintptr_t low, high;	     /* all of it */
	uintptr_t sealed, sealed_to; /* read-only after relocation (RELRO) */
	ElfW(Dyn) * jmprel;	     /* where the loader finds `rel' */
	const ElfW(Rela) * rel;	     /* of its procedure linkage table */
	size_t nr_rel;
	const ElfW(Rela) *
		other; /* all others, as of the global offset table */
	size_t nr_other;
	const ElfW(Sym) * sym;
	const char *str;
	const uint32_t *hash;	 /* DT_GNU_HASH */
	const uint16_t *version; /* of each symbol; NULL: there are none */
	const ElfW(Verdef) * verdef;
	const ElfW(Verneed) * verneed;
};

/* The dynamic section of an object; NULL: it has none. */
const ElfW(Dyn) * ptl_image_dynamic(const struct dl_phdr_info *info);

/* False: the object has no symbols. */
bool ptl_image_read(struct ptl_image *image, const struct dl_phdr_info *info);

/* The function of that name that the object defines, or NULL: in that version,
 * if it is there. */
const ElfW(Sym) * ptl_image_find(const struct ptl_image *image,
				 const char *name, const char *version);

/* The version of another object's that a symbol of this one asks for; NULL:
 * none. */
const char *ptl_image_asked(const struct ptl_image *image,
			    const ElfW(Sym) * sym);

/* The address for a value of the dynamic section: most loaders store addresses
 * there, some leave offsets. */
PTL_INLINE uintptr_t ptl_image_at(const struct ptl_image *image, uintptr_t ptr)
{
	return ptr < image->base ? image->base + ptr : ptr;
}

/* Makes the sealed part writable, and seals it again. */
bool ptl_image_unseal(const struct ptl_image *image);
void ptl_image_seal(const struct ptl_image *image);

#endif
