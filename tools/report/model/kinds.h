/* SPDX-License-Identifier: MIT */
/* What the views have to know of event types: what they say was done. */
#ifndef PTL_TOOLS_REPORT_MODEL_KINDS_H
#define PTL_TOOLS_REPORT_MODEL_KINDS_H

#include <stdint.h>

#include "tools/read/type.h"

/* Before the colon of a system event's name. */
enum ptl_family {
	PTL_FAMILY_USER, /* not a system event */
	PTL_FAMILY_TRACE,
	PTL_FAMILY_PROCESS,
	PTL_FAMILY_THREAD,
	PTL_FAMILY_SIGNAL,
	PTL_FAMILY_FILE,
	PTL_FAMILY_IO,
	PTL_FAMILY_MEM,
	PTL_FAMILY_SYNC,
	PTL_FAMILY_TIME,
	PTL_FAMILY_NET,
	PTL_FAMILY_DL,
	PTL_FAMILY_CALL,
	PTL_FAMILIES
};

enum ptl_act {
	PTL_ACT_OTHER,
	/* trace */
	PTL_ACT_TRACE_START,
	PTL_ACT_TRACE_FILTER,
	PTL_ACT_OVERFLOW,
	/* process, thread, call */
	PTL_ACT_START,
	PTL_ACT_PROGRAM,
	PTL_ACT_FORK,
	PTL_ACT_EXEC,
	PTL_ACT_EXEC_FAILED,
	PTL_ACT_EXIT,
	PTL_ACT_UNTRACED,
	PTL_ACT_THREAD_START,
	PTL_ACT_THREAD_EXIT,
	PTL_ACT_ENTER,
	PTL_ACT_LEAVE,
	/* descriptors and streams of stdio: they begin */
	PTL_ACT_OPEN,
	PTL_ACT_FOPEN,
	PTL_ACT_FREOPEN,
	PTL_ACT_FDOPEN,
	PTL_ACT_DUP,
	PTL_ACT_FCNTL,
	PTL_ACT_PIPE,
	PTL_ACT_SOCKET,
	PTL_ACT_SOCKETPAIR,
	PTL_ACT_ACCEPT,
	PTL_ACT_CONNECT,
	PTL_ACT_UNNAMED, /* epoll and the like */
	/* they end */
	PTL_ACT_CLOSE,
	PTL_ACT_FCLOSE,
	PTL_ACT_CLOSE_RANGE,
	/* names of files */
	PTL_ACT_RENAME,
	/* bytes: ret is their number */
	PTL_ACT_READ,
	PTL_ACT_WRITE,
	PTL_ACT_FREAD, /* size times ret */
	PTL_ACT_FWRITE,
	PTL_ACT_GETC, /* one, unless ret is -1 */
	PTL_ACT_PUTC,
	PTL_ACT_MOVE, /* from `in' to `out' */
	PTL_ACT_POLL,
	/* memory */
	PTL_ACT_ALLOCATE,
	PTL_ACT_REALLOCATE,
	PTL_ACT_FREE,
	/* locks */
	PTL_ACT_LOCK,
	PTL_ACT_TRYLOCK,
	PTL_ACT_UNLOCK,
	PTL_ACT_RDLOCK,
	PTL_ACT_TRYRDLOCK,
	PTL_ACT_CONDITION, /* waits, and has no lock meanwhile */
	PTL_ACT_SEM_WAIT,
	PTL_ACT_SEM_TRYWAIT,
	PTL_ACT_BARRIER,
	PTL_ACT_JOIN,
};

struct ptl_event_kind {
	const char *name;
	enum ptl_family family;
	enum ptl_act act;
	int error_at;	      /* the argument that is the error, or -1 */
	bool is_result_error; /* it is 0 or the error */
};

const char *ptl_family_name(enum ptl_family family);

/* Always the same for types of the same name. */
const struct ptl_event_kind *ptl_kind_of(const struct ptl_type *type);

#endif
