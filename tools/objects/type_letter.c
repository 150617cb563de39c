/* SPDX-License-Identifier: MIT */
/*
 * Types of debug information as letters; see type_letter.h.  The letters are in
 * man/libptrace-events.7.  A string of a function of which nobody knows whether
 * it reads it is z; or y, if the function may write it.
 */
#include "tools/objects/type_letter.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <string.h>

#include "tools/prototypes/type.h"

/* Names of names of names, before it is a circle. */
#define MAX_NAMES 64
#define MAX_MEMBERS 1024
#define MAX_INSIDE 4

bool ptl_type_of(Dwarf_Die *entry, Dwarf_Die *type, bool *is_const)
{
	Dwarf_Attribute attr;

	*is_const = false;
	*type = *entry;
	for (int i = 0; i < MAX_NAMES; i++) {
		if (dwarf_attr_integrate(type, DW_AT_type, &attr) == NULL ||
		    dwarf_formref_die(&attr, type) == NULL)
			return false;
		switch (dwarf_tag(type)) {
		case DW_TAG_const_type:
			*is_const = true;
			break;
		case DW_TAG_typedef:
		case DW_TAG_volatile_type:
		case DW_TAG_restrict_type:
		case DW_TAG_atomic_type:
			break;
		default:
			return true;
		}
	}
	return true;
}

static bool is_named(Dwarf_Die *type, const char *name)
{
	const char *own = dwarf_diename(type);

	return own != NULL && strcmp(own, name) == 0;
}

static Dwarf_Word number_of(Dwarf_Die *type, unsigned int name)
{
	Dwarf_Attribute attr;
	Dwarf_Word number;

	if (dwarf_attr_integrate(type, name, &attr) == NULL ||
	    dwarf_formudata(&attr, &number) != 0)
		return 0;
	return number;
}

static char integer_letter(Dwarf_Word size, bool is_signed)
{
	switch (size) {
	case 1:
		return is_signed ? 'h' : 'H';
	case 2:
		return is_signed ? 't' : 'T';
	case 4:
		return is_signed ? 'i' : 'I';
	case 8:
		return is_signed ? 'l' : 'L';
	default:
		return PTL_TYPE_STRUCT;
	}
}

static char float_letter(Dwarf_Die *type, Dwarf_Word size)
{
	if (size == 4 || size == 8)
		return size == 4 ? 'f' : 'd';
	if (size != 16)
		return PTL_TYPE_STRUCT;
#if defined(__x86_64__)
	if (is_named(type, "long double"))
		return 'x';
#else
	(void)type;
#endif
	return 'q';
}

static char base_letter(Dwarf_Die *type)
{
	Dwarf_Word size = number_of(type, DW_AT_byte_size);

	switch (number_of(type, DW_AT_encoding)) {
	case DW_ATE_boolean:
		return size == 1 ? 'b' : integer_letter(size, false);
	case DW_ATE_signed_char:
	case DW_ATE_unsigned_char:
		if (is_named(type, "char"))
			return 'c';
		return integer_letter(size, number_of(type, DW_AT_encoding) ==
						    DW_ATE_signed_char);
	case DW_ATE_signed:
		return integer_letter(size, true);
	case DW_ATE_unsigned:
	case DW_ATE_UTF:
		return integer_letter(size, false);
	case DW_ATE_address:
		return 'p';
	case DW_ATE_float:
		return float_letter(type, size);
	default:
		return PTL_TYPE_STRUCT;
	}
}

static char pointer_letter(Dwarf_Die *pointer, bool is_reference)
{
	bool is_const, is_something;
	Dwarf_Die to;

	is_something = ptl_type_of(pointer, &to, &is_const);
	if (is_something && dwarf_tag(&to) == DW_TAG_subroutine_type)
		return 'F';
	if (is_something && !is_reference &&
	    dwarf_tag(&to) == DW_TAG_base_type && base_letter(&to) == 'c')
		return is_const ? 'z' : 'y';
	return is_const ? 'k' : 'p';
}

/* To a member: of a function it is two words. */
static char member_letter(Dwarf_Die *pointer)
{
	bool is_const;
	Dwarf_Die to;

	return ptl_type_of(pointer, &to, &is_const) &&
			       dwarf_tag(&to) != DW_TAG_subroutine_type ?
		       'l' :
		       PTL_TYPE_STRUCT;
}

static bool is_plain(Dwarf_Die *type, unsigned int depth);

/* The first parameter that is written out. */
static bool get_parameter(Dwarf_Die *function, Dwarf_Die *parameter)
{
	unsigned int nr = 0;

	if (dwarf_child(function, parameter) != 0)
		return false;
	do
		if (dwarf_tag(parameter) == DW_TAG_formal_parameter &&
		    !dwarf_hasattr(parameter, DW_AT_artificial))
			return true;
	while (++nr < MAX_MEMBERS &&
	       dwarf_siblingof(parameter, parameter) == 0);
	return false;
}

/* Is its parameter another one of its class? */
static bool is_given_another(Dwarf_Die *function, Dwarf_Die *of)
{
	Dwarf_Die parameter, reference, type;
	bool is_const;

	return get_parameter(function, &parameter) &&
	       ptl_type_of(&parameter, &reference, &is_const) &&
	       (dwarf_tag(&reference) == DW_TAG_reference_type ||
		dwarf_tag(&reference) == DW_TAG_rvalue_reference_type) &&
	       ptl_type_of(&reference, &type, &is_const) &&
	       dwarf_dieoffset(&type) == dwarf_dieoffset(of);
}

/* Not one that copies or destroys an object in a way of its own, nor one by
 * which an object has a table of functions. */
static bool is_plain_function(Dwarf_Die *function, Dwarf_Die *of)
{
	const char *name = dwarf_diename(function), *own = dwarf_diename(of);
	size_t size;

	if (name == NULL || own == NULL ||
	    dwarf_hasattr(function, DW_AT_virtuality))
		return false;
	size = strcspn(own, "<");
	if (name[0] != '~' &&
	    (strncmp(name, own, size) != 0 || name[size] != '\0' ||
	     !is_given_another(function, of)))
		return true;
	return number_of(function, DW_AT_defaulted) == DW_DEFAULTED_in_class;
}

static bool is_plain_member(Dwarf_Die *member, Dwarf_Die *of,
			    unsigned int depth)
{
	bool is_const;
	Dwarf_Die type;

	switch (dwarf_tag(member)) {
	case DW_TAG_subprogram:
		return is_plain_function(member, of);
	case DW_TAG_inheritance:
		if (dwarf_hasattr(member, DW_AT_virtuality))
			return false;
		/* fall through */
	case DW_TAG_member:
		return !ptl_type_of(member, &type, &is_const) ||
		       is_plain(&type, depth + 1);
	default:
		return true;
	}
}

static bool is_plain(Dwarf_Die *type, unsigned int depth)
{
	unsigned int nr = 0;
	Dwarf_Die member;

	switch (dwarf_tag(type)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		break;
	default:
		return true;
	}
	if (depth > MAX_INSIDE)
		return false;
	if (dwarf_child(type, &member) != 0)
		return true;
	do
		if (++nr > MAX_MEMBERS ||
		    !is_plain_member(&member, type, depth))
			return false;
	while (dwarf_siblingof(&member, &member) == 0);
	return true;
}

/* One that is written out. */
static bool has_destructor(Dwarf_Die *type)
{
	unsigned int nr = 0;
	Dwarf_Die member;
	const char *name;

	if (dwarf_child(type, &member) != 0)
		return false;
	do {
		name = dwarf_diename(&member);
		if (dwarf_tag(&member) == DW_TAG_subprogram && name != NULL &&
		    name[0] == '~')
			return !dwarf_hasattr(&member, DW_AT_artificial) &&
			       !dwarf_hasattr(&member, DW_AT_defaulted);
	} while (++nr < MAX_MEMBERS && dwarf_siblingof(&member, &member) == 0);
	return false;
}

bool ptl_type_is_of_rust(Dwarf_Die *type)
{
	Dwarf_Die unit;

	return dwarf_diecu(type, &unit, NULL, NULL) != NULL &&
	       dwarf_srclang(&unit) == DW_LANG_Rust;
}

/* All that two registers are not enough for is where its place says. */
static bool is_large_in_rust(Dwarf_Die *type)
{
	return number_of(type, DW_AT_byte_size) > 16 &&
	       ptl_type_is_of_rust(type);
}

/* Is its place what is passed, since it copies itself in a way of its own?  Not
 * all compilers say so. */
static bool is_by_reference(Dwarf_Die *type, bool *is_known)
{
	Dwarf_Word convention = number_of(type, DW_AT_calling_convention);

	*is_known = true;
	if (convention == DW_CC_pass_by_reference || is_large_in_rust(type))
		return true;
	if (convention == DW_CC_pass_by_value || ptl_type_is_of_rust(type) ||
	    is_plain(type, 0))
		return false;
	*is_known = has_destructor(type);
	return *is_known;
}

bool ptl_type_is_by_value(Dwarf_Die *type)
{
	bool is_known;

	return !is_by_reference(type, &is_known) && is_known;
}

static char letter_of(Dwarf_Die *type)
{
	Dwarf_Word size;
	bool is_known;

	switch (dwarf_tag(type)) {
	case DW_TAG_base_type:
		return base_letter(type);
	case DW_TAG_enumeration_type:
		size = number_of(type, DW_AT_byte_size);
		return size == 4 ? 'e' : integer_letter(size, false);
	case DW_TAG_pointer_type:
		return pointer_letter(type, false);
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		return pointer_letter(type, true);
	case DW_TAG_unspecified_type: /* std::nullptr_t */
		return 'p';
	case DW_TAG_ptr_to_member_type:
		return member_letter(type);
	default:
		return is_by_reference(type, &is_known) ? 'p' : PTL_TYPE_STRUCT;
	}
}

char ptl_type_letter_of(Dwarf_Die *entry)
{
	bool is_const;
	Dwarf_Die type;

	return ptl_type_of(entry, &type, &is_const) ? letter_of(&type) : 'v';
}

bool ptl_type_letter_is_hidden(Dwarf_Die *function, bool *is_known)
{
#if defined(__x86_64__)
	bool is_const, is_hidden;
	Dwarf_Word size;
	Dwarf_Die type;

	*is_known = true;
	if (!ptl_type_of(function, &type, &is_const))
		return false;
	switch (dwarf_tag(&type)) {
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
		/* Two registers are enough for others. */
		size = number_of(&type, DW_AT_byte_size);
		if (size > 16)
			return true;
		is_hidden = is_by_reference(&type, is_known);
		*is_known = *is_known && size > 0;
		return is_hidden;
	default:
		return false;
	}
#else
	/* The address has a register of its own. */
	(void)function;
	*is_known = true;
	return false;
#endif
}

#endif
