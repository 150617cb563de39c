/* SPDX-License-Identifier: MIT */
#include "core/control/survey.h"

#include "core/control/processes.h"
#include "core/shm/life.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"

#include <errno.h>

/* Of so many at most it is asked whether they are there, and of so many what
 * /proc says. */
#define PIDS_MAX 128u
#define READS_MAX 8u

/* What has been asked so far. */
struct survey {
	struct ptl_life_bytes bytes;
	uint64_t pidns;
	unsigned int pids;  /* by kill(2) */
	unsigned int reads; /* of /proc, where the process was there */
};

/* By its pid, which the byte of a fork child or its parent needs. */
static bool answers(struct survey *survey, uint32_t pid)
{
	if (survey->reads < READS_MAX)
		return false;
	if (survey->pids >= PIDS_MAX)
		return true;
	survey->pids++;
	return pid && pid <= INT32_MAX &&
	       ptl_proc_permission((int)pid) != ESRCH;
}

/* Is it there, as far as that can be had for little, or is it not to be asked
 * for this time?  Else look closer. */
static bool passes(struct survey *survey, const struct ptl_shm_entry *entry,
		   uint64_t key)
{
	uint32_t life = ptl_key_life(key), byte = life - 1;
	uint64_t bit = UINT64_C(1) << byte % 64;

	if (ptl_key_state(key) != PTL_KEY_LISTED || life == PTL_LIFE_OVER)
		return false;
	if (ptl_life_is_byte(life)) {
		if (!(survey->bytes.asked[byte / 64] & bit))
			return true;
		if (!(survey->bytes.held[byte / 64] & bit))
			return false;
		if (!ptl_registry_says(entry,
				       PTL_ENTRY_HEIR | PTL_ENTRY_PARENT) ||
		    entry->ident.pidns != survey->pidns)
			return true;
	}
	return entry->ident.pidns == survey->pidns &&
	       answers(survey, ptl_key_pid(key));
}

static void look_from(const struct ptl_registry *reg, int dir, uint32_t at,
		      uint32_t end, struct survey *survey)
{
	struct ptl_shm_entry *entry;
	uint64_t key;

	while (at < end && (entry = ptl_registry_next(reg, &at, &key)) != NULL)
		if (!passes(survey, entry, key))
			survey->reads +=
				ptl_processes_check(reg, dir, entry, key);
}

void ptl_survey(const struct ptl_registry *reg, int dir)
{
	struct survey survey = {.pidns = ptl_pidns()};
	uint32_t span =
		atomic_load_explicit(&reg->shm->span, memory_order_relaxed);
	/* Not the same ones each time. */
	uint32_t first = (uint32_t)(ptl_boottime() % PTL_MAX(span, 1));

	ptl_life_ask(reg, dir, first, &survey.bytes);
	look_from(reg, dir, first, PTL_ENTRIES_MAX, &survey);
	look_from(reg, dir, 0, first, &survey);
}
