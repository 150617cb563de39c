/* SPDX-License-Identifier: MIT */
/*
 * The thread-specific key by which we see threads end.  A program may create up
 * to PTHREAD_KEYS_MAX keys: when all others are in use it gets ours, and from
 * then on we do not see threads end.
 */
#include "preload/libc/libc.h"

#include "preload/hook/hooks.h"

#include <errno.h>

/* The key is ours; and a count of the threads that are using it. */
#define IS_OURS 1U
#define USER 2U
static _Atomic uint32_t state;
static pthread_key_t own_key;

void ptl_key_set(const void *value)
{
	/* If another thread gave the key up, it has seen that no thread used
	 * it, or we see that it is not ours.  Pairs with give_up(). */
	if (atomic_fetch_add_explicit(&state, USER, memory_order_acquire) &
	    IS_OURS)
		pthread_setspecific(own_key, value);
	/* Pairs with give_up(). */
	atomic_fetch_sub_explicit(&state, USER, memory_order_release);
}

/* False: we have no key, or it is in use at this moment. */
static bool give_up(void)
{
	uint32_t ours = IS_OURS;

	/* Pairs with ptl_key_set(). */
	return atomic_compare_exchange_strong_explicit(&state, &ours, 0,
						       memory_order_acq_rel,
						       memory_order_relaxed) &&
	       pthread_key_delete(own_key) == 0;
}

PTL_EXPORT int pthread_key_create(pthread_key_t *key, void (*end)(void *value))
{
	int error = PTL_LIBC(pthread_key_create)(key, end);

	if (error == EAGAIN && give_up())
		error = PTL_LIBC(pthread_key_create)(key, end);
	return error;
}

PTL_EXPORT int __pthread_key_create(pthread_key_t *key,
				    void (*end)(void *value))
	__attribute__((alias("pthread_key_create"), nothrow, leaf, nonnull(1)));

PTL_EXPORT int tss_create(tss_t *key, tss_dtor_t end)
{
	int error = PTL_LIBC(tss_create)(key, end);

	if (error == thrd_error && give_up())
		error = PTL_LIBC(tss_create)(key, end);
	return error;
}

void ptl_key_init(void (*end)(void *value))
{
	if (pthread_setspecific && pthread_key_delete &&
	    PTL_LIBC(pthread_key_create)(&own_key, end) == 0)
		/* Pairs with ptl_key_set(). */
		atomic_store_explicit(&state, IS_OURS, memory_order_release);
}
