/* SPDX-License-Identifier: MIT */
/*
 * The environment of a program; see environment.h.  Only those variables are
 * recorded that are asked for by their names: others may be secrets.
 */
#include "preload/launch/environment.h"

#include "core/sys/text.h"

#include "preload/launch/choice.h"
#include "preload/libc/env.h"
#include "preload/libc/payload.h"

/* Of a longer name that is the part which patterns see. */
#define NAME_SIZE 256

static bool is_wanted(const char *wanted, const char *variable)
{
	char name[NAME_SIZE];
	size_t size = 0;

	while (variable[size] && variable[size] != '=' && size < NAME_SIZE - 1)
		size++;
	ptl_strcopy(name, size + 1, variable);
	return ptl_choice_fits(wanted, name);
}

/* Puts those that are wanted where there is room; returns the size of all. */
static size_t put(struct ptl_payload *payload, const char *wanted,
		  char *const *envp)
{
	size_t whole = 0;

	for (; envp && *envp; envp++) {
		if (!is_wanted(wanted, *envp))
			continue;
		whole += ptl_strlen(*envp) + 1;
		if (payload->size < payload->room)
			ptl_put_string(payload, *envp);
	}
	return whole;
}

void ptl_environment_record(char *const *envp)
{
	const char *wanted = ptl_env_setting("PTRACE_ENVIRONMENT=");
	struct ptl_payload payload = {0};
	struct ptl_scratch scratch;

	if (!wanted || !ptl_core_wants(PTL_EV_PROCESS_ENVIRONMENT))
		return;
	payload.room = put(&payload, wanted, envp);
	if (!ptl_scratch_get(&scratch, payload.room + 1))
		return;
	payload.data = (unsigned char *)scratch.base;
	put(&payload, wanted, envp);
	/* More than an event may have is cut, and marked, by the recorder. */
	ptl_core_event(PTL_EV_PROCESS_ENVIRONMENT, payload.data, payload.size,
		       NULL);
	ptl_scratch_put(&scratch);
}
