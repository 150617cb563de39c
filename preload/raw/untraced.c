/* SPDX-License-Identifier: MIT */
/*
 * That a program's own calls are not recorded, or not any more, and why.
 */
#include "preload/raw/raw.h"

#include "core/core.h"
#include "core/sys/text.h"

#include "preload/hook/crash.h"
#include "preload/hook/timer.h"
#include "preload/libc/env.h"
#include "preload/libc/exe.h"
#include "preload/libc/payload.h"

#include <string.h>

#if defined(__x86_64__)

#define TEXT_SIZE 512

unsigned char *ptl_raw_kinds PTL_SELDOM;

/* As who executed it would have, but for the reason. */
void ptl_raw_tell(const char *exe, const char *why)
{
	static const char partly[] = PTL_UNTRACED_PARTLY ": ";
	char reason[sizeof(partly) + 64];
	unsigned char data[TEXT_SIZE];
	struct ptl_payload payload = {data, sizeof(data) - sizeof(reason), 0};

	ptl_strcopy(reason, sizeof(reason), partly);
	ptl_strcopy(reason + sizeof(partly) - 1,
		    sizeof(reason) - sizeof(partly) + 1, why);
	ptl_core_untraced(exe, reason, false);
	ptl_put_string(&payload, exe);
	payload.room = sizeof(data);
	ptl_put_string(&payload, reason);
	ptl_core_event(PTL_EV_PROCESS_UNTRACED, data, payload.size, NULL);
}

/* Of each once: how many calls these are nobody knows. */
void ptl_raw_tell_missed(unsigned int limits)
{
	char exe[256];
	const char *path = ptl_exe_find(exe, sizeof(exe), NULL);

	if (limits & PTL_RAW_THREADS)
		ptl_raw_tell(path, "more than 16384 threads at once");
	if (limits & PTL_RAW_CHILDREN)
		ptl_raw_tell(path, "more than 64 children in its memory");
	if (limits & PTL_RAW_STACKS)
		ptl_raw_tell(path, "handlers that jump out of its calls");
}

void ptl_raw_give_up(const char *why)
{
	char exe[256];

	ptl_raw_tell(ptl_exe_find(exe, sizeof(exe), NULL), why);
	/* A handler of ours would look there, too. */
	ptl_crash_give_back();
	ptl_timer_give_back(NULL);
	memset(ptl_raw_kinds, PTL_RAW_NEVER, PTL_RAW_NUMBERS);
}

#endif
