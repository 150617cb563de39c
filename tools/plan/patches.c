/* SPDX-License-Identifier: MIT */
/* Patches, function by function; see patches.h. */
#include "tools/plan/patches.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/lib/allocator.h"
#include "tools/lib/say.h"
#include "tools/lib/sort.h"
#include "tools/plan/a64.h"
#include "tools/plan/hooks.h"
#include "tools/plan/move.h"
#include "tools/plan/places.h"
#include "tools/plan/rules.h"

/* Code and rules of a function, as a rule. */
#define FUNCTION_SIZE 256

void ptl_patches_begin(struct ptl_patches *patches, struct ptl_plan *plan,
		       bool entries_only)
{
	*patches = (struct ptl_patches){
		.plan = plan,
		.entries_only = entries_only,
	};
	ptl_pieces_begin(&patches->arena, plan, plan->nr * FUNCTION_SIZE);
	patches->is_moved =
		ptl_alloc((plan->nr + 1) * sizeof(*patches->is_moved));
	patches->is_needed =
		ptl_alloc((plan->nr + 1) * sizeof(*patches->is_needed));
}

void ptl_patches_free(struct ptl_patches *patches)
{
	ptl_pieces_free(&patches->arena);
	free(patches->patch);
	free(patches->was.bytes);
	free(patches->told.bytes);
	free(patches->prototypes.bytes);
	free(patches->texts.bytes);
	free(patches->probes.bytes);
	free(patches->arguments.bytes);
	free(patches->is_moved);
	free(patches->is_needed);
}

/* What is there, as far as it is moved or written. */
static bool keep_was(struct ptl_patches *patches, uint64_t at, size_t size)
{
	size_t there;
	const unsigned char *bytes =
		ptl_code_bytes(&patches->plan->code, at, at + size, &there);

	if (bytes == NULL || there < size)
		return false;
	ptl_buffer_add(&patches->was, bytes, size);
	return true;
}

static bool add(struct ptl_patches *patches, const struct ptl_patch *patch)
{
	if (!keep_was(patches, patch->at, patch->was))
		return false;
	patches->patch = ptl_grow(patches->patch, patches->nr, &patches->room,
				  sizeof(*patches->patch));
	patches->patch[patches->nr++] = *patch;
	return true;
}

/* The jump at a place to its piece, over an island if it is short. */
static bool add_jumps(struct ptl_patches *patches,
		      const struct ptl_plan_place *place, uint32_t piece)
{
	struct ptl_patch jump = {
		.at = place->at,
		.to = piece,
		.size = (uint8_t)patches->plan->code.jump,
	};

	jump.was = PTL_MAX(place->size, jump.size);
	if (place->how != PTL_PLAN_SHORT)
		return add(patches, &jump);
	jump.at = place->island;
	jump.was = PTL_PATCH_LONG;
	if (!add(patches, &jump))
		return false;
	ptl_rules_island(&patches->arena, place->island, place->at);
	jump = (struct ptl_patch){
		.at = place->at,
		.size = PTL_PATCH_SHORT,
		.distance =
			(int8_t)(place->island - (place->at + PTL_PATCH_SHORT)),
		.was = PTL_MAX(place->size, PTL_PATCH_SHORT),
	};
	return add(patches, &jump);
}

bool ptl_patches_place(struct ptl_patches *patches,
		       const struct ptl_plan_place *place,
		       const struct ptl_move *how)
{
	uint32_t piece = patches->plan->code.is_a64 ?
				 ptl_a64_move(&patches->arena, place, how) :
				 ptl_move(&patches->arena, place, how);

	return piece != 0 && add_jumps(patches, place, piece);
}

/* An island may be in what is spare of another function's entry: that is moved,
 * too. */
static void note_island(struct ptl_patches *patches,
			const struct ptl_plan_place *place)
{
	if (place->how != PTL_PLAN_SHORT)
		return;
	for (unsigned int i = 0; i < PTL_PATCH_LONG; i++) {
		const struct ptl_plan_function *other =
			ptl_plan_in(patches->plan, place->island + i);

		if (other != NULL && other->lends)
			patches->is_needed[other - patches->plan->function] =
				true;
	}
}

/* Of functions that nobody wants nothing is told.  If one cannot be moved, what
 * depends on it is not known any more. */
void ptl_patches_needed(struct ptl_patches *patches)
{
	const struct ptl_move silent = {.has_exits = false};

	for (size_t i = 0; i < patches->plan->nr; i++) {
		if (!patches->is_needed[i] || patches->is_moved[i])
			continue;
		patches->is_moved[i] = true;
		if (ptl_patches_place(patches,
				      &patches->plan->function[i].entry,
				      &silent))
			continue;
		patches->nr_refused[PTL_PLAN_FAR] += patches->nr_functions;
		patches->nr = patches->nr_functions = patches->told.nr = 0;
		patches->was.nr = 0;
		memset(patches->is_needed, 0,
		       patches->plan->nr * sizeof(*patches->is_needed));
		return;
	}
}

/* Is it moved with the entry, or an exit? */
static bool is_moved(const struct ptl_patches *patches,
		     const struct ptl_plan_function *function, bool has_exits,
		     uint64_t at)
{
	if (at >= function->entry.at &&
	    at < function->entry.at + function->entry.size)
		return true;
	for (size_t i = 0; has_exits && i < function->nr_exits; i++) {
		const struct ptl_plan_place *exit =
			&patches->plan->exit[function->first_exit + i];

		if (at >= exit->at && at < exit->at + exit->size)
			return true;
	}
	return false;
}

static bool add_hooks(struct ptl_patches *patches,
		      const struct ptl_plan_function *function,
		      const struct ptl_move *how)
{
	const struct ptl_plan *plan = patches->plan;
	const struct ptl_plan_hook *hook =
		ptl_hooks_from(plan, function->start);
	uint32_t number = (uint32_t)(function - plan->function);

	for (; hook != NULL && hook < plan->hook + plan->nr_hooks &&
	       hook->function == number;
	     hook++) {
		struct ptl_plan_place place = {
			.at = hook->at,
			.function = number,
			.size = hook->size,
			.kind = PTL_PLAN_HOOK,
			.how = PTL_PLAN_JUMP,
		};

		patches->has_hooks = true;
		if (!is_moved(patches, function, how->has_exits, hook->at) &&
		    !ptl_patches_place(patches, &place, how))
			return false;
	}
	return true;
}

static bool has_role(const struct ptl_plan_function *function)
{
	return function->role.kind != PTL_ROLE_NONE;
}

static bool is_typed(const struct ptl_plan_function *function)
{
	return function->prototype != NULL || has_role(function);
}

/* With a role all is taken that is up to the last argument that counts, as it
 * is. */
static const char *text_of(const struct ptl_plan_function *function)
{
	static const char words[] = "ppppppp";

	return has_role(function) ?
		       words + sizeof(words) - 2 -
			       ptl_allocator_arguments(&function->role) :
		       function->prototype;
}

/* Of structures, by what the names behind the code say (libptrace-events(7)).
 */
static void set_sizes(struct ptl_patch_prototype *prototype, const char *names)
{
	for (unsigned int i = 0; i < PTL_PATCH_SIZED && *names != '\0'; i++) {
		const char *item = names + 1;
		unsigned long size, unit;

		names = item + strcspn(item, ",");
		item += strcspn(item, ";,");
		unit = prototype->code[i] == 'R' ? sizeof(uint64_t) : 1;
		if (item[0] != ';' || item[1] != '*')
			continue;
		size = (strtoul(item + 2, NULL, 10) + unit - 1) / unit;
		prototype->size[i] = (uint8_t)PTL_MIN(size, UINT8_MAX);
	}
}

/* The function's name is left to readers, as where it has no prototype. */
static void add_prototype(struct ptl_patches *patches,
			  const struct ptl_plan_function *function, size_t word)
{
	const char address[sizeof(uint64_t)] = "", names[2] = "";
	const char *text = text_of(function);
	struct ptl_patch_prototype prototype = {
		.word = (uint32_t)word,
		.text = (uint32_t)patches->texts.nr,
		.has_loop = function->has_loop,
	};
	size_t size = strcspn(text, " ");

	prototype.role = function->role;
	memcpy(prototype.code, text, PTL_MIN(size, sizeof(prototype.code) - 1));
	set_sizes(&prototype, text + size);
	ptl_buffer_add(&patches->texts, address, sizeof(address));
	ptl_buffer_add(&patches->texts, names, sizeof(names));
	ptl_buffer_add(&patches->texts, text, strlen(text) + 1);
	prototype.text_size = (uint32_t)patches->texts.nr - prototype.text;
	ptl_buffer_add(&patches->prototypes, &prototype, sizeof(prototype));
}

static enum ptl_patch_slot slot_of(const struct ptl_plan_function *function,
				   bool has_exits)
{
	bool typed = is_typed(function);

	if (!has_exits)
		return typed ? PTL_PATCH_ENTRY_TYPED : PTL_PATCH_ENTRY;
	if (function->has_loop)
		return typed ? PTL_PATCH_LOOP_TYPED : PTL_PATCH_LOOP;
	return typed ? PTL_PATCH_BEGIN_TYPED : PTL_PATCH_BEGIN;
}

/* Exits before the entry, which tells of them. */
static bool add_function(struct ptl_patches *patches,
			 const struct ptl_plan_function *function,
			 bool has_exits)
{
	struct ptl_move how = {
		.has_exits = has_exits,
		.is_traced = true,
		.is_typed = is_typed(function),
		.has_role = has_role(function),
	};

	how.word = ptl_pieces_add_word(&patches->arena, function->start);
	if (how.is_typed) {
		ptl_pieces_add_word(&patches->arena, 0);
		add_prototype(patches, function, how.word);
	}
	for (size_t i = 0; has_exits && i < function->nr_exits; i++) {
		const struct ptl_plan_place *exit =
			&patches->plan->exit[function->first_exit + i];

		if (exit->how == PTL_PLAN_INSIDE)
			continue;
		if (!ptl_patches_place(patches, exit, &how))
			return false;
		note_island(patches, exit);
	}
	if (!add_hooks(patches, function, &how))
		return false;
	how.is_entry = true;
	how.entry = slot_of(function, has_exits);
	note_island(patches, &function->entry);
	return ptl_patches_place(patches, &function->entry, &how);
}

static enum ptl_plan_why refuse(struct ptl_patches *patches,
				enum ptl_plan_why why)
{
	patches->nr_refused[why]++;
	return why;
}

enum ptl_plan_why ptl_patches_add(struct ptl_patches *patches,
				  struct ptl_plan_function *function)
{
	size_t number = (size_t)(function - patches->plan->function);
	struct ptl_pieces_mark mark = ptl_pieces_mark(&patches->arena);
	size_t nr = patches->nr, nr_was = patches->was.nr;
	size_t nr_prototypes = patches->prototypes.nr;
	size_t nr_texts = patches->texts.nr;
	bool has_exits = !patches->entries_only &&
			 function->exit_why == PTL_PLAN_WHY_NOT;

	if (function->why != PTL_PLAN_WHY_NOT)
		return refuse(patches, function->why);
	if (!has_exits && function->has_loop)
		return refuse(patches, PTL_PLAN_LOOPS);
	/* What it returns would not be known. */
	if (!has_exits && has_role(function) &&
	    function->role.kind != PTL_ROLE_FREE)
		return refuse(patches, function->exit_why);
	if (!add_function(patches, function, has_exits)) {
		ptl_pieces_return(&patches->arena, &mark);
		patches->nr = nr;
		patches->was.nr = nr_was;
		patches->prototypes.nr = nr_prototypes;
		patches->texts.nr = nr_texts;
		return refuse(patches, PTL_PLAN_FAR);
	}
	patches->is_moved[number] = true;
	patches->nr_functions++;
	if (!has_exits && !patches->entries_only)
		patches->nr_entry_only[function->exit_why]++;
	return PTL_PLAN_WHY_NOT;
}

/* A patch, and where what was there is. */
struct placed {
	struct ptl_patch patch;
	size_t was;
};

/* Patches are written page by page. */
static void sort(struct ptl_patches *patches)
{
	struct placed *placed = ptl_alloc((patches->nr + 1) * sizeof(*placed));
	struct ptl_buffer was = {NULL};
	size_t at = 0;

	for (size_t i = 0; i < patches->nr; i++) {
		placed[i] = (struct placed){patches->patch[i], at};
		at += patches->patch[i].was;
	}
	ptl_sort_by_number(placed, patches->nr, sizeof(*placed));
	for (size_t i = 0; i < patches->nr; i++) {
		patches->patch[i] = placed[i].patch;
		ptl_buffer_add(&was, patches->was.bytes + placed[i].was,
			       placed[i].patch.was);
	}
	free(placed);
	free(patches->was.bytes);
	patches->was = was;
}

static void tell(struct ptl_patches *patches, const char *sign, size_t nr,
		 const char *what, const char *text)
{
	char line[32];

	snprintf(line, sizeof(line), "%s%zu ", sign, nr);
	ptl_buffer_add(&patches->told, line, strlen(line));
	ptl_buffer_add(&patches->told, what, strlen(what));
	ptl_buffer_add(&patches->told, text, strlen(text));
	ptl_buffer_add(&patches->told, "\n", 1);
}

void ptl_patches_tell(struct ptl_patches *patches, size_t nr,
		      const char *pattern)
{
	tell(patches, "", nr, "", pattern);
}

static void tell_reasons(struct ptl_patches *patches)
{
	for (unsigned int why = 1; why < PTL_PLAN_WHYS; why++) {
		if (patches->nr_refused[why] > 0)
			tell(patches, "-", patches->nr_refused[why], "",
			     ptl_plan_why(why));
		if (patches->nr_entry_only[why] > 0)
			tell(patches, "-", patches->nr_entry_only[why],
			     "entry only: ", ptl_plan_why(why));
	}
}

static void describe(const struct ptl_elf_image *image,
		     struct ptl_patch_file *file)
{
	struct stat st;

	*file = (struct ptl_patch_file){.id_size = 0};
	if (image->id_size > 0 && image->id_size <= PTL_PATCH_ID) {
		file->id_size = (uint32_t)image->id_size;
		memcpy(file->id, image->id, image->id_size);
	}
	if (image->fd < 0 || fstat(image->fd, &st) != 0)
		return;
	file->size = (uint64_t)st.st_size;
	file->device = st.st_dev;
	file->inode = st.st_ino;
	file->mtime_sec = st.st_mtim.tv_sec;
	file->mtime_nsec = st.st_mtim.tv_nsec;
}

void ptl_patches_add_site(struct ptl_patches *patches,
			  const struct ptl_plan_site *site)
{
	struct ptl_pieces_mark mark = ptl_pieces_mark(&patches->arena);
	struct ptl_move how = {.is_system = true};

	if (site->place.how == PTL_PLAN_NOT) {
		patches->nr_refused[site->place.why]++;
		return;
	}
	how.word = ptl_pieces_add_word(&patches->arena,
				       site->at + PTL_PATCH_SYSTEM_SIZE);
	if (ptl_patches_place(patches, &site->place, &how)) {
		patches->nr_functions++;
		return;
	}
	ptl_pieces_return(&patches->arena, &mark);
	patches->nr_refused[PTL_PLAN_FAR]++;
}

static uint64_t add_part(struct ptl_buffer *to, size_t begin, const void *bytes,
			 size_t size)
{
	uint64_t at;

	while ((to->nr - begin) % 8 != 0)
		ptl_buffer_add(to, "", 1);
	at = to->nr - begin;
	ptl_buffer_add(to, bytes, size);
	return at;
}

/* All that is behind the head. */
static void add_parts(struct ptl_patches *patches,
		      struct ptl_patch_block *block,
		      const struct ptl_pieces_shape *shape,
		      struct ptl_buffer *to, size_t begin)
{
	struct ptl_pieces *arena = &patches->arena;

	block->patches = add_part(to, begin, patches->patch,
				  patches->nr * sizeof(*patches->patch));
	block->was = add_part(to, begin, patches->was.bytes, patches->was.nr);
	block->relocations =
		add_part(to, begin, arena->relocation,
			 arena->nr_relocations * sizeof(*arena->relocation));
	block->told =
		add_part(to, begin, patches->told.bytes, patches->told.nr);
	block->arena = add_part(to, begin, NULL, 0);
	ptl_pieces_put_all(arena, shape, to);
	block->arena_size = to->nr - begin - block->arena;
	block->prototypes = add_part(to, begin, patches->prototypes.bytes,
				     patches->prototypes.nr);
	block->nr_prototypes =
		patches->prototypes.nr / sizeof(struct ptl_patch_prototype);
	block->texts =
		add_part(to, begin, patches->texts.bytes, patches->texts.nr);
	block->texts_size = patches->texts.nr;
	block->probes =
		add_part(to, begin, patches->probes.bytes, patches->probes.nr);
	block->nr_probes = patches->probes.nr / sizeof(struct ptl_patch_probe);
	block->arguments = add_part(to, begin, patches->arguments.bytes,
				    patches->arguments.nr);
	block->nr_arguments =
		patches->arguments.nr / sizeof(struct ptl_patch_argument);
}

void ptl_patches_finish(struct ptl_patches *patches, struct ptl_buffer *to)
{
	struct ptl_pieces *arena = &patches->arena;
	struct ptl_patch_block block = {
		.magic = PTL_PATCH_MAGIC,
		.version = PTL_PATCH_VERSION,
		.arena_at = arena->at,
	};
	struct ptl_pieces_shape shape;
	size_t begin = to->nr;

	ptl_patches_needed(patches);
	sort(patches);
	tell_reasons(patches);
	ptl_pieces_finish(arena, &shape);
	block.nr_functions = patches->nr_functions;
	block.nr_patches = patches->nr;
	block.was_size = patches->was.nr;
	block.nr_relocations = arena->nr_relocations;
	block.told_size = patches->told.nr;
	block.nr_words = shape.nr_words;
	block.code = shape.code;
	block.code_size = shape.code_size;
	block.frames = shape.frames;
	block.islands = shape.islands;
	block.has_hooks = patches->has_hooks;
	block.is_of_calls = patches->is_of_calls;
	block.uses_gs = patches->plan->uses_gs;
	describe(&patches->plan->code.image, &block.file);
	ptl_buffer_add(to, &block, sizeof(block));
	add_parts(patches, &block, &shape, to, begin);
	block.size = add_part(to, begin, NULL, 0);
	memcpy(to->bytes + begin, &block, sizeof(block));
}
