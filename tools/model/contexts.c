/* SPDX-License-Identifier: MIT */
/* Contexts; see contexts.h. */
#include "tools/model/contexts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/args/typed.h"
#include "tools/lib/say.h"

/* A value, until it is over. */
struct entry {
	struct ptl_arg arg;
	uint64_t span; /* the number of the span that it is of; or 0 */
	char text[PTL_CONTEXTS_TEXT];
};

/* Of a thread: the newest is the last. */
struct kept {
	uint64_t life; /* of that thread, and no later one */
	struct entry **entry;
	size_t nr, room;
	struct ptl_args shown;
};

struct ptl_contexts *ptl_contexts_new(struct ptl_threads *threads)
{
	struct ptl_contexts *contexts = ptl_alloc(sizeof(*contexts));

	contexts->threads = threads;
	contexts->by_thread.value_size = sizeof(struct kept);
	return contexts;
}

static void drop(struct ptl_contexts *contexts, struct kept *kept, size_t at)
{
	free(kept->entry[at]);
	kept->nr--;
	memmove(&kept->entry[at], &kept->entry[at + 1],
		(kept->nr - at) * sizeof(struct entry *));
	contexts->nr--;
}

static void drop_all(struct ptl_contexts *contexts, struct kept *kept)
{
	while (kept->nr > 0)
		drop(contexts, kept, kept->nr - 1);
}

void ptl_contexts_free(struct ptl_contexts *contexts)
{
	struct kept *kept = NULL;

	while ((kept = ptl_hash_next(&contexts->by_thread, kept)) != NULL) {
		drop_all(contexts, kept);
		free(kept->entry);
	}
	ptl_hash_clear(&contexts->by_thread);
	free(contexts);
}

static struct kept *get(struct ptl_contexts *contexts,
			const struct ptl_thread *thread)
{
	struct kept *kept = ptl_hash_get(&contexts->by_thread, &thread,
					 sizeof(const struct ptl_thread *));

	if (kept->life != thread->life)
		drop_all(contexts, kept);
	kept->life = thread->life;
	return kept;
}

/* What that name is without the data of spans; or of that span. */
static void forget(struct ptl_contexts *contexts, struct kept *kept,
		   const char *name, uint64_t span)
{
	for (size_t i = kept->nr; i > 0; i--)
		if (kept->entry[i - 1]->span == span &&
		    (name == NULL ||
		     strcmp(kept->entry[i - 1]->arg.name, name) == 0))
			drop(contexts, kept, i - 1);
}

static void add(struct ptl_contexts *contexts, struct kept *kept,
		const struct ptl_arg *arg, uint64_t span)
{
	struct entry *entry;

	if (kept->nr == PTL_CONTEXTS_MAX)
		return;
	entry = ptl_alloc(sizeof(*entry));
	entry->arg = *arg;
	entry->arg.name = ptl_intern(arg->name, strlen(arg->name));
	entry->span = span;
	if (arg->type == PTL_ARG_STRING) {
		if (arg->size > sizeof(entry->text)) {
			entry->arg.size = sizeof(entry->text);
			entry->arg.is_cut = true;
		}
		memcpy(entry->text, arg->bytes, entry->arg.size);
		entry->arg.bytes = entry->text;
	}
	kept->entry = ptl_grow(kept->entry, kept->nr, &kept->room,
			       sizeof(struct entry *));
	kept->entry[kept->nr++] = entry;
	contexts->nr++;
}

/* An event without the field ends what an earlier one has said. */
static void learn_event(struct ptl_contexts *contexts,
			const struct ptl_view *view, struct kept *kept)
{
	const struct ptl_layout *layout = &view->type->layout;

	for (unsigned int i = 0; i < layout->nr_fields; i++) {
		if (layout->field[i].mark != PTL_ARG_CONTEXT)
			continue;
		forget(contexts, kept, layout->field[i].name, 0);
		if (i < view->args.nr)
			add(contexts, kept, &view->args.arg[i], 0);
	}
}

static void learn_begin(struct ptl_contexts *contexts,
			const struct ptl_view *view, struct kept *kept,
			uint64_t span)
{
	for (unsigned int i = 0; i < view->args.nr; i++)
		if (view->args.arg[i].mark == PTL_ARG_CONTEXT)
			add(contexts, kept, &view->args.arg[i], span);
}

/* The newest of each name. */
static void find_shown(struct kept *kept)
{
	struct ptl_args *shown = &kept->shown;

	shown->nr = 0;
	for (size_t i = kept->nr; i > 0 && shown->nr < PTL_ARGS; i--) {
		const struct ptl_arg *arg = &kept->entry[i - 1]->arg;

		if (ptl_decode_find(shown, arg->name) == NULL)
			shown->arg[shown->nr++] = *arg;
	}
}

/* Of a span that ends: in the thread in which it began. */
static void learn_end(struct ptl_contexts *contexts,
		      const struct ptl_userspan *span)
{
	struct kept *kept;

	if (contexts->nr == 0 || span->life != span->thread->life)
		return;
	kept = get(contexts, span->thread);
	forget(contexts, kept, NULL, span->number);
	find_shown(kept);
}

static bool sets(const struct ptl_view *view, const struct ptl_userspan *span)
{
	return (view->type->layout.has_context && !view->type->is_system) ||
	       (span != NULL && view->type->kind->act == PTL_ACT_SPAN_BEGIN);
}

const struct ptl_args *ptl_contexts_learn(struct ptl_contexts *contexts,
					  const struct ptl_view *view,
					  struct ptl_thread *thread,
					  const struct ptl_userspan *span)
{
	bool is_set = sets(view, span);
	struct kept *kept;

	if (span != NULL && view->type->kind->act == PTL_ACT_SPAN_END)
		learn_end(contexts, span);
	/* The trace's own are of no thread. */
	if ((contexts->nr == 0 && !is_set) ||
	    view->type->kind->family == PTL_FAMILY_TRACE)
		return NULL;
	if (thread == NULL)
		thread = ptl_threads_get(contexts->threads, view, NULL);
	kept = get(contexts, thread);
	/* The kernel has given it the number of one that has ended. */
	if (view->type->kind->act == PTL_ACT_THREAD_START)
		drop_all(contexts, kept);
	if (is_set && span != NULL)
		learn_begin(contexts, view, kept, span->number);
	else if (is_set)
		learn_event(contexts, view, kept);
	if (is_set)
		find_shown(kept);
	return kept->nr > 0 ? &kept->shown : NULL;
}

size_t ptl_context_text(const struct ptl_arg *arg, char text[PTL_CONTEXT_TEXT])
{
	char number[PTL_TYPED_TEXT];
	int size;

	switch (arg->type) {
	case PTL_ARG_STRING:
		size = snprintf(text, PTL_CONTEXT_TEXT, "%s=%.*s", arg->name,
				(int)arg->size, arg->bytes);
		break;
	case PTL_ARG_FLOAT:
		size = snprintf(
			text, PTL_CONTEXT_TEXT, "%s=%s", arg->name,
			ptl_typed_json((double)ptl_typed_double(arg->value),
				       number));
		break;
	default:
		size = snprintf(text, PTL_CONTEXT_TEXT,
				arg->type == PTL_ARG_HEX ? "%s=0x%llx" :
							   "%s=%lld",
				arg->name, (long long)arg->value);
	}
	return (size_t)size < PTL_CONTEXT_TEXT ? (size_t)size :
						 PTL_CONTEXT_TEXT - 1;
}
