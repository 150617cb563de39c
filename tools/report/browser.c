/* SPDX-License-Identifier: MIT */
/* --browse; see browser.h. */
#include "tools/report/browser.h"

#include "tools/lib/say.h"
#include "tools/read/source.h"

#ifdef HAVE_NCURSES

#include <stdlib.h>

#include "tools/read/hosts.h"
#include "tools/read/lacks.h"
#include "tools/report/browse/browse.h"
#include "tools/symbolize/symbols.h"

static bool wants_color(const struct ptl_choices *choices)
{
	const char *no_color = getenv("NO_COLOR");

	if (choices->color != PTL_COLOR_AUTO)
		return choices->color == PTL_COLOR_ALWAYS;
	return no_color == NULL || *no_color == '\0';
}

int ptl_report_browse(const struct ptl_choices *choices)
{
	const struct ptl_browse_settings settings = {
		.paths = choices->paths,
		.nr_paths = choices->nr_paths,
		.wants_color = wants_color(choices),
		.is_live = choices->is_live,
	};
	int status = PTL_EXIT_OK;
	struct ptl_merge merge;

	ptl_open_keep_pipes();
	ptl_merge_open(&merge, choices->paths, choices->nr_paths, &status);
	if (merge.nr_sources == 0)
		return status;
	if (!ptl_browse(&merge, &settings))
		return PTL_EXIT_USAGE;
	ptl_symfile_report(choices->is_verbose);
	ptl_hosts_say(merge.source, merge.nr_sources);
	ptl_merge_close(&merge);
	return status;
}

#else

int ptl_report_browse(const struct ptl_choices *choices)
{
	(void)choices;
	ptl_say("--browse: this was built without ncurses (libncurses-dev)");
	return PTL_EXIT_USAGE;
}

#endif
