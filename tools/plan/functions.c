/* SPDX-License-Identifier: MIT */
/* The functions of a file; see functions.h. */
#include "tools/plan/functions.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/sort.h"
#include "tools/symbolize/find.h"
#include "tools/symbolize/minidebug.h"
#include "tools/symbolize/symtab.h"

static void add(struct ptl_plan *plan, uint64_t start, uint64_t end,
		const char *name)
{
	struct ptl_section *section = ptl_code_at(&plan->code, start);

	if (section == NULL || section->is_plt)
		return;
	plan->function = ptl_grow(plan->function, plan->nr, &plan->room,
				  sizeof(*plan->function));
	plan->function[plan->nr++] = (struct ptl_plan_function){
		.start = start,
		.end = end < section->end ? end : section->end,
		.name = name,
	};
}

/* Of each name, before one for each address is chosen. */
static void add_aliases(struct ptl_plan *plan, const struct ptl_symtab *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		plan->alias =
			ptl_grow(plan->alias, plan->nr_aliases,
				 &plan->aliases_room, sizeof(*plan->alias));
		plan->alias[plan->nr_aliases++] = (struct ptl_plan_alias){
			table->symbol[i].value, table->symbol[i].name};
	}
}

static int by_name(const void *a, const void *b)
{
	const struct ptl_plan_alias *left = a, *right = b;

	return strcmp(left->name, right->name);
}

static void sort_aliases(struct ptl_plan *plan)
{
	struct ptl_plan_alias *alias = plan->alias;
	size_t first = 0;

	ptl_sort_by_number(alias, plan->nr_aliases, sizeof(*alias));
	for (size_t i = 1; i <= plan->nr_aliases; i++) {
		if (i < plan->nr_aliases && alias[i].at == alias[first].at)
			continue;
		if (i - first > 1)
			qsort(alias + first, i - first, sizeof(*alias),
			      by_name);
		first = i;
	}
}

static void read_symbols(struct ptl_plan *plan, const char *path,
			 struct ptl_symtab *table)
{
	struct ptl_elf_image *image = &plan->code.image, other;
	struct ptl_wanted wanted = {
		.path = path,
		.id = image->id,
		.id_size = image->id_size,
		.size = image->high - image->low,
	};

	plan->has_symbols = ptl_symtab_read(table, image);
	if (!plan->has_symbols && ptl_minidebug_open(image, &other))
		plan->has_symbols = ptl_symtab_read(table, &other);
	plan->has_own_symbols = plan->has_symbols;
	if (!plan->has_symbols && ptl_find_debug(&wanted, image, &other)) {
		plan->has_symbols = ptl_symtab_read(table, &other);
		ptl_image_keep(&other);
	}
}

/* A symbol inside a function is another entry of it, as assembly has them. */
static void add_symbols(struct ptl_plan *plan, const struct ptl_symtab *table)
{
	for (size_t i = 0; i < table->nr; i++) {
		const struct ptl_symbol *symbol = &table->symbol[i];

		ptl_code_mark(&plan->code, symbol->value, symbol->value + 1,
			      PTL_BYTE_TARGET);
		if (ptl_symtab_is_label(symbol))
			continue;
		ptl_code_mark(&plan->code, symbol->value, symbol->value + 1,
			      PTL_BYTE_CALLED);
		add(plan, symbol->value, symbol->end, symbol->name);
	}
}

/* A frame in the middle of a function is one of its assembly's. */
static void add_frames(struct ptl_plan *plan, size_t nr_named)
{
	size_t k = 0;
	uint64_t end = 0;

	for (size_t i = 0; i < plan->frames.nr; i++) {
		const struct ptl_unwind_frame *frame = &plan->frames.frame[i];

		while (k < nr_named &&
		       plan->function[k].start <= frame->start) {
			if (plan->function[k].end > end)
				end = plan->function[k].end;
			k++;
		}
		ptl_code_mark(&plan->code, frame->start, frame->start + 1,
			      PTL_BYTE_TARGET);
		if (frame->start >= end)
			add(plan, frame->start, frame->end, NULL);
	}
}

/* Of those that begin at one place the shortest is kept. */
static void sort(struct ptl_plan *plan)
{
	struct ptl_plan_function *function = plan->function;
	size_t nr = 0;

	ptl_sort_by_number(function, plan->nr, sizeof(*function));
	for (size_t i = 0; i < plan->nr; i++) {
		if (nr == 0 || function[nr - 1].start != function[i].start)
			function[nr++] = function[i];
		else if (function[i].end < function[nr - 1].end)
			function[nr - 1] = function[i];
	}
	plan->nr = nr;
}

void ptl_functions_read(struct ptl_plan *plan, const char *path)
{
	struct ptl_symtab table = {.nr = 0};

	read_symbols(plan, path, &table);
	add_aliases(plan, &table);
	sort_aliases(plan);
	ptl_symtab_sort(&table);
	add_symbols(plan, &table);
	sort(plan);
	add_frames(plan, plan->nr);
	sort(plan);
	ptl_plan_index(plan);
	free(table.symbol);
}

static bool is_one_of(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strcmp(name, names[i]) == 0)
			return true;
	return false;
}

#define IS_ONE_OF(name, names) \
	is_one_of(name, names, sizeof(names) / sizeof(*(names)))

/* What crt files bring, and runs before or behind everything. */
static bool is_startup(const char *name)
{
	static const char *const names[] = {
		"_start",
		"_init",
		"_fini",
		"frame_dummy",
		"register_tm_clones",
		"deregister_tm_clones",
		"__do_global_dtors_aux",
		"__do_global_ctors_aux",
		"__libc_csu_init",
		"__libc_csu_fini",
		"_dl_relocate_static_pie",
		"__libc_start_main",
	};

	return IS_ONE_OF(name, names);
}

/* Of libc: what comes back twice, or on another stack. */
static bool is_of_stacks(const char *name)
{
	static const char *const names[] = {
		"vfork",	  "clone",
		"clone3",	  "getcontext",
		"setcontext",	  "makecontext",
		"swapcontext",	  "setjmp",
		"sigsetjmp",	  "longjmp",
		"siglongjmp",	  "longjmp_chk",
		"start_context",  "sigsetjmp_cancel",
		"longjmp_cancel",
	};

	return IS_ONE_OF(name + strspn(name, "_"), names);
}

/* Of libc: what the recorder asks where it may make no system call
 * (preload/launch/filter.c). */
static bool is_of_recorder(const char *name)
{
	static const char *const names[] = {
		"pthread_self",
		"thrd_current",
		"pthread_getcpuclockid",
	};

	return IS_ONE_OF(name + strspn(name, "_"), names);
}

static enum ptl_plan_why never(struct ptl_plan *plan,
			       const struct ptl_plan_function *function)
{
	struct ptl_section *section = ptl_code_at(&plan->code, function->start);
	const struct ptl_unwind_frame *frame =
		ptl_frames_find(&plan->frames, function->start);
	const char *name = function->name != NULL ? function->name : "";

	if (frame != NULL && ptl_frame_is_signal(&plan->frames, frame))
		return PTL_PLAN_SIGNAL;
	if (strstr(name, "restore_rt") != NULL)
		return PTL_PLAN_SIGNAL;
	if (is_startup(name) || strcmp(section->name, ".init") == 0 ||
	    strcmp(section->name, ".fini") == 0)
		return PTL_PLAN_STARTUP;
	if (plan->is_loader || (plan->is_libc && strncmp(name, "_dl_", 4) == 0))
		return PTL_PLAN_LOADER;
	if (plan->is_libc && is_of_stacks(name))
		return PTL_PLAN_STACKS;
	if (plan->is_libc && is_of_recorder(name))
		return PTL_PLAN_RECORDER;
	if (frame == NULL)
		return PTL_PLAN_NO_FRAME;
	return PTL_PLAN_WHY_NOT;
}

/* main.cold, main.cold.3; f.part.0 is called, and is a function. */
static bool is_cold(const char *name)
{
	const char *cold = strstr(name, ".cold");

	return cold != NULL && (cold[5] == '\0' || cold[5] == '.');
}

static bool is_at_entry(struct ptl_plan *plan, uint64_t address)
{
	struct ptl_cfa_run run;

	ptl_cfa_begin(&run, &plan->frames,
		      ptl_frames_find(&plan->frames, address));
	return ptl_cfa_is_at_entry(&run, address);
}

/*
 * What has no name, and is only jumped to, is a part, too: of the one that
 * jumps there.  If several do, they end with it, and it is a function.  No
 * function begins with a stack that is not as at an entry.
 */
static bool is_part(struct ptl_plan *plan,
		    const struct ptl_plan_function *function)
{
	if (function->name != NULL)
		return is_cold(function->name);
	if (!is_at_entry(plan, function->start))
		return true;
	return function->jumper != 0 && !function->has_jumpers &&
	       !(ptl_code_known(&plan->code, function->start) &
		 PTL_BYTE_CALLED);
}

/* A label of assembly names what has a frame, too. */
static const char *label_at(const struct ptl_plan *plan, uint64_t address)
{
	size_t low = 0, high = plan->nr_aliases;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (plan->alias[middle].at < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == plan->nr_aliases || plan->alias[low].at != address)
		return NULL;
	return plan->alias[low].name;
}

void ptl_functions_sort_out(struct ptl_plan *plan)
{
	for (size_t i = 0; i < plan->nr; i++) {
		struct ptl_plan_function *function = &plan->function[i];

		if (function->name == NULL)
			function->name = label_at(plan, function->start);
		function->is_part = is_part(plan, function);
		function->why = (uint8_t)never(plan, function);
		function->has_loop =
			ptl_code_known(&plan->code, function->start) &
			PTL_BYTE_LOOPED;
	}
}
