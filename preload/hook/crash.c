/* SPDX-License-Identifier: MIT */
/*
 * What becomes of a signal after it was recorded:
 *
 *   A fault comes again when the handler returns to the instruction.  It is
 *   blocked there, which the kernel does not let pass: it ends the process by
 *   SIG_DFL, with the same siginfo_t, registers and core.  That takes no system
 *   call, and no state that threads, or the parent of a vfork, would share; and
 *   a second thread that crashes meanwhile is recorded, too.
 *   A breakpoint is behind its instruction: the handler returns to that.
 *   All others were sent: the handler sets SIG_DFL, and sends the signal to its
 *   thread again, with the siginfo_t that it had.
 *
 * A fault in the handler itself is one with the signal blocked.
 *
 * The stack of the crash may be the reason for it.  So each thread gets an
 * alternate stack, in the place of none.
 */
#include "preload/hook/crash.h"

#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"

#include "preload/libc/scratch.h"

#include <ucontext.h>

/* Virtual memory alone: of it a crash takes some KiB.  The program's own
 * handlers with SA_ONSTACK run here, too, in threads that gave them none. */
#define STACK_SIZE (256u << 10)
/* By its size, and a mark behind it, a stack is known for ours: so nothing has
 * to be kept for a thread. */
#define STACK_USED (STACK_SIZE - 64)
#define STACK_MARK UINT64_C(0x70746c2d63726173)

/* The kernel's sigset_t. */
typedef uint64_t kernel_set __attribute__((may_alias));

struct kernel_action {
	__sighandler_t handler;
	unsigned long flags;
	void (*restorer)(void);
	kernel_set mask;
};

static const unsigned char signals[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS,
					SIGFPE, SIGSEGV, SIGSYS};

/* What the program believes is set for each of them, besides SIG_DFL. */
static struct {
	_Atomic unsigned long flags;
	_Atomic kernel_set mask;
} told[PTL_ARRAY_SIZE(signals)] PTL_SELDOM;

bool ptl_crash_is_on;

bool ptl_crash_hides;

/* PTL_ARRAY_SIZE(signals): it is none of them. */
static size_t index_of(int signo)
{
	size_t i = 0;

	while (i < PTL_ARRAY_SIZE(signals) && signals[i] != signo)
		i++;
	return i;
}

static kernel_set *mask_of(ucontext_t *context)
{
	return (kernel_set *)(void *)&context->uc_sigmask;
}

static long set_default(int signo)
{
	const struct kernel_action none = {0};

	return ptl_sys_pass(SYS_rt_sigaction, signo, (long)&none, 0,
			    sizeof(kernel_set), 0, 0);
}

/* Will the instruction fault again, in the same way? */
static bool comes_again(int signo, const siginfo_t *info, ucontext_t *context)
{
	if (info->si_code <= 0)
		return false;
	if (signo == SIGTRAP) {
#if defined(__x86_64__)
		greg_t *rip = &context->uc_mcontext.gregs[REG_RIP];

		if (!ptl_sys_may_read((uint64_t)(*rip - 1)) ||
		    *(const unsigned char *)(*rip - 1) != 0xcc) /* int3 */
			return false;
		--*rip;
		return true;
#else
		(void)context;
		return info->si_code == TRAP_BRKPT;
#endif
	}
	/* SI_KERNEL is also what is left of a handler that could not run. */
	if (info->si_code == SI_KERNEL || signo == SIGSYS || signo == SIGABRT)
		return false;
	return signo != SIGBUS || info->si_code != BUS_MCEERR_AO;
}

static void send_again(int signo, const siginfo_t *info)
{
	long pid = ptl_sys_pass(SYS_getpid, 0, 0, 0, 0, 0, 0);
	long tid = ptl_sys_pass(SYS_gettid, 0, 0, 0, 0, 0, 0);

	ptl_sys_pass(SYS_rt_tgsigqueueinfo, pid, tid, signo, (long)info, 0, 0);
}

/* The first process of a pid namespace is not killed by what others send, or it
 * sends itself. */
static bool is_spared(const siginfo_t *info)
{
	return info->si_code <= 0 &&
	       ptl_sys_pass(SYS_getpid, 0, 0, 0, 0, 0, 0) == 1;
}

PTL_ALIGNS static void handle(int signo, siginfo_t *info, void *at)
{
	ucontext_t *context = at;
	kernel_set bit = UINT64_C(1) << (signo - 1);

	if (is_spared(info))
		return;
	ptl_crash_record(signo, info, context);
	if (comes_again(signo, info, context)) {
		*mask_of(context) |= bit;
		return;
	}
	send_again(signo, info);
	set_default(signo);
	/* Blocked signals come, too, where sigsuspend() and the like let
	 * them through. */
	*mask_of(context) &= ~bit;
}

static bool is_ours(const struct sigaction *action)
{
	return action->sa_flags & SA_SIGINFO && action->sa_sigaction == handle;
}

void ptl_crash_take(int signo)
{
	size_t i = index_of(signo);
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_ONSTACK |
					       SA_RESTART},
			 old = {0};

	/* What the child of a vfork is told would be told to its parent. */
	if (i == PTL_ARRAY_SIZE(signals) || !ptl_crash_is_on ||
	    ptl_core_in_vfork_child() ||
	    PTL_LIBC(sigaction)(signo, NULL, &old) != 0 ||
	    old.sa_handler != SIG_DFL)
		return;
	atomic_store_explicit(&told[i].flags, (unsigned long)old.sa_flags,
			      memory_order_relaxed);
	atomic_store_explicit(&told[i].mask,
			      *(const kernel_set *)(const void *)&old.sa_mask,
			      memory_order_relaxed);
	action.sa_sigaction = handle;
	*(kernel_set *)(void *)&action.sa_mask = ~UINT64_C(0);
	PTL_LIBC(sigaction)(signo, &action, NULL);
}

void ptl_crash_answer(int signo, struct sigaction *old)
{
	size_t i = index_of(signo);

	if (i == PTL_ARRAY_SIZE(signals) || !is_ours(old))
		return;
	old->sa_handler = SIG_DFL;
	old->sa_flags =
		(int)atomic_load_explicit(&told[i].flags, memory_order_relaxed);
	*(kernel_set *)(void *)&old->sa_mask =
		atomic_load_explicit(&told[i].mask, memory_order_relaxed);
}

__sighandler_t ptl_crash_own(__sighandler_t handler)
{
	return handler == (__sighandler_t)(void *)handle ? SIG_DFL : handler;
}

void ptl_crash_give_back(void)
{
	if (!ptl_crash_is_on)
		return;
	ptl_crash_is_on = false;
	for (size_t i = 0; i < PTL_ARRAY_SIZE(signals); i++) {
		struct kernel_action action;

		if (ptl_sys(SYS_rt_sigaction, signals[i], 0, &action,
			    sizeof(kernel_set)) != 0 ||
		    action.handler != (__sighandler_t)(void *)handle)
			continue;
		action.handler = SIG_DFL;
		action.flags = atomic_load_explicit(&told[i].flags,
						    memory_order_relaxed);
		action.mask = atomic_load_explicit(&told[i].mask,
						   memory_order_relaxed);
		ptl_sys(SYS_rt_sigaction, signals[i], &action, 0,
			sizeof(kernel_set));
	}
}

static uint64_t *mark_of(void *stack)
{
	return (uint64_t *)(void *)((char *)stack + STACK_USED);
}

static bool is_own_stack(const stack_t *stack)
{
	return !(stack->ss_flags & SS_DISABLE) &&
	       stack->ss_size == STACK_USED &&
	       *mark_of(stack->ss_sp) == (STACK_MARK ^ (uintptr_t)stack->ss_sp);
}

static bool use_stack(void *stack)
{
	const stack_t ours = {.ss_sp = stack, .ss_size = STACK_USED};

	return ptl_sys(SYS_sigaltstack, &ours, 0, 0, 0) == 0;
}

void ptl_crash_thread_begin(void)
{
	stack_t old;
	void *stack;

	if (!ptl_crash_is_on || ptl_core_in_vfork_child() ||
	    ptl_sys(SYS_sigaltstack, 0, &old, 0, 0) != 0 ||
	    !(old.ss_flags & SS_DISABLE))
		return;
	stack = ptl_sys_mmap(NULL, STACK_SIZE, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
			     0);
	if (stack == MAP_FAILED)
		return;
	*mark_of(stack) = STACK_MARK ^ (uintptr_t)stack;
	if (!use_stack(stack))
		ptl_sys_munmap(stack, STACK_SIZE);
}

void ptl_crash_thread_end(void)
{
	const stack_t none = {.ss_flags = SS_DISABLE};
	stack_t old;

	/* (It fails where a handler of the program's runs on it, and ends its
	 * thread.) */
	if (!ptl_core_in_vfork_child() &&
	    ptl_sys(SYS_sigaltstack, 0, &old, 0, 0) == 0 &&
	    is_own_stack(&old) && ptl_sys(SYS_sigaltstack, &none, 0, 0, 0) == 0)
		ptl_sys_munmap(old.ss_sp, STACK_SIZE);
}

int ptl_crash_altstack(const stack_t *stack, stack_t *old)
{
	int ret;
	stack_t was = {0};
	bool ours;

	ret = PTL_LIBC(sigaltstack)(stack, &was);
	if (ret != 0)
		return ret;
	ours = is_own_stack(&was);
	/* Before the answer, which may be in the same place. */
	if (stack && ours && stack->ss_flags & SS_DISABLE)
		use_stack(was.ss_sp);
	else if (stack && stack->ss_flags & SS_DISABLE)
		ptl_crash_thread_begin();
	else if (stack && ours && !ptl_core_in_vfork_child())
		ptl_sys_munmap(was.ss_sp, STACK_SIZE);
	if (ours)
		was = (stack_t){.ss_flags = SS_DISABLE};
	if (old)
		*old = was;
	return 0;
}

void ptl_crash_begin(void)
{
	if (ptl_is_quiet() || ptl_sys_door != PTL_DOOR_OPEN ||
	    !ptl_core_wants_crashes())
		return;
	ptl_crash_record_init();
	ptl_crash_is_on = ptl_crash_hides = true;
	ptl_crash_thread_begin();
	for (size_t i = 0; i < PTL_ARRAY_SIZE(signals); i++)
		ptl_crash_take(signals[i]);
}
