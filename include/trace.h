/* SPDX-License-Identifier: MIT */
/*
 * <trace.h>: the Trace option of IEEE Std 1003.1-2008 (TRC, TEF, TRL, TRI).
 *
 * Every function returns 0 or a positive error number and does not change
 * errno; posix_trace_event() returns nothing and is async-signal-safe.  All
 * functions are safe to call from several threads.  Names that end in _np are
 * extensions of libptrace.  See libptrace(7) for what the standard leaves open
 * and what was chosen.
 *
 * If TRACE_WEAK is defined before this file is included, the program need not
 * be linked with the library: libptrace(7), "Weak instrumentation".
 */
#ifndef _PTL_TRACE_H
#define _PTL_TRACE_H

#include <limits.h>
#include <pthread.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#define _PTL_RESTRICT __restrict
#else
#define _PTL_RESTRICT restrict
#endif

/*
 * GCC reaches noplt functions through the global offset table, in every kind of
 * program: that saves a jump, and in a program at a fixed address it is the
 * only way to reach a weak function that may be missing.
 */
#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ >= 6
#define _PTL_NOPLT __attribute__((__noplt__))
#else
#define _PTL_NOPLT
#endif
#ifdef TRACE_WEAK
#define _PTL_API __attribute__((__weak__)) _PTL_NOPLT
#else
#define _PTL_API
#endif

/* glibc's <unistd.h> defines them as -1 or not at all; with this library the
 * options exist. */
#undef _POSIX_TRACE
#undef _POSIX_TRACE_EVENT_FILTER
#undef _POSIX_TRACE_INHERIT
#undef _POSIX_TRACE_LOG
#define _POSIX_TRACE 200809L
#define _POSIX_TRACE_EVENT_FILTER 200809L
#define _POSIX_TRACE_INHERIT 200809L
#define _POSIX_TRACE_LOG 200809L

/* Minimum acceptable maxima (<limits.h> of the standard). */
#ifndef _POSIX_TRACE_EVENT_NAME_MAX
#define _POSIX_TRACE_EVENT_NAME_MAX 30
#endif
#ifndef _POSIX_TRACE_NAME_MAX
#define _POSIX_TRACE_NAME_MAX 8
#endif
#ifndef _POSIX_TRACE_SYS_MAX
#define _POSIX_TRACE_SYS_MAX 8
#endif
#ifndef _POSIX_TRACE_USER_EVENT_MAX
#define _POSIX_TRACE_USER_EVENT_MAX 32
#endif

/* Our maxima.  Name lengths exclude the terminating null. */
#define TRACE_EVENT_NAME_MAX 255
#define TRACE_NAME_MAX 255
#define TRACE_SYS_MAX 64
#define TRACE_USER_EVENT_MAX 1024

typedef unsigned int trace_event_id_t;
#if __SIZEOF_LONG__ == 8
typedef unsigned long trace_id_t;
#else
typedef unsigned long long trace_id_t;
#endif

/* One bit for each event type; an array of integers, assignable. */
#define _PTL_EVENT_ID_LIMIT 16640
typedef struct {
	unsigned long
		__ptl_bits[_PTL_EVENT_ID_LIMIT / (8 * sizeof(unsigned long))];
} trace_event_set_t;

/* Opaque: use the posix_trace_attr_*() functions. */
typedef struct {
	unsigned long __ptl_opaque[768 / sizeof(unsigned long)];
} trace_attr_t;

struct posix_trace_event_info {
	trace_event_id_t posix_event_id;
	pid_t posix_pid;
	void *posix_prog_address; /* where posix_trace_event() was called */
	pthread_t posix_thread_id;
	struct timespec posix_timestamp; /* CLOCK_REALTIME */
	int posix_truncation_status;
	pid_t posix_tid_np;	     /* the kernel's id of the thread */
	unsigned int posix_image_np; /* counts the execs of the process */
	unsigned int posix_pidns_np; /* whose numbers these are, if they are
				      * not the controller's, else 0: the
				      * inode of /proc/PID/ns/pid */
};

struct posix_trace_status_info {
	int posix_stream_status;
	int posix_stream_full_status;
	int posix_stream_overrun_status;
	int posix_stream_flush_status;
	int posix_stream_flush_error;
	int posix_log_overrun_status;
	int posix_log_full_status;
};

/* Stream status. */
#define POSIX_TRACE_RUNNING 1
#define POSIX_TRACE_SUSPENDED 2
/* Full status of a stream or log. */
#define POSIX_TRACE_FULL 3
#define POSIX_TRACE_NOT_FULL 4
/* Overrun status of a stream or log.  It is "reset to POSIX_TRACE_NO_OVERRUN"
 * by one page of the standard and "reset to zero" by another. */
#define POSIX_TRACE_OVERRUN 5
#define POSIX_TRACE_NO_OVERRUN 0
/* Flush status. */
#define POSIX_TRACE_FLUSHING 7
#define POSIX_TRACE_NOT_FLUSHING 8
/* Truncation status of an event. */
#define POSIX_TRACE_NOT_TRUNCATED 9
#define POSIX_TRACE_TRUNCATED_RECORD 10
#define POSIX_TRACE_TRUNCATED_READ 11
/* Inheritance. */
#define POSIX_TRACE_CLOSE_FOR_CHILD 12
#define POSIX_TRACE_INHERITED 13
/* Full policies: stream (LOOP, UNTIL_FULL, FLUSH), log (LOOP, UNTIL_FULL,
 * APPEND). */
#define POSIX_TRACE_LOOP 14
#define POSIX_TRACE_UNTIL_FULL 15
#define POSIX_TRACE_FLUSH 16
#define POSIX_TRACE_APPEND 17
/* An extension for streams with log: like FLUSH, but a thread that finds no
 * room waits.  The value is far from the others, and from those that tests of
 * them try. */
#define POSIX_TRACE_BLOCK_NP 0x4e50
/* posix_trace_eventset_fill(). */
#define POSIX_TRACE_WOPID_EVENTS 18
#define POSIX_TRACE_SYSTEM_EVENTS 19
#define POSIX_TRACE_ALL_EVENTS 20
/* posix_trace_set_filter(). */
#define POSIX_TRACE_SET_EVENTSET 21
#define POSIX_TRACE_ADD_EVENTSET 22
#define POSIX_TRACE_SUB_EVENTSET 23

/* Predefined event types. */
#define POSIX_TRACE_ERROR 1U
#define POSIX_TRACE_START 2U
#define POSIX_TRACE_STOP 3U
#define POSIX_TRACE_FILTER 4U
#define POSIX_TRACE_OVERFLOW 5U
#define POSIX_TRACE_RESUME 6U
#define POSIX_TRACE_FLUSH_START 7U
#define POSIX_TRACE_FLUSH_STOP 8U
#define POSIX_TRACE_UNNAMED_USEREVENT 9U
#define POSIX_TRACE_UNNAMED_USER_EVENT POSIX_TRACE_UNNAMED_USEREVENT

/* posix_trace_create(): every process the caller may trace (XRAT B.2.11). */
#define POSIX_TRACE_ALLPROC (-1)

/* Attributes (2.11.1.1, posix_trace_attr_*). */
_PTL_API int posix_trace_attr_destroy(trace_attr_t *__attr);
_PTL_API int posix_trace_attr_getclockres(const trace_attr_t *__attr,
					  struct timespec *__resolution);
_PTL_API int posix_trace_attr_getcreatetime(const trace_attr_t *__attr,
					    struct timespec *__createtime);
_PTL_API int posix_trace_attr_getgenversion(const trace_attr_t *__attr,
					    char *__genversion);
_PTL_API int
posix_trace_attr_getinherited(const trace_attr_t *_PTL_RESTRICT __attr,
			      int *_PTL_RESTRICT __inheritancepolicy);
_PTL_API int
posix_trace_attr_getlogfullpolicy(const trace_attr_t *_PTL_RESTRICT __attr,
				  int *_PTL_RESTRICT __logpolicy);
_PTL_API int
posix_trace_attr_getlogsize(const trace_attr_t *_PTL_RESTRICT __attr,
			    size_t *_PTL_RESTRICT __logsize);
_PTL_API int
posix_trace_attr_getmaxdatasize(const trace_attr_t *_PTL_RESTRICT __attr,
				size_t *_PTL_RESTRICT __maxdatasize);
_PTL_API int
posix_trace_attr_getmaxsystemeventsize(const trace_attr_t *_PTL_RESTRICT __attr,
				       size_t *_PTL_RESTRICT __eventsize);
_PTL_API int
posix_trace_attr_getmaxusereventsize(const trace_attr_t *_PTL_RESTRICT __attr,
				     size_t __data_len,
				     size_t *_PTL_RESTRICT __eventsize);
_PTL_API int posix_trace_attr_getname(const trace_attr_t *__attr,
				      char *__tracename);
_PTL_API int
posix_trace_attr_getstreamfullpolicy(const trace_attr_t *_PTL_RESTRICT __attr,
				     int *_PTL_RESTRICT __streampolicy);
_PTL_API int
posix_trace_attr_getstreamsize(const trace_attr_t *_PTL_RESTRICT __attr,
			       size_t *_PTL_RESTRICT __streamsize);
_PTL_API int posix_trace_attr_init(trace_attr_t *__attr);
_PTL_API int posix_trace_attr_setinherited(trace_attr_t *__attr,
					   int __inheritancepolicy);
_PTL_API int posix_trace_attr_setlogfullpolicy(trace_attr_t *__attr,
					       int __logpolicy);
_PTL_API int posix_trace_attr_setlogsize(trace_attr_t *__attr,
					 size_t __logsize);
_PTL_API int posix_trace_attr_setmaxdatasize(trace_attr_t *__attr,
					     size_t __maxdatasize);
_PTL_API int posix_trace_attr_setname(trace_attr_t *__attr,
				      const char *__tracename);
_PTL_API int posix_trace_attr_setstreamfullpolicy(trace_attr_t *__attr,
						  int __streampolicy);
_PTL_API int posix_trace_attr_setstreamsize(trace_attr_t *__attr,
					    size_t __streamsize);

/* The controller. */
_PTL_API int posix_trace_clear(trace_id_t __trid);
_PTL_API int posix_trace_create(pid_t __pid,
				const trace_attr_t *_PTL_RESTRICT __attr,
				trace_id_t *_PTL_RESTRICT __trid);
_PTL_API int
posix_trace_create_withlog(pid_t __pid,
			   const trace_attr_t *_PTL_RESTRICT __attr,
			   int __file_desc, trace_id_t *_PTL_RESTRICT __trid);
_PTL_API int posix_trace_flush(trace_id_t __trid);
_PTL_API int posix_trace_get_attr(trace_id_t __trid, trace_attr_t *__attr);
_PTL_API int posix_trace_get_filter(trace_id_t __trid,
				    trace_event_set_t *__set);
_PTL_API int
posix_trace_get_status(trace_id_t __trid,
		       struct posix_trace_status_info *__statusinfo);
_PTL_API int posix_trace_set_filter(trace_id_t __trid,
				    const trace_event_set_t *__set, int __how);
_PTL_API int posix_trace_shutdown(trace_id_t __trid);
_PTL_API int posix_trace_start(trace_id_t __trid);
_PTL_API int posix_trace_stop(trace_id_t __trid);
_PTL_API int
posix_trace_trid_eventid_open(trace_id_t __trid,
			      const char *_PTL_RESTRICT __event_name,
			      trace_event_id_t *_PTL_RESTRICT __event);

/* The traced process. */
_PTL_API _PTL_NOPLT void posix_trace_event(trace_event_id_t __event_id,
					   const void *_PTL_RESTRICT __data_ptr,
					   size_t __data_len);
_PTL_API int
posix_trace_eventid_open(const char *_PTL_RESTRICT __event_name,
			 trace_event_id_t *_PTL_RESTRICT __event_id);

/* Event types and sets. */
_PTL_API int posix_trace_eventid_equal(trace_id_t __trid,
				       trace_event_id_t __event1,
				       trace_event_id_t __event2);
_PTL_API int posix_trace_eventid_get_name(trace_id_t __trid,
					  trace_event_id_t __event,
					  char *__event_name);
_PTL_API int posix_trace_eventset_add(trace_event_id_t __event_id,
				      trace_event_set_t *__set);
_PTL_API int posix_trace_eventset_del(trace_event_id_t __event_id,
				      trace_event_set_t *__set);
_PTL_API int posix_trace_eventset_empty(trace_event_set_t *__set);
_PTL_API int posix_trace_eventset_fill(trace_event_set_t *__set, int __what);
_PTL_API int
posix_trace_eventset_ismember(trace_event_id_t __event_id,
			      const trace_event_set_t *_PTL_RESTRICT __set,
			      int *_PTL_RESTRICT __ismember);
_PTL_API int
posix_trace_eventtypelist_getnext_id(trace_id_t __trid,
				     trace_event_id_t *_PTL_RESTRICT __event,
				     int *_PTL_RESTRICT __unavailable);
_PTL_API int posix_trace_eventtypelist_rewind(trace_id_t __trid);

/* The analyzer. */
_PTL_API int posix_trace_close(trace_id_t __trid);
_PTL_API int posix_trace_getnext_event(
	trace_id_t __trid, struct posix_trace_event_info *_PTL_RESTRICT __event,
	void *_PTL_RESTRICT __data, size_t __num_bytes,
	size_t *_PTL_RESTRICT __data_len, int *_PTL_RESTRICT __unavailable);
_PTL_API int posix_trace_open(int __file_desc, trace_id_t *__trid);
_PTL_API int posix_trace_rewind(trace_id_t __trid);
_PTL_API int posix_trace_timedgetnext_event(
	trace_id_t __trid, struct posix_trace_event_info *_PTL_RESTRICT __event,
	void *_PTL_RESTRICT __data, size_t __num_bytes,
	size_t *_PTL_RESTRICT __data_len, int *_PTL_RESTRICT __unavailable,
	const struct timespec *_PTL_RESTRICT __abstime);
_PTL_API int posix_trace_trygetnext_event(
	trace_id_t __trid, struct posix_trace_event_info *_PTL_RESTRICT __event,
	void *_PTL_RESTRICT __data, size_t __num_bytes,
	size_t *_PTL_RESTRICT __data_len, int *_PTL_RESTRICT __unavailable);

/* Extensions. */

/* The state of a log, in posix_trace_info_np.log_state. */
#define POSIX_TRACE_LOG_NONE_NP 0   /* the stream has no log */
#define POSIX_TRACE_LOG_ACTIVE_NP 1 /* still being written */
#define POSIX_TRACE_LOG_COMPLETE_NP 2
#define POSIX_TRACE_LOG_INCOMPLETE_NP 3 /* ends before its end mark */
#define POSIX_TRACE_LOG_DAMAGED_NP 4	/* it has invalid bytes */

/* Its members have names that a program is allowed to define as macros by the
 * standard: so it is hidden from programs that ask for the standard's names
 * only. */
#ifdef _DEFAULT_SOURCE
struct posix_trace_info_np {
	unsigned long long events;   /* in the log so far; 0 without a log */
	unsigned long long lost;     /* by a policy, or by errors */
	unsigned long long log_size; /* bytes written to, or kept in, the log */
	unsigned long long bad_offset; /* first invalid byte; damaged logs */
	unsigned long long bad_size;   /* invalid bytes; damaged logs */
	unsigned int processes;	       /* that have joined the stream */
	unsigned int live_processes;   /* those of them that still run; or did
					* when the log of a controller that died
					* was completed */
	int log_state;		       /* POSIX_TRACE_LOG_*_NP */
	char clock[32];		       /* "tsc", "monotonic" */
	char host[65];		       /* where it was recorded */
	int log_error;		       /* why it could not be written, or 0 */
	int lost_unknown;	       /* 1: `lost' is not known */
	unsigned int untraced;	       /* programs that could not be traced */
	char untraced_names[512];      /* of the first: "PATH: REASON\n" */
	unsigned long long stacks_cut; /* for lack of memory to unwind them */
	unsigned long long names_refused; /* of event types: too many */
	unsigned int killed; /* processes of a stream that a signal ended */
	/* Of a log, where it was recorded; "" or 0: not known. */
	char machine_id[40];	/* /etc/machine-id */
	char boot_id[40];	/* the kernel's */
	char time_zone[48];	/* as TZ can be set to it */
	int clock_kept;		/* right, by somebody: 1; by nobody: -1 */
	long long clock_error;	/* ns: how far it may be off */
	long long clock_offset; /* CLOCK_REALTIME - CLOCK_MONOTONIC, in ns */
	/* 1: of a log: its controller was killed, and another process completed
	 * it. */
	int controller_died;
	/* Of a stream: ns that threads have waited for room in it, all of them
	 * together. */
	unsigned long long waited;
	/* Calls that were not recorded: posix_trace_set_selection_np(). */
	unsigned long long unselected;
	/* Of a stream's live_processes: children that somebody has just made,
	 * and that have not begun yet; they may never do. */
	unsigned int unborn_processes;
	/* Functions that were not recorded any more from some time on, since
	 * they were called too often; one in each process. */
	unsigned long long hot_functions;
};
#else
struct posix_trace_info_np;
#endif

/*
 * What the attributes and the status of a stream or log do not contain.
 * Returns 0 or EINVAL.
 */
_PTL_API int posix_trace_get_info_np(trace_id_t __trid,
				     struct posix_trace_info_np *__info);

/*
 * Why there is no place for the memory of a stream that traces process pid (as
 * posix_trace_create() takes it): stores in text, which holds size bytes, each
 * place that was refused with its owner or what else is wrong, or "" if there
 * is a place.  Returns 0, EINVAL, EPERM or ESRCH.
 */
_PTL_API int posix_trace_refused_np(pid_t __pid, char *__text, size_t __size);

/*
 * posix_trace_shutdown(), which also stores the final figures, since nobody can
 * ask for them afterwards. info may be a null pointer.
 */
_PTL_API int posix_trace_shutdown_np(trace_id_t __trid,
				     struct posix_trace_info_np *__info);

/*
 * Records an event of a user event type in the stream, as if the caller were
 * traced by it.  Returns 0, also if the type is filtered; EINVAL; or EAGAIN:
 * the stream is suspended, or has no room.
 */
_PTL_API int posix_trace_trid_event_np(trace_id_t __trid,
				       trace_event_id_t __event,
				       const void *__data, size_t __size);

/*
 * Records an event of a system event type in the stream in the name of another
 * thread, at a time that has passed: what the controller knows of it, and it
 * could not record.  Of the event these count: the type, below those that are
 * calls of libc; posix_pid, posix_tid_np and posix_image_np, which may be
 * POSIX_TRACE_IMAGE_NOW_NP: the one that the process is in; posix_pidns_np,
 * unless it is 0: then the numbers are the caller's; posix_prog_address; and
 * posix_timestamp, of CLOCK_MONOTONIC.  The nr return addresses are its call
 * stack.  Returns 0, also if the type is filtered; EINVAL; or EAGAIN: the
 * stream is suspended, or has no room.
 */
#define POSIX_TRACE_IMAGE_NOW_NP (~0u)
_PTL_API int posix_trace_trid_event_as_np(
	trace_id_t __trid, const struct posix_trace_event_info *__event,
	const void *__data, size_t __size, void *const *__frames, size_t __nr);

/*
 * Writes a complete log of what the stream holds now into the file, which is
 * emptied first.  The stream goes on, and nothing is taken from it.  Returns 0,
 * EINVAL, EBADF, EMFILE, ENOMEM, or the error of writing: ENOSPC, EFBIG, EIO,
 * EPIPE.
 */
_PTL_API int posix_trace_snapshot_np(trace_id_t __trid, int __file_desc);

/*
 * For a controller that may be killed.  The log is a file, and file_desc is
 * open for reading and writing.  guard: while this process lives, and does not
 * call exec, a stream whose controller died is not given up: what traces record
 * waits for the next.  takeover: this process is that, and *trid the stream,
 * which goes on.  Return 0, EINVAL (no log of a stream of this system), EBUSY
 * (its controller lives), ESRCH (there is no such stream any more: the log is
 * complete, or is completed now), or for want of resources EMFILE, ENFILE,
 * ENOMEM, EAGAIN; takeover also the error of writing.
 */
_PTL_API int posix_trace_guard_np(int __file_desc);
_PTL_API int posix_trace_takeover_np(int __file_desc, trace_id_t *__trid);

/*
 * The directory that the memory of streams of user uid is in, which that user
 * alone can enter.  Flags: O_CREAT, it is made if it is not there.  Returns 0,
 * EINVAL, ERANGE (path, which holds size bytes, is too short), ENOENT, or why
 * it cannot be used or made.
 */
_PTL_API int posix_trace_directory_np(uid_t __uid, int __flags, char *__path,
				      size_t __size);

/*
 * posix_trace_open() for a descriptor that cannot seek (a pipe): first reads it
 * to the end.  Also returns ENOMEM and EIO.
 */
_PTL_API int posix_trace_open_np(int __file_desc, trace_id_t *__trid);

/*
 * Encloses something in a log that nobody writes to any more: its bytes, by a
 * name of at most 8191 bytes.  It comes behind all that the file has, in full
 * or not at all; readers that look for events pass over it.  ptrace-run keeps
 * the symbols of programs so.  Returns 0, EINVAL (no name, or no log),
 * ENAMETOOLONG, ENOMEM, or why the file cannot be read or written.
 */
_PTL_API int posix_trace_enclose_np(int __file_desc, const char *__name,
				    const void *__data, size_t __size);

/*
 * What is enclosed in a log that is open, from number 0 on: as much of its name
 * and of its bytes as there is room for, unless that is a null pointer, and how
 * many bytes it has.  Returns 0, ENOENT if there are not so many, EINVAL, or
 * why they cannot be read.
 */
_PTL_API int posix_trace_get_enclosed_np(trace_id_t __trid,
					 unsigned int __number, char *__name,
					 size_t __name_size, void *__data,
					 size_t __data_size, size_t *__size);

/*
 * Of a log: only events of this time are wanted, from since to until; each may
 * be a null pointer.  From the next event on, but never the first of all, what
 * began at another time may be left out by posix_trace_getnext_event(), and is
 * not even read where the log says that it is not needed; but for system events
 * that say what others mean (of processes, threads, modules and functions).
 * Returns 0 or EINVAL.
 */
_PTL_API int posix_trace_set_window_np(trace_id_t __trid,
				       const struct timespec *__since,
				       const struct timespec *__until);

/*
 * Of a log: the time at which the counter by which its events were recorded had
 * that value (libptrace-format(5)).  Returns 0 or EINVAL.
 */
_PTL_API int posix_trace_get_counter_time_np(trace_id_t __trid,
					     unsigned long long __counter,
					     struct timespec *__time);

/*
 * Opens the file for a log, and creates it if it does not exist.  It gets mode
 * 0600, and is locked while the descriptor is open.  Another user's links are
 * not followed, and another user's files are not written to.  Flags: O_EXCL,
 * the file must not exist; O_TRUNC, the file is for other contents, and must
 * not be a log.  Returns 0, EINVAL, EEXIST (the file exists and is not a log),
 * EPERM (another user's), EBUSY (being written), EMLINK, or the error of
 * opening it.
 */
_PTL_API int posix_trace_create_logfile_np(const char *__path, int __flags,
					   int *__file_desc);

/*
 * The layout of the data of an event type: words "name:type" separated by
 * blanks, with one of the types i (int64), x (uint64, shown in hexadecimal), f
 * (double), s (bytes up to a null), v (strings up to the end), b (one size
 * byte, then so many bytes), a, A and r (arguments and result of a call), h
 * (counts of 4 bytes up to the end: of values below 1, 2, 4, 8 and so on).
 * Empty for types of which it is not known.  Writes at most size bytes,
 * including the null.  Returns 0, EINVAL, or ENAMETOOLONG.
 */
_PTL_API int posix_trace_eventid_get_fields_np(trace_id_t __trid,
					       trace_event_id_t __event,
					       char *__fields, size_t __size);

/*
 * posix_trace_eventid_open() of an event type whose data have that layout: one
 * to 16 words "name:type", with one blank between, of the types i, x, f, s, v
 * and b; in the data they follow each other without padding.  Tools show such
 * data by their fields.  A number of type i or f that is "name:i.gauge", how
 * much of something there is, or "name:i.counter", how much more, is drawn as a
 * curve, and summed up; what is "name:i.context" (also of x and s) is so for
 * later events of the thread, until the next, or one without data.  Also
 * returns EINVAL for a layout or a name that is not allowed (that of a family
 * of the library's own), ENAMETOOLONG for either, and EEXIST if the type is
 * there already with another layout, or without.
 */
_PTL_API int
posix_trace_eventid_open_fields_np(const char *_PTL_RESTRICT __event_name,
				   const char *_PTL_RESTRICT __fields,
				   trace_event_id_t *_PTL_RESTRICT __event_id);

/*
 * The maximum number of return addresses that are recorded with each event:
 * from 0, the default, to POSIX_TRACE_STACK_MAX_NP.  Both return 0 or EINVAL.
 */
#define POSIX_TRACE_STACK_MAX_NP 64
_PTL_API int posix_trace_attr_getstackdepth_np(const trace_attr_t *__attr,
					       unsigned int *__depth);
_PTL_API int posix_trace_attr_setstackdepth_np(trace_attr_t *__attr,
					       unsigned int __depth);

/*
 * Does the stream record calls of libc's functions, as far as its filter
 * allows?  These are the system event types of the families file, io, mem,
 * sync, time and net, of which there are many events. 0, the default: no; 1:
 * yes; 2: but for those of malloc() and its like, where functions of the
 * program's own count as these.  Both return 0 or EINVAL.
 */
_PTL_API int posix_trace_attr_getcalls_np(const trace_attr_t *__attr,
					  int *__calls);
_PTL_API int posix_trace_attr_setcalls_np(trace_attr_t *__attr, int __calls);

/*
 * What the hooks of library calls (ptrace-run -l, -r) shall know of functions,
 * so that they record arguments and results: lines "NAME CODE\n", by name in
 * ascending order; libptrace-events(7) has the codes.  Processes look at it
 * when they start.  Once for a stream.  Returns 0, EINVAL, EEXIST or ENOMEM.
 */
_PTL_API int posix_trace_set_prototypes_np(trace_id_t __trid,
					   const char *__prototypes,
					   size_t __size);

/*
 * Functions inside of programs that processes shall record (ptrace-run -f):
 * what libptrace's own helper says of them, which is of its version alone.
 * Processes look at it when they start.  Once for a stream.  Returns 0, EINVAL,
 * EEXIST or ENOMEM.
 */
_PTL_API int posix_trace_set_functions_np(trace_id_t __trid,
					  const void *__functions,
					  size_t __size);

/*
 * Which calls of libc the stream records: those that pass each test that is
 * given.  The others are counted (posix_trace_info_np.unselected).
 */
#ifdef _DEFAULT_SOURCE
struct posix_trace_selection_np {
	int failed;		  /* 1: those that failed */
	struct timespec shortest; /* that took so long; 0: no test */
	const char *paths;	  /* about a path that matches one of these,
				   * with commas between; or NULL */
	const int *fds;		  /* about one of these descriptors; or NULL */
	unsigned int nr_fds;	  /* at most 16 */
};
#else
struct posix_trace_selection_np;
#endif

/* A null pointer: all calls.  Returns 0 or EINVAL. */
_PTL_API int posix_trace_set_selection_np(
	trace_id_t __trid, const struct posix_trace_selection_np *__selection);

/*
 * Which calls the hooks of library calls shall not record: those of which the
 * return is recorded (ptrace-run -r) and that take less than `shortest', unless
 * that is a null pointer, and those that are nested in `depth' others or more,
 * unless that is 0.  Processes look at it when they start.  Returns 0 or
 * EINVAL.
 */
_PTL_API int posix_trace_set_call_limits_np(trace_id_t __trid,
					    const struct timespec *__shortest,
					    unsigned int __depth);

/*
 * Processes that the stream traces and that start later sum up calls of
 * functions, where they would record events of each (ptrace-run -f, -l, -r): a
 * call:summary for each function, place of call and thread.  on: 1, or 0: they
 * do not.  MT-Safe, not async-signal-safe.  0, or EINVAL: no active stream of
 * this process, or neither.
 */
_PTL_API int posix_trace_set_call_summary_np(trace_id_t __trid, int __on);

/*
 * With events of the families io and net, the first `size' bytes of what the
 * call read or wrote shall be recorded, as far as max-data-size lets them; 0:
 * none, which is the default.  Processes look at it when they first record in
 * the stream.  Returns 0 or EINVAL.
 */
_PTL_API int posix_trace_set_io_data_np(trace_id_t __trid, size_t __size);

/*
 * For a process into which the library came by dlopen(), not when it was
 * started: from now on its calls of the functions of libc that the library
 * would have wrapped are recorded, and programs that it starts are traced, as
 * far as that can be had without starting again.  Returns 0; ENOTSUP, EPERM.
 */
_PTL_API int posix_trace_interpose_np(void);

/*
 * For a process that runs already, and is traced by now: hooks what `settings'
 * names, strings NAME=VALUE as a program would find them in its environment
 * (PTRACE_CALLS, PTRACE_RETURNS, PTRACE_FUNCTIONS), with an empty one behind
 * them.  Calls are hooked then.  Functions are not, for threads run in them:
 * what is to be written is stored in hook->pending and hook->nr, for the
 * process that can stop them all.  Settings NULL: it has done so, but for
 * hook->left of them, for the reason hook->why.  Returns 0; EINVAL, ENOEXEC,
 * EPERM.
 */
struct posix_trace_hook_np {
	const void *pending;
	unsigned long long nr;
	unsigned long long left;
	char why[64];
};
_PTL_API int posix_trace_hook_np(const char *__settings,
				 struct posix_trace_hook_np *__hook);

/*
 * The call stack of the event that any thread read last from this stream
 * without log, or log: return addresses, innermost first; the first one is the
 * event's posix_prog_address.  Writes at most max of them; *nr is their number,
 * 0 if none were recorded.  Returns 0 or EINVAL.
 */
_PTL_API int posix_trace_get_stack_np(trace_id_t __trid, void **__frames,
				      size_t __max, size_t *__nr);

/*
 * How long the call took that the event is about that any thread read last from
 * this stream without log, or log: in nanoseconds, from its posix_timestamp on.
 * -1 if that was not recorded.  Returns 0 or EINVAL.
 */
_PTL_API int posix_trace_get_duration_np(trace_id_t __trid,
					 long long *__duration);

/*
 * A span: something of the program's own that lasts.  begin records that one of
 * this user event type begins, with at most POSIX_TRACE_SPAN_DATA_MAX_NP bytes
 * of data, and stores its number, which no other span of the trace has; or 0,
 * if no stream wants it.  end records the end of the span of that number, in
 * any thread or process; nothing, if it is 0.  In its own thread a span is in
 * the one that began last and has not ended.  Both are async-signal-safe, and
 * report no errors.  span may be a null pointer.
 */
typedef unsigned long long trace_span_np_t;
#define POSIX_TRACE_SPAN_DATA_MAX_NP 1024
_PTL_API _PTL_NOPLT void posix_trace_span_begin_np(
	trace_event_id_t __event_id, const void *_PTL_RESTRICT __data_ptr,
	size_t __data_len, trace_span_np_t *_PTL_RESTRICT __span);
_PTL_API _PTL_NOPLT void posix_trace_span_end_np(trace_span_np_t __span);

/*
 * Records that a span goes on from another one, in whatever thread or process
 * that is: `to' has caused it, or came before it and does not wait for it.
 * Both have begun; nothing, if one is 0.  Async-signal-safe, and reports no
 * errors.
 */
#define POSIX_TRACE_SPAN_CAUSE_NP 0
#define POSIX_TRACE_SPAN_FOLLOWS_NP 1
_PTL_API _PTL_NOPLT void posix_trace_span_link_np(trace_span_np_t __span,
						  trace_span_np_t __to,
						  int __kind);

/*
 * Records what the calling thread, or its process, is to be called from now on:
 * a name of 1 to POSIX_TRACE_NAME_MAX_NP bytes, longer ones are cut.  That of
 * a process stands for its program's, until it executes another one. Changes
 * neither the kernel's names nor the program.  Async-signal-safe, and reports
 * no errors.
 */
#define POSIX_TRACE_NAME_MAX_NP 127
#define POSIX_TRACE_NAME_THREAD_NP 0
#define POSIX_TRACE_NAME_PROCESS_NP 1
_PTL_API _PTL_NOPLT void posix_trace_set_name_np(int __what,
						 const char *__name);

/*
 * Records that the calling process has a tag, which tools show beside its name:
 * a key of 1 to POSIX_TRACE_NAME_MAX_NP bytes and a value of as many at most,
 * longer ones are cut.  It is there, also in other programs that the process
 * executes, until it has another value; a null pointer, or an empty value,
 * takes it away.  Async-signal-safe, and reports no errors.
 */
_PTL_API _PTL_NOPLT void posix_trace_set_tag_np(const char *__key,
						const char *__value);

/*
 * posix_trace_event() as a macro, and the functions of spans and names: while
 * no stream traces the process it costs a load or two and a test.  It evaluates
 * its arguments once; an #undef, or (posix_trace_event)(id, data, size), gives
 * the function.
 */
#ifdef __GNUC__

/* Points to a word that is 0 if no stream traces the process; for the code
 * below, not for programs. */
#ifdef TRACE_WEAK
__attribute__((__weak__))
#endif
extern const unsigned long long *posix_trace_active_np;

#define _PTL_INLINE_EVENT \
	extern __inline__ __attribute__((__gnu_inline__, __always_inline__, \
					 __artificial__))

/* The pointer may change at any time, for example in a fork child. */
#define _PTL_ACTIVE(__where) \
	__builtin_expect( \
		__atomic_load_n(__atomic_load_n(__where, __ATOMIC_RELAXED), \
				__ATOMIC_RELAXED) != 0, \
		0)

#ifndef TRACE_WEAK

_PTL_INLINE_EVENT void __ptl_trace_event(trace_event_id_t __id,
					 const void *__data, size_t __size)
{
	if (_PTL_ACTIVE(&posix_trace_active_np)) {
		posix_trace_event(__id, __data, __size);
		/* No jump in place of the call: the event has its address. */
		__asm__ volatile("");
	}
}

_PTL_INLINE_EVENT void __ptl_trace_span_begin(trace_event_id_t __id,
					      const void *__data, size_t __size,
					      trace_span_np_t *__span)
{
	if (_PTL_ACTIVE(&posix_trace_active_np)) {
		posix_trace_span_begin_np(__id, __data, __size, __span);
		__asm__ volatile("");
	} else if (__span) {
		*__span = 0;
	}
}

_PTL_INLINE_EVENT void __ptl_trace_span_end(trace_span_np_t __span)
{
	if (_PTL_ACTIVE(&posix_trace_active_np)) {
		posix_trace_span_end_np(__span);
		__asm__ volatile("");
	}
}

_PTL_INLINE_EVENT void __ptl_trace_span_link(trace_span_np_t __span,
					     trace_span_np_t __to, int __kind)
{
	if (_PTL_ACTIVE(&posix_trace_active_np)) {
		posix_trace_span_link_np(__span, __to, __kind);
		__asm__ volatile("");
	}
}

_PTL_INLINE_EVENT void __ptl_trace_set_name(int __what, const char *__name)
{
	if (_PTL_ACTIVE(&posix_trace_active_np)) {
		posix_trace_set_name_np(__what, __name);
		__asm__ volatile("");
	}
}

_PTL_INLINE_EVENT void __ptl_trace_set_tag(const char *__key,
					   const char *__value)
{
	if (_PTL_ACTIVE(&posix_trace_active_np)) {
		posix_trace_set_tag_np(__key, __value);
		__asm__ volatile("");
	}
}

#else

/*
 * The address of a weak symbol; 0 if it is missing.  In a program at a fixed
 * address clang would use a plain reference, which the linker resolves to 0.
 */
#if defined(__x86_64__) && !defined(__ILP32__)
#define _PTL_WEAK_ADDRESS(__to, __symbol) \
	__asm__(".weak " #__symbol "\n\tmovq " #__symbol \
		"@GOTPCREL(%%rip), %0" \
		: "=r"(__to))
#else
#define _PTL_WEAK_ADDRESS(__to, __symbol) ((__to) = &__symbol)
#endif

_PTL_INLINE_EVENT void __ptl_trace_event(trace_event_id_t __id,
					 const void *__data, size_t __size)
{
	const unsigned long long *const *__active;
	void (*__event)(trace_event_id_t, const void *, size_t);

	_PTL_WEAK_ADDRESS(__active, posix_trace_active_np);
	if (!__active || !_PTL_ACTIVE(__active))
		return;
	_PTL_WEAK_ADDRESS(__event, posix_trace_event);
	if (__event)
		__event(__id, __data, __size);
	__asm__ volatile("");
}

_PTL_INLINE_EVENT void __ptl_trace_span_begin(trace_event_id_t __id,
					      const void *__data, size_t __size,
					      trace_span_np_t *__span)
{
	const unsigned long long *const *__active;
	void (*__begin)(trace_event_id_t, const void *, size_t,
			trace_span_np_t *);

	if (__span)
		*__span = 0;
	_PTL_WEAK_ADDRESS(__active, posix_trace_active_np);
	if (!__active || !_PTL_ACTIVE(__active))
		return;
	_PTL_WEAK_ADDRESS(__begin, posix_trace_span_begin_np);
	if (__begin)
		__begin(__id, __data, __size, __span);
	__asm__ volatile("");
}

_PTL_INLINE_EVENT void __ptl_trace_span_end(trace_span_np_t __span)
{
	const unsigned long long *const *__active;
	void (*__end)(trace_span_np_t);

	_PTL_WEAK_ADDRESS(__active, posix_trace_active_np);
	if (!__active || !_PTL_ACTIVE(__active))
		return;
	_PTL_WEAK_ADDRESS(__end, posix_trace_span_end_np);
	if (__end)
		__end(__span);
	__asm__ volatile("");
}

_PTL_INLINE_EVENT void __ptl_trace_span_link(trace_span_np_t __span,
					     trace_span_np_t __to, int __kind)
{
	const unsigned long long *const *__active;
	void (*__link)(trace_span_np_t, trace_span_np_t, int);

	_PTL_WEAK_ADDRESS(__active, posix_trace_active_np);
	if (!__active || !_PTL_ACTIVE(__active))
		return;
	_PTL_WEAK_ADDRESS(__link, posix_trace_span_link_np);
	if (__link)
		__link(__span, __to, __kind);
	__asm__ volatile("");
}

_PTL_INLINE_EVENT void __ptl_trace_set_name(int __what, const char *__name)
{
	const unsigned long long *const *__active;
	void (*__set)(int, const char *);

	_PTL_WEAK_ADDRESS(__active, posix_trace_active_np);
	if (!__active || !_PTL_ACTIVE(__active))
		return;
	_PTL_WEAK_ADDRESS(__set, posix_trace_set_name_np);
	if (__set)
		__set(__what, __name);
	__asm__ volatile("");
}

_PTL_INLINE_EVENT void __ptl_trace_set_tag(const char *__key,
					   const char *__value)
{
	const unsigned long long *const *__active;
	void (*__set)(const char *, const char *);

	_PTL_WEAK_ADDRESS(__active, posix_trace_active_np);
	if (!__active || !_PTL_ACTIVE(__active))
		return;
	_PTL_WEAK_ADDRESS(__set, posix_trace_set_tag_np);
	if (__set)
		__set(__key, __value);
	__asm__ volatile("");
}

_PTL_INLINE_EVENT int __ptl_trace_eventid_open(const char *__name,
					       trace_event_id_t *__id)
{
	int (*__eventid_open)(const char *, trace_event_id_t *);

	_PTL_WEAK_ADDRESS(__eventid_open, posix_trace_eventid_open);
	if (__eventid_open)
		return __eventid_open(__name, __id);
	if (__id)
		*__id = POSIX_TRACE_UNNAMED_USEREVENT;
	return 0;
}

#define posix_trace_eventid_open(__name, __id) \
	__ptl_trace_eventid_open(__name, __id)

#endif

/* Arguments may contain commas: compound literals. */
#if defined(__cplusplus) && __cplusplus < 201103L
#define posix_trace_event(__id, __data, __size) \
	__ptl_trace_event(__id, __data, __size)
#define posix_trace_span_begin_np(__id, __data, __size, __span) \
	__ptl_trace_span_begin(__id, __data, __size, __span)
#else
#define posix_trace_event(...) __ptl_trace_event(__VA_ARGS__)
#define posix_trace_span_begin_np(...) __ptl_trace_span_begin(__VA_ARGS__)
#endif
#define posix_trace_span_end_np(__span) __ptl_trace_span_end(__span)
#define posix_trace_span_link_np(__span, __to, __kind) \
	__ptl_trace_span_link(__span, __to, __kind)
#define posix_trace_set_name_np(__what, __name) \
	__ptl_trace_set_name(__what, __name)
#define posix_trace_set_tag_np(__key, __value) \
	__ptl_trace_set_tag(__key, __value)

#endif

#ifdef __cplusplus
}
#endif

#endif
