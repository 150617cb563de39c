/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_getnext_event, _timedgetnext_event, _trygetnext_event: what each
 * of the three writes where, with an event and without, and nothing else.
 */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <string.h>
#include <time.h>

enum how { GET, TIMED, TRY };

static const char *const names[] = {"getnext", "timedgetnext", "trygetnext"};

/* Where one call puts its results, with something else there before. */
struct result {
	struct posix_trace_event_info info;
	char data[64];
	size_t size;
	int none;
};

static int next(trace_id_t trid, enum how how, size_t room, struct result *r)
{
	struct timespec past = {1, 0};

	memset(r, 'x', sizeof(*r));
	switch (how) {
	case GET:
		return posix_trace_getnext_event(trid, &r->info, r->data, room,
						 &r->size, &r->none);
	case TIMED:
		return posix_trace_timedgetnext_event(trid, &r->info, r->data,
						      room, &r->size, &r->none,
						      &past);
	default:
		return posix_trace_trygetnext_event(trid, &r->info, r->data,
						    room, &r->size, &r->none);
	}
}

/* The first size bytes of the text, and behind them nothing touched. */
static int is_data(const struct result *r, size_t size)
{
	static const char text[] = "0123456789";

	for (size_t i = 0; i < sizeof(r->data); i++)
		if (r->data[i] != (i < size ? text[i] : 'x'))
			return 0;
	return r->size == size;
}

static int status(const struct result *r)
{
	return r->info.posix_truncation_status;
}

static void check_sizes(trace_id_t trid, trace_event_id_t id, enum how how)
{
	const char *name = names[how];
	struct result r;

	/* Of max-data-size 8. */
	for (int i = 0; i < 3; i++)
		posix_trace_event(id, "0123456789", 6);
	for (int i = 0; i < 3; i++)
		posix_trace_event(id, "0123456789", 10);
	is_int(next(trid, how, 64, &r), 0,
	       "[getnext_event.20] [trygetnext_event.1] %s", name);
	is_int(r.none, 0, "[getnext_event.6] [trygetnext_event.4] %s", name);
	ok(is_data(&r, 6),
	   "[getnext_event.4] [getnext_event.9] [getnext_event.10] %s: data",
	   name);
	is_int(status(&r), POSIX_TRACE_NOT_TRUNCATED,
	       "[getnext_event.11] [event_info.5] %s: whole", name);
	is_int((long long)r.info.posix_event_id, (long long)id,
	       "[getnext_event.3] [event_info.1] %s: id", name);
	is_int(r.info.posix_pid, getpid(), "[event_info.2] %s: pid", name);
	ok(pthread_equal(r.info.posix_thread_id, pthread_self()),
	   "[event_info.7] %s: thread", name);
	ok(next(trid, how, 6, &r) == 0 && is_data(&r, 6) &&
		   status(&r) == POSIX_TRACE_NOT_TRUNCATED,
	   "[getnext_event.10] %s: just enough room", name);
	ok(next(trid, how, 5, &r) == 0 && is_data(&r, 5),
	   "[getnext_event.8] [getnext_event.13] [getnext_event.14] %s: "
	   "one byte too few",
	   name);
	is_int(status(&r), POSIX_TRACE_TRUNCATED_READ,
	       "[getnext_event.15] %s: status", name);
	ok(next(trid, how, 8, &r) == 0 && is_data(&r, 8) &&
		   status(&r) == POSIX_TRACE_TRUNCATED_RECORD,
	   "[getnext_event.12] %s: cut when recorded", name);
	ok(next(trid, how, 7, &r) == 0 && is_data(&r, 7) &&
		   status(&r) == POSIX_TRACE_TRUNCATED_READ,
	   "[getnext_event.15] %s: cut twice", name);
	ok(next(trid, how, 0, &r) == 0 && is_data(&r, 0) &&
		   status(&r) == POSIX_TRACE_TRUNCATED_READ,
	   "[getnext_event.13] %s: no room", name);
}

static void check_none(trace_id_t trid)
{
	struct result r;

	is_int(next(trid, TRY, 64, &r), 0, "[trygetnext_event.2] nothing");
	ok(r.none != 0, "[getnext_event.7] [trygetnext_event.5] unavailable");
	ok(is_data(&r, 0), "no data, and their length says so");
	is_int(next(trid, TIMED, 64, &r), ETIMEDOUT,
	       "[timedgetnext_event.4] nothing");
	is_int(r.none, 1, "[getnext_event.7] timed out: unavailable");
}

static void check_failure(trace_id_t trid)
{
	struct result r;
	int missing = 0;

	for (enum how how = GET; how <= TRY; how++)
		missing += next(trid, how, 64, &r) != EINVAL || r.none != 1;
	is_int(missing, 0, "[getnext_event.7] no stream: unavailable");
}

int main(void)
{
	trace_event_id_t id = event_id("an event");
	struct event ev;
	trace_id_t trid;

	plan(3 * (13 + 5) + 5 + 1);
	trid = stream_make(0, stream_attr(0, 8, 0));
	stream_only_user(trid);
	check_none(trid);
	stream_start(trid);
	event_find(trid, POSIX_TRACE_START, &ev);
	for (enum how how = GET; how <= TRY; how++) {
		check_sizes(trid, id, how);
		check_none(trid);
	}
	stream_end(trid);
	check_failure(trid);
	return done();
}
