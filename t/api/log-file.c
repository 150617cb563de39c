/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_create_withlog: old contents, O_APPEND, a moved offset, and a
 * program that closes the descriptor, or all, do not harm the log.
 */
#include "t/lib/proc.h"
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <fcntl.h>
#include <stdlib.h>

static void write_old(int fd)
{
	char old[10000];

	for (size_t i = 0; i < sizeof(old); i++)
		old[i] = (char)i;
	if (write(fd, old, sizeof(old)) != sizeof(old))
		exit(1);
}

static trace_id_t begin(int fd)
{
	trace_id_t trid = stream_make_log(0, NULL, fd);

	stream_start(trid);
	for (unsigned long i = 0; i < 100; i++)
		event_put(event_id("an event"), i);
	return trid;
}

static int close_all(struct proc *self, void *arg)
{
	trace_id_t trid = begin(*(int *)arg);

	(void)self;
	close_range(3, ~0u, 0);
	/* Descriptors of its own take the same numbers. */
	for (int i = 0; i < 600; i++)
		if (open("/dev/null", O_RDWR) < 0)
			break;
	for (unsigned long i = 0; i < 100; i++)
		event_put(event_id("an event"), i);
	posix_trace_flush(trid);
	posix_trace_shutdown(trid);
	return 0;
}

int main(void)
{
	int fd = file_make(), copy;
	trace_id_t trid, log;
	struct proc p;

	plan(7);
	write_old(fd);
	trid = begin(fd);
	is_int(posix_trace_shutdown(trid), 0,
	       "[create_withlog.2] a file with old contents");
	is_int(log_count(fd, "an event"), 100, "the new alone");

	fcntl(fd, F_SETFL, O_APPEND);
	trid = begin(fd);
	write_old(dup(open("/dev/null", O_WRONLY)));
	is_int(posix_trace_shutdown(trid), 0, "[create_withlog.2] O_APPEND");
	is_int(log_count(fd, "an event"), 100, "the new alone");

	copy = dup(fd);
	trid = begin(copy);
	close(copy);
	is_int(posix_trace_shutdown(trid), 0, "the program closed its own");
	is_int(log_count(fd, "an event"), 100, "all are there");

	proc_start(&p, close_all, &fd);
	proc_wait(&p);
	diag("after close_range: %d events", log_count(fd, "an event"));
	log = log_open(fd);
	is_int(posix_trace_close(log), 0, "the program closed all: still a log");
	return done();
}
