/* SPDX-License-Identifier: MIT */
/*
 * The other unwinder (backend.h): libunwind, by the interface that perf uses:
 * it unwinds any address space, which we let it read by functions of ours.  Not
 * by unw_init_local(), which is meant for the process itself: that takes the
 * loader's lock to find objects, in some builds reads their files and
 * allocates, and to find out whether memory is mapped it writes to a pipe, or
 * to whatever the program has opened in its place after it closed all
 * descriptors.  So:
 *
 *   objects   are found by _dl_find_object() (object.h), without a lock.
 *   memory    is read by ptl_frame_load() (frame.h), or in a segment of such
 *             an object: nothing is read that may not be mapped.
 *   stack     is one of our own: libunwind needs more than a thread may have.
 *   signals   are blocked until it is done.  It has a lock around its cache
 *             and its memory, so a thread may wait for another thread that
 *             looks for rules, and for nothing else.
 *   fork      while another thread is inside may leave that lock locked in
 *             the child, which then does without libunwind.
 *
 * It is called only where a system call may be made, and not in a vfork child,
 * which shares its parent's memory and may be killed alone.
 *
 * It is loaded with RTLD_LOCAL, and with RTLD_DEEPBIND, so that it calls libc
 * itself and not a wrapper of ours, which would record the call, or a function
 * of the program.  Not by dlmopen(): that loads a second libc, whose malloc()
 * would run beside the program's.
 */
#include "core/unwind/backend.h"

bool ptl_libunwind_is_loaded;

#ifdef PTL_LIBUNWIND

#include "core/unwind/libunwind.h"

#include "core/buffer/slot.h"
#include "core/sys/syscall.h"
#include "core/unwind/scratch.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>

#define STRING_OF(x) #x
#define STRING(x) STRING_OF(x)
#define SYMBOL(name) STRING(UNW_OBJ(name))

static const struct {
	char name[48];
	uint32_t offset;
} symbols[] = {
#define ROW(member, name) \
	{ \
		SYMBOL(name), offsetof(struct ptl_libunwind, member) \
	}
	ROW(create, create_addr_space),
	ROW(set_caching_policy, set_caching_policy),
	ROW(set_cache_size, set_cache_size),
	ROW(flush_cache, flush_cache),
	ROW(init, init_remote),
	ROW(step, step),
	ROW(get_reg, get_reg),
	ROW(search, dwarf_search_unwind_table),
#undef ROW
};

/* Addresses whose rules libunwind keeps, for all threads. */
#define CACHE_SIZE 1024
static _Atomic uint64_t generation; /* of the loaded objects, as in its cache */

/* One stack for each of the asides (scratch.h); the job is at its low end. */
#define STACK_SIZE (UINT64_C(64) << 10)
static unsigned char *stacks;

static _Atomic uint32_t nr_inside; /* threads */
static _Atomic bool is_lost;	   /* its lock may be locked for ever */

/* Calls function(arg) on a stack that ends at `top'. */
static void call_on(void *top, void (*function)(void *), void *arg)
{
#if defined(__x86_64__)
	__asm__ volatile("movq %%rsp, %%rbx\n\t"
			 "movq %1, %%rsp\n\t"
			 "call *%2\n\t"
			 "movq %%rbx, %%rsp"
			 : "+D"(arg)
			 : "r"(top), "r"(function)
			 : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10",
			   "r11", "cc", "memory");
#else
	register void *x0 __asm__("x0") = arg;

	__asm__ volatile("mov x19, sp\n\t"
			 "mov sp, %1\n\t"
			 "blr %2\n\t"
			 "mov sp, x19"
			 : "+r"(x0)
			 : "r"(top), "r"(function)
			 : "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9",
			   "x10", "x11", "x12", "x13", "x14", "x15", "x16",
			   "x17", "x18", "x19", "x30", "cc", "memory");
#endif
}

/* The registers here, where the walk begins. */
PTL_INLINE void begin(struct ptl_libunwind_job *job)
{
#if defined(__x86_64__)
	memcpy(job->reg, job->walk->regs.value, sizeof(job->reg));
#else
	__asm__ volatile("adr x9, .\n\t"
			 "mov x10, sp\n\t"
			 "stp x10, x9, [%0, #248]\n\t"
			 "stp x19, x20, [%0, #152]\n\t"
			 "stp x21, x22, [%0, #168]\n\t"
			 "stp x23, x24, [%0, #184]\n\t"
			 "stp x25, x26, [%0, #200]\n\t"
			 "stp x27, x28, [%0, #216]\n\t"
			 "stp x29, x30, [%0, #232]"
			 :
			 : "r"(job->reg)
			 : "x9", "x10", "memory");
	job->walk->regs.value[PTL_CFI_RIP] = job->reg[PTL_LIBUNWIND_IP];
#endif
	job->known = PTL_LIBUNWIND_KEPT;
}

/* Empties libunwind's cache if an object was loaded or unloaded since. */
static void forget_old(uint64_t now)
{
	if (atomic_exchange_explicit(&generation, now, memory_order_relaxed) !=
	    now)
		ptl_libunwind.flush_cache(ptl_libunwind_space, 0, 0);
}

/* In a vfork child it may not: if the child were killed inside, a lock would
 * stay locked in its parent's memory. */
static bool may_be_called(void)
{
	return ptl_slots_may_call() && !ptl_thread.slot->attention;
}

static void block_signals(uint64_t *mask)
{
	const uint64_t all = ~UINT64_C(0);

	ptl_sys(SYS_rt_sigprocmask, SIG_SETMASK, &all, mask, sizeof(all));
}

static void set_signals(const uint64_t *mask)
{
	ptl_sys(SYS_rt_sigprocmask, SIG_SETMASK, mask, NULL, sizeof(*mask));
}

/* Blocks signals and cancellation, which may come at any moment if it is
 * asynchronous: a handler or a cancelled thread might never come back. */
static void enter(uint64_t *mask, int *cancel)
{
	block_signals(mask);
	pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, cancel);
	atomic_fetch_add_explicit(&nr_inside, 1, memory_order_relaxed);
	/* A child that finds a lock of libunwind locked finds this count, too.
	 * Pairs with ptl_libunwind_forked(). */
	atomic_thread_fence(memory_order_seq_cst);
}

static void leave(const uint64_t *mask, int cancel)
{
	/* The locks are free by now.  Pairs with ptl_libunwind_forked(). */
	atomic_fetch_sub_explicit(&nr_inside, 1, memory_order_release);
	if (cancel != PTHREAD_CANCEL_DISABLE)
		pthread_setcancelstate(cancel, &cancel);
	set_signals(mask);
}

PTL_INLINE void walk_on(unsigned char *stack, struct ptl_walk *walk,
			struct ptl_found *found)
{
	struct ptl_libunwind_job *job = (void *)stack;

	job->walk = walk;
	job->found = found;
	job->object.begin = job->object.end = NULL;
	job->object.segment = (struct ptl_dwarf){NULL, NULL};
	begin(job);
	forget_old(walk->generation);
	call_on(stack + STACK_SIZE, ptl_libunwind_walk, job);
}

/* Aligned, for what is not ours: see ptl_loaded_table(). */
__attribute__((noinline)) PTL_ALIGNS enum ptl_backend_found
ptl_libunwind_unwind(struct ptl_walk *walk, struct ptl_found *found)
{
	enum ptl_backend_found result = PTL_BACKEND_NONE;
	struct ptl_aside *aside;
	int cancel, err = errno;
	unsigned char *stack;
	uint64_t mask;

	if (!may_be_called())
		return PTL_BACKEND_NONE;
	aside = ptl_aside_take();
	if (!aside)
		return PTL_BACKEND_NONE;
	ptl_aside_save(aside);
	enter(&mask, &cancel);
	/* Checked only now: a handler may have forked before signals were
	 * blocked. */
	if (!atomic_load_explicit(&is_lost, memory_order_relaxed)) {
		stack = stacks + ptl_aside_number(aside) * STACK_SIZE;
		walk_on(stack, walk, found);
		result = ((struct ptl_libunwind_job *)(void *)stack)->result;
	}
	leave(&mask, cancel);
	ptl_aside_restore(aside);
	ptl_aside_put(aside);
	errno = err;
	return result;
}

/* In the child, which has only this thread. */
void ptl_libunwind_forked(void)
{
	/* Pairs with enter() and leave(). */
	if (atomic_load_explicit(&nr_inside, memory_order_acquire) != 0)
		atomic_store_explicit(&is_lost, true, memory_order_relaxed);
}

/* The first call opens a pipe, for unw_init_local().  Without descriptors
 * libunwind does without it.  The limit that keeps it from opening one is seen
 * by no thread: the constructor is the first of all (-z initfirst), and signals
 * are blocked.  Where the library is loaded late, other threads may see it. */
static void prepare(void)
{
	struct rlimit none, limit = {0, 0};
	uint64_t mask;
	bool is_set;

	block_signals(&mask);
	is_set = ptl_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, NULL, &limit) == 0;
	none = (struct rlimit){0, limit.rlim_max};
	if (is_set)
		ptl_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, &none, NULL);
	ptl_libunwind.set_caching_policy(ptl_libunwind_space, UNW_CACHE_GLOBAL);
	ptl_libunwind.set_cache_size(ptl_libunwind_space, CACHE_SIZE, 0);
	if (is_set)
		ptl_sys(SYS_prlimit64, 0, RLIMIT_NOFILE, &limit, NULL);
	set_signals(&mask);
}

const char *ptl_libunwind_load(void *(*open)(const char *path, int flags))
{
	void *handle =
		open(PTL_LIBUNWIND, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);

	if (!handle)
		return dlerror ? dlerror() : "no dlopen()";
	for (size_t i = 0; i < PTL_ARRAY_SIZE(symbols); i++) {
		void *symbol = dlsym(handle, symbols[i].name);

		if (!symbol)
			return dlerror();
		memcpy((char *)&ptl_libunwind + symbols[i].offset, &symbol,
		       sizeof(symbol));
	}
	ptl_libunwind_space =
		ptl_libunwind.create(ptl_libunwind_accessors(), 0);
	stacks = ptl_sys_mmap(
		NULL, PTL_ASIDES * STACK_SIZE, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (!ptl_libunwind_space || stacks == MAP_FAILED)
		return "no memory";
	prepare();
	ptl_libunwind_is_loaded = true;
	return NULL;
}

const void *ptl_libunwind_code(void)
{
	return ptl_libunwind_is_loaded ?
		       (const void *)(uintptr_t)ptl_libunwind.step :
		       NULL;
}

#else

const char *ptl_libunwind_load(void *(*open)(const char *path, int flags))
{
	(void)open;
	return "libptrace was built without it";
}

const void *ptl_libunwind_code(void)
{
	return NULL;
}

void ptl_libunwind_forked(void)
{
}

enum ptl_backend_found ptl_libunwind_unwind(struct ptl_walk *walk,
					    struct ptl_found *found)
{
	(void)walk, (void)found;
	return PTL_BACKEND_NONE;
}

#endif
