/* SPDX-License-Identifier: MIT */
/* See clip.h. */
#include "tools/model/clip.h"

static int64_t within(int64_t time, int64_t begin, int64_t end)
{
	return time < begin ? begin : time > end ? end : time;
}

/* What the process ran in that time: it keeps the first that had not ended
 * before, and those that began in it. */
static void clip_images(struct ptl_process *process, int64_t begin, int64_t end)
{
	struct ptl_program *image = process->image;

	while (image != NULL && image->next != NULL && image->end <= begin)
		image = image->next;
	process->image = image;
	for (; image != NULL; image = image->next) {
		image->begin = within(image->begin, begin, end);
		image->end = within(image->end, begin, end);
		if (image->next != NULL && image->next->begin >= end)
			image->next = NULL;
		process->last_image = image;
	}
}

static void clip(struct ptl_process *process, int64_t begin, int64_t end)
{
	process->is_outside = process->end < begin || process->begin > end;
	if (process->begin >= begin && process->end <= end)
		return;
	process->is_begun &= process->begin >= begin;
	if (process->end > end) {
		process->is_ended = false;
		process->status = process->signal = -1;
	}
	process->user_us = process->sys_us = process->maxrss_kib = -1;
	process->begin = within(process->begin, begin, end);
	process->end = within(process->end, begin, end);
	clip_images(process, begin, end);
}

/* Who is above one that is not outside is not, either. */
static void keep_above(struct ptl_process *process)
{
	struct ptl_process *above = process->parent;

	for (; above != NULL && above->is_outside; above = above->parent)
		above->is_outside = false;
}

static void drop_children(struct ptl_process *process)
{
	struct ptl_process **child = &process->child;

	while (*child != NULL)
		if ((*child)->is_outside)
			*child = (*child)->sibling;
		else
			child = &(*child)->sibling;
}

void ptl_clip(struct ptl_process *first, int64_t begin, int64_t end)
{
	struct ptl_process *process;

	for (process = first; process != NULL; process = process->next)
		clip(process, begin, end);
	for (process = first; process != NULL; process = process->next)
		if (!process->is_outside)
			keep_above(process);
	for (process = first; process != NULL; process = process->next)
		drop_children(process);
}
