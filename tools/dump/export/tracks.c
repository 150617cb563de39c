/* SPDX-License-Identifier: MIT */
/* The tracks of processes and threads; see tracks.h. */
#include "tools/dump/export/tracks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/clock.h"
#include "tools/lib/say.h"

/* A log, and a pid namespace: their numbers mean others than elsewhere. */
struct numbering {
	const struct ptl_source *source;
	unsigned int pidns;
};

struct ptl_tracks {
	struct ptl_hash groups; /* by process and number */
	struct ptl_hash tracks; /* by group and number of the thread */
	struct ptl_track *last; /* the one found last: most lookups repeat */
	struct numbering *numbering;
	size_t nr_numberings, numberings_room;
	uint64_t numbers, flows;
};

static unsigned int numbering_of(struct ptl_tracks *tracks,
				 const struct ptl_source *source,
				 unsigned int pidns)
{
	for (size_t i = 0; i < tracks->nr_numberings; i++)
		if (tracks->numbering[i].source == source &&
		    tracks->numbering[i].pidns == pidns)
			return (unsigned int)i;
	tracks->numbering =
		ptl_grow(tracks->numbering, tracks->nr_numberings,
			 &tracks->numberings_room, sizeof(*tracks->numbering));
	tracks->numbering[tracks->nr_numberings] =
		(struct numbering){source, pidns};
	return (unsigned int)tracks->nr_numberings++;
}

struct ptl_tracks *ptl_tracks_new(const struct ptl_merge *merge)
{
	struct ptl_tracks *tracks = ptl_alloc(sizeof(*tracks));

	tracks->groups.value_size = sizeof(struct ptl_track_group);
	tracks->tracks.value_size = sizeof(struct ptl_track);
	numbering_of(tracks, merge->source, 0);
	return tracks;
}

static void free_lanes(struct ptl_lane *lane)
{
	while (lane != NULL) {
		struct ptl_lane *next = lane->next;

		free(lane);
		lane = next;
	}
}

void ptl_tracks_free(struct ptl_tracks *tracks)
{
	struct ptl_track *track = NULL;

	while ((track = ptl_hash_next(&tracks->tracks, track)) != NULL) {
		free_lanes(track->lanes);
		free_lanes(track->span_lanes);
	}
	ptl_hash_clear(&tracks->groups);
	ptl_hash_clear(&tracks->tracks);
	free(tracks->numbering);
	free(tracks);
}

struct ptl_track_group *ptl_tracks_next(const struct ptl_tracks *tracks,
					const struct ptl_track_group *group)
{
	return ptl_hash_next(&tracks->groups, group);
}

static struct ptl_track_group *get_group(struct ptl_tracks *tracks,
					 const struct ptl_process *process,
					 const struct ptl_source *source,
					 pid_t pid, unsigned int pidns)
{
	struct {
		const struct ptl_process *process;
		const struct ptl_source *source;
		pid_t pid;
		unsigned int pidns;
	} key = {process, source, pid, pidns};
	struct ptl_track_group *group =
		ptl_hash_get(&tracks->groups, &key, sizeof(key));

	if (group->number != 0)
		return group;
	group->process = process;
	group->source = source;
	group->pid = pid;
	group->pidns = pidns;
	group->numbering = numbering_of(tracks, source, pidns);
	group->number = ++tracks->numbers;
	return group;
}

static struct ptl_track *get_track(struct ptl_tracks *tracks,
				   struct ptl_track_group *group, pid_t tid)
{
	const uint64_t key[] = {(uintptr_t)group, (uint64_t)tid};
	struct ptl_track *track =
		ptl_hash_get(&tracks->tracks, key, sizeof(key));

	if (track->number != 0)
		return track;
	track->group = group;
	track->tid = tid;
	track->number = ++tracks->numbers;
	track->own.track = track->spans.track = track->off.track = track;
	track->off.number = PTL_LANE_OFF;
	track->spans.number = PTL_LANE_SPANS;
	track->sibling = group->tracks;
	group->tracks = track;
	return track;
}

static struct ptl_track *track_of(struct ptl_tracks *tracks,
				  const struct ptl_step *step)
{
	const struct posix_trace_event_info *event = step->view->event;
	struct ptl_track *track = tracks->last;

	if (track != NULL && track->tid == event->posix_tid_np &&
	    track->group->process == step->process &&
	    track->group->pid == event->posix_pid &&
	    track->group->pidns == event->posix_pidns_np &&
	    track->group->source == step->view->source)
		return track;
	return tracks->last = get_track(
		       tracks,
		       get_group(tracks, step->process, step->view->source,
				 event->posix_pid, event->posix_pidns_np),
		       event->posix_tid_np);
}

/* After a vfork the child's own events come before this one, but for those of
 * the program that it starts. */
static uint64_t learn_fork(struct ptl_tracks *tracks,
			   const struct ptl_step *step)
{
	const struct ptl_process *forked =
		ptl_processes_forked(step->model->processes);
	struct ptl_track_group *child;

	if (forked == NULL)
		return 0;
	child = get_group(tracks, forked, step->view->source, forked->pid,
			  forked->pidns);
	if (child->is_started)
		return 0;
	child->is_stepped = false;
	child->forked = ptl_ns(&step->view->event->posix_timestamp);
	return child->flow = ++tracks->flows;
}

struct ptl_track *ptl_tracks_learn(struct ptl_tracks *tracks,
				   const struct ptl_step *step, uint64_t *flow)
{
	struct ptl_track *track = track_of(tracks, step);
	const struct ptl_thread *named = step->named;

	*flow = 0;
	track->group->is_started |= step->kind->act == PTL_ACT_START;
	if (step->kind->act == PTL_ACT_FORK)
		*flow = learn_fork(tracks, step);
	if (step->thread != NULL && step->thread->name != NULL)
		track->name = step->thread->name;
	if (named != NULL)
		get_track(tracks, track->group, named->tid)->name = named->name;
	return track;
}

uint64_t ptl_tracks_new_flow(struct ptl_tracks *tracks)
{
	return ++tracks->flows;
}

struct ptl_track_group *ptl_tracks_group(struct ptl_tracks *tracks,
					 const struct ptl_process *process,
					 const struct ptl_source *source)
{
	return get_group(tracks, process, source, process->pid, process->pidns);
}

/* The first that is free from then on; of numbers from `first' on. */
static struct ptl_lane *find_lane(struct ptl_track *track,
				  struct ptl_lane **lane, unsigned int first,
				  uint64_t from)
{
	unsigned int number = first;

	for (; *lane != NULL; lane = &(*lane)->next, number++)
		if (!(*lane)->is_taken && (*lane)->until < from)
			break;
	if (*lane == NULL) {
		*lane = ptl_alloc(sizeof(**lane));
		(*lane)->track = track;
		(*lane)->number = number;
	}
	return *lane;
}

struct ptl_lane *ptl_tracks_lane(struct ptl_track *track, uint64_t from)
{
	struct ptl_lane *lane = find_lane(track, &track->lanes, 1, from);

	lane->is_taken = true;
	return lane;
}

struct ptl_lane *ptl_tracks_span_lane(struct ptl_track *track, bool is_nested,
				      uint64_t begin, uint64_t end)
{
	struct ptl_lane *lane = &track->spans;

	if (!is_nested)
		lane = find_lane(track, &track->span_lanes, PTL_LANE_SPANS + 1,
				 begin);
	lane->until = end;
	return lane;
}

const char *ptl_tracks_program(const struct ptl_track_group *group)
{
	return group->process != NULL ? group->process->label->name : NULL;
}

const char *ptl_tracks_title(const struct ptl_track_group *group)
{
	const char *program = ptl_tracks_program(group);
	static char title[512];

	if (program == NULL || group->source->host == NULL)
		return program;
	snprintf(title, sizeof(title), "%.80s: %.400s", group->source->host,
		 program);
	return title;
}

const char *ptl_tracks_tags(const struct ptl_track_group *group)
{
	static char text[4096];
	const char *shown = group->process != NULL ?
				    ptl_tags_shown(&group->process->tags) :
				    "";
	size_t size = strlen(shown);

	/* Without the braces. */
	if (size < 3)
		return NULL;
	snprintf(text, sizeof(text), "%.*s", (int)size - 3, shown + 2);
	return text;
}

uint64_t ptl_tracks_flow(struct ptl_track_group *group,
			 const struct ptl_step *step, bool *is_last)
{
	uint64_t flow = group->flow;

	*is_last = step->kind->act == PTL_ACT_START;
	if (*is_last)
		group->flow = 0;
	else if (group->is_stepped)
		return 0;
	group->is_stepped = true;
	return flow;
}
