/* SPDX-License-Identifier: MIT */
#include "t/lib/stream.h"
#include "t/lib/tap.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

static void must(int err, const char *what)
{
	if (!err)
		return;
	printf("Bail out! %s: %s\n", what, strerror(err));
	exit(1);
}

trace_attr_t *stream_attr(size_t size, size_t max_data, int policy)
{
	static trace_attr_t attr;

	must(posix_trace_attr_init(&attr), "attr_init");
	if (size)
		posix_trace_attr_setstreamsize(&attr, size);
	if (max_data)
		posix_trace_attr_setmaxdatasize(&attr, max_data);
	if (policy)
		must(posix_trace_attr_setstreamfullpolicy(&attr, policy),
		     "setstreamfullpolicy");
	return &attr;
}

trace_attr_t *attr_inherit(trace_attr_t *attr)
{
	must(posix_trace_attr_setinherited(attr, POSIX_TRACE_INHERITED),
	     "setinherited");
	return attr;
}

trace_id_t stream_make(pid_t pid, const trace_attr_t *attr)
{
	trace_id_t trid;

	must(posix_trace_create(pid, attr, &trid), "posix_trace_create");
	return trid;
}

trace_id_t stream_make_log(pid_t pid, trace_attr_t *attr, int fd)
{
	trace_id_t trid;

	if (!attr)
		attr = stream_attr(0, 0, 0);
	posix_trace_attr_setlogfullpolicy(attr, POSIX_TRACE_APPEND);
	must(posix_trace_create_withlog(pid, attr, fd, &trid),
	     "posix_trace_create_withlog");
	return trid;
}

void stream_only_user(trace_id_t trid)
{
	static const trace_event_id_t wanted[] = {
		POSIX_TRACE_START, POSIX_TRACE_STOP, POSIX_TRACE_OVERFLOW,
		POSIX_TRACE_RESUME, POSIX_TRACE_FLUSH_START,
		POSIX_TRACE_FLUSH_STOP,
	};
	trace_event_set_t set;

	posix_trace_eventset_fill(&set, POSIX_TRACE_SYSTEM_EVENTS);
	for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++)
		posix_trace_eventset_del(wanted[i], &set);
	must(posix_trace_set_filter(trid, &set, POSIX_TRACE_SET_EVENTSET),
	     "posix_trace_set_filter");
}

trace_id_t stream_begin(trace_id_t trid)
{
	stream_only_user(trid);
	stream_start(trid);
	return trid;
}

trace_id_t stream_run(pid_t pid, const trace_attr_t *attr)
{
	return stream_begin(stream_make(pid, attr));
}

trace_id_t stream_run_log(const trace_attr_t *attr, int fd)
{
	trace_id_t trid;

	must(posix_trace_create_withlog(0, attr, fd, &trid),
	     "posix_trace_create_withlog");
	return stream_begin(trid);
}

trace_id_t stream_run_for(int nr, size_t size, int policy)
{
	trace_attr_t *attr = attr_inherit(
		stream_attr(0, size ? size : 1, policy));
	size_t need;

	posix_trace_attr_getmaxusereventsize(attr, size, &need);
	posix_trace_attr_setstreamsize(attr, need * (size_t)nr);
	return stream_run(0, attr);
}

void stream_start(trace_id_t trid)
{
	must(posix_trace_start(trid), "posix_trace_start");
}

void stream_stop(trace_id_t trid)
{
	must(posix_trace_stop(trid), "posix_trace_stop");
}

void stream_end(trace_id_t trid)
{
	must(posix_trace_shutdown(trid), "posix_trace_shutdown");
}

trace_event_id_t event_id(const char *name)
{
	trace_event_id_t id;

	must(posix_trace_eventid_open(name, &id), "posix_trace_eventid_open");
	return id;
}

trace_event_id_t event_id_nr(const char *prefix, int nr)
{
	char name[64];

	snprintf(name, sizeof(name), "%s %d", prefix, nr);
	return event_id(name);
}

int event_next(trace_id_t trid, struct event *ev)
{
	int unavailable = 1;
	int err = posix_trace_trygetnext_event(trid, &ev->info, ev->data,
					       sizeof(ev->data), &ev->size,
					       &unavailable);

	/* EINVAL: a log. */
	if (err == EINVAL)
		err = posix_trace_getnext_event(trid, &ev->info, ev->data,
						sizeof(ev->data), &ev->size,
						&unavailable);
	must(err, "posix_trace_getnext_event");
	return !unavailable;
}

int event_find(trace_id_t trid, trace_event_id_t id, struct event *ev)
{
	while (event_next(trid, ev))
		if (ev->info.posix_event_id == id)
			return 1;
	return 0;
}

int event_find_name(trace_id_t trid, const char *name, struct event *ev)
{
	char got[TRACE_EVENT_NAME_MAX + 1];

	while (event_next(trid, ev))
		if (!posix_trace_eventid_get_name(
			    trid, ev->info.posix_event_id, got) &&
		    !strcmp(got, name))
			return 1;
	return 0;
}

int event_count(trace_id_t trid, trace_event_id_t id)
{
	struct event ev;
	int n = 0;

	while (event_find(trid, id, &ev))
		n++;
	return n;
}

trace_event_id_t event_last(trace_id_t trid)
{
	struct event ev = { .size = 0 };

	while (event_next(trid, &ev))
		;
	return ev.info.posix_event_id;
}

static char paths[8][24];
static pid_t paths_owner;

static void remove_files(void)
{
	if (getpid() != paths_owner)
		return;
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		if (paths[i][0])
			unlink(paths[i]);
}

int file_make(void)
{
	char path[] = "/tmp/ptl-XXXXXX";
	int fd = mkstemp(path);

	must(fd < 0 ? errno : 0, "mkstemp");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		if (paths_owner && getpid() != paths_owner)
			break;
		if (paths[i][0])
			continue;
		if (!paths_owner)
			atexit(remove_files);
		paths_owner = getpid();
		strcpy(paths[i], path);
		return fd;
	}
	/* Made by a child, which may be killed: removed at once. */
	unlink(path);
	return fd;
}

void file_limit(unsigned long size)
{
	struct rlimit limit = { size, RLIM_INFINITY };

	setrlimit(RLIMIT_FSIZE, &limit);
}

trace_id_t log_open(int fd)
{
	trace_id_t trid;

	must(posix_trace_open(fd, &trid), "posix_trace_open");
	return trid;
}

int log_count(int fd, const char *name)
{
	trace_id_t log = log_open(fd);
	struct event ev;
	int n = 0;

	while (event_find_name(log, name, &ev))
		n++;
	posix_trace_close(log);
	return n;
}

int log_count_at(const char *path, const char *name)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), n;

	if (fd < 0)
		return -1;
	n = log_count(fd, name);
	close(fd);
	return n;
}

int log_state(int fd)
{
	struct posix_trace_info_np info;
	trace_id_t log = log_open(fd);

	must(posix_trace_get_info_np(log, &info), "posix_trace_get_info_np");
	posix_trace_close(log);
	return info.log_state;
}

trace_event_id_t log_last(int fd)
{
	trace_id_t log = log_open(fd);
	trace_event_id_t last = event_last(log);

	posix_trace_close(log);
	return last;
}

static char thread_state(pid_t tid)
{
	char path[64], text[512] = "", *end;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)tid);
	fd = open(path, O_RDONLY);
	if (fd < 0)
		return 'X';
	if (read(fd, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(fd);
	end = strrchr(text, ')');
	return end ? end[2] : 'X';
}

void thread_await_sleep(pid_t tid)
{
	char state;

	do {
		sched_yield();
		state = thread_state(tid);
	} while (state != 'S' && state != 'X');
}

void no_sanitizer(void)
{
#ifdef __SANITIZE_ADDRESS__
	skip_all("not under AddressSanitizer");
#endif
}

/* What AddressSanitizer adds to a function that calls another one. */
#ifdef __SANITIZE_ADDRESS__
#define FUNCTION_SIZE 1000
#else
#define FUNCTION_SIZE 100
#endif

int called_in(const struct event *ev, size_t function)
{
	size_t at = (size_t)ev->info.posix_prog_address;

	if (at > function && at < function + FUNCTION_SIZE)
		return 1;
	diag("%#zx is not in %#zx", at, function);
	return 0;
}

int addr_in(const void *addr, size_t function, const size_t *all)
{
	size_t at = (size_t)addr;

	if (at <= function || at - function > 4096)
		return 0;
	for (; *all; all++)
		if (*all > function && *all < at)
			return 0;
	return 1;
}
