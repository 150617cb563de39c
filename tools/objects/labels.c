/* SPDX-License-Identifier: MIT */
/* Names in prototypes; see labels.h. */
#include "tools/objects/labels.h"

#ifdef HAVE_LIBDW

#include <ctype.h>
#include <dwarf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "tools/objects/type_letter.h"

/* No type has more, that is not damaged. */
#define MAX_CONSTANTS (1u << 16)

/* Room that constants leave to what comes behind them. */
#define SPARE 256

static bool put(struct ptl_labels *labels, size_t most, const char *text)
{
	size_t size = strlen(text);

	if (labels->size > most || size > most - labels->size)
		return false;
	memcpy(labels->text + labels->size, text, size);
	labels->size += size;
	return true;
}

/* What has a meaning of its own in the text is in no name of a program. */
static bool is_name(const char *name)
{
	for (; *name != '\0'; name++)
		if (!isalnum((unsigned char)*name) && *name != '_' &&
		    (unsigned char)*name < 0x80)
			return false;
	return true;
}

/* Compilers have negative ones in forms that have a sign, only. */
static bool number_of(Dwarf_Attribute *attr, Dwarf_Sword *number)
{
	switch (dwarf_whatform(attr)) {
	case DW_FORM_sdata:
	case DW_FORM_implicit_const:
		return dwarf_formsdata(attr, number) == 0;
	default:
		return dwarf_formudata(attr, (Dwarf_Word *)number) == 0;
	}
}

static bool put_constant(struct ptl_labels *labels, Dwarf_Die *constant)
{
	const char *name = dwarf_diename(constant);
	Dwarf_Attribute attr;
	Dwarf_Sword number;
	char text[32];

	if (name == NULL || !is_name(name) ||
	    dwarf_attr(constant, DW_AT_const_value, &attr) == NULL ||
	    !number_of(&attr, &number))
		return true;
	snprintf(text, sizeof(text), "=%lld", (long long)number);
	return put(labels, PTL_LABELS_SIZE - SPARE, ";") &&
	       put(labels, PTL_LABELS_SIZE - SPARE, name) &&
	       put(labels, PTL_LABELS_SIZE - SPARE, text);
}

/* All or none. */
static bool put_constants(struct ptl_labels *labels, Dwarf_Die *type)
{
	unsigned int nr = 0;
	Dwarf_Die constant;

	if (dwarf_child(type, &constant) != 0)
		return true;
	do
		if (dwarf_tag(&constant) == DW_TAG_enumerator &&
		    !put_constant(labels, &constant))
			return false;
	while (++nr < MAX_CONSTANTS &&
	       dwarf_siblingof(&constant, &constant) == 0);
	return true;
}

void ptl_labels_add(struct ptl_labels *labels, const char *name,
		    Dwarf_Die *entry)
{
	size_t size;
	Dwarf_Die type;
	bool is_const;

	if (labels->nr++ > 0)
		put(labels, PTL_LABELS_SIZE, ",");
	if (name != NULL && is_name(name))
		put(labels, PTL_LABELS_SIZE, name);
	if (entry == NULL || !ptl_type_of(entry, &type, &is_const) ||
	    dwarf_tag(&type) != DW_TAG_enumeration_type)
		return;
	size = labels->size;
	if (!put_constants(labels, &type))
		labels->size = size;
}

bool ptl_labels_add_member(struct ptl_labels *labels, const char *name,
			   char letter, unsigned int offset)
{
	const size_t most = PTL_LABELS_SIZE - SPARE;
	size_t size = labels->size;
	char text[32];

	snprintf(text, sizeof(text), ":%c%u", letter, offset);
	if (size < most && put(labels, most, ";") && put(labels, most, name) &&
	    put(labels, most, text))
		return true;
	labels->size = size;
	return false;
}

#endif
