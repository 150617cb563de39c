/* SPDX-License-Identifier: MIT */
/*
 * posix_trace_hook_np(): what the constructor does for a program that begins,
 * in one that runs already.  By a thread that was borrowed, while others run;
 * what its children find in their environment is told here, too.
 */
#include "core/base.h"
#include "core/core.h"
#include "core/sys/text.h"

#include "preload/hook/got.h"
#include "preload/hook/hooked.h"
#include "preload/libc/env.h"
#include "preload/libc/exe.h"
#include "preload/libc/payload.h"
#include "preload/libc/scratch.h"
#include "preload/patch/patch.h"
#include "preload/patch/pending.h"

#include <errno.h>
#include <limits.h>
#include <trace.h>

#define SETTINGS 32

/* Not on the stack: it is a thread's of the program. */
static char exe[PATH_MAX] PTL_BULK;
static const char *list[SETTINGS + 1];

static void read_settings(const char *settings)
{
	size_t nr = 0;

	for (; *settings && nr < SETTINGS;
	     settings += ptl_strlen(settings) + 1) {
		ptl_env_keep(settings);
		list[nr++] = settings;
	}
	list[nr] = NULL;
}

/* Slots that lead to stubs stay so: there is one choice in a process. */
static void tell_hooked(void)
{
	unsigned char bytes[128];
	struct ptl_payload payload = {bytes, sizeof(bytes), 0};

	if (!ptl_core_wants(PTL_EV_CALL_UNHOOKED))
		return;
	ptl_put_int(&payload, -1);
	ptl_put_string(&payload, "-l, -r: hooked before, and what was asked "
				 "for then is recorded");
	ptl_core_event(PTL_EV_CALL_UNHOOKED, bytes, payload.size, NULL);
}

/* What an earlier trace has asked for is off if this one asks for nothing, and
 * no other has the process. */
static void switch_calls(bool is_wanted)
{
	if (is_wanted)
		ptl_core_call_limits(&ptl_limits);
	else if (!ptl_core_is_shared())
		ptl_limits = (struct ptl_core_limits){.ticks = PTL_CORE_NEVER};
}

static void hook_slots(char *const *envp, bool is_wanted)
{
	if (!ptl_got_works()) {
		if (is_wanted)
			ptl_got_init(envp, exe);
	} else if (!is_wanted || !ptl_got_tell(envp)) {
		tell_hooked();
	}
}

static int begin(const char *settings, struct posix_trace_hook_np *hook)
{
	char *const *envp = (char *const *)list;
	bool has_calls, has_functions;
	uint64_t nr;

	/* The place of one that traced us before may be the new one's. */
	ptl_core_settle();
	if (!ptl_core_traced())
		return ENOEXEC;
	read_settings(settings);
	ptl_exe_find(exe, sizeof(exe), NULL);
	has_calls = ptl_got_wanted(envp);
	has_functions = ptl_patch_wanted(envp);
	switch_calls(has_calls || has_functions);
	if (has_calls || has_functions)
		hook_slots(envp, has_calls);
	hook->pending = NULL;
	hook->nr = 0;
	if (!has_functions)
		return 0;
	ptl_patch_attach(envp, exe);
	hook->pending = ptl_pending_all(&nr);
	hook->nr = nr;
	return 0;
}

PTL_EXPORT int posix_trace_hook_np(const char *settings,
				   struct posix_trace_hook_np *hook)
{
	int saved = errno, error = 0;

	if (!hook)
		return EINVAL;
	if (ptl_is_quiet() || ptl_core_in_vfork_child())
		return EPERM;
	if (settings)
		error = begin(settings, hook);
	else
		ptl_patch_attached(hook->left, hook->why);
	errno = saved;
	return error;
}
