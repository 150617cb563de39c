/* SPDX-License-Identifier: MIT */
/* N threads past libc: each makes the next, and where a thread of libc's has
 * its storage there are other bytes.  Then main() ends. */
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>

#include "t/preload/own_call.h"

#define MOST 64
#define SIZE 16384

static char stack[MOST][SIZE] __attribute__((aligned(64)));
static char storage[MOST][SIZE] __attribute__((aligned(64)));
static int wanted;
static _Atomic int done;

/* On its stack there is who it is. */
void make(unsigned long flags, void *stack_of_it, long zero, long none,
	  void *pointer);
__asm__(".text\n"
	"make:	mov	%rcx, %r10\n"
	"	mov	$56, %eax\n"
	"	syscall\n"
	"	test	%eax, %eax\n"
	"	je	1f\n"
	"	ret\n"
	"1:	pop	%rdi\n"
	"	call	thread\n");

static void begin(long who)
{
	char *pointer = storage[who] + SIZE / 2;
	long *top = (long *)(stack[who] + SIZE - 16);

	memset(storage[who], 'A', SIZE);
	memcpy(pointer, &pointer, sizeof(pointer));
	*top = who;
	make(CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD |
		     CLONE_SYSVSEM | CLONE_SETTLS,
	     top, 0, 0, pointer);
}

void thread(long who);
void thread(long who)
{
	own_call(SYS_openat, AT_FDCWD, (long)"/none", O_RDONLY);
	if (who + 1 < wanted)
		begin(who + 1);
	own_call(SYS_openat, AT_FDCWD, (long)"/none", O_RDONLY);
	done++;
	for (;;)
		own_call(SYS_exit, 0, 0, 0);
}

int main(int argc, char **argv)
{
	wanted = argc > 1 ? atoi(argv[1]) : 1;
	begin(0);
	while (done < wanted)
		sched_yield();
	printf("%d\n", done);
	return 0;
}
