/* SPDX-License-Identifier: MIT */
/*
 * Streams for tests of the API: made, read and logged with <trace.h> alone.  An
 * unexpected failure ends the test.
 */
#ifndef PTL_T_LIB_STREAM_H
#define PTL_T_LIB_STREAM_H

#include <trace.h>

/* An event that was read; its data are cut to this size. */
struct event {
	struct posix_trace_event_info info;
	size_t size;
	union {
		unsigned char data[4608];
		int number;
		unsigned long word;
		trace_event_set_t set[2];
	};
};

/* Attributes of a stream; sizes and policies of 0 are the default. */
trace_attr_t *stream_attr(size_t size, size_t max_data, int policy);

/* The same, for a stream that also traces children; returns attr. */
trace_attr_t *attr_inherit(trace_attr_t *attr);

/* A stream on process pid, not yet started. attr may be a null pointer. */
trace_id_t stream_make(pid_t pid, const trace_attr_t *attr);

/*
 * The same with a log of policy APPEND in fd; a null attr is the default
 * otherwise.
 */
trace_id_t stream_make_log(pid_t pid, trace_attr_t *attr, int fd);

/* Filters all types that user programs do not record, except those of the
 * policies: START, STOP, OVERFLOW, RESUME, FLUSH_START, FLUSH_STOP. */
void stream_only_user(trace_id_t trid);

/* Sets this filter and starts the stream; returns trid. */
trace_id_t stream_begin(trace_id_t trid);

/* Makes a stream with this filter, and starts it. */
trace_id_t stream_run(pid_t pid, const trace_attr_t *attr);

/* The same on this process, with a log of attr's policy in fd. */
trace_id_t stream_run_log(const trace_attr_t *attr, int fd);

/*
 * The same without log, also for our children, and just so large that `nr'
 * events with `size' bytes of data must not be lost.
 */
trace_id_t stream_run_for(int nr, size_t size, int policy);

void stream_start(trace_id_t trid);
void stream_stop(trace_id_t trid);
void stream_end(trace_id_t trid);

/* The id of a name in this process. */
trace_event_id_t event_id(const char *name);

/* The id of the name "PREFIX NR". */
trace_event_id_t event_id_nr(const char *prefix, int nr);

/* Records a number. */
static inline void event_put(trace_event_id_t id, unsigned long number)
{
	posix_trace_event(id, &number, sizeof(number));
}

/* The next event of a stream or log; 0 if there is none now. */
int event_next(trace_id_t trid, struct event *ev);

/* The next event of that type; skips others. */
int event_find(trace_id_t trid, trace_event_id_t id, struct event *ev);

/* The next event of a type of that name. */
int event_find_name(trace_id_t trid, const char *name, struct event *ev);

/* Reads all events; returns how many were of that type. */
int event_count(trace_id_t trid, trace_event_id_t id);

/* Reads all events; returns the type of the last one, 0 if there was none. */
trace_event_id_t event_last(trace_id_t trid);

/* A regular file, open for reading and writing, gone when the test ends. */
int file_make(void);

/* No file may become larger than this; RLIM_INFINITY: no limit. */
void file_limit(unsigned long size);

/* Opens a log. */
trace_id_t log_open(int fd);

/* The number of events of that name in the log in fd, or of that path. */
int log_count(int fd, const char *name);
int log_count_at(const char *path, const char *name);

/* The log_state that posix_trace_get_info_np() returns for it. */
int log_state(int fd);

/* The type of the last event in the log in fd. */
trace_event_id_t log_last(int fd);

/*
 * Is the code address in `function', and in no other of these functions?  `all'
 * is an array that ends with 0.
 */
int addr_in(const void *addr, size_t function, const size_t *all);

/* Was it called in the first bytes of the function?  Says so if not. */
int called_in(const struct event *ev, size_t function);

/* Waits until the thread sleeps in the kernel, or is gone. */
void thread_await_sleep(pid_t tid);

/*
 * SKIP: a sanitizer allows neither preloading our library into the programs
 * that a traced one starts, nor a change of user.
 */
void no_sanitizer(void);

#endif
