/* SPDX-License-Identifier: MIT */
/* Programs that start threads and end them. */
#include "t/table/table.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static atomic_int count;

static void *give(void *arg)
{
	count++;
	return arg;
}

static void *leave(void *arg)
{
	pthread_exit((void *)((long)arg + 1));
}

static long join(pthread_t thread)
{
	void *result = NULL;
	int error = pthread_join(thread, &result);

	if (error != 0)
		say_error("join", error);
	return (long)result;
}

static int results(void)
{
	pthread_t thread;

	for (long i = 0; i < 5; i++) {
		pthread_create(&thread, NULL, i % 2 ? leave : give, (void *)i);
		say("result: %ld", join(thread));
	}
	say("none more: %d", count_entries("/proc/self/task"));
	return 0;
}

static int many(void)
{
	pthread_t threads[200];

	for (long i = 0; i < 200; i++)
		if (pthread_create(&threads[i], NULL, give, (void *)i) != 0)
			return 1;
	for (int i = 0; i < 200; i++)
		if (join(threads[i]) != i)
			return 2;
	say("count: %d", count);
	return 0;
}

static void *deeper(void *arg)
{
	pthread_t thread;

	if ((long)arg == 0)
		return NULL;
	if (pthread_create(&thread, NULL, deeper, (void *)((long)arg - 1)) != 0)
		return NULL;
	return (void *)(join(thread) + 1);
}

static int nested(void)
{
	return (int)(long)deeper((void *)20L);
}

static void *tell(void *arg)
{
	pthread_barrier_wait(arg);
	return NULL;
}

static int detached(void)
{
	static pthread_barrier_t barrier;
	pthread_attr_t attr;
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	for (int i = 0; i < 20; i++) {
		pthread_create(&thread, &attr, tell, &barrier);
		pthread_barrier_wait(&barrier);
	}
	pthread_create(&thread, NULL, tell, &barrier);
	say_error("detach", pthread_detach(thread));
	say_error("join", pthread_join(thread, NULL));
	pthread_barrier_wait(&barrier);
	return 0;
}

static void *use_stack(void *arg)
{
	char text[512];

	snprintf(text, sizeof(text), "%f %s", 1.5, "text");
	say("%s", text);
	raise(0);
	free(malloc(10));
	return arg;
}

static int own_stack(void)
{
	size_t size = 262144;
	char *stack = mmap(NULL, size, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	say_error("small", pthread_attr_setstack(&attr, stack, 4096));
	say_error("stack", pthread_attr_setstack(&attr, stack, size));
	for (int i = 0; i < 3; i++) {
		if (pthread_create(&thread, &attr, use_stack, stack) != 0)
			return 1;
		say("mine: %d", join(thread) == (long)stack);
	}
	pthread_attr_destroy(&attr);
	return munmap(stack, size);
}

static void *where(void *arg)
{
	pthread_attr_t attr;
	size_t size = 0, guard = 0;
	void *base = NULL;
	char here;

	pthread_getattr_np(pthread_self(), &attr);
	pthread_attr_getstack(&attr, &base, &size);
	pthread_attr_getguardsize(&attr, &guard);
	pthread_attr_destroy(&attr);
	say("on it: %d, guard %zu",
	    &here >= (char *)base && &here < (char *)base + size, guard);
	/* The size of the first one depends on the environment's. */
	if (gettid() != getpid())
		say("size: %zu", size);
	return arg;
}

static int attributes(void)
{
	pthread_attr_t attr;
	pthread_t thread;

	where(NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1 << 20);
	pthread_attr_setguardsize(&attr, 8192);
	pthread_create(&thread, &attr, where, NULL);
	join(thread);
	pthread_attr_setguardsize(&attr, 0);
	pthread_create(&thread, &attr, where, NULL);
	join(thread);
	return 0;
}

static pthread_key_t keys[3];

static void destroy(void *value)
{
	long left = (long)value;

	say("destroy %ld in a process of %d", left,
	    count_entries("/proc/self/task") > 0);
	raise(0);
	say_end("child", fork() ?: (_exit((int)left), 0));
	if (left % 10 > 0)
		pthread_setspecific(keys[left / 10], (void *)(left - 1));
}

static void *set_keys(void *arg)
{
	for (long i = 0; i < 3; i++)
		pthread_setspecific(keys[i], (void *)(i * 10 + 2));
	return arg;
}

static int key_destructors(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_key_create(&keys[i], destroy);
	pthread_create(&thread, NULL, set_keys, NULL);
	join(thread);
	for (int i = 0; i < 3; i++)
		say_error("delete", pthread_key_delete(keys[i]));
	return 0;
}

static pthread_key_t all[PTHREAD_KEYS_MAX + 1];
static int nr_keys;

static void count_end(void *value)
{
	count += value == all;
}

static void *set_all(void *arg)
{
	for (int i = 0; i < nr_keys; i++)
		pthread_setspecific(all[i], all);
	return arg;
}

/* As many as there can be, and each of them works. */
static int all_keys(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, give, NULL);
	join(thread);
	while (nr_keys <= PTHREAD_KEYS_MAX &&
	       pthread_key_create(&all[nr_keys], count_end) == 0)
		nr_keys++;
	say("keys: %d", nr_keys);
	count = 0;
	pthread_create(&thread, NULL, set_all, NULL);
	join(thread);
	say("ended: %d", count);
	pthread_key_delete(all[5]);
	say("another: %d", tss_create(&all[5], NULL) == thrd_success);
	say("no more: %d", tss_create(&all[5], NULL) == thrd_error);
	return 0;
}

int __cxa_thread_atexit_impl(void (*)(void *), void *, void *);
extern void *__dso_handle;

static void thread_end(void *arg)
{
	say("thread_local %s", (const char *)arg);
	getppid();
	system("exit 0");
}

static void *with_locals(void *arg)
{
	static char first[] = "first", second[] = "second";

	__cxa_thread_atexit_impl(thread_end, first, &__dso_handle);
	__cxa_thread_atexit_impl(thread_end, second, &__dso_handle);
	return arg;
}

static int local_destructors(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, with_locals, NULL);
	join(thread);
	with_locals(NULL);
	return 0;
}

static void clean(void *arg)
{
	say("clean up %s", (const char *)arg);
	kill(getpid(), 0);
}

static void *with_cleanup(void *arg)
{
	pthread_cleanup_push(clean, "first");
	pthread_cleanup_push(clean, "second");
	pthread_exit(arg);
	pthread_cleanup_pop(1);
	pthread_cleanup_pop(1);
	return NULL;
}

static int cleanup(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, with_cleanup, (void *)3L);
	say("result: %ld", join(thread));
	return 0;
}

static void *outlive(void *arg)
{
	join((pthread_t)arg);
	say("main is gone: %d", count_entries("/proc/self/task"));
	exit(6);
}

static int main_leaves(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, outlive, (void *)pthread_self());
	pthread_exit(NULL);
}

static void *wait_gone(void *arg)
{
	char state = 0, path[64], line[256];

	(void)arg;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", getpid());
	while (state != 'Z') {
		FILE *file = fopen(path, "r");

		if (file && fgets(line, sizeof(line), file))
			state = strrchr(line, ')')[2];
		if (file)
			fclose(file);
	}
	say("main is gone");
	say_end("child", fork() ?: (_exit(2), 0));
	exit(7);
}

static int main_leaves_bare(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, wait_gone, NULL);
	syscall(SYS_exit, 3);
	return 0;
}

static void *leave_bare(void *arg)
{
	syscall(SYS_exit, 0);
	return arg;
}

static int thread_leaves_bare(void)
{
	pthread_t thread;

	for (int i = 0; i < 20; i++) {
		pthread_create(&thread, NULL, leave_bare, NULL);
		join(thread);
	}
	try_child("child", nested);
	return 0;
}

static void *spin(void *arg)
{
	for (;;) {
		getppid();
		count++;
	}
	return arg;
}

static int exit_among(void)
{
	pthread_t thread;

	for (int i = 0; i < 3; i++)
		pthread_create(&thread, NULL, spin, NULL);
	while (count < 100)
		sched_yield();
	exit(5);
}

static void *exit_here(void *arg)
{
	exit((int)(long)arg);
}

static int exit_in_thread(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, exit_here, (void *)9L);
	join(thread);
	return 1;
}

static int no_memory(void)
{
	struct rlimit limit = {1 << 20, 1 << 20};
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 1UL << 46);
	say_error("too large", pthread_create(&thread, &attr, give, NULL));
	setrlimit(RLIMIT_AS, &limit);
	say_error("no memory", pthread_create(&thread, NULL, give, NULL));
	say("count: %d", count);
	return 0;
}

static int give_c11(void *arg)
{
	thrd_exit((int)(long)arg + 1);
}

static void destroy_c11(void *arg)
{
	say("destroy %ld", (long)arg);
}

static tss_t tss;
static once_flag once = ONCE_FLAG_INIT;

static void initialize(void)
{
	say("once");
}

static int set_c11(void *arg)
{
	tss_set(tss, arg);
	call_once(&once, initialize);
	return 4;
}

static int c11(void)
{
	thrd_t thread;
	int result = 0;
	mtx_t mutex;
	struct timespec past = {1, 0};

	thrd_create(&thread, give_c11, (void *)7L);
	say("join: %d", thrd_join(thread, &result));
	say("result: %d", result);
	tss_create(&tss, destroy_c11);
	thrd_create(&thread, set_c11, (void *)5L);
	thrd_join(thread, &result);
	say("result: %d", result);
	call_once(&once, initialize);
	mtx_init(&mutex, mtx_timed);
	say("lock: %d", mtx_lock(&mutex));
	say("trylock: %d", mtx_trylock(&mutex) == thrd_busy);
	say("timedlock: %d", mtx_timedlock(&mutex, &past) == thrd_timedout);
	say("unlock: %d", mtx_unlock(&mutex));
	say("sleep: %d", thrd_sleep(&(struct timespec){0, 1}, NULL));
	return 0;
}

static void *named(void *arg)
{
	char name[16] = "";

	pthread_getname_np(pthread_self(), name, sizeof(name));
	say("name: %s", name);
	say_error("set", pthread_setname_np(pthread_self(), "another"));
	pthread_getname_np(pthread_self(), name, sizeof(name));
	say("name: %s", name);
	return arg;
}

static int names(void)
{
	pthread_t thread;

	pthread_setname_np(pthread_self(), "table");
	pthread_create(&thread, NULL, named, NULL);
	join(thread);
	say_error("long", pthread_setname_np(pthread_self(),
					     "a name that is too long"));
	say("main: %d", gettid() == getpid());
	return 0;
}

static int joins(void)
{
	struct timespec past = {1, 0};
	pthread_barrier_t barrier;
	pthread_t thread;

	pthread_barrier_init(&barrier, NULL, 2);
	pthread_create(&thread, NULL, tell, &barrier);
	say_error("try", pthread_tryjoin_np(thread, NULL));
	say_error("timed", pthread_timedjoin_np(thread, NULL, &past));
	say_error("clock",
		  pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &past));
	pthread_barrier_wait(&barrier);
	say_error("join", pthread_join(thread, NULL));
	say_error("self", pthread_join(pthread_self(), NULL));
	return 0;
}

static void tick(int sig)
{
	(void)sig;
	count++;
}

/* A signal for whoever takes it, while threads come and go. */
static int signals_meanwhile(void)
{
	pthread_t thread;
	int nr = 0;

	on_signal(SIGUSR1, tick);
	for (int i = 0; i < 300; i++) {
		pthread_create(&thread, NULL, give, NULL);
		nr += kill(getpid(), SIGUSR1);
		join(thread);
	}
	say("failed: %d, all: %d", nr, count > 300);
	return 0;
}

static void *scheduled(void *arg)
{
	struct sched_param param = {0};
	cpu_set_t set;
	int policy = -1;

	pthread_getschedparam(pthread_self(), &policy, &param);
	say("policy %d, priority %d", policy, param.sched_priority);
	CPU_ZERO(&set);
	say_error("affinity",
		  pthread_getaffinity_np(pthread_self(), sizeof(set), &set));
	say("processors: %d", CPU_COUNT(&set));
	say_error("bad", pthread_setschedparam(pthread_self(), 99, &param));
	return arg;
}

static int scheduling(void)
{
	pthread_attr_t attr;
	pthread_t thread;
	cpu_set_t set;

	CPU_ZERO(&set);
	sched_getaffinity(0, sizeof(set), &set);
	for (int i = 0; i < CPU_SETSIZE; i++) {
		if (CPU_ISSET(i, &set)) {
			CPU_ZERO(&set);
			CPU_SET(i, &set);
			break;
		}
	}
	pthread_attr_init(&attr);
	pthread_attr_setaffinity_np(&attr, sizeof(set), &set);
	if (pthread_create(&thread, &attr, scheduled, NULL) == 0)
		join(thread);
	scheduled(NULL);
	return 0;
}

const struct program thread_programs[] = {
	{"results", results, false},
	{"many", many, false},
	{"nested", nested, false},
	{"detached", detached, false},
	{"own-stack", own_stack, false},
	{"attributes", attributes, false},
	{"key-destructors", key_destructors, false},
	{"all-keys", all_keys, false},
	{"local-destructors", local_destructors, false},
	{"cleanup", cleanup, false},
	{"main-leaves", main_leaves, false},
	{"main-leaves-bare", main_leaves_bare, false},
	{"thread-leaves-bare", thread_leaves_bare, false},
	{"exit-among", exit_among, false},
	{"exit-in-thread", exit_in_thread, false},
	{"no-memory", no_memory, false},
	{"c11", c11, false},
	{"names", names, false},
	{"joins", joins, false},
	{"signals-meanwhile", signals_meanwhile, false},
	{"scheduling", scheduling, false},
	{NULL, NULL, false},
};
