/* SPDX-License-Identifier: MIT */
/* --functions-list; see functions.h. */
#include "tools/monitor/functions.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/monitor/command.h"

int ptl_monitor_list_functions(const char *patterns, char **command,
			       bool is_verbose)
{
	char path[PATH_MAX + 64], verbose[] = "-v", *argv[5];
	ssize_t size = readlink("/proc/self/exe", path, PATH_MAX);
	char *name = size > 0 ? memrchr(path, '/', (size_t)size) : NULL;
	struct ptl_command found;
	int nr = 0, error;

	error = ptl_command_find(&found, command);
	if (error != 0 && access(command[0], R_OK) == 0)
		found.file = command[0];
	else if (error != 0)
		return ptl_command_fail(command[0], error);
	if (name == NULL) {
		ptl_say("/proc/self/exe: %s", strerror(errno));
		return PTL_EXIT_OWN_FAILURE;
	}
	strcpy(name + 1, "ptrace-functions");
	unsetenv("LD_PRELOAD");
	/* The helper has a copy of all that is in the files: by large pages a
	 * fifth of the time is saved.  Since glibc 2.35; others do not look. */
	setenv("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1", 0);
	argv[nr++] = path;
	if (is_verbose)
		argv[nr++] = verbose;
	argv[nr++] = (char *)patterns;
	argv[nr++] = found.file;
	argv[nr] = NULL;
	execv(path, argv);
	ptl_say("%s: %s", path, strerror(errno));
	return PTL_EXIT_OWN_FAILURE;
}
