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

#include "tools/lib/say.h"
#include "tools/prototypes/builtin.h"
#include "tools/prototypes/listed.h"
#include "tools/prototypes/parse.h"

/* A file of declarations is not larger. */
#define FILE_MAX (64 * 1024 * 1024)

static struct ptl_parse parse; /* of what is known by -a, if it is given */

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

static bool add_file(const char *path)
{
	size_t size;
	char *text;
	bool done;

	if (!read_file(path, &text, &size))
		return false;
	parse.foreign = true;
	done = ptl_parse(&parse, text, size);
	if (!done)
		ptl_say("--prototypes: %s:%u:%u: %s", path, parse.line,
			parse.column, parse.error);
	else if (parse.nr_functions == 0)
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
	if (!settings->arguments && settings->prototypes == NULL)
		return true;
	parse.table = ptl_prototypes_new();
	parse.quad = __LDBL_MANT_DIG__ == 113;
	add_builtin(parse.table);
	if (settings->prototypes == NULL)
		return true;
	ptl_parse_builtin(&parse, ptl_builtin_types);
	return add_file(settings->prototypes);
}

#ifdef HAVE_LIBDW

static void __attribute__((noreturn))
be_helper(const struct ptl_settings *settings, const char *program, pid_t pid,
	  int out)
{
	char path[PATH_MAX + 64], number[16];
	const char *calls = settings->calls != NULL ? settings->calls : "";
	const char *returns =
		settings->returns != NULL ? settings->returns : "";
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX);
	char *name = size > 0 ? memrchr(path, '/', (size_t)size) : NULL;

	if (name == NULL || dup2(out, STDOUT_FILENO) < 0)
		_exit(127);
	strcpy(name + 1, "ptrace-prototypes");
	/* It is for what is traced. */
	unsetenv("LD_PRELOAD");
	snprintf(number, sizeof(number), "%d", (int)pid);
	if (program != NULL)
		execl(path, path, calls, returns, program, (char *)NULL);
	else
		execl(path, path, calls, returns, "--pid", number,
		      (char *)NULL);
	_exit(127);
}

/* What the helper finds; nothing if it fails. */
static FILE *ask_helper(const struct ptl_settings *settings,
			const char *program, pid_t pid, pid_t *helper)
{
	int ends[2];

	if (pipe2(ends, O_CLOEXEC) != 0)
		return NULL;
	*helper = fork();
	if (*helper == 0)
		be_helper(settings, program, pid, ends[1]);
	close(ends[1]);
	if (*helper > 0)
		return fdopen(ends[0], "r");
	close(ends[0]);
	return NULL;
}

void ptl_monitor_find_prototypes(const struct ptl_settings *settings,
				 const char *program, pid_t pid,
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
	found = ask_helper(settings, program, pid, &helper);
	if (found == NULL)
		return;
	while ((size = getline(&line, &room, found)) > 1) {
		code = strchr(line, ' ');
		line[size - 1] = '\0';
		if (code != NULL && strlen(code + 1) < PTL_CODE_SIZE)
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
				 const char *program, pid_t pid,
				 bool is_verbose)
{
	(void)settings, (void)program, (void)pid;
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
	ptl_prototypes_free(parse.table);
	parse.table = NULL;
}

int ptl_monitor_give_prototypes(trace_id_t trid)
{
	return lines.size == 0 ? 0 :
				 posix_trace_set_prototypes_np(trid, lines.text,
							       lines.size);
}
