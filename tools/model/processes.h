/* SPDX-License-Identifier: MIT */
/*
 * The processes of some logs, learned from their events: who began whom, which
 * programs they ran, when and how they ended.  Times are ns since the first
 * event of the logs.
 */
#ifndef PTL_TOOLS_MODEL_PROCESSES_H
#define PTL_TOOLS_MODEL_PROCESSES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/model/tags.h"
#include "tools/model/view.h"
#include "tools/read/kind.h"

/*
 * The name of a program, the same pointer for the same name.  A child that runs
 * before its parent has told of it has one of its own, which gets its name
 * later.
 */
struct ptl_label {
	const char *name; /* NULL: not known yet */
};

/* A program that a process ran. */
struct ptl_program {
	struct ptl_program *next;
	const char *program; /* its name, without directories */
	const char *arguments;
	const char *cwd; /* or NULL */
	/* A program begins at its exec; if that is not in the log, when it says
	 * its name, and the first of a process with the process. */
	int64_t begin, end;
	unsigned int number; /* of the image: execs before it */
	bool is_guessed;     /* by what was mapped: it may say more */
};

/* A program that a process is about to execute, or to have a child execute. */
struct ptl_exec {
	const char *path; /* NULL: there is none */
	int64_t at;
	pid_t tid;	  /* of the thread that does */
	bool is_untraced; /* it will not say its name */
};

struct ptl_process {
	struct ptl_process *next; /* in the order of their first events */
	struct ptl_process *parent, *child, *sibling; /* the last child first */
	size_t number;
	const char *host; /* if the logs are of several, or NULL */
	pid_t pid, ppid;  /* ppid is 0 if it is not known */
	unsigned int pidns;

	int64_t begin, last, end; /* last: its last event */
	bool is_begun;		  /* its beginning was seen */
	bool is_ended;
	bool is_forked;	    /* its parent has told of it */
	bool is_replaced;   /* another process has got its number since */
	bool is_sure;	    /* it began by a fork or a program that we saw */
	bool is_controller; /* of the trace, of which there are marks only */
	bool is_outside;    /* of the time that is wanted */
	int status, signal; /* if it is ended; one of them is -1 */
	int64_t user_us, sys_us, maxrss_kib; /* -1: not known */
	int rank, nr_ranks;   /* of a parallel program; -1: not known */
	struct ptl_tags tags; /* that it has given itself */

	struct ptl_label *label; /* of what it runs now, or ran last */
	struct ptl_program *image, *last_image; /* NULL: none was seen */
	unsigned int nr_images;
	unsigned int last_number; /* of the image that it has got to */
	struct ptl_exec exec;	  /* the next, until it says its name */
	struct ptl_exec refused;  /* cannot be traced, and is not in exec */
	unsigned int threads, max_threads; /* that live, most at once */
	uint64_t events;
};

struct ptl_processes;

struct ptl_processes *ptl_processes_new(void);
void ptl_processes_free(struct ptl_processes *processes);

/*
 * The process of an event, which is not one of the trace's own, after the event
 * was learned from.
 */
struct ptl_process *ptl_processes_learn(struct ptl_processes *processes,
					const struct ptl_view *view,
					enum ptl_act act, int64_t now);

/* By an event of the trace itself: who records it controls the trace, and is no
 * process of the command if it records but marks. */
void ptl_processes_learn_controller(struct ptl_processes *processes,
				    const struct ptl_view *view);

/* The child of the fork that was learned of last; NULL: it is not known. */
const struct ptl_process *
ptl_processes_forked(const struct ptl_processes *processes);

/* After the last event: the processes that have not ended go on until then. */
void ptl_processes_end(struct ptl_processes *processes, int64_t now);

struct ptl_process *ptl_processes_first(const struct ptl_processes *processes);
size_t ptl_processes_nr(const struct ptl_processes *processes);
/* How many were traced, in the time that is wanted. */
size_t ptl_processes_traced(const struct ptl_processes *processes);
/* The first of them, and the next. */
struct ptl_process *
ptl_processes_first_traced(const struct ptl_processes *processes);
struct ptl_process *ptl_process_next_traced(const struct ptl_process *process);

/* The name of the program that the process runs now, or ran last; that of its
 * parent if it has executed none. */
const char *ptl_process_program(const struct ptl_process *process);
const char *ptl_label_name(const struct ptl_label *label);

/* "make > cc > cc1": what it comes from, up to 16 of them.  Returns the length,
 * which is `size' or more if it was cut. */
size_t ptl_process_path(const struct ptl_process *process, char *text,
			size_t size);

/* The label of all programs of that name; itself if it has no name. */
const struct ptl_label *ptl_label_same(const struct ptl_label *label);

/* The arguments of what it runs; those of a child which has executed nothing,
 * and of a program that was not traced, say so. */
const char *ptl_process_arguments(const struct ptl_process *process);

/* "rank 3: ", or "" where it has none. */
#define PTL_PROCESS_RANK_SIZE 24
const char *ptl_process_rank(const struct ptl_process *process,
			     char buf[PTL_PROCESS_RANK_SIZE]);

/* Whom an event is about that a script had recorded by ptrace-event: the
 * process that has executed what is a subshell by now. */
struct ptl_process *ptl_process_owner(struct ptl_process *process);

/* User and system time, ns; -1: not known. */
int64_t ptl_process_cpu(const struct ptl_process *process);

/* Are its beginning and its end in the log?  Else it lasted longer. */
bool ptl_process_is_whole(const struct ptl_process *process);

/* "0", "3", "SIGSEGV", or "?". */
const char *ptl_process_exit(const struct ptl_process *process, char buf[16]);

/* Did it end by a signal, or with another status than 0? */
bool ptl_process_failed(const struct ptl_process *process);

#endif
