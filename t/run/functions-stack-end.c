/* SPDX-License-Identifier: MIT */
/*
 * A function that calls itself until its thread's stack ends.  The handler
 * looks at where that was, as OCaml's does: in the program, just below its
 * stack pointer.  It goes on elsewhere; or, with `grow', it makes room, and
 * returns.  Prints how often the function was called.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#define PAGE 4096
#define STACK (64 * PAGE)
#define GUARD (32 * PAGE)
#define CALLS 6000

extern const char __executable_start[], etext[];

long calls, limit;
static sigjmp_buf out;
static char *lowest; /* of the stack that can be used */
static int grows;

/* Nothing is on the stack but what it calls. */
long deep(long);
__asm__(".text\n"
	".globl deep\n"
	".type deep, @function\n"
	"deep:\n"
	".cfi_startproc\n"
	"subq $8, %rsp\n"
	".cfi_adjust_cfa_offset 8\n"
	"leaq 1(%rdi), %rdi\n"
	"movq %rdi, calls(%rip)\n"
	"cmpq limit(%rip), %rdi\n"
	"je 1f\n"
	"call deep\n"
	"1: addq $8, %rsp\n"
	".cfi_adjust_cfa_offset -8\n"
	"ret\n"
	".cfi_endproc\n"
	".size deep, . - deep\n");

static void die(const char *why)
{
	(void)!write(1, why, strlen(why));
	_exit(9);
}

static void handle(int signo, siginfo_t *info, void *context)
{
	const greg_t *reg = ((ucontext_t *)context)->uc_mcontext.gregs;
	const char *at = info->si_addr, *stack = (const char *)reg[REG_RSP];
	const char *code = (const char *)reg[REG_RIP];

	(void)signo;
	if (at >= stack || stack - at > 256)
		die("not at the stack pointer\n");
	if (code < __executable_start || code >= etext)
		die("not in the program\n");
	if (!grows)
		siglongjmp(out, 1);
	lowest -= PAGE;
	mprotect(lowest, PAGE, PROT_READ | PROT_WRITE);
}

static void *run(void *unused)
{
	static char other[65536];
	stack_t alternate = {.ss_sp = other, .ss_size = sizeof(other)};

	sigaltstack(&alternate, NULL);
	if (!sigsetjmp(out, 1))
		deep(0);
	return unused;
}

int main(int argc, char *argv[])
{
	struct sigaction action = {.sa_sigaction = handle,
				   .sa_flags = SA_SIGINFO | SA_ONSTACK};
	char *stack = mmap(NULL, STACK, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS,
			   -1, 0);
	pthread_attr_t attr;
	pthread_t thread;

	grows = argc > 1 && strcmp(argv[1], "grow") == 0;
	limit = grows ? CALLS : -1;
	lowest = stack + GUARD;
	mprotect(lowest, STACK - GUARD, PROT_READ | PROT_WRITE);
	sigaction(SIGSEGV, &action, NULL);
	pthread_attr_init(&attr);
	pthread_attr_setstack(&attr, stack, STACK);
	if (pthread_create(&thread, &attr, run, NULL) != 0)
		return 2;
	pthread_join(thread, NULL);
	printf("%ld\n", calls);
	return 0;
}
