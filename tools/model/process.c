/* SPDX-License-Identifier: MIT */
/* What is known of one process; see processes.h. */
#include <stdio.h>
#include <string.h>

#include "tools/model/processes.h"

const char *ptl_process_program(const struct ptl_process *process)
{
	return ptl_label_name(process->label);
}

const char *ptl_label_name(const struct ptl_label *label)
{
	return label->name != NULL ? label->name : "?";
}

size_t ptl_process_path(const struct ptl_process *process, char *text,
			size_t size)
{
	const struct ptl_process *path[16];
	size_t nr = 0, used = 0;

	for (; process != NULL && nr < 16; process = process->parent)
		path[nr++] = process;
	while (nr-- > 0 && used < size)
		used += (size_t)snprintf(text + used, size - used, "%s%s",
					 ptl_process_program(path[nr]),
					 nr > 0 ? " > " : "");
	return used;
}

const char *ptl_process_arguments(const struct ptl_process *process)
{
	if (process->last_image != NULL)
		return process->last_image->arguments;
	return process->is_forked ? "(forked, no program of its own)" : "";
}

struct ptl_process *ptl_process_owner(struct ptl_process *process)
{
	const char *program =
		process != NULL ? ptl_process_program(process) : NULL;

	if (program == NULL || strcmp(program, "ptrace-event") != 0 ||
	    process->parent == NULL)
		return process;
	process = process->parent;
	while (process->nr_images == 0 && process->parent != NULL)
		process = process->parent;
	return process;
}

int64_t ptl_process_cpu(const struct ptl_process *process)
{
	if (process->user_us < 0 || process->sys_us < 0)
		return -1;
	return (process->user_us + process->sys_us) * 1000;
}

bool ptl_process_is_whole(const struct ptl_process *process)
{
	return process->is_begun && process->is_ended;
}

const char *ptl_process_rank(const struct ptl_process *process,
			     char buf[PTL_PROCESS_RANK_SIZE])
{
	if (process->rank < 0)
		return "";
	snprintf(buf, PTL_PROCESS_RANK_SIZE, "rank %d: ", process->rank);
	return buf;
}

const char *ptl_process_exit(const struct ptl_process *process, char buf[16])
{
	const char *name;

	if (process->signal > 0) {
		name = sigabbrev_np(process->signal);
		if (name != NULL)
			snprintf(buf, 16, "SIG%.12s", name);
		else
			snprintf(buf, 16, "signal %d", process->signal);
	} else if (process->status >= 0) {
		snprintf(buf, 16, "%d", process->status);
	} else {
		strcpy(buf, "?");
	}
	return buf;
}

bool ptl_process_failed(const struct ptl_process *process)
{
	return process->signal > 0 || process->status > 0;
}
