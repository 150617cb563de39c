/* SPDX-License-Identifier: MIT */
/* Programs with locks of every kind, also between processes. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const struct timespec past = {1, 0};

struct both {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	pthread_barrier_t barrier;
	sem_t semaphore;
	int value;
};
static struct both *both;

static void share(void)
{
	both = mmap(NULL, sizeof(*both), PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void make_mutex(pthread_mutex_t *mutex, int type, int protocol,
		       int robust)
{
	pthread_mutexattr_t attr;

	pthread_mutexattr_init(&attr);
	pthread_mutexattr_settype(&attr, type);
	pthread_mutexattr_setprotocol(&attr, protocol);
	pthread_mutexattr_setrobust(&attr, robust);
	pthread_mutexattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	say_error("init", pthread_mutex_init(mutex, &attr));
	pthread_mutexattr_destroy(&attr);
}

static void *lock_and_end(void *arg)
{
	pthread_mutex_lock(arg);
	getppid();
	return NULL;
}

static void try_robust(pthread_mutex_t *mutex, bool consistent)
{
	say_error("trylock", pthread_mutex_trylock(mutex));
	if (consistent)
		say_error("consistent", pthread_mutex_consistent(mutex));
	say_error("unlock", pthread_mutex_unlock(mutex));
	say_error("lock", pthread_mutex_lock(mutex));
	say_error("unlock", pthread_mutex_unlock(mutex));
}

static int robust_thread(void)
{
	for (int i = 0; i < 4; i++) {
		static pthread_mutex_t mutexes[4];
		pthread_t thread;

		make_mutex(&mutexes[i], PTHREAD_MUTEX_NORMAL,
			   i & 2 ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE, 1);
		pthread_create(&thread, NULL, lock_and_end, &mutexes[i]);
		pthread_join(thread, NULL);
		try_robust(&mutexes[i], i % 2);
	}
	return 0;
}

static int robust_process(void)
{
	share();
	for (int i = 0; i < 4; i++) {
		pid_t pid;

		make_mutex(&both->mutex, PTHREAD_MUTEX_RECURSIVE, 0, 1);
		pid = fork();
		if (pid == 0) {
			pthread_mutex_lock(&both->mutex);
			switch (i) {
			case 0:
				_exit(0);
			case 1:
				raise(SIGKILL);
				break;
			case 2:
				execl("/bin/true", "true", (char *)NULL);
				break;
			default:
				syscall(SYS_exit_group, 1);
			}
		}
		say_end("owner", pid);
		try_robust(&both->mutex, true);
	}
	return 0;
}

static void *use_mutex(void *arg)
{
	say_error("other: trylock", pthread_mutex_trylock(arg));
	say_error("other: timedlock", pthread_mutex_timedlock(arg, &past));
	say_error("other: clocklock",
		  pthread_mutex_clocklock(arg, CLOCK_MONOTONIC, &past));
	say_error("other: unlock", pthread_mutex_unlock(arg));
	return NULL;
}

static int types(void)
{
	static const int kinds[] = {PTHREAD_MUTEX_ERRORCHECK,
				    PTHREAD_MUTEX_RECURSIVE};

	for (int i = 0; i < 4; i++) {
		pthread_mutex_t mutex;
		pthread_t thread;

		make_mutex(&mutex, kinds[i % 2],
			   i & 2 ? PTHREAD_PRIO_INHERIT : PTHREAD_PRIO_NONE, 0);
		say_error("lock", pthread_mutex_lock(&mutex));
		say_error("again", pthread_mutex_lock(&mutex));
		pthread_create(&thread, NULL, use_mutex, &mutex);
		pthread_join(thread, NULL);
		say_error("destroy", pthread_mutex_destroy(&mutex));
		say_error("unlock", pthread_mutex_unlock(&mutex));
		say_error("unlock", pthread_mutex_unlock(&mutex));
		say_error("unlock", pthread_mutex_unlock(&mutex));
		say_error("destroy", pthread_mutex_destroy(&mutex));
	}
	return 0;
}

static void *count_up(void *arg)
{
	for (int i = 0; i < 2000; i++) {
		pthread_mutex_lock(arg);
		both->value++;
		pthread_mutex_unlock(arg);
	}
	return NULL;
}

static int contended(void)
{
	pthread_t threads[4];

	share();
	make_mutex(&both->mutex, PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 0);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, count_up, &both->mutex);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	return both->value == 8000 ? 0 : 1;
}

static int between_processes(void)
{
	share();
	make_mutex(&both->mutex, PTHREAD_MUTEX_NORMAL, 0, 0);
	for (int i = 0; i < 3; i++) {
		if (fork() == 0) {
			count_up(&both->mutex);
			_exit(0);
		}
	}
	while (wait(NULL) > 0)
		;
	say("value: %d", both->value);
	return 0;
}

static int set_value(void)
{
	pthread_mutex_lock(&both->mutex);
	both->value = 1;
	pthread_cond_signal(&both->condition);
	pthread_mutex_unlock(&both->mutex);
	pthread_barrier_wait(&both->barrier);
	sem_wait(&both->semaphore);
	return 3;
}

static int conditions(void)
{
	pthread_condattr_t attr;
	pthread_barrierattr_t battr;
	pid_t pid;
	clockid_t clock = -1;

	share();
	make_mutex(&both->mutex, PTHREAD_MUTEX_NORMAL, 0, 0);
	pthread_condattr_init(&attr);
	pthread_condattr_setpshared(&attr, PTHREAD_PROCESS_SHARED);
	say_error("clock", pthread_condattr_setclock(&attr, CLOCK_MONOTONIC));
	pthread_condattr_getclock(&attr, &clock);
	say("clock: %d", (int)clock);
	pthread_cond_init(&both->condition, &attr);
	pthread_barrierattr_init(&battr);
	pthread_barrierattr_setpshared(&battr, PTHREAD_PROCESS_SHARED);
	pthread_barrier_init(&both->barrier, &battr, 2);
	sem_init(&both->semaphore, 1, 0);
	pthread_mutex_lock(&both->mutex);
	say_error("timed", pthread_cond_timedwait(&both->condition,
						  &both->mutex, &past));
	say_error("clocked",
		  pthread_cond_clockwait(&both->condition, &both->mutex,
					 CLOCK_REALTIME, &past));
	pid = start(set_value);
	while (both->value == 0)
		pthread_cond_wait(&both->condition, &both->mutex);
	pthread_mutex_unlock(&both->mutex);
	pthread_barrier_wait(&both->barrier);
	sem_post(&both->semaphore);
	say_end("child", pid);
	return 0;
}

static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;

static void *use_rwlock(void *arg)
{
	say_error("tryrd", pthread_rwlock_tryrdlock(&rwlock));
	say_error("trywr", pthread_rwlock_trywrlock(&rwlock));
	say_error("timedrd", pthread_rwlock_timedrdlock(&rwlock, &past));
	say_error("timedwr", pthread_rwlock_timedwrlock(&rwlock, &past));
	return arg;
}

static int rwlocks(void)
{
	pthread_t thread;

	say_error("wr", pthread_rwlock_wrlock(&rwlock));
	say_error("again", pthread_rwlock_rdlock(&rwlock));
	pthread_create(&thread, NULL, use_rwlock, NULL);
	pthread_join(thread, NULL);
	say_error("unlock", pthread_rwlock_unlock(&rwlock));
	say_error("rd", pthread_rwlock_rdlock(&rwlock));
	say_error("rd", pthread_rwlock_rdlock(&rwlock));
	say_error("unlock", pthread_rwlock_unlock(&rwlock));
	say_error("unlock", pthread_rwlock_unlock(&rwlock));
	return 0;
}

static void *at_barrier(void *arg)
{
	long nr = 0;

	for (int i = 0; i < 20; i++)
		nr += pthread_barrier_wait(arg) ==
		      PTHREAD_BARRIER_SERIAL_THREAD;
	return (void *)nr;
}

static int barriers(void)
{
	pthread_barrier_t barrier;
	pthread_t threads[3];
	long sum = 0;

	say_error("none", pthread_barrier_init(&barrier, NULL, 0));
	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, at_barrier, &barrier);
	for (int i = 0; i < 3; i++) {
		void *nr;

		pthread_join(threads[i], &nr);
		sum += (long)nr;
	}
	say("serial: %ld", sum);
	return 0;
}

static int semaphores(void)
{
	int value = -1;
	sem_t sem, *named;

	sem_init(&sem, 0, 2);
	said("trywait", sem_trywait(&sem));
	said("wait", sem_wait(&sem));
	said("trywait", sem_trywait(&sem));
	said("timedwait", sem_timedwait(&sem, &past));
	said("clockwait", sem_clockwait(&sem, CLOCK_MONOTONIC, &past));
	said("post", sem_post(&sem));
	said("getvalue", sem_getvalue(&sem, &value));
	say("value: %d", value);
	said("absurd", sem_init(&sem, 0, ~0U));
	named = sem_open("/no-such-semaphore", 0);
	said("open", named == SEM_FAILED ? -1 : 0);
	named = sem_open("bad/name", O_CREAT, 0600, 1);
	said("bad name", named == SEM_FAILED ? -1 : 0);
	return 0;
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static atomic_int nr_once;

static void initialize(void)
{
	if (nr_once++ == 0)
		pthread_exit(NULL);
	getppid();
}

static void *use_once(void *arg)
{
	pthread_once(&once, initialize);
	return arg;
}

/* The first is gone before it has done it. */
static int once_left(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++) {
		pthread_create(&thread, NULL, use_once, NULL);
		pthread_join(thread, NULL);
	}
	say("times: %d", nr_once);
	return 0;
}

/* libc's list is the kernel's, and nobody put another in its place. */
static int robust_list(void)
{
	static long own[3];
	void *head = NULL, *again = NULL;
	size_t size = 0;

	said("get", syscall(SYS_get_robust_list, 0, &head, &size));
	say("size: %zu, there: %d", size, head != NULL);
	said("bad size", syscall(SYS_set_robust_list, own, 1));
	syscall(SYS_get_robust_list, 0, &again, &size);
	say("the same: %d", head == again);
	own[0] = (long)own;
	said("set", syscall(SYS_set_robust_list, own, sizeof(own)));
	syscall(SYS_get_robust_list, 0, &again, &size);
	say("mine: %d", again == own);
	raise(0);
	syscall(SYS_get_robust_list, 0, &again, &size);
	say("mine: %d", again == own);
	return 0;
}

static atomic_int word;

static void *wake(void *arg)
{
	while (syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL,
		       0) == 0)
		sched_yield();
	return arg;
}

static int futexes(void)
{
	struct timespec none = {0, 0};
	pthread_t thread;

	said("timeout",
	     syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 0, &none, NULL, 0));
	said("changed",
	     syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, 1, NULL, NULL, 0));
	said("requeue", syscall(SYS_futex, &word, FUTEX_CMP_REQUEUE_PRIVATE, 1,
				1L, &nr_once, 0));
	said("nonsense", syscall(SYS_futex, &word, 99, 0, NULL, NULL, 0));
	pthread_create(&thread, NULL, wake, NULL);
	while (syscall(SYS_futex, &word, FUTEX_WAIT_PRIVATE, word, NULL, NULL,
		       0) != 0)
		;
	pthread_join(thread, NULL);
	say("woken");
	return 0;
}

static int spinlocks(void)
{
	pthread_spinlock_t spin;

	pthread_spin_init(&spin, 0);
	say_error("lock", pthread_spin_lock(&spin));
	say_error("try", pthread_spin_trylock(&spin));
	say_error("unlock", pthread_spin_unlock(&spin));
	say_error("try", pthread_spin_trylock(&spin));
	return 0;
}

const struct program sync_programs[] = {
	{"robust-thread", robust_thread, false},
	{"robust-process", robust_process, false},
	{"types", types, false},
	{"contended", contended, false},
	{"between-processes", between_processes, false},
	{"conditions", conditions, false},
	{"rwlocks", rwlocks, false},
	{"barriers", barriers, false},
	{"semaphores", semaphores, false},
	{"once-left", once_left, false},
	{"robust-list", robust_list, false},
	{"futexes", futexes, false},
	{"spinlocks", spinlocks, false},
	{NULL, NULL, false},
};
