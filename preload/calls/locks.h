/* SPDX-License-Identifier: MIT */
/*
 * Will a lock have to be waited for?  Seen by a look at its word before the
 * call: a lock that is free is not timed, since reading the clock twice would
 * cost as much as all the rest.  Trying it first would change what the program
 * sees: of a robust mutex whose owner died that is told once, and sem_wait() is
 * a cancellation point where sem_trywait() is none.
 *
 * A lock that another thread takes between the look and the call is waited for
 * all the same.  Of a mutex that shows afterwards, and it is told without a
 * duration; so it is where only others wait.
 */
#ifndef PTL_PRELOAD_CALLS_LOCKS_H
#define PTL_PRELOAD_CALLS_LOCKS_H

#include "core/core.h"

#include <pthread.h>
#include <semaphore.h>
#include <threads.h>

/* What is known of contention where it cannot be seen. */
#define UNKNOWN (-1)

/* When a call begins, if it is to be timed. */
static inline uint64_t since_if(bool held)
{
	return held ? ptl_core_call_time() : 0;
}

#ifdef __GLIBC__

/* The words below are glibc's; another may run the program. */
extern const char *gnu_get_libc_version(void) __attribute__((weak));

static inline bool are_known(void)
{
	return gnu_get_libc_version != NULL;
}

/* Another thread may store it at any moment. */
#define WORD(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)

/* Of a mutex's kind. */
#define KIND_BITS 3
#define KIND_ROBUST 16
#define KIND_INHERIT 32
#define KIND_PROTECT 64

/* Of one with a ceiling the upper bits of the word are that. */
#define PROTECT_BITS 0x7ffff

/* Of robust ones, and those that inherit: others wait. */
#define WAITERS 0x80000000u

static inline unsigned int mutex_word(const pthread_mutex_t *mutex)
{
	unsigned int word = (unsigned int)WORD(mutex->__data.__lock);

	return WORD(mutex->__data.__kind) & KIND_PROTECT ? word & PROTECT_BITS :
							   word;
}

/* By another thread than the caller, who may have it already. */
static inline bool mutex_held(const pthread_mutex_t *mutex)
{
	return mutex_word(mutex) &&
	       !((WORD(mutex->__data.__kind) & KIND_BITS) ==
			 PTHREAD_MUTEX_RECURSIVE &&
		 WORD(mutex->__data.__owner) == ptl_core_tid());
}

/* After it was locked. */
static inline bool mutex_has_waiters(const pthread_mutex_t *mutex)
{
	return WORD(mutex->__data.__kind) & (KIND_ROBUST | KIND_INHERIT) ?
		       mutex_word(mutex) & WAITERS :
		       mutex_word(mutex) == 2;
}

/* Of the word of a rwlock: who may go in, whether a writer is there or waits
 * for readers to leave, and from which bit on readers are counted. */
#define RW_WRITE_PHASE 1
#define RW_WRITER 2
#define RW_READER 8

/* A reader goes in with other readers, if those that wait to write do not come
 * first. */
static inline bool rdlock_held(const pthread_rwlock_t *rwlock)
{
	unsigned int word = WORD(rwlock->__data.__readers);

	return word & RW_WRITER &&
	       (word & RW_WRITE_PHASE ||
		WORD(rwlock->__data.__flags) ==
			PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
}

static inline bool wrlock_held(const pthread_rwlock_t *rwlock)
{
	unsigned int word = WORD(rwlock->__data.__readers);

	return word & RW_WRITER || word >= RW_READER;
}

/* The value is the first word; its layout is in no header. */
static inline bool sem_held(const sem_t *sem)
{
	return WORD(*(const unsigned int *)(const void *)sem) == 0;
}

static inline bool spin_held(const volatile pthread_spinlock_t *spin)
{
#if defined(__x86_64__)
	return WORD(*spin) != 1;
#else
	return WORD(*spin) != 0;
#endif
}

#else

static inline bool are_known(void)
{
	return false;
}

#define mutex_held(mutex) ((void)(mutex), true)
#define mutex_has_waiters(mutex) ((void)(mutex), true)
#define rdlock_held(rwlock) ((void)(rwlock), true)
#define wrlock_held(rwlock) ((void)(rwlock), true)
#define sem_held(sem) ((void)(sem), true)
#define spin_held(spin) ((void)(spin), true)

#endif

static inline uint64_t mutex_since(const pthread_mutex_t *mutex)
{
	return since_if(!are_known() || mutex_held(mutex));
}

static inline uint64_t rdlock_since(const pthread_rwlock_t *rwlock)
{
	return since_if(!are_known() || rdlock_held(rwlock));
}

static inline uint64_t wrlock_since(const pthread_rwlock_t *rwlock)
{
	return since_if(!are_known() || wrlock_held(rwlock));
}

static inline uint64_t sem_since(const sem_t *sem)
{
	return since_if(!are_known() || sem_held(sem));
}

static inline uint64_t spin_since(const volatile pthread_spinlock_t *spin)
{
	return since_if(!are_known() || spin_held(spin));
}

/* A mtx_t is a mutex. */
static inline uint64_t mtx_since(const mtx_t *mtx)
{
	return mutex_since((const void *)mtx);
}

static inline int waited(uint64_t since)
{
	return are_known() ? since != 0 : UNKNOWN;
}

static inline int mutex_waited(const pthread_mutex_t *mutex, uint64_t since,
			       int ret)
{
	if (!are_known() || since)
		return waited(since);
	return ret == 0 && mutex_has_waiters(mutex);
}

static inline int mtx_waited(const mtx_t *mtx, uint64_t since, int ret)
{
	return mutex_waited((const void *)mtx, since, ret);
}

#endif
