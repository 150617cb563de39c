/* SPDX-License-Identifier: MIT */
/*
 * The tracks that viewers draw: one for each thread, below its process.  Their
 * number is what is kept.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_TRACKS_H
#define PTL_TOOLS_DUMP_EXPORT_TRACKS_H

#include "tools/model/model.h"

struct ptl_track_group {
	const struct ptl_process *process; /* NULL: of the trace's own events */
	const struct ptl_source *source;
	pid_t pid;
	unsigned int pidns;
	/* Which log and pid namespace the number is from; 0: of the first log
	 * that of its controller. */
	unsigned int numbering;
	uint64_t number; /* of all groups and tracks: 1, 2 ... */
	bool is_started; /* a program of its own was seen to start */
	uint64_t flow; /* of the fork that made it, until its program starts */
	uint64_t forked; /* and when that was, ns of CLOCK_REALTIME */
	bool is_stepped; /* something else was before that */
	struct ptl_track *tracks;
	const char *told; /* for the format: the name that it has written */
	const char *told_tags; /* ... and tags */
	void *extra;	       /* the format's */
};

/*
 * Calls of a thread are nested in its track, but for those that go on while the
 * thread is on another stack.  Each of them is in a lane beside it, where no
 * other one is meanwhile.
 */
struct ptl_lane {
	struct ptl_lane *next;
	struct ptl_track *track;
	unsigned int number; /* 1, 2 ...; 0: the track itself; or below */
	bool is_taken;
	uint64_t until;	  /* when the last call in it was over */
	const char *name; /* of the call that is in it */
	size_t name_size;
	const char *family;
	bool is_told; /* for the format: it has written of the lane */
};

/* From here on they are for spans of the user: in the first those that are
 * nested, each of the others alone meanwhile. */
#define PTL_LANE_SPANS 0x4000

/* And this one for when the thread was off the processor. */
#define PTL_LANE_OFF 0x2000

struct ptl_track {
	struct ptl_track *sibling;
	struct ptl_track_group *group;
	pid_t tid;
	uint64_t number;
	const char *name;   /* NULL: not known */
	unsigned int depth; /* of the spans that have begun */
	const char *told;   /* for the format: the name that it has written */
	bool is_told;	    /* ... or that it has written of it at all */
	struct ptl_lane own, *lanes, spans, *span_lanes, off;
	void *extra; /* the format's */
};

struct ptl_tracks;

struct ptl_tracks *ptl_tracks_new(const struct ptl_merge *merge);
void ptl_tracks_free(struct ptl_tracks *tracks);

/*
 * Takes each event once, in order, and returns its track.  *flow is the number
 * of a fork that the event tells of, else 0.
 */
struct ptl_track *ptl_tracks_learn(struct ptl_tracks *tracks,
				   const struct ptl_step *step, uint64_t *flow);

/* A number that no other arrow has. */
uint64_t ptl_tracks_new_flow(struct ptl_tracks *tracks);

/* Of a process that some event of that log is about. */
struct ptl_track_group *ptl_tracks_group(struct ptl_tracks *tracks,
					 const struct ptl_process *process,
					 const struct ptl_source *source);

/* A lane that is free from then on, taken. */
struct ptl_lane *ptl_tracks_lane(struct ptl_track *track, uint64_t from);

/* The lane of a span of the user, which ended then. */
struct ptl_lane *ptl_tracks_span_lane(struct ptl_track *track, bool is_nested,
				      uint64_t begin, uint64_t end);

/* The name of the program that runs there, or ran last; NULL: not known. */
const char *ptl_tracks_program(const struct ptl_track_group *group);

/* What readers of several hosts see: "HOST: PROGRAM"; the program, of one;
 * NULL: it is not known.  Valid until the next call. */
const char *ptl_tracks_title(const struct ptl_track_group *group);

/* "region=eu shard=7", or NULL.  Valid until the next call. */
const char *ptl_tracks_tags(const struct ptl_track_group *group);

/* All groups in the order in which they were met: NULL for the first. */
struct ptl_track_group *ptl_tracks_next(const struct ptl_tracks *tracks,
					const struct ptl_track_group *group);

/*
 * The arrow from a fork to what the child does first, and on to the program
 * that it starts.  Returns its number if the event is one of these, else 0.
 */
uint64_t ptl_tracks_flow(struct ptl_track_group *group,
			 const struct ptl_step *step, bool *is_last);

#endif
