/* SPDX-License-Identifier: MIT */
/* -f, --functions-list and --reach-list, by the helper; see functions.h. */
#include "tools/monitor/functions.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/format/patches.h"
#include "tools/lib/beside.h"
#include "tools/lib/say.h"
#include "tools/monitor/process/command.h"

/* For posix_trace_set_functions_np(). */
static struct found {
	char *bytes;
	size_t size, room;
} found;

/* Returns if it cannot, which is reported.  The arguments end with NULL; the
 * first one's place is for the program. */
static void be_helper(const char **argv)
{
	char path[PATH_MAX + 64];

	if (!ptl_beside(path, sizeof(path), "ptrace-functions")) {
		ptl_say("/proc/self/exe: %s", strerror(errno));
		return;
	}
	unsetenv("LD_PRELOAD");
	/* The helper has a copy of all that is in the files: by large pages a
	 * fifth of the time is saved.  Since glibc 2.35; others do not look. */
	setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0);
	argv[0] = path;
	execv(path, (char **)argv);
	ptl_say("%s: %s", path, strerror(errno));
}

static const char *mode_of(const struct ptl_settings *settings)
{
	if (settings->arguments && !settings->summary)
		return settings->entry_only ? "--entries-typed" :
					      "--patches-typed";
	return settings->entry_only ? "--entries" : "--patches";
}

/* The first argument of the helper. */
static const char *min_size_of(const struct ptl_settings *settings)
{
	static char text[40];

	snprintf(text, sizeof(text), "--min-size=%zu", settings->min_size);
	return text;
}

/* Of the helper's command line: the program, five more with probes, a name, and
 * NULL. */
#define WORDS 9

/* Returns how many there are. */
static size_t ask(const char *with[WORDS], const struct ptl_settings *settings,
		  const char *mode, const char *file)
{
	bool is_of_calls =
		strcmp(mode, "--sites") == 0 || strcmp(mode, "--calls") == 0;
	size_t nr = 0;

	with[nr++] = "";
	with[nr++] = min_size_of(settings);
	if (settings->probes != NULL && !is_of_calls) {
		with[nr++] = "--probes";
		with[nr++] = settings->probes;
	}
	with[nr++] = mode;
	with[nr++] = settings->functions != NULL ? settings->functions : "";
	with[nr++] = file;
	with[nr] = NULL;
	return nr;
}

static int be_lister(const struct ptl_settings *settings, char **command,
		     const char *what)
{
	struct ptl_command command_found;
	const char *file = command[0];
	const char *with[WORDS];
	int error = ptl_command_find(&command_found, command);

	if (error == 0)
		file = command_found.file;
	else if (access(file, R_OK) != 0)
		return ptl_command_fail(file, error);
	ask(with, settings, what, file);
	be_helper(with);
	return PTL_EXIT_OWN_FAILURE;
}

int ptl_monitor_list_functions(const struct ptl_settings *settings,
			       char **command, bool is_verbose)
{
	return be_lister(settings, command, is_verbose ? "-v" : "--list");
}

int ptl_monitor_list_sites(const struct ptl_settings *settings, char **command)
{
	return be_lister(settings, command, "--sites");
}

int ptl_monitor_list_probes(const struct ptl_settings *settings, char **command)
{
	struct ptl_settings asked = *settings;
	char *both;

	for (size_t i = 1; command[i] != NULL; i++) {
		if (asprintf(&both, "%s%s%s",
			     asked.probes != NULL ? asked.probes : "",
			     asked.probes != NULL ? "," : "", command[i]) < 0) {
			ptl_say("out of memory");
			return PTL_EXIT_OWN_FAILURE;
		}
		asked.probes = both;
	}
	if (asked.probes == NULL)
		asked.probes = "*:*";
	asked.functions = NULL;
	return be_lister(&asked, command, "--list");
}

bool ptl_monitor_patches(const struct ptl_settings *settings)
{
	return settings->functions != NULL || settings->probes != NULL;
}

bool ptl_monitor_reaches(const struct ptl_settings *settings)
{
	return settings->reach != NULL &&
	       (strcmp(settings->reach, "raw") == 0 ||
		strcmp(settings->reach, "static") == 0);
}

bool ptl_monitor_keeps(const struct ptl_settings *settings)
{
	return settings->symbols == NULL ||
	       strcmp(settings->symbols, "none") != 0;
}

static bool read_all(int fd)
{
	ssize_t got;

	for (;;) {
		if (found.size == found.room)
			found.bytes = ptl_grow(found.bytes, found.size,
					       &found.room, 1);
		got = read(fd, found.bytes + found.size,
			   found.room - found.size);
		if (got <= 0)
			return got == 0;
		found.size += (size_t)got;
	}
}

/* Adds what the helper finds to what was found. */
static void find(const char **with)
{
	size_t before = found.size;
	int ends[2], status = 0;
	pid_t helper;

	if (pipe2(ends, O_CLOEXEC) != 0) {
		ptl_say("--functions: %s", strerror(errno));
		return;
	}
	helper = fork();
	if (helper == 0) {
		if (dup2(ends[1], STDOUT_FILENO) >= 0)
			be_helper(with);
		_exit(127);
	}
	close(ends[1]);
	if (helper < 0 || !read_all(ends[0]))
		found.size = before;
	close(ends[0]);
	if (helper > 0)
		waitpid(helper, &status, 0);
	/* What it could not write to its end is worth nothing. */
	if (WIFSIGNALED(status)) {
		ptl_say("--functions: ptrace-functions was killed by signal %d",
			WTERMSIG(status));
		found.size = before;
	}
}

void ptl_monitor_find_functions(const struct ptl_settings *settings,
				const char *program)
{
	const char *with[WORDS];

	if (ptl_monitor_patches(settings)) {
		ask(with, settings, mode_of(settings), program);
		find(with);
	}
	if (ptl_monitor_reaches(settings)) {
		ask(with, settings, "--calls", program);
		find(with);
	}
}

void ptl_monitor_find_functions_of(const struct ptl_settings *settings,
				   pid_t pid)
{
	char link[64], path[PATH_MAX];
	ssize_t size;

	if (!ptl_monitor_patches(settings) && !ptl_monitor_reaches(settings))
		return;
	snprintf(link, sizeof(link), "/proc/%d/exe", (int)pid);
	size = readlink(link, path, sizeof(path) - 1);
	if (size < 0)
		return;
	path[size] = '\0';
	ptl_monitor_find_functions(settings, path);
}

pid_t ptl_monitor_start_helper(const struct ptl_settings *settings,
			       const char *name, uint32_t what, int file,
			       int to, int alive)
{
	const char *with[WORDS];
	size_t nr = ask(with, settings,
			what == PTL_PATCH_CALLS || what == PTL_PATCH_INSIDE ?
				"--calls" :
				mode_of(settings),
			what == PTL_PATCH_OBJECT ? "object" :
			what == PTL_PATCH_INSIDE ? "inside" :
						   "program");
	pid_t helper;

	with[nr] = name;
	with[nr + 1] = NULL;
	helper = fork();

	if (helper != 0)
		return helper;
	fcntl(alive, F_SETFD, 0);
	if (dup2(file, STDIN_FILENO) >= 0 && dup2(to, STDOUT_FILENO) >= 0)
		be_helper(with);
	_exit(127);
}

/* In front of the blocks. */
static void *with_source(const struct ptl_patch_source *source, size_t *size)
{
	char *bytes = ptl_alloc(sizeof(*source) + found.size);

	memcpy(bytes, source, sizeof(*source));
	if (found.size > 0)
		memcpy(bytes + sizeof(*source), found.bytes, found.size);
	*size = sizeof(*source) + found.size;
	return bytes;
}

int ptl_monitor_give_functions(trace_id_t trid,
			       const struct ptl_patch_source *source)
{
	void *bytes = found.bytes;
	size_t size = found.size;
	int error;

	if (source != NULL)
		bytes = with_source(source, &size);
	if (size == 0)
		return 0;
	error = posix_trace_set_functions_np(trid, bytes, size);
	if (error == ENOMEM)
		ptl_say("--functions: what is to be written takes %zu KiB of "
			"shared memory: name fewer functions, as -f 'parse_*'",
			found.size / 1024);
	if (source != NULL)
		free(bytes);
	return error;
}
