/* SPDX-License-Identifier: MIT */
/*
 * A process that is traced by nothing and controls a stream makes a child that
 * no wrapper sees: when that ends, or executes a program that ends, the process
 * is still known, and its stream is there.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static trace_event_id_t id;

static int recorder(struct proc *self, void *arg)
{
	(void)arg;
	while (proc_turn(self))
		event_put(id, 1);
	return 0;
}

static void child(int executes)
{
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);

	if (pid == 0) {
		if (executes)
			execl("/proc/self/exe", "image", "ends", NULL);
		_exit(0);
	}
	waitpid(pid, NULL, 0);
}

static void test(struct proc *p, trace_id_t trid, int executes,
		 const char *what)
{
	int before = shm_files();

	child(executes);
	is_int(shm_files(), before, "%s: nothing is gone", what);
	proc_turn(p);
	is_int(event_count(trid, id), 1, "%s: the stream runs", what);
}

int main(int argc, char **argv)
{
	trace_id_t trid;
	struct proc p;

	if (argc > 1 && strcmp(argv[1], "ends") == 0)
		return 0;
	no_sanitizer();
	private_shm(argv);
	plan(4);
	id = event_id("an event");
	proc_start(&p, recorder, NULL);
	proc_await(&p);
	trid = stream_run(p.pid, NULL);
	test(&p, trid, 0, "it ends");
	test(&p, trid, 1, "it executes a program");
	stream_end(trid);
	close(p.write_fd);
	waitpid(p.pid, NULL, 0);
	return done();
}
