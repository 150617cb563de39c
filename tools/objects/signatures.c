/* SPDX-License-Identifier: MIT */
/*
 * Prototypes from debug information; see signatures.h.  A function is found by
 * its address: it may have other names there than those by which it is called,
 * and in C++ has none that a linker knows.  Only the units that have one of
 * these addresses are read.  A function of another file, by its name for the
 * linker, in any unit: optimised code has declarations of what it calls, that
 * of C++ those of what is in its classes.
 */
#include "tools/objects/signatures.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/patches.h"

#include "tools/lib/say.h"
#include "tools/symbolize/debuginfo.h"
#include "tools/objects/labels.h"
#include "tools/objects/passed.h"
#include "tools/objects/slice.h"
#include "tools/objects/structure.h"
#include "tools/objects/type_letter.h"
#include "tools/prototypes/type.h"

/* No unit has more, nor namespaces nested deeper, that is not damaged: there
 * they can go in circles. */
#define MAX_RANGES (1u << 20)
#define MAX_ENTRIES (1u << 24)
#define MAX_DEPTH 64

struct function {
	uint64_t address;
	const char *name;		 /* by which it is told, or */
	struct ptl_signature *signature; /* to be told there */
	bool is_found;
};

/* By address, or those of other files by name. */
struct functions {
	struct ptl_prototypes *table;
	bool is_declared;
	struct function *function;
	size_t nr, room;
	size_t nr_left;	      /* that were not found yet */
	unsigned int nr_seen; /* entries of the unit */
};

static bool is_one(const struct functions *functions, const GElf_Sym *sym)
{
	if (GELF_ST_BIND(sym->st_info) == STB_LOCAL)
		return false;
	if (functions->is_declared)
		return sym->st_shndx == SHN_UNDEF &&
		       GELF_ST_TYPE(sym->st_info) <= STT_FUNC;
	return GELF_ST_TYPE(sym->st_info) == STT_FUNC &&
	       sym->st_shndx != SHN_UNDEF && sym->st_value != 0;
}

static void add_symbols(struct functions *functions,
			struct ptl_elf_image *image,
			bool (*wants)(const char *name, void *arg), void *arg)
{
	Elf_Scn *scn = NULL;
	const char *name;
	GElf_Shdr shdr;
	GElf_Sym sym;

	do
		scn = elf_nextscn(image->elf, scn);
	while (scn != NULL && (gelf_getshdr(scn, &shdr) == NULL ||
			       shdr.sh_type != SHT_DYNSYM));
	if (scn == NULL)
		return;
	for (int i = 1; gelf_getsym(elf_getdata(scn, NULL), i, &sym) != NULL;
	     i++) {
		if (!is_one(functions, &sym))
			continue;
		name = elf_strptr(image->elf, shdr.sh_link, sym.st_name);
		/* Names will be words of lines. */
		if (name == NULL || name[strcspn(name, " \n")] != '\0' ||
		    !wants(name, arg))
			continue;
		functions->function =
			ptl_grow(functions->function, functions->nr,
				 &functions->room, sizeof(struct function));
		functions->function[functions->nr++] = (struct function){
			.address = sym.st_value, .name = strdup(name)};
	}
}

static int by_address(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	return left->address < right->address ? -1 :
						left->address > right->address;
}

static int by_name(const void *a, const void *b)
{
	const struct function *left = a, *right = b;

	return strcmp(left->name, right->name);
}

/* The first that is there or behind; functions->nr: none is. */
static size_t find(const struct functions *functions, uint64_t address)
{
	size_t low = 0, high = functions->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (functions->function[middle].address < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool has_some(const struct functions *functions, Dwarf_Die *unit)
{
	Dwarf_Addr base = 0, start = 0, end = 0;
	ptrdiff_t next = 0;
	size_t i;

	for (i = 0; i < MAX_RANGES; i++) {
		size_t first;

		next = dwarf_ranges(unit, next, &base, &start, &end);
		if (next <= 0)
			return false;
		first = find(functions, start);
		if (first < functions->nr &&
		    functions->function[first].address < end)
			return true;
	}
	return true;
}

/* One letter more; what there is no room for is not known. */
static void add_letter(char code[PTL_CODE_SIZE], char letter)
{
	size_t nr = strlen(code);

	if (nr + 2 < PTL_CODE_SIZE)
		code[nr] = letter;
	else if (nr + 1 < PTL_CODE_SIZE)
		code[nr] = PTL_CODE_MORE;
}

/* What is found out of one: its code and the names in it. */
struct signature {
	char code[PTL_CODE_SIZE];
	bool is_inside; /* not called by others: where each parameter is */
	bool is_in_rust;
	struct ptl_passed passed;
	struct ptl_labels labels;
};

/* If it is a text or a list; NULL otherwise.  What is in two registers is in
 * the order in which it is in memory. */
static char add_slice(struct signature *made, char letter, Dwarf_Die *type)
{
	struct ptl_list_type slice;

	if (strlen(made->code) >= PTL_PATCH_SIZED ||
	    strchr("Jpk", letter) == NULL || !ptl_slice_of(type, &slice) ||
	    !ptl_labels_add_size(&made->labels, slice.shape) ||
	    !ptl_labels_add_elements(&made->labels, slice.letter, &slice.of))
		return '\0';
	return letter == 'J' ? PTL_STRUCTURE_SLICE :
			       PTL_STRUCTURE_SLICE_POINTER;
}

/* The names of what comes next, and of what is in it.  Returns its letter,
 * which may be another, if that is a structure. */
static char add_label(struct signature *made, const char *name, char letter,
		      Dwarf_Die *die)
{
	bool is_on_stack = letter == PTL_STRUCTURE_ON_STACK;
	bool is_in_registers = strchr("jJwWmM", letter) != NULL;
	char slice;
	Dwarf_Die type;

	ptl_labels_add(&made->labels, name, die);
	if (strchr("pkRjJwWmM", letter) == NULL ||
	    !ptl_structure_of(die, &type))
		return letter;
	slice = add_slice(made, letter, &type);
	if (slice != '\0')
		return slice;
	if (is_on_stack || letter == 'p' || letter == 'k') {
		if (strlen(made->code) >= PTL_PATCH_SIZED ||
		    !ptl_labels_add_size(&made->labels,
					 (unsigned int)dwarf_bytesize(&type)))
			return is_on_stack ? PTL_STRUCTURE_IN_MEMORY : letter;
		letter = is_on_stack ? letter : PTL_STRUCTURE_POINTER;
	}
	ptl_structure_label(&made->labels, &type,
			    made->is_in_rust && is_in_registers);
	return letter;
}

/* False: where it is, and what is behind it, is not known. */
static bool add_param(struct signature *made, Dwarf_Die *die)
{
	const char *name = dwarf_diename(die);
	char letter = ptl_type_letter_of(die);

	/* Some constructors have it, and some of their copies not. */
	if (name != NULL && strcmp(name, "__in_chrg") == 0)
		return true;
	if (letter == PTL_TYPE_STRUCT)
		letter = ptl_structure_letter(die, made->is_in_rust);
	if (made->is_inside && letter != PTL_TYPE_STRUCT &&
	    !ptl_passed_is_there(&made->passed, die, letter))
		letter = PTL_CODE_MORE;
	add_letter(made->code, add_label(made, name, letter, die));
	return letter != PTL_CODE_MORE;
}

/* Returns how many there are. */
static unsigned int add_params(struct signature *made, Dwarf_Die *function)
{
	unsigned int nr = 0, nr_seen = 0;
	Dwarf_Die die;

	if (dwarf_child(function, &die) != 0)
		return 0;
	do {
		int tag = dwarf_tag(&die);

		if (tag == DW_TAG_unspecified_parameters) {
			add_letter(made->code, PTL_CODE_MORE);
			nr++;
		}
		if (tag != DW_TAG_formal_parameter)
			continue;
		nr++;
		if (!add_param(made, &die))
			return nr;
	} while (++nr_seen < MAX_ENTRIES && dwarf_siblingof(&die, &die) == 0);
	return nr;
}

/* A copy that is not inlined may have its parameters where it comes from. */
static void make_code(struct signature *made, Dwarf_Die *function)
{
	static const unsigned int from[] = {DW_AT_abstract_origin,
					    DW_AT_specification};
	bool is_known,
		is_hidden = ptl_type_letter_is_hidden(function, &is_known);
	char *code = made->code;
	Dwarf_Attribute attr;
	Dwarf_Die origin;

	code[0] = is_hidden ? 'p' : ptl_type_letter_of(function);
	if (made->is_inside && code[0] != 'v' && !made->passed.is_as_declared)
		code[0] = PTL_CODE_MORE;
	if (code[0] == PTL_TYPE_STRUCT)
		code[0] = ptl_structure_letter(function, made->is_in_rust);
	code[0] = add_label(made, NULL, code[0], function);
	if (is_hidden && made->is_in_rust)
		code[0] = code[0] == PTL_STRUCTURE_POINTER ?
				  PTL_STRUCTURE_FIRST :
			  code[0] == PTL_STRUCTURE_SLICE_POINTER ?
				  PTL_STRUCTURE_SLICE_FIRST :
				  PTL_CODE_MORE;
	if (is_hidden) {
		code[1] = 'p';
		made->passed.general++;
		ptl_labels_add(&made->labels, NULL, NULL);
	}
	if (!is_known || (made->is_in_rust && code[0] == PTL_TYPE_STRUCT)) {
		code[1] = PTL_CODE_MORE;
		return;
	}
	if (add_params(made, function) > 0)
		return;
	for (size_t i = 0; i < sizeof(from) / sizeof(*from); i++)
		if (dwarf_attr(function, from[i], &attr) != NULL &&
		    dwarf_formref_die(&attr, &origin) != NULL &&
		    add_params(made, &origin) > 0)
			return;
}

static char *with_labels(const struct signature *made)
{
	const struct ptl_labels *labels = &made->labels;
	size_t size = strlen(made->code);
	char *text = ptl_alloc(size + 1 + labels->size + 1);

	memcpy(text, made->code, size);
	text[size++] = ' ';
	memcpy(text + size, labels->text, labels->size);
	return text;
}

/* What has no name of its own for the linker is as C calls it. */
static bool is_in_rust(Dwarf_Die *function)
{
	Dwarf_Attribute attr;

	return ptl_type_is_of_rust(function) &&
	       dwarf_attr_integrate(function, DW_AT_linkage_name, &attr) !=
		       NULL;
}

static void tell(const struct functions *functions,
		 const struct function *function, Dwarf_Die *die)
{
	struct signature made = {
		.is_inside = function->signature != NULL,
		.is_in_rust = is_in_rust(die),
	};

	char *text;

	ptl_passed_begin(&made.passed, die, function->address);
	make_code(&made, die);
	text = with_labels(&made);
	if (made.is_inside) {
		function->signature->prototype = text;
		return;
	}
	ptl_prototypes_add(functions->table, function->name,
			   strlen(function->name), text, false);
	free(text);
}

static void look_at(struct functions *functions, Dwarf_Die *die)
{
	Dwarf_Addr entry, end, base;

	if (dwarf_entrypc(die, &entry) != 0 &&
	    dwarf_ranges(die, 0, &base, &entry, &end) <= 0)
		return;
	for (size_t i = find(functions, entry);
	     i < functions->nr && functions->function[i].address == entry;
	     i++) {
		struct function *function = &functions->function[i];

		if (function->is_found)
			continue;
		function->is_found = true;
		functions->nr_left--;
		tell(functions, function, die);
	}
}

static const char *name_for_linker(Dwarf_Die *die)
{
	Dwarf_Attribute attr;
	const char *name = NULL;

	if (dwarf_attr(die, DW_AT_linkage_name, &attr) != NULL)
		name = dwarf_formstring(&attr);
	return name != NULL ? name : dwarf_diename(die);
}

/* One of C may say nothing of its parameters. */
static bool has_parameters(Dwarf_Die *die)
{
	Dwarf_Die unit;

	if (dwarf_hasattr(die, DW_AT_prototyped) ||
	    dwarf_hasattr(die, DW_AT_linkage_name))
		return true;
	return dwarf_diecu(die, &unit, NULL, NULL) != NULL &&
	       dwarf_srclang(&unit) == DW_LANG_Rust;
}

static void look_at_declaration(struct functions *functions, Dwarf_Die *die)
{
	struct function key = {.name = name_for_linker(die)}, *function;

	if (key.name == NULL || !dwarf_hasattr(die, DW_AT_declaration) ||
	    !has_parameters(die))
		return;
	function = bsearch(&key, functions->function, functions->nr,
			   sizeof(key), by_name);
	if (function == NULL || function->is_found)
		return;
	function->is_found = true;
	functions->nr_left--;
	tell(functions, function, die);
}

/* All below the entry, and those behind it that have the same parent. */
static void walk(struct functions *functions, Dwarf_Die *die,
		 unsigned int depth)
{
	Dwarf_Die child;

	do {
		switch (dwarf_tag(die)) {
		case DW_TAG_subprogram:
			if (functions->is_declared)
				look_at_declaration(functions, die);
			else
				look_at(functions, die);
			break;
		case DW_TAG_structure_type:
		case DW_TAG_class_type:
			if (!functions->is_declared)
				break;
			/* fall through */
		case DW_TAG_namespace:
		case DW_TAG_module:
		case DW_TAG_compile_unit:
			if (depth < MAX_DEPTH &&
			    functions->nr_seen < MAX_ENTRIES &&
			    dwarf_child(die, &child) == 0)
				walk(functions, &child, depth + 1);
			break;
		default:
			break;
		}
	} while (depth > 0 && functions->nr_left > 0 &&
		 ++functions->nr_seen < MAX_ENTRIES &&
		 dwarf_siblingof(die, die) == 0);
}

static void look_up(struct functions *functions, Dwarf *debug)
{
	Dwarf_CU *next = NULL;
	Dwarf_Die unit;

	while (functions->nr_left > 0 &&
	       dwarf_get_units(debug, next, &next, NULL, NULL, &unit, NULL) ==
		       0) {
		functions->nr_seen = 0;
		if (functions->is_declared || has_some(functions, &unit))
			walk(functions, &unit, 0);
	}
}

/* Of the functions, which are of the file, by its debug information. */
static void find_all(struct functions *functions,
		     const struct ptl_elf_image *image, const char *path)
{
	struct ptl_wanted wanted = {path, image->id, image->id_size,
				    image->high - image->low};
	Dwarf *debug = NULL;
	bool is_there;

	functions->nr_left = functions->nr;
	if (functions->nr > 0) {
		qsort(functions->function, functions->nr,
		      sizeof(struct function),
		      functions->is_declared ? by_name : by_address);
		debug = ptl_debuginfo_open(&wanted, true, &is_there);
	}
	if (debug != NULL)
		look_up(functions, debug);
}

void ptl_signatures_add(struct ptl_prototypes *table, const char *path,
			bool is_declared,
			bool (*wants)(const char *name, void *arg), void *arg)
{
	struct functions functions = {.table = table,
				      .is_declared = is_declared};
	struct ptl_elf_image image;

	if (!ptl_image_open(&image, NULL, path))
		return;
	add_symbols(&functions, &image, wants, arg);
	find_all(&functions, &image, path);
	ptl_image_close(&image);
}

void ptl_signatures_find(struct ptl_signature *signature, size_t nr,
			 const struct ptl_elf_image *image, const char *path)
{
	struct functions functions = {.nr = nr};

	if (nr == 0)
		return;
	functions.function = ptl_alloc(nr * sizeof(struct function));
	for (size_t i = 0; i < nr; i++)
		functions.function[i] = (struct function){
			.address = signature[i].address,
			.signature = &signature[i],
		};
	find_all(&functions, image, path);
	free(functions.function);
}

#endif
