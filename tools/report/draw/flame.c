/* SPDX-License-Identifier: MIT */
/* A flame graph: the paths of calls as a picture; see flame.h. */
#include "tools/report/draw/flame.h"

#include "tools/report/draw/svg.h"
#include "tools/report/model/call_paths.h"

static void *begin(const struct ptl_report_settings *settings,
		   struct ptl_model *model)
{
	(void)settings;
	return ptl_call_paths_new(model, false);
}

static void learn(void *of, const struct ptl_step *step)
{
	ptl_call_paths_learn(of, step);
}

const struct ptl_paths *ptl_flame_paths(void *of, const char **title,
					enum ptl_column_kind *kind)
{
	enum ptl_measure measure;
	const struct ptl_paths *paths = ptl_call_paths_end(of, &measure);

	*title = measure == PTL_MEASURE_WALL ?
			 "wall time of calls, over all threads" :
		 measure == PTL_MEASURE_EVENTS ?
			 "events, by call stack" :
			 "calls of functions, by what calls them";
	*kind = measure == PTL_MEASURE_WALL ? PTL_COLUMN_DURATION :
					      PTL_COLUMN_COUNT;
	return paths;
}

void ptl_flame_write(void *of, struct ptl_model *model, struct ptl_out *out)
{
	(void)model;
	enum ptl_column_kind kind;
	const char *title;
	const struct ptl_paths *paths = ptl_flame_paths(of, &title, &kind);

	ptl_svg_write(out, paths, title, kind);
}

static void end(void *of)
{
	ptl_call_paths_free(of);
}

const struct ptl_report_view ptl_report_flame = {
	.name = "flame",
	.begin = begin,
	.event = learn,
	.free = end,
};
