/* SPDX-License-Identifier: MIT */
/*
 * Inlined functions; see inlined.h.  A unit's functions that have code of their
 * own are found first, without what is in them: that is most of its entries.
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
	Dwarf_Die *unit;
	struct ptl_ranges *found;
	unsigned int depth;
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

static bool go_down(struct walk *walk, Dwarf_Die *parent, Dwarf_Die *child)
{
	return walk->depth < MAX_DEPTH && dwarf_child(parent, child) == 0;
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

static void find_functions(struct walk *walk, Dwarf_Die *parent)
{
	Dwarf_Die die;

	if (!go_down(walk, parent, &die))
		return;
	walk->depth++;
	do {
		if (!is_next(walk, &die))
			break;
		switch (dwarf_tag(&die)) {
		case DW_TAG_subprogram:
			if (dwarf_haschildren(&die) > 0)
				add_function(walk, &die);
			break;
		case DW_TAG_namespace:
		case DW_TAG_module:
			find_functions(walk, &die);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
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

static struct ptl_inlined *add_inlined(struct walk *walk, Dwarf_Die *die,
				       const struct ptl_inlined *caller)
{
	struct ptl_inlined *inlined = ptl_alloc(sizeof(*inlined));
	Dwarf_Word file, line;
	Dwarf_Files *files;
	size_t nr;

	inlined->caller = caller;
	inlined->name = name_of(die);
	inlined->is_artificial = dwarf_hasattr_integrate(die, DW_AT_artificial);
	if (get_number(die, DW_AT_call_file, &file) &&
	    get_number(die, DW_AT_call_line, &line) && line <= INT32_MAX &&
	    dwarf_getsrcfiles(walk->unit, &files, &nr) == 0 && file < nr) {
		inlined->path = dwarf_filesrc(files, file, NULL, NULL);
		inlined->line = (int)line;
	}
	ptl_debuginfo_ranges(walk->found, die, inlined);
	return inlined;
}

static void find_inlined(struct walk *walk, Dwarf_Die *parent,
			 const struct ptl_inlined *caller)
{
	struct ptl_inlined *inlined;
	Dwarf_Die die;

	if (!go_down(walk, parent, &die))
		return;
	walk->depth++;
	do {
		if (!is_next(walk, &die))
			break;
		switch (dwarf_tag(&die)) {
		case DW_TAG_inlined_subroutine:
			inlined = add_inlined(walk, &die, caller);
			if (!inlined->is_artificial)
				find_inlined(walk, &die, inlined);
			break;
		case DW_TAG_lexical_block:
		case DW_TAG_try_block:
		case DW_TAG_catch_block:
			find_inlined(walk, &die, caller);
			break;
		default:
			break;
		}
	} while (dwarf_siblingof(&die, &die) == 0);
	walk->depth--;
}

static struct function *find_function(struct ptl_functions *functions,
				      uint64_t address)
{
	if (!functions->is_read) {
		struct walk walk = {.found = &functions->functions};

		functions->is_read = true;
		find_functions(&walk, &functions->unit);
		ptl_ranges_sort(&functions->functions);
	}
	return ptl_ranges_find(&functions->functions, address);
}

const struct ptl_inlined *ptl_inlined_find(struct ptl_functions *functions,
					   uint64_t address)
{
	struct function *function = find_function(functions, address);

	if (function == NULL)
		return NULL;
	if (!function->is_read) {
		struct walk walk = {.unit = &functions->unit,
				    .found = &function->inlined};

		function->is_read = true;
		find_inlined(&walk, &function->die, NULL);
		ptl_ranges_sort(&function->inlined);
	}
	return ptl_ranges_find(&function->inlined, address);
}

#endif
