/* SPDX-License-Identifier: MIT */
/*
 * SIGKILL at each system call of a fork child, of an image after exec, and of
 * the parent that records how its child ended: for each process whose start is
 * in the stream, the end is, too, and both once.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

enum victim { CHILD, IMAGE, REAPER };

static trace_id_t trid;
static int wrong;

static int parent(struct proc *self, void *arg)
{
	enum victim victim = *(enum victim *)arg;
	pid_t pid;

	proc_turn(self);
	pid = fork();
	if (pid == 0 && victim == IMAGE)
		execl("/proc/self/exe", "image", NULL);
	if (pid == 0 && victim == REAPER)
		raise(SIGKILL);
	if (pid == 0)
		_exit(0);
	waitpid(pid, NULL, 0);
	return 0;
}

/* Past our wrapper: it is not we who shall tell of the end. */
static int wait_stop(pid_t pid)
{
	int status;

	while (syscall(SYS_wait4, pid, &status, __WALL, NULL) < 0)
		if (errno != EINTR)
			return 0;
	return status;
}

/* Lets it go on for n stops at system calls, and kills it.  False: it ended
 * before. */
static int kill_at(pid_t pid, int n)
{
	int status, signal = 0;

	for (;;) {
		ptrace(PTRACE_SYSCALL, pid, 0, signal);
		status = wait_stop(pid);
		if (!WIFSTOPPED(status))
			return 0;
		if (WSTOPSIG(status) == (SIGTRAP | 0x80) && n-- == 0)
			break;
		/* Not the signals of ptrace(2) itself. */
		signal = status >> 16 == 0 && WSTOPSIG(status) != SIGTRAP &&
					 WSTOPSIG(status) != (SIGTRAP | 0x80) ?
				 WSTOPSIG(status) :
				 0;
	}
	kill(pid, SIGKILL);
	wait_stop(pid);
	return 1;
}

/* Its look at the processes tells of those that nobody reaped, at the second
 * time. */
static unsigned int nr_live(void)
{
	struct posix_trace_info_np info;

	return posix_trace_get_info_np(trid, &info) == 0 ? info.live_processes :
							   0;
}

struct life {
	int births, ends;
};

static void read_life(pid_t pid, const struct event *ev, struct life *life)
{
	char name[TRACE_EVENT_NAME_MAX + 1];

	posix_trace_eventid_get_name(trid, ev->info.posix_event_id, name);
	life->births += strcmp(name, "process:fork") == 0 &&
			ev->word == (unsigned long)pid;
	life->ends +=
		strcmp(name, "process:exit") == 0 && ev->info.posix_pid == pid;
}

static void check(int n, pid_t pid, pid_t of_parent)
{
	struct life child = {0, 0}, its_parent = {0, 0};
	struct event ev;

	while (event_next(trid, &ev)) {
		read_life(pid, &ev, &child);
		read_life(of_parent, &ev, &its_parent);
	}
	if (child.births == child.ends && child.births <= 1 &&
	    its_parent.births == 1 && its_parent.ends == 1)
		return;
	if (wrong++ < 5)
		diag("killed at stop %d: %d births, %d ends; parent: %d, %d", n,
		     child.births, child.ends, its_parent.births,
		     its_parent.ends);
}

static int one(enum victim victim, int n)
{
	unsigned long child = 0;
	struct proc p;
	int killed;

	proc_start(&p, parent, &victim);
	proc_await(&p);
	if (ptrace(PTRACE_SEIZE, p.pid, 0,
		   PTRACE_O_TRACEFORK | PTRACE_O_TRACESYSGOOD) != 0)
		skip_all("no ptrace(2)");
	proc_tell(&p);
	wait_stop(p.pid);
	ptrace(PTRACE_GETEVENTMSG, p.pid, 0, &child);
	wait_stop((pid_t)child);
	if (victim == REAPER) {
		ptrace(PTRACE_CONT, child, 0, 0);
		wait_stop((pid_t)child);
	} else {
		ptrace(PTRACE_DETACH, p.pid, 0, 0);
	}
	killed = kill_at(victim == REAPER ? p.pid : (pid_t)child, n);
	if (victim != REAPER) {
		proc_wait(&p);
	} else {
		close(p.read_fd);
		close(p.write_fd);
	}
	while (nr_live() > 1)
		;
	nr_live();
	check(n, (pid_t)child, p.pid);
	return killed;
}

static void test(enum victim victim, const char *what)
{
	int n = 0;

	while (one(victim, n))
		n++;
	ok(n > 3, "%s: killed at %d stops", what, n);
	is_int(wrong, 0, "%s: [exit.4] as many births as ends", what);
	wrong = 0;
}

int main(int argc, char **argv)
{
	(void)argc;
	if (strcmp(argv[0], "image") == 0)
		return 0;
	no_sanitizer();
	if (under_valgrind())
		skip_all("valgrind is no place for ptrace(2)");
	if (under_coverage())
		skip_all("too many system calls, libgcov's");
	trid = stream_make(0, attr_inherit(stream_attr(0, 0, 0)));
	stream_start(trid);
	one(CHILD, 0); /* can it be done here? */
	plan(6);
	test(CHILD, "a child");
	test(IMAGE, "an image");
	test(REAPER, "who reaps");
	stream_end(trid);
	return done();
}
