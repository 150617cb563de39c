/* SPDX-License-Identifier: MIT */
/*
 * What goes with wrappers of several versions (preload/calls/versions), though
 * nothing is recorded of it: pthread_cond_init() with pthread_cond_wait(), and
 * timer_gettime() with timer_create().  Who asks for no version must get all of
 * a kind in one, for each version has a layout of its own.
 */
#include "preload/libc/libc.h"

#include "preload/hook/site.h"
#include "preload/libc/lookup.h"

/* For by_version.S: is the caller one that asks for no version since it was
 * linked with us? */
PTL_ALIGNS bool ptl_versions_linked(uintptr_t ret)
	__attribute__((visibility("hidden")));
PTL_ALIGNS bool ptl_versions_linked(uintptr_t ret)
{
	return ptl_lookup_linked((const void *)ptl_site_plain(ret));
}

PTL_EXPORT int pthread_cond_init(pthread_cond_t *restrict cond,
				 const pthread_condattr_t *restrict attr)
{
	return PTL_LIBC_NOW(pthread_cond_init)(cond, attr);
}

PTL_EXPORT int pthread_cond_destroy(pthread_cond_t *cond)
{
	return PTL_LIBC_NOW(pthread_cond_destroy)(cond);
}

PTL_EXPORT int timer_gettime(timer_t timer, struct itimerspec *value)
{
	return PTL_LIBC_NOW(timer_gettime)(timer, value);
}

PTL_EXPORT int timer_getoverrun(timer_t timer)
{
	return PTL_LIBC_NOW(timer_getoverrun)(timer);
}

#ifdef PTL_OLD_pthread_cond_init
PTL_OLD(pthread_cond_init)
int ptl_old_pthread_cond_init(pthread_cond_t *restrict cond,
			      const pthread_condattr_t *restrict attr)
{
	return PTL_LIBC_OLD(pthread_cond_init)(cond, attr);
}
#endif

#ifdef PTL_OLD_pthread_cond_destroy
PTL_OLD(pthread_cond_destroy)
int ptl_old_pthread_cond_destroy(pthread_cond_t *cond)
{
	return PTL_LIBC_OLD(pthread_cond_destroy)(cond);
}
#endif

#ifdef PTL_OLD_timer_gettime
PTL_OLD(timer_gettime)
int ptl_old_timer_gettime(timer_t timer, struct itimerspec *value)
{
	return PTL_LIBC_OLD(timer_gettime)(timer, value);
}
#endif

#ifdef PTL_OLD_timer_getoverrun
PTL_OLD(timer_getoverrun)
int ptl_old_timer_getoverrun(timer_t timer)
{
	return PTL_LIBC_OLD(timer_getoverrun)(timer);
}
#endif
