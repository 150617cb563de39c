/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: a process gives its entry back, and another takes it, at
 * any moment: the one is traced, and not the other.
 */
#include "t/lib/shm.h"
#include "t/lib/step.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t target;

static int controller(struct proc *self, void *arg)
{
	trace_id_t trid;
	int err;

	(void)self;
	(void)arg;
	/* Is there already what every process has? */
	posix_trace_shutdown(stream_make(0, NULL));
	step_here();
	err = posix_trace_create(target, NULL, &trid);
	step_here();
	return err;
}

/* The entry becomes another's at the n-th stop after it was made.  0: there are
 * not so many; else 1, or 2 if it failed, or the other is traced then. */
static int one(int n)
{
	struct proc p;
	int entry = -1, on = 1, err, wrong;

	/* It has no entry of its own. */
	target = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
	while (target == 0)
		pause();
	proc_start(&p, controller, NULL);
	if (!step_await(&p))
		skip_all("no ptrace(2)");
	while (entry < 0 && (on = step_on(&p, PTRACE_SYSCALL)) != 0)
		if (shm_is_awaited(target) && n-- == 0)
			entry = shm_take_awaited(target);
	while (on)
		on = step_on(&p, PTRACE_SYSCALL);
	err = step_finish(&p);
	kill(target, SIGKILL);
	waitpid(target, NULL, 0);
	if (entry < 0)
		return 0;
	wrong = err || shm_streams(entry) > 0;
	shm_give_back(entry);
	return 1 + wrong;
}

int main(int argc, char **argv)
{
	int result, nr = 0, wrong = 0;

	(void)argc;
	step_needed();
	private_shm(argv);
	plan(2);
	while ((result = one(nr)) > 0) {
		wrong += result > 1;
		nr++;
	}
	ok(nr > 10, "%d moments", nr);
	is_int(wrong, 0, "the other is never traced");
	return done();
}
