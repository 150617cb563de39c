/* SPDX-License-Identifier: MIT */
/*
 * What threads waited for; see strands.h.  An event of a call comes where the
 * call began, and says how long it took: what ends a wait comes later, and
 * before the wait's end.  Until then the wait is kept with its object.
 */
#include "tools/report/model/strands.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/values.h"
#include "tools/lib/say.h"
#include "tools/model/modules.h"
#include "tools/model/files/uses.h"
#include "tools/report/model/locks.h"

/* Where there are more waits than that, shorter ones are left out. */
#define MANY (UINT64_C(1) << 20)
#define LEAST 1000 /* ns */

/* So many wait for the same at once; who ends the others' waits is not known.
 */
#define MAX_PENDING 4096

/* What lets a lock go is not timed: its event may be later than the end of the
 * wait that it ended, by so many ns. */
#define LATE 10000000

/* Of a process that ends, descriptors up to that one are looked at. */
#define LAST_FD 15

/* What is waited for: as a key all other bytes are 0. */
struct awaited {
	enum { SYNC, THREAD, CHILD, CONTENT, SPACE, SIGNAL } what;
	unsigned int image;
	const void *of;	 /* a process or file */
	uint64_t number; /* an address, a thread, the number of a process */
};

/* Who waits for it, where it is not known yet who ends that. */
struct pending {
	struct ptl_wait *first;
	size_t nr;
	const struct ptl_process *writer; /* the last, of CONTENT */
};

/* Who waits until nobody writes any more. */
struct eof {
	struct ptl_wait *wait;
	const struct ptl_file *file;
};

/* A process's first thread, and who began the process when, if that is known.
 */
struct main {
	struct ptl_strand *first, *parent;
	int64_t at;
};

struct ptl_strands {
	struct ptl_strand *first, **last;
	struct ptl_hash pending;   /* by what is waited for */
	struct ptl_hash mains;	   /* struct main, by process */
	struct ptl_hash by_thread; /* the last of each struct ptl_thread */
	struct ptl_strand **by_life;
	size_t nr_lives, lives_room;
	struct ptl_files *files;
	struct eof *eof;
	size_t nr_eof, eof_room;
	uint64_t nr;
	int64_t least;
};

struct ptl_strands *ptl_strands_new(void)
{
	struct ptl_strands *strands = ptl_alloc(sizeof(*strands));

	strands->last = &strands->first;
	strands->pending.value_size = sizeof(struct pending);
	strands->mains.value_size = sizeof(struct main);
	strands->by_thread.value_size = sizeof(struct ptl_strand *);
	strands->files = ptl_files_new();
	strands->least = LEAST;
	return strands;
}

void ptl_strands_free(struct ptl_strands *strands)
{
	struct ptl_strand *strand, *next;

	for (strand = strands->first; strand != NULL; strand = next) {
		next = strand->next;
		for (size_t i = 0; i < strand->nr; i++)
			free(strand->wait[i]);
		free(strand->wait);
		free(strand);
	}
	ptl_hash_clear(&strands->pending);
	ptl_hash_clear(&strands->mains);
	ptl_hash_clear(&strands->by_thread);
	free(strands->by_life);
	ptl_files_free(strands->files);
	free(strands->eof);
	free(strands);
}

/* Strands */

static struct ptl_strand *new_strand(struct ptl_strands *strands,
				     const struct ptl_step *step)
{
	struct ptl_strand *strand = ptl_alloc(sizeof(*strand));

	strand->process = step->process;
	strand->tid = step->thread->tid;
	strand->life = step->thread->life;
	strand->begin = step->now;
	*strands->last = strand;
	strands->last = &strand->next;
	return strand;
}

static struct main *main_of(struct ptl_strands *strands,
			    const struct ptl_process *process)
{
	return ptl_hash_get(&strands->mains, &process, sizeof(process));
}

/* A thread that executes a program goes on in another strand; of others it is
 * not recorded which thread has begun them. */
static struct ptl_strand *add_strand(struct ptl_strands *strands,
				     const struct ptl_step *step)
{
	struct ptl_strand **last = ptl_hash_get(
		&strands->by_thread, &step->thread, sizeof(step->thread));
	struct main *main = main_of(strands, step->process);
	struct ptl_strand *strand = new_strand(strands, step), *before = *last;

	strand->from = before != NULL && before->process == step->process ?
			       before :
			       main->first;
	strand->from_at = strand->begin;
	if (main->first == NULL)
		main->first = strand;
	return *last = strand;
}

static struct ptl_strand *strand_of(struct ptl_strands *strands,
				    const struct ptl_step *step)
{
	size_t life = step->thread->life;
	struct ptl_strand *strand;

	while (strands->nr_lives <= life) {
		strands->by_life = ptl_grow(strands->by_life, strands->nr_lives,
					    &strands->lives_room,
					    sizeof(struct ptl_strand *));
		strands->by_life[strands->nr_lives++] = NULL;
	}
	if (strands->by_life[life] == NULL)
		strands->by_life[life] = add_strand(strands, step);
	strand = strands->by_life[life];
	strand->label = step->process->label;
	if (step->thread->name != NULL)
		strand->name = step->thread->name;
	if (step->now > strand->end)
		strand->end = step->now;
	return strand;
}

/* Waits, and what ends them */

static struct pending *pending_of(struct ptl_strands *strands, int what,
				  const void *of, uint64_t number,
				  unsigned int image)
{
	struct awaited key;

	memset(&key, 0, sizeof(key));
	key.what = what;
	key.of = of;
	key.number = number;
	key.image = image;
	return ptl_hash_get(&strands->pending, &key, sizeof(key));
}

/* What is over cannot be ended any more. */
static void drop_past(struct pending *pending, int64_t now)
{
	struct ptl_wait **at = &pending->first, *wait;

	while ((wait = *at) != NULL)
		if (wait->end < now - LATE || wait->is_over) {
			*at = wait->next;
			pending->nr--;
		} else {
			at = &wait->next;
		}
}

static struct ptl_wait *add_wait(struct ptl_strands *strands,
				 struct ptl_strand *strand,
				 const struct ptl_step *step,
				 enum ptl_wait_kind kind, const char *what)
{
	struct ptl_wait *wait;

	if (step->duration < strands->least)
		return NULL;
	if (++strands->nr % MANY == 0)
		strands->least *= 4;
	wait = ptl_alloc(sizeof(*wait));
	wait->strand = strand;
	wait->begin = step->now;
	wait->end = step->now + step->duration;
	wait->kind = kind;
	wait->what = what;
	wait->site = ptl_model_site(step);
	strand->wait = ptl_grow(strand->wait, strand->nr, &strand->room,
				sizeof(struct ptl_wait *));
	strand->wait[strand->nr++] = wait;
	if (wait->end > strand->end)
		strand->end = wait->end;
	return wait;
}

static void keep(struct pending *pending, struct ptl_wait *wait)
{
	if (wait == NULL)
		return;
	drop_past(pending, wait->begin);
	if (pending->nr == MAX_PENDING)
		return;
	pending->nr++;
	wait->next = pending->first;
	pending->first = wait;
}

static bool may_be_late(enum ptl_wait_kind kind)
{
	return kind == PTL_WAIT_LOCK || kind == PTL_WAIT_CONDITION;
}

static void end_wait(struct ptl_wait *wait, struct ptl_strand *strand,
		     int64_t now)
{
	bool is_late = now > wait->end;

	if (strand == wait->strand || now <= wait->begin ||
	    (wait->is_first && wait->waker != NULL) ||
	    (is_late && !may_be_late(wait->kind)) ||
	    (is_late && wait->kind == PTL_WAIT_CONDITION &&
	     wait->waker != NULL))
		return;
	wait->waker = strand;
	wait->woken = is_late ? wait->end : now;
	wait->told = now;
}

/* Whoever waits for it may go on. */
static void wake(struct pending *pending, struct ptl_strand *strand,
		 int64_t now)
{
	drop_past(pending, now);
	for (struct ptl_wait *wait = pending->first; wait != NULL;
	     wait = wait->next)
		end_wait(wait, strand, now);
}

/* Locks and the like */

static enum ptl_wait_kind kind_of(enum ptl_act act)
{
	switch (act) {
	case PTL_ACT_CONDITION:
	case PTL_ACT_SEM_WAIT:
		return PTL_WAIT_CONDITION;
	case PTL_ACT_BARRIER:
		return PTL_WAIT_BARRIER;
	case PTL_ACT_JOIN:
		return PTL_WAIT_THREAD;
	default:
		return PTL_WAIT_LOCK;
	}
}

static struct pending *pending_at(struct ptl_strands *strands,
				  const struct ptl_step *step,
				  const struct ptl_arg *arg)
{
	return pending_of(strands, SYNC, step->process, (uint64_t)arg->value,
			  step->view->event->posix_image_np);
}

static void learn_child(struct ptl_strands *strands, struct ptl_strand *strand,
			const struct ptl_step *step)
{
	int64_t child = ptl_step_number(step, "ret", 0);

	if (child > 0)
		keep(pending_of(strands, CHILD, step->process, (uint64_t)child,
				0),
		     add_wait(strands, strand, step, PTL_WAIT_CHILD,
			      "a child"));
	else
		add_wait(strands, strand, step, PTL_WAIT_CALL,
			 step->kind->name);
}

/* Nobody else could have let the lock go since the thread has it. */
static void let_go(struct ptl_strands *strands, struct ptl_strand *strand,
		   const struct ptl_step *step, const struct ptl_arg *arg)
{
	struct pending *pending = pending_at(strands, step, arg);

	for (struct ptl_wait *wait = pending->first; wait != NULL;
	     wait = wait->next)
		if (wait->strand == strand)
			wait->is_over = true;
	wake(pending, strand, step->now);
}

static void learn_lock(struct ptl_strands *strands, struct ptl_strand *strand,
		       const struct ptl_step *step)
{
	const struct ptl_arg *arg = step->view->args.arg;
	struct pending *pending = pending_at(strands, step, arg);

	/* The last thread to come ends the others' waiting. */
	if (step->kind->act == PTL_ACT_BARRIER)
		wake(pending, strand, step->now);
	/* Whoever waits for a condition lets the lock go. */
	if (step->kind->act == PTL_ACT_CONDITION && step->view->args.nr > 1)
		let_go(strands, strand, step, arg + 1);
	/* The name of a lock takes time to find. */
	if (step->duration >= strands->least)
		keep(pending,
		     add_wait(strands, strand, step, kind_of(step->kind->act),
			      ptl_lock_name(step, arg)));
}

static void learn_sync(struct ptl_strands *strands, struct ptl_strand *strand,
		       const struct ptl_step *step)
{
	const struct ptl_arg *arg = step->view->args.arg;

	if (step->view->args.nr == 0)
		return;
	switch (step->kind->act) {
	case PTL_ACT_LOCK:
	case PTL_ACT_RDLOCK:
	case PTL_ACT_SEM_WAIT:
	case PTL_ACT_CONDITION:
	case PTL_ACT_BARRIER:
		learn_lock(strands, strand, step);
		break;
	case PTL_ACT_UNLOCK:
		let_go(strands, strand, step, arg);
		break;
	case PTL_ACT_WAKE:
		wake(pending_at(strands, step, arg), strand, step->now);
		break;
	case PTL_ACT_JOIN:
		keep(pending_of(strands, THREAD, step->process,
				(uint64_t)arg->value, 0),
		     add_wait(strands, strand, step, PTL_WAIT_THREAD,
			      "the end of a thread"));
		break;
	case PTL_ACT_WAITPID:
		learn_child(strands, strand, step);
		break;
	default:
		break;
	}
}

/* Files */

static bool is_channel(const struct ptl_file *file)
{
	return file->kind == PTL_FILE_PIPE || file->kind == PTL_FILE_SOCKET;
}

static struct pending *content_of(struct ptl_strands *strands,
				  const struct ptl_file *file)
{
	return pending_of(strands, CONTENT, ptl_file_same(file), 0, 0);
}

/* From a pipe; until its writers have gone, and perhaps no data came. */
static void wait_for_data(struct ptl_strands *strands,
			  struct ptl_strand *strand,
			  const struct ptl_step *step,
			  const struct ptl_file *file)
{
	struct pending *content = content_of(strands, file);
	struct ptl_wait *wait = add_wait(strands, strand, step, PTL_WAIT_DATA,
					 ptl_file_same(file)->name);
	int64_t ret = ptl_step_number(step, "ret", 0);
	/* One of stdio reads until it has all. */
	bool is_long = step->kind->act == PTL_ACT_FREAD;

	if (wait == NULL)
		return;
	wait->is_first = ret > 0 && !is_long;
	if (ret > 0)
		keep(content, wait);
	if (wait->is_first)
		return;
	strands->eof = ptl_grow(strands->eof, strands->nr_eof,
				&strands->eof_room, sizeof(*strands->eof));
	strands->eof[strands->nr_eof++] = (struct eof){wait, file};
}

static bool may_write(struct ptl_strands *strands,
		      const struct ptl_process *process,
		      const struct ptl_file *file)
{
	struct ptl_descriptors *all = ptl_files_descriptors(strands->files);

	for (uint64_t fd = 0; fd <= LAST_FD; fd++) {
		const struct ptl_file *other =
			ptl_descriptors_get(all, process, PTL_DESCRIPTOR_FD, fd)
				->file;

		if (other != NULL &&
		    ptl_file_same(other) == ptl_file_same(file))
			return true;
	}
	return content_of(strands, file)->writer == process;
}

/* A file is closed, or else the process ends: the last who does that, of those
 * who could write, ends the waiting for the end of the data. */
static void end_of_data(struct ptl_strands *strands, struct ptl_strand *strand,
			const struct ptl_file *closed, int64_t now)
{
	size_t kept = 0;

	for (size_t i = 0; i < strands->nr_eof; i++) {
		struct eof eof = strands->eof[i];

		if (eof.wait->end < now)
			continue;
		strands->eof[kept++] = eof;
		if (closed != NULL ?
			    ptl_file_same(eof.file) == ptl_file_same(closed) :
			    may_write(strands, strand->process, eof.file))
			end_wait(eof.wait, strand, now);
	}
	strands->nr_eof = kept;
}

static void learn_read(struct ptl_strands *strands, struct ptl_strand *strand,
		       const struct ptl_step *step, const struct ptl_file *file)
{
	wake(pending_of(strands, SPACE, ptl_file_same(file), 0, 0), strand,
	     step->now);
	wait_for_data(strands, strand, step, file);
}

static void learn_write(struct ptl_strands *strands, struct ptl_strand *strand,
			const struct ptl_step *step,
			const struct ptl_file *file)
{
	struct pending *content = content_of(strands, file);

	content->writer = strand->process;
	wake(content, strand, step->now);
	keep(pending_of(strands, SPACE, ptl_file_same(file), 0, 0),
	     add_wait(strands, strand, step, PTL_WAIT_ROOM,
		      ptl_file_same(file)->name));
}

/* For a disk or the network: not for memory, or for the time. */
static bool may_wait(const struct ptl_kind *kind)
{
	return kind->is_call && kind->family != PTL_FAMILY_MEM &&
	       kind->family != PTL_FAMILY_TIME;
}

static bool closes(const struct ptl_step *step)
{
	return step->kind->act == PTL_ACT_CLOSE ||
	       step->kind->act == PTL_ACT_FCLOSE;
}

/* What the event does with files, and for how long. */
static void learn_files(struct ptl_strands *strands, struct ptl_strand *strand,
			const struct ptl_step *step)
{
	struct ptl_file_use use[PTL_FILE_USES];
	unsigned int nr = ptl_uses_learn(strands->files, step, use);
	bool is_channel_used = false;

	for (unsigned int i = 0; i < nr; i++) {
		if (use[i].file == NULL || !is_channel(use[i].file))
			continue;
		if (closes(step))
			end_of_data(strands, strand, use[i].file, step->now);
		is_channel_used = use[i].is_read || use[i].is_write;
		if (use[i].is_read)
			learn_read(strands, strand, step, use[i].file);
		else if (use[i].is_write)
			learn_write(strands, strand, step, use[i].file);
	}
	if (!is_channel_used && may_wait(step->kind))
		add_wait(strands, strand, step, PTL_WAIT_CALL,
			 step->kind->name);
}

/* The first descriptor that poll(), select() or epoll_wait() found ready to be
 * read; -1: there was none. */
static int64_t first_ready(const struct ptl_step *step)
{
	const struct ptl_arg *fds = ptl_decode_find(&step->view->args, "fds");
	struct pollfd poll;
	uint32_t select;

	if (fds == NULL || fds->bytes == NULL)
		return -1;
	if (strcmp(step->kind->name, "io:select") == 0) {
		for (size_t i = 0; i + sizeof(select) <= fds->size;
		     i += sizeof(select)) {
			memcpy(&select, fds->bytes + i, sizeof(select));
			if (select & PTL_SELECTFD_READY(0) &&
			    select != PTL_SELECTFD_MORE)
				return select & PTL_SELECTFD_NUMBER;
		}
		return -1;
	}
	for (size_t i = 0; i + sizeof(poll) <= fds->size; i += sizeof(poll)) {
		memcpy(&poll, fds->bytes + i, sizeof(poll));
		if (poll.revents & (POLLIN | POLLHUP))
			return poll.fd;
	}
	return -1;
}

static void learn_poll(struct ptl_strands *strands, struct ptl_strand *strand,
		       const struct ptl_step *step)
{
	int64_t fd = first_ready(step);
	const struct ptl_file *file = NULL;

	if (step->duration < strands->least)
		return;
	if (fd >= 0)
		file = ptl_files_of_fd(strands->files, step, fd);
	if (file != NULL && is_channel(file))
		wait_for_data(strands, strand, step, file);
	else
		add_wait(strands, strand, step, PTL_WAIT_CALL,
			 step->kind->name);
}

/* Signals */

/* By the number of a process, where the other process is. */
static struct pending *signals_to(struct ptl_strands *strands,
				  const struct ptl_process *process,
				  int64_t pid)
{
	return pending_of(strands, SIGNAL, process->host, (uint64_t)pid, 0);
}

static bool sleeps(const struct ptl_step *step)
{
	return step->kind->family == PTL_FAMILY_TIME &&
	       strstr(step->kind->name, "sleep") != NULL;
}

/* sleep() says what was left, and has no error. */
static bool is_interrupted(const struct ptl_step *step)
{
	return (step->error != NULL && step->error->value == EINTR) ||
	       (sleeps(step) && ptl_step_number(step, "ret", 0) > 0);
}

/* What it waited for did not come. */
static void learn_interrupted(struct ptl_strands *strands,
			      struct ptl_strand *strand,
			      const struct ptl_step *step)
{
	keep(signals_to(strands, strand->process, strand->process->pid),
	     add_wait(strands, strand, step, PTL_WAIT_SIGNAL,
		      step->kind->name));
}

/* Processes */

static void learn_fork(struct ptl_strands *strands, struct ptl_strand *strand,
		       const struct ptl_step *step)
{
	const struct ptl_process *child =
		ptl_processes_forked(step->model->processes);
	struct main *main;

	if (child == NULL)
		return;
	main = main_of(strands, child);
	main->parent = strand;
	main->at = step->now;
}

static void learn_end(struct ptl_strands *strands, struct ptl_strand *strand,
		      const struct ptl_step *step)
{
	const struct ptl_process *process = step->process;
	struct pending *pending;

	if (step->kind->act == PTL_ACT_THREAD_EXIT) {
		wake(pending_of(strands, THREAD, process,
				(uint64_t)step->view->event->posix_thread_id,
				0),
		     strand, step->now);
		return;
	}
	end_of_data(strands, strand, NULL, step->now);
	if (process->parent == NULL)
		return;
	/* SIGCHLD */
	wake(signals_to(strands, process, process->parent->pid), strand,
	     step->now);
	pending = pending_of(strands, CHILD, process->parent,
			     (uint64_t)process->pid, 0);
	wake(pending, strand, step->now);
	for (struct ptl_wait *wait = pending->first; wait != NULL;
	     wait = wait->next)
		wait->child = process;
}

void ptl_strands_learn(struct ptl_strands *strands, const struct ptl_step *step)
{
	struct ptl_strand *strand;

	if (step->process == NULL || step->thread == NULL ||
	    step->kind->act == PTL_ACT_CPU_SAMPLE)
		return;
	strand = strand_of(strands, step);
	if (step->kind->act == PTL_ACT_FORK)
		learn_fork(strands, strand, step);
	if (step->kind->act == PTL_ACT_EXIT ||
	    step->kind->act == PTL_ACT_THREAD_EXIT)
		learn_end(strands, strand, step);
	if (step->kind->act == PTL_ACT_SIGNAL_SEND)
		wake(signals_to(strands, step->process,
				ptl_step_number(step, "pid", 0)),
		     strand, step->now);
	if (is_interrupted(step))
		learn_interrupted(strands, strand, step);
	else if (step->kind->family == PTL_FAMILY_SYNC)
		learn_sync(strands, strand, step);
	else if (step->kind->act == PTL_ACT_POLL)
		learn_poll(strands, strand, step);
	else if (sleeps(step))
		add_wait(strands, strand, step, PTL_WAIT_SLEEP,
			 step->kind->name);
	else
		learn_files(strands, strand, step);
}

void ptl_strands_end(struct ptl_strands *strands)
{
	for (struct ptl_strand *strand = strands->first; strand != NULL;
	     strand = strand->next) {
		const struct main *main = main_of(strands, strand->process);

		if (strand->from != NULL || main->parent == NULL)
			continue;
		strand->from = main->parent;
		strand->from_at =
			main->at < strand->begin ? main->at : strand->begin;
	}
}

struct ptl_strand *ptl_strands_next(const struct ptl_strands *strands,
				    const struct ptl_strand *strand)
{
	return strand == NULL ? strands->first : strand->next;
}

struct ptl_strand *ptl_strands_last(const struct ptl_strands *strands)
{
	struct ptl_strand *last = NULL;

	for (struct ptl_strand *strand = strands->first; strand != NULL;
	     strand = strand->next)
		if (strand->process->parent == NULL &&
		    (last == NULL || strand->end > last->end))
			last = strand;
	return last;
}

int64_t ptl_strands_least(const struct ptl_strands *strands)
{
	return strands->least;
}

const char *ptl_strand_program(const struct ptl_strand *strand)
{
	/* Before it has said its name. */
	return strand->label->name != NULL ?
		       strand->label->name :
		       ptl_process_program(strand->process);
}

const char *ptl_wait_name(const struct ptl_wait *wait)
{
	static const char *const before[] = {
		[PTL_WAIT_DATA] = "data from ",
		[PTL_WAIT_ROOM] = "room in ",
		[PTL_WAIT_CHILD] = "the end of ",
		[PTL_WAIT_SIGNAL] = "a signal, in ",
	};
	const char *what = wait->what, *words = NULL;
	char text[1100];

	if (wait->kind < sizeof(before) / sizeof(*before))
		words = before[wait->kind];
	if (wait->child != NULL)
		what = ptl_process_program(wait->child);
	snprintf(text, sizeof(text), "%s%.1000s", words != NULL ? words : "",
		 what);
	return ptl_intern(text, sizeof(text));
}
