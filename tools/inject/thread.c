/* SPDX-License-Identifier: MIT */
/* A borrowed thread; see thread.h.  Each request that changes the thread leaves
 * it in a state in which it could go on alone. */
#include "tools/inject/thread.h"

#if defined(__x86_64__)

#include <elf.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/inject/frame.h"
#include "tools/inject/incall.h"
#include "tools/inject/maps.h"

#define RED_ZONE 128
#define ROOM 65536 /* of its stack: libraries' constructors need some */
#define LOOK_NS 50000
#define LOOKS \
	(10 * (1000000000 / LOOK_NS)) /* that is how long a call may take */

/* What the kernel notes for calls that are to be begun again. */
#define RESTART_SYS (-512)
#define RESTART_NOINTR (-513)
#define RESTART_NOHAND (-514)
#define RESTART_BLOCK (-516)

/* ---- stops --------------------------------------------------------- */

static long request(const struct ptl_inject_thread *thread, int what,
		    void *addr, void *data)
{
	return ptrace((enum __ptrace_request)what, thread->tid, addr, data);
}

enum stop { EVENT, SYSCALL, STOPPED, SIGNAL, ENDED, LATE };

/* Waits for the next stop.  A signal that comes is the thread's: resume, how it
 * goes on then; or 0. */
static enum stop await(const struct ptl_inject_thread *thread, int resume,
		       int *signo)
{
	const struct timespec look = {0, LOOK_NS};

	for (int i = 0; i < LOOKS; i++) {
		int status;
		pid_t pid = waitpid(thread->tid, &status, __WALL | WNOHANG);

		if (pid < 0 && errno != EINTR)
			return ENDED;
		if (pid <= 0) {
			nanosleep(&look, NULL);
			continue;
		}
		if (!WIFSTOPPED(status))
			return ENDED;
		if (status >> 16 == PTRACE_EVENT_STOP)
			return WSTOPSIG(status) == SIGTRAP ? EVENT : STOPPED;
		if (WSTOPSIG(status) == (SIGTRAP | 0x80))
			return SYSCALL;
		*signo = WSTOPSIG(status);
		if (resume == 0)
			return SIGNAL;
		request(thread, resume, NULL, (void *)(uintptr_t)*signo);
	}
	return LATE;
}

static bool set_registers(const struct ptl_inject_thread *thread,
			  const struct user_regs_struct *regs)
{
	return request(thread, PTRACE_SETREGS, NULL, (void *)(uintptr_t)regs) ==
	       0;
}

static bool set_mask(const struct ptl_inject_thread *thread, uint64_t mask)
{
	return request(thread, PTRACE_SETSIGMASK, (void *)sizeof(mask),
		       &mask) == 0;
}

static void let_go(const struct ptl_inject_thread *thread, int signo)
{
	request(thread, PTRACE_DETACH, NULL, (void *)(uintptr_t)signo);
}

/* ---- may it be borrowed -------------------------------------------- */

static unsigned long read_mask(const struct ptl_inject_thread *thread,
			       const char *key)
{
	char file[64];

	snprintf(file, sizeof(file), "task/%d/status", (int)thread->tid);
	return (unsigned long)ptl_maps_status(thread->target->pid, file, key,
					      16);
}

bool ptl_thread_has_signal(const struct ptl_inject_thread *thread)
{
	unsigned long pending =
		read_mask(thread, "SigPnd:") | read_mask(thread, "ShdPnd:");

	return (pending & ~read_mask(thread, "SigBlk:") &
		read_mask(thread, "SigCgt:")) != 0;
}

/* Some calls are not begun again by the kernel when we stop them; to the
 * program that would be a signal that it never got. */
static bool may_begin_again(const struct ptl_inject_thread *thread)
{
	long long result = (long long)thread->exact.rax;

	return result == RESTART_SYS || result == RESTART_NOINTR ||
	       result == RESTART_NOHAND || result == RESTART_BLOCK ||
	       (result == -EINTR && !ptl_thread_has_signal(thread));
}

/*
 * What libc's code was about to do when it made the call.  A call that has been
 * interrupted before goes on as restart_syscall(2): what it was is in the
 * instruction before, mov $NUMBER,%eax.
 */
static bool set_again(struct ptl_inject_thread *thread)
{
	const struct ptl_inject_target *target = thread->target;
	struct user_regs_struct *again = &thread->again;
	struct ptl_incall call;
	unsigned char code[7];
	uint32_t number;

	*again = thread->exact;
	again->rip -= 2;
	again->rax = thread->exact.orig_rax;
	again->orig_rax = (unsigned long long)-1;
	if (again->rip < target->libc || again->rip >= target->libc_end ||
	    !ptl_target_read(target->pid, again->rip - 5, code, sizeof(code)) ||
	    code[5] != 0x0f || code[6] != 0x05) /* syscall */
		return false;
	memcpy(&number, code + 1, sizeof(number));
	if (again->rax == SYS_restart_syscall && code[0] == 0xb8)
		again->rax = number;
	call = (struct ptl_incall){
		(long)again->rax,
		{again->rdi, again->rsi, again->rdx, again->r10}};
	return ptl_incall_waits(&call);
}

/* Is it on a stack of libc's, with room below?  The first thread's has a name,
 * those of others have their thread's base in the same mapping. */
static bool has_room(const struct ptl_inject_thread *thread)
{
	const struct user_regs_struct *regs = &thread->exact;
	struct ptl_mapping stack;

	if (!ptl_maps_at(thread->target->pid, regs->rsp, &stack) ||
	    !stack.is_writable || regs->rsp - stack.from < ROOM)
		return false;
	return strcmp(stack.path, "[stack]") == 0 ||
	       (stack.path[0] == '\0' && regs->fs_base > regs->rsp &&
		regs->fs_base < stack.to);
}

/* Is it what the kernel has put there for a handler?  What is left of one that
 * is over was mostly overwritten. */
static bool is_frame(const struct ptl_inject_thread *thread, uintptr_t at)
{
	struct ptl_inject_frame frame = {0};

	return ptl_target_read(thread->target->pid, at, &frame,
			       sizeof(frame)) &&
	       ptl_frame_is_kernels(&frame);
}

/* A handler may have interrupted malloc(), or the loader.  Above it on the
 * stack is where it returns to. */
static bool is_in_handler(const struct ptl_inject_thread *thread)
{
	static uint64_t words[4096];
	struct ptl_mapping stack;
	uintptr_t at = thread->exact.rsp & ~(uintptr_t)7;

	if (!ptl_maps_at(thread->target->pid, at, &stack))
		return true;
	while (at < stack.to) {
		size_t size = stack.to - at < sizeof(words) ? stack.to - at :
							      sizeof(words);

		if (!ptl_target_read(thread->target->pid, at, words, size))
			return true;
		for (size_t i = 0; i < size / sizeof(*words); i++)
			if (words[i] == thread->target->sigreturn &&
			    is_frame(thread, at + i * sizeof(*words)))
				return true;
		at += size;
	}
	return false;
}

/* By us; the kernel does not begin the call again. */
static bool was_interrupted(const struct ptl_inject_thread *thread)
{
	return (long long)thread->exact.rax == -EINTR;
}

static const char *judge(struct ptl_inject_thread *thread)
{
	thread->is_known = set_again(thread);
	if (!thread->is_known || !may_begin_again(thread))
		return "no thread waits in a call of libc's that it would "
		       "go on with";
	/* At once: if we are killed before it is as after SIGSTOP. */
	if (was_interrupted(thread))
		set_registers(thread, &thread->again);
	if (is_in_handler(thread))
		return "the thread that waits does so in a handler of a signal";
	if (!has_room(thread))
		return "no thread that waits has room on its stack";
	if (!ptl_target_is_free(thread->target))
		return "its dynamic loader is at work";
	return NULL;
}

static const char *read_rest(struct ptl_inject_thread *thread)
{
	struct iovec all = {thread->xstate, sizeof(thread->xstate) - 8};

	if (request(thread, PTRACE_GETREGSET, (void *)(uintptr_t)NT_X86_XSTATE,
		    &all) != 0 ||
	    request(thread, PTRACE_GETSIGMASK, (void *)sizeof(thread->mask),
		    &thread->mask) != 0)
		return "its registers cannot be read";
	thread->xstate_size = all.iov_len;
	return NULL;
}

/* After the stop, as if it had not been.  A signal that has come meanwhile
 * interrupts the call, as it would have without us. */
static void undo(const struct ptl_inject_thread *thread, int signo)
{
	bool begins_again = thread->is_known && was_interrupted(thread) &&
			    signo == 0 && !ptl_thread_has_signal(thread);

	set_registers(thread, begins_again ? &thread->again : &thread->exact);
	let_go(thread, signo);
}

const char *ptl_thread_hold(struct ptl_inject_thread *thread,
			    const struct ptl_inject_target *target, pid_t tid)
{
	const char *why;
	int signo;

	thread->target = target;
	thread->tid = tid;
	if (request(thread, PTRACE_SEIZE, NULL,
		    (void *)PTRACE_O_TRACESYSGOOD) != 0)
		return errno == ESRCH ? "it has ended" :
					"ptrace(2) is not permitted (see "
					"/proc/sys/kernel/yama/ptrace_scope)";
	request(thread, PTRACE_INTERRUPT, NULL, NULL);
	switch (await(thread, PTRACE_CONT, &signo)) {
	case EVENT:
		break;
	case STOPPED:
		let_go(thread, 0);
		return "it is stopped";
	default:
		return "it has ended, or does not stop";
	}
	if (request(thread, PTRACE_GETREGS, NULL, &thread->exact) != 0)
		return "it has ended";
	why = judge(thread);
	if (why == NULL)
		why = read_rest(thread);
	if (why != NULL)
		undo(thread, 0);
	return why;
}

/* ---- calls --------------------------------------------------------- */

/* On the stack, above the frames. */
struct notes {
	unsigned char swapped[8]; /* errno, as swab() makes it of this */
	unsigned char text[PTL_THREAD_TEXT];
};

static void fill_notes(struct ptl_inject_thread *thread, struct notes *notes,
		       const void *text, size_t size)
{
	unsigned char saved[4];

	memset(notes, 0, sizeof(*notes));
	memcpy(saved, &thread->saved_errno, sizeof(saved));
	for (size_t i = 0; i < sizeof(saved); i++)
		notes->swapped[i] = saved[i ^ 1];
	memcpy(notes->text, text, size);
}

/* Aligned as where a function begins. */
static uintptr_t below(uintptr_t at, size_t size)
{
	return ((at - size) & ~(uintptr_t)15) - 8;
}

static bool put_ways(struct ptl_inject_thread *thread, uintptr_t xstate,
		     uintptr_t notes)
{
	const struct ptl_inject_target *target = thread->target;
	struct user_regs_struct regs = thread->again;
	struct ptl_inject_frame back, clean;

	ptl_frame_fill(&back, &regs, thread->mask, target->sigreturn);
	ptl_frame_add_xstate(&back, xstate);
	thread->back = below(xstate, sizeof(back));
	regs.rip = target->swab;
	regs.rdi = notes + offsetof(struct notes, swapped);
	regs.rsi = thread->errno_at;
	regs.rdx = sizeof(thread->saved_errno);
	regs.rsp = thread->back;
	ptl_frame_fill(&clean, &regs, ~UINT64_C(0), target->sigreturn);
	thread->clean = below(thread->back, sizeof(clean));
	return ptl_target_write(target->pid, thread->back, &back,
				sizeof(back)) &&
	       ptl_target_write(target->pid, thread->clean, &clean,
				sizeof(clean));
}

const char *ptl_thread_prepare(struct ptl_inject_thread *thread,
			       const void *text, size_t size)
{
	static unsigned char marked[PTL_XSTATE_SIZE];
	uintptr_t notes_at, xstate_at;
	static struct notes notes;
	pid_t pid = thread->target->pid;

	thread->errno_at = thread->exact.fs_base + thread->target->errno_at;
	notes_at =
		(thread->exact.rsp - RED_ZONE - sizeof(notes)) & ~(uintptr_t)63;
	xstate_at = (notes_at - thread->xstate_size - 4) & ~(uintptr_t)63;
	memcpy(marked, thread->xstate, thread->xstate_size);
	ptl_frame_mark(marked, thread->xstate_size);
	if (!ptl_target_read(pid, thread->errno_at, &thread->saved_errno,
			     sizeof(thread->saved_errno))) {
		undo(thread, 0);
		return "its memory cannot be read";
	}
	fill_notes(thread, &notes, text, size);
	if (!ptl_target_write(pid, notes_at, &notes, sizeof(notes)) ||
	    !ptl_target_write(pid, xstate_at, marked,
			      thread->xstate_size + 4) ||
	    !put_ways(thread, xstate_at, notes_at)) {
		undo(thread, 0);
		return "its stack cannot be written";
	}
	thread->text = notes_at + offsetof(struct notes, text);
	return NULL;
}

/* Has it come back, and is about to call rt_sigreturn(2)? */
static bool is_back(const struct ptl_inject_thread *thread)
{
	struct user_regs_struct regs;

	return request(thread, PTRACE_GETREGS, NULL, &regs) == 0 &&
	       regs.orig_rax == SYS_rt_sigreturn &&
	       regs.rsp == thread->clean + 8;
}

static const char *run(const struct ptl_inject_thread *thread)
{
	int how = PTRACE_SYSCALL, signo;

	for (;;) {
		request(thread, how, NULL, NULL);
		how = PTRACE_SYSCALL;
		switch (await(thread, PTRACE_SYSCALL, &signo)) {
		case SYSCALL:
			if (is_back(thread))
				return NULL;
			break;
		case EVENT:
		case SIGNAL:
			break;
		case STOPPED: /* by somebody; we wait, too */
			how = PTRACE_LISTEN;
			break;
		case ENDED:
			return "it has ended";
		case LATE:
			request(thread, PTRACE_INTERRUPT, NULL, NULL);
			await(thread, PTRACE_CONT, &signo);
			let_go(thread, 0);
			return "loading takes it more than 10 s; it goes on by "
			       "itself";
		}
	}
}

const char *ptl_thread_call(struct ptl_inject_thread *thread,
			    uintptr_t function, const uint64_t argument[5])
{
	struct user_regs_struct regs = thread->again;

	regs.rsp = thread->clean;
	regs.rip = function;
	regs.rdi = argument[0];
	regs.rsi = argument[1];
	regs.rdx = argument[2];
	regs.rcx = argument[3];
	regs.r8 = argument[4];
	regs.rax = 0;
	regs.eflags &= ~UINT64_C(0x500); /* upwards; not by single steps */
	/* In this order: the way back brings its mask, too. */
	if (!set_registers(thread, &regs) || !set_mask(thread, ~UINT64_C(0)))
		return "it has ended";
	return run(thread);
}

/* The ways back are not needed any more, and are not to be taken for those of
 * handlers: see is_in_handler(). */
static void wipe(const struct ptl_inject_thread *thread)
{
	const uint64_t nothing = 0;

	ptl_target_write(thread->target->pid, thread->clean, &nothing,
			 sizeof(nothing));
	ptl_target_write(thread->target->pid, thread->back, &nothing,
			 sizeof(nothing));
}

void ptl_thread_release(struct ptl_inject_thread *thread)
{
	struct iovec all = {thread->xstate, thread->xstate_size};
	int signo = 0;

	ptl_target_write(thread->target->pid, thread->errno_at,
			 &thread->saved_errno, sizeof(thread->saved_errno));
	set_mask(thread, thread->mask);
	request(thread, PTRACE_SETREGSET, (void *)(uintptr_t)NT_X86_XSTATE,
		&all);
	/* Registers are set, in place of rt_sigreturn(2), which would make the
	 * kernel forget what is to be gone on with. */
	set_registers(thread, &thread->again);
	request(thread, PTRACE_INTERRUPT, NULL, NULL);
	request(thread, PTRACE_CONT, NULL, NULL);
	await(thread, 0, &signo);
	wipe(thread);
	undo(thread, signo);
}

#endif
