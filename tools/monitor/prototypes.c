/* SPDX-License-Identifier: MIT */
/* -a: prototypes of the functions to be hooked; see prototypes.h. */
#include "tools/monitor/prototypes.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "preload/settings/list.h"
#include "preload/settings/pattern.h"
#include "tools/lib/say.h"
#include "tools/prototypes/builtin.h"
#include "tools/prototypes/parse.h"

/* A file of declarations is not larger. */
#define FILE_MAX (64 * 1024 * 1024)

/* Lines as posix_trace_set_prototypes_np() takes them. */
static struct lines {
	char *text;
	size_t size, room;
} lines;

static bool say(const char *path, const char *what)
{
	ptl_say("--prototypes: %s: %s", path, what);
	return false;
}

static bool read_file(const char *path, char **text, size_t *size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) != 0)
		return say(path, strerror(errno));
	if (S_ISDIR(st.st_mode))
		return say(path, strerror(EISDIR));
	*size = 0;
	*text = NULL;
	for (size_t room = 0; *size < FILE_MAX; *size += (size_t)got) {
		if (room - *size < 4096)
			*text = ptl_grow(*text, room, &room, 1);
		got = read(fd, *text + *size, room - *size);
		if (got <= 0)
			break;
	}
	close(fd);
	if (got < 0)
		return say(path, strerror(errno));
	return *size < FILE_MAX || say(path, strerror(EFBIG));
}

static bool add_file(struct ptl_parse *parse, const char *path)
{
	size_t size;
	char *text;
	bool done;

	if (!read_file(path, &text, &size))
		return false;
	parse->foreign = true;
	done = ptl_parse(parse, text, size);
	if (!done)
		ptl_say("--prototypes: %s:%u:%u: %s", path, parse->line,
			parse->column, parse->error);
	else if (parse->nr_functions == 0)
		done = say(path, "no function is declared there");
	free(text);
	return done;
}

static void add_builtin(struct ptl_prototypes *table)
{
	const char *line = ptl_builtin_functions;

	while (*line != '\0') {
		size_t name = strcspn(line, " "), size = strcspn(line, "\n");
		char code[PTL_CODE_SIZE] = "";

		if (size - name - 1 < sizeof(code))
			memcpy(code, line + name + 1, size - name - 1);
		ptl_prototypes_add(table, line, name, code, false);
		line += size + 1;
	}
}

/* Is there a pattern in the list that the name fits?  That of a library is not
 * known here. */
static bool is_listed(const char *list, const char *name)
{
	const char *word;
	size_t size;

	while (list != NULL && ptl_list_next(&list, &word, &size)) {
		char *pattern = strndup(word, size), *colon;
		bool fits;

		colon = pattern != NULL ? strchr(pattern, ':') : NULL;
		fits = pattern != NULL &&
		       ptl_pattern_fits(colon != NULL ? colon + 1 : pattern,
					name);
		free(pattern);
		if (fits)
			return true;
	}
	return false;
}

static void add_bytes(const char *bytes, size_t size)
{
	while (lines.room - lines.size < size)
		lines.text = ptl_grow(lines.text, lines.room, &lines.room, 1);
	memcpy(lines.text + lines.size, bytes, size);
	lines.size += size;
}

static void add_line(const char *name, const char *code, void *type, void *arg)
{
	const struct ptl_settings *settings = arg;

	(void)type;
	if (!is_listed(settings->calls, name) &&
	    !is_listed(settings->returns, name))
		return;
	add_bytes(name, strlen(name));
	add_bytes(" ", 1);
	add_bytes(code, strlen(code));
	add_bytes("\n", 1);
}

bool ptl_monitor_prototypes(const struct ptl_settings *settings)
{
	struct ptl_parse parse = {.table = NULL};
	bool done = true;

	if (!settings->arguments && settings->prototypes == NULL)
		return true;
	parse.table = ptl_prototypes_new();
	parse.quad = __LDBL_MANT_DIG__ == 113;
	add_builtin(parse.table);
	if (settings->prototypes != NULL) {
		ptl_parse_builtin(&parse, ptl_builtin_types);
		done = add_file(&parse, settings->prototypes);
	}
	ptl_prototypes_each(parse.table, false, add_line, (void *)settings);
	ptl_parse_free(&parse);
	ptl_prototypes_free(parse.table);
	return done;
}

int ptl_monitor_give_prototypes(trace_id_t trid)
{
	return lines.size == 0 ? 0 :
				 posix_trace_set_prototypes_np(trid, lines.text,
							       lines.size);
}
