/* SPDX-License-Identifier: MIT */
/*
 * What happened in a run; see story.h.  Left out is what happens in another
 * order, or not at all, in a run that is the same: signals, waiting for others,
 * locks, memory, time, and calls that were interrupted or would have blocked.
 */
#include "tools/report/model/story.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* Events that are kept of a run: 16 bytes each. */
#define EVENTS_MAX (1 << 22)

/* Shorter ones are words, and not made up by mkstemp(); a number of a process
 * may be. */
#define LEAST_RANDOM 6
#define LEAST_NUMBER 3

struct call_key {
	const char *program, *call, *path;
};

struct failure_key {
	const struct ptl_label *program;
	const char *call, *error, *path;
};

struct ptl_story *ptl_story_new(void)
{
	struct ptl_story *story = ptl_alloc(sizeof(*story));

	story->files = ptl_files_new();
	story->processes.value_size = sizeof(struct ptl_story_process);
	story->tales.value_size = sizeof(struct ptl_tale);
	story->failed.value_size = sizeof(struct ptl_story_failure);
	story->done.value_size = 1;
	return story;
}

void ptl_story_free(struct ptl_story *story)
{
	struct ptl_tale *tale = NULL;

	while ((tale = ptl_hash_next(&story->tales, tale)) != NULL)
		free(tale->event);
	ptl_files_free(story->files);
	ptl_hash_clear(&story->processes);
	ptl_hash_clear(&story->tales);
	ptl_hash_clear(&story->failed);
	ptl_hash_clear(&story->done);
	free(story);
}

/* The letters and digits at `at' are made up: of mkstemp(), or a number. */
static bool is_made_up(const char *at, size_t size)
{
	size_t digits = 0, capitals = 0;

	for (size_t i = 0; i < size; i++) {
		digits += isdigit((unsigned char)at[i]) != 0;
		capitals += isupper((unsigned char)at[i]) != 0;
	}
	if (digits == size)
		return size >= LEAST_NUMBER;
	return size >= LEAST_RANDOM && digits + capitals > 0;
}

static size_t run_of(const char *at)
{
	size_t size = 0;

	while (isalnum((unsigned char)at[size]))
		size++;
	return size;
}

/* Behind "/proc/" a number is that of a process. */
static bool is_process(const char *before, size_t used, const char *at,
		       size_t size)
{
	return used >= 6 && memcmp(before + used - 6, "/proc/", 6) == 0 &&
	       strspn(at, "0123456789") == size;
}

const char *ptl_story_fold(const char *words)
{
	char text[8192];
	size_t used = 0, size;
	bool is_temporary = false;

	if (strstr(words, "/tmp/") == NULL && strstr(words, "/proc/") == NULL)
		return ptl_intern(words, strlen(words));
	while (*words != '\0' && used + 8 < sizeof(text)) {
		if (strncmp(words, "/tmp/", 5) == 0)
			is_temporary = true;
		else if (*words == ' ')
			is_temporary = false;
		size = run_of(words);
		if (size > 0 && ((is_temporary && is_made_up(words, size)) ||
				 is_process(text, used, words, size))) {
			text[used++] = '*';
			words += size;
			continue;
		}
		for (size = size > 0 ? size : 1;
		     size > 0 && used + 8 < sizeof(text); size--)
			text[used++] = *words++;
	}
	return ptl_intern(text, used);
}

/* What can be compared of an event: see above. */
static bool is_told(const struct ptl_step *step)
{
	if (step->error != NULL &&
	    (step->error->value == EAGAIN || step->error->value == EINTR))
		return false;
	switch (step->kind->family) {
	case PTL_FAMILY_PROCESS:
		/* A fork is where its event comes, which is up to the kernel:
		 * its child is compared. */
		return step->kind->act != PTL_ACT_PROGRAM &&
		       step->kind->act != PTL_ACT_RANK &&
		       step->kind->act != PTL_ACT_FORK;
	case PTL_FAMILY_FILE:
	case PTL_FAMILY_NET:
	case PTL_FAMILY_DL:
	case PTL_FAMILY_USER:
		return true;
	case PTL_FAMILY_IO:
		return step->kind->act != PTL_ACT_POLL;
	case PTL_FAMILY_SIGNAL:
		return step->kind->act == PTL_ACT_CRASH;
	default:
		return false;
	}
}

static size_t add_word(char *text, size_t used, size_t size, const char *word,
		       size_t length)
{
	if (used + length + 2 > size)
		return used;
	text[used++] = ' ';
	memcpy(text + used, word, length);
	return used + length;
}

/* Strings that it is about; else its file, if that has a name. */
static size_t add_names(char *text, size_t used, size_t size,
			const struct ptl_step *step,
			const struct ptl_file *file)
{
	const struct ptl_args *args = &step->view->args;
	size_t before = used;

	for (unsigned int i = 0; i < args->nr; i++)
		if (args->arg[i].type == PTL_ARG_STRING &&
		    !args->arg[i].is_data && args->arg[i].bytes != NULL &&
		    strcmp(args->arg[i].name, "cwd") != 0)
			used = add_word(text, used, size, args->arg[i].bytes,
					args->arg[i].size);
	/* What the user has asked for is no difference. */
	if (step->kind->act == PTL_ACT_START && step->process->parent != NULL)
		return add_word(text, used, size,
				ptl_process_arguments(step->process),
				strlen(ptl_process_arguments(step->process)));
	if (used == before && file != NULL &&
	    (file->kind == PTL_FILE_PATH || step->kind->act == PTL_ACT_CONNECT))
		used = add_word(text, used, size, file->name,
				strlen(file->name));
	return used;
}

static const char *words_of(const struct ptl_step *step,
			    const struct ptl_file *file)
{
	static const enum ptl_field fields[] = {PTL_FIELD_STATUS,
						PTL_FIELD_SIGNAL};
	size_t used = strlen(step->kind->name);
	char text[8192], word[48];

	memcpy(text, step->kind->name, used);
	used = add_names(text, used, sizeof(text) - 64, step, file);
	for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
		const struct ptl_arg *arg =
			ptl_kind_arg(step->kind, fields[i], &step->view->args);

		if (arg == NULL || arg->type != PTL_ARG_INT)
			continue;
		snprintf(word, sizeof(word), "%s=%lld", arg->name,
			 (long long)arg->value);
		used = add_word(text, used, sizeof(text), word, strlen(word));
	}
	if (step->error != NULL)
		used = add_word(text, used, sizeof(text), ptl_step_error(step),
				strlen(ptl_step_error(step)));
	return ptl_intern(text, used);
}

/* Files of the system's own say another number of bytes each time. */
static bool is_steady(const struct ptl_file *file)
{
	return file != NULL && file->kind == PTL_FILE_PATH &&
	       strncmp(file->name, "/proc/", 6) != 0 &&
	       strncmp(file->name, "/sys/", 5) != 0 &&
	       strncmp(file->name, "/dev/", 5) != 0;
}

static struct ptl_story_process *process_of(struct ptl_story *story,
					    const struct ptl_process *process)
{
	struct ptl_story_process *told =
		ptl_hash_get(&story->processes, &process, sizeof(process));

	told->process = process;
	return told;
}

static struct ptl_tale *tale_of(struct ptl_story *story,
				const struct ptl_step *step)
{
	const struct {
		const struct ptl_process *process;
		uint64_t thread;
	} key = {step->process, (uint64_t)step->view->event->posix_tid_np};
	struct ptl_tale *tale = ptl_hash_find(&story->tales, &key, sizeof(key));
	struct ptl_story_process *told;

	if (tale != NULL)
		return tale;
	tale = ptl_hash_get(&story->tales, &key, sizeof(key));
	told = process_of(story, step->process);
	if (told->first == NULL)
		told->first = tale;
	else
		told->last->next = tale;
	told->last = tale;
	return tale;
}

/* How many reads of a pipe it takes to get all of it is a matter of time. */
static bool is_repeated(const struct ptl_tale *tale,
			const struct ptl_story_event *event)
{
	return tale->nr > 0 && tale->event[tale->nr - 1].what == event->what &&
	       event->bytes < 0;
}

static void tell(struct ptl_story *story, const struct ptl_step *step,
		 const struct ptl_file_use *use)
{
	struct ptl_tale *tale = tale_of(story, step);
	bool is_moved = use->is_read || use->is_write;
	const struct ptl_story_event event = {
		.what = words_of(step, use->file),
		.bytes = is_moved && is_steady(use->file) ? use->bytes : -1,
	};

	if (is_moved && is_repeated(tale, &event))
		return;
	if (story->nr >= EVENTS_MAX) {
		tale->is_cut = true;
		return;
	}
	story->nr++;
	tale->event = ptl_grow(tale->event, tale->nr, &tale->room,
			       sizeof(*tale->event));
	tale->event[tale->nr++] = event;
}

/* The file that a call is about, by the name that it was given. */
static const char *path_of(const struct ptl_step *step,
			   const struct ptl_file *file)
{
	const char *path = ptl_step_path(step, "path");

	if (path == NULL && file != NULL)
		path = file->name;
	return path != NULL ? path : ptl_step_string(step, "name");
}

/* Calls that fail, and which do not. */
static void learn_outcome(struct ptl_story *story, const struct ptl_step *step,
			  const struct ptl_file *file)
{
	const char *path = path_of(step, file);
	struct ptl_story_failure *failure;

	if (step->error != NULL) {
		const struct failure_key key = {step->process->label,
						step->kind->name,
						ptl_step_error(step), path};

		failure = ptl_hash_get(&story->failed, &key, sizeof(key));
		if (failure->nr++ == 0)
			failure->first = step->now;
		failure->program = key.program;
		failure->call = key.call;
		failure->error = key.error;
		failure->path = key.path;
	} else if (step->view->outcome == PTL_OUTCOME_DONE) {
		const struct call_key key = {
			ptl_label_name(step->process->label), step->kind->name,
			path};

		ptl_hash_get(&story->done, &key, sizeof(key));
	}
}

void ptl_story_learn(struct ptl_story *story, const struct ptl_step *step)
{
	struct ptl_file_use use[PTL_FILE_USES] = {0};
	const struct ptl_process *child;

	if (step->process == NULL)
		return;
	if (ptl_uses_learn(story->files, step, use) == 0)
		use[0] = (struct ptl_file_use){0};
	if (step->kind->act == PTL_ACT_FORK) {
		child = ptl_processes_forked(step->model->processes);
		if (child != NULL)
			process_of(story, child)->forked_at =
				process_of(story, step->process)->first !=
						NULL ?
					process_of(story, step->process)
						->first->nr :
					0;
	}
	if (!is_told(step))
		return;
	learn_outcome(story, step, use[0].file);
	tell(story, step, &use[0]);
}

bool ptl_story_has_done(const struct ptl_story *story, const char *program,
			const char *call, const char *path)
{
	const struct call_key key = {program, call, path};

	return ptl_hash_find(&story->done, &key, sizeof(key)) != NULL;
}
