/* SPDX-License-Identifier: MIT */
/*
 * exec: what the controller created is shut down, though its process lives on:
 * the log is complete, the traced process is so no longer, and goes on.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"
#include "t/lib/target.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>

enum how { EXEC, RAW_EXEC, BY_THREAD, NR_HOWS };

struct job {
	enum how how;
	pid_t target;
	int fd;
};

static char *path;

static void *exec_in_thread(void *args)
{
	execv(path, args);
	return NULL;
}

/* The new image, alive while all else is looked at. */
static int after_exec(char **argv)
{
	struct proc p = proc_again(argv);
	trace_id_t trid = (trace_id_t)strtoull(argv[4], NULL, 16);
	int err = posix_trace_stop(trid);

	proc_turn(&p);
	return err != EINVAL;
}

static int controller(struct proc *self, void *arg)
{
	struct job *job = arg;
	char read_fd[16], write_fd[16], trid_text[32];
	char *args[] = {path,	  (char *)"image", read_fd,
			write_fd, trid_text,	   NULL};
	trace_id_t trid = stream_make_log(job->target, NULL, job->fd);
	struct posix_trace_status_info status;
	pthread_t thread;
	pid_t pid;

	stream_start(trid);
	/* What its children do is not what it does. */
	pid = vfork();
	if (pid == 0) {
		execl("/bin/true", "true", (char *)NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
	execl("/nonexistent", "x", (char *)NULL);
	if (posix_trace_get_status(trid, &status) ||
	    status.posix_stream_status != POSIX_TRACE_RUNNING)
		return 1;
	proc_turn(self);
	snprintf(read_fd, sizeof(read_fd), "%d", dup(self->read_fd));
	snprintf(write_fd, sizeof(write_fd), "%d", dup(self->write_fd));
	snprintf(trid_text, sizeof(trid_text), "%llx",
		 (unsigned long long)trid);
	if (job->how == RAW_EXEC)
		syscall(SYS_execve, path, args, environ);
	if (job->how == BY_THREAD) {
		pthread_create(&thread, NULL, exec_in_thread, args);
		pthread_join(thread, NULL);
	}
	execv(path, args);
	return 2;
}

static void check(enum how how)
{
	struct job job = {.how = how, .fd = file_make()};
	struct proc target, p;
	trace_id_t trid;

	target_start(&target, 10);
	job.target = target.pid;
	proc_start(&p, controller, &job);
	ok(proc_await(&p), "[exec.8] it goes on after one that failed");
	proc_turn(&target);
	proc_tell(&p);
	ok(proc_await(&p), "the new image runs");
	is_int(log_count(job.fd, "an event"), 10, "[exec.5] the log has all");
	is_int((long long)log_last(job.fd), POSIX_TRACE_STOP,
	       "[exec.4] and ends with STOP");
	proc_turn(&target);
	is_int(log_count(job.fd, "an event"), 10, "[exec.6] not traced now");
	is_int(posix_trace_create(target.pid, NULL, &trid), 0,
	       "another may trace it");
	stream_end(trid);
	is_int(proc_wait(&target), 0, "[exec.6] and it goes on");
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "[exec.4] the old trid was not valid");
}

int main(int argc, char **argv)
{
	path = argv[0];
	if (argc > 4 && strcmp(argv[1], "image") == 0)
		return after_exec(argv);
	plan(NR_HOWS * 8);
	for (enum how how = EXEC; how < NR_HOWS; how++)
		check(how);
	return done();
}
