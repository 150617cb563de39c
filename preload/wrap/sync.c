/* SPDX-License-Identifier: MIT */
/*
 * The family sync: locks and who waits for whom.  Most of these functions
 * return the error; errno is not theirs.
 *
 * Of functions with an old version (pthread_cond_*, before glibc 2.3.2) the
 * new one is called.
 */
#include "preload/wrap/call.h"

#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <threads.h>
#include <time.h>

/* clang-format off */

#define CALL_LOCK(name, type, event) \
	WRAP(int, name, (type *lock), (lock), NUM, event, (P(lock)), NOTHING)
#define CALL_TIMED(name, type, event) \
	WRAP(int, name, (type *restrict lock, \
	     const struct timespec *restrict time), (lock, time), NUM, \
	     event, (P(lock)), NOTHING)
#define CALL_CLOCKED(name, type, event) \
	WRAP(int, name, (type *restrict lock, clockid_t clock, \
	     const struct timespec *restrict time), (lock, clock, time), NUM, \
	     event, (P(lock)), NOTHING)
/* On a C11 object. */
#define CALL_THRD(name, type, event) \
	WRAP(int, name, (type *lock), (lock), NUM, event, (P(lock)), NOTHING)
#define CALL_SEM(name, event) \
	WRAP(int, name, (sem_t *sem), (sem), INT, event, (P(sem)), NOTHING)

/* ---- the table ---- */

CALL_LOCK(pthread_mutex_lock, pthread_mutex_t, SYNC_LOCK)
CALL_LOCK(__pthread_mutex_lock, pthread_mutex_t, SYNC_LOCK)
CALL_LOCK(pthread_mutex_trylock, pthread_mutex_t, SYNC_TRYLOCK)
CALL_LOCK(__pthread_mutex_trylock, pthread_mutex_t, SYNC_TRYLOCK)
CALL_TIMED(pthread_mutex_timedlock, pthread_mutex_t, SYNC_TIMEDLOCK)
CALL_CLOCKED(pthread_mutex_clocklock, pthread_mutex_t, SYNC_TIMEDLOCK)
CALL_LOCK(pthread_mutex_unlock, pthread_mutex_t, SYNC_UNLOCK)
CALL_LOCK(__pthread_mutex_unlock, pthread_mutex_t, SYNC_UNLOCK)

CALL_LOCK(pthread_rwlock_rdlock, pthread_rwlock_t, SYNC_RDLOCK)
CALL_LOCK(__pthread_rwlock_rdlock, pthread_rwlock_t, SYNC_RDLOCK)
CALL_TIMED(pthread_rwlock_timedrdlock, pthread_rwlock_t, SYNC_RDLOCK)
CALL_CLOCKED(pthread_rwlock_clockrdlock, pthread_rwlock_t, SYNC_RDLOCK)
CALL_LOCK(pthread_rwlock_tryrdlock, pthread_rwlock_t, SYNC_TRYRDLOCK)
CALL_LOCK(__pthread_rwlock_tryrdlock, pthread_rwlock_t, SYNC_TRYRDLOCK)
CALL_LOCK(pthread_rwlock_wrlock, pthread_rwlock_t, SYNC_WRLOCK)
CALL_LOCK(__pthread_rwlock_wrlock, pthread_rwlock_t, SYNC_WRLOCK)
CALL_TIMED(pthread_rwlock_timedwrlock, pthread_rwlock_t, SYNC_WRLOCK)
CALL_CLOCKED(pthread_rwlock_clockwrlock, pthread_rwlock_t, SYNC_WRLOCK)
CALL_LOCK(pthread_rwlock_trywrlock, pthread_rwlock_t, SYNC_TRYWRLOCK)
CALL_LOCK(__pthread_rwlock_trywrlock, pthread_rwlock_t, SYNC_TRYWRLOCK)
CALL_LOCK(pthread_rwlock_unlock, pthread_rwlock_t, SYNC_RWUNLOCK)
CALL_LOCK(__pthread_rwlock_unlock, pthread_rwlock_t, SYNC_RWUNLOCK)

WRAP(int, pthread_cond_wait, (pthread_cond_t *restrict cond,
     pthread_mutex_t *restrict mutex), (cond, mutex), NUM, SYNC_WAIT,
     (P(cond), P(mutex)), NOTHING)
WRAP(int, pthread_cond_timedwait, (pthread_cond_t *restrict cond,
     pthread_mutex_t *restrict mutex, const struct timespec *restrict time),
     (cond, mutex, time), NUM, SYNC_TIMEDWAIT, (P(cond), P(mutex)), NOTHING)
WRAP(int, pthread_cond_clockwait, (pthread_cond_t *restrict cond,
     pthread_mutex_t *restrict mutex, clockid_t clock,
     const struct timespec *restrict time), (cond, mutex, clock, time), NUM,
     SYNC_TIMEDWAIT, (P(cond), P(mutex)), NOTHING)
CALL_LOCK(pthread_cond_signal, pthread_cond_t, SYNC_SIGNAL)
CALL_LOCK(pthread_cond_broadcast, pthread_cond_t, SYNC_BROADCAST)

CALL_SEM(sem_wait, SYNC_SEM_WAIT)
CALL_SEM(sem_trywait, SYNC_SEM_TRYWAIT)
CALL_SEM(sem_post, SYNC_SEM_POST)
WRAP(int, sem_timedwait, (sem_t *restrict sem,
     const struct timespec *restrict time), (sem, time), INT,
     SYNC_SEM_TIMEDWAIT, (P(sem)), NOTHING)
WRAP(int, sem_clockwait, (sem_t *restrict sem, clockid_t clock,
     const struct timespec *restrict time), (sem, clock, time), INT,
     SYNC_SEM_TIMEDWAIT, (P(sem)), NOTHING)

CALL_SEM(sem_close, SYNC_SEM_CLOSE)
WRAP(int, sem_unlink, (const char *name), (name), INT, SYNC_SEM_UNLINK, (),
     STRING(name))
/* There is a mode, and a value, only where one is asked for. */
sem_t *sem_open(const char *name, int flags, ...);
static sem_t *(*real_sem_open)(const char *, int, ...);
CALL_TOLD(sem_t *, sem_open,
	  (const char *name, int flags, mode_t mode, unsigned int value,
	   const void *addr),
	  (name, flags, mode, value), PTR, SYNC_SEM_OPEN,
	  ((unsigned int)flags, mode, value), STRING(name))
PTL_JUMP sem_t *sem_open(const char *name, int flags, ...)
{
	mode_t mode = 0;
	unsigned int value = 0;

	if (flags & O_CREAT) {
		va_list ap;

		va_start(ap, flags);
		mode = va_arg(ap, mode_t);
		value = va_arg(ap, unsigned int);
		va_end(ap);
	}
	return told_sem_open(name, flags, mode, value,
			     __builtin_return_address(0));
}

WRAP(int, pthread_barrier_wait, (pthread_barrier_t *barrier), (barrier), NONE,
     SYNC_BARRIER, (P(barrier)), NOTHING)
CALL_LOCK(pthread_spin_lock, pthread_spinlock_t volatile, SYNC_SPIN_LOCK)
CALL_LOCK(pthread_spin_trylock, pthread_spinlock_t volatile,
	  SYNC_SPIN_TRYLOCK)
CALL_LOCK(pthread_spin_unlock, pthread_spinlock_t volatile, SYNC_SPIN_UNLOCK)

WRAP(int, pthread_join, (pthread_t thread, void **result), (thread, result),
     NUM, SYNC_JOIN, ((int64_t)thread), NOTHING)
WRAP(int, pthread_tryjoin_np, (pthread_t thread, void **result),
     (thread, result), NUM, SYNC_JOIN, ((int64_t)thread), NOTHING)
WRAP(int, pthread_timedjoin_np, (pthread_t thread, void **result,
     const struct timespec *time), (thread, result, time), NUM, SYNC_JOIN,
     ((int64_t)thread), NOTHING)
WRAP(int, pthread_clockjoin_np, (pthread_t thread, void **result,
     clockid_t clock, const struct timespec *time),
     (thread, result, clock, time), NUM, SYNC_JOIN, ((int64_t)thread),
     NOTHING)
WRAP(int, pthread_detach, (pthread_t thread), (thread), NUM, SYNC_DETACH,
     ((int64_t)thread), NOTHING)

CALL_THRD(mtx_lock, mtx_t, SYNC_MTX_LOCK)
CALL_THRD(mtx_trylock, mtx_t, SYNC_MTX_TRYLOCK)
WRAP(int, mtx_timedlock, (mtx_t *restrict mutex,
     const struct timespec *restrict time), (mutex, time), NUM,
     SYNC_MTX_LOCK, (P(mutex)), NOTHING)
CALL_THRD(mtx_unlock, mtx_t, SYNC_MTX_UNLOCK)
WRAP(int, cnd_wait, (cnd_t *cond, mtx_t *mutex), (cond, mutex), NUM,
     SYNC_CND_WAIT, (P(cond), P(mutex)), NOTHING)
WRAP(int, cnd_timedwait, (cnd_t *restrict cond, mtx_t *restrict mutex,
     const struct timespec *restrict time), (cond, mutex, time), NUM,
     SYNC_CND_WAIT, (P(cond), P(mutex)), NOTHING)
CALL_THRD(cnd_signal, cnd_t, SYNC_CND_SIGNAL)
CALL_THRD(cnd_broadcast, cnd_t, SYNC_CND_BROADCAST)
