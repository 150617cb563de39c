/* SPDX-License-Identifier: MIT */
/*
 * The seam: all that preload/ may ask of the engine.  The engine does not
 * know that interposition exists; preload/ does not know what a stream is.
 * Nothing here sets errno, allocates from the heap, or keeps a descriptor; and
 * all of it leaves the vector registers alone, in which functions that we are
 * called in front of have their arguments.
 */
#ifndef PTL_CORE_CORE_H
#define PTL_CORE_CORE_H

#include "core/base.h"
#include "core/format/sysevents.h"

#include <pthread.h>
#include <trace.h>

/*
 * Makes the process known and finds the streams that trace it: those of the
 * image before an exec, of the parent, or those `streams' names (the value
 * of PTRACE_STREAMS, or NULL).  Idempotent; called by the constructor, and by
 * the API if that has not run.  Returns true if some stream traces us.
 */
bool ptl_core_init(const char *streams);

/* The program begins, and what is mapped from now on is kept out of its way. */
void ptl_core_begun(void);

/*
 * For who only asks for names of event types: the same, but in a program with
 * somebody else's privileges, which leaves nothing in that user's run directory
 * unless it creates a stream.  The constructor says that it is one.
 */
void ptl_core_init_names(void);
void ptl_core_privileged(void);

/* First of all: by which name the program was called. */
/* First of all: libc's __libc_single_threaded, or NULL; and by which name the
 * program was called. */
void ptl_core_single_threaded(const char *word);
void ptl_core_called(const char *path);

/*
 * Before an exec: if it failed then, once more.  The next image could not tell
 * that there was one in between that was not traced; now that is told here.
 */
void ptl_core_late(void);

/*
 * In place of ptl_core_init(), for a process that shall record nothing by
 * itself: it becomes known, so that it can be traced, but in streams that it
 * has already it is only when it calls the API.
 */
void ptl_core_init_aside(const char *streams);

/*
 * In place of ptl_core_init(), or behind it, for an image that its streams are
 * not to record: not even when it calls the API.  What it starts is traced.
 * Returns true if there is some stream that it stands aside of.
 */
bool ptl_core_init_skipped(const char *streams);

/* Has what this process starts to be told of the streams?  True if some stream
 * traces us, or would if this image were not skipped. */
bool ptl_core_hands_down(void);

/* For the constructor, before it: code that is not to be seen in stacks; and
 * where what returns to it goes on to. */
void ptl_core_hide(const void *from, const void *to,
		   uint64_t (*plain)(uint64_t ret));

/* Does some stream want the call stack with its events? */
bool ptl_core_wants_stacks(void);

/* Call stacks by libunwind from now on; NULL, or why not.  Open is dlopen(),
 * past our wrapper.  By the constructor, alone. */
const char *ptl_core_libunwind(void *(*open)(const char *path, int flags));

/* An address in libunwind's code, which must not come upon our hooks; NULL: it
 * is not used. */
const void *ptl_core_libunwind_code(void);

/* Does any stream trace this process?  A load or two. */
bool ptl_core_traced(void);

/* Does more than one trace have this process? */
bool ptl_core_is_shared(void);

/* Lets go of streams that have died, which the next event would find out: who
 * asks what a stream wants before that must not ask one of them. */
void ptl_core_settle(void);

/* Is there a running stream that records this event type? */
bool ptl_core_wants(enum ptl_sysevent id);

/*
 * Records a system event in every running stream that traces the caller and
 * does not filter it.  Async-signal-safe.  Addr is the call in the program.
 */
void ptl_core_event(enum ptl_sysevent id, const void *data, size_t size,
		    const void *addr);

/* How much data an event has at most in each of the streams that trace the
 * caller; SIZE_MAX: there are none. */
size_t ptl_core_event_most(void);

/* Records an event of a type by the id that posix_trace_eventid_open() said. */
void ptl_core_typed_event(uint32_t type, const void *data, size_t size,
			  const void *addr);

/* Records a call:enter, the type of which there are most.  Returns `go', which
 * makes it the last that its caller does. */
uint64_t ptl_core_call_enter(uint64_t callee, const void *addr, uint64_t go);

/*
 * Calls of libc (sysevents.h) are recorded only in streams that ask for them. A
 * program makes millions: while nothing traces it,
 * ptl_core_maybe() costs two loads; where a filter says no,
 * ptl_core_wants_call() is cheap.
 */
extern const uint64_t *ptl_core_active __attribute__((visibility("hidden")));

PTL_INLINE bool ptl_core_maybe(void)
{
	const uint64_t *active = PTL_LOAD_PLAINLY(&ptl_core_active);

	return PTL_UNLIKELY(PTL_LOAD_PLAINLY(active) != 0);
}

bool ptl_core_wants_call(enum ptl_sysevent id);

/*
 * ptl_core_wants_call(), before the call: 0 if none wants it, else when it
 * begins, for the last 8 bytes of the data.
 */
uint64_t ptl_core_call_begins(enum ptl_sysevent id);

/* The time alone, for a call that is wanted.  Not 0. */
uint64_t ptl_core_call_time(void);

/* The last 8 bytes of the data are when the call began, 0 if that is not known.
 * They may be changed. */
void ptl_core_call(enum ptl_sysevent id, void *data, size_t size,
		   const void *addr);

/*
 * A signal is about to end the process: recorded with the call stack, whatever
 * the streams want of stacks.  The registers are as ptl_unwind_from() has them
 * (core/unwind/unwind.h), up to PTL_CORE_REGISTERS.  Async-signal-safe.
 */
#define PTL_CORE_REGISTERS 17
void ptl_core_crash(const void *data, size_t size, const uint64_t *reg,
		    const void *addr);

/* Does some stream record that, now or when it runs? */
bool ptl_core_wants_crashes(void);

/* A sample of the calling thread, which a signal interrupted: as
 * ptl_core_crash(), and so many periods of computing long. */
void ptl_core_sample(int64_t weight, bool was_in_kernel, const uint64_t *reg,
		     const void *addr);
bool ptl_core_wants_samples(void);

/* How many bytes of what a call reads or writes to record (calls.awk): the most
 * that a stream wants that was mapped so far; mostly 0. */
extern uint32_t ptl_core_io_data __attribute__((visibility("hidden")));

/* What a stream that traces us says of functions
 * (posix_trace_set_prototypes_np), to be read for as long as we live; NULL:
 * nothing. */
const char *ptl_core_prototypes(size_t *size);

/* And of functions inside of programs (posix_trace_set_functions_np), likewise.
 */
const void *ptl_core_patches(size_t *size);

/* Which calls of functions not to record: those that take less, and those that
 * are nested deeper; 0: all are recorded. */
struct ptl_core_limits {
	uint64_t ticks;
	uint32_t depth; /* PTL_CORE_SUMS: they are summed up */
	uint32_t clock; /* for ptl_core_ticks() */
};
#define PTL_CORE_SUMS UINT32_MAX
#define PTL_CORE_NEVER UINT64_MAX /* ticks: none is recorded */
void ptl_core_call_limits(struct ptl_core_limits *limits);
uint64_t ptl_core_ticks(uint32_t clock);

/*
 * A function that the process enters more often than `rate' times within a
 * second: off() is told of it, where it may record, and says whether it is not
 * recorded any more.  As far as its entries are recorded, and not exactly.
 */
void ptl_core_hot(uint32_t rate, bool (*off)(uint64_t callee));

/* A call of a function of which something is known; data: callee, and what it
 * was given, or what it returned and when it began. */
void ptl_core_call_typed(enum ptl_sysevent id, const void *data, size_t size,
			 const void *addr);

/*
 * Calls whose end is recorded, too, with when they began (core/record/nest.h).
 * at: where the return address is.  Of the typed end the word behind the `nr'
 * words is for that.
 */
uint64_t ptl_core_call_begin(uint64_t callee, const void *addr, uintptr_t at,
			     uint64_t go);
void ptl_core_call_end(enum ptl_sysevent id, uint64_t callee, uint64_t ret,
		       const void *addr, uintptr_t at);
/* A call ends by a jump to another function, which returns in its place. */
void ptl_core_call_left(uint64_t callee, const void *addr, uintptr_t at);

void ptl_core_call_begin_typed(const void *data, size_t size, const void *addr,
			       uintptr_t at);
void ptl_core_call_end_typed(uint64_t *words, size_t nr, const void *addr,
			     uintptr_t at);

/*
 * In place of the two, where the limits say so: the call is summed up, and no
 * event (core/record/sums.h).  at: 0 if its end will not be told.  False: it is
 * to be recorded after all; of an end: if its begin was.
 */
bool ptl_core_sum_begin(uint64_t callee, const void *addr, uintptr_t at);
bool ptl_core_sum_end(uintptr_t at);
/* For assembly: both, where nothing is out of the ordinary; false: nothing has
 * been done.  All registers but that of the result are as they were. */
/* Without SSE, as all of core is compiled; in tests that compile it otherwise
 * no assembly calls them. */
#if defined(__x86_64__) && !defined(__SSE2__)
#define PTL_KEEPS __attribute__((no_caller_saved_registers))
#else
#define PTL_KEEPS
#endif
PTL_KEEPS bool ptl_core_sum_usual_begin(uint64_t callee, const void *addr,
					uintptr_t at);
PTL_KEEPS bool ptl_core_sum_usual_end(uintptr_t at);
/* The first; and where that is false ptl_core_call_begin(). */
void ptl_core_sum_call(uint64_t callee, const void *addr, uintptr_t at);
bool ptl_core_sum_is_newest(uintptr_t at);

/* Is the newest of them the one there? */
bool ptl_core_nest_is_newest(uintptr_t at);

/* How many that are recorded so the thread is in, as seen from there. */
uint32_t ptl_core_nest_depth(uintptr_t at);

/* Is there memory for what is known of calls? */
bool ptl_core_nest_works(void);

/* A call begins, with what is to be recorded of it when it ends.  False: there
 * is no room for it. */
bool ptl_core_nest_enter(uintptr_t at, uint64_t since, const uint64_t *words,
			 size_t nr);

/* The newest call ends: since when it was in progress; 0: not known. */
uint64_t ptl_core_nest_leave(uintptr_t at);

/* Of the one that ended last: what was kept, until the next begins. */
const uint64_t *ptl_core_nest_kept(size_t *nr);

/* Where ptl_core_nest_enter() is not used: keeps a word with the call of that
 * function, which has just begun; and has it while the call is there, or has
 * just ended.  0: it is not known. */
void ptl_core_nest_keep(uintptr_t at, uint64_t callee, uint64_t word);
uint64_t ptl_core_nest_word(uintptr_t at, uint64_t callee);

/*
 * A call of a function that counts as malloc(), or one of its like, begins at
 * `at', with what it was given.  False: that is not known, or it is made by
 * another one, which has begun and not ended: is_there() says whether such a
 * return address is still on the stack.
 */
struct ptl_core_allocation {
	uint64_t ret; /* its return address */
	uint64_t since;
	uint64_t word[2];
};
bool ptl_core_allocating_enter(uintptr_t at,
			       const struct ptl_core_allocation *allocation,
			       bool (*is_there)(uint64_t at, uint64_t ret));

/* Has it begun, and not ended? */
bool ptl_core_allocating_is(uintptr_t at);

/* False: it did not begin so. */
bool ptl_core_allocating_leave(uintptr_t at,
			       struct ptl_core_allocation *allocation);

/*
 * The child of any fork that copies memory, as early as possible, alone in
 * its process: becomes a process of its own and records process:fork in the
 * parent's streams, in the parent's name.  Idempotent.
 */
void ptl_core_forked(void);

/* ptl_core_forked() where it is certain that this is such a child. */
void ptl_core_child(void);

/* When this process was first seen (CLOCK_BOOTTIME, ns): in a child of a fork,
 * from ptl_core_child() on, other than in its parent. */
uint64_t ptl_core_born(void);

/*
 * A child that will be traced like us is about to be made; false: it was not
 * made after all, or cannot be traced.  Before it, so that the streams know of
 * the child even if we end before it has run.  Addr is the call in the program.
 * Returns what ptl_core_made() is to be given.
 */
uint32_t ptl_core_expect(bool child, const void *addr);

/* Around a call that copies the process: what comes to trace the parent while
 * the copy has not yet run is not the copy's, which has what is in `copy', on
 * the caller's stack.  The end is for the parent, with what the call returned:
 * if there is a child it is traced like us, and known, even if it is killed
 * before it has run. */
struct ptl_core_copy {
	uint64_t words[140];
};
void ptl_core_copying(struct ptl_core_copy *copy, const void *addr);
void ptl_core_copied(struct ptl_core_copy *copy, int pid);

/*
 * Before a vfork, or a clone that shares memory and is no thread: from now on
 * each event of this thread asks which process records it; until the parent
 * does, if it waits for the child (vfork), else for good.
 */
void ptl_core_vfork(bool parent_waits, const void *addr);

/* Is the caller such a child, running in its parent's memory?  No call of
 * libc; one system call if a vfork was announced, else none. */
bool ptl_core_in_vfork_child(void);

/*
 * The number of the calling task, if it is such a child whose parent did not
 * wait for it, so that both use the thread-local storage of the parent at once;
 * else 0.  Two system calls in a thread that ever made one, else none.
 */
#define PTL_BESIDE_UNKNOWN UINT32_MAX /* no system call may be made */
uint32_t ptl_core_beside(void);

/*
 * Outsiders: tasks with thread-local storage that is not libc's.  Nothing of
 * ours may look behind their thread pointer, and they record nothing
 * (core/buffer/outsider.h).  One will have that thread pointer; has gone; or
 * the calling task takes that thread pointer, or its former one again.
 */
void ptl_core_outsider_comes(const void *tls);
void ptl_core_outsider_gone(const void *tls);
void ptl_core_outsider_turns(const void *tls);

/* Is the caller one? */
bool ptl_core_outsider(void);

/*
 * What a new image must have in its environment as PTRACE_STREAMS to be traced
 * as a child of this process, or as this process; bridged: as ptl_core_reach()
 * said.  Writes at most size bytes with the null and returns the length; 0 if
 * there is nothing to hand on.  It is for this call alone, and the next says
 * something else.
 */
enum ptl_core_launch {
	PTL_CORE_EXECS,
	PTL_CORE_SPAWNS /* after ptl_core_expect() */
};
size_t ptl_core_streams(char *buf, size_t size, enum ptl_core_launch launch,
			bool bridged);
#define PTL_STREAMS_SIZE (64 * 32 + 160)
/* Between the streams and the pid namespace of the process that writes it; and
 * between a stream and its bridge. */
#define PTL_STREAMS_PIDNS ':'
#define PTL_STREAMS_BRIDGE '@'

/*
 * A token for an exec of a process that hands on no stream: its next image
 * finds its entry without asking /proc whose that is.  0 where that is not
 * certain.
 */
size_t ptl_core_token(char *buf);

/*
 * A stream that the caller created, and that flushes by itself, outlives its
 * exec: the program that follows controls it.  (By the standard it would be
 * shut down.)
 */
void ptl_core_keep(trace_id_t trid);

/*
 * A program is about to be started that will not be traced, in a new process or
 * in this one: counted in the streams that it would be in.
 */
void ptl_core_untraced(const char *path, const char *reason, bool new_process);

/*
 * Has a process of the same stream found that a file can be traced?  By a hash
 * of all that changes with the file, not 0.  It is a hint that saves looking:
 * whoever shares the stream can write there what he likes.
 */
bool ptl_core_is_traceable(uint64_t file);

/* Lets the others know. */
void ptl_core_note_traceable(uint64_t file);

/*
 * Will a program that this process starts now find the streams?  As another
 * user's, or with another /dev/shm, only over bridges, which are made.  NULL,
 * or why not.
 */
const char *ptl_core_reach(bool *bridged);

/* How much address space those streams take in it. */
uint64_t ptl_core_room(void);

/*
 * Before an exec call: of that program, which has an environment that loads us;
 * if it does not start us it is counted as not traced when it ends.  NULL: it
 * is known, and recorded, that it will not be traced.
 */
void ptl_core_execs(const char *path);

/* Of that exec: last of all before it, and when it came back. */
void ptl_core_exec(void);
void ptl_core_exec_failed(void);

/*
 * The process ends in order: records process:exit once, shuts down the
 * streams it created, and lets its chunks go.  Events are still accepted
 * afterwards.  In a vfork child only process:exit is recorded.
 */
void ptl_core_exit(int status);

/*
 * A child was made, at addr, that shall be traced like us, and executes that
 * program.  The same is said of one that has ended and never began.
 */
void ptl_core_made(int pid, uint32_t since, const char *path, const void *addr);

/* A child was made that shall not be traced. */
void ptl_core_made_untraced(int pid);

/* A child was made that is not known by its number, and has ended. */
void ptl_core_waited(uint32_t since);

/*
 * A child was reaped; status and usage as from wait4(2), usage NULL if it is
 * not known.  Records process:exit in the child's name if it could not do so
 * itself, and forgets the child.
 */
struct rusage;
void ptl_core_reaped(int pid, int status, const struct rusage *usage);

/*
 * A thread about to be created gets its recording slot from its creator, so
 * that it can record whatever it is forbidden later.  NULL if there is none.
 * enter: by the new thread itself, first of all.  exit: by the thread, last.
 */
struct ptl_slot *ptl_core_thread_new(void);
void ptl_core_thread_cancel(struct ptl_slot *slot);
void ptl_core_thread_enter(struct ptl_slot *slot);
void ptl_core_thread_exit(void);

/* The number of the calling thread after enter, without asking the kernel. */
int ptl_core_tid(void);

/* The number of another thread of this process; 0 if it is not known. */
int ptl_core_tid_of(pthread_t thread);

/* How the engine is to make its own threads: past our wrapper. */
void ptl_core_set_thread_create(int (*create)(pthread_t *,
					      const pthread_attr_t *,
					      void *(*)(void *), void *));

/* Where libc counts the program's threads and ours. */
void ptl_core_set_thread_count(const unsigned int *count);

/* After dlclose(), and where it is found that objects came or went: what was
 * learnt of code that may be gone is forgotten. */
void ptl_core_unloaded(void);

/* The calling thread is about to be forbidden the CPU's counter, or may read it
 * again. */
void ptl_core_counter(bool allowed);

/*
 * Around a call that may change the user; not in a vfork child.  A process that
 * cannot become the former user again cannot write to that user's registry
 * afterwards.
 */
void ptl_core_user(bool begins);

/* From now on no system call may be made (seccomp).  Tid asks libc for the
 * thread's number; NULL: it cannot be asked. */
void ptl_core_no_syscalls(uint32_t (*tid)(void));

/* Does this process control streams, which takes calls? */
bool ptl_core_controls(void);

/* Has none come after all?  By calls that ld.so makes, too. */
bool ptl_core_may_call_again(void);

/*
 * First of all: a filter that is there already, and is not one of the first
 * `known', lets us make no calls but those that ld.so makes.  Known -1: it is
 * not known which do no harm.  Returns how many do none.
 */
int ptl_core_filters(int known);

/* Had somebody us by ptrace(2) when that was looked at? */
bool ptl_core_had_tracer(void);

#endif
