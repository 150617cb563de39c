/* SPDX-License-Identifier: MIT */
/*
 * Structures by value; see structure.h.  Up to 16 bytes are in two registers,
 * of each 8 bytes a vector register if all that is in them is float or double
 * (System V ABI, x86-64, 3.2.3).  Arrays, parts of bytes, long double, and what
 * is not aligned are left out.
 */
#include "tools/objects/structure.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <stdio.h>
#include <string.h>

#include "tools/objects/type_letter.h"
#include "tools/prototypes/type.h"

#define WORDS 2
#define MAX_MEMBERS 64
#define MAX_INSIDE 4
#define NAME_SIZE 128

/* A member that is no structure itself. */
struct member {
	const char *name; /* with those of what it is in */
	char letter;
	unsigned int offset;
};

struct walk {
	bool (*fn)(const struct member *member, void *arg);
	void *arg;
	unsigned int nr;
};

static unsigned int size_of(char letter)
{
	if (strchr("bchH", letter) != NULL)
		return 1;
	if (strchr("tT", letter) != NULL)
		return 2;
	return strchr("iIef", letter) != NULL ? 4 : 8;
}

static bool get_offset(Dwarf_Die *member, unsigned int *offset)
{
	Dwarf_Attribute attr;
	Dwarf_Word number = 0;

	if (dwarf_hasattr(member, DW_AT_bit_size) ||
	    dwarf_hasattr(member, DW_AT_data_bit_offset))
		return false;
	if (dwarf_attr(member, DW_AT_data_member_location, &attr) != NULL &&
	    dwarf_formudata(&attr, &number) != 0)
		return false;
	*offset += (unsigned int)(number < 4096 ? number : 4096);
	return true;
}

static bool is_structure(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type;
}

/* All members, also of structures inside; false: one is not understood. */
static bool each(struct walk *walk, Dwarf_Die *type, const char *before,
		 unsigned int base, unsigned int depth)
{
	char name[NAME_SIZE];
	Dwarf_Die member, of;
	bool is_const, done = true;

	if (depth > MAX_INSIDE || dwarf_child(type, &member) != 0)
		return false;
	do {
		unsigned int offset = base;
		const char *own = dwarf_diename(&member);

		if (dwarf_tag(&member) == DW_TAG_inheritance)
			return false;
		if (dwarf_tag(&member) != DW_TAG_member ||
		    dwarf_hasattr(&member, DW_AT_external))
			continue;
		if (++walk->nr > MAX_MEMBERS || !get_offset(&member, &offset) ||
		    !ptl_type_of(&member, &of, &is_const))
			return false;
		snprintf(name, sizeof(name), "%s%s%s", before,
			 *before && own != NULL ? "." : "",
			 own != NULL ? own : "");
		if (is_structure(&of))
			done = each(walk, &of, name, offset, depth + 1);
		else
			done = walk->fn(
				&(struct member){name,
						 ptl_type_letter_of(&member),
						 offset},
				walk->arg);
	} while (done && dwarf_siblingof(&member, &member) == 0);
	return done;
}

struct classes {
	bool is_used[WORDS], is_general[WORDS];
};

static bool classify(const struct member *member, void *arg)
{
	struct classes *classes = arg;
	unsigned int word = member->offset / 8;

	if (strchr("bchHtTiIlLepkFsSzyfd", member->letter) == NULL ||
	    member->offset % size_of(member->letter) != 0 || word >= WORDS)
		return false;
	classes->is_used[word] = true;
	if (member->letter != 'f' && member->letter != 'd')
		classes->is_general[word] = true;
	return true;
}

char ptl_structure_letter(Dwarf_Die *entry)
{
	struct classes classes = {{false}, {false}};
	struct walk walk = {classify, &classes, 0};
	Dwarf_Die type;
	bool is_const;
	int size;

	if (!ptl_type_of(entry, &type, &is_const) || !is_structure(&type) ||
	    !ptl_type_is_by_value(&type))
		return PTL_TYPE_STRUCT;
	size = dwarf_bytesize(&type);
	if (size > WORDS * 8)
		return PTL_STRUCTURE_IN_MEMORY;
	if (!each(&walk, &type, "", 0, 0) || !classes.is_used[0] ||
	    classes.is_used[1] != (size > 8))
		return PTL_TYPE_STRUCT;
	if (size <= 8)
		return classes.is_general[0] ? 'j' : 'w';
	if (classes.is_general[0])
		return classes.is_general[1] ? 'J' : 'm';
	return classes.is_general[1] ? 'M' : 'W';
}

unsigned int ptl_structure_general(char letter)
{
	return letter == 'J'			       ? 2 :
	       letter != '\0' && strchr("jmM", letter) ? 1 :
							 0;
}

unsigned int ptl_structure_vector(char letter)
{
	return letter == 'W'			       ? 2 :
	       letter != '\0' && strchr("wmM", letter) ? 1 :
							 0;
}

static bool label(const struct member *member, void *arg)
{
	return ptl_labels_add_member(arg, member->name, member->letter,
				     member->offset);
}

void ptl_structure_label(struct ptl_labels *labels, Dwarf_Die *entry)
{
	struct walk walk = {label, labels, 0};
	Dwarf_Die type;
	bool is_const;

	if (ptl_type_of(entry, &type, &is_const))
		each(&walk, &type, "", 0, 0);
}

#endif
