/* SPDX-License-Identifier: MIT */
/* -a: prototypes of the functions to be hooked; see prototypes.h. */
#include "tools/monitor/prototypes.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/lib/beside.h"
#include "tools/lib/say.h"
#include "tools/prototypes/builtin.h"
#include "tools/prototypes/listed.h"
#include "tools/prototypes/parse.h"

/* A file of declarations is not larger. */
#define FILE_MAX (64 * 1024 * 1024)

static struct ptl_parse parse; /* of what is known by -a, if it is given */

/* The declarations that it has read: types know their names there. */
static char **texts;
static size_t nr_texts, room_texts;

/* Files of --prototypes that are programs or libraries; then NULL. */
static char **objects;
static size_t nr_objects, room_objects;

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

static bool is_object(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	char magic[4];
	struct stat st;
	bool is = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) &&
		  read(fd, magic, 4) == 4 && memcmp(magic, "\177ELF", 4) == 0;

	if (fd >= 0)
		close(fd);
	return is;
}

static bool add_object(const char *path)
{
#ifndef HAVE_LIBDW
	return say(path, "debug information cannot be read: built without "
			 "libdw");
#endif
	objects =
		ptl_grow(objects, nr_objects, &room_objects, sizeof(*objects));
	objects[nr_objects++] = strdup(path);
	return true;
}

/* Declarations were left out: that is an error if they were all. */
static bool say_failed(const char *path)
{
	char left_out[64] = "";

	if (parse.nr_functions > 0)
		snprintf(left_out, sizeof(left_out),
			 ": left out %u, understood %u", parse.nr_failed,
			 parse.nr_functions);
	ptl_say("--prototypes: %s:%u:%u: %s%s", path, parse.line, parse.column,
		parse.error, left_out);
	return parse.nr_functions > 0;
}

static bool add_file(const char *path)
{
	size_t size;
	char *text;
	bool done = true;

	if (is_object(path))
		return add_object(path);
	if (!read_file(path, &text, &size))
		return false;
	parse.foreign = true;
	parse.nr_functions = parse.nr_failed = 0;
	ptl_parse(&parse, text, size);
	if (parse.nr_functions == 0 && parse.nr_failed == 0)
		done = say(path, "no function is declared there");
	else if (parse.nr_failed > 0)
		done = say_failed(path);
	texts = ptl_grow(texts, nr_texts, &room_texts, sizeof(*texts));
	texts[nr_texts++] = text;
	return done;
}

/* One in each line. */
static bool add_files(const char *list)
{
	char path[PATH_MAX];
	bool done = true;

	while (done && *list != '\0') {
		size_t size = strcspn(list, "\n");

		snprintf(path, sizeof(path), "%.*s", (int)size, list);
		done = add_file(path);
		list += size + (list[size] == '\n');
	}
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
	if (!ptl_listed(settings->calls, name) &&
	    !ptl_listed(settings->returns, name))
		return;
	add_bytes(name, strlen(name));
	add_bytes(" ", 1);
	add_bytes(code, strlen(code));
	add_bytes("\n", 1);
}

bool ptl_monitor_prototypes(const struct ptl_settings *settings)
{
	bool has_calls = settings->calls != NULL || settings->returns != NULL;

	/* Functions inside of programs have theirs in their patches. */
	if (settings->prototypes == NULL &&
	    (!settings->arguments || settings->summary || !has_calls))
		return true;
	parse.table = ptl_prototypes_new();
	parse.quad = __LDBL_MANT_DIG__ == 113;
	add_builtin(parse.table);
	if (settings->prototypes == NULL)
		return true;
	ptl_parse_builtin(&parse, ptl_builtin_types);
	return add_files(settings->prototypes);
}

#ifdef HAVE_LIBDW

/* What the helper is told behind the patterns: tools/objects/main.c. */
static char **arguments_of(const struct ptl_monitor_objects *of, char *number)
{
	char **argv = NULL;
	size_t nr = 3, room = 0, nr_words = 0;

	while (of->words != NULL && of->words[nr_words] != NULL)
		nr_words++;
	while (room < nr_objects + nr_words + 8)
		argv = ptl_grow(argv, room, &room, sizeof(*argv));
	if (of->pid > 0) {
		argv[nr++] = (char *)"--pid";
		argv[nr++] = number;
	} else if (of->program != NULL) {
		argv[nr++] = (char *)"--run";
		argv[nr++] = (char *)of->program;
	}
	for (size_t i = 0; i < nr_objects; i++)
		argv[nr++] = objects[i];
	argv[nr++] = (char *)"--";
	for (size_t i = 1; i < nr_words; i++)
		argv[nr++] = of->words[i];
	argv[nr] = NULL;
	return argv;
}

static void __attribute__((noreturn))
be_helper(const struct ptl_settings *settings,
	  const struct ptl_monitor_objects *of, int out)
{
	char path[PATH_MAX + 64], number[16], **argv;

	if (!ptl_beside(path, sizeof(path), "ptrace-prototypes") ||
	    dup2(out, STDOUT_FILENO) < 0)
		_exit(127);
	/* LD_PRELOAD is for what is traced. */
	unsetenv("LD_PRELOAD");
	snprintf(number, sizeof(number), "%d", (int)of->pid);
	argv = arguments_of(of, number);
	argv[0] = path;
	argv[1] = (char *)(settings->calls != NULL ? settings->calls : "");
	argv[2] = (char *)(settings->returns != NULL ? settings->returns : "");
	execv(path, argv);
	_exit(127);
}

/* What the helper finds; nothing if it fails. */
static FILE *ask_helper(const struct ptl_settings *settings,
			const struct ptl_monitor_objects *of, pid_t *helper)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return NULL;
	*helper = fork();
	if (*helper == 0)
		be_helper(settings, of, ends[1]);
	close(ends[1]);
	if (*helper > 0)
		return fdopen(ends[0], "r");
	close(ends[0]);
	return NULL;
}

void ptl_monitor_find_prototypes(const struct ptl_settings *settings,
				 const struct ptl_monitor_objects *of,
				 bool is_verbose)
{
	char *line = NULL, *code;
	unsigned int nr = 0;
	size_t room = 0;
	ssize_t size;
	pid_t helper;
	FILE *found;

	if (parse.table == NULL)
		return;
	found = ask_helper(settings, of, &helper);
	if (found == NULL)
		return;
	while ((size = getline(&line, &room, found)) > 1) {
		code = strchr(line, ' ');
		line[size - 1] = '\0';
		if (code != NULL && strcspn(code + 1, " ") < PTL_CODE_SIZE)
			nr += ptl_prototypes_add(parse.table, line,
						 (size_t)(code - line),
						 code + 1, false);
	}
	free(line);
	fclose(found);
	waitpid(helper, NULL, 0);
	if (is_verbose)
		ptl_say("%u prototypes from debug information", nr);
}

#else

void ptl_monitor_find_prototypes(const struct ptl_settings *settings,
				 const struct ptl_monitor_objects *of,
				 bool is_verbose)
{
	(void)settings, (void)of;
	if (parse.table != NULL && is_verbose)
		ptl_say("no prototypes from debug information: built without "
			"libdw");
}

#endif

void ptl_monitor_select_prototypes(const struct ptl_settings *settings)
{
	if (parse.table == NULL)
		return;
	ptl_prototypes_each(parse.table, false, add_line, (void *)settings);
	ptl_parse_free(&parse);
	while (nr_texts > 0)
		free(texts[--nr_texts]);
	ptl_prototypes_free(parse.table);
	parse.table = NULL;
}

int ptl_monitor_give_prototypes(trace_id_t trid)
{
	return lines.size == 0 ? 0 :
				 posix_trace_set_prototypes_np(trid, lines.text,
							       lines.size);
}
