/* SPDX-License-Identifier: MIT */
/*
 * What a look at a lock says is what trying it says: free, held by another
 * thread, by this one; of each kind of mutex, lock for reading and writing,
 * semaphore and spin lock.
 */
#include "preload/calls/locks.h"

#include "t/lib/tap.h"

#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Those of the library that locks.h asks for. */
uint64_t ptl_core_call_time(void)
{
	return 1;
}

int ptl_core_tid(void)
{
	return (int)syscall(SYS_gettid);
}

struct lock {
	const char *name;
	union {
		pthread_mutex_t mutex;
		pthread_rwlock_t rwlock;
		sem_t sem;
		pthread_spinlock_t spin;
	};
	bool (*held)(struct lock *lock);
	/* Tries it, and lets it go again; true if that failed. */
	bool (*busy)(struct lock *lock);
};

static bool mutex_is_held(struct lock *lock)
{
	return mutex_since(&lock->mutex) != 0;
}

static bool mutex_is_busy(struct lock *lock)
{
	if (pthread_mutex_trylock(&lock->mutex) != 0)
		return true;
	pthread_mutex_unlock(&lock->mutex);
	return false;
}

static bool is_read_held(struct lock *lock)
{
	return rdlock_since(&lock->rwlock) != 0;
}

static bool is_read_busy(struct lock *lock)
{
	if (pthread_rwlock_tryrdlock(&lock->rwlock) != 0)
		return true;
	pthread_rwlock_unlock(&lock->rwlock);
	return false;
}

static bool is_write_held(struct lock *lock)
{
	return wrlock_since(&lock->rwlock) != 0;
}

static bool is_write_busy(struct lock *lock)
{
	if (pthread_rwlock_trywrlock(&lock->rwlock) != 0)
		return true;
	pthread_rwlock_unlock(&lock->rwlock);
	return false;
}

static bool sem_is_held(struct lock *lock)
{
	return sem_since(&lock->sem) != 0;
}

static bool sem_is_busy(struct lock *lock)
{
	if (sem_trywait(&lock->sem) != 0)
		return true;
	sem_post(&lock->sem);
	return false;
}

static bool spin_is_held(struct lock *lock)
{
	return spin_since(&lock->spin) != 0;
}

static bool spin_is_busy(struct lock *lock)
{
	if (pthread_spin_trylock(&lock->spin) != 0)
		return true;
	pthread_spin_unlock(&lock->spin);
	return false;
}

static void *compare(void *arg)
{
	struct lock *lock = arg;

	return (void *)(uintptr_t)(1 + (lock->held(lock) != lock->busy(lock)));
}

/* In another thread: 1 if both say the same. */
static int agrees_elsewhere(struct lock *lock)
{
	pthread_t thread;
	void *result;

	pthread_create(&thread, NULL, compare, lock);
	pthread_join(thread, &result);
	return (int)(uintptr_t)result;
}

static void agree(struct lock *lock, const char *state)
{
	is_int(agrees_elsewhere(lock), 1, "%s, %s", lock->name, state);
}

static void mutex(const char *name, int type, int robust, int protocol)
{
	struct lock lock = {name, .held = mutex_is_held, .busy = mutex_is_busy};
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, type);
	pthread_mutexattr_setrobust(&attr, robust);
	pthread_mutexattr_setprotocol(&attr, protocol);
	/* One with a ceiling takes a right. */
	if (pthread_mutex_init(&lock.mutex, &attr) != 0 ||
	    mutex_is_busy(&lock)) {
		skip(4, "no %s mutex", name);
		return;
	}
	agree(&lock, "new");
	pthread_mutex_lock(&lock.mutex);
	agree(&lock, "held");
	is_int(mutex_is_held(&lock), type != PTHREAD_MUTEX_RECURSIVE,
	       "%s: whoever has it waits, if it does not count", name);
	pthread_mutex_unlock(&lock.mutex);
	agree(&lock, "free again");
}

static void rwlock(const char *name, int kind)
{
	struct lock reader = {name, .held = is_read_held, .busy = is_read_busy};
	struct lock writer;
	pthread_rwlockattr_t attr;

	pthread_rwlockattr_init(&attr);
	pthread_rwlockattr_setkind_np(&attr, kind);
	pthread_rwlock_init(&reader.rwlock, &attr);
	writer = reader;
	writer.held = is_write_held;
	writer.busy = is_write_busy;
	agree(&reader, "new, to read");
	agree(&writer, "new, to write");
	pthread_rwlock_rdlock(&reader.rwlock);
	writer.rwlock = reader.rwlock;
	is_int(is_read_held(&reader), 0, "%s, read, to read", name);
	is_int(is_write_held(&writer), 1, "%s, read, to write", name);
	pthread_rwlock_unlock(&reader.rwlock);
	agree(&reader, "read before, to read");
	pthread_rwlock_wrlock(&reader.rwlock);
	writer.rwlock = reader.rwlock;
	is_int(is_read_held(&reader), 1, "%s, written, to read", name);
	is_int(is_write_held(&writer), 1, "%s, written, to write", name);
	pthread_rwlock_unlock(&reader.rwlock);
	writer.rwlock = reader.rwlock;
	agree(&reader, "written before, to read");
	agree(&writer, "written before, to write");
}

static void semaphore(void)
{
	struct lock lock = {"semaphore", .held = sem_is_held,
			    .busy = sem_is_busy};

	sem_init(&lock.sem, 0, 1);
	agree(&lock, "one");
	sem_wait(&lock.sem);
	agree(&lock, "none");
	sem_post(&lock.sem);
	agree(&lock, "one again");
}

static void spin(void)
{
	struct lock lock = {"spin lock", .held = spin_is_held,
			    .busy = spin_is_busy};

	pthread_spin_init(&lock.spin, 0);
	agree(&lock, "new");
	pthread_spin_lock(&lock.spin);
	agree(&lock, "held");
	pthread_spin_unlock(&lock.spin);
	agree(&lock, "free again");
}

static void *wait_for(void *mutex)
{
	pthread_mutex_lock(mutex);
	pthread_mutex_unlock(mutex);
	return NULL;
}

/* Somebody waits: that shows in the word once it has been taken again. */
static void waiters(const char *name, int protocol)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t lock;
	pthread_t thread;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_setprotocol(&attr, protocol);
	pthread_mutex_init(&lock, &attr);
	pthread_mutex_lock(&lock);
	is_int(mutex_waited(&lock, 0, 0), 0, "%s: nobody waits", name);
	is_int(mutex_waited(&lock, 0, EDEADLK), 0, "%s: not locked", name);
	pthread_create(&thread, NULL, wait_for, &lock);
	while (!mutex_waited(&lock, 0, 0))
		sched_yield();
	ok(1, "%s: one waits", name);
	pthread_mutex_unlock(&lock);
	pthread_join(thread, NULL);
}

int main(void)
{
	plan(4 * 8 + 2 * 9 + 6 + 6);
	mutex("normal", PTHREAD_MUTEX_NORMAL, 0, 0);
	mutex("recursive", PTHREAD_MUTEX_RECURSIVE, 0, 0);
	mutex("errorcheck", PTHREAD_MUTEX_ERRORCHECK, 0, 0);
	mutex("adaptive", PTHREAD_MUTEX_ADAPTIVE_NP, 0, 0);
	mutex("robust", PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ROBUST, 0);
	mutex("robust recursive", PTHREAD_MUTEX_RECURSIVE, PTHREAD_MUTEX_ROBUST,
	      0);
	mutex("inheriting", PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_INHERIT);
	mutex("protecting", PTHREAD_MUTEX_NORMAL, 0, PTHREAD_PRIO_PROTECT);
	rwlock("for readers", PTHREAD_RWLOCK_PREFER_READER_NP);
	rwlock("for writers", PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
	semaphore();
	spin();
	waiters("normal", PTHREAD_PRIO_NONE);
	waiters("inheriting", PTHREAD_PRIO_INHERIT);
	return done();
}
