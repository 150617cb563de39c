/* SPDX-License-Identifier: MIT */
/* Firings as lines and as JSON; see firings.h. */
#include "tools/report/view/firings.h"

#include "tools/lib/number.h"
#include "tools/report/model/firings.h"
#include "tools/report/show/json.h"
#include "tools/report/show/screen.h"

/* trigger 1 fired twice, from 0.017s to 1.2s: path == "/x"; mark so */
static void print_trigger(const struct ptl_trigger_sum *sum)
{
	char first[PTL_NUMBER_SIZE], last[PTL_NUMBER_SIZE];

	ptl_line("trigger %lld fired", (long long)sum->trigger);
	if (sum->nr > 1)
		ptl_line(" %llu times, from %ss to %ss: ",
			 (unsigned long long)sum->nr,
			 ptl_number_time(first, sum->first),
			 ptl_number_time(last, sum->last));
	else
		ptl_line(" at %ss: ", ptl_number_time(first, sum->first));
	ptl_line_name(sum->when);
	ptl_line("; ");
	ptl_line_name(sum->action);
	ptl_line_end();
}

void ptl_firings_print(const struct ptl_model *model)
{
	const struct ptl_trigger_sum *sum = NULL;

	while ((sum = ptl_firings_next(model, sum)) != NULL)
		print_trigger(sum);
}

void ptl_firings_json(const struct ptl_model *model, struct ptl_out *out)
{
	const struct ptl_trigger_sum *sum = NULL;
	char before = '[';

	ptl_json_key(out, "triggers", false);
	while ((sum = ptl_firings_next(model, sum)) != NULL) {
		ptl_out_char(out, before);
		ptl_out_char(out, '{');
		ptl_json_key(out, "trigger", true);
		ptl_out_int(out, sum->trigger);
		ptl_json_text(out, "when", sum->when);
		ptl_json_text(out, "do", sum->action);
		ptl_json_number(out, "fired", (int64_t)sum->nr);
		ptl_json_number(out, "first", sum->first);
		ptl_json_number(out, "last", sum->last);
		ptl_out_char(out, '}');
		before = ',';
	}
	if (before == '[')
		ptl_out_char(out, '[');
	ptl_out_char(out, ']');
}
