/* SPDX-License-Identifier: MIT */
/*
 * The family mem: the heap and mappings.  malloc() is called before any
 * constructor has run, by the loader, and by libc while a thread is born or
 * dies; nothing here needs more than that.
 */
#include "preload/wrap/call.h"

#include <fcntl.h>
#include <malloc.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* clang-format off */

#define CALL_MALLOC(name) \
	WRAP(void *, name, (size_t size), (size), PTR, MEM_MALLOC, \
	     ((int64_t)size), NOTHING)
#define CALL_CALLOC(name) \
	WRAP(void *, name, (size_t nr, size_t size), (nr, size), PTR, \
	     MEM_CALLOC, ((int64_t)nr, (int64_t)size), NOTHING)
#define CALL_REALLOC(name) \
	WRAP(void *, name, (void *ptr, size_t size), (ptr, size), PTR, \
	     MEM_REALLOC, (P(ptr), (int64_t)size), NOTHING)
#define CALL_FREE(name) \
	WRAP_VOID(name, (void *ptr), (ptr), MEM_FREE, P(ptr))
#define CALL_ALIGNED(name) \
	WRAP(void *, name, (size_t align, size_t size), (align, size), PTR, \
	     MEM_ALIGNED, ((int64_t)align, (int64_t)size), NOTHING)
/* Aligned to pages. */
#define CALL_VALLOC(name) \
	WRAP(void *, name, (size_t size), (size), PTR, MEM_ALIGNED, \
	     (0, (int64_t)size), NOTHING)
#define CALL_MMAP(name, type) \
	WRAP(void *, name, \
	     (void *at, size_t size, int prot, int flags, int fd, \
	      type offset), \
	     (at, size, prot, flags, fd, offset), MAP, MEM_MMAP, \
	     (P(at), (int64_t)size, (unsigned int)prot, (unsigned int)flags, \
	      fd, (int64_t)offset), \
	     NOTHING)
/* A range, and something else. */
#define CALL_RANGE(name, type, event, how) \
	WRAP(int, name, (type at, size_t size, int what), (at, size, what), \
	     how, event, (P(at), (int64_t)size, what), NOTHING)

/* ---- the table ---- */

CALL_MALLOC(malloc)
CALL_MALLOC(__libc_malloc)
CALL_CALLOC(calloc)
CALL_CALLOC(__libc_calloc)
CALL_REALLOC(realloc)
CALL_REALLOC(__libc_realloc)
WRAP(void *, reallocarray, (void *ptr, size_t nr, size_t size),
     (ptr, nr, size), PTR, MEM_REALLOC, (P(ptr), (int64_t)(nr * size)),
     NOTHING)
CALL_FREE(free)
CALL_FREE(__libc_free)
CALL_ALIGNED(aligned_alloc)
CALL_ALIGNED(memalign)
CALL_ALIGNED(__libc_memalign)
CALL_VALLOC(valloc)
CALL_VALLOC(__libc_valloc)
CALL_VALLOC(pvalloc)
CALL_VALLOC(__libc_pvalloc)
/* What is returned is the error; where there is none, what was asked for is
 * in *out. */
WRAP(int, posix_memalign, (void **out, size_t align, size_t size),
     (out, align, size), NUM, MEM_ALIGNED, ((int64_t)align, (int64_t)size,
     ret ? 0 : P(*out)), NOTHING)

CALL_MMAP(mmap, off_t)
CALL_MMAP(mmap64, off64_t)
WRAP(int, munmap, (void *at, size_t size), (at, size), INT, MEM_MUNMAP,
     (P(at), (int64_t)size), NOTHING)
CALL_RANGE(mprotect, void *, MEM_MPROTECT, INT)
WRAP(int, pkey_mprotect, (void *at, size_t size, int prot, int key),
     (at, size, prot, key), INT, MEM_MPROTECT,
     (P(at), (int64_t)size, (unsigned int)prot), NOTHING)
CALL_RANGE(madvise, void *, MEM_MADVISE, INT)
WRAP(int, posix_madvise, (void *at, size_t size, int advice),
     (at, size, advice), NUM, MEM_MADVISE,
     (P(at), (int64_t)size, advice, ret ? -1 : 0), NOTHING)
CALL_RANGE(msync, void *, MEM_MSYNC, INT)
WRAP(int, mlock, (const void *at, size_t size), (at, size), INT, MEM_MLOCK,
     (P(at), (int64_t)size), NOTHING)
WRAP(int, mlock2, (const void *at, size_t size, unsigned int flags),
     (at, size, flags), INT, MEM_MLOCK, (P(at), (int64_t)size), NOTHING)
WRAP(int, munlock, (const void *at, size_t size), (at, size), INT,
     MEM_MUNLOCK, (P(at), (int64_t)size), NOTHING)
WRAP(int, brk, (void *at), (at), INT, MEM_BRK, (P(at)), NOTHING)
WRAP(void *, sbrk, (intptr_t delta), (delta), MAP, MEM_SBRK, (delta), NOTHING)
WRAP(void *, __sbrk, (intptr_t delta), (delta), MAP, MEM_SBRK, (delta),
     NOTHING)
WRAP(int, shm_open, (const char *name, int flags, mode_t mode),
     (name, flags, mode), INT, MEM_SHM_OPEN, ((unsigned int)flags, mode),
     STRING(name))
WRAP(int, shm_unlink, (const char *name), (name), INT, MEM_SHM_UNLINK, (),
     STRING(name))

/* There is an address only where one is asked for. */
void *mremap(void *at, size_t size, size_t new_size, int flags, ...);
static void *(*real_mremap)(void *, size_t, size_t, int, ...);
CALL_TOLD(void *, mremap,
	  (void *at, size_t size, size_t new_size, int flags, void *new,
	   const void *addr),
	  (at, size, new_size, flags, new), MAP, MEM_MREMAP,
	  (P(at), (int64_t)size, (int64_t)new_size, (unsigned int)flags),
	  NOTHING)
PTL_JUMP void *mremap(void *at, size_t size, size_t new_size, int flags, ...)
{
	void *new = NULL;

	if (flags & MREMAP_FIXED) {
		va_list ap;

		va_start(ap, flags);
		new = va_arg(ap, void *);
		va_end(ap);
	}
	return told_mremap(at, size, new_size, flags, new,
			   __builtin_return_address(0));
}
