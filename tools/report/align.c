/* SPDX-License-Identifier: MIT */
/* Clocks of hosts, corrected; see align.h. */
#include "tools/report/align.h"

#include "tools/lib/number.h"
#include "tools/lib/say.h"
#include "tools/report/model/clocks.h"

static void read_once(struct ptl_mpi *mpi, struct ptl_merge *merge,
		      struct ptl_model *model)
{
	struct ptl_filter all = {0};
	struct ptl_source *source;
	struct ptl_step step;

	ptl_model_begin(model, merge, true);
	ptl_mpi_begin(mpi, model);
	while ((source = ptl_merge_next(merge)) != NULL)
		if (ptl_model_event(model, source, &all, &step))
			ptl_mpi_learn(mpi, &step);
	ptl_model_end(model);
	ptl_mpi_find(mpi);
}

static void say_known(const struct ptl_mpi_clock *clock,
		      const struct ptl_mpi_clock *first)
{
	char ahead[PTL_NUMBER_SIZE], error[PTL_NUMBER_SIZE];
	int64_t ns = ptl_mpi_clock_ahead(clock);

	ptl_say("--align: the clock of %s was %s %s that of %s, to within %s "
		"(%llu calls of all ranks, %llu messages)",
		clock->host, ptl_number_duration(ahead, ns < 0 ? -ns : ns),
		ns < 0 ? "behind" : "ahead of", first->host,
		ptl_number_duration(error, ptl_mpi_clock_error(clock)),
		(unsigned long long)clock->nr,
		(unsigned long long)clock->messages);
}

static void say_clock(const struct ptl_mpi_clock *clock,
		      const struct ptl_mpi_clock *first)
{
	if (ptl_mpi_clock_is_known(clock))
		say_known(clock, first);
	else if (clock->low > clock->high)
		ptl_say("--align: the clock of %s is left alone: calls "
			"contradict each other",
			clock->host);
	else if (ptl_mpi_clock_has_low(clock) || ptl_mpi_clock_has_high(clock))
		ptl_say("--align: the clock of %s is left alone: messages went "
			"one way only, which says how far it is %s that of %s "
			"at most",
			clock->host,
			ptl_mpi_clock_has_high(clock) ? "ahead of" : "behind",
			first->host);
	else
		ptl_say("--align: nothing tells how far the clock of %s is "
			"from that of %s",
			clock->host, first->host);
}

static void correct(struct ptl_merge *merge,
		    const struct ptl_mpi_clocks *clocks)
{
	for (size_t i = 0; i < merge->nr_sources; i++) {
		struct ptl_source *source = &merge->source[i];
		const struct ptl_mpi_clock *clock =
			&clocks->clock[clocks->of[i]];

		if (clocks->of[i] > 0 && ptl_mpi_clock_is_known(clock))
			ptl_source_shift(source,
					 source->shift -
						 ptl_mpi_clock_ahead(clock));
	}
	for (size_t i = 1; i < clocks->nr; i++)
		say_clock(&clocks->clock[i], &clocks->clock[0]);
	if (clocks->nr < 2)
		ptl_say("--align: all logs have one clock");
}

void ptl_report_align(struct ptl_merge *merge)
{
	struct ptl_mpi_clocks clocks;
	struct ptl_mpi mpi = {0};
	struct ptl_model model;
	struct ptl_merge again;

	if (!ptl_merge_again(&again, merge, SIZE_MAX)) {
		ptl_say("--align: the logs cannot be read twice");
		return;
	}
	read_once(&mpi, &again, &model);
	ptl_mpi_clocks_find(&clocks, &mpi, &again);
	correct(merge, &clocks);
	ptl_mpi_clocks_free(&clocks);
	ptl_mpi_free(&mpi);
	ptl_model_free(&model);
	ptl_merge_end_again(&again);
}
