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

static bool put_constant(struct ptl_labels *labels, Dwarf_Die *constant,
			 const char *before)
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
	return put(labels, PTL_LABELS_SIZE - SPARE, before) &&
	       put(labels, PTL_LABELS_SIZE - SPARE, name) &&
	       put(labels, PTL_LABELS_SIZE - SPARE, text);
}

/* Of a type, if it has some: all or none. */
static void put_constants(struct ptl_labels *labels, Dwarf_Die *type,
			  const char *before)
{
	size_t size = labels->size;
	unsigned int nr = 0;
	Dwarf_Die constant;

	if (dwarf_tag(type) != DW_TAG_enumeration_type ||
	    dwarf_child(type, &constant) != 0)
		return;
	do
		if (dwarf_tag(&constant) == DW_TAG_enumerator &&
		    !put_constant(labels, &constant, before)) {
			labels->size = size;
			return;
		}
	while (++nr < MAX_CONSTANTS &&
	       dwarf_siblingof(&constant, &constant) == 0);
}

void ptl_labels_add(struct ptl_labels *labels, const char *name,
		    Dwarf_Die *entry)
{
	Dwarf_Die type;
	bool is_const;

	if (labels->nr++ > 0)
		put(labels, PTL_LABELS_SIZE, ",");
	if (name != NULL && is_name(name))
		put(labels, PTL_LABELS_SIZE, name);
	if (entry != NULL && ptl_type_of(entry, &type, &is_const))
		put_constants(labels, &type, ";");
}

bool ptl_labels_add_size(struct ptl_labels *labels, unsigned int size)
{
	char text[32];

	snprintf(text, sizeof(text), ";*%u", size);
	return put(labels, PTL_LABELS_SIZE, text);
}

bool ptl_labels_add_elements(struct ptl_labels *labels, char letter,
			     Dwarf_Die *type)
{
	if (!put(labels, PTL_LABELS_SIZE,
		 (const char[]){';', '&', letter, '\0'}))
		return false;
	put_constants(labels, type, "|");
	return true;
}

/* Leaves room to say that there are more. */
static bool put_named(struct ptl_labels *labels, const char *name,
		      const char *text)
{
	const size_t most = PTL_LABELS_SIZE - SPARE - sizeof(";...");
	size_t size = labels->size;

	if (put(labels, most, ";") &&
	    put(labels, most, name != NULL && is_name(name) ? name : "") &&
	    put(labels, most, text))
		return true;
	labels->size = size;
	return false;
}

bool ptl_labels_add_member(struct ptl_labels *labels,
			   const struct ptl_member *member)
{
	char text[64];
	int size = snprintf(text, sizeof(text), ":%c%u", member->letter,
			    member->offset);

	if (member->count != 0)
		snprintf(text + size, sizeof(text) - (size_t)size, "*%u",
			 member->count);
	else if (member->bits != 0)
		snprintf(text + size, sizeof(text) - (size_t)size, "/%u@%u",
			 member->bits, member->shift);
	if (!put_named(labels, member->name, text))
		return false;
	if (member->type != NULL)
		put_constants(labels, member->type, "|");
	return true;
}

bool ptl_labels_nest(struct ptl_labels *labels, const char *name, char bracket)
{
	return put_named(labels, name, (const char[]){bracket, '\0'});
}

bool ptl_labels_variants(struct ptl_labels *labels, const char *name,
			 const struct ptl_member *discriminant)
{
	char text[32];

	snprintf(text, sizeof(text), "<%c%u", discriminant->letter,
		 discriminant->offset);
	return put_named(labels, name, text);
}

bool ptl_labels_variant(struct ptl_labels *labels, const Dwarf_Word *value)
{
	char text[32] = "=";

	if (value != NULL)
		snprintf(text, sizeof(text), "=%lld", (long long)*value);
	return put_named(labels, "", text);
}

void ptl_labels_end(struct ptl_labels *labels)
{
	put(labels, PTL_LABELS_SIZE - SPARE, ";...");
}

#endif
