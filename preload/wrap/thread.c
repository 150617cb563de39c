/* SPDX-License-Identifier: MIT */
/*
 * The start and end of threads.  A new thread starts in a function of ours,
 * which finds the program's function in a small pool: no heap, no handshake.
 * It calls that as its last act, so no frame of ours stays on the stack that
 * would be seen in backtraces or unwound by an exception.
 *
 * The end is seen by the destructor of a thread-specific key, not by a cleanup
 * handler: the destructor is reached by return, pthread_exit() and cancellation
 * alike, also in the main thread and in threads that another preloaded library
 * creates; it needs no unwinder (a handler in C would make the library need
 * libgcc); and it runs after C++'s thread_local destructors and, called again
 * in a second round, after those of other keys.
 */
#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/hook/crash.h"
#include "preload/hook/hooks.h"
#include "preload/hook/objects.h"
#include "preload/hook/timer.h"
#include "preload/libc/lookup.h"
#include "preload/libc/payload.h"
#include "preload/libc/scratch.h"

/* What the program wants to run. */
struct task {
	union {
		void *(*posix)(void *arg);
		thrd_start_t c11;
	} start;
	void *arg;
};

/* A thread about to start. */
struct birth {
	struct task task;
	struct ptl_slot *slot;
	int creator; /* the number of the thread that begins it */
	_Atomic bool used;
};

#define BLOCK_BIRTHS 64

/* Blocks are only ever added; a birth is taken and released by its flag. */
struct block {
	struct birth birth[BLOCK_BIRTHS];
	struct block *_Atomic next;
};

static struct block first_block PTL_BULK;

static struct birth *birth_in(struct block *block)
{
	for (size_t i = 0; i < BLOCK_BIRTHS; i++) {
		struct birth *birth = &block->birth[i];

		/* The birth's last user has finished reading.  Pairs with
		 * birth_put().
		 */
		if (!atomic_load_explicit(&birth->used, memory_order_relaxed) &&
		    !atomic_exchange_explicit(&birth->used, true,
					      memory_order_acquire))
			return birth;
	}
	return NULL;
}

static struct block *block_add(struct block *last)
{
	struct block *next = NULL, *block;

	if (ptl_is_quiet())
		return NULL;
	block = ptl_sys_mmap(NULL, sizeof(*block), PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (block == MAP_FAILED)
		return NULL;
	/* The zeros in it are stored before the pointer to it.  Pairs with
	 * birth_get(). */
	if (atomic_compare_exchange_strong_explicit(&last->next, &next, block,
						    memory_order_acq_rel,
						    memory_order_acquire))
		return block;
	ptl_sys_munmap(block, sizeof(*block));
	return next;
}

static struct birth *birth_get(void)
{
	struct block *block = &first_block;

	while (block) {
		struct birth *birth = birth_in(block);
		struct block *next;

		if (birth)
			return birth;
		/* Pairs with block_add(). */
		next = atomic_load_explicit(&block->next, memory_order_acquire);
		block = next ? next : block_add(block);
	}
	return NULL;
}

static void birth_put(struct birth *birth)
{
	/* The birth was read before.  Pairs with birth_in(). */
	atomic_store_explicit(&birth->used, false, memory_order_release);
}

static struct task thread_begin(struct birth *birth)
{
	struct task task = birth->task;
	struct ptl_slot *slot = birth->slot;
	int creator = birth->creator;

	birth_put(birth);
	if (slot)
		ptl_core_thread_enter(slot);
	ptl_key_set((void *)1);
	if (PTL_UNLIKELY(ptl_crash_is_on))
		ptl_crash_thread_begin();
	if (PTL_UNLIKELY(ptl_timer_is_on))
		ptl_timer_thread_begin();
	if (ptl_core_wants(PTL_EV_THREAD_START)) {
		int64_t data[] = {ptl_core_tid(), creator};
		size_t size = creator != 0 ? sizeof(data) : sizeof(*data);

		ptl_core_event(PTL_EV_THREAD_START, data, size,
			       (const void *)task.start.posix);
	}
	return task;
}

static void *posix_main(void *birth)
{
	struct task task = thread_begin(birth);

	return task.start.posix(task.arg);
}

static int c11_main(void *birth)
{
	struct task task = thread_begin(birth);

	return task.start.c11(task.arg);
}

void (*ptl_thread_ends)(void) PTL_SELDOM;

PTL_ALIGNS static void thread_end(void *round)
{
	/* The destructors of other keys first; libc makes up to four rounds. */
	if (round == (void *)1) {
		ptl_key_set((void *)2);
		return;
	}
	ptl_core_event(PTL_EV_THREAD_EXIT, NULL, 0, NULL);
	if (PTL_UNLIKELY(ptl_crash_is_on))
		ptl_crash_thread_end();
	if (PTL_UNLIKELY(ptl_timer_is_on))
		ptl_timer_thread_end();
	ptl_scratch_drop();
	ptl_core_thread_exit();
	if (ptl_thread_ends)
		ptl_thread_ends();
}

/* Room for what the kernel takes of a name. */
#define NAME_SIZE 16

void ptl_thread_named(int tid, const char *name, const void *caller)
{
	unsigned char data[sizeof(int64_t) + NAME_SIZE];
	struct ptl_payload payload = {data, sizeof(data), 0};

	ptl_put_int(&payload, tid);
	ptl_put_string(&payload, name);
	ptl_core_event(PTL_EV_THREAD_NAME, data, payload.size, caller);
}

/* Who begins a thread; 0: nobody wants to know. */
static int creator(void)
{
	return ptl_core_wants(PTL_EV_THREAD_START) ? ptl_core_tid() : 0;
}

static void birth_failed(struct birth *birth)
{
	if (birth->slot)
		ptl_core_thread_cancel(birth->slot);
	birth_put(birth);
}

PTL_ENTRY int pthread_create(pthread_t *restrict thread,
			     const pthread_attr_t *restrict attr,
			     void *(*start)(void *), void *restrict arg)
{
	struct birth *birth = birth_get();
	int error;

	if (!birth)
		return PTL_LIBC(pthread_create)(thread, attr, start, arg);
	ptl_objects_settle();
	birth->task.start.posix = start;
	birth->task.arg = arg;
	birth->slot = ptl_core_thread_new();
	birth->creator = creator();
	error = PTL_LIBC(pthread_create)(thread, attr, posix_main, birth);
	if (error)
		birth_failed(birth);
	return error;
}

PTL_ENTRY int thrd_create(thrd_t *thread, thrd_start_t start, void *arg)
{
	struct birth *birth = birth_get();
	int error;

	if (!birth)
		return PTL_LIBC(thrd_create)(thread, start, arg);
	ptl_objects_settle();
	birth->task.start.c11 = start;
	birth->task.arg = arg;
	birth->slot = ptl_core_thread_new();
	birth->creator = creator();
	error = PTL_LIBC(thrd_create)(thread, c11_main, birth);
	if (error != thrd_success)
		birth_failed(birth);
	return error;
}

PTL_ENTRY int pthread_setname_np(pthread_t thread, const char *name)
{
	int error = PTL_LIBC(pthread_setname_np)(thread, name);

	if (error == 0 && ptl_core_wants(PTL_EV_THREAD_NAME))
		ptl_thread_named(ptl_core_tid_of(thread), name,
				 __builtin_return_address(0));
	return error;
}

/* A thread of ours, not of the program. */
static int create(pthread_t *thread, const pthread_attr_t *attr,
		  void *(*start)(void *), void *arg)
{
	static void *count;

	/* In glibc since 2.34; in no header. */
	if (!count && ptl_lookup_real(&count, "__nptl_nthreads", NULL))
		ptl_core_set_thread_count(count);
	return PTL_LIBC(pthread_create)(thread, attr, start, arg);
}

void ptl_thread_init(void)
{
	ptl_core_set_thread_create(create);
	ptl_key_init(thread_end);
	ptl_key_set((void *)1);
}
