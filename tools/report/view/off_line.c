/* SPDX-License-Identifier: MIT */
/* See off_line.h. */
#include "tools/report/view/off_line.h"

#include "tools/lib/number.h"
#include "tools/report/show/screen.h"

/* Of what most time went to, so many are named. */
#define FEW 2

/* The next smaller sum; NULL: there is none. */
static const struct ptl_off_sum *after(const struct ptl_off_cpu *off,
				       const struct ptl_off_sum *before)
{
	const struct ptl_off_sum *best = NULL;
	struct ptl_off_sum *sum = NULL;

	while ((sum = ptl_off_cpu_next(off, sum)) != NULL)
		if ((before == NULL || sum->time < before->time) &&
		    (best == NULL || sum->time > best->time))
			best = sum;
	return best;
}

static void print_most(const struct ptl_off_cpu *off)
{
	const struct ptl_off_sum *sum = NULL;
	char number[PTL_NUMBER_SIZE];

	ptl_line("       ");
	for (int i = 0; i < FEW && (sum = after(off, sum)) != NULL; i++) {
		ptl_line("  %s ", ptl_number_duration(number, sum->time));
		ptl_line_name(sum->why);
		if (sum->where != NULL) {
			ptl_line(" at ");
			ptl_line_name(sum->where);
		}
		ptl_line(": ");
		ptl_line_name(sum->threads->name);
	}
	ptl_line_end();
}

void ptl_off_line_print(struct ptl_off_cpu *off)
{
	const struct ptl_off_all *all = ptl_off_cpu_all(off);
	char number[PTL_NUMBER_SIZE];

	if (all->nr == 0)
		return;
	ptl_line("OFF      %s waiting",
		 ptl_number_duration(number, all->time - all->preempted));
	ptl_line("  %s ready, and no CPU was free",
		 ptl_number_duration(number, all->preempted));
	ptl_line("   (%s times; --off-cpu says for what)",
		 ptl_number_count(number, all->nr));
	ptl_line_end();
	ptl_off_cpu_end(off);
	print_most(off);
}
