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

/* In the order of preference. */
static const struct {
	enum ptl_measure measure;
	enum ptl_column_kind kind;
	const char *title;
} measures[] = {
	{PTL_MEASURE_WALL, PTL_COLUMN_DURATION,
	 "wall time of calls, over all threads"},
	{PTL_MEASURE_EVENTS, PTL_COLUMN_COUNT, "events, by call stack"},
	{PTL_MEASURE_CALLS, PTL_COLUMN_COUNT,
	 "calls of functions, by what calls them"},
	{PTL_MEASURE_BYTES, PTL_COLUMN_BYTES, "bytes allocated, by call stack"},
	{PTL_MEASURE_PEAK, PTL_COLUMN_BYTES,
	 "peak bytes: those there when each process had most, by call "
	 "stack"},
	{PTL_MEASURE_LEAKED, PTL_COLUMN_BYTES,
	 "leaked bytes: not freed by the process's end, by call stack"},
};

#define MEASURES (sizeof(measures) / sizeof(*measures))

const struct ptl_paths *ptl_flame_paths(void *of, unsigned int measure,
					const char **title,
					enum ptl_column_kind *kind)
{
	const struct ptl_paths *paths;

	for (size_t i = 0; i < MEASURES; i++) {
		paths = ptl_call_paths_weigh(of, measures[i].measure);
		if (paths == NULL || measure-- > 0)
			continue;
		*title = measures[i].title;
		*kind = measures[i].kind;
		return paths;
	}
	return NULL;
}

void ptl_flame_write(void *of, struct ptl_model *model, struct ptl_out *out)
{
	enum ptl_column_kind kind = PTL_COLUMN_DURATION;
	const char *title = measures[0].title;
	const struct ptl_paths *paths = ptl_flame_paths(of, 0, &title, &kind);
	enum ptl_measure own;

	(void)model;
	if (paths == NULL)
		paths = ptl_call_paths_end(of, &own);
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
