/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_attr_*, posix_trace_get_attr: a stream has the attributes of the
 * object it was made with, tells them as they were, and has no more to do with
 * the object afterwards.  So has its log.
 */
#include "t/lib/clock.h"
#include "t/lib/tap.h"

#include <string.h>

/* Attributes as one may ask for them. */
struct told {
	char name[TRACE_NAME_MAX + 1], version[TRACE_NAME_MAX];
	struct timespec resolution, created;
	size_t stream_size, log_size, max_data;
	int stream_policy, log_policy, inherited;
};

static int ask(const trace_attr_t *attr, struct told *t)
{
	memset(t, 0x5a, sizeof(*t));
	return posix_trace_attr_getname(attr, t->name) ||
	       posix_trace_attr_getgenversion(attr, t->version) ||
	       posix_trace_attr_getclockres(attr, &t->resolution) ||
	       posix_trace_attr_getcreatetime(attr, &t->created) ||
	       posix_trace_attr_getstreamsize(attr, &t->stream_size) ||
	       posix_trace_attr_getlogsize(attr, &t->log_size) ||
	       posix_trace_attr_getmaxdatasize(attr, &t->max_data) ||
	       posix_trace_attr_getstreamfullpolicy(attr, &t->stream_policy) ||
	       posix_trace_attr_getlogfullpolicy(attr, &t->log_policy) ||
	       posix_trace_attr_getinherited(attr, &t->inherited);
}

static void ask_stream(trace_id_t trid, struct told *t)
{
	trace_attr_t attr;

	/* What is in it does not matter; an initialised one will do as well. */
	memset(&attr, 0xff, sizeof(attr));
	if (trid & 1)
		posix_trace_attr_init(&attr);
	if (posix_trace_get_attr(trid, &attr) || ask(&attr, t))
		memset(t, 0, sizeof(*t));
}

static void change_all(trace_attr_t *attr)
{
	posix_trace_attr_setname(attr, "changed");
	posix_trace_attr_setstreamsize(attr, 77777);
	posix_trace_attr_setlogsize(attr, 77778);
	posix_trace_attr_setmaxdatasize(attr, 7);
	posix_trace_attr_setstreamfullpolicy(attr, POSIX_TRACE_LOOP);
	posix_trace_attr_setlogfullpolicy(attr, POSIX_TRACE_LOOP);
	posix_trace_attr_setinherited(attr, POSIX_TRACE_CLOSE_FOR_CHILD);
}

static void is_told(const struct told *got, const struct told *want,
		    const char *of)
{
	is_str(got->name, want->name,
	       "[attr_init.5 attr_init.8] name of %s", of);
	is_str(got->version, want->version, "[attr_getgenversion.2] version");
	ok(got->stream_size >= want->stream_size,
	   "[attr_getstreamsize.2 xsh_2_11_1_attr.5] stream size");
	is_int((long long)got->log_size, (long long)want->log_size,
	       "[xsh_2_11_1_attr.9] log size");
	is_int((long long)got->max_data, (long long)want->max_data,
	       "[xsh_2_11_1_attr.7] data size");
	ok(got->stream_policy == want->stream_policy &&
	   got->log_policy == want->log_policy &&
	   got->inherited == want->inherited, "[attr_init.5] policies");
	is_int(ns_of(&got->resolution), ns_of(&want->resolution),
	       "[attr_getclockres.1 xsh_2_11_1_attr.4] resolution");
}

static void try_live(const struct told *want, trace_attr_t *attr)
{
	long long before = clock_ns();
	struct told got, first;
	trace_id_t one, two;

	one = stream_make(0, attr);
	two = stream_make(0, attr);
	ask_stream(one, &first);
	is_told(&first, want, "the first");
	ok(ns_of(&first.created) >= before &&
		   ns_of(&first.created) <= clock_ns(),
	   "[attr_getcreatetime.2 xsh_2_11_1_attr.3] created now");
	ask_stream(two, &got);
	is_told(&got, want, "the second, [attr_init.6] of the same object");
	ok(ns_of(&got.created) >= ns_of(&first.created),
	   "[attr_getcreatetime.1] and created later");
	change_all(attr);
	ask_stream(one, &got);
	ok(!memcmp(&got, &first, sizeof(got)),
	   "[attr_init.7] changing the object changes nothing");
	posix_trace_attr_destroy(attr);
	ask_stream(one, &got);
	ok(!memcmp(&got, &first, sizeof(got)),
	   "[attr_init.7] nor does destroying it");
	memset(attr, 0xff, sizeof(*attr));
	stream_start(two);
	stream_end(one);
	stream_end(two);
	is_int(posix_trace_attr_init(attr), 0,
	       "[attr_init.4] a destroyed object can be initialised");
}

static void set(trace_attr_t *attr)
{
	posix_trace_attr_setname(attr, "a stream");
	posix_trace_attr_setstreamsize(attr, 123456);
	posix_trace_attr_setlogsize(attr, 345678);
	posix_trace_attr_setmaxdatasize(attr, 1111);
	posix_trace_attr_setstreamfullpolicy(attr, POSIX_TRACE_UNTIL_FULL);
	posix_trace_attr_setlogfullpolicy(attr, POSIX_TRACE_UNTIL_FULL);
	posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED);
}

static void try_log(const struct told *want, trace_attr_t *attr)
{
	struct told live, got;
	int fd = file_make();
	trace_id_t trid;

	if (posix_trace_create_withlog(0, attr, fd, &trid)) {
		skip(15, "no stream with log");
		return;
	}
	ask_stream(trid, &live);
	is_told(&live, want, "a stream with log");
	change_all(attr);
	stream_start(trid);
	stream_end(trid);
	trid = log_open(fd);
	ask_stream(trid, &got);
	is_told(&got, want, "a log");
	is_int(ns_of(&got.created), ns_of(&live.created),
	       "[attr_getcreatetime.1] a log was created with its stream");
	posix_trace_close(trid);
}

static int default_policy(int with_log)
{
	struct told told;
	trace_id_t trid;

	trid = with_log ? stream_make_log(0, NULL, file_make()) :
			  stream_make(0, NULL);
	ask_stream(trid, &told);
	stream_end(trid);
	return told.stream_policy;
}

int main(void)
{
	trace_attr_t attr;
	struct told want;

	plan(38);
	posix_trace_attr_init(&attr);
	set(&attr);
	is_int(ask(&attr, &want), 0,
	       "[attr_getcreatetime.3] all can be asked for");
	is_str(want.name, "a stream", "and are those");
	try_live(&want, &attr);
	set(&attr);
	try_log(&want, &attr);
	is_int(default_policy(0), POSIX_TRACE_LOOP,
	       "[attr_getstreamfullpolicy.2] without log");
	is_int(default_policy(1), POSIX_TRACE_FLUSH,
	       "[attr_getstreamfullpolicy.3] with log");
	return done();
}
