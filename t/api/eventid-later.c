/* SPDX-License-Identifier: MIT */
/*
 * A program that has opened names before anything traced it keeps their ids
 * when a controller comes, which finds them without its help, however it is
 * made known; and so does each process that it has forked.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>

struct ids {
	trace_event_id_t one, fields, late;
};

/* What a process does between the turns of the test. */
static void turns(struct proc *self)
{
	struct ids ids = {event_id("one"), 0, 0};

	posix_trace_eventid_open_fields_np("with fields", "a:i", &ids.fields);
	proc_send(self, &ids, sizeof(ids));
	while (proc_await(self)) {
		ids.late = event_id("late");
		event_put(ids.one, 1);
		event_put(ids.late, 3);
		proc_send(self, &ids, sizeof(ids));
	}
}

static int child(struct proc *self, void *arg)
{
	if (arg && unshare(CLONE_NEWIPC)) {
		struct ids none = {0};

		proc_send(self, &none, sizeof(none));
		return 0;
	}
	turns(self);
	return 0;
}

/* Is it the type of that name, with these fields? */
static bool is_type(trace_id_t trid, trace_event_id_t id, const char *name,
		    const char *fields)
{
	char there[TRACE_EVENT_NAME_MAX + 1], what[64];

	return posix_trace_eventid_get_name(trid, id, there) == 0 &&
	       strcmp(there, name) == 0 &&
	       posix_trace_eventid_get_fields_np(trid, id, what,
						 sizeof(what)) == 0 &&
	       strcmp(what, fields) == 0;
}

static void recorded(trace_id_t trid, const struct ids *ids, const char *how)
{
	struct event ev;

	ok(event_find(trid, ids->one, &ev) && ev.size == sizeof(long),
	   "%s: the event of an early name", how);
	ok(event_find(trid, ids->late, &ev), "%s: that of a late one", how);
	ok(is_type(trid, ids->one, "one", "") &&
		   is_type(trid, ids->late, "late", ""),
	   "%s: both have their names", how);
}

/* The process sleeps until it is told to go on. */
static void asleep(void)
{
	trace_event_id_t id = 0;
	struct proc p;
	struct ids ids;
	trace_id_t trid, other;

	proc_start(&p, child, NULL);
	proc_receive(&p, &ids, sizeof(ids));
	trid = stream_make(p.pid, NULL);
	ok(is_type(trid, ids.one, "one", "") &&
		   is_type(trid, ids.fields, "with fields", "a:i"),
	   "the names are seen while it sleeps");
	posix_trace_trid_eventid_open(trid, "one", &id);
	is_int(id, ids.one, "the controller gets the id that it has");
	posix_trace_trid_eventid_open(trid, "late", &id);
	stream_start(trid);
	proc_tell(&p);
	proc_receive(&p, &ids, sizeof(ids));
	is_int(ids.late, id, "and it the one that the controller has given");
	recorded(trid, &ids, "asleep");
	other = stream_make(p.pid, NULL);
	ok(is_type(other, ids.late, "late", ""), "a second stream has all");
	stream_end(other);
	stream_end(trid);
	proc_kill(&p, SIGKILL);
}

/* Forked before, of one family: traced one after the other. */
static int family(struct proc *self, void *arg)
{
	struct proc kid;
	struct ids ids;

	(void)arg;
	event_id("of both");
	proc_start(&kid, child, NULL);
	proc_receive(&kid, &ids, sizeof(ids));
	proc_send(self, &kid.pid, sizeof(kid.pid));
	proc_send(self, &ids, sizeof(ids));
	proc_await(self);
	ids.late = event_id("parent's");
	proc_send(self, &ids.late, sizeof(ids.late));
	proc_await(self);
	proc_tell(&kid);
	proc_receive(&kid, &ids, sizeof(ids));
	proc_send(self, &ids, sizeof(ids));
	proc_await(self);
	proc_kill(&kid, SIGKILL);
	return 0;
}

static void forked(void)
{
	trace_id_t of_child, of_parent;
	trace_event_id_t parents;
	struct ids ids;
	struct proc p;
	pid_t kid;

	proc_start(&p, family, NULL);
	proc_receive(&p, &kid, sizeof(kid));
	proc_receive(&p, &ids, sizeof(ids));
	of_child = stream_make(kid, NULL);
	stream_start(of_child);
	proc_tell(&p);
	proc_receive(&p, &parents, sizeof(parents));
	ok(is_type(of_child, parents, "parent's", ""),
	   "what the parent opens since is known in the child's stream");
	of_parent = stream_make(p.pid, NULL);
	ok(is_type(of_parent, ids.one, "one", ""),
	   "what the child has opened, in the parent's");
	proc_tell(&p);
	proc_receive(&p, &ids, sizeof(ids));
	recorded(of_child, &ids, "a child forked before");
	stream_end(of_child);
	stream_end(of_parent);
	proc_tell(&p);
	is_int(proc_wait(&p), 0, "both are content");
}

/* Nobody else can reach what it has: it takes its names along itself. */
static void elsewhere(void)
{
	struct ids ids;
	struct proc p;
	trace_id_t trid;

	proc_start(&p, child, &p);
	proc_receive(&p, &ids, sizeof(ids));
	if (!ids.one) {
		skip(3, "no IPC namespace");
		proc_kill(&p, SIGKILL);
		return;
	}
	trid = stream_make(p.pid, NULL);
	stream_start(trid);
	proc_tell(&p);
	proc_receive(&p, &ids, sizeof(ids));
	recorded(trid, &ids, "in another IPC namespace");
	stream_end(trid);
	proc_kill(&p, SIGKILL);
}

int main(void)
{
	plan(16);
	asleep();
	forked();
	elsewhere();
	return done();
}
