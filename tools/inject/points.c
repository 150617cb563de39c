/* SPDX-License-Identifier: MIT */
/* See points.h. */
#include "tools/inject/points.h"

#if defined(__x86_64__) && defined(__GLIBC__)

#include <stdlib.h>

#include "tools/inject/frame.h"
#include "tools/inject/maps.h"
#include "tools/lib/say.h"

/* So far a stack is looked at. */
#define STACK_MOST (8 * 1024 * 1024)
#define HANDLERS_MOST 64

static uint64_t *points;
static size_t nr_points, room;

static struct span {
	uint64_t from, to;
} * spans; /* of memory that can be written */
static size_t nr_spans, room_spans;

static void add(uint64_t point)
{
	points = ptl_grow(points, nr_points, &room, sizeof(*points));
	points[nr_points++] = point;
}

/* The call may be made again, too. */
static void add_both(uint64_t rip)
{
	add(rip);
	add(rip - 2);
}

static bool read_spans(pid_t pid)
{
	FILE *maps = ptl_maps_open(pid, "maps");
	struct ptl_mapping mapping;

	nr_spans = 0;
	while (maps != NULL && ptl_maps_next(maps, &mapping)) {
		if (!mapping.is_writable)
			continue;
		spans = ptl_grow(spans, nr_spans, &room_spans, sizeof(*spans));
		spans[nr_spans++] = (struct span){mapping.from, mapping.to};
	}
	if (maps != NULL)
		fclose(maps);
	return maps != NULL;
}

static uint64_t end_of(uint64_t at)
{
	for (size_t i = 0; i < nr_spans; i++)
		if (at >= spans[i].from && at < spans[i].to)
			return spans[i].to;
	return at;
}

/* What the kernel has put on a stack for a handler; what is left of one that is
 * over does no harm. */
static bool look_at(const struct ptl_inject_target *target, uint64_t at,
		    uint64_t *below)
{
	struct ptl_inject_frame frame = {0};

	if (!ptl_target_read(target->pid, at, &frame, sizeof(frame)) ||
	    !ptl_frame_is_kernels(&frame))
		return false;
	add_both(frame.rip);
	*below = frame.rsp;
	return true;
}

/* From there to its end.  Returns another stack that a handler on this one has
 * interrupted, or 0. */
static uint64_t look_through(const struct ptl_inject_target *target,
			     uint64_t from)
{
	static uint64_t words[8192];
	uint64_t at = from & ~UINT64_C(7), end = end_of(at), below, other = 0;

	if (end - at > STACK_MOST)
		end = at + STACK_MOST;
	while (at < end) {
		size_t size =
			end - at < sizeof(words) ? end - at : sizeof(words);

		if (!ptl_target_read(target->pid, at, words, size))
			break;
		for (size_t i = 0; i < size / sizeof(*words); i++)
			if (words[i] == target->sigreturn &&
			    look_at(target, at + i * sizeof(*words), &below) &&
			    (below < from || below >= end))
				other = below;
		at += size;
	}
	return other;
}

static int compare(const void *a, const void *b)
{
	uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;

	return (first > second) - (first < second);
}

static void look_at_thread(const struct ptl_inject_target *target,
			   const struct user_regs_struct *regs)
{
	uint64_t stack = regs->rsp;

	add_both(regs->rip);
	for (int i = 0; i < HANDLERS_MOST && stack != 0; i++)
		stack = look_through(target, stack);
}

bool ptl_points_find(const struct ptl_others *others)
{
	const struct ptl_inject_target *target = others->held->target;

	nr_points = 0;
	if (!read_spans(target->pid))
		return false;
	look_at_thread(target, &others->held->exact);
	for (size_t i = 0; i < others->nr; i++)
		look_at_thread(target, &others->thread[i].regs);
	qsort(points, nr_points, sizeof(*points), compare);
	return true;
}

bool ptl_points_between(uint64_t from, uint64_t to)
{
	size_t low = 0, high = nr_points;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (points[middle] < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < nr_points && points[low] < to;
}

#endif
