/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event: who asks again at the end of a log that is still
 * being written gets what was written meanwhile, each event once, wherever the
 * file ended before; and it is known when the log is complete.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NR 300
#define STEPS 97

static trace_event_id_t id;

/* Numbers from *next on, up to the end; false if one is missing or twice. */
static bool read_on(trace_id_t log, unsigned long *next)
{
	struct event ev;

	while (event_find(log, id, &ev))
		if (ev.word != (*next)++)
			return false;
	return true;
}

static int state_of(trace_id_t log)
{
	struct posix_trace_info_np info;

	return posix_trace_get_info_np(log, &info) == 0 ? info.log_state : -1;
}

/* A log of our own, that is flushed now and then. */
static void check_live(int fd)
{
	trace_id_t trid = stream_run_log(NULL, fd), log;
	unsigned long next = 0, put = 0;
	bool is_right = true;

	id = event_id("growing");
	event_put(id, put++);
	if (posix_trace_flush(trid) != 0 || posix_trace_open(fd, &log) != 0)
		exit(1);
	is_right = read_on(log, &next);
	is_int((long long)next, 1, "what there is");
	ok(!read_on(log, &next) || next == 1, "no more");
	for (int i = 0; i < 3; i++) {
		for (int j = 0; j < NR; j++)
			event_put(id, put++);
		posix_trace_flush(trid);
		is_right = is_right && read_on(log, &next) && next == put;
	}
	ok(is_right, "what was written meanwhile, three times");
	is_int(state_of(log), POSIX_TRACE_LOG_ACTIVE_NP, "it is active");
	event_put(id, put++);
	stream_end(trid);
	ok(read_on(log, &next) && next == put, "and the last one");
	is_int(state_of(log), POSIX_TRACE_LOG_COMPLETE_NP, "it is complete");
	posix_trace_rewind(log);
	next = 0;
	ok(read_on(log, &next) && next == put, "from the beginning: all");
	posix_trace_close(log);
}

/* The log cut at each of many places, and then whole. */
static void check_cut(int whole)
{
	unsigned long wrong = 0, tried = 0;
	struct stat st;
	char *bytes;

	fstat(whole, &st);
	bytes = malloc((size_t)st.st_size);
	if (pread(whole, bytes, (size_t)st.st_size, 0) != st.st_size)
		exit(1);
	for (off_t cut = st.st_size / 4; cut < st.st_size;
	     cut += st.st_size / STEPS | 1) {
		int fd = file_make();
		unsigned long next = 0;
		trace_id_t log;

		if (write(fd, bytes, (size_t)cut) != cut)
			exit(1);
		if (posix_trace_open(fd, &log) != 0)
			continue;
		tried++;
		read_on(log, &next);
		if (pwrite(fd, bytes + cut, (size_t)(st.st_size - cut), cut) !=
		    st.st_size - cut)
			exit(1);
		if (!read_on(log, &next) || next != 3 * NR + 2 ||
		    state_of(log) != POSIX_TRACE_LOG_COMPLETE_NP) {
			diag("cut at %lld: %lu events, state %d",
			     (long long)cut, next, state_of(log));
			wrong++;
		}
		posix_trace_close(log);
		close(fd);
	}
	ok(tried > STEPS / 2 && wrong == 0, "cut at %lu places", tried);
	free(bytes);
}

int main(void)
{
	int fd = file_make();

	plan(8);
	check_live(fd);
	check_cut(fd);
	return done();
}
