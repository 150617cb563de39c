/* SPDX-License-Identifier: MIT */
/* The processes and threads of logs; see threads.h. */
#include "tools/dump/export/threads.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

#define HASH 4096

/* A log, and a pid namespace: their numbers mean others than elsewhere. */
struct numbering {
	const struct ptl_source *source;
	unsigned int pidns;
};

struct ptl_threads {
	struct ptl_process *process[HASH];
	struct ptl_thread *thread[HASH];
	struct ptl_thread *last; /* the one found last: most lookups repeat */
	struct ptl_process **all;
	size_t nr, room;
	struct numbering *numbering;
	size_t nr_numberings, numberings_room;
	uint64_t numbers, flows;
};

static unsigned int numbering_of(struct ptl_threads *threads,
				 const struct ptl_source *source,
				 unsigned int pidns)
{
	for (size_t i = 0; i < threads->nr_numberings; i++)
		if (threads->numbering[i].source == source &&
		    threads->numbering[i].pidns == pidns)
			return (unsigned int)i;
	threads->numbering = ptl_grow(
		threads->numbering, threads->nr_numberings,
		&threads->numberings_room, sizeof(*threads->numbering));
	threads->numbering[threads->nr_numberings] =
		(struct numbering){source, pidns};
	return (unsigned int)threads->nr_numberings++;
}

struct ptl_threads *ptl_threads_new(const struct ptl_merge *merge)
{
	struct ptl_threads *threads = ptl_alloc(sizeof(*threads));

	numbering_of(threads, merge->source, 0);
	return threads;
}

static void free_threads(struct ptl_thread *thread)
{
	while (thread != NULL) {
		struct ptl_thread *next = thread->sibling;

		free(thread->name);
		free(thread->span);
		free(thread);
		thread = next;
	}
}

void ptl_threads_free(struct ptl_threads *threads)
{
	for (size_t i = 0; i < threads->nr; i++) {
		free_threads(threads->all[i]->threads);
		free(threads->all[i]->name);
		free(threads->all[i]);
	}
	free(threads->all);
	free(threads->numbering);
	free(threads);
}

struct ptl_process *ptl_threads_next(struct ptl_threads *threads,
				     struct ptl_process *process)
{
	size_t i = 0;

	/* The numbers of processes ascend. */
	for (size_t end = threads->nr; process != NULL && i < end;) {
		size_t middle = i + (end - i) / 2;

		if (threads->all[middle]->number <= process->number)
			i = middle + 1;
		else
			end = middle;
	}
	return i < threads->nr ? threads->all[i] : NULL;
}

static struct ptl_process *get_process(struct ptl_threads *threads,
				       const struct ptl_source *source,
				       pid_t pid, unsigned int pidns)
{
	struct ptl_process **list =
		&threads->process[((unsigned int)pid + pidns) % HASH];
	struct ptl_process *process;

	for (process = *list; process != NULL; process = process->next)
		if (process->pid == pid && process->pidns == pidns &&
		    process->source == source)
			return process;
	process = ptl_alloc(sizeof(*process));
	process->source = source;
	process->pid = pid;
	process->pidns = pidns;
	process->numbering = numbering_of(threads, source, pidns);
	process->number = ++threads->numbers;
	process->next = *list;
	*list = process;
	threads->all = ptl_grow(threads->all, threads->nr, &threads->room,
				sizeof(struct ptl_process *));
	threads->all[threads->nr++] = process;
	return process;
}

static bool is_of(const struct ptl_thread *thread,
		  const struct ptl_process *process, pid_t tid)
{
	return thread->tid == tid && thread->process == process;
}

static struct ptl_thread *get_thread(struct ptl_threads *threads,
				     struct ptl_process *process, pid_t tid)
{
	struct ptl_thread **list =
		&threads->thread[((unsigned int)tid + process->pidns) % HASH];
	struct ptl_thread *thread;

	for (thread = *list; thread != NULL; thread = thread->next)
		if (is_of(thread, process, tid))
			return thread;
	thread = ptl_alloc(sizeof(*thread));
	thread->process = process;
	thread->tid = tid;
	thread->number = ++threads->numbers;
	thread->next = *list;
	*list = thread;
	thread->sibling = process->threads;
	process->threads = thread;
	return thread;
}

/* Also of a thread's. */
static void set_name(char **name, bool *is_told, const char *bytes, size_t size)
{
	if (*name != NULL && strlen(*name) == size &&
	    memcmp(*name, bytes, size) == 0)
		return;
	free(*name);
	*name = ptl_alloc(size + 1);
	memcpy(*name, bytes, size);
	*is_told = false;
}

/* As it was called, or its file: without directories. */
static void learn_start(struct ptl_process *process,
			const struct ptl_args *args)
{
	const struct ptl_arg *list = ptl_decode_find(args, "argv");
	const struct ptl_arg *exe = ptl_decode_find(args, "exe");
	struct ptl_arg name = {0};
	const char *slash;
	size_t at = 0;

	if (list != NULL)
		ptl_decode_next(list, &at, &name);
	if (name.size == 0 && exe != NULL)
		name = *exe;
	if (name.size == 0)
		return;
	slash = memrchr(name.bytes, '/', name.size);
	if (slash != NULL && slash + 1 < name.bytes + name.size) {
		name.size -= (size_t)(slash + 1 - name.bytes);
		name.bytes = slash + 1;
	}
	set_name(&process->name, &process->is_told, name.bytes, name.size);
}

/* The trace came to it when it ran already, or it stands aside. */
static void learn_program(struct ptl_process *process,
			  const struct ptl_args *args)
{
	const struct ptl_arg *name = ptl_decode_find(args, "name");

	if (name != NULL && name->size > 0)
		set_name(&process->name, &process->is_told, name->bytes,
			 name->size);
}

/* They are another process's, of the same number. */
static void forget_names(struct ptl_thread *thread)
{
	for (; thread != NULL; thread = thread->sibling) {
		free(thread->name);
		thread->name = NULL;
		thread->is_told = false;
	}
}

/* After a vfork the child's own events can come before this one. */
static void learn_fork(struct ptl_threads *threads, struct ptl_process *parent,
		       const struct ptl_args *args, uint64_t *flow)
{
	const struct ptl_arg *pidns = ptl_decode_find(args, "pidns");
	const struct ptl_arg *pid =
		ptl_decode_find(args, pidns != NULL ? "nspid" : "child");
	struct ptl_process *child;

	if (pid == NULL)
		return;
	child = get_process(threads, parent->source, (pid_t)pid->value,
			    pidns != NULL ? (unsigned int)pidns->value :
					    parent->pidns);
	if (child == parent || (child->is_begun && !child->is_ended))
		return;
	child->is_ended = child->is_begun = child->is_stepped = false;
	child->flow = *flow = ++threads->flows;
	forget_names(child->threads);
	if (parent->name != NULL)
		set_name(&child->name, &child->is_told, parent->name,
			 strlen(parent->name));
}

static void learn_thread_name(struct ptl_threads *threads,
			      struct ptl_process *process,
			      const struct ptl_args *args)
{
	const struct ptl_arg *tid = ptl_decode_find(args, "tid");
	const struct ptl_arg *name = ptl_decode_find(args, "name");
	struct ptl_thread *thread;

	if (tid == NULL || tid->value == 0 || name == NULL)
		return;
	thread = get_thread(threads, process, (pid_t)tid->value);
	set_name(&thread->name, &thread->is_told, name->bytes, name->size);
}

struct ptl_thread *ptl_threads_learn(struct ptl_threads *threads,
				     const struct ptl_view *view,
				     uint64_t *flow)
{
	const struct posix_trace_event_info *event = view->event;
	struct ptl_thread *thread = threads->last;
	struct ptl_process *process;

	*flow = 0;
	if (thread == NULL || thread->tid != event->posix_tid_np ||
	    thread->process->pid != event->posix_pid ||
	    thread->process->pidns != event->posix_pidns_np ||
	    thread->process->source != view->source) {
		process = get_process(threads, view->source, event->posix_pid,
				      event->posix_pidns_np);
		thread = get_thread(threads, process, event->posix_tid_np);
	}
	threads->last = thread;
	process = thread->process;
	process->is_begun = true;
	switch (view->type->kind->act) {
	case PTL_ACT_START:
		learn_start(process, &view->args);
		process->is_ended = false;
		break;
	case PTL_ACT_PROGRAM:
		learn_program(process, &view->args);
		process->is_ended = false;
		break;
	case PTL_ACT_FORK:
		learn_fork(threads, process, &view->args, flow);
		break;
	case PTL_ACT_EXIT:
		process->is_ended = true;
		break;
	case PTL_ACT_THREAD_NAME:
		learn_thread_name(threads, process, &view->args);
		break;
	default:
		break;
	}
	return thread;
}

const char *ptl_threads_title(const struct ptl_process *process)
{
	static char title[512];

	if (process->name == NULL || process->source->host == NULL)
		return process->name;
	snprintf(title, sizeof(title), "%.80s: %.400s", process->source->host,
		 process->name);
	return title;
}

uint64_t ptl_threads_flow(struct ptl_process *process,
			  const struct ptl_view *view, bool *is_last)
{
	uint64_t flow = process->flow;

	*is_last = view->type->kind->act == PTL_ACT_START;
	if (*is_last)
		process->flow = 0;
	else if (process->is_stepped)
		return 0;
	process->is_stepped = true;
	return flow;
}
