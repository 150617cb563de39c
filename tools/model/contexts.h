/* SPDX-License-Identifier: MIT */
/*
 * Contexts: what a program says is so from now on, in a field of its events
 * that is marked as one.  Later events of the thread have it, until the thread
 * says otherwise or ends; those of a span's data, until the span ends.
 */
#ifndef PTL_TOOLS_MODEL_CONTEXTS_H
#define PTL_TOOLS_MODEL_CONTEXTS_H

#include "tools/lib/hash.h"
#include "tools/model/threads.h"
#include "tools/model/userspans.h"
#include "tools/model/view.h"

/* So many a thread has at once, those of outer spans counted; others that come
 * are none. */
#define PTL_CONTEXTS_MAX 1024

/* So much of a string is kept. */
#define PTL_CONTEXTS_TEXT 128

/* NAME=VALUE, with its null. */
#define PTL_CONTEXT_TEXT (PTL_DECODE_NAME + PTL_CONTEXTS_TEXT + 1)

struct ptl_contexts {
	struct ptl_threads *threads;
	struct ptl_hash by_thread;
	size_t nr; /* of all threads, those of outer spans counted */
};

struct ptl_contexts *ptl_contexts_new(struct ptl_threads *threads);
void ptl_contexts_free(struct ptl_contexts *contexts);

/*
 * Takes each event that can change something, with the span that it begins or
 * ends, or NULL; thread may be NULL: it is found if it is needed.  Returns the
 * contexts that its thread has from then on, the newest of each name, valid
 * until the next; or NULL.
 */
const struct ptl_args *ptl_contexts_learn(struct ptl_contexts *contexts,
					  const struct ptl_view *view,
					  struct ptl_thread *thread,
					  const struct ptl_userspan *span);

/* A context as reports have it; returns its size, without the null. */
size_t ptl_context_text(const struct ptl_arg *arg, char text[PTL_CONTEXT_TEXT]);

/* Can it, or has it any?  Most programs have none. */
static inline bool ptl_contexts_matter(const struct ptl_contexts *contexts,
				       const struct ptl_view *view,
				       const struct ptl_userspan *span)
{
	return contexts->nr > 0 || span != NULL ||
	       view->type->layout.has_context;
}

#endif
