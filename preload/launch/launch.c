/* SPDX-License-Identifier: MIT */
#include "preload/launch/launch.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/libc/elf.h"
#include "preload/libc/env.h"
#include "preload/libc/payload.h"

#include <errno.h>
#include <linux/limits.h>

/* On a stack that may be small: longer paths are cut. */
#define TEXT_SIZE 512

static void record_untraced(const struct ptl_launch *launch, const char *reason)
{
	unsigned char data[TEXT_SIZE];
	struct ptl_payload payload = {data, sizeof(data) - 32, 0};

	if (!launch->path)
		return;
	ptl_core_untraced(launch->path, reason, launch->spawns);
	ptl_put_string(&payload, launch->path);
	payload.room = sizeof(data);
	ptl_put_string(&payload, reason);
	ptl_core_event(PTL_EV_PROCESS_UNTRACED, data, payload.size,
		       launch->addr);
}

void ptl_launch_look(struct ptl_launch *launch)
{
	const char *reason = NULL;
	int error = 0;

	if (!launch->path || ptl_is_quiet())
		return;
	switch (launch->by) {
	case PTL_LAUNCH_PATH:
		error = ptl_elf_check(launch->dir, launch->path, &reason);
		break;
	case PTL_LAUNCH_PATH_OR_FD:
		error = ptl_elf_check(launch->dir,
				      launch->path[0] ? launch->path : NULL,
				      &reason);
		break;
	case PTL_LAUNCH_SEARCH:
		error = ptl_elf_check_search(launch->path, &reason);
		break;
	case PTL_LAUNCH_FD:
		error = ptl_elf_check(launch->dir, NULL, &reason);
		break;
	}
	if (error == EFAULT)
		launch->path = NULL;
	else if (launch->moves && launch->by == PTL_LAUNCH_PATH &&
		 launch->path[0] != '/')
		error = 0, reason = NULL;
	if (!error && !reason)
		reason = ptl_core_reach(&launch->bridged);
	launch->refused = reason != NULL;
	if (reason)
		record_untraced(launch, reason);
}

void ptl_launch_prepare(struct ptl_launch *launch)
{
	enum ptl_env_result result;

	result = ptl_env_rewrite(
		&launch->plan,
		launch->spawns ? PTL_CORE_SPAWNS : PTL_CORE_EXECS,
		launch->bridged, &launch->env, &launch->scratch);
	launch->rewritten = result == PTL_ENV_REWRITTEN;
	if (result == PTL_ENV_NO_ROOM && !launch->refused &&
	    ptl_env_lacks_us(&launch->plan)) {
		record_untraced(launch, "no memory for its environment");
		launch->refused = true;
	}
}

bool ptl_launch_again(struct ptl_launch *launch, int error)
{
	if (!launch->rewritten)
		return false;
	launch->rewritten = false;
	launch->env = launch->given;
	ptl_scratch_put(&launch->scratch);
	if (error != E2BIG)
		return false;
	/* What it finds by itself it need not be told. */
	if (!launch->bridged && !ptl_env_lacks_us(&launch->plan))
		return true;
	if (!launch->refused)
		record_untraced(launch, "environment too large");
	launch->refused = true;
	return true;
}

void ptl_exec_begin(struct ptl_launch *launch)
{
	launch->env = launch->given;
	/* The program that follows finds its streams by its environment. */
	if (ptl_core_outsider())
		return;
	ptl_env_look(&launch->plan, launch->given);
	ptl_core_late();
	if (ptl_core_traced()) {
		/* First, since it finds out whether the path can be read. */
		ptl_launch_look(launch);
		ptl_core_execs(launch->refused ? NULL : launch->path);
		if (launch->path)
			ptl_core_event(PTL_EV_PROCESS_EXEC, launch->path,
				       ptl_strnlen(launch->path, PATH_MAX - 1) +
					       1,
				       launch->addr);
		ptl_launch_prepare(launch);
		if (launch->refused)
			ptl_core_execs(NULL);
	} else if (ptl_core_hands_down()) {
		ptl_launch_prepare(launch);
	} else {
		/* Without room it asks for itself. */
		launch->rewritten =
			ptl_env_sign(&launch->plan, &launch->env,
				     &launch->scratch) == PTL_ENV_REWRITTEN;
	}
	ptl_core_exec();
}

static void record_failure(const struct ptl_launch *launch, int error)
{
	unsigned char data[TEXT_SIZE];
	struct ptl_payload payload = {data, sizeof(data), 0};

	if (!launch->path)
		return;
	ptl_put_int(&payload, error);
	ptl_put_string(&payload, launch->path);
	ptl_core_event(PTL_EV_PROCESS_EXEC_FAILED, data, payload.size,
		       launch->addr);
}

bool ptl_exec_again(struct ptl_launch *launch)
{
	int error;

	if (ptl_core_outsider())
		return false;
	error = errno;
	if (ptl_launch_again(launch, error)) {
		if (launch->refused)
			ptl_core_execs(NULL);
		return true;
	}
	ptl_core_exec_failed();
	if (ptl_core_traced())
		record_failure(launch, error);
	errno = error;
	return false;
}
