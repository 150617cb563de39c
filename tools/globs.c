/* SPDX-License-Identifier: MIT */
/* Patterns of -l and -r that fit nothing; see globs.h. */
#include "tools/globs.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/decode.h"
#include "tools/say.h"

struct glob {
	const char *option, *text;
	bool is_used;
	char near[256];
};

struct globs {
	struct glob *glob;
	size_t nr, room, nr_used;
};

static void add_list(struct globs *globs, const char *option, const char *list)
{
	char *rest = list != NULL ? strdup(list) : NULL, *text;

	while (rest != NULL && (text = strsep(&rest, ",")) != NULL) {
		globs->glob = ptl_grow(globs->glob, globs->nr, &globs->room,
				       sizeof(*globs->glob));
		globs->glob[globs->nr++] =
			(struct glob){.option = option, .text = text};
	}
}

static void learn(struct globs *globs, const struct ptl_arg *args,
		  unsigned int nr_args)
{
	const struct ptl_arg *slots = ptl_decode_find(args, nr_args, "slots");
	const struct ptl_arg *text = ptl_decode_find(args, nr_args, "glob");
	const struct ptl_arg *near = ptl_decode_find(args, nr_args, "near");

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

/* The type of that name, or 0. */
static trace_event_id_t find_type(trace_id_t trid, const char *wanted)
{
	char name[TRACE_EVENT_NAME_MAX + 1];
	trace_event_id_t id;
	int unavailable = 1;

	while (posix_trace_eventtypelist_getnext_id(trid, &id, &unavailable) ==
		       0 &&
	       !unavailable)
		if (posix_trace_eventid_get_name(trid, id, name) == 0 &&
		    strcmp(name, wanted) == 0)
			return id;
	return 0;
}

/* Most logs tell all at their beginning. */
static void read_log(struct globs *globs, trace_id_t trid)
{
	trace_event_id_t hooks = find_type(trid, "call:hooks");
	struct posix_trace_event_info event;
	struct ptl_layout layout;
	char data[1024];
	size_t size;
	int unavailable = 0;

	ptl_layout_parse(&layout, "slots:i glob:s near:s");
	while (globs->nr_used < globs->nr &&
	       posix_trace_getnext_event(trid, &event, data, sizeof(data),
					 &size, &unavailable) == 0 &&
	       !unavailable) {
		struct ptl_arg args[PTL_DECODE_ARGS];

		if (event.posix_event_id == hooks)
			learn(globs, args,
			      ptl_decode(&layout, data, size, args));
	}
}

void ptl_globs_say_unused(const struct ptl_settings *settings, const char *path)
{
	struct globs globs = {NULL, 0, 0, 0};
	trace_id_t trid;
	int fd;

	if (!settings->families.has_calls || path[0] == '|')
		return;
	add_list(&globs, "-l", settings->calls);
	add_list(&globs, "-r", settings->returns);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (posix_trace_open(fd, &trid) == 0) {
		read_log(&globs, trid);
		posix_trace_close(trid);
		for (size_t i = 0; i < globs.nr; i++) {
			const struct glob *glob = &globs.glob[i];

			if (!glob->is_used)
				ptl_say("%s %s: no traced program calls such a "
					"function%s%s",
					glob->option, glob->text,
					glob->near[0] ? "; close is " : "",
					glob->near);
		}
	}
	close(fd);
	free(globs.glob);
}
