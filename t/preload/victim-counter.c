/* SPDX-License-Identifier: MIT */
/*
 * victim-counter HOW: forbids itself the CPU's counter, by prctl or syscall or
 * seccomp's strict mode, goes on, and may read it again in the end.  With fork,
 * thread or vfork somebody else goes on, too.
 */
#include <fcntl.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(const char *path)
{
	for (int i = 0; i < 3; i++)
		if (open(path, O_RDONLY) >= 0)
			_exit(9);
}

static void *thread(void *arg)
{
	work("/while/thread");
	return arg;
}

static void go_on(const char *how)
{
	pthread_t id;
	int status;
	pid_t pid;

	work("/while/it");
	if (strcmp(how, "thread") == 0) {
		pthread_create(&id, NULL, thread, NULL);
		pthread_join(id, NULL);
	} else if (strcmp(how, "fork") == 0) {
		pid = fork();
		if (pid == 0) {
			work("/while/child");
			_exit(5);
		}
		waitpid(pid, &status, 0);
		printf("%d\n", WEXITSTATUS(status));
	}
}

/* Strict mode leaves write() and _exit(). */
static int strict(void)
{
	static const char text[] = "strict\n";

	prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);
	for (int i = 0; i < 3; i++)
		if (write(1, text, sizeof(text) - 1) < 0)
			syscall(SYS_exit, 9);
	return (int)syscall(SYS_exit, 4);
}

/* In its parent's memory. */
static int in_child(void)
{
	int status;
	pid_t pid = vfork();

	if (pid == 0) {
		prctl(PR_SET_TSC, PR_TSC_SIGSEGV);
		open("/while/child", O_RDONLY);
		_exit(5);
	}
	waitpid(pid, &status, 0);
	work("/after");
	return WEXITSTATUS(status);
}

int main(int argc, char **argv)
{
	const char *how = argc > 1 ? argv[1] : "prctl";

	work("/before");
	if (strcmp(how, "strict") == 0)
		return strict();
	if (strcmp(how, "vfork") == 0)
		return in_child();
	if ((strcmp(how, "syscall") == 0 ?
		     syscall(SYS_prctl, PR_SET_TSC, PR_TSC_SIGSEGV, 0, 0, 0) :
		     prctl(PR_SET_TSC, PR_TSC_SIGSEGV)))
		return 77;
	go_on(how);
	if (strcmp(how, "end") == 0)
		return 4;
	if (strcmp(how, "syscall") == 0)
		syscall(SYS_prctl, PR_SET_TSC, PR_TSC_ENABLE, 0, 0, 0);
	else
		prctl(PR_SET_TSC, PR_TSC_ENABLE);
	work("/after");
	return 4;
}
