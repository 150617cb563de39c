/* SPDX-License-Identifier: MIT */
/*
 * What a command line names; see named.h.  It is a guess: nobody knows what a
 * shell will run before it does.  A wrong one costs time.
 */
#include "tools/objects/named.h"

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/objects/needed.h"

/* What ends a word in a shell's text. */
#define ENDS " \t\n;&|()<>{}\"'`$="

/* In all; and of a script. */
#define MAX_NAMED 32
#define MAX_SCRIPT 65536

static char *named[MAX_NAMED];
static unsigned int nr_named;

/* False: it has been seen, or there are too many. */
static bool is_new(const char *path)
{
	for (unsigned int i = 0; i < nr_named; i++)
		if (strcmp(named[i], path) == 0)
			return false;
	if (nr_named == MAX_NAMED)
		return false;
	named[nr_named++] = strdup(path);
	return named[nr_named - 1] != NULL;
}

static void take_words(const char *text, bool along_path,
		       void (*fn)(const char *path, void *arg), void *arg);

static void take_script(const char *path,
			void (*fn)(const char *path, void *arg), void *arg)
{
	FILE *file = fopen(path, "re");
	char *text = file != NULL ? malloc(MAX_SCRIPT) : NULL;
	size_t size;

	if (text != NULL) {
		size = fread(text, 1, MAX_SCRIPT - 1, file);
		text[size] = '\0';
		if (strncmp(text, "#!", 2) == 0)
			take_words(text + 2, false, fn, arg);
	}
	free(text);
	if (file != NULL)
		fclose(file);
}

/* False: there is no such file. */
static bool take_file(const char *path, void (*fn)(const char *path, void *arg),
		      void *arg)
{
	char named_by[PATH_MAX];
	struct stat st;

	if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
		return false;
	/* By one name for both ways to say it. */
	if (snprintf(named_by, sizeof(named_by), "%s%s",
		     strchr(path, '/') != NULL ? "" : "./",
		     path) < (int)sizeof(named_by) &&
	    is_new(named_by)) {
		ptl_needed_by(named_by, fn, arg);
		take_script(named_by, fn, arg);
	}
	return true;
}

static void take_along_path(const char *name,
			    void (*fn)(const char *path, void *arg), void *arg)
{
	const char *dirs = getenv("PATH");
	char path[PATH_MAX];
	size_t size;

	for (; dirs != NULL && *dirs != '\0';
	     dirs += size + (dirs[size] != 0)) {
		size = strcspn(dirs, ":");
		if (snprintf(path, sizeof(path), "%.*s/%s", (int)size, dirs,
			     name) < (int)sizeof(path) &&
		    take_file(path, fn, arg))
			return;
	}
}

static void take_words(const char *text, bool along_path,
		       void (*fn)(const char *path, void *arg), void *arg)
{
	char word[PATH_MAX];

	while (*(text += strspn(text, ENDS)) != '\0') {
		size_t size = strcspn(text, ENDS);

		snprintf(word, sizeof(word), "%.*s", (int)size, text);
		if (size >= sizeof(word))
			;
		else if ((along_path || strchr(word, '/') != NULL) &&
			 !take_file(word, fn, arg) && strchr(word, '/') == NULL)
			take_along_path(word, fn, arg);
		text += size;
	}
}

void ptl_named_file(const char *path, void (*fn)(const char *path, void *arg),
		    void *arg)
{
	take_file(path, fn, arg);
}

void ptl_named_in(const char *text, void (*fn)(const char *path, void *arg),
		  void *arg)
{
	take_words(text, true, fn, arg);
}
