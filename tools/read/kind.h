/* SPDX-License-Identifier: MIT */
/* What kind of event a type is of: what it says was done. */
#ifndef PTL_TOOLS_READ_KIND_H
#define PTL_TOOLS_READ_KIND_H

#include <trace.h>

#include <stdbool.h>

#include "tools/lib/args/decode.h"

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
	PTL_FAMILY_CPU,
	PTL_FAMILY_SCHED,
	PTL_FAMILY_CALL,
	PTL_FAMILIES
};

/* The acts of core/format/sysevents.h. */
enum ptl_act {
	PTL_ACT_OTHER,
	/* trace */
	PTL_ACT_TRACE_START,
	PTL_ACT_TRACE_STOP,
	PTL_ACT_TRACE_FILTER,
	PTL_ACT_TRACE_FLUSH,
	PTL_ACT_TRIGGER,
	PTL_ACT_OVERFLOW,
	PTL_ACT_RESUME,
	/* process, thread, what is loaded, signals, calls of functions */
	PTL_ACT_START,
	PTL_ACT_PROGRAM,
	PTL_ACT_RANK,
	PTL_ACT_FORK,
	PTL_ACT_EXEC,
	PTL_ACT_EXEC_FAILED,
	PTL_ACT_EXIT,
	PTL_ACT_UNTRACED,
	PTL_ACT_THREAD_START,
	PTL_ACT_THREAD_NAME,
	PTL_ACT_THREAD_EXIT,
	PTL_ACT_MAP,
	PTL_ACT_UNMAP,
	PTL_ACT_LOAD,
	PTL_ACT_UNLOAD,
	PTL_ACT_SIGNAL_SEND,
	PTL_ACT_SIGNAL_NOT_SENT,
	PTL_ACT_SIGNAL_DELIVER,
	PTL_ACT_SIGNAL_WAIT,
	PTL_ACT_CRASH,
	PTL_ACT_CPU_SAMPLE,
	PTL_ACT_CPU_SAMPLING,
	PTL_ACT_CPU_LOST,
	PTL_ACT_CPU_SYMBOL,
	PTL_ACT_SCHED_OFF,
	PTL_ACT_SCHED_LOST,
	PTL_ACT_SCHED_SUM, /* of a thread, when it ends */
	PTL_ACT_SCHED_RECORDING,
	PTL_ACT_SYMBOL,
	PTL_ACT_HOOKS,
	PTL_ACT_ENTER,
	PTL_ACT_ENTRY, /* when it ends will not be told */
	PTL_ACT_LEAVE,
	PTL_ACT_SUMMARY, /* of calls, each of which was no event */
	/* what programs say of themselves */
	PTL_ACT_SPAN_BEGIN,
	PTL_ACT_SPAN_END,
	PTL_ACT_SPAN_LINK,
	PTL_ACT_TAG,
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
	PTL_ACT_WAKE, /* whoever waits for a condition or semaphore */
	PTL_ACT_BARRIER,
	PTL_ACT_JOIN,
	PTL_ACT_WAITPID,
	PTL_ACT_SETTING, /* of the process: asked for, or changed */
	PTL_ACTS
};

/* A function is called. */
static inline bool ptl_act_enters(enum ptl_act act)
{
	return act == PTL_ACT_ENTER || act == PTL_ACT_ENTRY;
}

/* Fields that are looked for in each event, or in each of some kinds. */
enum ptl_field {
	PTL_FIELD_CALLEE,
	PTL_FIELD_DURATION,
	PTL_FIELD_CONTENDED,
	PTL_FIELD_RESULT,
	PTL_FIELD_ERROR,
	PTL_FIELD_STATUS,
	PTL_FIELD_SIGNAL,
	PTL_FIELD_SIZE,
	PTL_FIELD_COUNT,
	PTL_FIELD_POINTER,
	PTL_FIELD_FD,
	PTL_FIELD_QUEUE,
	PTL_FIELD_STREAM,
	PTL_FIELD_FLAGS,
	PTL_FIELDS
};

struct ptl_kind {
	const char *name; /* the same pointer for the same name */
	enum ptl_family family;
	enum ptl_act act;
	bool is_call;	      /* of libc, recorded when it returned */
	bool is_described;    /* there is more to say than its data do */
	int error_at;	      /* the argument that is the error, or -1 */
	bool is_result_error; /* it is 0 or the error */
	int at[PTL_FIELDS];   /* which argument the field is, or -1 */
};

/* The field of an event of that kind, whose arguments are those of its data
 * only; or NULL. */
static inline const struct ptl_arg *ptl_kind_arg(const struct ptl_kind *kind,
						 enum ptl_field field,
						 const struct ptl_args *args)
{
	/* -1 is more than there are. */
	return (unsigned int)kind->at[field] < args->nr ?
		       &args->arg[kind->at[field]] :
		       NULL;
}

enum ptl_outcome {
	PTL_OUTCOME_NONE, /* it is nothing that can fail, or that is not known
			   */
	PTL_OUTCOME_DONE,
	PTL_OUTCOME_FAILED,
};

/* What became of a call, a program that was to be executed, or a process that
 * ended.  The arguments are those of its data only. */
enum ptl_outcome ptl_kind_outcome(const struct ptl_kind *kind,
				  const struct ptl_args *args);

const char *ptl_family_name(enum ptl_family family);

/* Of a type with that name and those fields, by which it is found again: the
 * same for the same in other logs. */
const struct ptl_kind *ptl_kind_get(trace_event_id_t id, bool is_system,
				    const char *name,
				    const struct ptl_layout *layout);

#endif
