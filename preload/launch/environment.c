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

/* As many as fit into one event; the first in any case: what is too long is
 * cut, and marked, by the recorder. */
static size_t size_of_next(const char *at, size_t left, size_t most)
{
	size_t size = ptl_strlen(at) + 1;

	while (size < left && size + ptl_strlen(at + size) + 1 <= most)
		size += ptl_strlen(at + size) + 1;
	return size;
}

/* One event at least: there may be none of them. */
static void record(const char *at, size_t left)
{
	size_t most = ptl_core_event_most();

	do {
		size_t size = left ? size_of_next(at, left, most) : 0;

		ptl_core_event(PTL_EV_PROCESS_ENVIRONMENT, at, size, NULL);
		at += size;
		left -= size;
	} while (left);
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
	record(scratch.base, payload.size);
	ptl_scratch_put(&scratch);
}
