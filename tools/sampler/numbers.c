/* SPDX-License-Identifier: MIT */
/* See numbers.h. */
#include "tools/sampler/numbers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/say.h"

#define BUCKETS 256u

/* Of a thread, or a process by its first one. */
struct known {
	pid_t tid, inner;
	uint32_t pidns;
	struct known *next;
};

static struct known *buckets[BUCKETS];

static struct known **find(pid_t tid)
{
	struct known **at = &buckets[(unsigned int)tid % BUCKETS];

	while (*at != NULL && (*at)->tid != tid)
		at = &(*at)->next;
	return at;
}

static uint32_t namespace_of(const char *path)
{
	struct stat status;

	return stat(path, &status) == 0 ? (uint32_t)status.st_ino : 0;
}

/* The last number of "NSpid:	OUTER ... INNER"; 0: it is not known. */
static pid_t inner_of(pid_t pid, pid_t tid)
{
	char path[64], line[256];
	pid_t inner = 0;
	FILE *status;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", (int)pid,
		 (int)tid);
	status = fopen(path, "re");
	while (status != NULL && fgets(line, sizeof(line), status) != NULL) {
		const char *last = strrchr(line, '\t');

		if (strncmp(line, "NSpid:", 6) == 0 && last != NULL)
			inner = (pid_t)atoi(last + 1);
	}
	if (status != NULL)
		fclose(status);
	return inner;
}

static void add(pid_t pid, pid_t tid, uint32_t pidns)
{
	struct known **at, *known;
	pid_t inner = inner_of(pid, tid);

	if (inner <= 0)
		return;
	at = find(tid);
	if (*at == NULL)
		*at = ptl_alloc(sizeof(**at));
	known = *at;
	known->tid = tid;
	known->inner = inner;
	known->pidns = pidns;
}

void ptl_numbers_learn(pid_t pid, pid_t tid)
{
	static uint32_t ours;
	const struct known *process = *find(pid);
	uint32_t pidns;
	char path[64];

	if (pid != tid) {
		if (process != NULL)
			add(pid, tid, process->pidns);
		return;
	}
	/* The number may have been another's. */
	ptl_numbers_forget(tid);
	if (ours == 0)
		ours = namespace_of("/proc/self/ns/pid");
	snprintf(path, sizeof(path), "/proc/%d/ns/pid", (int)pid);
	pidns = namespace_of(path);
	if (pidns != 0 && pidns != ours)
		add(pid, tid, pidns);
}

void ptl_numbers_forget(pid_t tid)
{
	struct known **at = find(tid), *known = *at;

	if (known == NULL)
		return;
	*at = known->next;
	free(known);
}

struct ptl_numbers ptl_numbers_of(pid_t pid, pid_t tid)
{
	const struct known *process = *find(pid), *thread = *find(tid);

	if (process == NULL || thread == NULL)
		return (struct ptl_numbers){.pid = pid, .tid = tid};
	return (struct ptl_numbers){
		.pid = process->inner,
		.tid = thread->inner,
		.pidns = process->pidns,
	};
}
