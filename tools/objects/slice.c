/* SPDX-License-Identifier: MIT */
/* Texts and lists; see slice.h.  They are known by their names, and those of
 * the two members that count. */
#include "tools/objects/slice.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <string.h>

#include "core/format/patches.h"
#include "tools/objects/structure.h"
#include "tools/objects/type_letter.h"

/* What else there is to know: the elements are bytes of a text; of a type that
 * is the first parameter; the count is a pointer to the end. */
enum how { PLAIN, TEXT, PARAM, TO_END };

static const struct kind {
	const char *name; /* begins so */
	const char *pointer, *count;
	enum how how;
} kinds[] = {
	{"&str", "data_ptr", "length", TEXT},
	{"&mut str", "data_ptr", "length", TEXT},
	{"&[", "data_ptr", "length", PLAIN},
	{"&mut [", "data_ptr", "length", PLAIN},
	{"String", "pointer", "len", TEXT},
	{"Vec<", "pointer", "len", PARAM},
	{"basic_string<char,", "_M_p", "_M_string_length", PLAIN},
	{"basic_string_view<char,", "_M_str", "_M_len", PLAIN},
	{"vector<", "_M_start", "_M_finish", TO_END},
};

static const struct kind *kind_of(Dwarf_Die *type)
{
	const char *name = dwarf_diename(type);

	for (size_t i = 0; name != NULL && i < sizeof(kinds) / sizeof(*kinds);
	     i++) {
		size_t size = strlen(kinds[i].name);

		/* What ends in a letter is the whole name. */
		if (strncmp(name, kinds[i].name, size) == 0 &&
		    (name[size] == '\0' ||
		     strchr("<[,", name[size - 1]) != NULL))
			return &kinds[i];
	}
	return NULL;
}

struct members {
	const struct kind *kind;
	unsigned int pointer, count; /* where they are; NOWHERE */
	Dwarf_Die to;		     /* the pointer's type */
};
#define NOWHERE (~0u)

static bool look_at(const struct ptl_member *member, void *arg)
{
	struct members *members = arg;

	if (member->name == NULL || member->count != 0 || member->bits != 0)
		return true;
	if (strcmp(member->name, members->kind->pointer) == 0 &&
	    strchr("pkyz", member->letter) != NULL) {
		members->pointer = member->offset;
		members->to = *member->type;
	}
	if (strcmp(member->name, members->kind->count) == 0 &&
	    strchr("pkyzL", member->letter) != NULL)
		members->count = member->offset;
	return true;
}

/* Of the first parameter of a generic type. */
static bool get_param(Dwarf_Die *type, Dwarf_Die *param)
{
	if (dwarf_child(type, param) != 0)
		return false;
	do
		if (dwarf_tag(param) == DW_TAG_template_type_parameter)
			return true;
	while (dwarf_siblingof(param, param) == 0);
	return false;
}

static unsigned int log_of(char letter)
{
	if (strchr("bchH", letter) != NULL)
		return 0;
	if (strchr("tT", letter) != NULL)
		return 1;
	return strchr("iIef", letter) != NULL ? 2 : 3;
}

bool ptl_slice_of(Dwarf_Die *type, struct ptl_list_type *slice)
{
	struct members members = {
		.kind = kind_of(type), .pointer = NOWHERE, .count = NOWHERE};
	unsigned int pointer, count;
	bool is_const;
	Dwarf_Die param;

	if (members.kind == NULL ||
	    !ptl_structure_each(type, look_at, &members))
		return false;
	pointer = members.pointer / 8;
	count = members.count / 8;
	if (pointer > 3 || count > 3 || pointer == count ||
	    members.pointer % 8 != 0 || members.count % 8 != 0)
		return false;
	if (members.kind->how == PARAM) {
		if (!get_param(type, &param))
			return false;
		members.to = param;
	}
	slice->letter = members.kind->how == TEXT ?
				'c' :
				ptl_type_letter_of(&members.to);
	if (strchr("bchHtTiIlLefdpkFSZszy", slice->letter) == NULL ||
	    !ptl_type_of(&members.to, &slice->of, &is_const))
		return false;
	slice->shape = pointer << PTL_SLICE_POINTER | count << PTL_SLICE_COUNT |
		       log_of(slice->letter) << PTL_SLICE_ELEMENT |
		       (members.kind->how == TO_END ? PTL_SLICE_IS_END : 0);
	return true;
}

#endif
