/* SPDX-License-Identifier: MIT */
/*
 * ptrace-run: its command stops, and their process group is continued between
 * any two system calls by which ptrace-run is about to stop as well, or later:
 * both go on.
 */
#include "t/lib/proc.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

static char *program;
static char monitor[4096];
static int fds[2];

/* The command. */
static int stop(const char *fd)
{
	pid_t pid = getpid();

	if (write(atoi(fd), &pid, sizeof(pid)) != sizeof(pid))
		return 99;
	close(atoi(fd));
	raise(SIGSTOP);
	return 5;
}

static int run(struct proc *self, void *arg)
{
	char fd[16];

	(void)self;
	(void)arg;
	setpgid(0, 0);
	snprintf(fd, sizeof(fd), "%d", fds[1]);
	step_here();
	execl(monitor, "ptrace-run", "-q", "-o", "/dev/null", program, "stop",
	      fd, (char *)NULL);
	return 98;
}

static int is_stopped(pid_t pid)
{
	char path[64], text[512] = "", *end;
	FILE *file;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	fread(text, 1, sizeof(text) - 1, file);
	fclose(file);
	end = strrchr(text, ')');
	return end && strncmp(end, ") T", 3) == 0;
}

/* Goes on to ptrace-run's next stop, with the signal; returns the status. */
static int next_stop(pid_t pid, int signo)
{
	int status;

	if (ptrace(PTRACE_SYSCALL, pid, NULL, (void *)(long)signo) ||
	    waitpid(pid, &status, 0) != pid)
		return 0;
	return status;
}

/*
 * Goes to that moment, counted from when the command has stopped; or to where
 * ptrace-run stops.  Returns how many there were.
 */
static int go_to(const struct proc *p, int moment, int *stopped_by)
{
	int status, signo = 0, nr = 0;
	pid_t command = 0;

	while (nr < moment) {
		status = next_stop(p->pid, signo);
		if (!WIFSTOPPED(status))
			return -1;
		signo = WSTOPSIG(status);
		if (signo == SIGSTOP || signo == SIGTSTP) {
			*stopped_by = signo;
			break;
		}
		if (signo == SIGTRAP)
			signo = 0;
		if (!command)
			read(fds[0], &command, sizeof(command));
		nr += command && is_stopped(command);
	}
	return nr;
}

static int stuck, wrong;

/* Is there such a moment? */
static int one_round(int moment)
{
	int status = 0, signo = 0, nr;
	struct proc p;

	if (pipe(fds) || fcntl(fds[0], F_SETFL, O_NONBLOCK))
		exit(1);
	proc_start(&p, run, NULL);
	if (!step_await(&p))
		skip_all("no ptrace(2)");
	close(fds[1]);
	nr = go_to(&p, moment, &signo);
	if (!signo)
		kill(-p.pid, SIGCONT);
	ptrace(PTRACE_DETACH, p.pid, NULL, (void *)(long)signo);
	if (signo) {
		waitpid(p.pid, &status, WUNTRACED);
		kill(-p.pid, SIGCONT);
	}
	waitpid(p.pid, &status, WUNTRACED);
	stuck += WIFSTOPPED(status);
	wrong += !WIFSTOPPED(status) &&
		 !(WIFEXITED(status) && WEXITSTATUS(status) == 5);
	if (WIFSTOPPED(status))
		proc_kill(&p, SIGKILL);
	close(fds[0]);
	return nr == moment;
}

int main(int argc, char **argv)
{
	int moment = 1;

	if (argc > 2)
		return stop(argv[2]);
	program = argv[0];
	no_sanitizer();
	if (under_valgrind())
		skip_all("valgrind is no place for ptrace(2)");
	snprintf(monitor, sizeof(monitor),
		 "%s/libexec/libptrace/ptrace-monitor", top_builddir());
	while (one_round(moment))
		moment++;
	plan(3);
	ok(moment > 4, "continued at any of %d moments", moment - 1);
	is_int(stuck, 0, "it does not stop when nobody would continue it");
	is_int(wrong, 0, "the status is the command's");
	return done();
}
