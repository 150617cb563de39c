/* SPDX-License-Identifier: MIT */
/*
 * What dlsym(RTLD_NEXT, name) gives, but with no lock, no memory, and nothing
 * of libc: fit for the first call of malloc(), a signal handler, a vfork
 * child.  And in a tenth of the time.
 */
#ifndef PTL_PRELOAD_LIBC_LOOKUP_H
#define PTL_PRELOAD_LIBC_LOOKUP_H

#include "core/base.h"

#include <link.h>

/* By the constructor, first of all. */
void ptl_lookup_init(void);

/* Our own file, as the loader names it; NULL: unknown. */
const char *ptl_lookup_file(void);

/*
 * The next definition behind us of that name, in its default version.  Objects
 * that are loaded later are not looked at: they may go away.  Kept in *real.
 * Missing: what is returned, and not kept, if there is none.
 */
void *ptl_lookup_real(void **real, const char *name, void *missing);

/*
 * What programs that were linked long ago get by that name, if libc has such a
 * version beside the current one, else that: another library may have its own.
 */
void *ptl_lookup_old(const char *name, void *current);

/* Was the object that has this address linked with that version of libc's
 * symbols, among others?  Yes, if it cannot be told.  Lock-free. */
bool ptl_lookup_needs(const void *addr, const char *version);

/*
 * The object that has this address, once the loader has done with it; NULL:
 * there is none, or nobody can tell (glibc before 2.35).  Takes no lock, where
 * dlsym() and dladdr() take the loader's: another thread may have that, and
 * wait for the lock of dl_iterate_phdr(), which our callers are in.
 */
const struct link_map *ptl_lookup_object(const void *addr);

/* One of libc's functions, as programs call it, that a sanitizer has, too; and
 * if it does nothing but jump on, for that needs no stack. */
#ifdef PTL_SANITIZED
#define PTL_WRAP PTL_ALIGNS
#define PTL_JUMP
#else
#define PTL_WRAP PTL_ENTRY
#define PTL_JUMP PTL_EXPORT
#endif

#endif
