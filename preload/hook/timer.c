/* SPDX-License-Identifier: MIT */
/*
 * See timer.h.  A timer belongs to its process, so that any thread can delete
 * those of all.  What they have sent already is dropped by SIG_IGN, which the
 * kernel does at once for all threads.
 *
 * A timer goes off when the clock of the kernel ticks, which is less often than
 * is asked for: how many periods have passed is the sample's weight.  The
 * signal comes when the thread is on its way back to the program, where the
 * timer goes off, too, on kernels since 5.11: no system call that waits is
 * interrupted.
 */
#include "preload/hook/timer.h"

#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/format/sysevents.h"
#include "core/format/values.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/crash.h"
#include "preload/libc/env.h"
#include "preload/libc/payload.h"
#include "preload/libc/scratch.h"
#include "preload/settings/settings.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <time.h>
#include <ucontext.h>

/* Threads with a timer, at a time; others have no samples. */
#define TIMERS 4096

/* What the handler takes of a stack, and more. */
#define HANDLER_STACK 4096

#ifndef AT_MINSIGSTKSZ
#define AT_MINSIGSTKSZ 51
#endif

/* The thread, and its timer + 1; 0: free. */
static _Atomic uint64_t timers[TIMERS] PTL_BULK;

/* That some threads have none was told. */
static atomic_bool lacks_some PTL_SELDOM;

static long period PTL_SELDOM;	  /* ns */
static uint64_t owner PTL_SELDOM; /* of the timers: the process, by its birth */
bool ptl_timer_is_on;

/* What a signal of ours has with it. */
static const char mark;

static uint64_t tid_of(uint64_t timer)
{
	return timer >> 32;
}

static int id_of(uint64_t timer)
{
	return (int)(uint32_t)timer - 1;
}

static void forget_all(void)
{
	for (size_t i = 0; i < TIMERS; i++)
		atomic_store_explicit(&timers[i], 0, memory_order_relaxed);
}

static void delete (uint64_t timer)
{
	ptl_sys_pass(SYS_timer_delete, id_of(timer), 0, 0, 0, 0, 0);
}

/* The calling thread's; or the first free one.  NULL: there is none. */
static _Atomic uint64_t *find(uint64_t tid)
{
	for (size_t i = 0; i < TIMERS; i++)
		if (tid_of(atomic_load_explicit(&timers[i],
						memory_order_relaxed)) == tid)
			return &timers[i];
	return NULL;
}

static uint64_t own_tid(void)
{
	return (uint64_t)ptl_sys_gettid();
}

/* False: this thread cannot have one. */
static bool create(uint64_t tid, uint64_t *timer)
{
	struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID,
				 .sigev_signo = SIGPROF};
	int id;

	event._sigev_un._tid = (pid_t)tid;
	event.sigev_value.sival_ptr = (void *)(uintptr_t)&mark;
	if (ptl_sys(SYS_timer_create, CLOCK_THREAD_CPUTIME_ID, &event, &id,
		    0) != 0)
		return false;
	*timer = tid << 32 | ((uint32_t)id + 1);
	return true;
}

/* Fails if another has deleted it. */
static void arm(uint64_t timer)
{
	const struct itimerspec often = {{0, period}, {0, period}};

	ptl_sys(SYS_timer_settime, id_of(timer), 0, &often, 0);
}

static void tell(const char *why)
{
	unsigned char data[3 * sizeof(int64_t) + 96];
	struct ptl_payload payload = {data, sizeof(data), 0};

	ptl_put_int(&payload, 1000000000 / period);
	ptl_put_int(&payload, 0);
	ptl_put_int(&payload, 1);
	ptl_put_string(&payload, PTL_SAMPLE_TIMER);
	ptl_put_string(&payload, why);
	ptl_core_event(PTL_EV_CPU_SAMPLING, data, payload.size, NULL);
}

/* False: this thread cannot have one. */
static bool begin(void)
{
	uint64_t tid, timer, none = 0;
	_Atomic uint64_t *place;

	tid = own_tid();
	if (find(tid))
		return true;
	if (!create(tid, &timer))
		return false;
	/* Pairs with ptl_timer_give_back(). */
	do {
		place = find(none = 0);
	} while (place && !atomic_compare_exchange_strong_explicit(
				  place, &none, timer, memory_order_seq_cst,
				  memory_order_relaxed));
	if (!place) {
		delete (timer);
		return false;
	}
	/* Who gives all back after that finds it.  Pairs with
	 * ptl_timer_give_back(). */
	if (__atomic_load_n(&ptl_timer_is_on, __ATOMIC_SEQ_CST))
		arm(timer);
	else
		ptl_timer_thread_end();
	return true;
}

void ptl_timer_thread_begin(void)
{
	if (!ptl_timer_is_on || ptl_core_in_vfork_child() || begin())
		return;
	if (!atomic_exchange_explicit(&lacks_some, true, memory_order_relaxed))
		tell("some of its threads can have no timer");
}

void ptl_timer_thread_end(void)
{
	_Atomic uint64_t *place;
	uint64_t timer;

	if (ptl_core_in_vfork_child())
		return;
	place = find(own_tid());
	/* Pairs with ptl_timer_give_back(): one of the two deletes it. */
	timer = place ? atomic_exchange_explicit(place, 0,
						 memory_order_acq_rel) :
			0;
	if (timer)
		delete (timer);
}

/* ---- the signal ----------------------------------------------------- */

static bool is_kernels(const ucontext_t *context)
{
#if defined(__x86_64__)
	/* A system call was made: it is behind the instruction. */
	uint64_t rip = (uint64_t)context->uc_mcontext.gregs[REG_RIP];
	const unsigned char *code = (const void *)(uintptr_t)(rip - 2);

	return rip % 4096 >= 2 && code[0] == 0x0f && code[1] == 0x05;
#else
	(void)context;
	return false;
#endif
}

static void set_handler(__sighandler_t handler)
{
	struct sigaction action = {.sa_flags = 0};

	action.sa_handler = handler;
	PTL_LIBC(sigaction)(SIGPROF, &action, NULL);
}

static void send_again(const siginfo_t *info)
{
	ptl_sys_pass(SYS_rt_tgsigqueueinfo, ptl_sys_getpid(), ptl_sys_gettid(),
		     SIGPROF, (long)info, 0, 0);
}

static bool is_mine(const siginfo_t *info)
{
	return info->si_code == SI_TIMER && info->si_value.sival_ptr == &mark;
}

/* What a timer has sent before the wait is put back after it, in one: while
 * the thread waits its timer stands still. */
int ptl_timer_wait(const sigset_t *set, siginfo_t *info,
		   const struct timespec *timeout)
{
	siginfo_t kept, got = {.si_signo = 0};
	int periods = 0, signo, error;

	info = info ? info : &got;
	while ((signo = PTL_LIBC(sigtimedwait)(set, info, timeout)) ==
		       SIGPROF &&
	       is_mine(info)) {
		kept = *info;
		periods += 1 + info->si_overrun;
	}
	error = errno;
	if (signo == SIGPROF)
		ptl_timer_give_back("it gets SIGPROF itself");
	else if (periods) {
		kept.si_overrun = periods - 1;
		send_again(&kept);
	}
	errno = error;
	return signo;
}

/* As libc's: goes on after a handler. */
int ptl_timer_sigwait(const sigset_t *set, int *signo)
{
	int error = errno;
	int got, failed;

	do {
		got = ptl_timer_wait(set, NULL, NULL);
	} while (got == -1 && errno == EINTR);
	failed = got == -1 ? errno : 0;
	errno = error;
	if (!failed)
		*signo = got;
	return failed;
}

PTL_ALIGNS static void handle(int signo, siginfo_t *info, void *at)
{
	const ucontext_t *context = at;
	uint64_t reg[PTL_CORE_REGISTERS];
	int error = errno;

	(void)signo;
	if (is_mine(info)) {
		ptl_crash_registers(reg, context);
		ptl_core_sample(1 + (int64_t)info->si_overrun,
				is_kernels(context), reg,
				(const void *)(uintptr_t)(reg[16] + 1));
	} else {
		/* Somebody else's: it does what it would without us, when this
		 * handler has returned.  A child in our memory has handlers of
		 * its own. */
		if (ptl_core_in_vfork_child())
			set_handler(SIG_DFL);
		else
			ptl_timer_give_back("it gets SIGPROF itself");
		send_again(info);
	}
	errno = error;
}

static bool is_ours(__sighandler_t handler)
{
	return handler == (__sighandler_t)(void *)handle;
}

__sighandler_t ptl_timer_own(__sighandler_t handler)
{
	return is_ours(handler) ? SIG_DFL : handler;
}

void ptl_timer_answer(struct sigaction *old)
{
	if (is_ours(old->sa_handler))
		*old = (struct sigaction){.sa_flags = 0};
}

void ptl_timer_set(int signo)
{
	if (signo == SIGPROF && !ptl_core_in_vfork_child())
		ptl_timer_give_back("it uses SIGPROF itself");
}

/* Programs may have so small a stack for signals that never come; the kernel
 * kills a thread whose stack has no room for the registers. */
void ptl_timer_stack(const stack_t *stack)
{
	const size_t least = getauxval(AT_MINSIGSTKSZ) + HANDLER_STACK;

	if (stack && !(stack->ss_flags & SS_DISABLE) &&
	    stack->ss_size < least && !ptl_core_in_vfork_child())
		ptl_timer_give_back("its stack for signals is too small");
}

void ptl_timer_give_back(const char *why)
{
	/* Pairs with ptl_timer_thread_begin(). */
	if (!__atomic_exchange_n(&ptl_timer_is_on, false, __ATOMIC_SEQ_CST))
		return;
	for (size_t i = 0; i < TIMERS; i++) {
		uint64_t timer = atomic_exchange_explicit(&timers[i], 0,
							  memory_order_seq_cst);

		if (timer)
			delete (timer);
	}
	set_handler(SIG_IGN);
	set_handler(SIG_DFL);
	if (why)
		tell(why);
}

/* ---- the process ---------------------------------------------------- */

void ptl_timer_forked(void)
{
	if (PTL_LIKELY(!ptl_timer_is_on) || ptl_core_born() == owner)
		return;
	/* A child has none of its parent's timers, but maybe its number. */
	owner = ptl_core_born();
	forget_all();
	atomic_store_explicit(&lacks_some, false, memory_order_relaxed);
	if (ptl_core_wants_samples())
		ptl_timer_thread_begin();
	else
		ptl_timer_give_back(NULL);
}

/* Does nobody else use it? */
static bool is_free(void)
{
	struct sigaction old = {.sa_flags = 0};
	uint64_t blocked = 0;

	return PTL_LIBC(sigaction)(SIGPROF, NULL, &old) == 0 &&
	       old.sa_handler == SIG_DFL &&
	       ptl_sys(SYS_rt_sigprocmask, SIG_BLOCK, 0, &blocked,
		       sizeof(blocked)) == 0 &&
	       !(blocked >> (SIGPROF - 1) & 1);
}

static void take_signal(void)
{
	struct sigaction action = {.sa_flags = SA_SIGINFO | SA_RESTART |
					       SA_ONSTACK};

	action.sa_sigaction = handle;
	memset(&action.sa_mask, 0xff, sizeof(uint64_t));
	PTL_LIBC(sigaction)(SIGPROF, &action, NULL);
}

void ptl_timer_begin(char *const *envp)
{
	struct ptl_settings settings;
	const char *by;

	if (PTL_LIKELY(!ptl_core_wants_samples()) || ptl_is_quiet() ||
	    ptl_sys_door != PTL_DOOR_OPEN)
		return;
	by = ptl_env_value(envp, "PTRACE_SAMPLE_BY=");
	if (!by || !ptl_streq(by, "timer"))
		return;
	ptl_settings_init(&settings);
	ptl_settings_from_environment(&settings, envp, NULL);
	period = 1000000000 / (long)PTL_MAX(ptl_settings_hz(&settings), 1u);
	if (!is_free()) {
		tell("SIGPROF is in use, or blocked");
		return;
	}
	owner = ptl_core_born();
	ptl_timer_is_on = true;
	take_signal();
	if (!begin())
		ptl_timer_give_back("timer_create(2) is refused");
}
