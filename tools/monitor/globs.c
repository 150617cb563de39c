/* SPDX-License-Identifier: MIT */
/* Patterns of -l, -r, --only and --skip that match nothing; see globs.h. */
#include "tools/monitor/globs.h"

#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "preload/settings/list.h"
#include "preload/settings/pattern.h"
#include "tools/lib/args/decode.h"
#include "tools/lib/say.h"

struct glob {
	const char *option;
	char *text;
	bool is_used;
	bool has_library; /* mapped by some process, or not asked for */
	char near[256];
};

struct globs {
	struct glob *glob;
	size_t nr, room, nr_used;
	bool has_maps; /* the log has dl:map events */
	bool is_hooked_before;
};

static void add_list(struct globs *globs, const char *option, const char *list)
{
	const char *word;
	size_t size;

	while (ptl_list_next(&list, &word, &size)) {
		struct glob *glob;

		if (size == 0)
			continue;
		globs->glob = ptl_grow(globs->glob, globs->nr, &globs->room,
				       sizeof(*globs->glob));
		glob = &globs->glob[globs->nr++];
		memset(glob, 0, sizeof(*glob));
		glob->option = option;
		glob->text = ptl_alloc(size + 1);
		memcpy(glob->text, word, size);
		glob->has_library = strchr(glob->text, ':') == NULL;
	}
}

static void learn(struct globs *globs, const struct ptl_args *args)
{
	const struct ptl_arg *slots = ptl_decode_find(args, "slots");
	const struct ptl_arg *text = ptl_decode_find(args, "glob");
	const struct ptl_arg *near = ptl_decode_find(args, "near");

	if (slots == NULL || text == NULL)
		return;
	for (size_t i = 0; i < globs->nr; i++) {
		struct glob *glob = &globs->glob[i];

		if (strlen(glob->text) != text->size ||
		    memcmp(glob->text, text->bytes, text->size) != 0)
			continue;
		globs->nr_used += slots->value > 0 && !glob->is_used;
		glob->is_used |= slots->value > 0;
		if (near != NULL && near->size < sizeof(glob->near) &&
		    glob->near[0] == '\0')
			memcpy(glob->near, near->bytes, near->size);
	}
}

/* A process keeps what another trace has asked for. */
static void learn_unhooked(struct globs *globs, const struct ptl_args *args)
{
	static const char before[] = "-l, -r: hooked before";
	const struct ptl_arg *why = ptl_decode_find(args, "reason");

	globs->is_hooked_before |=
		why != NULL && why->size >= sizeof(before) - 1 &&
		memcmp(why->bytes, before, sizeof(before) - 1) == 0;
}

static bool fits_library(const char *text, const char *name)
{
	char library[256];

	snprintf(library, sizeof(library), "%.*s", (int)strcspn(text, ":"),
		 text);
	return ptl_pattern_fits_library(library, name);
}

static void learn_map(struct globs *globs, const struct ptl_args *args)
{
	const struct ptl_arg *path = ptl_decode_find(args, "path");
	char buf[PATH_MAX];
	const char *slash;

	if (path == NULL || path->size >= sizeof(buf))
		return;
	memcpy(buf, path->bytes, path->size);
	buf[path->size] = '\0';
	slash = strrchr(buf, '/');
	globs->has_maps = true;
	for (size_t i = 0; i < globs->nr; i++)
		globs->glob[i].has_library |= fits_library(
			globs->glob[i].text, slash != NULL ? slash + 1 : buf);
}

/* The type of that name, or 0. */
static trace_event_id_t find_type(trace_id_t trid, const char *wanted)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;
	int unavailable = 1;

	posix_trace_eventtypelist_rewind(trid);
	while (posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable) ==
		       0 &&
	       !unavailable)
		if (posix_trace_eventid_get_name(trid, id, name) == 0 &&
		    strcmp(name, wanted) == 0)
			return id;
	return 0;
}

/* Most logs have these events at their beginning. */
static void read_log(struct globs *globs, trace_id_t trid)
{
	trace_event_id_t hooks = find_type(trid, "call:hooks");
	trace_event_id_t unhooked = find_type(trid, "call:unhooked");
	trace_event_id_t map = find_type(trid, "dl:map");
	struct posix_trace_event_info event;
	struct ptl_layout layout, unhooked_layout, map_layout;
	char data[PATH_MAX + 256], fields[256] = "";
	size_t size;
	int unavailable = 0;

	ptl_layout_parse(&layout, "slots:i glob:s near:s");
	ptl_layout_parse(&unhooked_layout, "slots:i reason:s");
	posix_trace_eventid_get_fields_np(trid, map, fields, sizeof(fields));
	ptl_layout_parse(&map_layout, fields);
	while (globs->nr_used < globs->nr &&
	       posix_trace_getnext_event(trid, &event, data, sizeof(data),
					 &size, &unavailable) == 0 &&
	       !unavailable) {
		struct ptl_args args;

		if (event.posix_event_id == hooks) {
			ptl_decode(&layout, data, size, &args);
			learn(globs, &args);
		} else if (event.posix_event_id == unhooked) {
			ptl_decode(&unhooked_layout, data, size, &args);
			learn_unhooked(globs, &args);
		} else if (event.posix_event_id == map) {
			ptl_decode(&map_layout, data, size, &args);
			learn_map(globs, &args);
		}
	}
}

/* If its library is not there, another library with exactly that function may
 * be meant. */
static bool is_elsewhere(const struct glob *glob)
{
	const char *wanted = strchr(glob->text, ':');
	const char *near = strchr(glob->near, ':');

	return wanted != NULL && near != NULL && strcmp(wanted, near) == 0;
}

static void say_unused(const struct globs *globs, const struct glob *glob)
{
	bool lacks_library = globs->has_maps && !glob->has_library;
	bool is_close =
		glob->near[0] != '\0' && (!lacks_library || is_elsewhere(glob));

	if (globs->is_hooked_before && !lacks_library) {
		ptl_say("%s %s: a program was hooked before, and records what "
			"was asked for then",
			glob->option, glob->text);
		return;
	}
	ptl_say("%s %s: no traced program %s%s%s", glob->option, glob->text,
		lacks_library ? "has such a library" : "calls such a function",
		is_close ? "; close is " : "", is_close ? glob->near : "");
}

/* How many programs began, and how many were to; and of those how many have a
 * name that is to be skipped. */
struct starts {
	unsigned int nr_execs, nr_failed, nr_starts, nr_skipped;
};

/* The data of process:exec: a path. */
static bool fits_program(const char *list, const char *path, size_t size)
{
	char base[NAME_MAX + 1] = "", pattern[NAME_MAX + 1];
	const char *word, *slash = memrchr(path, '/', size);
	size_t begin = slash != NULL ? (size_t)(slash + 1 - path) : 0;

	snprintf(base, sizeof(base), "%.*s", (int)(size - begin), path + begin);
	while (ptl_list_next(&list, &word, &size)) {
		snprintf(pattern, sizeof(pattern), "%.*s", (int)size, word);
		if (ptl_pattern_fits(pattern, base))
			return true;
	}
	return false;
}

/* By any of the types of these names. */
static struct starts count_starts(trace_id_t trid, const char *skip)
{
	char name[TRACE_EVENT_NAME_MAX + 1], path[PATH_MAX];
	struct posix_trace_event_info event;
	struct starts starts = {0};
	int unavailable = 0;
	size_t size;

	posix_trace_rewind(trid);
	while (posix_trace_getnext_event(trid, &event, path, sizeof(path),
					 &size, &unavailable) == 0 &&
	       !unavailable) {
		if (posix_trace_eventid_get_name(trid, event.posix_event_id,
						 name) != 0)
			continue;
		starts.nr_starts += strcmp(name, "process:start") == 0;
		starts.nr_failed += strcmp(name, "process:exec_failed") == 0;
		if (strcmp(name, "process:exec") != 0)
			continue;
		starts.nr_execs++;
		starts.nr_skipped += fits_program(skip, path, size);
	}
	return starts;
}

/* A skipped program records nothing, and nothing is known of what it started:
 * so it is said only if each that was executed was traced. */
static void say_unused_programs(const struct ptl_settings *settings,
				trace_id_t trid)
{
	struct starts starts = count_starts(trid, settings->skip);

	if (settings->only != NULL && starts.nr_starts == 0)
		ptl_say("--only %s: no program has such a name",
			settings->only);
	if (settings->skip != NULL && settings->only == NULL &&
	    starts.nr_starts > 0 && starts.nr_skipped == 0 &&
	    starts.nr_starts + starts.nr_failed == starts.nr_execs)
		ptl_say("--skip %s: no program has such a name",
			settings->skip);
}

/* Would the log have it? */
static bool tells_starts(const struct ptl_settings *settings)
{
	return settings->exclude == NULL && !settings->is_suspended &&
	       ptl_families_want(&settings->families, false, "process:start");
}

void ptl_globs_say_unused(const struct ptl_settings *settings, const char *path)
{
	bool has_names = (settings->only != NULL || settings->skip != NULL) &&
			 tells_starts(settings);
	struct posix_trace_info_np info = {.bad_size = 0};
	struct globs globs = {.nr = 0};
	trace_id_t trid;
	int fd;

	if ((!settings->calls && !settings->returns && !has_names) ||
	    path[0] == '|')
		return;
	add_list(&globs, "-l", settings->calls);
	add_list(&globs, "-r", settings->returns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (posix_trace_open(fd, &trid) == 0) {
		read_log(&globs, trid);
		posix_trace_get_info_np(trid, &info);
		/* The part that cannot be read may have such events. */
		for (size_t i = 0; i < globs.nr && info.bad_size == 0; i++)
			if (!globs.glob[i].is_used)
				say_unused(&globs, &globs.glob[i]);
		if (has_names && info.bad_size == 0)
			say_unused_programs(settings, trid);
		posix_trace_close(trid);
	}
	close(fd);
	free(globs.glob);
}
