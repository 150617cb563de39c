/* SPDX-License-Identifier: MIT */
/*
 * The real functions behind our wrappers: PTL_LIBC(fork)().  preload/ calls
 * an intercepted function in no other way.  What is intercepted is listed in
 * the tables of preload/calls/.
 */
#ifndef PTL_PRELOAD_LIBC_LIBC_H
#define PTL_PRELOAD_LIBC_LIBC_H

#ifdef _FILE_OFFSET_BITS
#error "_FILE_OFFSET_BITS would silently rename our open() to open64()"
#endif

#include "core/base.h"
#include "preload/libc/versions.h"

#include <dlfcn.h>
#include <sched.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <termios.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* Since glibc 2.39. */
int pidfd_spawn(int *restrict pidfd, const char *restrict path,
		const posix_spawn_file_actions_t *restrict actions,
		const posix_spawnattr_t *restrict attr,
		char *const argv[restrict], char *const envp[restrict]);
int pidfd_spawnp(int *restrict pidfd, const char *restrict file,
		 const posix_spawn_file_actions_t *restrict actions,
		 const posix_spawnattr_t *restrict attr,
		 char *const argv[restrict], char *const envp[restrict]);

/* How functions say that they failed; so do those that this libc has not. */
enum ptl_failure {
	PTL_FAILS_INT,	   /* -1 */
	PTL_FAILS_POINTER, /* NULL */
	PTL_FAILS_ERROR,   /* the error itself */
};

/*
 * Of each function that is written out: a variable for what was found (NULL:
 * not looked for yet), and how it fails.  Those of the functions that are only
 * recorded are beside their wrappers.
 */
#define REAL(name, how) \
	extern __typeof__(&name) ptl_real_##name \
		__attribute__((visibility("hidden"))); \
	enum { ptl_fails_##name = PTL_FAILS_##how };
/* What is deprecated is used nevertheless. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include "preload/libc/real.def"
#pragma GCC diagnostic pop
#undef REAL

/* The next definition of that name behind us: libc's, or that of another
 * preloaded object.  Kept in *real, unless there is none. */
void *ptl_libc_find(void **real, const char *name, enum ptl_failure how);

/* Most processes call few of them: they are looked up one by one. */
#define PTL_REAL(name, how) \
	(__atomic_load_n(&ptl_real_##name, __ATOMIC_RELAXED) ?: \
		 (__typeof__(ptl_real_##name))ptl_libc_find( \
			 (void **)&ptl_real_##name, #name, (how)))
#define PTL_LIBC(name) PTL_REAL(name, (enum ptl_failure)ptl_fails_##name)

/* Finds the function in that version, if libc has it. */
void *ptl_libc_find_version(void **real, const char *name, const char *version,
			    enum ptl_failure how);

/*
 * Where libc has several versions (preload/calls/versions): the one that
 * programs ask for that are linked today, which NAME() calls; and the old one,
 * of which PTL_OLD() stands before ptl_old_NAME().
 */
#define PTL_REAL_OF(real, name, version, how) \
	(__atomic_load_n(&ptl_real_##real, __ATOMIC_RELAXED) ?: \
		 (__typeof__(ptl_real_##real))ptl_libc_find_version( \
			 (void **)&ptl_real_##real, name, version, (how)))
#define PTL_REAL_NOW(name, how) PTL_REAL_OF(name, #name, PTL_NOW_##name, how)
#define PTL_REAL_OLD(name, how) \
	PTL_REAL_OF(old_##name, #name, PTL_OLD_##name, how)
#define PTL_LIBC_NOW(name) \
	PTL_REAL_NOW(name, (enum ptl_failure)ptl_fails_##name)
#define PTL_LIBC_OLD(name) \
	PTL_REAL_OLD(name, (enum ptl_failure)ptl_fails_##name)
#define PTL_OLD(name) \
	static __typeof__(&name) ptl_real_old_##name PTL_SELDOM; \
	__typeof__(name) ptl_old_##name;

#endif
