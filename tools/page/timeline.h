/* SPDX-License-Identifier: MIT */
/*
 * What each thread did when: learned from all events, kept in as little room
 * for a long log as for a short one.
 */
#ifndef PTL_TOOLS_PAGE_TIMELINE_H
#define PTL_TOOLS_PAGE_TIMELINE_H

#include "tools/page/paths.h"
#include "tools/page/slices.h"
#include "tools/page/spanlinks.h"
#include "tools/page/texts.h"
#include "tools/report/view/report.h"

/* Of more threads the events share a track. */
#define PTL_TIMELINE_TRACKS 32768

/* Pages that may be larger have room for more slices. */
#define PTL_TIMELINE_ONCE (UINT64_C(64) << 20)

/* More stacks lack their inner frames. */
#define PTL_TIMELINE_STACKS (1 << 18)

struct ptl_page_track {
	struct ptl_process *process; /* NULL: the trace's own, or of many */
	pid_t tid;
	uint32_t number;
	const char *name;	   /* of the thread, or NULL */
	const char *host;	   /* if there are several, or NULL */
	struct ptl_thread *thread; /* NULL: of many */
};

struct open_slice;

/* When events were lost. */
struct ptl_loss {
	int64_t begin, end;
};

/* A frame of a stack, and what it was called from. */
struct ptl_caller {
	uint32_t parent, name;
};

struct ptl_timeline {
	struct ptl_calls_user user;
	struct open_slice *ended; /* by the event: its result is to come */
	uint64_t first; /* ns of CLOCK_REALTIME: times count from it */
	struct ptl_slices slices;
	struct ptl_texts names, texts, contexts;
	struct ptl_page_paths paths;
	struct ptl_hash tracks; /* struct ptl_page_track */
	struct ptl_page_track **track;
	size_t tracks_room;
	struct ptl_caller *caller; /* stack 1, 2 ...; at the end */
	size_t nr_callers;
	struct ptl_hash returns; /* names of functions that return */
	struct ptl_hash marks;	 /* names of what programs say themselves */
	struct ptl_page_spanlinks spanlinks;
	struct ptl_loss *loss;
	size_t nr_losses, losses_room;
	bool is_losing;
	uint64_t events;
};

/* The view of it has no rows and no page. */
extern const struct ptl_report_view ptl_report_timeline;

/* After the last event. */
void ptl_timeline_end(struct ptl_timeline *timeline,
		      const struct ptl_model *model);

#endif
