/* SPDX-License-Identifier: MIT */
/* See off_line.h. */
#include "tools/report/view/off_line.h"

#include "tools/lib/number.h"
#include "tools/report/show/screen.h"

void ptl_off_line_print(const struct ptl_off_all *all)
{
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
}
