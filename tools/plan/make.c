/* SPDX-License-Identifier: MIT */
/* A plan, step by step; see make.h. */
#include "tools/plan/make.h"

#include <stdlib.h>
#include <string.h>

#include "tools/plan/functions.h"
#include "tools/plan/hooks.h"
#include "tools/plan/places.h"
#include "tools/plan/sweep.h"
#include "tools/plan/xray.h"

/* Which of the two objects that are treated in a way of their own it is. */
static void know(struct ptl_plan *plan, const char *path)
{
	const char *name = strrchr(path, '/');

	name = name != NULL ? name + 1 : path;
	plan->is_loader = strncmp(name, "ld-linux", 8) == 0 ||
			  strncmp(name, "ld-musl", 7) == 0;
	plan->is_libc = strncmp(name, "libc.so", 7) == 0;
}

/* What the steps have found, as one word for each function. */
static void conclude(struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		struct ptl_plan_function *function = &plan->function[i];

		if (function->is_part || function->why != PTL_PLAN_WHY_NOT)
			continue;
		if (function->entry.how == PTL_PLAN_NOT)
			function->why = function->entry.why;
		else if (function->exit_why == PTL_PLAN_PADS)
			function->why = PTL_PLAN_PADS;
		/* Each turn would be a call that never ends. */
		else if (function->exit_why != PTL_PLAN_WHY_NOT &&
			 function->has_loop)
			function->why = PTL_PLAN_LOOPS;
	}
}

/* The code is open. */
static const char *make(struct ptl_plan *plan, const char *path)
{
	know(plan, path);
	ptl_frames_read(&plan->frames, &plan->code);
	ptl_functions_read(plan, path);
	if (!ptl_sweep(plan)) {
		ptl_plan_free(plan);
		return "its tables lead everywhere";
	}
	if (plan->is_of_calls) {
		ptl_sites_plan(plan);
		return NULL;
	}
	ptl_functions_sort_out(plan);
	ptl_xray_refuse(plan);
	ptl_entries_plan(plan);
	ptl_exits_plan(plan);
	/* On aarch64 one instruction is as good a place as any. */
	if (!plan->code.is_a64)
		ptl_islands_plan(plan);
	conclude(plan);
	if (!plan->code.is_a64)
		ptl_hooks_plan(plan);
	return NULL;
}

const char *ptl_plan_make(struct ptl_plan *plan, const char *path)
{
	const char *why;

	memset(plan, 0, sizeof(*plan));
	why = ptl_code_open(&plan->code, path);
	return why != NULL ? why : make(plan, path);
}

const char *ptl_plan_make_file(struct ptl_plan *plan, int file,
			       const char *name)
{
	const char *why;

	memset(plan, 0, sizeof(*plan));
	why = ptl_code_open_file(&plan->code, file);
	return why != NULL ? why : make(plan, name);
}

const char *ptl_plan_make_calls(struct ptl_plan *plan, int file,
				const char *path)
{
	const char *why;

	memset(plan, 0, sizeof(*plan));
	plan->is_of_calls = true;
	why = file >= 0 ? ptl_code_open_file(&plan->code, file) :
			  ptl_code_open(&plan->code, path);
	if (why == NULL && plan->code.is_a64) {
		why = "for aarch64: system calls only of x86-64 are known";
		ptl_code_close(&plan->code);
	}
	return why != NULL ? why : make(plan, path);
}

const char *ptl_plan_make_bytes(struct ptl_plan *plan, void *bytes, size_t size)
{
	const char *why;

	memset(plan, 0, sizeof(*plan));
	why = ptl_code_open_bytes(&plan->code, bytes, size);
	return why != NULL ? why : make(plan, "");
}

void ptl_plan_free(struct ptl_plan *plan)
{
	free(plan->function);
	free(plan->exit);
	free(plan->alias);
	free(plan->leap);
	free(plan->hook_word);
	free(plan->hook);
	free(plan->site);
	ptl_frames_free(&plan->frames);
	ptl_code_close(&plan->code);
}
