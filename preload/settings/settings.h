/* SPDX-License-Identifier: MIT */
/*
 * How to trace: the one grammar of ptrace-run's options and the PTRACE_*
 * variables, for the tools, and for the library in a process that finds no
 * monitor.  The code in this folder also runs in foreign processes: it uses
 * nothing of libc except <trace.h>, and no memory except the caller's.
 *
 * A setting has one name: it is the long option and, in capitals after PTRACE_,
 * the variable.
 */
#ifndef PTL_PRELOAD_SETTINGS_SETTINGS_H
#define PTL_PRELOAD_SETTINGS_SETTINGS_H

#include <trace.h>

#include "core/defaults.h"
#include "preload/settings/families.h"

#define PTL_SIZE_DEFAULT ((size_t)-1)

struct ptl_settings {
	const char *output; /* NULL: NAME.PID.ptlog; |CMD: a pipe; see
			     * ptl_logname_fill() */
	struct ptl_families families;
	const char *exclude;	     /* lists of names of event types, */
	const char *calls, *returns; /* of patterns; or NULL */
	const char *functions;	     /* patterns of functions inside programs */
	const char *probes;	     /* patterns "sdt:PROVIDER:NAME", or NULL */
	const char *reach;	 /* programs that go past libc; NULL: none */
	const char *symbols;	 /* that the log keeps; NULL: auto */
	bool entry_only;	 /* not when they end */
	size_t min_size;	 /* of their code, bytes */
	const char *only, *skip; /* patterns of programs' names, or NULL */
	/* Which calls to record, and no others: */
	bool failed;
	uint64_t slower;	   /* ns; 0: any */
	const char *paths;	   /* lists of patterns, */
	const char *fds;	   /* and of numbers; or NULL */
	const char *prototypes;	   /* a file of C declarations, or NULL */
	bool arguments;		   /* of calls, by their prototypes */
	unsigned int depth;	   /* of calls; 0: any */
	uint64_t min_duration;	   /* of calls, ns */
	const char *hot;	   /* calls in a second after which a function
				    * is not recorded any more, or NULL */
	bool summary;		   /* of calls, in place of an event of each */
	size_t io_data;		   /* bytes read or written to record, or
				    * PTL_SIZE_DEFAULT: none */
	const char *environment;   /* names of variables, or NULL */
	bool traceparent;	   /* programs are spans, and hand that on */
	bool records_crashes;	   /* signal:crash */
	unsigned int sample;	   /* in a second of computing; 0: none */
	unsigned int sample_stack; /* bytes; 0: not said */
	const char *sample_by;	   /* what takes them; NULL: perf */
	bool sample_kernel;	   /* in the kernel, too */
	uint64_t sched;		   /* times off the processor of so many ns and
				    * more are recorded; 0: none */
	bool follows;		   /* children are traced */
	unsigned int stack_depth;  /* 0: no call stacks */
	const char *unwinder;	   /* that finds them; NULL: auto */
	size_t data_size;	   /* or PTL_SIZE_DEFAULT, as the next two */
	size_t stream_size;
	size_t log_size;
	int stream_policy; /* POSIX_TRACE_*; 0: the default */
	int log_policy;
	bool compress;	   /* the log, by ptrace-run's controller */
	bool is_suspended; /* it does not run before it is told to */
	bool is_snapshot;  /* the log is written when something happens */
	bool is_live;	   /* somebody reads it meanwhile; no variable */
};

/* The policies by name: FIRST(name, value), and then NEXT(name, value). */
#define PTL_STREAM_POLICIES(FIRST, NEXT) \
	FIRST("loop", POSIX_TRACE_LOOP) \
	NEXT("until-full", POSIX_TRACE_UNTIL_FULL) \
	NEXT("flush", POSIX_TRACE_FLUSH) \
	NEXT("block", POSIX_TRACE_BLOCK_NP)
#define PTL_LOG_POLICIES(FIRST, NEXT) \
	FIRST("loop", POSIX_TRACE_LOOP) \
	NEXT("until-full", POSIX_TRACE_UNTIL_FULL) \
	NEXT("append", POSIX_TRACE_APPEND)

/* The values, for help. */
#define PTL_POLICY_FIRST(name, value) name
#define PTL_POLICY_NEXT(name, value) ", " name
#define PTL_STREAM_POLICY_WORDS \
	PTL_STREAM_POLICIES(PTL_POLICY_FIRST, PTL_POLICY_NEXT)
#define PTL_LOG_POLICY_WORDS PTL_LOG_POLICIES(PTL_POLICY_FIRST, PTL_POLICY_NEXT)
#define PTL_REACH_WORDS "raw, static, libc, none"
#define PTL_SYMBOLS_WORDS "auto, all, none"
#define PTL_SAMPLE_BY_WORDS "perf, timer"
#define PTL_UNWINDER_WORDS "auto, own, libunwind"
#define PTL_FDS_WORDS "a list of descriptors, 16 at most"
#define PTL_PATHS_WORDS "a list of patterns of paths, 255 bytes at most"
#define PTL_RATE_WORDS "a number of calls in a second from 10k on, as 50k, 1M"
#define PTL_TIME_WORDS "a time, as 10us, 1ms, 2s"
#define PTL_SIZE_WORDS "a number of bytes above 0, as 100, 16K, 2M, 1G"
/* Less holds no event, or few. */
#define PTL_STREAM_LEAST 4096
#define PTL_STREAM_SIZE_WORDS "a number of bytes from 4K on, as 64K, 2M, 1G"
#define PTL_TEXT_OF(number) #number
#define PTL_TEXT_OF_VALUE(macro) PTL_TEXT_OF(macro)
#define PTL_STACK_DEEPEST PTL_TEXT_OF_VALUE(POSIX_TRACE_STACK_MAX_NP)

/* cpu:sample; a number that is no divisor of what programs do regularly. */
#define PTL_SAMPLE_DEFAULT 999
#define PTL_SAMPLE_MOST 10000
#define PTL_SAMPLE_WORDS \
	"a number from 1 to " PTL_TEXT_OF_VALUE(PTL_SAMPLE_MOST)

/*
 * How much of a stack is looked at.  The kernel takes no more than what, with
 * the registers, fits into a record, whose size has 16 bits.
 */
#define PTL_SAMPLE_STACK_KIB 48
#define PTL_SAMPLE_STACK_LEAST 1024
#define PTL_SAMPLE_STACK_MOST 65528
#define PTL_SAMPLE_STACK_WORDS \
	"a number of bytes from 1K to " PTL_TEXT_OF_VALUE( \
		PTL_SAMPLE_STACK_MOST) " (the most that the kernel copies)"

/* sched:off; less is hardly more than what the switch itself takes. */
#define PTL_SCHED_DEFAULT 10us

/* The default sizes, as a user would write them. */
#define PTL_DATA_SIZE_TEXT PTL_TEXT_OF_VALUE(PTL_DEFAULT_DATA_BYTES)
#define PTL_STREAM_SIZE_TEXT PTL_TEXT_OF_VALUE(PTL_DEFAULT_STREAM_KIB) "K"
#define PTL_LOG_SIZE_TEXT PTL_TEXT_OF_VALUE(PTL_DEFAULT_LOG_GIB) "G"

void ptl_settings_init(struct ptl_settings *settings);

/*
 * Sets one; events add up.  False: there is no such setting, or the value is
 * invalid; then nothing has changed.  The value is kept, not copied.
 */
bool ptl_settings_set(struct ptl_settings *settings, const char *name,
		      const char *value);

/* The values that a setting can have, as in "... is not a number of bytes". */
const char *ptl_settings_allowed(const char *name);

/*
 * Reads PTRACE_*.  If a variable occurs more than once, the last one is used;
 * an empty one is ignored.  Invalid values are skipped, since an environment
 * shall not break a program, and reported by wrong(), unless that is NULL.
 */
void ptl_settings_from_environment(struct ptl_settings *settings,
				   char *const *envp,
				   void (*wrong)(const char *variable,
						 const char *value,
						 const char *allowed));

/* How many samples in a second of computing; 0: none. */
unsigned int ptl_settings_hz(const struct ptl_settings *settings);

/* Are they taken by timers in the processes? */
bool ptl_settings_timed(const struct ptl_settings *settings);

/* How many bytes of the stack are looked at with each. */
unsigned int ptl_settings_copied(const struct ptl_settings *settings);

/* How long a thread must be off the processor to be recorded, ns; 0: that is
 * not asked for. */
uint64_t ptl_settings_off(const struct ptl_settings *settings);

/* Are calls of libc to be recorded by what they say (--failed and the like);
 * and are these of all families, since it was not said of which? */
bool ptl_settings_select(const struct ptl_settings *settings);
bool ptl_settings_select_all(const struct ptl_settings *settings);

/* The attributes of the stream; the stream of a process, with its log in fd,
 * smaller than usual where there is no more memory, unless a size is asked for;
 * its filter.  All return 0 or the error number. */
int ptl_settings_attr(const struct ptl_settings *settings, trace_attr_t *attr);
int ptl_settings_create(const struct ptl_settings *settings, pid_t pid, int fd,
			trace_id_t *trid);
int ptl_settings_filter(const struct ptl_settings *settings, trace_id_t trid);

/*
 * Adds all event types of that name: the library has several types of one name.
 * A name that does not exist yet is opened, so that it is filtered when the
 * program opens it.  Returns 0 or the error number.
 */
int ptl_settings_add_type(trace_id_t trid, const char *wanted,
			  trace_event_set_t *set);

#endif
