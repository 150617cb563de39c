/* SPDX-License-Identifier: MIT */
/*
 * --memory: what programs allocate: each process with its peak and what it did
 * not free, then by place, with the call stack if there is one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/say.h"
#include "tools/model/heaps.h"
#include "tools/report/show/json.h"
#include "tools/lib/number.h"
#include "tools/report/view/report.h"
#include "tools/report/show/screen.h"
#include "tools/symbolize/symbols.h"

/* Processes in text. */
#define FEW 5

/* A place in a program, in all processes that run it. */
struct place {
	const struct ptl_label *program;
	const struct ptl_site *const *frame;
	size_t nr_frames;
	uint64_t nr, nr_temporary, leaked_blocks;
	int64_t bytes, peak, leaked;
	bool is_unfreed; /* what is freed is not seen */
};

/* Of the functions that --allocator has named, which a process has. */
struct own_allocator {
	bool allocates, frees, lacks_free;
};

/* A program of a process, by what was mapped first. */
struct mapped_program {
	const struct ptl_process *process;
	const struct ptl_label *program;
	struct ptl_symfile *file;
};

struct state {
	struct ptl_heaps *heaps;
	struct ptl_hash places;
	struct ptl_hash programs; /* by process, and image */
	struct ptl_hash own;	  /* struct own_allocator by process */
};

static const struct ptl_column columns[] = {
	{"ALLOCS", "allocs", PTL_COLUMN_COUNT},
	{"TEMP", "temp", PTL_COLUMN_COUNT},
	{"PEAK", "peak", PTL_COLUMN_BYTES},
	{"LEAKED", "leaked", PTL_COLUMN_BYTES},
	{"BLOCKS", "blocks", PTL_COLUMN_COUNT},
	{"TOTAL", "total", PTL_COLUMN_BYTES},
	{"PROGRAM", "program", PTL_COLUMN_TEXT},
	{"ALLOCATED AT", "site", PTL_COLUMN_TEXT},
	{0},
};

static const struct ptl_column heap_columns[] = {
	{"PEAK", "peak", PTL_COLUMN_BYTES},
	{"AT(s)", "peak_at", PTL_COLUMN_TIME},
	{"ALLOCS", "allocs", PTL_COLUMN_COUNT},
	{"LEAKED", "leaked", PTL_COLUMN_BYTES},
	{"BLOCKS", "blocks", PTL_COLUMN_COUNT},
	{"PROCESS  (LEAKED: not freed at its end)", "process", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct state *state = ptl_alloc(sizeof(*state));

	(void)settings;
	(void)model;
	state->heaps = ptl_heaps_new();
	state->places.value_size = sizeof(struct place);
	state->programs.value_size = sizeof(struct mapped_program);
	state->own.value_size = sizeof(struct own_allocator);
	return state;
}

/* The program is the first that its loader tells of. */
static void learn_program(struct state *state, const struct ptl_step *step)
{
	const void *key[] = {step->process,
			     (void *)(uintptr_t)step->process->nr_images};
	struct mapped_program *program =
		ptl_hash_get(&state->programs, key, sizeof(key));
	const struct ptl_args *args = &step->view->args;
	const struct ptl_arg *path = ptl_decode_find(args, "path");
	const struct ptl_arg *id = ptl_decode_find(args, "build_id");
	const struct ptl_arg *size = ptl_decode_find(args, "size");

	program->program = step->process->label;
	if (program->process == NULL && path != NULL && id != NULL &&
	    size != NULL)
		program->file =
			ptl_symfile_get(path->bytes, path->size, id->bytes,
					id->size, (uint64_t)size->value);
	program->process = step->process;
}

/* By ROLE=NAME, as --allocator takes it, which fits so many functions. */
static void learn_hooks(struct state *state, const struct ptl_step *step)
{
	const char *glob = ptl_step_string(step, "glob");
	size_t size = glob != NULL ? strcspn(glob, "/=") : 0;
	bool is_there = ptl_step_number(step, "slots", 0) > 0, is_free;
	struct own_allocator *own;

	if (glob == NULL || strchr(glob, '=') == NULL)
		return;
	own = ptl_hash_get(&state->own, &step->process, sizeof(void *));
	is_free = size == 4 && strncmp(glob, "free", size) == 0;
	own->frees |= is_free && is_there;
	own->allocates |= !is_free && is_there;
	own->lacks_free |= is_free && !is_there;
}

static bool is_unfreed(const struct state *state, const struct ptl_heap *heap)
{
	const struct own_allocator *own = ptl_hash_find(
		&state->own, &heap->process, sizeof(heap->process));

	return own != NULL && own->allocates && own->lacks_free && !own->frees;
}

static void learn(void *of, const struct ptl_step *step)
{
	struct state *state = of;

	if (step->kind->act == PTL_ACT_MAP && step->process != NULL)
		learn_program(state, step);
	if (step->kind->act == PTL_ACT_HOOKS && step->process != NULL)
		learn_hooks(state, step);
	ptl_heaps_learn(state->heaps, step, NULL);
}

static bool has_heap(const struct state *state,
		     const struct mapped_program *program)
{
	const struct ptl_heap *heap = NULL;

	while ((heap = ptl_heaps_next(state->heaps, heap)) != NULL)
		if (heap->process == program->process &&
		    heap->program == program->program)
			return true;
	return false;
}

static void print_unfreed(const struct state *state)
{
	const struct ptl_heap *heap = NULL;
	struct ptl_hash told = {.value_size = 1};
	char line[512];

	while ((heap = ptl_heaps_next(state->heaps, heap)) != NULL) {
		const char *name = ptl_label_name(heap->program);
		char *is_told = ptl_hash_get(&told, name, strlen(name) + 1);

		if (*is_told || !is_unfreed(state, heap))
			continue;
		*is_told = 1;
		snprintf(line, sizeof(line),
			 "what %.200s frees is not seen: none of the functions "
			 "that --allocator says do it could be traced, which "
			 "ptrace-dump -n 'call:*hook*' tells more of; so its "
			 "PEAK is too large, and what leaked is not known",
			 name);
		ptl_line_words(line);
		ptl_line_end();
	}
	ptl_hash_clear(&told);
}

/* Why is there nothing of a program that surely allocates? */
static void print_unseen(void *of, struct ptl_model *model)
{
	const struct mapped_program *program = NULL;
	const struct state *state = of;
	struct ptl_hash told = {.value_size = 1};
	char line[512];

	while (!ptl_model_lacks(model, PTL_FAMILY_MEM) &&
	       (program = ptl_hash_next(&state->programs, program)) != NULL) {
		const char *name = ptl_label_name(program->program);
		char *is_told = ptl_hash_get(&told, name, strlen(name) + 1);

		if (*is_told || program->file == NULL ||
		    has_heap(state, program) ||
		    !ptl_symfile_defines(program->file, "malloc"))
			continue;
		*is_told = 1;
		snprintf(line, sizeof(line),
			 "%.200s has a malloc of its own, which is not seen "
			 "here; ptrace-run --allocator malloc,calloc,realloc,"
			 "free records its calls",
			 name);
		ptl_line_words(line);
		ptl_line_end();
	}
	ptl_hash_clear(&told);
	print_unfreed(state);
}

/* At the peaks of several processes, the largest. */
static void add_site(struct state *state, const struct ptl_heap_site *site)
{
	const struct ptl_label *program = ptl_label_same(site->heap->program);
	const void *key[] = {program, site->frame};
	struct place *place = ptl_hash_get(&state->places, key, sizeof(key));

	place->program = program;
	place->frame = site->frame;
	place->nr_frames = site->nr_frames;
	place->nr += site->nr;
	place->nr_temporary += site->nr_temporary;
	place->bytes += site->bytes;
	if (site->at_peak > place->peak)
		place->peak = site->at_peak;
	place->is_unfreed |= is_unfreed(state, site->heap);
	if (site->heap->is_replaced)
		return;
	place->leaked += site->live;
	place->leaked_blocks += site->live_blocks;
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct state *state = of;
	const struct ptl_heap_site *site = NULL;
	const struct place *place = NULL;

	ptl_heaps_end(state->heaps);
	while ((site = ptl_heaps_next_site(state->heaps, site)) != NULL)
		add_site(state, site);
	while ((place = ptl_hash_next(&state->places, place)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, place);

		row->cell[0] = ptl_cell_number((int64_t)place->nr);
		row->cell[0].is_least = model->lost > 0;
		row->cell[1] = ptl_cell_number((int64_t)place->nr_temporary);
		row->cell[2] = ptl_cell_number(place->peak);
		/* What frees it may be lost. */
		if (model->lost == 0 && !place->is_unfreed) {
			row->cell[3] = ptl_cell_number(place->leaked);
			row->cell[4] =
				ptl_cell_number((int64_t)place->leaked_blocks);
		}
		row->cell[5] = ptl_cell_number(place->bytes);
		row->cell[6] = ptl_cell_text(ptl_label_name(place->program));
		row->cell[7] = ptl_cell_text(place->frame[0]->name);
	}
}

static void find_heaps(const struct state *state, const struct ptl_model *model,
		       struct ptl_table *table, size_t top)
{
	const struct ptl_heap *heap = NULL;
	char name[512];

	ptl_table_begin(table, heap_columns);
	table->all_by = "--json";
	while ((heap = ptl_heaps_next(state->heaps, heap)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, heap);

		row->cell[0] = ptl_cell_number(heap->peak);
		row->cell[1] = ptl_cell_number(heap->peak_at);
		row->cell[2] = ptl_cell_number((int64_t)heap->nr);
		if (model->lost == 0 && !is_unfreed(state, heap)) {
			row->cell[3] = ptl_cell_number(
				heap->is_replaced ? 0 : heap->live);
			row->cell[4] = ptl_cell_number(
				heap->is_replaced ? 0 :
						    (int64_t)heap->blocks.nr);
		}
		snprintf(name, sizeof(name), "%.400s[%d]%s",
			 ptl_label_name(heap->program), heap->process->pid,
			 heap->is_replaced	 ? " (until exec)" :
			 heap->process->is_ended ? "" :
						   " (still running)");
		row->cell[5] = ptl_cell_text(ptl_intern(name, sizeof(name)));
	}
	ptl_table_sort(table, "peak", top);
}

static void print_above(void *of, struct ptl_model *model)
{
	struct ptl_table table;

	ptl_line_words(
		"requested bytes, without malloc's own; TEMP: freed by the "
		"thread's next call; PEAK: when the process had most");
	find_heaps(of, model, &table, FEW);
	if (table.nr > 0) {
		ptl_line_end();
		ptl_table_print(&table, NULL);
	}
	ptl_table_free(&table);
}

static void print_stack(const void *row_of, size_t column)
{
	const struct place *place = row_of;

	for (size_t i = 1; i < place->nr_frames; i++) {
		ptl_line_to(column);
		ptl_line("  ← ");
		ptl_line_name(place->frame[i]->name);
		ptl_line_end();
	}
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct place *place = row_of;

	ptl_json_key(out, "stack", false);
	for (size_t i = 0; i < place->nr_frames; i++) {
		ptl_out_char(out, i == 0 ? '[' : ',');
		ptl_quote_json(out, place->frame[i]->name,
			       strlen(place->frame[i]->name));
	}
	ptl_out_char(out, ']');
}

static void put_heap(struct ptl_out *out, const void *row_of)
{
	const struct ptl_heap *heap = row_of;

	ptl_json_number(out, "pid", heap->process->pid);
	ptl_json_text(out, "program", ptl_label_name(heap->program));
	ptl_json_number(out, "freed", (int64_t)heap->nr_freed);
	ptl_json_number(out, "foreign", (int64_t)heap->nr_foreign);
	ptl_json_number(out, "failed", (int64_t)heap->nr_failed);
	ptl_json_key(out, "is_replaced", false);
	ptl_out_str(out, heap->is_replaced ? "true" : "false");
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	struct ptl_table table;

	find_heaps(of, model, &table, SIZE_MAX);
	ptl_json_key(out, "heaps", false);
	ptl_json_table(out, &table, put_heap);
	ptl_table_free(&table);
}

static void end(void *of)
{
	struct state *state = of;

	ptl_heaps_free(state->heaps);
	ptl_hash_clear(&state->places);
	ptl_hash_clear(&state->programs);
	ptl_hash_clear(&state->own);
	free(state);
}

const struct ptl_heaps *ptl_report_heaps(const void *of)
{
	return ((const struct state *)of)->heaps;
}

const struct ptl_report_view ptl_report_memory = {
	.name = "memory",
	.about = "what is allocated where, at most and not freed",
	.needs = (const enum ptl_family[]){PTL_FAMILY_MEM, 0},
	.column = columns,
	.sort = "peak",
	.identity = "program site",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.after = print_unseen,
	.below = print_stack,
	.members = put_members,
	.more = put_more,
};
