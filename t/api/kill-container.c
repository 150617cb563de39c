/* SPDX-License-Identifier: MIT */
/*
 * Containers that are killed whole, whose processes nobody has reaped: a look
 * from a pid namespace that sees none of them tells their ends and leaves
 * nothing of them, and disturbs no process that lives.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_CONTAINERS 8
#define NR_CHILDREN 6

static trace_id_t trid;
static trace_event_id_t id;

/* Half of them are programs of their own. */
static void child(int ready, int n)
{
	event_put(id, (unsigned long)n);
	if (n % 2)
		execl("/proc/self/exe", "image", "child", NULL);
	(void)!write(ready, "", 1);
	for (;;)
		pause();
}

/* The first process of a container, which reaps nobody. */
static int container(struct proc *self, void *arg)
{
	int ready[2];
	char byte;

	(void)arg;
	if (pipe(ready))
		return 1;
	dup2(ready[1], 100);
	for (int i = 0; i < NR_CHILDREN; i++)
		if (fork() == 0)
			child(100, i);
	for (int i = 0; i < NR_CHILDREN; i++)
		if (read(ready[0], &byte, 1) != 1)
			return 2;
	proc_turn(self);
	return 0;
}

/* Looks after all streams that there are; and records, alive. */
static int bystander(struct proc *self, void *arg)
{
	(void)self;
	(void)arg;
	for (int i = 0; i < 3; i++)
		stream_end(stream_make(0, NULL));
	event_put(id, 4711);
	return 0;
}

static void run_and_kill(void)
{
	struct proc p[NR_CONTAINERS];
	int ready = 0, ended = 0;

	for (int i = 0; i < NR_CONTAINERS; i++)
		proc_start_first(&p[i], container, NULL);
	for (int i = 0; i < NR_CONTAINERS; i++)
		ready += proc_await(&p[i]);
	is_int(ready, NR_CONTAINERS, "containers");
	for (int i = 0; i < NR_CONTAINERS; i++)
		ended += proc_kill(&p[i], SIGKILL) == 128 + SIGKILL;
	/* The first process of each ends after all others of it. */
	while (waitpid(-1, NULL, 0) > 0)
		;
	is_int(ended, NR_CONTAINERS, "are killed");
}

int main(int argc, char **argv)
{
	struct posix_trace_info_np info;
	int before;
	struct proc p;

	if (argc > 1) {
		(void)!write(100, "", 1);
		for (;;)
			pause();
	}
	if (geteuid() != 0)
		skip_all("not root");
	private_shm(argv);
	plan(6);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	id = event_id("an event");
	trid = stream_run_for(1000, 64, POSIX_TRACE_LOOP);
	before = shm_files();
	run_and_kill();
	ok(shm_files() > before + NR_CONTAINERS, "they leave a lot");
	proc_start_first(&p, bystander, NULL);
	is_int(proc_wait(&p), 0, "a look from elsewhere");
	is_int(shm_files(), before, "nothing of them is left");
	posix_trace_get_info_np(trid, &info);
	is_int(info.live_processes, 1, "but we are");
	return done();
}
