/* SPDX-License-Identifier: MIT */
/*
 * victim-misaligned NAME: calls that function of libc with a stack that is not
 * aligned as the ABI has it, as assembly may.  Without NAME: says which.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#if defined(__x86_64__)

/* fn(a, b, c, d); and vfork(), whose child ends by SYS_exit(3). */
int call_off(void *fn, ...);
int vfork_off(void *fn);
__asm__(".text\n"
	".macro OFF\n"
	"	pushq %rbp\n"
	"	movq %rsp, %rbp\n"
	"	andq $-16, %rsp\n"
	"	subq $8, %rsp\n"
	".endm\n"
	"call_off:\n"
	"	OFF\n"
	"	movq %rdi, %r11\n"
	"	movq %rsi, %rdi\n"
	"	movq %rdx, %rsi\n"
	"	movq %rcx, %rdx\n"
	"	movq %r8, %rcx\n"
	"	xorl %eax, %eax\n"
	"	call *%r11\n"
	"	leave\n"
	"	ret\n"
	"vfork_off:\n"
	"	OFF\n"
	"	call *%rdi\n"
	"	testl %eax, %eax\n"
	"	jne 1f\n"
	"	movl $60, %eax\n"
	"	movl $3, %edi\n"
	"	syscall\n"
	"1:	leave\n"
	"	ret\n");

static const char *const names[] = {
	"_Fork",   "_exit", "close",   "dlopen", "execve", "execvp",
	"exit",	   "fork",  "free",    "kill",	 "malloc", "open",
	"prctl",   "raise", "read",    "signal", "socket", "sigaction",
	"syscall", "vfork", "waitpid",
	/* libc's do nothing. */
	"__cyg_profile_func_enter", "__cyg_profile_func_exit",
};

static char *const nothing[] = {NULL};

static void handler(int sig)
{
	(void)sig;
}

/* What the child of a fork ends with. */
static int reap(pid_t pid)
{
	int status;

	if (pid == 0)
		_exit(5);
	return waitpid(pid, &status, 0) == pid ? WEXITSTATUS(status) : -1;
}

/* What it returns, as far as that is always the same. */
static int call(const char *name, void *fn)
{
	static struct sigaction action;
	static char buf[16];
	int status;

	action.sa_handler = handler;
	if (strstr(name, "ork"))
		return reap(*name == 'v' ? vfork_off(fn) : call_off(fn));
	if (strncmp(name, "__cyg", 5) == 0)
		return call_off(fn, handler, handler), 0;
	if (strstr(name, "exit"))
		return call_off(fn, 6);
	if (strcmp(name, "dlopen") == 0 || strcmp(name, "malloc") == 0)
		return call_off(fn, NULL, RTLD_NOW) != 0;
	if (strncmp(name, "exec", 4) == 0)
		return call_off(fn, "/nonexistent", nothing, nothing);
	if (strcmp(name, "free") == 0)
		return call_off(fn, NULL), 0;
	if (strcmp(name, "kill") == 0)
		return call_off(fn, getpid(), SIGUSR1);
	if (strcmp(name, "open") == 0)
		return call_off(fn, "/nonexistent", O_RDONLY);
	if (strcmp(name, "prctl") == 0)
		return call_off(fn, PR_GET_DUMPABLE);
	if (strcmp(name, "raise") == 0)
		return call_off(fn, SIGUSR1);
	if (strcmp(name, "sigaction") == 0)
		return call_off(fn, SIGUSR2, &action, NULL);
	if (strcmp(name, "signal") == 0)
		return call_off(fn, SIGUSR2, handler);
	if (strcmp(name, "socket") == 0)
		return call_off(fn, AF_UNIX, -1, 0);
	if (strcmp(name, "syscall") == 0)
		return call_off(fn, SYS_seccomp, -1, 0, NULL);
	if (strcmp(name, "waitpid") == 0)
		return call_off(fn, -1, &status, WNOHANG);
	return call_off(fn, -1, buf, sizeof(buf)); /* close, read */
}

int main(int argc, char **arg)
{
	signal(SIGUSR1, handler);
	for (size_t i = 0; argc < 2 && i < sizeof(names) / sizeof(*names); i++)
		puts(names[i]);
	if (argc < 2)
		return 0;
	printf("%s: ", arg[1]);
	fflush(stdout);
	printf("%d\n", call(arg[1], dlsym(RTLD_DEFAULT, arg[1])));
	fflush(stdout);
	return 0;
}

#else

int main(void)
{
	return 0;
}

#endif
