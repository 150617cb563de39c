/* SPDX-License-Identifier: MIT */
/* What plans jumps over the instructions of programs, against any bytes. */
#include <stdlib.h>
#include <string.h>

#include "t/fuzz/fuzz.h"
#include "tools/plan/make.h"
#include "tools/plan/patches.h"

struct input {
	void *bytes;
	size_t size;
};

/* What is to be replaced is code, all of it in one section. */
static void check_place(struct ptl_plan *plan,
			const struct ptl_plan_place *place)
{
	const struct ptl_section *section;

	if (place->how == PTL_PLAN_NOT)
		return;
	section = ptl_code_at(&plan->code, place->at);
	if (section == NULL || place->size == 0 ||
	    place->at + place->size > section->end ||
	    place->function >= plan->nr)
		abort();
	if (place->how == PTL_PLAN_SHORT &&
	    place->at + 2 - place->island + 128 > 256)
		abort();
}

static void check(struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		const struct ptl_plan_function *function = &plan->function[i];

		if (function->end <= function->start ||
		    (i > 0 && function->start <= function[-1].start) ||
		    ptl_plan_at(plan, function->start) != function)
			abort();
		if (function->is_part || function->why != PTL_PLAN_WHY_NOT)
			continue;
		if (function->entry.how == PTL_PLAN_NOT ||
		    function->first_exit + function->nr_exits > plan->nr_exits)
			abort();
		check_place(plan, &function->entry);
		for (size_t k = 0; k < function->nr_exits; k++)
			check_place(plan,
				    &plan->exit[function->first_exit + k]);
	}
}

static bool want(const struct ptl_note *note, uint32_t *strings, void *arg)
{
	(void)arg;
	*strings = 1;
	return note->provider[0] != '\0' && note->name[0] != '\0';
}

/* All of them, behind every function. */
static void check_probes(struct ptl_plan *plan)
{
	struct ptl_patches patches;
	struct ptl_buffer made = {NULL};
	struct ptl_probes probes;
	struct ptl_notes notes;

	ptl_notes_read(&notes, &plan->code.image);
	ptl_probes_plan(&probes, plan, &notes, want, NULL);
	ptl_patches_begin(&patches, plan, false);
	for (size_t i = 0; i < plan->nr; i++)
		if (!plan->function[i].is_part)
			ptl_patches_add(&patches, &plan->function[i]);
	ptl_patches_add_probes(&patches, &probes);
	ptl_patches_finish(&patches, &made);
	for (size_t i = 1; i < patches.nr; i++)
		if (patches.patch[i].at <
		    patches.patch[i - 1].at + patches.patch[i - 1].size)
			abort();
	free(made.bytes);
	ptl_patches_free(&patches);
	ptl_probes_free(&probes);
	ptl_notes_free(&notes);
}

static int make(void *arg)
{
	struct input *input = arg;
	struct ptl_plan plan;

	if (ptl_plan_make_bytes(&plan, input->bytes, input->size) != NULL)
		return 0;
	check(&plan);
	check_probes(&plan);
	ptl_plan_free(&plan);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = {malloc(size + 1), size};

	if (!input.bytes)
		return 0;
	memcpy(input.bytes, data, size);
	fuzz_allow(NULL);
	fuzz_call(make, &input);
	fuzz_check_text(&fuzz_err);
	free(input.bytes);
	return 0;
}
