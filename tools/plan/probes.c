/* SPDX-License-Identifier: MIT */
/* Places of probes, and types of their events; see probes.h. */
#include "tools/plan/probes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/plan/move.h"
#include "tools/plan/places.h"

/* Instructions before a probe that are moved with it. */
#define BEFORE 4

/* ---- places ---------------------------------------------------------- */

static bool is_target(struct ptl_plan *plan, uint64_t from, uint64_t to)
{
	return ptl_code_has(&plan->code, from, to, PTL_BYTE_TARGET);
}

static bool decode(struct ptl_plan *plan, uint64_t at, struct ptl_x86 *insn,
		   const unsigned char **code)
{
	size_t size;

	*code = ptl_code_bytes(&plan->code, at, at + PTL_X86_LONGEST, &size);
	return *code != NULL && ptl_x86_decode(*code, size, insn);
}

/* What another place has, or its island in padding, is not moved. */
static bool can_move(struct ptl_plan *plan, uint64_t at,
		     const struct ptl_x86 *insn, const unsigned char *code)
{
	if (ptl_code_has(&plan->code, at, at + insn->size, PTL_BYTE_TAKEN))
		return false;
	if (ptl_place_calls(insn))
		return ptl_move_can_call(insn, code);
	return insn->kind != PTL_X86_SYSTEM && !ptl_place_is_near(insn) &&
	       !ptl_code_has(&plan->code, at, at + insn->size, PTL_BYTE_CAUGHT);
}

/*
 * Of instructions from there on, behind the operation: so many that a jump of
 * that many bytes fits; or all that is left of it is on padding.
 */
static enum ptl_plan_why plan_behind(struct ptl_plan *plan,
				     struct ptl_plan_place *place, uint64_t at,
				     unsigned int size)
{
	uint64_t end = place->at + size;

	while (at < end) {
		const unsigned char *code;
		struct ptl_x86 insn;

		if (is_target(plan, at, at + 1))
			return PTL_PLAN_PROBE_TARGET;
		if (!decode(plan, at, &insn, &code) ||
		    !can_move(plan, at, &insn, code))
			return PTL_PLAN_PROBE_ROOM;
		if (is_target(plan, at + 1, at + insn.size))
			return PTL_PLAN_PROBE_TARGET;
		at += insn.size;
		if (ptl_place_ends(&insn) || ptl_place_calls(&insn))
			break;
	}
	if (at < end && !ptl_code_is_free(&plan->code, at, end))
		return PTL_PLAN_PROBE_ROOM;
	place->size = (uint8_t)(at - place->at);
	place->how = at < end ? PTL_PLAN_PADDING : PTL_PLAN_JUMP;
	return PTL_PLAN_WHY_NOT;
}

/* The instruction that ends there, if the sweep came by it and it is plain; or
 * a branch past the probe, of a program that asks whether somebody wants it. */
static bool find_before(struct ptl_plan *plan, uint64_t end, uint64_t *at)
{
	for (*at = end - 1; *at + PTL_X86_LONGEST >= end; --*at) {
		const unsigned char *code;
		struct ptl_x86 insn;

		if (!(ptl_code_known(&plan->code, *at) & PTL_BYTE_INSN))
			continue;
		return decode(plan, *at, &insn, &code) &&
		       *at + insn.size == end &&
		       (insn.kind == PTL_X86_PLAIN ||
			insn.kind == PTL_X86_BRANCH) &&
		       can_move(plan, *at, &insn, code) &&
		       !is_target(plan, *at + 1, end);
	}
	return false;
}

/* With instructions before it, down to `least', which another place has; they
 * end at `end' then. */
static bool plan_before(struct ptl_plan *plan, struct ptl_plan_place *place,
			uint64_t end, uint64_t least, unsigned int size)
{
	uint64_t begin = place->at;

	for (unsigned int i = 0; i < BEFORE && end - begin < size; i++) {
		uint64_t before;

		/* Code that comes here leaves out what is before it. */
		if (is_target(plan, begin, begin + 1) ||
		    !find_before(plan, begin, &before) || before < least)
			return false;
		begin = before;
	}
	if (end - begin < size)
		return false;
	place->at = begin;
	place->size = (uint8_t)(end - begin);
	place->how = PTL_PLAN_JUMP;
	return true;
}

/* Padding that a short jump which ends there reaches; 0: none. */
static uint64_t find_island(struct ptl_plan *plan, uint64_t from)
{
	unsigned int nr = 0;

	/* The first byte is between from - 128 and from + 127. */
	for (uint64_t at = from - 128; at < from + 127 + PTL_JUMP_SIZE; at++) {
		nr = ptl_code_is_free(&plan->code, at, at + 1) ? nr + 1 : 0;
		if (nr == PTL_JUMP_SIZE)
			return at + 1 - PTL_JUMP_SIZE;
	}
	return 0;
}

static bool plan_short(struct ptl_plan *plan, struct ptl_plan_place *place,
		       uint64_t end, uint64_t least)
{
	if (place->at < 128 ||
	    (plan_behind(plan, place, end, PTL_SHORT_SIZE) !=
		     PTL_PLAN_WHY_NOT &&
	     !plan_before(plan, place, end, least, PTL_SHORT_SIZE)))
		return false;
	place->how = PTL_PLAN_SHORT;
	/* The rest of what is moved may be padding, but not the island. */
	ptl_code_mark(&plan->code, place->at,
		      place->at + PTL_MAX(place->size, PTL_SHORT_SIZE),
		      PTL_BYTE_TAKEN);
	place->island = find_island(plan, place->at + PTL_SHORT_SIZE);
	return place->island != 0;
}

static bool has_labels(const struct ptl_plan *plan, uint64_t at)
{
	const struct ptl_plan_function *function = ptl_plan_in(plan, at);

	return function != NULL &&
	       (function->has_labels || function->has_unknown);
}

/* Nothing of its place is before `least', where that of another one ends. */
static enum ptl_plan_why plan_one(struct ptl_plan *plan,
				  struct ptl_plan_place *place, uint64_t at,
				  uint64_t least)
{
	const unsigned char *code;
	enum ptl_plan_why why;
	struct ptl_x86 insn;

	if (plan->is_loader)
		return PTL_PLAN_LOADER;
	if (ptl_code_at(&plan->code, at) == NULL)
		return PTL_PLAN_PROBE_OUTSIDE;
	if (!decode(plan, at, &insn, &code) || !ptl_x86_is_nop(&insn))
		return PTL_PLAN_PROBE_NO_NOP;
	if (is_target(plan, at + 1, at + insn.size))
		return PTL_PLAN_PROBE_TARGET;
	if (has_labels(plan, at))
		return PTL_PLAN_LABELS;
	if (at < least || !can_move(plan, at, &insn, code))
		return PTL_PLAN_PROBE_ROOM;
	place->at = at;
	at += insn.size;
	why = plan_behind(plan, place, at, PTL_JUMP_SIZE);
	if (why == PTL_PLAN_WHY_NOT ||
	    plan_before(plan, place, at, least, PTL_JUMP_SIZE) ||
	    plan_short(plan, place, at, least))
		return PTL_PLAN_WHY_NOT;
	return why;
}

/* Is one there, of those from `from' on? */
static bool is_insn(struct ptl_plan *plan, uint64_t from, uint64_t at)
{
	const unsigned char *code;
	struct ptl_x86 insn = {.size = 1};

	for (; from < at; from += insn.size)
		if (!decode(plan, from, &insn, &code))
			return false;
	return from == at && decode(plan, at, &insn, &code) &&
	       ptl_x86_is_nop(&insn);
}

/* Returns where the place ends. */
static uint64_t take(struct ptl_plan *plan, const struct ptl_plan_place *place)
{
	bool is_short = place->how == PTL_PLAN_SHORT;
	unsigned int written = is_short ? PTL_SHORT_SIZE : PTL_JUMP_SIZE;
	uint64_t end = place->at + PTL_MAX(place->size, written);

	ptl_code_mark(&plan->code, place->at, end, PTL_BYTE_TAKEN);
	if (is_short)
		ptl_code_mark(&plan->code, place->island,
			      place->island + PTL_JUMP_SIZE, PTL_BYTE_TAKEN);
	return end;
}

/* One more instruction is moved with a place that goes on there: the operation,
 * beside which there is no room. */
static bool join(struct ptl_plan *plan, struct ptl_plan_place *place,
		 uint64_t at)
{
	const unsigned char *code;
	struct ptl_x86 insn;

	if (place == NULL || place->at + place->size != at ||
	    place->size > UINT8_MAX - PTL_X86_LONGEST ||
	    is_target(plan, at, at + 1) || !ptl_entry_goes_on(plan, place) ||
	    !decode(plan, at, &insn, &code) || !ptl_x86_is_nop(&insn) ||
	    is_target(plan, at + 1, at + insn.size))
		return false;
	place->size = (uint8_t)(place->size + insn.size);
	ptl_code_mark(&plan->code, at, at + insn.size, PTL_BYTE_TAKEN);
	return true;
}

/* How the one there is patched; `leader' is the last place before it. */
static enum ptl_plan_why plan_next(struct ptl_plan *plan,
				   struct ptl_plan_place *place, uint64_t at,
				   struct ptl_plan_place **leader,
				   uint64_t *end)
{
	enum ptl_plan_why why;

	*place = (struct ptl_plan_place){.kind = PTL_PLAN_PROBE};
	if (plan->code.is_a64)
		return PTL_PLAN_PROBE_MACHINE;
	/* One of the instructions that are moved is this. */
	if (*leader != NULL && at < (*leader)->at + (*leader)->size &&
	    is_insn(plan, (*leader)->at, at)) {
		place->how = PTL_PLAN_INSIDE;
		return PTL_PLAN_WHY_NOT;
	}
	why = plan_one(plan, place, at, *end);
	if (why == PTL_PLAN_WHY_NOT) {
		*leader = place;
		*end = take(plan, place);
		return why;
	}
	*place = (struct ptl_plan_place){.kind = PTL_PLAN_PROBE};
	if (!join(plan, *leader, at))
		return why;
	place->how = PTL_PLAN_INSIDE;
	*end = PTL_MAX(*end, (*leader)->at + (*leader)->size);
	return PTL_PLAN_WHY_NOT;
}

static void plan_places(struct ptl_probes *probes, struct ptl_plan *plan)
{
	struct ptl_plan_place *leader = NULL;
	uint64_t end = 0;

	/* What functions would take is none of what these may not have: most of
	 * them are not traced. */
	ptl_code_clear(&plan->code, PTL_BYTE_TAKEN);
	for (size_t i = 0; i < probes->nr; i++) {
		struct ptl_plan_place *place = &probes->probe[i].place;
		enum ptl_plan_why why = plan_next(
			plan, place, probes->probe[i].note->at, &leader, &end);

		place->why = (uint8_t)why;
		/* Who is inside a place follows it. */
		if (why != PTL_PLAN_WHY_NOT)
			leader = NULL;
	}
}

/* ---- types ----------------------------------------------------------- */

static bool is_same_type(const struct ptl_note *a, const struct ptl_note *b)
{
	return strcmp(a->provider, b->provider) == 0 &&
	       strcmp(a->name, b->name) == 0;
}

/* 0: nothing is known of it there. */
static char letter_of(const struct ptl_note *note, size_t i)
{
	const struct ptl_patch_argument *argument = &note->argument[i];

	if (i >= note->nr_arguments || note->unknown >> i & 1)
		return '\0';
	if (argument->how & PTL_PATCH_FLOAT)
		return 'f';
	/* Most of these are addresses. */
	return argument->size == 8 && !(argument->how & PTL_PATCH_SIGNED) ?
		       'x' :
		       'i';
}

/* A type may have several probes, which need not agree. */
static void find_letters(const struct ptl_notes *notes,
			 const struct ptl_note *note,
			 char letter[PTL_PATCH_ARGUMENTS])
{
	memset(letter, '\0', PTL_PATCH_ARGUMENTS);
	for (size_t k = 0; k < notes->nr; k++) {
		if (!is_same_type(note, &notes->note[k]))
			continue;
		for (size_t i = 0; i < PTL_PATCH_ARGUMENTS; i++) {
			char there = letter_of(&notes->note[k], i);

			if (letter[i] == '\0')
				letter[i] = there;
			else if (there != '\0' && there != letter[i])
				letter[i] = 'x';
		}
	}
}

/* "sdt:PROVIDER:NAME", "arg1:i arg2:x". */
static void name_type(struct ptl_probe *probe, const struct ptl_notes *notes)
{
	const struct ptl_note *note = probe->note;
	char fields[PTL_PATCH_ARGUMENTS * 16] = "", *type;
	char letter[PTL_PATCH_ARGUMENTS];
	size_t used = 0;
	int size;

	find_letters(notes, note, letter);
	/* That is known where there is an address. */
	for (size_t i = 0; i < PTL_PATCH_ARGUMENTS; i++)
		if (letter[i] == 'x' && probe->strings >> i & 1)
			letter[i] = 's';
	for (size_t i = 0; i < PTL_PATCH_ARGUMENTS; i++)
		if (letter[i] != '\0')
			used += (size_t)snprintf(
				fields + used, sizeof(fields) - used,
				"%sarg%zu:%c", used > 0 ? " " : "", i + 1,
				letter[i]);
	size = asprintf(&type, "sdt:%s:%s%c%s", note->provider, note->name, 0,
			fields);
	if (size < 0) {
		ptl_say("out of memory");
		exit(1);
	}
	probe->type = type;
	probe->type_size = (size_t)size + 1;
}

void ptl_probes_plan(struct ptl_probes *probes, struct ptl_plan *plan,
		     const struct ptl_notes *notes,
		     bool (*wants)(const struct ptl_note *note,
				   uint32_t *strings, void *arg),
		     void *arg)
{
	*probes = (struct ptl_probes){
		.probe = ptl_alloc((notes->nr + 1) * sizeof(*probes->probe)),
	};
	for (size_t i = 0; i < notes->nr; i++) {
		struct ptl_probe *probe = &probes->probe[probes->nr];

		*probe = (struct ptl_probe){.note = &notes->note[i]};
		if (!wants(probe->note, &probe->strings, arg))
			continue;
		name_type(probe, notes);
		probes->nr++;
	}
	plan_places(probes, plan);
}

void ptl_probes_free(struct ptl_probes *probes)
{
	for (size_t i = 0; i < probes->nr; i++)
		free(probes->probe[i].type);
	free(probes->probe);
	*probes = (struct ptl_probes){.probe = NULL};
}
