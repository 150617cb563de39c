/* SPDX-License-Identifier: MIT */
/*
 * Inlined functions; see inlined.h.  A unit's functions that have code of their
 * own are found first, without what is in them: that is most of its entries.
 * Only for an address that none of them has is it searched for functions, too:
 * a template's with a lambda as its argument, OpenMP's parallel parts.
 */
#include "tools/symbolize/inlined.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <stdlib.h>

#include "tools/lib/say.h"
#include "tools/symbolize/debuginfo.h"
#include "tools/symbolize/demangle.h"

/* Nothing is nested deeper that is not damaged. */
#define MAX_DEPTH 100

/* A function with code of its own. */
struct function {
	Dwarf_Die die;
	bool is_read;
	struct ptl_ranges inlined; /* struct ptl_inlined */
};

struct walk {
	struct ptl_ranges *found;
	unsigned int depth;
	bool is_for_nested;
	Dwarf_Off reached; /* the last entry */
};

/* Each entry is behind the one before it: where it is not, they are damaged and
 * could go in circles. */
static bool is_next(struct walk *walk, Dwarf_Die *die)
{
	Dwarf_Off offset = dwarf_dieoffset(die);

	if (offset <= walk->reached)
		return false;
	walk->reached = offset;
	return true;
}

static bool first_entry(struct walk *walk, Dwarf_Die *parent, Dwarf_Die *child)
{
	return walk->depth < MAX_DEPTH && dwarf_child(parent, child) == 0 &&
	       is_next(walk, child);
}

static bool next_entry(struct walk *walk, Dwarf_Die *die)
{
	return dwarf_siblingof(die, die) == 0 && is_next(walk, die);
}

static void add_function(struct walk *walk, const Dwarf_Die *die)
{
	struct function *function = ptl_alloc(sizeof(*function));
	size_t nr = walk->found->nr;

	function->die = *die;
	ptl_debuginfo_ranges(walk->found, &function->die, function);
	if (walk->found->nr == nr)
		free(function);
}

static void find_functions(struct walk *walk, Dwarf_Die *parent, bool is_nested)
{
	Dwarf_Die die;
	bool is_there = first_entry(walk, parent, &die);

	walk->depth++;
	for (; is_there; is_there = next_entry(walk, &die)) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (is_nested == walk->is_for_nested)
				add_function(walk, &die);
			__attribute__((fallthrough));
		case DW_TAG_class_type:
		case DW_TAG_structure_type:
		case DW_TAG_union_type:
		case DW_TAG_lexical_block:
			if (walk->is_for_nested)
				find_functions(walk, &die, true);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
			find_functions(walk, &die, is_nested);
			break;
		default:
			break;
		}
	}
	walk->depth--;
}

/* As the symbol table has it. */
static const char *name_of(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name;

	if (dwarf_attr_integrate(die, DW_AT_linkage_name, &attr) != NULL ||
	    dwarf_attr_integrate(die, DW_AT_MIPS_linkage_name, &attr) != NULL)
		name = dwarf_formstring(&attr);
	else
		name = dwarf_diename(die);
	return name != NULL && name[0] != '\0' ? ptl_demangle(name) : NULL;
}

static bool get_number(Dwarf_Die *die, unsigned int name, Dwarf_Word *number)
{
	Dwarf_Attribute attr;

	return dwarf_attr(die, name, &attr) != NULL &&
	       dwarf_formudata(&attr, number) == 0;
}

/* What takes long, so only of those that are asked for. */
static void read_inlined(struct ptl_inlined *inlined, Dwarf_Die *unit)
{
	Dwarf_Die *die = &inlined->die;
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t nr;

	inlined->is_read = true;
	inlined->name = name_of(die);
	/* Members are what the compiler calls so: lambdas, constructors. */
	inlined->is_artificial =
		dwarf_hasattr_integrate(die, DW_AT_artificial) &&
		!dwarf_hasattr_integrate(die, DW_AT_object_pointer);
	if (get_number(die, DW_AT_call_file, &file) &&
	    get_number(die, DW_AT_call_line, &line) && line <= INT32_MAX &&
	    dwarf_getsrcfiles(unit, &files, &nr) == 0 && file < nr) {
		inlined->path = dwarf_filesrc(files, file, NULL, NULL);
		inlined->line = (int)line;
	}
}

static struct ptl_inlined *add_inlined(struct walk *walk, const Dwarf_Die *die,
				       struct ptl_inlined *caller)
{
	struct ptl_inlined *inlined = ptl_alloc(sizeof(*inlined));

	inlined->caller = caller;
	inlined->die = *die;
	ptl_debuginfo_ranges(walk->found, &inlined->die, inlined);
	return inlined;
}

static void find_inlined(struct walk *walk, Dwarf_Die *parent,
			 struct ptl_inlined *caller)
{
	Dwarf_Die die;
	bool is_there = first_entry(walk, parent, &die);

	walk->depth++;
	for (; is_there; is_there = next_entry(walk, &die)) {
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			find_inlined(walk, &die,
				     add_inlined(walk, &die, caller));
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			find_inlined(walk, &die, caller);
			break;
		default:
			break;
		}
	}
	walk->depth--;
}

static void read_functions(struct ptl_inlined_functions *functions,
			   struct ptl_ranges *found, bool *is_read)
{
	struct walk walk = {
		.found = found,
		.is_for_nested = found == &functions->nested,
	};

	if (*is_read)
		return;
	*is_read = true;
	find_functions(&walk, &functions->unit, false);
	ptl_ranges_sort(found);
}

static struct function *find_function(struct ptl_inlined_functions *functions,
				      uint64_t address)
{
	struct function *function;

	read_functions(functions, &functions->functions, &functions->is_read);
	function = ptl_ranges_find(&functions->functions, address);
	if (function != NULL)
		return function;
	read_functions(functions, &functions->nested,
		       &functions->is_nested_read);
	return ptl_ranges_find(&functions->nested, address);
}

const struct ptl_inlined *
ptl_inlined_find(struct ptl_inlined_functions *functions, uint64_t address)
{
	struct function *function = find_function(functions, address);
	struct ptl_inlined *innermost;

	if (function == NULL)
		return NULL;
	if (!function->is_read) {
		struct walk walk = {.found = &function->inlined};

		function->is_read = true;
		find_inlined(&walk, &function->die, NULL);
		ptl_ranges_sort(&function->inlined);
	}
	innermost = ptl_ranges_find(&function->inlined, address);
	for (struct ptl_inlined *i = innermost; i != NULL; i = i->caller)
		if (!i->is_read)
			read_inlined(i, &functions->unit);
	return innermost;
}

#endif
