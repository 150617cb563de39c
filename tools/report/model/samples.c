/* SPDX-License-Identifier: MIT */
/* See samples.h.  A sample stands for the time from one to the next. */
#include "tools/report/model/samples.h"

#include <stdlib.h>
#include <string.h>

#include "core/format/values.h"
#include "tools/lib/number.h"
#include "tools/lib/say.h"

#define NS_PER_S 1000000000
/* Where a log does not say how many there are in a second. */
#define HZ_USUAL 999

/* All samples with one stack. */
struct sampled {
	const struct ptl_stack *stack;
	int64_t time;
};

void ptl_samples_begin(struct ptl_samples *samples)
{
	*samples = (struct ptl_samples){0};
	samples->stacks.value_size = sizeof(struct sampled);
}

static void add_sample(struct ptl_samples *samples, const struct ptl_step *step)
{
	const struct ptl_stack *stack = ptl_model_stack(step);
	int64_t weight = ptl_step_number(step, "weight", 1);
	int64_t hz = samples->hz > 0 ? samples->hz : HZ_USUAL;
	struct sampled *sampled;
	int64_t time;

	weight = weight > 0 ? weight : 0;
	time = ptl_number_share(weight, NS_PER_S, hz);
	sampled = ptl_hash_get(&samples->stacks, &stack, sizeof(stack));
	sampled->stack = stack;
	sampled->time = ptl_number_add(sampled->time, time);
	samples->all = ptl_number_add(samples->all, time);
	samples->nr = ptl_number_add(samples->nr, weight);
	if (ptl_step_number(step, "mode", 0) & PTL_SAMPLE_CUT)
		samples->cut = ptl_number_add(samples->cut, weight);
}

static bool ends_with(const char *text, const char *end)
{
	size_t size = strlen(text), end_size = strlen(end);

	return size > end_size && strcmp(text + size - end_size, end) == 0;
}

bool ptl_samples_is_secure(const char *reason)
{
	return reason != NULL && ends_with(reason, PTL_SAMPLE_SECURE);
}

/* A program may not be looked at, and says so in its own name; or a process had
 * timers, and has none any more, or not all. */
static void learn_reason(struct ptl_samples *samples,
			 const struct ptl_step *step)
{
	const char *reason = ptl_step_string(step, "reason");
	const char *source = ptl_step_string(step, "source");

	if (reason == NULL || *reason == '\0')
		return;
	if (ptl_samples_is_secure(reason)) {
		samples->nr_secure++;
		samples->secure = reason;
	} else if (step->process != NULL && source != NULL &&
		   strcmp(source, PTL_SAMPLE_TIMER) == 0) {
		samples->nr_partly++;
		samples->partly = step->process;
		samples->partly_why = reason;
	}
}

void ptl_samples_learn(struct ptl_samples *samples, const struct ptl_step *step)
{
	int64_t count;

	switch (step->kind->act) {
	case PTL_ACT_CPU_SAMPLE:
		add_sample(samples, step);
		break;
	case PTL_ACT_CPU_SAMPLING:
		samples->hz = ptl_step_number(step, "hz", samples->hz);
		samples->has_kernel |= ptl_step_number(step, "kernel", 0) != 0;
		learn_reason(samples, step);
		break;
	case PTL_ACT_CPU_LOST:
		count = ptl_step_number(step, "count", 0);
		if (count > 0)
			samples->lost = ptl_number_add(samples->lost, count);
		break;
	default:
		break;
	}
}

static struct ptl_sampled_function *get_function(struct ptl_hash *functions,
						 const struct ptl_stack *stack)
{
	const char *name = stack != NULL ? stack->site->function : "[unknown]";
	struct ptl_sampled_function *function =
		ptl_hash_get(functions, name, strlen(name));

	function->name = name;
	return function;
}

/* A function that calls itself has each sample once. */
static void add_stack(struct ptl_hash *functions, const struct sampled *sampled,
		      uint64_t number)
{
	const struct ptl_stack *stack = sampled->stack;
	struct ptl_sampled_function *function = get_function(functions, stack);

	function->self = ptl_number_add(function->self, sampled->time);
	do {
		function = get_function(functions, stack);
		if (function->seen != number)
			function->total =
				ptl_number_add(function->total, sampled->time);
		function->seen = number;
		stack = stack != NULL ? stack->caller : NULL;
	} while (stack != NULL);
}

static int compare(const void *left, const void *right)
{
	const struct ptl_sampled_function *a = left, *b = right;

	if (a->self != b->self)
		return a->self > b->self ? -1 : 1;
	if (a->total != b->total)
		return a->total > b->total ? -1 : 1;
	return strcmp(a->name, b->name);
}

void ptl_samples_find(struct ptl_samples *samples)
{
	struct ptl_hash functions = {
		.value_size = sizeof(struct ptl_sampled_function),
	};
	const struct ptl_sampled_function *function = NULL;
	const struct sampled *sampled = NULL;
	uint64_t number = 0;

	while ((sampled = ptl_hash_next(&samples->stacks, sampled)) != NULL)
		add_stack(&functions, sampled, ++number);
	free(samples->function);
	samples->function =
		ptl_alloc((functions.nr + 1) * sizeof(*samples->function));
	samples->nr_functions = 0;
	while ((function = ptl_hash_next(&functions, function)) != NULL)
		samples->function[samples->nr_functions++] = *function;
	qsort(samples->function, samples->nr_functions,
	      sizeof(*samples->function), compare);
	ptl_hash_clear(&functions);
}

void ptl_samples_free(struct ptl_samples *samples)
{
	ptl_hash_clear(&samples->stacks);
	free(samples->function);
	samples->function = NULL;
}
