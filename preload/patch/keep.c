/* SPDX-License-Identifier: MIT */
/*
 * Which files are handed over; see keep.h.  That takes time for each (31 us of
 * the processor's, the least of 9 runs of 400 programs, 69 us their median), so
 * it is not for all: as a rule for those that are likely to be gone soon.
 */
#include "preload/patch/keep.h"

#include "core/core.h"
#include "core/sys/text.h"

#include "preload/hook/objects.h"
#include "preload/libc/env.h"
#include "preload/patch/ask.h"
#include "preload/patch/patch.h"

static enum { PASSING, ALL, NONE } wanted;

/* Removed already, or where what there is goes soon. */
static bool is_passing(const char *path)
{
	static const char gone[] = " (deleted)";
	size_t size = ptl_strlen(path);

	return ptl_strpre(path, "/tmp/") || ptl_strpre(path, "/var/tmp/") ||
	       ptl_strpre(path, "/dev/shm/") || ptl_strpre(path, "/memfd:") ||
	       (size >= sizeof(gone) &&
		ptl_streq(path + size - (sizeof(gone) - 1), gone));
}

static void keep(const char *path, bool is_program)
{
	const char *socket;

	if (wanted == PASSING && !is_passing(path))
		return;
	socket = ptl_patch_source();
	if (socket)
		ptl_ask_keep(socket, path, is_program);
}

void ptl_keep_init(char *const *envp)
{
	const char *value = ptl_env_value(envp, "PTRACE_SYMBOLS=");

	if (value && ptl_streq(value, "all"))
		wanted = ALL;
	else if (value && ptl_streq(value, "none"))
		wanted = NONE;
	if (wanted != NONE)
		ptl_objects_hand(keep);
}
