/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create: EPERM if there is something else in each place that the
 * stream may have; posix_trace_refused_np tells what.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>

#define USER 60001

static int nr_bad;

static void bad_unless(int good, const char *what)
{
	if (!good)
		diag("%s", what);
	nr_bad += !good;
}

static int as_user(struct proc *self, void *arg)
{
	char text[512] = "untouched";
	trace_id_t trid;

	(void)self, (void)arg;
	if (setuid(USER))
		return 99;
	bad_unless(posix_trace_refused_np(getppid(), text, sizeof(text)) ==
				   EPERM &&
			   strcmp(text, "untouched") == 0,
		   "another user's process");
	bad_unless(posix_trace_create(0, NULL, &trid) == EPERM, "create");
	bad_unless(posix_trace_refused_np(0, text, sizeof(text)) == 0, "told");
	if (strcmp(text, "/dev/shm/ptrace-60001 to .7 (user 0's), "
			 "/run/user/60001/ptrace (not there)") != 0) {
		diag("%s", text);
		nr_bad++;
	}
	bad_unless(posix_trace_refused_np(0, text, 5) == 0 &&
			   strcmp(text, "/dev") == 0,
		   "what has no room is cut");
	return nr_bad;
}

static void take_all(void)
{
	char path[64];

	for (int i = 0; i < 8; i++) {
		snprintf(path, sizeof(path), "/dev/shm/ptrace-%d%s%.0d", USER,
			 i ? "." : "", i);
		mkdir(path, 0755);
	}
}

int main(int argc, char **argv)
{
	char text[512] = "";
	struct proc p;

	(void)argc;
	if (geteuid() == 0)
		private_shm(argv);
	plan(6);
	is_int(posix_trace_refused_np(0, NULL, 5), EINVAL, "no text");
	is_int(posix_trace_refused_np(0, text, 0), EINVAL, "no room");
	is_int(posix_trace_refused_np(-2, text, 5), ESRCH, "no process");
	is_int(posix_trace_refused_np(getpid(), text, sizeof(text)), 0, "we");
	is_str(text, "", "have a place");
	if (geteuid() != 0 || access("/run/user/60001", F_OK) == 0) {
		skip(1, "not root, or that user has another place");
		return done();
	}
	take_all();
	proc_start(&p, as_user, NULL);
	is_int(proc_wait(&p), 0, "all are taken");
	return done();
}
