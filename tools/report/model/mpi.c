/* SPDX-License-Identifier: MIT */
/* Ranks and their calls of MPI; see mpi.h. */
#include "tools/report/model/mpi.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "tools/lib/say.h"

/* So many calls are kept of all functions that meet. */
#define MOST_KEPT 4000000

/* MPI_Barrier, PMPI_Barrier; mpi_barrier_ of Fortran: what is behind MPI_, or
 * NULL. */
static const char *name_in_mpi(const char *name)
{
	if (name == NULL)
		return NULL;
	name += *name == 'P' || *name == 'p';
	return strncasecmp(name, "MPI_", 4) == 0 ? name + 4 : NULL;
}

/* Of these everybody needs something of all others.  A root of MPI_Bcast may
 * leave at once, and so may all but the root of MPI_Reduce. */
static bool is_meeting(const char *name)
{
	static const char *const meetings[] = {
		"Barrier",	  "Allreduce",
		"Allgather",	  "Allgatherv",
		"Alltoall",	  "Alltoallv",
		"Alltoallw",	  "Reduce_scatter_block",
		"Reduce_scatter",
	};

	name = name_in_mpi(name);
	for (size_t i = 0; i < sizeof(meetings) / sizeof(*meetings); i++) {
		size_t size = strlen(meetings[i]);

		if (strncasecmp(name, meetings[i], size) == 0 &&
		    (name[size] == '\0' || name[size] == '_') &&
		    name[size + strspn(name + size, "_f08")] == '\0')
			return true;
	}
	return false;
}

static struct ptl_mpi_job *get_job(struct ptl_mpi *mpi, const char *launcher,
				   const char *name)
{
	const char *key[] = {launcher, name};
	struct ptl_mpi_job *job = ptl_hash_get(&mpi->jobs, key, sizeof(key));

	if (job->order == 0)
		job->order = mpi->jobs.nr;
	job->launcher = launcher;
	job->name = name;
	return job;
}

static struct ptl_mpi_rank *get_rank(struct ptl_mpi *mpi,
				     struct ptl_mpi_job *job,
				     const struct ptl_step *step)
{
	struct {
		struct ptl_mpi_job *job;
		size_t number;
	} key = {job, (size_t)step->process->rank};
	struct ptl_mpi_rank *rank =
		ptl_hash_get(&mpi->ranks, &key, sizeof(key));

	if (rank->job == NULL) {
		const char *host = step->view->source->host_name;

		rank->job = job;
		rank->number = step->process->rank;
		rank->process = step->process;
		rank->log = (size_t)(step->view->source -
				     step->model->merge->source);
		rank->host = ptl_intern(host, strlen(host) + 1);
	}
	if (job->size <= 0)
		job->size = step->process->nr_ranks > 0 ?
				    step->process->nr_ranks :
				    -1;
	return rank;
}

static void set_member(struct ptl_mpi *mpi, const struct ptl_process *process,
		       struct ptl_mpi_rank *rank)
{
	*(struct ptl_mpi_rank **)ptl_hash_get(&mpi->members, &process,
					      sizeof(process)) = rank;
}

/* What the process or, before it has said so itself, its parent has said. */
static struct ptl_mpi_rank *rank_of(struct ptl_mpi *mpi,
				    const struct ptl_step *step)
{
	const struct ptl_process *process = step->process;
	struct ptl_mpi_rank **found, *rank;

	for (; process != NULL; process = process->parent) {
		found = ptl_hash_find(&mpi->members, &process, sizeof(process));
		if (found != NULL)
			break;
	}
	rank = process != NULL ? *found :
				 get_rank(mpi, get_job(mpi, NULL, NULL), step);
	if (process != step->process)
		set_member(mpi, step->process, rank);
	return rank;
}

/* A call that goes on, which is its rank's of that number. */
struct ptl_mpi_open {
	struct ptl_mpi_open *next; /* that is not used */
	struct ptl_mpi_calls *calls;
	size_t number;
	struct ptl_mpi_channel *received; /* the message is its; or NULL */
	size_t message;			  /* of that number */
};

static struct ptl_mpi_open *open_call(struct ptl_mpi *mpi,
				      struct ptl_mpi_calls *calls,
				      struct ptl_mpi_channel *received)
{
	struct ptl_mpi_open *open = mpi->unused;

	if (open != NULL)
		mpi->unused = open->next;
	else
		open = ptl_alloc(sizeof(*open));
	open->calls = calls;
	open->number = calls->nr_kept;
	open->received = received;
	open->message = received != NULL ? received->nr_received - 1 : 0;
	return open;
}

static const char *callee_of(const struct ptl_step *step)
{
	const char *name = ptl_step_string(step, "function");
	uint64_t callee = (uint64_t)ptl_step_number(step, "callee", 0);

	if (name == NULL && callee != 0)
		name = ptl_model_site_at(step, callee)->name;
	return name_in_mpi(name) != NULL ? name : NULL;
}

static struct ptl_mpi_calls *
get_calls(struct ptl_mpi *mpi, const struct ptl_step *step, const char *name)
{
	struct ptl_mpi_rank *rank = rank_of(mpi, step);
	const void *key[] = {rank->job, name};
	struct ptl_mpi_function *function =
		ptl_hash_get(&mpi->functions, key, sizeof(key));
	const void *of[] = {rank, function};
	struct ptl_mpi_calls *calls = ptl_hash_get(&mpi->calls, of, sizeof(of));

	if (function->name == NULL) {
		function->job = rank->job;
		function->name = name;
		function->meets = is_meeting(name);
	}
	if (calls->function == NULL) {
		calls->function = function;
		calls->rank = rank;
		calls->next = function->calls;
		function->calls = calls;
	}
	if (rank->nr == 0)
		rank->process = step->process;
	return calls;
}

static void count(struct ptl_mpi_calls *calls, uint64_t nr)
{
	calls->nr += nr;
	calls->function->nr += nr;
	calls->rank->nr += nr;
}

static void add_time(struct ptl_mpi_calls *calls, int64_t time)
{
	if (time < 0 || time > INT64_MAX - calls->rank->in_mpi)
		return;
	calls->total += time;
	calls->rank->in_mpi += time;
}

static void keep(struct ptl_mpi *mpi, struct ptl_mpi_calls *calls,
		 uint64_t begin)
{
	if (!calls->function->meets)
		return;
	if (mpi->nr_kept >= MOST_KEPT) {
		calls->function->is_cut = true;
		return;
	}
	mpi->nr_kept++;
	calls->call = ptl_grow(calls->call, calls->nr_kept, &calls->room,
			       sizeof(*calls->call));
	calls->call[calls->nr_kept++] = (struct ptl_mpi_call){begin, -1};
}

/* Some of MPI's functions are made of others. */
static bool is_inside(const struct ptl_mpi *mpi, const struct ptl_step *step)
{
	const struct ptl_call *call = step->moment.outer;

	for (; call != NULL; call = ptl_calls_outer(step->moment.thread, call))
		if (call->of[mpi->user.number] != NULL)
			return true;
	return false;
}

static void add_call(struct ptl_mpi *mpi, const struct ptl_step *step)
{
	struct ptl_call *call = step->moment.call;
	const char *name = callee_of(step);
	struct ptl_mpi_channel *received;
	struct ptl_mpi_calls *calls;

	if (name == NULL || is_inside(mpi, step))
		return;
	calls = get_calls(mpi, step, name);
	count(calls, 1);
	received = ptl_mpi_messages_call(mpi, step, calls->rank,
					 name_in_mpi(name));
	if (call == NULL) {
		calls->function->is_cut = true;
		return;
	}
	call->of[mpi->user.number] = open_call(mpi, calls, received);
	keep(mpi, calls, call->begin);
}

/* The message was there at last. */
static void end_message(const struct ptl_mpi_open *open, uint64_t at)
{
	struct ptl_mpi_call *message;

	if (open->received == NULL ||
	    open->message >= open->received->nr_received)
		return;
	message = &open->received->received[open->message];
	message->took =
		at > message->begin ? (int64_t)(at - message->begin) : 0;
}

static void leave_call(void *of, struct ptl_thread *thread,
		       struct ptl_call *call, struct ptl_call *outer,
		       uint64_t at, enum ptl_call_end how)
{
	struct ptl_mpi *mpi = of;
	struct ptl_mpi_open *open = call->of[mpi->user.number];
	struct ptl_mpi_call *kept;

	(void)thread;
	(void)outer;
	if (open == NULL)
		return;
	open->next = mpi->unused;
	mpi->unused = open;
	if (how == PTL_CALL_LEFT)
		return;
	end_message(open, at);
	add_time(open->calls,
		 at > call->begin ? (int64_t)(at - call->begin) : 0);
	if (open->number >= open->calls->nr_kept)
		return;
	/* The begin is known better by now; those of all are as they came. */
	kept = &open->calls->call[open->number];
	kept->took = at > kept->begin ? (int64_t)(at - kept->begin) : 0;
}

static void add_summary(struct ptl_mpi *mpi, const struct ptl_step *step)
{
	int64_t nr = ptl_step_number(step, "calls", 0);
	const char *name = callee_of(step);
	struct ptl_mpi_calls *calls;

	if (name == NULL || nr <= 0)
		return;
	calls = get_calls(mpi, step, name);
	calls->function->is_cut = true;
	count(calls, (uint64_t)nr);
	add_time(calls, ptl_step_number(step, "total", -1));
}

void ptl_mpi_begin(struct ptl_mpi *mpi, struct ptl_model *model)
{
	mpi->jobs.value_size = sizeof(struct ptl_mpi_job);
	mpi->ranks.value_size = sizeof(struct ptl_mpi_rank);
	mpi->functions.value_size = sizeof(struct ptl_mpi_function);
	mpi->calls.value_size = sizeof(struct ptl_mpi_calls);
	ptl_mpi_messages_begin(mpi);
	mpi->members.value_size = sizeof(struct ptl_mpi_rank *);
	mpi->user = (struct ptl_calls_user){.leave = leave_call, .of = mpi};
	ptl_calls_add_user(model->calls, &mpi->user);
}

void ptl_mpi_learn(struct ptl_mpi *mpi, const struct ptl_step *step)
{
	if (step->process == NULL || step->process->rank < 0)
		return;
	if (step->kind->act == PTL_ACT_RANK)
		set_member(
			mpi, step->process,
			get_rank(mpi,
				 get_job(mpi, ptl_step_string(step, "launcher"),
					 ptl_step_string(step, "job")),
				 step));
	else if (step->kind->act == PTL_ACT_SUMMARY)
		add_summary(mpi, step);
	else if (ptl_act_enters(step->kind->act))
		add_call(mpi, step);
}

void ptl_mpi_free(struct ptl_mpi *mpi)
{
	struct ptl_mpi_calls *calls = NULL;

	while ((calls = ptl_hash_next(&mpi->calls, calls)) != NULL)
		free(calls->call);
	while (mpi->unused != NULL) {
		struct ptl_mpi_open *open = mpi->unused;

		mpi->unused = open->next;
		free(open);
	}
	ptl_mpi_messages_free(mpi);
	ptl_hash_clear(&mpi->jobs);
	ptl_hash_clear(&mpi->ranks);
	ptl_hash_clear(&mpi->functions);
	ptl_hash_clear(&mpi->calls);
	ptl_hash_clear(&mpi->members);
	free(mpi->rank);
}
