/* SPDX-License-Identifier: MIT */
/* What ptrace-report keeps until its end, so that it can be forgotten. */
#include "tools/report/model/kinds.c"
#include "tools/report/model/map.c"
#include "tools/report/model/processes.c"
#include "tools/report/view/screen.c"

void fuzz_forget_report(void);

void fuzz_forget_report(void)
{
	kinds = (struct ptl_map){.value_size = kinds.value_size};
	strings = (struct ptl_map){.value_size = strings.value_size};
	labels = (struct ptl_map){.value_size = labels.value_size};
	memset(&screen, 0, sizeof(screen));
}
