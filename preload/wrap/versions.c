/* SPDX-License-Identifier: MIT */
/*
 * Functions that nothing is recorded of, but that go with others of which libc
 * has several versions: pthread_cond_wait(), timer_create().  Ours get the
 * calls of all versions, and call the newest.  What an object without versions
 * calls, or one of before glibc 2.3.2, would otherwise be the old one of these
 * and the new one of those, each with a layout of its own.
 */
#include "preload/libc/libc.h"

PTL_EXPORT int pthread_cond_init(pthread_cond_t *restrict cond,
				 const pthread_condattr_t *restrict attr)
{
	return PTL_LIBC(pthread_cond_init)(cond, attr);
}

PTL_EXPORT int pthread_cond_destroy(pthread_cond_t *cond)
{
	return PTL_LIBC(pthread_cond_destroy)(cond);
}

PTL_EXPORT int timer_gettime(timer_t timer, struct itimerspec *value)
{
	return PTL_LIBC(timer_gettime)(timer, value);
}

PTL_EXPORT int timer_getoverrun(timer_t timer)
{
	return PTL_LIBC(timer_getoverrun)(timer);
}
