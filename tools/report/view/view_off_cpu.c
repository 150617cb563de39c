/* SPDX-License-Identifier: MIT */
/* --off-cpu: what kept threads off the processor, where, and how long it took
 * from the wake-up to running. */
#include <stdlib.h>

#include "tools/lib/number.h"
#include "tools/lib/say.h"
#include "tools/report/model/off_cpu.h"
#include "tools/report/show/json.h"
#include "tools/report/show/screen.h"
#include "tools/report/view/report.h"

/* Lines below a row; threads below the table. */
#define FEW 3
#define FEW_THREADS 8

static const struct ptl_column columns[] = {
	{"OFF", "off", PTL_COLUMN_DURATION},
	{"TIMES", "times", PTL_COLUMN_COUNT},
	{"MAX", "max", PTL_COLUMN_DURATION},
	{"WAKE", "wake", PTL_COLUMN_DURATION},
	{"PROGRAM", "program", PTL_COLUMN_TEXT},
	{"WHY", "why", PTL_COLUMN_TEXT},
	{"WHERE", "where", PTL_COLUMN_TEXT},
	{0},
};

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	(void)settings;
	(void)model;
	return ptl_off_cpu_new();
}

static void learn(void *of, const struct ptl_step *step)
{
	ptl_off_cpu_learn(of, step);
}

static void make_rows(void *of, struct ptl_model *model,
		      struct ptl_table *table)
{
	const struct ptl_off_sum *sum = NULL;

	(void)model;
	ptl_off_cpu_end(of);
	while ((sum = ptl_off_cpu_next(of, sum)) != NULL) {
		struct ptl_row *row = ptl_table_row(table, sum);

		row->cell[0] = ptl_cell_number(sum->time);
		row->cell[1] = ptl_cell_number((int64_t)sum->nr);
		row->cell[2] = ptl_cell_number(sum->max);
		if (sum->nr_woken > 0)
			row->cell[3] = ptl_cell_number(sum->wake /
						       (int64_t)sum->nr_woken);
		row->cell[4] = ptl_cell_text(sum->program);
		row->cell[5] = ptl_cell_text(sum->why);
		row->cell[6] = ptl_cell_text(sum->where);
	}
}

static void print_above(void *of, struct ptl_model *model)
{
	const struct ptl_off_all *all = ptl_off_cpu_all(of);
	char time[PTL_NUMBER_SIZE], count[PTL_NUMBER_SIZE];

	(void)model;
	if (all->nr == 0)
		return;
	ptl_line("%s off the processor, in %s times; ",
		 ptl_number_duration(time, all->time),
		 ptl_number_count(count, all->nr));
	ptl_line("for %s of it the thread could run, and no CPU was free",
		 ptl_number_duration(time, all->preempted));
	ptl_line_end();
	ptl_line_words("WAKE is the time from the wake-up until it ran, on "
		       "average, where it is known who woke it");
	if (all->least > 0) {
		ptl_line("Times below %s are not here, but in the sums of the "
			 "threads",
			 ptl_number_duration(time, all->least));
		ptl_line_end();
	}
}

static void print_share(const struct ptl_off_sum *sum, const char *words,
			const struct ptl_off_share *share, size_t column)
{
	char time[PTL_NUMBER_SIZE];

	ptl_line_to(column);
	ptl_line("  %s ", words);
	ptl_line_name(share->name);
	ptl_line("  %s %.0f%%", ptl_number_duration(time, share->time),
		 100 * (double)share->time / (double)sum->time);
	ptl_line_end();
}

/* None of less than 1 %. */
static void print_shares(const struct ptl_off_sum *sum, const char *words,
			 const struct ptl_off_share *share, size_t column)
{
	for (size_t nr = 0; share != NULL && nr < FEW && share->time > 0 &&
			    share->time >= sum->time / 100;
	     share = share->next, nr++)
		print_share(sum, words, share, column);
}

static void print_below(const void *row_of, size_t column)
{
	const struct ptl_off_sum *sum = row_of;

	print_shares(sum, "thread", sum->threads, column);
	print_shares(sum, sum->is_lock ? "held by" : "woken by", sum->wakers,
		     column);
}

static int64_t wall_of(const struct ptl_off_thread *thread)
{
	return ptl_number_add(ptl_number_add(thread->on, thread->off),
			      thread->unknown);
}

/* What samples do not say was in the kernel; by chance there may be one too
 * many. */
static int64_t kernel_of(const struct ptl_off_thread *thread)
{
	int64_t kernel = thread->on - thread->sampled;

	if (thread->sampled < 0)
		return -1;
	return kernel > 0 ? kernel : 0;
}

static void print_thread(const struct ptl_off_thread *thread)
{
	char time[PTL_NUMBER_SIZE];

	ptl_line_name(ptl_off_thread_name(thread));
	ptl_line(": %s = ", ptl_number_duration(time, wall_of(thread)));
	ptl_line("%s on the processor", ptl_number_duration(time, thread->on));
	if (thread->sampled >= 0) {
		ptl_line(" (by samples %s user, ",
			 ptl_number_duration(time, thread->sampled));
		ptl_line("%s kernel)",
			 ptl_number_duration(time, kernel_of(thread)));
	}
	ptl_line(" + %s off", ptl_number_duration(time, thread->off));
	if (thread->preempted > 0)
		ptl_line(" (no CPU free: %s)",
			 ptl_number_duration(time, thread->preempted));
	if (thread->unknown > 0)
		ptl_line(" + %s not known",
			 ptl_number_duration(time, thread->unknown));
	ptl_line_end();
}

static void print_after(void *of, struct ptl_model *model)
{
	size_t nr, i;
	const struct ptl_off_thread *const *thread =
		ptl_off_cpu_threads(of, &nr);
	char count[PTL_NUMBER_SIZE];

	(void)model;
	for (i = 0; i < nr && i < FEW_THREADS; i++)
		print_thread(thread[i]);
	if (i < nr) {
		ptl_line("and %s threads more",
			 ptl_number_count(count, (int64_t)(nr - i)));
		ptl_line_end();
	}
	if (ptl_off_cpu_all(of)->nr_secure > 0) {
		ptl_line("not looked at: ");
		ptl_line_name(ptl_off_cpu_all(of)->secure);
		ptl_line_end_more(ptl_off_cpu_all(of)->nr_secure);
	}
	if (ptl_off_cpu_all(of)->lost > 0) {
		ptl_line_color(PTL_COLOR_YELLOW);
		ptl_line("%s switches were lost: times around then are not "
			 "known",
			 ptl_number_count(count, ptl_off_cpu_all(of)->lost));
		ptl_line_end();
	}
}

static void put_shares(struct ptl_out *out, const char *key,
		       const struct ptl_off_share *share)
{
	const char *before = "{";

	ptl_json_key(out, key, false);
	ptl_out_char(out, '[');
	for (; share != NULL; share = share->next, before = ",{") {
		ptl_out_str(out, before);
		ptl_json_key(out, "time", true);
		ptl_out_int(out, share->time);
		ptl_json_number(out, "times", (int64_t)share->nr);
		ptl_json_text(out, "thread", share->name);
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, ']');
}

static void put_more(struct ptl_out *out, const void *row_of)
{
	const struct ptl_off_sum *sum = row_of;

	ptl_json_number(out, "woken", (int64_t)sum->nr_woken);
	ptl_json_key(out, "preempted", false);
	ptl_out_str(out, sum->is_preempted ? "true" : "false");
	put_shares(out, "threads", sum->threads);
	put_shares(out, sum->is_lock ? "holders" : "wakers", sum->wakers);
}

static void put_thread(struct ptl_out *out, const struct ptl_off_thread *thread)
{
	ptl_json_key(out, "pid", true);
	ptl_out_int(out, thread->process->pid);
	ptl_json_number(out, "tid", thread->tid);
	ptl_json_text(out, "thread", ptl_off_thread_name(thread));
	ptl_json_number(out, "wall", wall_of(thread));
	ptl_json_number(out, "on", thread->on);
	ptl_json_maybe(out, "user", thread->sampled);
	ptl_json_maybe(out, "kernel", kernel_of(thread));
	ptl_json_number(out, "off", thread->off);
	ptl_json_number(out, "times", thread->times);
	ptl_json_number(out, "preempted", thread->preempted);
	ptl_json_number(out, "preempted_times", thread->preempted_times);
	ptl_json_number(out, "short", thread->brief);
	ptl_json_number(out, "short_times", thread->brief_times);
	ptl_json_number(out, "unknown", thread->unknown);
}

static void put_members(void *of, struct ptl_model *model, struct ptl_out *out)
{
	const struct ptl_off_all *all = ptl_off_cpu_all(of);
	size_t nr;
	const struct ptl_off_thread *const *thread =
		ptl_off_cpu_threads(of, &nr);

	(void)model;
	ptl_json_number(out, "off", all->time);
	ptl_json_number(out, "off_times", all->nr);
	ptl_json_number(out, "off_preempted", all->preempted);
	ptl_json_number(out, "least", all->least);
	ptl_json_number(out, "switches_lost", all->lost);
	ptl_json_number(out, "not_looked_at", all->nr_secure);
	ptl_json_key(out, "threads", false);
	ptl_out_char(out, '[');
	for (size_t i = 0; i < nr; i++) {
		ptl_out_str(out, i == 0 ? "{" : ",{");
		put_thread(out, thread[i]);
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, ']');
}

static void end(void *of)
{
	ptl_off_cpu_free(of);
}

const struct ptl_report_view ptl_report_off_cpu = {
	.name = "off-cpu",
	.about = "what kept threads off the processor, and who",
	/* What tells for what threads waited, too. */
	.needs = (const enum ptl_family[]){PTL_FAMILY_SCHED, PTL_FAMILY_THREAD,
					   PTL_FAMILY_SYNC, PTL_FAMILY_IO,
					   PTL_FAMILY_NET, PTL_FAMILY_TIME,
					   PTL_FAMILY_FILE, 0},
	.column = columns,
	.sort = "off",
	.identity = "program why where",
	.begin = begin,
	.event = learn,
	.rows = make_rows,
	.free = end,
	.above = print_above,
	.after = print_after,
	.below = print_below,
	.members = put_members,
	.has_long_members = true,
	.more = put_more,
};
