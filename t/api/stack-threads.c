/* SPDX-License-Identifier: MIT */
/*
 * Threads on stacks of any kind, fork children and processes without system
 * calls have their stacks recorded; nobody is harmed by one that makes no
 * sense.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <ucontext.h>

#define NOINLINE __attribute__((noinline, noclone))

static trace_event_id_t id;
static trace_id_t trid;
static ucontext_t back, there;

static NOINLINE void record(void)
{
	posix_trace_event(id, "e", 1);
	__asm__ volatile("");
}

static NOINLINE void recurse(int depth)
{
	volatile char room[1000];

	room[0] = 0;
	(void)room[0];
	if (depth > 0)
		recurse(depth - 1);
	else
		record();
	__asm__ volatile("");
}

static NOINLINE void *deep(void *arg)
{
	recurse(20);
	__asm__ volatile("");
	return arg;
}

static void coroutine(void);
static int child(struct proc *self, void *arg);
static int forbidden(struct proc *self, void *arg);

static int in(void *addr, size_t function)
{
	const size_t all[] = { (size_t)record,	  (size_t)recurse,
			       (size_t)deep,	  (size_t)coroutine,
			       (size_t)child,	  (size_t)forbidden,
			       0 };

	return addr_in(addr, function, all);
}

/* The next event is recurse's, called by `function'. */
static int good(size_t function)
{
	void *frames[POSIX_TRACE_STACK_MAX_NP];
	struct event ev;
	size_t nr = 0;

	if (!event_find(trid, id, &ev) ||
	    posix_trace_get_stack_np(trid, frames, POSIX_TRACE_STACK_MAX_NP,
				     &nr) != 0 ||
	    nr < 23 || !in(frames[0], (size_t)record))
		return 0;
	for (int i = 1; i <= 21; i++)
		if (!in(frames[i], (size_t)recurse))
			return 0;
	return in(frames[22], function);
}

static void threads(void)
{
	static char own[2 << 20] __attribute__((aligned(4096)));
	pthread_attr_t attr;
	pthread_t thread;

	pthread_create(&thread, NULL, deep, NULL);
	pthread_join(thread, NULL);
	ok(good((size_t)deep), "a thread");
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, own, sizeof(own));
	pthread_create(&thread, &attr, deep, NULL);
	pthread_join(thread, NULL);
	pthread_attr_destroy(&attr);
	ok(good((size_t)deep), "a thread on a stack of the program's");
}

static NOINLINE void coroutine(void)
{
	recurse(20);
	__asm__ volatile("");
}

static void contexts(void)
{
	size_t size = 64 << 10, page = 4096;
	/* What is around it cannot be read. */
	char *stack = mmap(NULL, size + 2 * page, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	mprotect(stack + page, size, PROT_READ | PROT_WRITE);
	getcontext(&there);
	there.uc_stack.ss_sp = stack + page;
	there.uc_stack.ss_size = size;
	there.uc_link = &back;
	makecontext(&there, coroutine, 0);
	swapcontext(&back, &there);
	ok(good((size_t)coroutine), "a coroutine");
}

static int child(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	recurse(20);
	return 0;
}

/* Any system call kills, but for the end. */
static int forbidden(struct proc *self, void *arg)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_exit_group, 1, 0),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = { 4, code };

	(void)self;
	(void)arg;
	record();
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0)
		_exit(77);
	recurse(20);
	/* Before _exit() a sanitizer makes calls of its own. */
	syscall(SYS_exit_group, 0);
	return 1;
}

#if defined(__x86_64__)
/* A caller without a table, whose frame pointer is garbage. */
__asm__(".text\n"
	"senseless:\n\t"
	"pushq %rbp\n\t"
	"movq $0x123456789abcdef0, %rbp\n\t"
	"call record_it\n\t"
	"popq %rbp\n\t"
	"ret\n");
void senseless(void);
void record_it(void);
void record_it(void)
{
	record();
	__asm__ volatile("");
}
#endif

int main(void)
{
	trace_attr_t *attr = stream_attr(0, 0, 0);
	struct proc proc;
	struct event ev;
	int status;

	if (under_valgrind())
		skip_all("valgrind");
	plan(9);
	id = event_id("an event");
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
	is_int(posix_trace_attr_setstackdepth_np(attr,
						 POSIX_TRACE_STACK_MAX_NP),
	       0, "depth");
	trid = stream_make(0, attr);
	stream_start(trid);
	deep(NULL);
	ok(good((size_t)deep), "the main thread");
	threads();
	contexts();
	proc_start(&proc, child, NULL);
	is_int(proc_wait(&proc), 0, "a fork child lives");
	ok(good((size_t)child), "and has its stack");
	proc_start(&proc, forbidden, NULL);
	status = proc_wait(&proc);
	if (status == 77)
		skip(1, "no seccomp");
	else
		ok(status == 0 && event_find(trid, id, &ev) &&
			   good((size_t)forbidden),
		   "a process that must not make system calls");
#if defined(__x86_64__)
	senseless();
	ok(event_find(trid, id, &ev), "a frame pointer that makes no sense");
#else
	skip(1, "x86-64 only");
#endif
	stream_end(trid);
	return done();
}
