/* SPDX-License-Identifier: MIT */
/* The program to be traced; see command.h. */
#include "tools/monitor/process/command.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <trace.h>
#include <unistd.h>

#include "tools/lib/say.h"

const char *ptl_command_basename(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL && slash[1] != '\0' ? slash + 1 : path;
}

/*
 * libptrace.so.0.0.0 is there until the next release, libptrace.so.0 as long as
 * its interface: what runs longer than that starts programs with it.
 */
static void shorten(char *path)
{
	static const char name[] = "/libptrace.so.0";
	char *base = strrchr(path, '/'), rest;
	struct stat whole, found;

	if (base == NULL || strncmp(base, name, sizeof(name) - 1) != 0 ||
	    stat(path, &whole) != 0)
		return;
	base += sizeof(name) - 1;
	rest = *base;
	*base = '\0';
	if (stat(path, &found) != 0 || found.st_ino != whole.st_ino ||
	    found.st_dev != whole.st_dev)
		*base = rest;
}

char *ptl_command_library(void)
{
	Dl_info found;
	char *path;

	if (dladdr((void *)(uintptr_t)posix_trace_create, &found) == 0)
		found.dli_fname = "";
	path = realpath(found.dli_fname, NULL);
	/* A seccomp filter refuses what realpath() calls. */
	if (path == NULL && found.dli_fname[0] == '/')
		path = strdup(found.dli_fname);
	if (path == NULL) {
		ptl_say("libptrace.so not found: %s", strerror(errno));
		return NULL;
	}
	shorten(path);
	/* The dynamic linker takes both as separators and has no quotes. */
	if (strpbrk(path, " :\t") != NULL) {
		ptl_say("%s cannot be preloaded: blank or colon in its path",
			path);
		free(path);
		return NULL;
	}
	return path;
}

/* NAME=BEFORE<separator>AFTER, without the separator if one is empty. */
static void set_joined(const char *name, const char *before, char separator,
		       const char *after)
{
	char *value;

	if (after == NULL || *after == '\0' || *before == '\0') {
		setenv(name, *before != '\0' || after == NULL ? before : after,
		       1);
		return;
	}
	if (asprintf(&value, "%s%c%s", before, separator, after) < 0)
		return;
	setenv(name, value, 1);
	free(value);
}

static bool is_first(const char *list, const char *word)
{
	size_t size = strlen(word);

	return list != NULL && strncmp(list, word, size) == 0 &&
	       (list[size] == '\0' || list[size] == ':' || list[size] == ' ');
}

void ptl_command_environment(const char *library, char *const *changes,
			     unsigned long nr_changes)
{
	const char *old;

	for (unsigned long i = 0; i < nr_changes; i++) {
		char *name = strdup(changes[i]);
		char *equals = name != NULL ? strchr(name, '=') : NULL;

		if (equals != NULL) {
			*equals = '\0';
			setenv(name, equals + 1, 1);
		} else if (name != NULL) {
			unsetenv(name);
		}
		free(name);
	}
	old = getenv("LD_PRELOAD");
	if (!is_first(old, library))
		set_joined("LD_PRELOAD", library, ':', old);
	/* Otherwise a program built with -fsanitize=address refuses to start,
	 * since its runtime is not the first library. */
	old = getenv("ASAN_OPTIONS");
	if (old == NULL || strstr(old, "verify_asan_link_order") == NULL)
		set_joined("ASAN_OPTIONS", old != NULL ? old : "", ':',
			   "verify_asan_link_order=0");
}

/* The error that execve(2) would return. */
static int check_program(const char *path)
{
	struct stat st;

	if (stat(path, &st) != 0)
		return errno;
	if (!S_ISREG(st.st_mode))
		return EACCES;
	/* Another error is a filter's: that is for execve(2) to tell. */
	return access(path, X_OK) != 0 && errno == EACCES ? EACCES : 0;
}

int ptl_command_find(struct ptl_command *command, char **argv)
{
	const char *path = getenv("PATH");
	int error = ENOENT;

	command->argv = argv;
	command->file = argv[0];
	if (argv[0][0] == '\0')
		return ENOENT;
	if (strchr(argv[0], '/') != NULL)
		return check_program(argv[0]);
	if (path == NULL)
		path = "/bin:/usr/bin";
	for (;;) {
		size_t size = strcspn(path, ":");
		int found;

		/* An empty entry is the current directory. */
		if (asprintf(&command->file, "%.*s/%s",
			     size > 0 ? (int)size : 1, size > 0 ? path : ".",
			     argv[0]) < 0)
			return ENOMEM;
		found = check_program(command->file);
		if (found == 0)
			return 0;
		/* A program in a directory that we may not search does not
		 * count. */
		if (found == EACCES && access(command->file, F_OK) == 0)
			error = EACCES;
		free(command->file);
		if (path[size] == '\0')
			return error;
		path += size + 1;
	}
}

bool ptl_command_is_instrumented(const struct ptl_command *command)
{
	/* A program contains the names of all functions that it calls in
	 * libraries. */
	static const char *const callbacks[] = {"__cyg_profile_func_enter",
						"mcount", "__fentry__"};
	int fd = open(command->file, O_RDONLY | O_CLOEXEC);
	bool is_found = fd < 0; /* it is unknown */
	struct stat st;
	void *file = MAP_FAILED;

	if (fd >= 0 && fstat(fd, &st) == 0)
		file = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE,
			    fd, 0);
	for (size_t i = 0; i < 3 && file != MAP_FAILED && !is_found; i++)
		is_found = memmem(file, (size_t)st.st_size, callbacks[i],
				  strlen(callbacks[i])) != NULL;
	if (file != MAP_FAILED)
		munmap(file, (size_t)st.st_size);
	if (fd >= 0)
		close(fd);
	return is_found;
}

int ptl_command_exec(const struct ptl_command *command)
{
	/* execvp(): it runs a script without #! with sh. */
	execvp(command->file, command->argv);
	return errno;
}

int ptl_command_fail(const char *name, int error)
{
	ptl_say("%s: %s", name, strerror(error));
	return error == ENOENT || error == ENOTDIR ? PTL_EXIT_NOT_FOUND :
						     PTL_EXIT_NOT_EXECUTABLE;
}
