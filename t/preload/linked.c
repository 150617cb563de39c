/* SPDX-License-Identifier: MIT */
/*
 * linked [child]: shows what a function of a library (-DLIBRARY) finds in
 * registers, and what its caller finds there: all that a call may hand over, and
 * that a linkage table may use.  CALL: the instruction that calls it.
 */
#if defined(LIBRARY)

long linked_seen[10];

__asm__("	.text\n"
	"	.globl	registers_get\n"
	"	.type	registers_get, @function\n"
	"registers_get:\n"
	"	endbr64\n"
	"	movq	linked_seen@GOTPCREL(%rip), %rbx\n"
	"	movq	%rax, (%rbx)\n"
	"	movq	%rdi, 8(%rbx)\n"
	"	movq	%rsi, 16(%rbx)\n"
	"	movq	%rdx, 24(%rbx)\n"
	"	movq	%rcx, 32(%rbx)\n"
	"	movq	%r8, 40(%rbx)\n"
	"	movq	%r9, 48(%rbx)\n"
	"	movq	%r10, 56(%rbx)\n"
	"	movq	%r11, 64(%rbx)\n"
	"	movq	8(%rsp), %rax\n"
	"	movq	%rax, 72(%rbx)\n"
	"	movl	$21, %eax\n"
	"	movl	$22, %edi\n"
	"	movl	$23, %esi\n"
	"	movl	$24, %edx\n"
	"	movl	$25, %ecx\n"
	"	movl	$26, %r8d\n"
	"	movl	$27, %r9d\n"
	"	movl	$28, %r10d\n"
	"	movl	$29, %r11d\n"
	"	ret\n"
	"	.size	registers_get, . - registers_get\n");

#else

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

extern long linked_seen[10];
static long left[9];

static void call(void)
{
	__asm__ volatile("pushq %%rbx\n\t"
			 "subq $256, %%rsp\n\t"
			 "pushq %0\n\t"
			 "pushq $20\n\t"
			 "movl $11, %%eax\n\t"
			 "movl $12, %%edi\n\t"
			 "movl $13, %%esi\n\t"
			 "movl $14, %%edx\n\t"
			 "movl $15, %%ecx\n\t"
			 "movl $16, %%r8d\n\t"
			 "movl $17, %%r9d\n\t"
			 "movl $18, %%r10d\n\t"
			 "movl $19, %%r11d\n\t" CALL "\n\t"
			 "movq 8(%%rsp), %%rbx\n\t"
			 "movq %%rax, (%%rbx)\n\t"
			 "movq %%rdi, 8(%%rbx)\n\t"
			 "movq %%rsi, 16(%%rbx)\n\t"
			 "movq %%rdx, 24(%%rbx)\n\t"
			 "movq %%rcx, 32(%%rbx)\n\t"
			 "movq %%r8, 40(%%rbx)\n\t"
			 "movq %%r9, 48(%%rbx)\n\t"
			 "movq %%r10, 56(%%rbx)\n\t"
			 "movq %%r11, 64(%%rbx)\n\t"
			 "addq $272, %%rsp\n\t"
			 "popq %%rbx"
			 :
			 : "r"(left)
			 : "rax", "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10",
			   "r11", "memory", "cc");
}

/* Some tables leave the address of the function in r11. */
static void show_one(long value)
{
	if (value >> 31)
		printf("address ");
	else
		printf("%ld ", value);
}

static void show(void)
{
	for (int i = 0; i < 10; i++)
		show_one(linked_seen[i]);
	for (int i = 0; i < 9; i++)
		show_one(left[i]);
	putchar('\n');
	fflush(stdout);
}

int main(int argc, char **argv)
{
	(void)argv;
	/* The first one goes through the loader's resolver, which keeps less. */
	call();
	if (argc == 1 || fork() == 0) {
		call();
		show();
		_exit(0);
	}
	wait(NULL);
	return 0;
}

#endif
