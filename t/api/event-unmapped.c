/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_event: where a process cannot map the stream that traces it, for
 * want of descriptors or of memory, its events are lost, and counted: when it
 * can, when it ends, or when the stream does.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <sys/resource.h>
#include <unistd.h>

#define LOST 5
#define RECORDED 3

struct want {
	int resource;
	const char *name;
};

static trace_event_id_t id;

static void limit(int resource, rlim_t most)
{
	struct rlimit limit;

	getrlimit(resource, &limit);
	limit.rlim_cur = most < limit.rlim_max ? most : limit.rlim_max;
	setrlimit(resource, &limit);
}

static void put(int nr)
{
	for (int i = 0; i < nr; i++)
		event_put(id, (unsigned long)i);
}

/* In want from its first turn to its second. */
static int victim(struct proc *self, void *arg)
{
	const struct want *want = arg;

	event_id("an event");
	proc_turn(self);
	limit(want->resource, 0);
	put(LOST);
	if (!proc_turn(self))
		return 0;
	limit(want->resource, RLIM_INFINITY);
	put(RECORDED);
	proc_turn(self);
	return 0;
}

static trace_id_t trace(struct proc *p, struct want *want, int fd)
{
	trace_id_t trid;

	proc_start(p, victim, want);
	proc_await(p);
	trid = stream_make_log(p->pid, NULL, fd);
	stream_start(trid);
	proc_turn(p);
	return trid;
}

static long lost(int fd)
{
	struct posix_trace_info_np info;
	trace_id_t trid = log_open(fd);

	posix_trace_get_info_np(trid, &info);
	posix_trace_close(trid);
	return (long)info.lost;
}

static void check(const char *what, struct want *want, int fd, int recorded)
{
	is_int(lost(fd), LOST, "%s, %s: [event.1] lost ones are counted",
	       want->name, what);
	is_int(log_count(fd, "an event"), recorded,
	       "%s, %s: [event.1] the others are recorded", want->name, what);
}

static void test(struct want *want)
{
	struct proc p;
	int fd = file_make();
	trace_id_t trid = trace(&p, want, fd);

	proc_turn(&p);
	stream_end(trid);
	check("mapped later", want, fd, RECORDED);
	proc_wait(&p);
	close(fd);

	fd = file_make();
	trid = trace(&p, want, fd);
	stream_end(trid);
	check("the stream ends before", want, fd, 0);
	proc_wait(&p);
	close(fd);

	fd = file_make();
	trid = trace(&p, want, fd);
	is_int(proc_wait(&p), 0, "%s: it ends", want->name);
	stream_end(trid);
	check("it ends before", want, fd, 0);
	is_int(log_count(fd, "process:exit"), 1, "%s: its end is told",
	       want->name);
	close(fd);
}

int main(void)
{
	struct want files = {RLIMIT_NOFILE, "descriptors"};
	struct want memory = {RLIMIT_AS, "memory"};

	no_sanitizer();
	plan(16);
	id = event_id("an event");
	test(&files);
	test(&memory);
	return done();
}
