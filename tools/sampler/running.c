/* SPDX-License-Identifier: MIT */
/* See running.h.  By /proc; what is mapped after that the kernel's events tell
 * of, too, and twice does no harm. */
#include "tools/sampler/running.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/clock.h"
#include "tools/sampler/numbers.h"
#include "tools/sampler/process.h"
#include "tools/sampler/threads.h"

/* "START-END MODE OFFSET DEVICE INODE   PATH" */
static void take_map(struct ptl_sampled_process *process, char *line)
{
	const struct ptl_image_id any = {.inode = 0};
	struct ptl_sampled_code mapped = {.when = process->begun};
	uint64_t offset;
	int at = 0;
	char mode[8];

	line[strcspn(line, "\n")] = '\0';
	if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n",
		   &mapped.start, &mapped.end, mode, &offset, &at) < 4 ||
	    at == 0 || mode[2] != 'x' || mapped.end <= mapped.start)
		return;
	if (ptl_made_is_dump(line + at))
		ptl_made_dump(&process->made, process->pid, line + at);
	else if (line[at] == '/' || strcmp(line + at, "[vdso]") == 0)
		mapped.image = ptl_image_get(process->pid, line + at, &any);
	if (mapped.image != NULL &&
	    !ptl_image_bias(mapped.image, mapped.start, offset, &mapped.bias))
		mapped.image = NULL;
	ptl_process_map(process, &mapped);
}

static FILE *open_proc(pid_t pid, const char *name)
{
	char path[96];

	snprintf(path, sizeof(path), "/proc/%d/%s", (int)pid, name);
	return fopen(path, "re");
}

static void take_name(struct ptl_sampled_process *process)
{
	FILE *comm = open_proc(process->pid, "comm");

	if (comm == NULL)
		return;
	if (fgets(process->name, sizeof(process->name), comm) != NULL)
		process->name[strcspn(process->name, "\n")] = '\0';
	fclose(comm);
}

/* "TID (NAME) STATE ...", where the name may have anything in it. */
static bool waits(pid_t pid, pid_t tid)
{
	char name[64], line[512] = "";
	const char *end;
	FILE *stat;

	snprintf(name, sizeof(name), "task/%d/stat", (int)tid);
	stat = open_proc(pid, name);
	if (stat == NULL)
		return false;
	if (fgets(line, sizeof(line), stat) == NULL)
		line[0] = '\0';
	fclose(stat);
	end = strrchr(line, ')');
	return end != NULL && (end[2] == 'S' || end[2] == 'D' ||
			       end[2] == 'T' || end[2] == 't');
}

/* What they do: when they wait they do so at least from now on. */
static void take_threads(struct ptl_sampled_process *process)
{
	const struct dirent *entry;
	char path[64];
	DIR *threads;

	snprintf(path, sizeof(path), "/proc/%d/task", (int)process->pid);
	threads = opendir(path);
	process->threads = 0;
	while (threads != NULL && (entry = readdir(threads)) != NULL) {
		struct ptl_threads_at at = {.pid = process->pid,
					    .tid = atoi(entry->d_name)};
		bool is_waiting;

		if (at.tid <= 0)
			continue;
		is_waiting = waits(process->pid, at.tid);
		at.when = ptl_monotonic_ns();
		ptl_numbers_learn(process->pid, at.tid);
		ptl_threads_found(&at, is_waiting);
		process->threads++;
	}
	if (threads != NULL)
		closedir(threads);
}

/* The program's own file is mapped at the lowest addresses, or the loader is
 * what was executed. */
void ptl_running_take(pid_t pid)
{
	struct ptl_sampled_process *process = ptl_process_get(pid);
	FILE *maps = open_proc(pid, "maps");
	char line[8192];

	process->begun = ptl_monotonic_ns();
	take_name(process);
	take_threads(process);
	while (maps != NULL && fgets(line, sizeof(line), maps) != NULL)
		take_map(process, line);
	if (maps != NULL)
		fclose(maps);
}
