/* SPDX-License-Identifier: MIT */
/*
 * --ranks: of a parallel program what each rank spent in MPI, how long it
 * waited for others there, and they for it; and how evenly that is spread.
 */
#include <stdio.h>
#include <stdlib.h>

#include "tools/lib/number.h"
#include "tools/lib/say.h"
#include "tools/report/model/clocks.h"
#include "tools/report/model/mpi.h"
#include "tools/report/show/json.h"
#include "tools/report/show/screen.h"
#include "tools/report/view/report.h"

/* Gaps in the ranks of a job that are told. */
#define FEW 8

static const struct ptl_column columns[] = {
	{"RANK", "rank", PTL_COLUMN_COUNT},
	{"WALL", "wall", PTL_COLUMN_DURATION},
	{"IN MPI", "in_mpi", PTL_COLUMN_DURATION},
	{"%", "share", PTL_COLUMN_PERMILLE},
	{"WAITED", "waited", PTL_COLUMN_DURATION},
	{"AWAITED", "awaited", PTL_COLUMN_DURATION},
	{"CALLS", "calls", PTL_COLUMN_COUNT},
	{"HOST", "host", PTL_COLUMN_TEXT},
	{"PROCESS", "process", PTL_COLUMN_TEXT},
	{0},
};

static const struct ptl_column function_columns[] = {
	{"CALLS", "calls", PTL_COLUMN_COUNT},
	{"MIN", "min", PTL_COLUMN_DURATION},
	{"MEAN", "mean", PTL_COLUMN_DURATION},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"BY RANK", "max_rank", PTL_COLUMN_COUNT},
	{"IMBALANCE", "imbalance", PTL_COLUMN_PERMILLE},
	{"TOGETHER", "together", PTL_COLUMN_COUNT},
	{"FUNCTION", "function", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	struct ptl_mpi *mpi = ptl_alloc(sizeof(*mpi));

	(void)settings;
	ptl_mpi_begin(mpi, model);
	return mpi;
}

static void learn(void *of, const struct ptl_step *step)
{
	ptl_mpi_learn(of, step);
}

/* A name, and of which job it is, if there are several. */
static const char *with_job(const struct ptl_mpi *mpi, const char *name,
			    const struct ptl_mpi_job *job)
{
	char text[512];

	if (mpi->jobs.nr < 2)
		return name;
	snprintf(text, sizeof(text), "%s (job %s)", name,
		 job->name != NULL && *job->name != '\0' ? job->name : "?");
	return ptl_intern(text, sizeof(text));
}

static const char *process_of(const struct ptl_mpi *mpi,
			      const struct ptl_mpi_rank *rank)
{
	char text[256];

	snprintf(text, sizeof(text), "%s[%d]",
		 ptl_process_program(rank->process), rank->process->pid);
	return with_job(mpi, ptl_intern(text, sizeof(text)), rank->job);
}

static void make_row(const struct ptl_mpi *mpi, const struct ptl_mpi_rank *rank,
		     bool is_least, struct ptl_row *row)
{
	const struct ptl_process *process = rank->process;
	int64_t wall = process->end - process->begin;

	row->cell[0] = ptl_cell_number(rank->number);
	row->cell[1] = ptl_cell_number(wall);
	row->cell[1].is_least = !ptl_process_is_whole(process);
	row->cell[6] = ptl_cell_number((int64_t)rank->nr);
	row->cell[6].is_least = is_least;
	row->cell[7] = ptl_cell_text(rank->host);
	row->cell[8] = ptl_cell_text(process_of(mpi, rank));
	if (rank->nr == 0)
		return;
	row->cell[2] = ptl_cell_number(rank->in_mpi);
	row->cell[2].is_least = is_least;
	if (wall > 0)
		row->cell[3] = ptl_cell_number(ptl_number_share(
			(double)rank->in_mpi, 1000, (double)wall));
	if (rank->job->met == 0)
		return;
	row->cell[4] = ptl_cell_number(rank->waited);
	row->cell[4].is_least = is_least;
	row->cell[5] = ptl_cell_number(rank->awaited);
	row->cell[5].is_least = is_least;
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	struct ptl_mpi *mpi = of;

	ptl_mpi_find(mpi);
	for (size_t i = 0; i < mpi->nr_ranks; i++)
		make_row(mpi, mpi->rank[i], model->lost > 0,
			 ptl_table_row(table, mpi->rank[i]));
}

/* Ranks that have not called it have spent no time in it. */
static void make_function(const struct ptl_mpi *mpi,
			  const struct ptl_mpi_function *function,
			  struct ptl_row *row)
{
	const struct ptl_mpi_calls *calls = function->calls, *most = calls;
	size_t nr_callers = 0;
	int64_t least = INT64_MAX;
	double sum = 0, mean;

	for (; calls != NULL; calls = calls->next, nr_callers++) {
		sum += (double)calls->total;
		if (calls->total < least)
			least = calls->total;
		if (calls->total > most->total ||
		    (calls->total == most->total &&
		     calls->rank->number < most->rank->number))
			most = calls;
	}
	mean = sum / (double)function->job->nr;
	row->cell[0] = ptl_cell_number((int64_t)function->nr);
	row->cell[1] =
		ptl_cell_number(nr_callers < function->job->nr ? 0 : least);
	row->cell[2] = ptl_cell_number((int64_t)mean);
	row->cell[3] = ptl_cell_number(most->total);
	row->cell[4] = ptl_cell_number(most->rank->number);
	if (mean > 0)
		row->cell[5] = ptl_cell_number(
			(int64_t)(1000 * ((double)most->total / mean - 1)));
	if (function->meets && function->job->is_complete)
		row->cell[6] = ptl_cell_number((int64_t)function->met);
	row->cell[7] =
		ptl_cell_text(with_job(mpi, function->name, function->job));
}

static void make_functions(const struct ptl_mpi *mpi, struct ptl_table *table)
{
	const struct ptl_mpi_function *function = NULL;

	ptl_table_begin(table, function_columns);
	while ((function = ptl_hash_next(&mpi->functions, function)) != NULL)
		make_function(mpi, function, ptl_table_row(table, function));
	ptl_table_sort(table, "max", SIZE_MAX);
}

static void print_above(void *of, struct ptl_model *model)
{
	(void)of;
	(void)model;
	ptl_line_words(
		"WAITED is the time in collective calls until the last rank "
		"came; AWAITED how long all others were there and waited for "
		"this one");
}

static void say_missing(const struct ptl_mpi *mpi,
			const struct ptl_mpi_job *job)
{
	int64_t next = 0, first, last;
	unsigned int nr = 0;
	bool is_several = false;

	while (ptl_mpi_missing(mpi, job, &next, &first, &last)) {
		if (++nr > FEW)
			break;
		ptl_line(nr == 1 ? first == last ? "rank " : "ranks " : ", ");
		ptl_line("%lld", (long long)first);
		if (first < last)
			ptl_line("%s%lld", first + 1 < last ? " to " : ", ",
				 (long long)last);
		is_several |= nr > 1 || first < last;
	}
	if (nr == 0)
		return;
	ptl_line("%s", nr > FEW ? " and others" : "");
	if (job->size > 0)
		ptl_line(" of %lld", (long long)job->size);
	ptl_line(is_several ? " are" : " is");
	ptl_line(" in no log: who was waited for is not known");
	ptl_line_end();
}

static void say_job(const struct ptl_mpi *mpi, const struct ptl_mpi_job *job)
{
	if (mpi->jobs.nr > 1) {
		ptl_line("job ");
		ptl_line_name(with_job(
			mpi, job->launcher != NULL ? job->launcher : "?", job));
		ptl_line(": %zu ranks", job->nr);
		ptl_line_end();
	}
	say_missing(mpi, job);
	if (job->size <= 0) {
		ptl_line_words("how many ranks there are is not known, nor who "
			       "was waited for");
	}
}

static void say_function(const struct ptl_mpi *mpi,
			 const struct ptl_mpi_function *function)
{
	if (!function->meets || !function->job->is_complete ||
	    function->job->nr < 2 ||
	    (!function->is_uneven && !function->is_cut && function->unfit == 0))
		return;
	ptl_line_name(with_job(mpi, function->name, function->job));
	if (function->is_uneven)
		ptl_line(": not all ranks called it equally often, so who was "
			 "waited for there is not known");
	else if (function->unfit > 0)
		ptl_line(": %llu time%s a rank had left before the last "
			 "came: not a call of all ranks, or clocks are apart",
			 (unsigned long long)function->unfit,
			 function->unfit == 1 ? "" : "s");
	else
		ptl_line(": not all of its calls were looked at");
	ptl_line_end();
}

static void say_known_clock(const struct ptl_mpi_clock *clock)
{
	char ahead[PTL_NUMBER_SIZE], error[PTL_NUMBER_SIZE];
	int64_t ns = ptl_mpi_clock_ahead(clock);

	ptl_line(": %s ± %s %s that of ",
		 ptl_number_duration(ahead, ns < 0 ? -ns : ns),
		 ptl_number_duration(error, ptl_mpi_clock_error(clock)),
		 ns < 0 ? "behind" : "ahead of");
}

/* So many ns ahead, at most or at least. */
static void say_bound(int64_t ns, bool is_most)
{
	char bound[PTL_NUMBER_SIZE];

	ptl_line(": messages went one way only, it is at %s %s %s that of ",
		 is_most ? "most" : "least",
		 ptl_number_duration(bound, ns < 0 ? -ns : ns),
		 ns < 0 ? "behind" : "ahead of");
}

static void say_clock(const struct ptl_mpi_clock *clock,
		      const struct ptl_mpi_clock *first)
{
	ptl_line("clock of ");
	ptl_line_name(clock->host);
	if (ptl_mpi_clock_is_known(clock))
		say_known_clock(clock);
	else if (clock->low > clock->high)
		ptl_line(": calls contradict each other, against that of ");
	else if (ptl_mpi_clock_has_high(clock))
		say_bound(clock->high, clock->high >= 0);
	else if (ptl_mpi_clock_has_low(clock))
		say_bound(clock->low, clock->low < 0);
	else
		ptl_line(": nothing tells how far it is from that of ");
	ptl_line_name(first->host);
	if (ptl_mpi_clock_is_known(clock) &&
	    (clock->low > 0 || clock->high < 0))
		ptl_line("; --align corrects it");
	ptl_line_end();
}

static void say_clocks(const struct ptl_mpi *mpi, const struct ptl_model *model)
{
	struct ptl_mpi_clocks clocks;

	ptl_mpi_clocks_find(&clocks, mpi, model->merge);
	for (size_t i = 1; i < clocks.nr; i++)
		say_clock(&clocks.clock[i], &clocks.clock[0]);
	ptl_mpi_clocks_free(&clocks);
}

static void print_after(void *of, struct ptl_model *model)
{
	const struct ptl_mpi *mpi = of;
	const struct ptl_mpi_function *function = NULL;
	const struct ptl_mpi_job *job = NULL;
	struct ptl_table table;

	if (mpi->nr_ranks == 0)
		ptl_line_words("no process has a rank: mpirun, srun and the "
			       "like give them one");
	else if (mpi->functions.nr == 0)
		ptl_line_words("no call of MPI was recorded: ptrace-run "
			       "-r 'libmpi*:MPI_*' records them");
	make_functions(mpi, &table);
	if (table.nr > 0) {
		ptl_line_end();
		ptl_line(
			"time of each rank in a function: the least, the mean, "
			"the most; IMBALANCE is MAX/MEAN - 1");
		ptl_line_end();
		ptl_table_print(&table, NULL);
		ptl_line_end();
	}
	ptl_table_free(&table);
	while ((job = ptl_hash_next(&mpi->jobs, job)) != NULL)
		say_job(mpi, job);
	while ((function = ptl_hash_next(&mpi->functions, function)) != NULL)
		say_function(mpi, function);
	say_clocks(mpi, model);
}

static void put_job(const struct ptl_mpi *mpi, const struct ptl_mpi_job *job,
		    struct ptl_out *out)
{
	int64_t next = 0, first, last;
	bool is_first = true;

	ptl_out_str(out, job->order > 1 ? ",{" : "{");
	ptl_json_key(out, "ranks", true);
	ptl_out_uint(out, job->nr);
	ptl_json_maybe(out, "size", job->size);
	ptl_json_text(out, "launcher", job->launcher);
	ptl_json_text(out, "job", job->name);
	ptl_json_number(out, "together", (int64_t)job->met);
	ptl_json_key(out, "missing", false);
	ptl_out_char(out, '[');
	while (ptl_mpi_missing(mpi, job, &next, &first, &last)) {
		ptl_out_str(out, is_first ? "[" : ",[");
		ptl_out_int(out, first);
		ptl_out_char(out, ',');
		ptl_out_int(out, last);
		ptl_out_char(out, ']');
		is_first = false;
	}
	ptl_out_str(out, "]}");
}

static void put_function(struct ptl_out *out, const void *row_of)
{
	const struct ptl_mpi_function *function = row_of;

	ptl_json_text(out, "job", function->job->name);
	ptl_json_number(out, "uneven", function->is_uneven);
	ptl_json_number(out, "unfit", (int64_t)function->unfit);
	ptl_json_number(out, "not_all_seen", function->is_cut);
}

static void put_clocks(const struct ptl_mpi *mpi, const struct ptl_model *model,
		       struct ptl_out *out)
{
	struct ptl_mpi_clocks clocks;

	ptl_mpi_clocks_find(&clocks, mpi, model->merge);
	ptl_json_key(out, "clocks", false);
	ptl_out_char(out, '[');
	for (size_t i = 1; i < clocks.nr; i++) {
		const struct ptl_mpi_clock *clock = &clocks.clock[i];

		ptl_out_str(out, i > 1 ? ",{" : "{");
		ptl_json_key(out, "calls", true);
		ptl_out_uint(out, clock->nr);
		ptl_json_number(out, "messages", (int64_t)clock->messages);
		ptl_json_text(out, "host", clock->host);
		ptl_json_text(out, "against", clocks.clock[0].host);
		if (ptl_mpi_clock_has_low(clock))
			ptl_json_number(out, "low", clock->low);
		if (ptl_mpi_clock_has_high(clock))
			ptl_json_number(out, "high", clock->high);
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, ']');
	ptl_mpi_clocks_free(&clocks);
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	const struct ptl_mpi *mpi = of;
	const struct ptl_mpi_job *job = NULL;
	struct ptl_table table;

	put_clocks(mpi, model, out);
	ptl_json_key(out, "jobs", false);
	ptl_out_char(out, '[');
	while ((job = ptl_hash_next(&mpi->jobs, job)) != NULL)
		put_job(mpi, job, out);
	ptl_out_char(out, ']');
	make_functions(mpi, &table);
	ptl_json_key(out, "functions", false);
	ptl_json_table(out, &table, put_function);
	ptl_table_free(&table);
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct ptl_mpi_rank *rank = row_of;

	ptl_json_text(out, "job", rank->job->name);
	ptl_json_number(out, "pid", rank->process->pid);
	ptl_json_text(out, "program", ptl_process_program(rank->process));
}

/* A rank is compared with that of the same number. */
static const char *identify(const void *row_of)
{
	const struct ptl_mpi_rank *rank = row_of;
	char text[32];

	snprintf(text, sizeof(text), "rank %d", rank->number);
	return ptl_intern(text, sizeof(text));
}

static void end(void *of)
{
	ptl_mpi_free(of);
	free(of);
}

const struct ptl_report_view ptl_report_ranks = {
	.name = "ranks",
	.about = "ranks of a parallel program: time in MPI, who was waited for",
	.needs = (const enum ptl_family[]){0},
	.column = columns,
	.sort = "awaited",
	.identify = identify,
	.compared = "in_mpi",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.after = print_after,
	.members = put_members,
	.has_long_members = true,
	.more = put_more,
};
