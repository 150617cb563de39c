/* SPDX-License-Identifier: MIT */
/* Gauges and counters; see series.h. */
#include "tools/model/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/args/typed.h"

void ptl_series_begin(struct ptl_series_set *set)
{
	*set = (struct ptl_series_set){
		.by_field = {.value_size = sizeof(struct ptl_series)}};
}

void ptl_series_free(struct ptl_series_set *set)
{
	ptl_hash_clear(&set->by_field);
}

/* The name of the type whose fields may be such; NULL: the event has none. */
static const char *type_of(const struct ptl_step *step)
{
	const struct ptl_type *type = step->view->type;

	if (type->kind->act == PTL_ACT_SPAN_BEGIN)
		return step->span != NULL ? step->span->name : NULL;
	return type->layout.is_marked && !type->is_system ? step->kind->name :
							    NULL;
}

static const char *name_of(const char *type, const char *field)
{
	char name[TRACE_EVENT_NAME_MAX + 1 + PTL_DECODE_NAME];
	int size = snprintf(name, sizeof(name),
			    strcmp(field, "value") == 0 ? "%s" : "%s.%s", type,
			    field);

	return ptl_intern(name, (size_t)size);
}

static struct ptl_series *get(struct ptl_series_set *set, const char *type,
			      const struct ptl_arg *arg,
			      const struct ptl_process *process)
{
	/* The mark, too: another log may say otherwise. */
	struct {
		const struct ptl_process *process;
		const char *type, *field;
		uint64_t mark;
	} key = {process, type, ptl_intern(arg->name, strlen(arg->name)),
		 arg->mark};
	struct ptl_series *series =
		ptl_hash_get(&set->by_field, &key, sizeof(key));

	if (series->number != 0)
		return series;
	series->process = process;
	series->name = name_of(type, arg->name);
	series->mark = arg->mark;
	series->number = set->by_field.nr;
	return series;
}

static double number_of(const struct ptl_arg *arg)
{
	return arg->type == PTL_ARG_FLOAT ?
		       (double)ptl_typed_double(arg->value) :
		       (double)arg->value;
}

struct ptl_series *ptl_series_take(struct ptl_series_set *set,
				   const struct ptl_step *step,
				   unsigned int *at, double *value)
{
	const struct ptl_args *args = &step->view->args;
	const char *type = type_of(step);
	struct ptl_series *series;

	while (type != NULL && *at < args->nr) {
		const struct ptl_arg *arg = &args->arg[(*at)++];

		if (arg->mark != PTL_ARG_GAUGE && arg->mark != PTL_ARG_COUNTER)
			continue;
		*value = number_of(arg);
		if (!isfinite(*value))
			continue;
		series = get(set, type, arg, ptl_process_owner(step->process));
		series->now = arg->mark == PTL_ARG_COUNTER ?
				      series->now + *value :
				      *value;
		return series;
	}
	return NULL;
}

void ptl_series_learn(struct ptl_series_set *set, const struct ptl_step *step)
{
	unsigned int at = 0;
	double value;

	while (ptl_series_take(set, step, &at, &value) != NULL)
		;
}
