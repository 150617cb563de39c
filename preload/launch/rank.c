/* SPDX-License-Identifier: MIT */
/* What the environment says of a rank, as an event; see rank.h. */
#include "preload/launch/rank.h"

#include "core/core.h"
#include "core/sys/text.h"

#include "preload/libc/payload.h"
#include "preload/settings/rank.h"

/* A job's name is told as far as that. */
#define JOB_SIZE 128

/* -1: no number. */
static int64_t number(const char *digits)
{
	int64_t value = 0;

	if (!digits || !*digits)
		return -1;
	for (; *digits; digits++) {
		if (*digits < '0' || *digits > '9' || value > INT32_MAX)
			return -1;
		value = 10 * value + (*digits - '0');
	}
	return value;
}

void ptl_rank_record(char *const *envp)
{
	unsigned char data[2 * sizeof(int64_t) + 32 + JOB_SIZE];
	struct ptl_payload payload = {data, sizeof(data), 0};
	struct ptl_rank rank;
	char job[JOB_SIZE];

	if (!ptl_core_wants(PTL_EV_PROCESS_RANK) ||
	    !ptl_rank_find(&rank, envp) || number(rank.rank) < 0)
		return;
	ptl_strcopy(job, sizeof(job), rank.job ? rank.job : "");
	ptl_put_int(&payload, number(rank.rank));
	ptl_put_int(&payload, number(rank.size));
	ptl_put_string(&payload, rank.launcher);
	ptl_put_string(&payload, job);
	ptl_core_event(PTL_EV_PROCESS_RANK, payload.data, payload.size, NULL);
}
