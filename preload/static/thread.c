/* SPDX-License-Identifier: MIT */
/*
 * What is a thread's own, found by %gs, which the kernel copies to the threads
 * that it makes.  So while there is more than one it is asked who calls: whose
 * it is not, gets one of its own.  Those of threads that have ended are used
 * again.
 */
#include "preload/static/static.h"

#include "preload/raw/raw.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include <asm/prctl.h>
#include <linux/sched.h>
#include <signal.h>
#include <string.h>

#define ALIGN UINT64_C(64)

/* The stack that a program begins on goes no deeper than that: what is mapped
 * begins below. */
#define FIRST_STACK (UINT64_C(64) << 20)

/* At %gs:0, as libc has it at %fs:0; thread-local storage is before it. */
struct own {
	struct own *self;
	struct own *next;
	_Atomic int tid;
	bool vforks;
	enum { NOT_ASKED, GLIBCS, OTHERS } whose;
	int error;
};

static _Atomic(struct own *) all;
static _Atomic unsigned int nr_all;
static int process;
static _Atomic bool are_many;

static long call(long nr, long a, long b, long c)
{
	return ptl_sys_pass(nr, a, b, c, 0, 0, 0);
}

static struct own *mine(void)
{
	struct own *own;

	__asm__ volatile("movq %%gs:0, %0" : "=r"(own));
	return own;
}

int *__errno_location(void);
int *__errno_location(void)
{
	return &mine()->error;
}

static const Elf64_Phdr *find_storage(void)
{
	extern const char begin[] __asm__("__ehdr_start")
		__attribute__((visibility("hidden")));
	const Elf64_Ehdr *head = (const void *)begin;
	const Elf64_Phdr *ph = (const void *)(begin + head->e_phoff);

	for (unsigned int i = 0; i < head->e_phnum; i++)
		if (ph[i].p_type == PT_TLS)
			return &ph[i];
	return NULL;
}

/* Storage as it is in the file. */
static void fill(struct own *own, const Elf64_Phdr *ph)
{
	extern const char begin[] __asm__("__ehdr_start")
		__attribute__((visibility("hidden")));
	uint64_t size = (ph->p_memsz + ph->p_align - 1) & -ph->p_align;
	char *storage = (char *)own - size;

	memset(storage, 0, size);
	memcpy(storage, begin + ph->p_vaddr, ph->p_filesz);
	own->self = own;
	own->vforks = false;
	own->whose = NOT_ASKED;
}

/* That of the first thread is where a start writes anyway. */
static long make_room(uint64_t size)
{
	static char first[256] __attribute__((aligned(ALIGN)));

	if (!atomic_load_explicit(&all, memory_order_relaxed) &&
	    size <= sizeof(first))
		return (long)first;
	return ptl_sys_pass(SYS_mmap, 0, (long)size, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

static struct own *make(const Elf64_Phdr *ph)
{
	uint64_t before = (ph->p_memsz + ALIGN - 1) & -ALIGN;
	long room = make_room(before + sizeof(struct own));
	struct own *own;

	if (room < 0 && room >= -4095)
		return NULL;
	own = (struct own *)(room + (long)before);
	own->next = atomic_load_explicit(&all, memory_order_relaxed);
	/* Pairs with find() and reuse(). */
	while (!atomic_compare_exchange_weak_explicit(&all, &own->next, own,
						      memory_order_release,
						      memory_order_relaxed))
		;
	atomic_fetch_add_explicit(&nr_all, 1, memory_order_relaxed);
	return own;
}

static int tid_of(const struct own *own)
{
	return atomic_load_explicit(&own->tid, memory_order_relaxed);
}

/* The caller's, which %gs does not have any more. */
static struct own *find(int tid)
{
	/* Pairs with make(). */
	struct own *own = atomic_load_explicit(&all, memory_order_acquire);

	while (own && tid_of(own) != tid)
		own = own->next;
	return own;
}

/* That of a thread that has ended.  Each is asked for when there are twice as
 * many as when all of them were alive: a thousand threads are not a million
 * questions. */
static struct own *reuse(int tid)
{
	static _Atomic unsigned int enough = 16;
	unsigned int nr = atomic_load_explicit(&nr_all, memory_order_relaxed);
	struct own *own;

	if (nr < atomic_load_explicit(&enough, memory_order_relaxed))
		return NULL;
	/* Pairs with make(). */
	own = atomic_load_explicit(&all, memory_order_acquire);
	for (; own; own = own->next) {
		int before = tid_of(own);

		if (before && call(SYS_tgkill, process, before, 0) == -ESRCH &&
		    atomic_compare_exchange_strong_explicit(
			    &own->tid, &before, tid, memory_order_relaxed,
			    memory_order_relaxed))
			return own;
	}
	atomic_store_explicit(&enough, 2 * nr, memory_order_relaxed);
	return NULL;
}

static bool take(int tid)
{
	const Elf64_Phdr *ph = find_storage();
	struct own *own;

	if (!ph)
		return false;
	own = find(tid);
	if (!own)
		own = reuse(tid);
	if (!own)
		own = make(ph);
	if (!own)
		return false;
	fill(own, ph);
	atomic_store_explicit(&own->tid, tid, memory_order_relaxed);
	return call(SYS_arch_prctl, ARCH_SET_GS, (long)own, 0) == 0;
}

bool ptl_static_first(void)
{
	process = (int)call(SYS_getpid, 0, 0, 0);
	return take((int)call(SYS_gettid, 0, 0, 0));
}

/* Behind a filter of system calls nobody is asked who calls: such a thread's
 * calls are not recorded. */
bool ptl_static_thread(void)
{
	struct own *own = mine();
	int tid, pid;

	if (PTL_LIKELY(!atomic_load_explicit(&are_many, memory_order_relaxed)))
		return true;
	if (ptl_sys_door != PTL_DOOR_OPEN)
		return false;
	tid = (int)call(SYS_gettid, 0, 0, 0);
	if (PTL_LIKELY(atomic_load_explicit(&own->tid, memory_order_relaxed) ==
		       tid)) {
		own->vforks = false;
		return true;
	}
	pid = (int)call(SYS_getpid, 0, 0, 0);
	if (pid == process)
		return take(tid);
	/* A child in our memory has its parent's; that of a fork a copy. */
	if (own->vforks || ptl_core_beside())
		return true;
	process = pid;
	atomic_store_explicit(&own->tid, tid, memory_order_relaxed);
	return true;
}

/*
 * In glibc's descriptor of a thread the third word is its own address, and the
 * fourth is none; in musl's these are the threads before and behind it in a
 * ring, which may be itself.  Others may have none.
 */
static bool is_glibcs(void)
{
	const uintptr_t *word = NULL;
	uintptr_t self;

	if (ptl_sys_door != PTL_DOOR_OPEN ||
	    call(SYS_arch_prctl, ARCH_GET_FS, (long)&word, 0) != 0 ||
	    (uintptr_t)word % sizeof(*word) != 0 ||
	    !ptl_sys_may_read((uintptr_t)word) ||
	    !ptl_sys_may_read((uintptr_t)&word[3]))
		return false;
	self = (uintptr_t)word;
	return word[0] == self && word[2] == self && word[3] != self;
}

/* Not the first one, nor those of glibc's threads. */
bool ptl_static_is_small(const void *at)
{
	struct own *own = mine();

	if ((uintptr_t)ptl_static_auxv - (uintptr_t)at < FIRST_STACK)
		return false;
	if (PTL_UNLIKELY(own->whose == NOT_ASKED))
		own->whose = is_glibcs() ? GLIBCS : OTHERS;
	return own->whose == OTHERS;
}

/* The only thread of a process, which may be a fork's child: then what it has
 * of its parent's does not say whose it is. */
static void know_ourselves(void)
{
	if (atomic_load_explicit(&are_many, memory_order_relaxed) ||
	    ptl_sys_door != PTL_DOOR_OPEN || ptl_core_in_vfork_child())
		return;
	process = (int)call(SYS_getpid, 0, 0, 0);
	atomic_store_explicit(&mine()->tid, (int)call(SYS_gettid, 0, 0, 0),
			      memory_order_relaxed);
}

void ptl_static_makes(uint64_t flags)
{
	if (!(flags & CLONE_VM))
		return;
	know_ourselves();
	mine()->vforks = (flags & CLONE_VFORK) != 0;
	if (!(flags & CLONE_VFORK))
		atomic_store_explicit(&are_many, true, memory_order_relaxed);
}
