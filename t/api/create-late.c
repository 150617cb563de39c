/* SPDX-License-Identifier: MIT */
/* A process that could not enter the registry when it began does so when it
 * creates a stream; and has no stream without. */
#include "t/lib/proc.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <trace.h>
#include <unistd.h>

/* How many descriptors there may be: one, which ld.so needs, is too few. */
static void limit(rlim_t files)
{
	struct rlimit limit;

	getrlimit(RLIMIT_NOFILE, &limit);
	limit.rlim_cur = files;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* In the program that could not enter: what of it is as it should be, a bit
 * each. */
static int late(void)
{
	struct posix_trace_event_info info;
	trace_event_id_t id;
	trace_id_t trid;
	int unavailable = 1, well;
	char data[64];
	size_t size;

	well = posix_trace_create(0, NULL, &trid) == EMFILE;
	limit(64);
	if (posix_trace_create(0, NULL, &trid) != 0)
		return well;
	well |= 2;
	posix_trace_eventid_open("mine", &id);
	posix_trace_start(trid);
	posix_trace_event(id, NULL, 0);
	do
		posix_trace_trygetnext_event(trid, &info, data, sizeof(data),
					     &size, &unavailable);
	while (!unavailable && info.posix_event_id != id);
	return unavailable ? well : well | 4;
}

static int begin(struct proc *self, void *arg)
{
	char again[] = "again", *argv[] = {arg, again, NULL};

	(void)self;
	closefrom(3);
	limit(4);
	execv(argv[0], argv);
	return 0;
}

static void test(char *program, const char *how)
{
	struct proc p;
	int well;

	proc_start(&p, begin, program);
	well = proc_wait(&p);
	ok(well & 1, "%s: still no descriptors", how);
	ok(well & 2, "%s: now there are some", how);
	ok(well & 4, "%s: the event is recorded", how);
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return late();
	if (under_valgrind())
		skip_all("valgrind has a limit of its own");
	plan(6);
	test(argv[0], "a program");
	setenv("PTRACE_DISABLE", "1", 1);
	test(argv[0], "one that records nothing by itself");
	return done();
}
