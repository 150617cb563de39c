/* SPDX-License-Identifier: MIT */
/*
 * POSIX_TRACE_ALLPROC: processes that are there, that come, and what they
 * fork; whose names are known, and whose are not.
 */
#include "t/lib/proc.h"
#include "t/lib/shm.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *self;

static int record(const char *text)
{
	posix_trace_event(event_id("of everyone"), text, strlen(text) + 1);
	return 0;
}

/* Another program, of no family with us, that has a name of its own or not;
 * it records when it is told to. */
static int stranger(struct proc *p, void *arg)
{
	char in[16], out[16];

	snprintf(in, sizeof(in), "%d", p->read_fd);
	snprintf(out, sizeof(out), "%d", p->write_fd);
	execl(self, self, arg, in, out, NULL);
	return 126;
}

/* Has a program of its own family record instead. */
static int spawn(void)
{
	char *argv[] = { self, (char *)"spawned", (char *)"0", (char *)"1",
			 NULL };
	int status;
	pid_t pid;

	event_id("of everyone");
	if (posix_spawn(&pid, "/proc/self/exe", NULL, NULL, argv, environ))
		return 126;
	waitpid(pid, &status, 0);
	return status;
}

static int main_of_stranger(char **argv)
{
	struct proc p = {0, atoi(argv[2]), atoi(argv[3])};

	if (strcmp(argv[1], "spawned") == 0)
		return record(argv[1]);
	if (strcmp(argv[1], "named") == 0 || strcmp(argv[1], "spawner") == 0)
		event_id("of everyone");
	proc_turn(&p);
	if (strcmp(argv[1], "spawner") == 0)
		return spawn();
	return record(argv[1]);
}

static int forker(struct proc *p, void *arg)
{
	(void)p;
	(void)arg;
	return record("forked");
}

/* What an event says, if it is one of user events. */
static const char *next_text(trace_id_t trid, struct event *ev, char *name)
{
	while (event_next(trid, ev))
		if (posix_trace_eventid_get_name(trid, ev->info.posix_event_id,
						 name) == 0 &&
		    (strcmp(name, "of everyone") == 0 ||
		     ev->info.posix_event_id == POSIX_TRACE_UNNAMED_USEREVENT))
			return (const char *)ev->data;
	return "";
}

static void run(int inherited, const char *kind)
{
	trace_attr_t *attr = stream_attr(0, 0, 0);
	char name[TRACE_EVENT_NAME_MAX + 1];
	struct proc named, other, late, child, spawner;
	struct event ev;
	trace_id_t trid;

	proc_start(&named, stranger, (void *)"named");
	proc_await(&named);
	proc_start(&other, stranger, (void *)"other");
	proc_await(&other);
	proc_start(&spawner, stranger, (void *)"spawner");
	proc_await(&spawner);
	posix_trace_attr_setinherited(attr, inherited);
	is_int(posix_trace_create(POSIX_TRACE_ALLPROC, attr, &trid), 0,
	       "%s: created", kind);
	stream_start(trid);
	proc_tell(&named);
	is_int(proc_wait(&named), 0, "one that had a name records");
	proc_tell(&other);
	is_int(proc_wait(&other), 0, "one that had none");
	proc_start(&late, stranger, (void *)"late");
	proc_await(&late);
	proc_tell(&late);
	is_int(proc_wait(&late), 0, "one that comes later");
	record("self");
	proc_start(&child, forker, NULL);
	is_int(proc_wait(&child), 0, "one that is forked");
	proc_tell(&spawner);
	is_int(proc_wait(&spawner), 0, "one that a stranger spawns");
	record("end");

	is_str(next_text(trid, &ev, name), "named", "the first");
	is_int(ev.info.posix_pid, named.pid, "its pid");
	is_str(name, "posix_trace_unnamed_userevent", "its name is another's");
	is_str(next_text(trid, &ev, name), "other", "the second");
	is_str(name, "of everyone", "its name is ours");
	is_str(next_text(trid, &ev, name), "late", "the third");
	is_int(ev.info.posix_pid, late.pid, "its pid");
	is_str(name, "of everyone", "its name is ours");
	is_str(next_text(trid, &ev, name), "self", "ourselves");
	is_str(name, "of everyone", "its name is ours");
	if (inherited == POSIX_TRACE_INHERITED)
		is_str(next_text(trid, &ev, name), "forked", "the child");
	is_str(next_text(trid, &ev, name), "spawned", "the spawned one");
	is_str(name, inherited == POSIX_TRACE_INHERITED ?
			     "posix_trace_unnamed_userevent" : "of everyone",
	       "its name is that of its family");
	is_str(next_text(trid, &ev, name), "end", "ourselves again");
	stream_end(trid);
}

int main(int argc, char **argv)
{
	trace_id_t trid[TRACE_SYS_MAX + 1];
	unsigned int n = 0;
	struct proc p;
	int err;

	self = argv[0];
	if (argc > 3)
		return main_of_stranger(argv);
	no_sanitizer();
	private_shm(argv);
	plan(44);
	run(POSIX_TRACE_INHERITED, "inherited");
	run(POSIX_TRACE_CLOSE_FOR_CHILD, "closed for child");
	proc_start(&p, stranger, (void *)"other");
	proc_await(&p);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "afterwards a process comes");
	stream_end(stream_make(0, NULL));
	is_int(shm_files(), 2, "nothing is left but what is ours");

	while (!(err = posix_trace_create(POSIX_TRACE_ALLPROC, NULL, &trid[n])))
		n++;
	is_int(n, TRACE_SYS_MAX, "so many streams");
	is_int(err, EAGAIN, "and no more");
	while (n > 0)
		err |= posix_trace_shutdown(trid[--n]);
	is_int(err, EAGAIN, "all shut down");
	return done();
}
