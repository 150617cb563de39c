/* SPDX-License-Identifier: MIT */
/*
 * A process that flushes a log of its own ends as it would alone, whatever it
 * may learn of itself: where the kernel does not list its threads, where /proc
 * is another pid namespace's.  It is not ended while it goes on, and does end
 * when the last of its threads has left.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static int fd;

/* Until the flusher has come round so often that it has also looked whether it
 * is the last: each flush of its own shows in the file. */
static void await_flushes(int nr)
{
	const struct timespec pause = {0, 1000000};
	trace_event_id_t id = event_id("an event");
	struct stat st;
	off_t size;

	for (; nr > 0; nr--) {
		event_put(id, 1);
		fstat(fd, &st);
		for (size = st.st_size; st.st_size == size; fstat(fd, &st))
			nanosleep(&pause, NULL);
	}
}

static void *go_on(void *leader)
{
	pthread_join(*(pthread_t *)leader, NULL);
	await_flushes(2);
	return NULL;
}

/* Goes on for a while and exits, or has its last thread leave. */
static int live(const char *how)
{
	static pthread_t leader;
	pthread_t thread;

	stream_begin(stream_make_log(0, NULL, fd));
	if (strcmp(how, "leave") != 0) {
		await_flushes(2);
		return 7;
	}
	leader = pthread_self();
	pthread_create(&thread, NULL, go_on, &leader);
	pthread_detach(thread);
	pthread_exit(NULL);
}

/* In a new image, which does not know of the filter. */
static int unlisted(struct proc *self, void *how)
{
	struct sock_filter filter[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getdents64, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {4, filter};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
	    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
		return 77;
	/* Nor is it to be careful, where we are preloaded as with a sanitizer.
	 */
	setenv("PTRACE_FILTERS", "1", 1);
	proc_exec(self, "/proc/self/exe", how);
	return 1;
}

static int another_proc(struct proc *self, void *how)
{
	int status;
	pid_t pid;

	(void)self;
#ifdef __SANITIZE_ADDRESS__
	return 77; /* it looks for leaks in /proc, in vain */
#endif
	if (unshare(CLONE_NEWPID) && unshare(CLONE_NEWUSER | CLONE_NEWPID))
		return 77;
	pid = fork();
	if (pid == 0)
		exit(live(how));
	waitpid(pid, &status, 0);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static void test(const char *what, int (*fn)(struct proc *self, void *arg))
{
	static char go[] = "go on", leave[] = "leave";
	struct proc p;
	int status;

	fd = file_make();
	dup2(fd, 100);
	fd = 100;
	proc_start(&p, fn, go);
	status = proc_wait(&p);
	if (status == 77) {
		skip(4, "%s: not allowed", what);
		return;
	}
	is_int(status, 7, "%s: its own exit status", what);
	ok(log_count(fd, "an event") >= 2, "%s: and its events", what);
	proc_start(&p, fn, leave);
	is_int(proc_wait(&p), 0, "%s: [exit.5] ends with its last thread",
	       what);
	ok(log_count(fd, "an event") >= 2, "%s: and has its events", what);
}

int main(int argc, char **argv)
{
	if (argc > 1) {
		fd = 100;
		return live(argv[1]);
	}
	/* It stumbles over pthread_join() of the main thread. */
	if (under_tsan())
		skip_all("no process ends so under ThreadSanitizer");
	if (under_valgrind())
		skip_all("valgrind runs no other program by this name");
	plan(8);
	test("threads not listed", unlisted);
	test("/proc of another namespace", another_proc);
	return done();
}
