/* SPDX-License-Identifier: MIT */
/*
 * The objects whose calls are hooked, or lead to others.  Entries are made and
 * removed under the loader's lock; they may be looked at at any time, by
 * handlers, too, for an entry is never used for another object.
 */
#ifndef PTL_PRELOAD_HOOK_LOADED_H
#define PTL_PRELOAD_HOOK_LOADED_H

#include "core/base.h"

#include "preload/libc/image.h"

#define PTL_LOADED_NAME 48
#define PTL_LOADED_NONE UINT32_MAX

struct ptl_loaded {
	_Atomic bool lives;
	bool hooked;
	char name[PTL_LOADED_NAME]; /* without directories */
	uint32_t first, nr;	    /* its stubs */
	uint32_t pass;		    /* when it was last in the loader's list */
	ElfW(Rela) * copy;	    /* of its relocations */
	size_t copy_size;
	struct ptl_image image;
};

/* Entry i, or NULL: there are no more. */
struct ptl_loaded *ptl_loaded_get(uint32_t i);

/* The entry of an object that is there, or NULL: it is new. */
struct ptl_loaded *ptl_loaded_get_same(const struct ptl_image *image,
				       const char *path);

/*
 * An entry for an object that is new; the one it had before if it was here
 * before.  NULL: there is no room.
 */
struct ptl_loaded *ptl_loaded_add(const struct ptl_image *image,
				  const char *path);
void ptl_loaded_remove(struct ptl_loaded *object);

/* The number of the entry that has this address, or NONE. */
uint32_t ptl_loaded_find(uintptr_t addr);

/* A path without its directories. */
const char *ptl_loaded_base_name(const char *path);

/* Its name, "" of NONE. */
const char *ptl_loaded_name(uint32_t i);

/* Is it our own? */
bool ptl_loaded_is_us(const struct ptl_image *image);

/*
 * The first definition of that name that is not ours: whom our own function
 * stands for, and most likely what the loader will find.  Under its lock.
 */
uint32_t ptl_loaded_find_symbol(const char *name, uint64_t *value);

#endif
