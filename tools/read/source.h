/* SPDX-License-Identifier: MIT */
/*
 * A log opened for reading: its current event, and what is known of its event
 * types.  A file that is no log and a damaged log are different errors.
 */
#ifndef PTL_TOOLS_READ_SOURCE_H
#define PTL_TOOLS_READ_SOURCE_H

#include <trace.h>

#include <stdbool.h>
#include <stddef.h>

#include "tools/read/ahead.h"
#include "tools/read/open.h"
#include "tools/read/type.h"

struct ptl_modules;
struct ptl_process;
struct ptl_start_parts;
struct ptl_thread;

/* Event types are looked up by two steps: a log has few of them. */
#define PTL_SOURCE_TYPE_IDS 64
#define PTL_SOURCE_TYPES \
	((_PTL_EVENT_ID_LIMIT + PTL_SOURCE_TYPE_IDS - 1) / PTL_SOURCE_TYPE_IDS)

struct ptl_source {
	const char *path;
	trace_id_t trid;
	struct ptl_type **types[PTL_SOURCE_TYPES]; /* those of some ids, or NULL
						    */

	/* What tools/model knows of it, or NULL: the last two were found last.
	 */
	struct ptl_modules *modules;
	struct ptl_process *process;
	struct ptl_thread *thread;

	/* The current event; valid while there is one. */
	bool has_event;
	size_t nr_read; /* events so far, this one too */
	struct posix_trace_event_info event;
	struct ptl_type *type;
	char *data;
	size_t data_size;
	char *own_data;	    /* where it is, if it was not read ahead */
	size_t data_room;   /* of that: as much as it needed so far */
	size_t data_most;   /* no event has more */
	long long duration; /* of the call, ns; -1: not known */
	int nr_symbols;	    /* programs whose symbols it keeps; -1: not known */
	bool has_stacks;
	bool was_written;	     /* when it was opened */
	unsigned long long lost;     /* where it says so; 0: not known */
	char *host_name;	     /* "?": not known */
	trace_event_id_t types_end;  /* see ptl_source_types_end() */
	bool owns_host_name;	     /* the first log of its host */
	unsigned long long dev, ino; /* the file that it was opened as */
	int copy; /* what was made of it, to be opened again; 0: nothing */
	struct ptl_unpack_rest *rest; /* what is not in that yet, or NULL */
	bool is_holed;		      /* some of that could not be unpacked */
	const char *host; /* the same if the logs are of several, or NULL */
	long long shift;  /* ns, that its times are corrected by */
	struct timespec since, until; /* see ptl_source_window() */
	bool has_since, has_until;
	void *stack[POSIX_TRACE_STACK_MAX_NP];
	size_t nr_stack;

	struct ptl_start_parts *parts; /* of command lines; or NULL */
	struct ptl_next *next;
	bool has_next;	     /* it was read, and is not the current one yet */
	bool is_one_of_many; /* so it reads ahead, as ahead.h has it */
	struct ptl_read_ahead ahead;
};

/*
 * Opens the log, "-" being standard input.  Returns PTL_EXIT_OK; else
 * PTL_EXIT_DAMAGED (a log, but nothing in it can be read) or PTL_EXIT_NO_LOG,
 * and `why', of PTL_OPEN_WHY_SIZE bytes, says it.
 */
int ptl_source_open(struct ptl_source *source, const char *path, char *why);
void ptl_source_close(struct ptl_source *source);

/* The log once more, from its first event on, beside the one that is open: of
 * the same host, its times corrected alike.  Returns false if that cannot be,
 * as of a pipe whose bytes nobody has early. */
bool ptl_source_again(struct ptl_source *source, const struct ptl_source *open);

/* Steps to the next event; has_event tells whether there is one. */
void ptl_source_next(struct ptl_source *source);

/* The event of that log is needed soon, or even next. */
static inline void ptl_source_expect(const struct ptl_source *source,
				     bool is_next)
{
	const char *event = (const char *)&source->modules;

	__builtin_prefetch(event);
	__builtin_prefetch(event + 64);
	__builtin_prefetch(event + 128);
	if (!is_next)
		return;
	__builtin_prefetch(source->data);
	__builtin_prefetch(source->data + 64);
	__builtin_prefetch(source->data + 128);
	__builtin_prefetch(source->modules);
	__builtin_prefetch(source->process);
	__builtin_prefetch(source->thread);
}

/* The event behind the current one; NULL: there is none yet.  Valid until the
 * next step. */
const struct ptl_next *ptl_source_peek(struct ptl_source *source);

/* From now on, and in the current event: its times are so many ns later than in
 * the log. */
void ptl_source_shift(struct ptl_source *source, long long ns);

/* Does one of its event types say what is so for later events? */
bool ptl_source_has_context(struct ptl_source *source);

/* Only what is of this time is needed: see posix_trace_set_window_np(3). */
void ptl_source_window(struct ptl_source *source, const struct timespec *since,
		       const struct timespec *until);

/* What is of that time is there, if the log is opened again; NULL: from the
 * first event, or to the last.  A compressed one may have been unpacked in part
 * (ptl_open_some()); this one itself is read no further. */
void ptl_source_bring(struct ptl_source *source, const struct timespec *since,
		      const struct timespec *until);

/*
 * Steps to each event of the log, from the first one on, and back to where it
 * was: see is called for each, as its current event.
 */
void ptl_source_survey(struct ptl_source *source,
		       void (*see)(void *to, struct ptl_source *source),
		       void *to);

/*
 * Of what a log says of lost events: how many are lost where it says so; 0 if
 * that is not known, or it says so several times.  Only while no more than the
 * first event was read.
 */
unsigned long long ptl_source_lost(struct ptl_source *source);

/*
 * There was no event: is there one by now, or will there be?  Steps to it if
 * there is one.  Asks who writes the log only if is_patient is false, since
 * that takes long.
 */
enum ptl_source_more {
	PTL_SOURCE_NONE,
	PTL_SOURCE_LATER,
	PTL_SOURCE_NOW,
};
enum ptl_source_more ptl_source_more(struct ptl_source *source,
				     bool is_patient);

/*
 * After a log was followed to its end: is it a ring that has come round, so
 * that what was overwritten was not read?  If so, says that, and returns
 * PTL_EXIT_DAMAGED.
 */
int ptl_source_outrun(const struct ptl_source *source);

/* That of an id which was not looked for before. */
struct ptl_type *ptl_source_learn_type(struct ptl_source *source,
				       trace_event_id_t id);

/* Never NULL: an event type unknown to the log is named by its number. */
static inline struct ptl_type *ptl_source_type(struct ptl_source *source,
					       trace_event_id_t id)
{
	struct ptl_type *const *types =
		id < _PTL_EVENT_ID_LIMIT ?
			source->types[id / PTL_SOURCE_TYPE_IDS] :
			NULL;
	struct ptl_type *type =
		types != NULL ? types[id % PTL_SOURCE_TYPE_IDS] : NULL;

	return type != NULL ? type : ptl_source_learn_type(source, id);
}

/* After the log was read: is it whole? */
enum ptl_source_lack {
	PTL_SOURCE_WHOLE,
	PTL_SOURCE_WRITTEN,  /* still being written */
	PTL_SOURCE_CUT,	     /* no end mark */
	PTL_SOURCE_DAMAGED,  /* bytes that are not understood */
	PTL_SOURCE_REPLACED, /* the file went away while it was read */
	PTL_SOURCE_ORPHANED, /* its controller was killed, programs went on */
	PTL_SOURCE_UNFIT,    /* its controller was killed; what was recorded
			      * after did not fit: the only one that is no
			      * damage */
	PTL_SOURCE_LACKS
};
enum ptl_source_lack ptl_source_verdict(const struct ptl_source *source,
					struct posix_trace_info_np *info);

/* There is no type in the log, as it is by now, whose id is that or higher. */
trace_event_id_t ptl_source_types_end(const struct ptl_source *source);

/* The id of the next type after `id' that the set has and the log names. */
trace_event_id_t ptl_source_next_in_set(struct ptl_source *source,
					const struct ptl_arg *set,
					trace_event_id_t id);

#endif
