/* SPDX-License-Identifier: MIT */
/* What all events together tell; see facts.h. */
#include "tools/sql/facts.h"

#include <stdlib.h>

#include "tools/lib/say.h"

struct ptl_sql_facts *ptl_sql_facts_new(struct ptl_model *model,
					const struct ptl_sql_row *row,
					bool wants_waits)
{
	struct ptl_sql_facts *facts = ptl_alloc(sizeof(*facts));

	facts->model = model;
	facts->row = row;
	facts->uses.value_size = sizeof(struct ptl_sql_file);
	facts->sums.value_size = sizeof(struct ptl_sql_file);
	facts->locks = ptl_locks_new();
	if (wants_waits)
		facts->strands = ptl_strands_new();
	return facts;
}

void ptl_sql_facts_free(struct ptl_sql_facts *facts)
{
	ptl_hash_clear(&facts->uses);
	ptl_hash_clear(&facts->sums);
	ptl_locks_free(facts->locks);
	if (facts->strands != NULL)
		ptl_strands_free(facts->strands);
	free(facts->thread);
	free(facts->process);
	free(facts->image);
	free(facts->file);
	free(facts->lock);
	free(facts->wait);
	free(facts);
}

/* Threads are numbered in the order of their first events, or of what is told
 * of them. */
static struct ptl_sql_thread *get_thread(struct ptl_sql_facts *facts,
					 const struct ptl_thread *thread)
{
	struct ptl_sql_thread *row;

	while (facts->nr_threads < thread->life) {
		facts->thread =
			ptl_grow(facts->thread, facts->nr_threads,
				 &facts->threads_room, sizeof(*facts->thread));
		facts->thread[facts->nr_threads++] =
			(struct ptl_sql_thread){.begin = -1};
	}
	row = &facts->thread[thread->life - 1];
	row->life = thread->life;
	row->process = thread->process;
	row->tid = thread->tid;
	if (thread->name != NULL)
		row->name = thread->name;
	return row;
}

static void learn_thread(struct ptl_sql_facts *facts,
			 const struct ptl_step *step)
{
	struct ptl_sql_thread *row;

	if (step->named != NULL)
		get_thread(facts, step->named);
	if (step->thread == NULL)
		return;
	row = get_thread(facts, step->thread);
	row->log = facts->row->log;
	if (row->events++ == 0)
		row->begin = step->now;
	row->end = step->now;
	if (step->duration > 0)
		row->end += step->duration;
}

static void add(struct ptl_sql_file *sum, const struct ptl_sql_file *more)
{
	sum->opens += more->opens;
	sum->failed += more->failed;
	sum->read += more->read;
	sum->written += more->written;
	sum->time += more->time;
}

static void learn_file(struct ptl_sql_facts *facts, const struct ptl_step *step,
		       const struct ptl_file_use *use)
{
	const struct ptl_sql_file more = {
		.opens = use->is_open,
		.failed = step->error != NULL,
		.read = use->is_read ? use->bytes : 0,
		.written = use->is_write ? use->bytes : 0,
		.time = step->duration > 0 ? step->duration : 0,
	};

	if (use->file != NULL)
		add(ptl_hash_get(&facts->uses, &use->file, sizeof(use->file)),
		    &more);
}

void ptl_sql_facts_learn(struct ptl_sql_facts *facts,
			 const struct ptl_step *step)
{
	const struct ptl_sql_row *row = facts->row;

	learn_thread(facts, step);
	if (step->process == NULL)
		return;
	for (unsigned int i = 0; i < row->nr_uses; i++)
		learn_file(facts, step, &row->use[i]);
	ptl_locks_learn(facts->locks, step);
	if (facts->strands != NULL)
		ptl_strands_learn(facts->strands, step);
}

/* Without the controller, of which there are marks. */
static void list_processes(struct ptl_sql_facts *facts)
{
	const struct ptl_processes *processes = facts->model->processes;
	const struct ptl_process *process =
		ptl_processes_first_traced(processes);

	facts->process = ptl_alloc(ptl_processes_nr(processes) *
				   sizeof(*facts->process));
	for (; process != NULL; process = ptl_process_next_traced(process)) {
		const struct ptl_program *program = process->image;

		facts->process[facts->nr_processes++] = process;
		for (; program != NULL; program = program->next) {
			facts->image = ptl_grow(facts->image, facts->nr_images,
						&facts->images_room,
						sizeof(*facts->image));
			facts->image[facts->nr_images++] =
				(struct ptl_sql_image){process, program};
		}
	}
}

static void list_files(struct ptl_sql_facts *facts)
{
	const struct ptl_sql_file *use = NULL, *sum = NULL;

	while ((use = ptl_hash_next(&facts->uses, use)) != NULL) {
		const struct ptl_file *const *key =
			ptl_hash_key(&facts->uses, use);
		const struct ptl_file *file = ptl_file_same(*key);
		struct ptl_sql_file *to =
			ptl_hash_get(&facts->sums, &file, sizeof(file));

		to->file = file;
		add(to, use);
	}
	facts->file = ptl_alloc(facts->sums.nr * sizeof(*facts->file));
	while ((sum = ptl_hash_next(&facts->sums, sum)) != NULL)
		facts->file[facts->nr_files++] = sum;
}

static void list_locks(struct ptl_sql_facts *facts)
{
	const struct ptl_seen_lock *lock = NULL;

	ptl_locks_end(facts->locks);
	while ((lock = ptl_locks_next(facts->locks, lock)) != NULL) {
		facts->lock =
			ptl_grow(facts->lock, facts->nr_locks,
				 &facts->locks_room, sizeof(*facts->lock));
		facts->lock[facts->nr_locks++] = lock;
	}
}

/* By their beginnings. */
static int compare_waits(const void *left, const void *right)
{
	const struct ptl_wait *a = *(const struct ptl_wait *const *)left;
	const struct ptl_wait *b = *(const struct ptl_wait *const *)right;

	if (a->begin != b->begin)
		return a->begin > b->begin ? 1 : -1;
	return (a->strand->life > b->strand->life) -
	       (a->strand->life < b->strand->life);
}

static void list_waits(struct ptl_sql_facts *facts)
{
	const struct ptl_strand *strand = NULL;

	ptl_strands_end(facts->strands);
	while ((strand = ptl_strands_next(facts->strands, strand)) != NULL)
		for (size_t i = 0; i < strand->nr; i++) {
			facts->wait = ptl_grow(facts->wait, facts->nr_waits,
					       &facts->waits_room,
					       sizeof(*facts->wait));
			facts->wait[facts->nr_waits++] = strand->wait[i];
		}
	if (facts->nr_waits > 0)
		qsort(facts->wait, facts->nr_waits, sizeof(*facts->wait),
		      compare_waits);
}

void ptl_sql_facts_end(struct ptl_sql_facts *facts)
{
	ptl_model_end(facts->model);
	list_processes(facts);
	list_files(facts);
	list_locks(facts);
	if (facts->strands != NULL)
		list_waits(facts);
}
