/* SPDX-License-Identifier: MIT */
/*
 * System calls past libc, of which each prints what it can see of who traces
 * it: nothing.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

/* One instruction, for any number, as in Go; the vfork returns twice by it. */
long any(long number, ...);
__asm__(".text\n.globl any\n.type any, @function\nany:\n"
	"	mov %rdi, %rax\n	mov %rsi, %rdi\n	mov %rdx, "
	"%rsi\n"
	"	mov %rcx, %rdx\n	mov %r8, %r10\n		mov %r9, %r8\n"
	"	mov 8(%rsp), %r9\n"
	"	pop %r12\n"
	"	syscall\n"
	"	push %r12\n"
	"	ret\n	.size any, . - any");
/* It changes %r12. */
#define ANY(...) \
	__extension__({ \
		long (*volatile call_)(long, ...) = any; \
		long ret_ = call_(__VA_ARGS__); \
		__asm__ volatile("" ::: "r12"); \
		ret_; \
	})

/* And with the number before it. */
static long open_here(const char *path)
{
	register long flags __asm__("r10") = 0;
	long ret;

	__asm__ volatile("mov %1, %%eax\n\tsyscall"
			 : "=&a"(ret)
			 : "i"(SYS_openat), "D"((long)AT_FDCWD), "S"(path),
			   "d"((long)O_RDONLY), "r"(flags)
			 : "rcx", "r11", "memory");
	return ret;
}

/* What the kernel leaves alone: general registers but rcx, r11 and rax, flags,
 * vector registers, 128 bytes below the stack pointer. */
struct seen {
	uint64_t general[13];
	unsigned char vector[16][16], below[128];
};
long look(struct seen *seen, long number, long first, long second);
__asm__(".text\n.globl look\n.type look, @function\nlook:\n"
	"	push %rbx\n	push %rbp\n	push %r12\n	push %r13\n"
	"	push %r14\n	push %r15\n	push %rdi\n"
	"	mov %rsi, %rax\n	mov %rdx, %rdi\n	mov %rcx, "
	"%rsi\n"
	"	mov $0xb1, %ebx\n	mov $0xb2, %ebp\n	mov $0xb3, "
	"%edx\n"
	"	mov $0xb4, %r8d\n	mov $0xb5, %r9d\n	mov $0xb6, "
	"%r10d\n"
	"	mov $0xb7, %r12d\n	mov $0xb8, %r13d\n	mov $0xb9, "
	"%r14d\n"
	"	mov $0xba, %r15d\n"
	".set i, 0\n.irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	"	movq %rbp, %xmm\\r\n	pshufd $0x44, %xmm\\r, %xmm\\r\n.endr\n"
	".set i, 1\n.rept 16\n	movq $i, -8*i(%rsp)\n.set i, i+1\n.endr\n"
	"	lea -128(%rsp), %rsp\n	pushq $0xcd7\n	popfq\n"
	"	lea 128(%rsp), %rsp\n"
	"	syscall\n"
	"	xchg (%rsp), %rax\n"
	"	lea -128(%rsp), %rsp\n	pushfq\n	popq 96(%rax)\n"
	"	lea 128(%rsp), %rsp\n	cld\n"
	"	mov %rbx, (%rax)\n	mov %rbp, 8(%rax)\n	mov %rdx, "
	"16(%rax)\n"
	"	mov %r8, 24(%rax)\n	mov %r9, 32(%rax)\n	mov %r10, "
	"40(%rax)\n"
	"	mov %r12, 48(%rax)\n	mov %r13, 56(%rax)\n	mov %r14, "
	"64(%rax)\n"
	"	mov %r15, 72(%rax)\n	mov %rdi, 80(%rax)\n	mov %rsi, "
	"88(%rax)\n"
	".set i, 0\n.irp r, 0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15\n"
	"	movups %xmm\\r, 104+16*i(%rax)\n.set i, i+1\n.endr\n"
	".set i, 1\n.rept 16\n	mov -8*i(%rsp), %rdx\n"
	"	mov %rdx, 360+8*(i-1)(%rax)\n.set i, i+1\n.endr\n"
	"	pop %rax\n	pop %r15\n	pop %r14\n	pop %r13\n"
	"	pop %r12\n	pop %rbp\n	pop %rbx\n	ret\n"
	"	.size look, . - look");

static void look_at(const char *name, long number, long first, long second)
{
	static const uint64_t general[] = {0xb1, 0xb2, 0xb3, 0xb4, 0xb5,
					   0xb6, 0xb7, 0xb8, 0xb9, 0xba};
	struct seen seen;
	uint64_t word;
	int vectors = 1, below = 1;
	long ret = look(&seen, number, first, second);

	for (int i = 0; i < 32; i++) {
		memcpy(&word, (char *)seen.vector + 8 * i, 8);
		vectors &= word == 0xb2;
	}
	for (int i = 0; i < 16; i++) {
		memcpy(&word, seen.below + 8 * i, 8);
		below &= word == (uint64_t)i + 1;
	}
	printf("%s: %ld general %d first %d second %d flags %#x vectors %d "
	       "below %d\n",
	       name, ret, !memcmp(seen.general, general, sizeof(general)),
	       seen.general[10] == (uint64_t)first,
	       seen.general[11] == (uint64_t)second,
	       (unsigned int)seen.general[12] & 0xcd5, vectors, below);
}

static void files(void)
{
	errno = 77;
	printf("open: %ld", open_here("none"));
	printf(" errno %d\n", errno);
	printf("bad: %ld\n", ANY(SYS_openat, AT_FDCWD, 8L, O_RDONLY, 0));
	printf("mkdir: %ld\n", ANY(SYS_mkdir, "made", 0755));
	printf("rmdir: %ld\n", ANY(SYS_rmdir, "made"));
	look_at("stat", SYS_stat, (long)"none", 0);
	look_at("unlink", SYS_unlink, (long)"none", 8);
	look_at("execve", SYS_execve, (long)"none", 0);
	/* Which nobody records. */
	look_at("getuid", SYS_getuid, 8, 9);
}

static int ends[2];
static sigjmp_buf back;

static void wake(int signo)
{
	(void)signo;
	ANY(SYS_access, "handler", 0);
	ANY(SYS_write, ends[1], "x", 1);
}

static void touch(int signo)
{
	static volatile int nr;

	(void)signo;
	if (nr++ == 0)
		ANY(SYS_access, "handler", 0);
}

static void leave(int signo)
{
	(void)signo;
	siglongjmp(back, 1);
}

static void on_alarm(void (*handler)(int), int flags)
{
	struct sigaction action = {.sa_handler = handler, .sa_flags = flags};
	struct itimerval timer = {.it_value = {0, 1000}};

	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &timer, NULL);
}

static void signals(void)
{
	const struct itimerval again = {{0, 1000}, {0, 1000}}, never = {{0}};
	volatile int left = 0;
	char byte = 0;
	long ret;

	if (pipe(ends) != 0)
		exit(1);
	on_alarm(touch, 0);
	/* The first one may come before we read. */
	setitimer(ITIMER_REAL, &again, NULL);
	printf("interrupted: %ld\n", ANY(SYS_read, ends[0], &byte, 1));
	setitimer(ITIMER_REAL, &never, NULL);
	on_alarm(wake, SA_RESTART);
	ret = ANY(SYS_read, ends[0], &byte, 1);
	printf("restarted: %ld %c\n", ret, byte);
	for (volatile int i = 0; i < 200; i++) {
		if (sigsetjmp(back, 1)) {
			left++;
			continue;
		}
		on_alarm(leave, 0);
		ANY(SYS_read, ends[0], &byte, 1);
	}
	printf("left: %d\n", left);
	printf("after: %ld\n", ANY(SYS_rmdir, "after"));
}

static char stack[65536] __attribute__((aligned(16)));

static void ended(const char *name, long pid)
{
	int status = 0;
	long ret = ANY(SYS_wait4, pid, &status, __WALL, NULL);

	printf("%s: %d %d\n", name, ret == pid, WEXITSTATUS(status));
}

/* The child begins there with nothing to return to. */
long on_stack(long flags, void *top, long status);
__asm__(".text\n.globl on_stack\n.type on_stack, @function\non_stack:\n"
	"	mov %rdx, %r8\n	xor %edx, %edx\n	xor %r10d, %r10d\n"
	"	mov $56, %eax\n	syscall\n"
	"	test %rax, %rax\n	jz 1f\n	ret\n"
	"1:	push $0\n	lea name(%rip), %rdi\n	mov $84, %eax\n"
	"	syscall\n"
	"	mov %r8, %rdi\n	mov $60, %eax\n	syscall\n	hlt\n"
	"	.size on_stack, . - on_stack\n"
	"name:	.asciz \"by-child\"\n");

static void children(void)
{
	static char *const argv[] = {"sh", "-c", "exit 6", NULL};
	static char *const envp[] = {"A=1", NULL};
	long pid = ANY(SYS_fork);

	if (pid == 0) {
		ANY(SYS_rmdir, "forked");
		ANY(SYS_exit_group, 3);
	}
	ended("fork", pid);
	pid = ANY(SYS_clone, CLONE_VM | CLONE_VFORK | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0) {
		ANY(SYS_rmdir, "vforked");
		ANY(SYS_execve, "/none", argv, envp);
		ANY(SYS_execve, "/bin/sh", argv, envp);
		ANY(SYS_exit, 253);
	}
	ended("vfork", pid);
	ended("its stack, our memory",
	      on_stack(CLONE_VM | SIGCHLD, stack + sizeof(stack), 4));
	ended("its stack, its memory",
	      on_stack(SIGCHLD, stack + sizeof(stack), 5));
}

static void *thread(void *arg)
{
	(void)arg;
	printf("thread: %ld\n", ANY(SYS_rmdir, "thread"));
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t id;

	setvbuf(stdout, NULL, _IONBF, 0);
	files();
	signals();
	children();
	pthread_create(&id, NULL, thread, NULL);
	pthread_join(id, NULL);
	if (argc > 1)
		ANY(SYS_execve, argv[1], argv + 1, environ);
	ANY(SYS_exit_group, 9);
	return 1;
}
