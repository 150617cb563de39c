/* SPDX-License-Identifier: MIT */
/* See off_all.h. */
#include "tools/report/model/off_all.h"

#include "tools/lib/number.h"
#include "tools/report/model/samples.h"

bool ptl_off_is_preempted(const struct ptl_step *step)
{
	return ptl_step_number(step, "preempted", 0) != 0;
}

bool ptl_off_is_page(const struct ptl_step *step)
{
	return step->view->event->posix_prog_address != NULL;
}

static void add_off(struct ptl_off_all *all, const struct ptl_step *step)
{
	int64_t took = step->duration > 0 ? step->duration : 0;

	all->nr++;
	all->time = ptl_number_add(all->time, took);
	if (!ptl_off_is_preempted(step))
		return;
	all->preempted_nr++;
	all->preempted = ptl_number_add(all->preempted, took);
}

static void learn_reason(struct ptl_off_all *all, const char *reason)
{
	if (!ptl_samples_is_secure(reason))
		return;
	all->nr_secure++;
	all->secure = reason;
}

void ptl_off_all_learn(struct ptl_off_all *all, const struct ptl_step *step)
{
	int64_t number;

	switch (step->kind->act) {
	case PTL_ACT_SCHED_OFF:
		add_off(all, step);
		break;
	case PTL_ACT_SCHED_LOST:
		number = ptl_step_number(step, "count", 0);
		if (number > 0)
			all->lost = ptl_number_add(all->lost, number);
		break;
	case PTL_ACT_SCHED_RECORDING:
		number = ptl_step_number(step, "least", 0);
		if (number > 0)
			all->least = number;
		learn_reason(all, ptl_step_string(step, "reason"));
		break;
	default:
		break;
	}
}
