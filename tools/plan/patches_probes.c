/* SPDX-License-Identifier: MIT */
/* Patches of probes, behind those of functions; see patches.h. */
#include "tools/plan/patches.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/plan/move.h"

/* Is any of it moved, or written, for a function? */
static bool is_range_taken(const struct ptl_patches *patches, size_t nr,
			   uint64_t at, uint64_t end)
{
	for (size_t i = 0; i < nr; i++) {
		const struct ptl_patch *patch = &patches->patch[i];

		if (at < patch->at + PTL_MAX(patch->was, patch->size) &&
		    patch->at < end)
			return true;
	}
	return false;
}

static bool is_taken(const struct ptl_patches *patches, size_t nr,
		     const struct ptl_plan_place *place)
{
	bool is_short = place->how == PTL_PLAN_SHORT;
	unsigned int written = is_short ? PTL_PATCH_SHORT : PTL_PATCH_LONG;

	return is_range_taken(patches, nr, place->at,
			      place->at + PTL_MAX(place->size, written)) ||
	       (is_short && is_range_taken(patches, nr, place->island,
					   place->island + PTL_PATCH_LONG));
}

/* One that its type has, and this probe not, is 0. */
static void add_arguments(struct ptl_patches *patches,
			  const struct ptl_probe *probe)
{
	const char *fields = probe->type + strlen(probe->type) + 1;

	for (; *fields != '\0';
	     fields += strcspn(fields, " "), fields += strspn(fields, " ")) {
		size_t i = strtoul(fields + strlen("arg"), NULL, 10) - 1;
		struct ptl_patch_argument argument = {.size = 8};

		if (i < probe->note->nr_arguments &&
		    !(probe->note->unknown >> i & 1))
			argument = probe->note->argument[i];
		if (fields[strcspn(fields, ":") + 1] == 's')
			argument.how |= PTL_PATCH_STRING;
		ptl_buffer_add(&patches->arguments, &argument,
			       sizeof(argument));
	}
}

static void describe_probe(struct ptl_patches *patches,
			   const struct ptl_probe *probe, size_t word)
{
	const size_t size = sizeof(struct ptl_patch_argument);
	struct ptl_patch_probe described = {
		.semaphore = probe->note->semaphore,
		.word = (uint32_t)word,
		.argument = (uint32_t)(patches->arguments.nr / size),
		.text = (uint32_t)patches->texts.nr,
		.text_size = (uint32_t)probe->type_size,
	};

	add_arguments(patches, probe);
	described.nr_arguments =
		(uint32_t)(patches->arguments.nr / size) - described.argument;
	ptl_buffer_add(&patches->texts, probe->type, probe->type_size);
	ptl_buffer_add(&patches->probes, &described, sizeof(described));
}

/* Of a place that has been made, with all its probes. */
static void describe_probes(struct ptl_patches *patches,
			    const struct ptl_probe *probe,
			    const struct ptl_move *how)
{
	for (size_t i = 0; i < how->nr_probes; i++)
		describe_probe(patches, &probe[i], how->probe[i].word);
}

/* A place, and the probes inside it, which are `nr' with its own. */
static enum ptl_plan_why add_group(struct ptl_patches *patches,
				   const struct ptl_probe *probe, size_t nr,
				   size_t nr_functions)
{
	struct ptl_pieces_mark mark = ptl_pieces_mark(&patches->arena);
	size_t nr_patches = patches->nr, nr_was = patches->was.nr;
	struct ptl_move_probe *told = ptl_alloc(nr * sizeof(*told));
	struct ptl_move how = {.probe = told, .nr_probes = nr};
	enum ptl_plan_why why = PTL_PLAN_WHY_NOT;

	for (size_t i = 0; i < nr; i++) {
		told[i].at = probe[i].note->at;
		told[i].word = ptl_pieces_add_word(&patches->arena, told[i].at);
		ptl_pieces_add_word(&patches->arena, 0);
	}
	if (is_taken(patches, nr_functions, &probe->place))
		why = PTL_PLAN_PROBE_TAKEN;
	else if (!ptl_patches_place(patches, &probe->place, &how))
		why = PTL_PLAN_FAR;
	if (why == PTL_PLAN_WHY_NOT) {
		describe_probes(patches, probe, &how);
	} else {
		ptl_pieces_return(&patches->arena, &mark);
		patches->nr = nr_patches;
		patches->was.nr = nr_was;
	}
	free(told);
	return why;
}

/* Probes that are inside a place stand behind the one that has it. */
void ptl_patches_add_probes(struct ptl_patches *patches,
			    struct ptl_probes *probes)
{
	size_t nr_functions, nr;

	ptl_patches_needed(patches);
	nr_functions = patches->nr;
	for (size_t i = 0; i < probes->nr; i += nr) {
		struct ptl_probe *probe = &probes->probe[i];
		enum ptl_plan_why why = probe->place.why;

		for (nr = 1; i + nr < probes->nr &&
			     probe[nr].place.how == PTL_PLAN_INSIDE;)
			nr++;
		/* What it is inside of is refused. */
		if (probe->place.how == PTL_PLAN_INSIDE)
			why = PTL_PLAN_PROBE_ROOM;
		if (why == PTL_PLAN_WHY_NOT)
			why = add_group(patches, probe, nr, nr_functions);
		for (size_t k = 0; k < nr && why != PTL_PLAN_WHY_NOT; k++) {
			probe[k].place.how = PTL_PLAN_NOT;
			probe[k].place.why = (uint8_t)why;
			patches->nr_refused[why]++;
		}
		if (why == PTL_PLAN_WHY_NOT)
			patches->nr_functions += nr;
	}
}
