/* SPDX-License-Identifier: MIT */
/*
 * The processes of some logs; see processes.h.  Numbers of processes are used
 * again, and a child's events may come before the event by which its parent
 * reports it: so a number stands for the process that had it last, and a fork
 * tells of that one if nobody else has.
 */
#include "tools/model/processes.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/sysevents.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/model/program.h"
#include "tools/lib/hash.h"

/* More microseconds or KiB than that nothing needs. */
#define AMOUNT_MAX (INT64_C(1) << 50)

struct key {
	struct ptl_source *source;
	pid_t pid;
	unsigned int pidns;
};

struct ptl_processes {
	struct ptl_process *first, **end;
	size_t nr;
	struct ptl_hash by_number;   /* pointers to the last of each number */
	struct ptl_hash controllers; /* those of traces */
	const struct ptl_process *forked;
};

struct ptl_processes *ptl_processes_new(void)
{
	struct ptl_processes *processes = ptl_alloc(sizeof(*processes));

	processes->by_number.value_size = sizeof(struct ptl_process *);
	processes->controllers.value_size = 1;
	processes->end = &processes->first;
	return processes;
}

void ptl_processes_free(struct ptl_processes *processes)
{
	struct ptl_process *process = processes->first, *next;

	for (; process != NULL; process = next) {
		next = process->next;
		for (struct ptl_program *image = process->image, *later;
		     image != NULL; image = later) {
			later = image->next;
			free(image);
		}
		ptl_tags_free(&process->tags);
		free(process);
	}
	ptl_hash_clear(&processes->by_number);
	ptl_hash_clear(&processes->controllers);
	free(processes);
}

/* The last process of that number, or NULL. */
static struct ptl_process *find_process(struct ptl_processes *processes,
					const struct key *key)
{
	struct ptl_process **found, *last = key->source->process;

	/* Most repeat. */
	if (last != NULL && last->pid == key->pid &&
	    last->pidns == key->pidns && !last->is_replaced)
		return last;
	found = ptl_hash_find(&processes->by_number, key, sizeof(*key));
	if (found == NULL)
		return NULL;
	return key->source->process = *found;
}

/* Another process of that number. */
static struct ptl_process *add_process(struct ptl_processes *processes,
				       const struct key *key, int64_t now)
{
	struct ptl_process *process = ptl_alloc(sizeof(*process)), **of_number;

	process->host = key->source->host;
	process->pid = key->pid;
	process->pidns = key->pidns;
	process->number = processes->nr++;
	process->label = ptl_alloc(sizeof(*process->label));
	process->begin = process->last = now;
	process->status = process->signal = -1;
	process->rank = process->nr_ranks = -1;
	process->user_us = process->sys_us = process->maxrss_kib = -1;
	process->threads = process->max_threads = 1;
	*processes->end = process;
	processes->end = &process->next;
	of_number = ptl_hash_get(&processes->by_number, key, sizeof(*key));
	if (*of_number != NULL)
		(*of_number)->is_replaced = true;
	*of_number = process;
	return key->source->process = process;
}

/* Is it the process, or does it come from it? */
static bool is_below(const struct ptl_process *process,
		     const struct ptl_process *above)
{
	for (; process != NULL; process = process->parent)
		if (process == above)
			return true;
	return false;
}

static void set_parent(struct ptl_process *process, struct ptl_process *parent)
{
	struct ptl_process **at;

	/* Nonsense of a damaged log must not make a circle. */
	if (parent == process->parent || parent == process ||
	    (process->child != NULL && is_below(parent, process)))
		return;
	if (process->parent != NULL) {
		at = &process->parent->child;
		while (*at != process)
			at = &(*at)->sibling;
		*at = process->sibling;
	}
	process->parent = parent;
	process->sibling = parent->child;
	parent->child = process;
}

static int64_t number_of(const struct ptl_args *args, const char *name,
			 int64_t unknown)
{
	const struct ptl_arg *arg = ptl_decode_find(args, name);

	return arg != NULL ? arg->value : unknown;
}

/* Of a damaged log it may be anything. */
static int64_t amount_of(const struct ptl_args *args, const char *name,
			 int64_t unknown)
{
	int64_t amount = number_of(args, name, -1);

	return amount >= 0 && amount < AMOUNT_MAX ? amount : unknown;
}

static void learn_fork(struct ptl_processes *processes,
		       struct ptl_process *parent, const struct key *of_parent,
		       const struct ptl_view *view, int64_t now)
{
	const struct ptl_args *args = &view->args;
	const pid_t tid = view->event->posix_tid_np;
	struct key key = *of_parent;
	struct ptl_process *child;

	processes->forked = NULL;
	key.pidns = (unsigned int)number_of(args, "pidns", key.pidns);
	key.pid = (pid_t)number_of(args, "nspid", number_of(args, "child", 0));
	if (key.pid <= 0)
		return;
	child = find_process(processes, &key);
	if (child == NULL || child->is_forked || child == parent ||
	    (child->ppid != 0 && key.pidns == of_parent->pidns &&
	     child->ppid != of_parent->pid))
		child = add_process(processes, &key, now);
	processes->forked = child;
	child->is_begun = child->is_forked = child->is_sure = true;
	if (child->rank < 0) {
		child->rank = parent->rank;
		child->nr_ranks = parent->nr_ranks;
	}
	if (child->label->name == NULL && parent->label->name != NULL)
		child->label->name = parent->label->name;
	if (child->image == NULL && parent->refused.path != NULL &&
	    parent->refused.tid == tid) {
		child->exec = parent->refused;
		child->exec.at = child->begin;
	}
	set_parent(child, parent);
}

/* What is put together, in memory. */
static struct {
	char *bytes;
	size_t size, room;
} joined;

static void take(const char *bytes, size_t size)
{
	if (size == 0)
		return;
	while (joined.room - joined.size < size)
		joined.bytes =
			ptl_grow(joined.bytes, joined.room, &joined.room, 1);
	memcpy(joined.bytes + joined.size, bytes, size);
	joined.size += size;
}

/* The strings of argv behind the first as a shell's user would write them; what
 * was cut off, or is not known, as dots. */
static const char *join(const struct ptl_arg *argv, bool is_cut)
{
	static struct ptl_out out = {.take = take};
	struct ptl_arg word = {0};
	size_t at = 0;

	joined.size = 0;
	for (size_t i = 0; ptl_decode_next(argv, &at, &word); i++) {
		if (i == 0)
			continue;
		if (i > 1)
			ptl_out_char(&out, ' ');
		ptl_quote_shell(&out, word.bytes, word.size);
	}
	if (is_cut)
		ptl_out_str(&out, word.is_cut ? "..." : " ...");
	ptl_out_flush(&out);
	return joined.size > 0 ? ptl_intern(joined.bytes, joined.size) : "";
}

/* The parent by its number, if no fork was seen. */
static void find_parent(struct ptl_processes *processes,
			struct ptl_process *process, struct key key)
{
	struct ptl_process *parent;

	key.pid = process->ppid;
	if (process->parent != NULL || key.pid <= 0)
		return;
	parent = find_process(processes, &key);
	if (parent != NULL && !parent->is_ended)
		set_parent(process, parent);
}

/* Never freed: views keep them. */
static struct ptl_hash labels = {.value_size = sizeof(struct ptl_label)};

static struct ptl_label *get_label(const char *name)
{
	struct ptl_label *label = ptl_hash_get(&labels, &name, sizeof(name));

	label->name = name;
	return label;
}

const struct ptl_label *ptl_label_same(const struct ptl_label *label)
{
	return label->name != NULL ? get_label(label->name) : label;
}

/* The next program of the process, which says its name now. */
static struct ptl_program *add_image(struct ptl_process *process,
				     const char *program, int64_t now)
{
	struct ptl_program *image = ptl_alloc(sizeof(*image));

	image->program = program;
	image->arguments = "";
	image->begin = process->exec.path != NULL  ? process->exec.at :
		       process->last_image == NULL ? process->begin :
						     now;
	process->exec.path = NULL;
	if (process->last_image != NULL) {
		process->last_image->end = image->begin;
		process->last_image->next = image;
	} else {
		process->image = image;
	}
	process->last_image = image;
	process->nr_images++;
	process->label = get_label(image->program);
	image->number = process->last_number;
	return image;
}

/* The program that was executed and did not say its name. */
static void add_untraced(struct ptl_process *process, int64_t now)
{
	const char *path = process->exec.path, *name;

	if (path == NULL || !process->exec.is_untraced)
		return;
	name = ptl_program_of_path(path, strlen(path));
	add_image(process, name != NULL ? name : "?", now)->arguments =
		"(not traced)";
}

/* The one that says its name now.  A sampler may have told before what it has
 * mapped. */
static struct ptl_program *begin_image(struct ptl_process *process,
				       const char *name, int64_t now)
{
	struct ptl_program *last = process->last_image;

	if (last == NULL || !last->is_guessed ||
	    last->number != process->last_number)
		return add_image(process, name, now);
	last->is_guessed = false;
	last->program = name;
	process->label = get_label(name);
	return last;
}

static void learn_start(struct ptl_processes *processes,
			struct ptl_process *process, const struct key *key,
			const struct ptl_view *view, int64_t now)
{
	const struct ptl_args *args = &view->args;
	const struct ptl_arg *argv = ptl_decode_find(args, "argv");
	const struct ptl_arg *cwd = ptl_decode_find(args, "cwd");
	struct ptl_program *image;
	const char *name;

	add_untraced(process, now);
	name = ptl_program_name(args);
	image = begin_image(process, name != NULL ? name : "?", now);
	if (argv != NULL)
		image->arguments =
			join(argv, view->event->posix_truncation_status !=
					   POSIX_TRACE_NOT_TRUNCATED);
	if (cwd != NULL && cwd->size > 0)
		image->cwd = ptl_intern(cwd->bytes, cwd->size);
	process->threads = 1;
	process->is_sure = true;
	if (process->ppid == 0)
		process->ppid = (pid_t)number_of(args, "ppid", 0);
	find_parent(processes, process, *key);
}

/*
 * The trace came to it when it ran already, it stands aside, or starts and
 * forks are not recorded.
 */
static void learn_program(struct ptl_processes *processes,
			  struct ptl_process *process, const struct key *key,
			  const struct ptl_args *args, int64_t now)
{
	const struct ptl_arg *arg = ptl_decode_find(args, "name");
	const char *name = NULL;

	if (arg != NULL && arg->type == PTL_ARG_STRING)
		name = ptl_program_of_path(arg->bytes, arg->size);
	process->ppid = (pid_t)number_of(args, "parent", process->ppid);
	find_parent(processes, process, *key);
	if (name == NULL)
		return;
	if (ptl_decode_find(args, "parent") == NULL)
		add_image(process, name, now);
	else if (process->label->name == NULL)
		process->label->name = name;
}

/*
 * The program's own file is mapped first, and names an image that says its name
 * in no other way.  What a forked child maps is a library.
 */
static void learn_map(struct ptl_process *process, const struct ptl_args *args,
		      int64_t now)
{
	const struct ptl_program *last = process->last_image;
	const struct ptl_arg *path = ptl_decode_find(args, "path");
	const char *name;

	if (path == NULL || path->type != PTL_ARG_STRING ||
	    (last != NULL ? process->last_number <= last->number :
			    process->label->name != NULL))
		return;
	name = ptl_program_of_path(path->bytes, path->size);
	if (name != NULL && strstr(name, ".so") == NULL)
		add_image(process, name, now)->is_guessed = true;
}

static struct ptl_exec exec_of(const struct ptl_view *view, int64_t now)
{
	const struct ptl_arg *path = ptl_decode_find(&view->args, "path");

	return (struct ptl_exec){
		.path = path != NULL && path->bytes != NULL ?
				ptl_intern(path->bytes, path->size) :
				"",
		.at = now,
		.tid = view->event->posix_tid_np,
	};
}

static void learn_exec(struct ptl_process *process, const struct ptl_view *view,
		       int64_t now)
{
	process->exec = exec_of(view, now);
	process->exec.is_untraced = process->refused.path != NULL &&
				    process->refused.tid == process->exec.tid;
}

/* This comes before its exec or fork, or after an exec that cannot be traced
 * for want of room. */
static void learn_untraced(struct ptl_process *process,
			   const struct ptl_view *view, int64_t now)
{
	if (ptl_program_is_partly(&view->args))
		return;
	process->refused = exec_of(view, now);
	process->refused.is_untraced = true;
	if (process->label->name == NULL)
		process->label->name = ptl_program_of_path(
			process->refused.path, strlen(process->refused.path));
	if (process->exec.path == process->refused.path &&
	    process->exec.tid == process->refused.tid)
		process->exec.is_untraced = true;
}

static void learn_exit(struct ptl_process *process, const struct ptl_args *args,
		       int64_t now)
{
	const struct ptl_arg *signal = ptl_decode_find(args, "signal");

	if (!process->is_ended || signal != NULL) {
		process->signal = (int)number_of(args, "signal", -1);
		process->status = (int)number_of(args, "status", -1);
	}
	if (!process->is_ended)
		process->end = now;
	process->is_ended = true;
	/* The process ended as what it executed, of which nothing was seen. */
	process->exec.is_untraced = true;
	add_untraced(process, now);
	process->user_us = amount_of(args, "user_us", process->user_us);
	process->sys_us = amount_of(args, "sys_us", process->sys_us);
	process->maxrss_kib =
		amount_of(args, "maxrss_kib", process->maxrss_kib);
}

/* A log may say anything. */
static int rank_of(const struct ptl_args *args, const char *name)
{
	int64_t number = number_of(args, name, -1);

	return number >= 0 && number < INT_MAX ? (int)number : -1;
}

static void learn_rank(struct ptl_process *process, const struct ptl_args *args)
{
	process->rank = rank_of(args, "rank");
	process->nr_ranks = rank_of(args, "size");
}

/* A name that stands for the program's, until the next one begins. */
static void learn_name(struct ptl_process *process, const struct ptl_args *args)
{
	const struct ptl_arg *name = ptl_decode_find(args, "name");

	if (number_of(args, "tid", 0) == PTL_NAMED_PROCESS && name != NULL &&
	    name->bytes != NULL && name->size > 0)
		process->label = get_label(ptl_intern(name->bytes, name->size));
}

static void learn_thread(struct ptl_process *process, enum ptl_act act)
{
	if (act == PTL_ACT_THREAD_EXIT)
		process->threads -= process->threads > 0;
	else if (++process->threads > process->max_threads)
		process->max_threads = process->threads;
}

/* Not an event of a process that has ended: of the next with its number. */
static bool is_beginning(enum ptl_act act)
{
	return act == PTL_ACT_START || act == PTL_ACT_PROGRAM;
}

static void make_key(struct key *key, const struct ptl_view *view)
{
	/* Also between its members. */
	memset(key, 0, sizeof(*key));
	key->source = view->source;
	key->pid = view->event->posix_pid;
	key->pidns = view->event->posix_pidns_np;
}

void ptl_processes_learn_controller(struct ptl_processes *processes,
				    const struct ptl_view *view)
{
	struct key key;

	make_key(&key, view);
	ptl_hash_get(&processes->controllers, &key, sizeof(key));
}

/* Of ptrace-ctl mark, and of ptrace-run --do mark. */
static bool is_mark(const struct ptl_view *view)
{
	return !view->type->is_system && strcmp(view->type->name, "mark") == 0;
}

/* What an event says of its process. */
static void learn_from(struct ptl_processes *processes,
		       struct ptl_process *process, const struct key *key,
		       const struct ptl_view *view, enum ptl_act act,
		       int64_t now)
{
	switch (act) {
	case PTL_ACT_START:
		learn_start(processes, process, key, view, now);
		break;
	case PTL_ACT_PROGRAM:
		learn_program(processes, process, key, &view->args, now);
		break;
	case PTL_ACT_RANK:
		learn_rank(process, &view->args);
		break;
	case PTL_ACT_MAP:
		learn_map(process, &view->args, now);
		break;
	case PTL_ACT_FORK:
		learn_fork(processes, process, key, view, now);
		break;
	case PTL_ACT_EXEC:
		learn_exec(process, view, now);
		break;
	case PTL_ACT_EXEC_FAILED:
		process->exec.path = NULL;
		break;
	case PTL_ACT_UNTRACED:
		learn_untraced(process, view, now);
		break;
	case PTL_ACT_EXIT:
		learn_exit(process, &view->args, now);
		break;
	case PTL_ACT_THREAD_NAME:
		learn_name(ptl_process_owner(process), &view->args);
		break;
	case PTL_ACT_TAG:
		ptl_tags_learn(&ptl_process_owner(process)->tags, &view->args);
		break;
	case PTL_ACT_THREAD_START:
	case PTL_ACT_THREAD_EXIT:
		learn_thread(process, act);
		break;
	default:
		break;
	}
}

struct ptl_process *ptl_processes_learn(struct ptl_processes *processes,
					const struct ptl_view *view,
					enum ptl_act act, int64_t now)
{
	struct ptl_process *process;
	struct key key;

	make_key(&key, view);
	process = find_process(processes, &key);
	if (process == NULL || (is_beginning(act) && process->is_ended)) {
		process = add_process(processes, &key, now);
		process->is_begun = act == PTL_ACT_START || act == PTL_ACT_EXEC;
		process->is_controller =
			ptl_hash_find(&processes->controllers, &key,
				      sizeof(key)) != NULL;
	}
	process->is_controller = process->is_controller && is_mark(view);
	process->last = now;
	process->events++;
	if (view->event->posix_image_np > process->last_number &&
	    view->type->kind->family != PTL_FAMILY_SCHED)
		process->last_number = view->event->posix_image_np;
	learn_from(processes, process, &key, view, act, now);
	/* The exec or fork that was refused comes next, if any. */
	if (act != PTL_ACT_UNTRACED &&
	    process->refused.tid == view->event->posix_tid_np)
		process->refused.path = NULL;
	return process;
}

const struct ptl_process *
ptl_processes_forked(const struct ptl_processes *processes)
{
	return processes->forked;
}

void ptl_processes_end(struct ptl_processes *processes, int64_t now)
{
	struct ptl_process *process;

	for (process = processes->first; process != NULL;
	     process = process->next) {
		if (!process->is_ended)
			process->end =
				process->is_replaced ? process->last : now;
		if (process->end < process->begin)
			process->end = process->begin;
		add_untraced(process, process->end);
		if (process->last_image != NULL)
			process->last_image->end = process->end;
	}
}

struct ptl_process *ptl_processes_first(const struct ptl_processes *processes)
{
	return processes->first;
}

size_t ptl_processes_nr(const struct ptl_processes *processes)
{
	return processes->nr;
}

static struct ptl_process *traced(struct ptl_process *process)
{
	while (process != NULL &&
	       (process->is_controller || process->is_outside))
		process = process->next;
	return process;
}

struct ptl_process *
ptl_processes_first_traced(const struct ptl_processes *processes)
{
	return traced(processes->first);
}

struct ptl_process *ptl_process_next_traced(const struct ptl_process *process)
{
	return traced(process->next);
}

size_t ptl_processes_traced(const struct ptl_processes *processes)
{
	const struct ptl_process *process =
		ptl_processes_first_traced(processes);
	size_t nr = 0;

	for (; process != NULL; process = ptl_process_next_traced(process))
		nr++;
	return nr;
}
