/* SPDX-License-Identifier: MIT */
/* Which programs to trace; see choice.h. */
#include "preload/launch/choice.h"

#include "core/sys/text.h"

#include "preload/libc/env.h"
#include "preload/libc/exe.h"
#include "preload/settings/list.h"
#include "preload/settings/pattern.h"

/* No file has a longer name. */
#define PATTERN_SIZE 256

/* Without the directories, and without the mark of a login shell. */
static const char *base_of(const char *path)
{
	const char *base = path;

	for (; *path; path++)
		if (*path == '/')
			base = path + 1;
	return base[0] == '-' && base[1] ? base + 1 : base;
}

bool ptl_choice_fits(const char *list, const char *name)
{
	char pattern[PATTERN_SIZE];
	const char *word;
	size_t size;

	while (ptl_list_next(&list, &word, &size)) {
		if (!size || size >= sizeof(pattern))
			continue;
		ptl_strcopy(pattern, size + 1, word);
		if (ptl_pattern_fits(pattern, name))
			return true;
	}
	return false;
}

bool ptl_choice_is_ours(char *const *argv)
{
	const char *only = ptl_env_setting("PTRACE_ONLY=");
	const char *skip = ptl_env_setting("PTRACE_SKIP=");
	const char *called, *file;

	/* By its other name. */
	if (!only)
		only = ptl_env_setting("PTRACE_PROGRAM=");
	if (!only && !skip)
		return true;
	called = argv && argv[0] ? base_of(argv[0]) : "";
	file = base_of(ptl_exe_find(ptl_env_scratch(), PTL_ENV_SCRATCH, argv));
	return (!only || ptl_choice_fits(only, called) ||
		ptl_choice_fits(only, file)) &&
	       (!skip || (!ptl_choice_fits(skip, called) &&
			  !ptl_choice_fits(skip, file)));
}
