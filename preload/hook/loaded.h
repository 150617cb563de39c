/* SPDX-License-Identifier: MIT */
/*
 * The objects whose calls are hooked, or that are called by them.  Entries are
 * made and removed under the loader's lock.  They may be read at any time, by
 * signal handlers, too: an entry is never used for another object.
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
	uint32_t pass;		    /* the last in which it was in the list */
	ElfW(Rela) * copy;	    /* of its relocations */
	size_t copy_size;
	struct ptl_image image;
};

/* Entry i; NULL: there are no more. */
struct ptl_loaded *ptl_loaded_get(uint32_t i);

/* The entry of an object that is loaded; NULL: the object is new. */
struct ptl_loaded *ptl_loaded_get_same(const struct ptl_image *image,
				       const char *path);

/*
 * Makes an entry for a new object; if it was loaded at the same place before,
 * its old entry.  NULL: there is no room.
 */
struct ptl_loaded *ptl_loaded_add(const struct ptl_image *image,
				  const char *path);
void ptl_loaded_remove(struct ptl_loaded *object);

/* The number of the object at this address, or NONE. */
uint32_t ptl_loaded_find(uintptr_t addr);

/* A path without its directories. */
const char *ptl_loaded_base_name(const char *path);

/* The name of object i; "" for NONE. */
const char *ptl_loaded_name(uint32_t i);

/* Is it this library? */
bool ptl_loaded_is_us(const struct ptl_image *image);

/*
 * The first definition of that name outside of this library, in that version if
 * there are several: the function that a wrapper of ours stands for, and most
 * likely the one that the loader will find.  With the loader's lock held.
 */
uint32_t ptl_loaded_find_symbol(const char *name, const char *version,
				uint64_t *value);

#endif
