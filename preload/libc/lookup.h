/* SPDX-License-Identifier: MIT */
/*
 * What dlsym(RTLD_NEXT, name) returns, but without locks, memory
 * allocation or calls of libc: usable in the first call of malloc(), in a
 * signal handler, in a vfork child.  And it takes a tenth of the time.
 */
#ifndef PTL_PRELOAD_LIBC_LOOKUP_H
#define PTL_PRELOAD_LIBC_LOOKUP_H

#include "core/base.h"

#include <link.h>

/* Called by the constructor, before everything else. */
void ptl_lookup_init(void);

/* Our own file, as the loader names it; NULL: unknown. */
const char *ptl_lookup_file(void);

/*
 * Finds the next definition after ours of that name, in its default version,
 * and keeps it in *real.  Objects that are loaded later are searched if there
 * is none, and it is not kept if they may be unloaded. missing: returned, and
 * not kept, if there is none at all.
 */
void *ptl_lookup_real(void **real, const char *name, void *missing);

/* In that version, if there is one; NULL, or none there: in the default one. */
void *ptl_lookup_version(void **real, const char *name, const char *version,
			 void *missing);

/*
 * What the loader gives to an object that asks for a version (NULL: for none):
 * in libc, in our library, and in the first object that is not ours.
 */
const void *ptl_lookup_libc(const char *name, const char *version);
const void *ptl_lookup_ours(const char *name, const char *version);
const void *ptl_lookup_first(const char *name, const char *version);

/* Was the program linked with our library, or the object at this address? */
bool ptl_lookup_linked(const void *addr);

/*
 * The object at this address, once the loader has finished with it; NULL: there
 * is none, or it is unknown (glibc before 2.35).  Takes no lock, where dlsym()
 * and dladdr() take the loader's: another thread may hold that one and wait for
 * the lock of dl_iterate_phdr(), which our callers hold.
 */
const struct link_map *ptl_lookup_object(const void *addr);

/* PTL_WRAP: a function of libc, as programs call it, that a sanitizer wraps,
 * too.  PTL_JUMP: the same for one that only jumps on, which needs no stack. */
#ifdef PTL_SANITIZED
#define PTL_WRAP PTL_ALIGNS
#define PTL_JUMP
#else
#define PTL_WRAP PTL_ENTRY
#define PTL_JUMP PTL_EXPORT
#endif

#endif
