/* SPDX-License-Identifier: MIT */
/*
 * Before everything else in the library, whatever the user's flags say: it
 * defines both twins of open() and open64(), read() beside __read_chk(), and
 * getchar(), of which the headers have a body of their own where compilers
 * optimize (clang does not export what is defined beside that); and it calls
 * nothing that other libcs do not have.
 */
#ifndef PTL_CORE_GUEST_H
#define PTL_CORE_GUEST_H

#undef _FILE_OFFSET_BITS
#undef _FORTIFY_SOURCE
#undef _TIME_BITS

#if defined(__i386__)
#undef PTL_LIBUNWIND
#endif

#ifndef __NO_INLINE__
#define __NO_INLINE__ 1
#endif

/*
 * Programs bring a libc of their own, and the loader refuses a library that
 * asks for a version which that lacks: nothing is asked for that is newer
 * than 2.17 (t/meta/symbols.t).  What moved to libc.so.6 in 2.34 has the
 * version that it had in libpthread.so.0 and libdl.so.2, and is weak: a program
 * may have neither.
 */
#ifndef __ASSEMBLER__

#include <features.h>

/* Clang complains of a weak name that is not declared. */
#if defined(__clang__)
#include <dlfcn.h>
#include <pthread.h>
#endif

#if !defined(__GLIBC__)
#define PTL_ASK(name, x86_64, aarch64, i386)
#else
#if defined(__x86_64__)
#define PTL_OF_CPU(x86_64, aarch64, i386) x86_64
#elif defined(__i386__)
#define PTL_OF_CPU(x86_64, aarch64, i386) i386
#else
#define PTL_OF_CPU(x86_64, aarch64, i386) aarch64
#endif
#define PTL_ASK(name, x86_64, aarch64, i386) \
	__asm__(".symver " #name ", " #name \
		"@GLIBC_" PTL_OF_CPU(x86_64, aarch64, i386));
#endif
#define PTL_PRAGMA(text) _Pragma(#text)
#define PTL_MOVED(name, x86_64, aarch64, i386) \
	PTL_ASK(name, x86_64, aarch64, i386) PTL_PRAGMA(weak name)

PTL_MOVED(dladdr, "2.2.5", "2.17", "2.0")
PTL_MOVED(dladdr1, "2.3.3", "2.17", "2.3.3")
PTL_MOVED(dlerror, "2.2.5", "2.17", "2.0")
PTL_MOVED(pthread_attr_setstacksize, "2.2.5", "2.17", "2.1")
PTL_MOVED(pthread_key_delete, "2.2.5", "2.17", "2.0")
PTL_MOVED(pthread_setspecific, "2.2.5", "2.17", "2.0")
PTL_MOVED(pthread_testcancel, "2.2.5", "2.17", "2.0")
PTL_MOVED(__pthread_register_cancel, "2.3.3", "2.17", "2.3.3")
PTL_MOVED(__pthread_unregister_cancel, "2.3.3", "2.17", "2.3.3")
PTL_MOVED(__pthread_unwind_next, "2.3.3", "2.17", "2.3.3")

#endif

#endif
