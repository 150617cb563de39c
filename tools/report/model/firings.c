/* SPDX-License-Identifier: MIT */
/* Triggers that have fired; see firings.h. */
#include "tools/report/model/firings.h"

#include <string.h>

static const char *text_of(const struct ptl_step *step, const char *name)
{
	const char *text = ptl_step_string(step, name);

	return text != NULL ? text : "";
}

/* One of several logs has a trigger of the same number. */
struct key {
	const char *when, *action;
	int64_t trigger;
};

void ptl_firings_learn(const struct ptl_step *step)
{
	struct ptl_model *model = step->model;
	const struct key key = {
		.when = text_of(step, "when"),
		.action = text_of(step, "do"),
		.trigger = ptl_step_number(step, "trigger", 0),
	};
	struct ptl_trigger_sum *sum;

	model->firings.value_size = sizeof(*sum);
	sum = ptl_hash_get(&model->firings, &key, sizeof(key));
	if (sum->nr++ == 0) {
		sum->trigger = key.trigger;
		sum->when = key.when;
		sum->action = key.action;
		sum->first = step->now;
	}
	sum->last = step->now;
}

const struct ptl_trigger_sum *
ptl_firings_next(const struct ptl_model *model,
		 const struct ptl_trigger_sum *sum)
{
	return ptl_hash_next(&model->firings, sum);
}
