/* SPDX-License-Identifier: MIT */
/*
 * Versions of symbols: each symbol of an object has the number of one, which
 * the object defines (DT_VERDEF) or needs of another (DT_VERNEED) by its name.
 */
#ifndef PTL_PRELOAD_LIBC_SYMVER_H
#define PTL_PRELOAD_LIBC_SYMVER_H

#include "core/base.h"
#include "core/sys/text.h"

#include <elf.h>
#include <link.h>

#define PTL_SYMVER_HIDDEN 0x8000 /* not the default one of its name */
#define PTL_SYMVER_LOCAL 0
#define PTL_SYMVER_NONE 1
#define PTL_SYMVER_FIRST 2 /* who asks for none gets this, too */

PTL_INLINE const void *ptl_symver_behind(const void *entry, size_t offset)
{
	return offset ? (const char *)entry + offset : NULL;
}

/* The number of a version that an object defines; 0: it does not. */
PTL_INLINE unsigned int ptl_symver_number(const ElfW(Verdef) * def,
					  const char *str, const char *version)
{
	for (; def; def = ptl_symver_behind(def, def->vd_next)) {
		const ElfW(Verdaux) *aux = ptl_symver_behind(def, def->vd_aux);

		if (aux && ptl_streq(str + aux->vda_name, version))
			return def->vd_ndx;
	}
	return 0;
}

/* The name of a version that an object needs; NULL: it needs none of that
 * number. */
PTL_INLINE const char *ptl_symver_name(const ElfW(Verneed) * need,
				       const char *str, unsigned int number)
{
	for (; need; need = ptl_symver_behind(need, need->vn_next)) {
		const ElfW(Vernaux) *aux =
			ptl_symver_behind(need, need->vn_aux);

		for (; aux; aux = ptl_symver_behind(aux, aux->vna_next))
			if (aux->vna_other == number)
				return str + aux->vna_name;
	}
	return NULL;
}

#endif
