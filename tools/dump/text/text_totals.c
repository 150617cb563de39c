/* SPDX-License-Identifier: MIT */
/* The last line of text: what the logs have in all; see text.h. */
#include "tools/dump/text/text.h"
#include "tools/dump/text/text_color.h"
#include "tools/read/merge.h"

/* 41 213 on a terminal */
void ptl_text_count(struct ptl_text *text, unsigned long long n)
{
	if (n < 1000) {
		ptl_out_uint(text->out, n);
		return;
	}
	ptl_text_count(text, n / 1000);
	ptl_out_str(text->out, text->group);
	n %= 1000;
	ptl_out_char(text->out, (char)('0' + n / 100));
	ptl_out_char(text->out, (char)('0' + n / 10 % 10));
	ptl_out_char(text->out, (char)('0' + n % 10));
}

void ptl_text_totals(struct ptl_text *text, struct ptl_merge *merge)
{
	struct posix_trace_info_np info, all = {0};

	for (size_t i = 0; i < merge->nr_sources; i++) {
		if (posix_trace_get_info_np(merge->source[i].trid, &info) != 0)
			continue;
		all.events += info.events;
		all.processes += info.processes;
		all.log_size += info.log_size;
		all.lost += info.lost;
		all.lost_unknown |= info.lost_unknown;
	}
	ptl_text_color(text, PTL_TEXT_DIM);
	ptl_text_count(text, text->shown);
	ptl_out_str(text->out, " shown of ");
	ptl_text_count(text, all.events);
	ptl_out_str(text->out, " events, ");
	if (!all.lost_unknown) {
		ptl_text_count(text, (unsigned long long)all.processes);
		ptl_out_str(text->out,
			    all.processes == 1 ? " process, " : " processes, ");
	}
	ptl_text_size(text, (uint64_t)all.log_size);
	if (all.lost_unknown) {
		ptl_out_str(text->out, "; losses not known");
	} else {
		ptl_out_str(text->out, "; ");
		ptl_text_count(text, all.lost);
		ptl_out_str(text->out, " lost");
	}
	ptl_text_color(text, PTL_TEXT_PLAIN);
	ptl_out_char(text->out, '\n');
}
