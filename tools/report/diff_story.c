/* SPDX-License-Identifier: MIT */
/* Calls that failed in one of two runs only, and where they part. */
#include "tools/report/diff_story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/report/model/parting.h"
#include "tools/report/show/json.h"
#include "tools/report/show/screen.h"

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	(void)settings;
	(void)model;
	return ptl_story_new();
}

static void learn(void *of, const struct ptl_step *step)
{
	ptl_story_learn(of, step);
}

static void end(void *of)
{
	ptl_story_free(of);
}

const struct ptl_report_view ptl_report_story = {
	.begin = begin,
	.event = learn,
	.free = end,
};

/* A failure that only one run has. */
struct failure {
	const struct ptl_story_failure *of;
	const char *program, *key, *folded;
	bool is_known; /* the other run has it, too */
	bool has_done; /* where the other run did it, it did not fail */
};

struct failures {
	struct failure *failure;
	size_t nr;
};

static struct failures failures_of(const struct ptl_story *story)
{
	struct failures failures = {
		ptl_alloc((story->failed.nr + 1) * sizeof(struct failure)), 0};
	const struct ptl_story_failure *failed = NULL;
	char text[8192];

	while ((failed = ptl_hash_next(&story->failed, failed)) != NULL) {
		struct failure *failure = &failures.failure[failures.nr++];

		failure->of = failed;
		failure->program = ptl_label_name(failed->program);
		snprintf(text, sizeof(text), "%s %s %s %s", failure->program,
			 failed->call, failed->error,
			 failed->path != NULL ? failed->path : "");
		failure->key = ptl_intern(text, sizeof(text));
		failure->folded = ptl_story_fold(failure->key);
	}
	return failures;
}

/* First those where the other one succeeded, and of both kinds the earliest. */
static int compare(const void *a, const void *b)
{
	const struct failure *one = a, *other = b;

	if (one->has_done != other->has_done)
		return one->has_done ? -1 : 1;
	if (one->of->first != other->of->first)
		return one->of->first < other->of->first ? -1 : 1;
	return strcmp(one->key, other->key);
}

/* Marks those that both have, by their names as they are, or without what is
 * made up: that is asked for only where the first is not so. */
static void mark_known(struct failures of[2], bool is_folded)
{
	struct ptl_hash keys = {.value_size = sizeof(char[2])};

	for (int pass = 0; pass < 2; pass++)
		for (int i = 0; i < 2; i++)
			for (size_t k = 0; k < of[i].nr; k++) {
				struct failure *failure = &of[i].failure[k];
				const char *key = is_folded ? failure->folded :
							      failure->key;
				char *has =
					ptl_hash_get(&keys, &key, sizeof(key));

				if (pass == 0)
					has[i] |= !failure->is_known;
				else
					failure->is_known |= has[0] && has[1];
			}
	ptl_hash_clear(&keys);
}

/* Leaves those that the other run does not have, the most telling first. */
static void leave_own(struct failures *of, const struct ptl_story *other)
{
	size_t nr = 0;

	for (size_t k = 0; k < of->nr; k++) {
		struct failure *failure = &of->failure[k];

		failure->has_done = ptl_story_has_done(other, failure->program,
						       failure->of->call,
						       failure->of->path);
		if (!failure->is_known)
			of->failure[nr++] = *failure;
	}
	of->nr = nr;
	qsort(of->failure, nr, sizeof(*of->failure), compare);
}

static void find_failures(const struct ptl_run *a, const struct ptl_run *b,
			  struct failures of[2])
{
	const struct ptl_story *story[] = {ptl_run_of(a, &ptl_report_story),
					   ptl_run_of(b, &ptl_report_story)};

	of[0] = failures_of(story[0]);
	of[1] = failures_of(story[1]);
	mark_known(of, false);
	mark_known(of, true);
	leave_own(&of[0], story[1]);
	leave_own(&of[1], story[0]);
}

static void find_partings(const struct ptl_run *a, const struct ptl_run *b,
			  struct ptl_partings *partings)
{
	ptl_partings_find(partings, a->model.processes,
			  ptl_run_of(a, &ptl_report_story), b->model.processes,
			  ptl_run_of(b, &ptl_report_story));
}

static void print_failures(const struct failures *failures, int run, size_t top)
{
	size_t nr = failures->nr < top ? failures->nr : top;

	if (failures->nr == 0)
		return;
	ptl_line("failed in %c only:", "AB"[run]);
	ptl_line_end();
	for (size_t i = 0; i < nr; i++) {
		const struct failure *failure = &failures->failure[i];

		ptl_line("  ");
		ptl_line_color(PTL_COLOR_RED);
		ptl_line("%s", failure->of->error);
		ptl_line_color(PTL_COLOR_NONE);
		ptl_line("  %s  ", failure->of->call);
		if (failure->of->path != NULL) {
			ptl_line_name(failure->of->path);
			ptl_line("  ");
		}
		ptl_line("by ");
		ptl_line_name(failure->program);
		if (failure->of->nr > 1)
			ptl_line("  %llu×",
				 (unsigned long long)failure->of->nr);
		if (failure->has_done)
			ptl_line("  (did not fail in %c)", "BA"[run]);
		ptl_line_end();
	}
	if (failures->nr > nr) {
		ptl_line("  and %zu more", failures->nr - nr);
		ptl_line_end();
	}
}

static const char *path_of(const struct ptl_process *process)
{
	char text[4096];

	ptl_process_path(process, text, sizeof(text));
	return ptl_intern(text, sizeof(text));
}

static const struct ptl_process *either(const struct ptl_process *const of[2])
{
	return of[0] != NULL ? of[0] : of[1];
}

static void print_event(const struct ptl_story_event *event, int run)
{
	ptl_line("  %c: ", "AB"[run]);
	if (event == NULL)
		ptl_line("no more events");
	else
		ptl_line_name(event->what);
	if (event != NULL && event->bytes >= 0)
		ptl_line("  (%lld bytes)", (long long)event->bytes);
	ptl_line_end();
}

static void print_parting(const struct ptl_parting *parting, const char *what)
{
	ptl_line("%s in ", what);
	ptl_line_name(path_of(either(parting->process)));
	if (parting->process[0] == NULL || parting->process[1] == NULL) {
		ptl_line(", which only %c has",
			 "AB"[parting->process[0] == NULL]);
		ptl_line_end();
		return;
	}
	ptl_line(parting->at == 1 ? ", after %zu event that is the same" :
				    ", after %zu events that are the same",
		 parting->at);
	ptl_line_end();
	for (int run = 0; run < 2; run++)
		print_event(parting->event[run], run);
}

static void print_partings(const struct ptl_partings *partings)
{
	char exit[16];

	if (partings->ended[0] == NULL)
		return;
	ptl_line("ended differently: ");
	ptl_line_name(path_of(partings->ended[0]));
	ptl_line("  A: %s", ptl_process_exit(partings->ended[0], exit));
	ptl_line("  B: %s", ptl_process_exit(partings->ended[1], exit));
	ptl_line_end();
	if (partings->has_first)
		print_parting(&partings->first, "the runs part");
	if (partings->has_own &&
	    (!partings->has_first ||
	     partings->own.process[0] != partings->first.process[0] ||
	     partings->own.process[1] != partings->first.process[1]))
		print_parting(&partings->own, "what ended differently parts");
}

void ptl_diff_story_print(const struct ptl_run *a, const struct ptl_run *b,
			  size_t top)
{
	struct ptl_partings partings;
	struct failures failures[2];

	find_failures(a, b, failures);
	find_partings(a, b, &partings);
	print_failures(&failures[1], 1, top);
	print_failures(&failures[0], 0, top);
	print_partings(&partings);
	if (failures[0].nr + failures[1].nr > 0 || partings.ended[0] != NULL)
		ptl_line_end();
	free(failures[0].failure);
	free(failures[1].failure);
}

static void put_failures(struct ptl_out *out, const struct failures *failures,
			 int run, bool *is_first)
{
	for (size_t i = 0; i < failures->nr; i++) {
		const struct failure *failure = &failures->failure[i];

		ptl_out_str(out, *is_first ? "{" : ",{");
		*is_first = false;
		ptl_json_key(out, "in", true);
		ptl_out_str(out, run == 0 ? "\"a\"" : "\"b\"");
		ptl_json_text(out, "program", failure->program);
		ptl_json_text(out, "call", failure->of->call);
		ptl_json_text(out, "error", failure->of->error);
		ptl_json_text(out, "path", failure->of->path);
		ptl_json_number(out, "count", (int64_t)failure->of->nr);
		ptl_json_number(out, "first", failure->of->first);
		ptl_json_key(out, "is_done_in_other", false);
		ptl_out_str(out, failure->has_done ? "true" : "false");
		ptl_out_char(out, '}');
	}
}

static void put_parting(struct ptl_out *out, const char *key, bool is_there,
			const struct ptl_parting *parting)
{
	ptl_json_key(out, key, false);
	if (!is_there) {
		ptl_out_str(out, "null");
		return;
	}
	ptl_out_char(out, '{');
	ptl_json_key(out, "same", true);
	ptl_out_int(out, (int64_t)parting->at);
	ptl_json_text(out, "process", path_of(either(parting->process)));
	for (int run = 0; run < 2; run++) {
		const struct ptl_process *process = parting->process[run];
		const struct ptl_story_event *event = parting->event[run];

		ptl_json_maybe(out, run == 0 ? "pid_a" : "pid_b",
			       process != NULL ? process->pid : -1);
		ptl_json_text(out, run == 0 ? "a" : "b",
			      event != NULL ? event->what : NULL);
		ptl_json_maybe(out, run == 0 ? "bytes_a" : "bytes_b",
			       event != NULL ? event->bytes : -1);
	}
	ptl_out_char(out, '}');
}

static void put_ended(struct ptl_out *out, const struct ptl_partings *partings)
{
	char exit[16];

	ptl_json_key(out, "ended", false);
	if (partings->ended[0] == NULL) {
		ptl_out_str(out, "null");
		return;
	}
	ptl_out_char(out, '{');
	ptl_json_key(out, "process", true);
	ptl_quote_json(out, path_of(partings->ended[0]),
		       strlen(path_of(partings->ended[0])));
	ptl_json_text(out, "a", ptl_process_exit(partings->ended[0], exit));
	ptl_json_text(out, "b", ptl_process_exit(partings->ended[1], exit));
	ptl_out_char(out, '}');
}

void ptl_diff_story_json(const struct ptl_run *a, const struct ptl_run *b,
			 struct ptl_out *out)
{
	struct ptl_partings partings;
	struct failures failures[2];
	bool is_first = true;

	find_failures(a, b, failures);
	find_partings(a, b, &partings);
	ptl_json_key(out, "failures", false);
	ptl_out_char(out, '[');
	put_failures(out, &failures[1], 1, &is_first);
	put_failures(out, &failures[0], 0, &is_first);
	ptl_out_char(out, ']');
	put_ended(out, &partings);
	put_parting(out, "parting", partings.has_first, &partings.first);
	put_parting(out, "own_parting", partings.has_own, &partings.own);
	free(failures[0].failure);
	free(failures[1].failure);
}
