/* SPDX-License-Identifier: MIT */
/*
 * Structures; see structure.h.  Of those that are passed by value up to 16
 * bytes are in two registers, of each 8 bytes a vector register if all that is
 * in them is float or double (System V ABI, x86-64, 3.2.3); larger ones on the
 * stack.  Where a long double is in one, or what is not aligned, that is not
 * known.
 */
#include "tools/objects/structure.h"

#ifdef HAVE_LIBDW

#include <dwarf.h>
#include <string.h>

#include "tools/objects/type_letter.h"
#include "tools/prototypes/type.h"

#define WORDS 2
#define MAX_MEMBERS 256
#define MAX_INSIDE 8
#define MAX_OFFSET (1u << 20)
/* Of what is not understood. */
#define UNKNOWN '?'

/* What is done with each member that is no structure itself; where one begins
 * and ends that is; and where variants do, of which NULL is the value of one
 * that has all that others have not.  False: that is enough. */
struct walk {
	bool (*member)(const struct ptl_member *member, void *arg);
	bool (*nest)(const char *name, char bracket, void *arg);
	bool (*variants)(const char *name,
			 const struct ptl_member *discriminant, void *arg);
	bool (*variant)(const Dwarf_Word *value, void *arg);
	void *arg;
	unsigned int nr, depth;
	bool is_tuple; /* members have no names */
};

static bool each(struct walk *walk, Dwarf_Die *type, unsigned int base);

static unsigned int size_of(char letter)
{
	if (strchr("bchH", letter) != NULL)
		return 1;
	if (strchr("tT", letter) != NULL)
		return 2;
	return strchr("iIef", letter) != NULL ? 4 : 8;
}

static bool get_number(Dwarf_Die *die, unsigned int name, Dwarf_Word *number)
{
	Dwarf_Attribute attr;

	return dwarf_attr_integrate(die, name, &attr) != NULL &&
	       dwarf_formudata(&attr, number) == 0;
}

/* Where a member is, which may be some bits of a byte and those behind it. */
static bool get_place(Dwarf_Die *die, struct ptl_member *member)
{
	Dwarf_Word bits = 0, from = 0, at = 0, size = 0;

	if (dwarf_hasattr(die, DW_AT_data_member_location) &&
	    !get_number(die, DW_AT_data_member_location, &at))
		return false;
	if (get_number(die, DW_AT_bit_size, &bits)) {
		/* Before DWARF 4, from the other end of what it is in. */
		if (get_number(die, DW_AT_bit_offset, &from) &&
		    get_number(die, DW_AT_byte_size, &size))
			from = size * 8 - from - bits;
		else
			get_number(die, DW_AT_data_bit_offset, &from);
		at += from / 8;
		from %= 8;
		if (bits == 0 || from + bits > 64)
			return false;
	}
	if (at > MAX_OFFSET)
		return false;
	member->offset += (unsigned int)at;
	member->bits = (unsigned int)bits;
	member->shift = (unsigned int)from;
	return true;
}

bool ptl_structure_is(Dwarf_Die *type)
{
	int tag = dwarf_tag(type);

	return tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
	       tag == DW_TAG_union_type;
}

/* Of all dimensions; 0: that is not known. */
static unsigned int count_of(Dwarf_Die *array)
{
	Dwarf_Word count = 1, nr;
	Dwarf_Die range;

	if (dwarf_child(array, &range) != 0)
		return 0;
	do {
		if (get_number(&range, DW_AT_upper_bound, &nr))
			nr++;
		else if (!get_number(&range, DW_AT_count, &nr))
			return 0;
		if (nr > MAX_OFFSET)
			return 0;
		count *= nr;
	} while (count <= MAX_OFFSET && dwarf_siblingof(&range, &range) == 0);
	return count <= MAX_OFFSET ? (unsigned int)count : 0;
}

static bool is_number(const char *name)
{
	return name != NULL && strncmp(name, "__", 2) == 0 &&
	       name[2 + strspn(name + 2, "0123456789")] == '\0';
}

/* The first thing that is in it; false: nothing is. */
static bool get_first(Dwarf_Die *type, Dwarf_Die *die)
{
	unsigned int nr = 0;

	if (dwarf_child(type, die) != 0)
		return false;
	do
		switch (dwarf_tag(die)) {
		case DW_TAG_member:
		case DW_TAG_inheritance:
		case DW_TAG_variant_part:
			return true;
		default:
			break;
		}
	while (++nr < MAX_MEMBERS && dwarf_siblingof(die, die) == 0);
	return false;
}

/* Rust has numbers for the names of members of tuples. */
static bool is_tuple(Dwarf_Die *type)
{
	Dwarf_Die die;

	return get_first(type, &die) && is_number(dwarf_diename(&die)) &&
	       ptl_type_is_of_rust(type);
}

/* Are variants all that is in it? */
static bool get_variants(Dwarf_Die *type, Dwarf_Die *part)
{
	return get_first(type, part) && dwarf_tag(part) == DW_TAG_variant_part;
}

static bool variants(struct walk *walk, const char *name, Dwarf_Die *part,
		     unsigned int base);

static bool in_brackets(struct walk *walk, const char *name, Dwarf_Die *type,
			unsigned int base, bool has_numbers)
{
	const char *brackets = has_numbers ? "()" : "{}";
	bool is_told = walk->nest != NULL && name != NULL;
	bool was_tuple = walk->is_tuple, done;

	walk->is_tuple = has_numbers;
	done = (!is_told || walk->nest(name, brackets[0], walk->arg)) &&
	       each(walk, type, base) &&
	       (!is_told || walk->nest("", brackets[1], walk->arg));
	walk->is_tuple = was_tuple;
	return done;
}

/* What has no name has its members in its place. */
static bool nested(struct walk *walk, const char *name, Dwarf_Die *type,
		   unsigned int base)
{
	Dwarf_Die part;
	bool done;

	if (walk->depth == MAX_INSIDE)
		return walk->member(&(struct ptl_member){.name = name,
							 .letter = UNKNOWN,
							 .offset = base},
				    walk->arg);
	walk->depth++;
	done = get_variants(type, &part) ?
		       variants(walk, name, &part, base) :
		       in_brackets(walk, name, type, base, is_tuple(type));
	walk->depth--;
	return done;
}

static bool structures(struct walk *walk, const struct ptl_member *member,
		       Dwarf_Die *type)
{
	int size = dwarf_bytesize(type);
	bool done =
		walk->nest == NULL || walk->nest(member->name, '[', walk->arg);

	for (unsigned int i = 0; done && size > 0 && i < member->count; i++)
		done = ++walk->nr <= MAX_MEMBERS &&
		       nested(walk, "", type,
			      member->offset + i * (unsigned int)size);
	return done && (walk->nest == NULL || walk->nest("", ']', walk->arg));
}

static bool array(struct walk *walk, struct ptl_member *member, Dwarf_Die *die)
{
	bool is_const;
	Dwarf_Die of;

	member->count = count_of(die);
	if (member->count != 0 && ptl_type_of(die, &of, &is_const)) {
		if (ptl_structure_is(&of))
			return structures(walk, member, &of);
		member->letter = ptl_type_letter_of(die);
		member->type = &of;
		return walk->member(member, walk->arg);
	}
	return walk->member(member, walk->arg);
}

/* As what Rust has to say of what type something is. */
static bool is_nothing(Dwarf_Die *type)
{
	Dwarf_Die none;

	return ptl_structure_is(type) && dwarf_bytesize(type) == 0 &&
	       !get_first(type, &none);
}

static bool one(struct walk *walk, Dwarf_Die *die, unsigned int base)
{
	struct ptl_member member = {
		.name = walk->is_tuple ? "" : dwarf_diename(die),
		.letter = UNKNOWN,
		.offset = base,
	};
	bool is_const, is_there = get_place(die, &member);
	Dwarf_Die of;

	if (!is_there || !ptl_type_of(die, &of, &is_const))
		return walk->member(&member, walk->arg);
	member.type = &of;
	if (dwarf_tag(&of) == DW_TAG_array_type)
		return array(walk, &member, &of);
	if (is_nothing(&of))
		return true;
	if (dwarf_tag(&of) == DW_TAG_base_type && dwarf_bytesize(&of) == 0)
		return walk->nest == NULL ||
		       (walk->nest(member.name, '(', walk->arg) &&
			walk->nest("", ')', walk->arg));
	if (ptl_structure_is(&of))
		return nested(walk, member.name, &of, member.offset);
	member.letter = ptl_type_letter_of(die);
	return walk->member(&member, walk->arg);
}

/* Not of all objects together; nor a table of functions. */
static bool is_member(Dwarf_Die *die)
{
	return dwarf_tag(die) == DW_TAG_member &&
	       !dwarf_hasattr(die, DW_AT_external) &&
	       !dwarf_hasattr(die, DW_AT_declaration) &&
	       !dwarf_hasattr(die, DW_AT_artificial);
}

/* Which of the variants it is; of one alone there is nothing to say it. */
static bool get_discriminant(Dwarf_Die *part, struct ptl_member *discriminant)
{
	Dwarf_Attribute attr;
	Dwarf_Die die;

	discriminant->letter = 'v';
	if (dwarf_attr(part, DW_AT_discr, &attr) == NULL)
		return true;
	if (dwarf_formref_die(&attr, &die) == NULL ||
	    !get_place(&die, discriminant) || discriminant->bits != 0)
		return false;
	discriminant->letter = ptl_type_letter_of(&die);
	return strchr("bchHtTiIlLepk", discriminant->letter) != NULL;
}

/* The only member has the variant's name, and in its structure what that has.
 */
static bool variant(struct walk *walk, Dwarf_Die *die, unsigned int base)
{
	const Dwarf_Word *value = NULL;
	Dwarf_Word number;
	Dwarf_Die member, type, none;
	bool is_const;

	if (dwarf_hasattr(die, DW_AT_discr_list) || dwarf_child(die, &member))
		return true;
	if (get_number(die, DW_AT_discr_value, &number))
		value = &number;
	if (walk->variant != NULL && !walk->variant(value, walk->arg))
		return false;
	if (ptl_type_of(&member, &type, &is_const) && ptl_structure_is(&type) &&
	    !get_first(&type, &none) && walk->nest != NULL)
		return walk->nest(dwarf_diename(&member), '(', walk->arg) &&
		       walk->nest("", ')', walk->arg);
	return one(walk, &member, base);
}

static bool variants(struct walk *walk, const char *name, Dwarf_Die *part,
		     unsigned int base)
{
	struct ptl_member parent = {
		.name = name, .letter = UNKNOWN, .offset = base};
	struct ptl_member discriminant = parent;
	bool was_tuple = walk->is_tuple, done = true;
	Dwarf_Die die;

	if (!get_discriminant(part, &discriminant) ||
	    dwarf_child(part, &die) != 0)
		return walk->member(&parent, walk->arg);
	if (walk->variants != NULL ?
		    !walk->variants(name, &discriminant, walk->arg) :
		    discriminant.letter != 'v' &&
			    !walk->member(&discriminant, walk->arg))
		return false;
	walk->is_tuple = false;
	do
		if (dwarf_tag(&die) == DW_TAG_variant)
			done = ++walk->nr <= MAX_MEMBERS &&
			       variant(walk, &die, base);
	while (done && dwarf_siblingof(&die, &die) == 0);
	walk->is_tuple = was_tuple;
	return done && (walk->nest == NULL || walk->nest("", '>', walk->arg));
}

/* All members, also of structures inside. */
static bool each(struct walk *walk, Dwarf_Die *type, unsigned int base)
{
	Dwarf_Die die, of;
	bool is_const, done = true;

	if (dwarf_child(type, &die) != 0)
		return true;
	do {
		struct ptl_member parent = {.letter = UNKNOWN, .offset = base};

		if (++walk->nr > MAX_MEMBERS)
			return false;
		if (is_member(&die))
			done = one(walk, &die, base);
		else if (dwarf_tag(&die) == DW_TAG_variant_part)
			done = variants(walk, "", &die, base);
		else if (dwarf_tag(&die) != DW_TAG_inheritance)
			continue;
		else if (get_place(&die, &parent) &&
			 ptl_type_of(&die, &of, &is_const))
			done = nested(walk, NULL, &of, parent.offset);
		else
			done = walk->member(&parent, walk->arg);
	} while (done && dwarf_siblingof(&die, &die) == 0);
	return done;
}

bool ptl_structure_each(Dwarf_Die *type,
			bool (*fn)(const struct ptl_member *member, void *arg),
			void *arg)
{
	struct walk walk = {.member = fn, .arg = arg};

	return each(&walk, type, 0);
}

/* ---- by value ------------------------------------------------------- */

struct classes {
	bool is_used[WORDS], is_general[WORDS];
	bool has_parts; /* a word has several members, or part of one */
};

static bool classify(const struct ptl_member *member, void *arg)
{
	struct classes *classes = arg;
	unsigned int size, first, last;

	if (strchr("bchHtTiIlLepkFsSzyfd", member->letter) == NULL)
		return false;
	size = size_of(member->letter);
	if (member->bits == 0 && member->offset % size != 0)
		return false;
	if (member->bits != 0)
		size = (member->shift + member->bits + 7) / 8;
	first = member->offset / 8;
	last = (member->offset + size * (member->count ? member->count : 1) -
		1) /
	       8;
	for (unsigned int i = first; i <= last && i < WORDS; i++) {
		classes->has_parts |= classes->is_used[i] || member->count ||
				      member->offset % 8 != 0;
		classes->is_used[i] = true;
		if (member->letter != 'f' && member->letter != 'd')
			classes->is_general[i] = true;
	}
	return true;
}

/* Rust has a register for each of two members, however small they are, which
 * may be in variants; one for all that is no larger; and does with others what
 * it likes. */
struct scalars {
	unsigned int nr;
	struct ptl_member at[WORDS];
};

static bool is_vector(const struct ptl_member *member)
{
	return member->letter == 'f' || member->letter == 'd';
}

static bool add_scalar(const struct ptl_member *member, void *arg)
{
	struct scalars *scalars = arg;

	if (strchr("bchHtTiIlLepkFsSzyfd", member->letter) == NULL ||
	    member->count != 0 || member->bits != 0)
		return false;
	for (unsigned int i = 0; i < scalars->nr; i++) {
		const struct ptl_member *other = &scalars->at[i];

		if (member->offset == other->offset)
			return is_vector(member) == is_vector(other) &&
			       size_of(member->letter) ==
				       size_of(other->letter);
	}
	if (scalars->nr == WORDS)
		return false;
	scalars->at[scalars->nr++] = *member;
	return true;
}

/* In the order in which they are in it, the first at its beginning. */
static bool get_scalars(Dwarf_Die *type, struct scalars *scalars)
{
	struct walk walk = {.member = add_scalar, .arg = scalars};
	struct ptl_member first;

	scalars->nr = 0;
	if (!each(&walk, type, 0) || scalars->nr == 0)
		return false;
	first = scalars->at[0];
	if (scalars->nr == WORDS && first.offset != 0) {
		scalars->at[0] = scalars->at[1];
		scalars->at[1] = first;
	}
	first = scalars->at[0];
	return first.offset == 0 &&
	       (scalars->nr == 1 ||
		scalars->at[1].offset >= size_of(first.letter));
}

static char letter_in_rust(Dwarf_Die *type)
{
	struct scalars scalars;

	if (!get_scalars(type, &scalars))
		return dwarf_bytesize(type) <= 8 ? 'j' : PTL_TYPE_STRUCT;
	if (scalars.nr == 1)
		return is_vector(&scalars.at[0]) ? 'w' : 'j';
	if (is_vector(&scalars.at[0]))
		return is_vector(&scalars.at[1]) ? 'W' : 'M';
	return is_vector(&scalars.at[1]) ? 'm' : 'J';
}

char ptl_structure_letter(Dwarf_Die *entry, bool is_in_rust)
{
	struct classes classes = {{false}, {false}, false};
	struct walk walk = {.member = classify, .arg = &classes};
	Dwarf_Die type;
	bool is_const, is_known;
	int size;

#if !defined(__x86_64__)
	return PTL_TYPE_STRUCT;
#endif
	if (!ptl_type_of(entry, &type, &is_const) || !ptl_structure_is(&type) ||
	    !ptl_type_is_by_value(&type))
		return PTL_TYPE_STRUCT;
	if (is_in_rust)
		return letter_in_rust(&type);
	size = dwarf_bytesize(&type);
	is_known = each(&walk, &type, 0);
	if (size > WORDS * 8)
		return is_known && !dwarf_hasattr(&type, DW_AT_alignment) ?
			       PTL_STRUCTURE_ON_STACK :
			       PTL_STRUCTURE_IN_MEMORY;
	if (!is_known || !classes.is_used[0] ||
	    classes.is_used[1] != (size > 8) ||
	    (classes.has_parts && ptl_type_is_of_rust(&type)))
		return PTL_TYPE_STRUCT;
	if (size <= 8)
		return classes.is_general[0] ? 'j' : 'w';
	if (classes.is_general[0])
		return classes.is_general[1] ? 'J' : 'm';
	return classes.is_general[1] ? 'M' : 'W';
}

unsigned int ptl_structure_general(char letter)
{
	return letter == 'J' || letter == 'u'	       ? 2 :
	       letter != '\0' && strchr("jmM", letter) ? 1 :
							 0;
}

unsigned int ptl_structure_vector(char letter)
{
	return letter == 'W'			       ? 2 :
	       letter != '\0' && strchr("wmM", letter) ? 1 :
							 0;
}

/* ---- told ------------------------------------------------------------- */

struct told {
	struct ptl_labels *labels;
	unsigned int second; /* this place is the second word; 0: none is */
};

static struct ptl_member place_in(const struct told *told,
				  const struct ptl_member *member)
{
	struct ptl_member placed = *member;

	if (told->second != 0 && member->offset == told->second)
		placed.offset = 8;
	return placed;
}

static bool label(const struct ptl_member *member, void *arg)
{
	const struct told *told = arg;
	struct ptl_member placed = place_in(told, member);

	return placed.offset < PTL_STRUCTURE_MOST &&
	       ptl_labels_add_member(told->labels, &placed);
}

static bool nest(const char *name, char bracket, void *arg)
{
	const struct told *told = arg;

	return ptl_labels_nest(told->labels, name, bracket);
}

static bool part(const char *name, const struct ptl_member *discriminant,
		 void *arg)
{
	const struct told *told = arg;
	struct ptl_member placed = place_in(told, discriminant);

	return placed.offset < PTL_STRUCTURE_MOST &&
	       ptl_labels_variants(told->labels, name, &placed);
}

static bool in_variant(const Dwarf_Word *value, void *arg)
{
	const struct told *told = arg;

	return ptl_labels_variant(told->labels, value);
}

void ptl_structure_label(struct ptl_labels *labels, Dwarf_Die *type,
			 bool is_in_rust)
{
	struct told told = {.labels = labels};
	struct scalars scalars;
	struct walk walk = {
		.member = label,
		.nest = nest,
		.variants = part,
		.variant = in_variant,
		.arg = &told,
	};

	if (is_in_rust && get_scalars(type, &scalars) && scalars.nr == WORDS)
		told.second = scalars.at[1].offset;
	if (!(is_tuple(type) ? in_brackets(&walk, "", type, 0, true) :
			       each(&walk, type, 0)))
		ptl_labels_end(labels);
}

bool ptl_structure_of(Dwarf_Die *entry, Dwarf_Die *type)
{
	bool is_const;
	Dwarf_Die die;

	if (!ptl_type_of(entry, type, &is_const))
		return false;
	switch (dwarf_tag(type)) {
	case DW_TAG_pointer_type:
	case DW_TAG_reference_type:
	case DW_TAG_rvalue_reference_type:
		die = *type;
		if (!ptl_type_of(&die, type, &is_const))
			return false;
		break;
	default:
		break;
	}
	return ptl_structure_is(type) && dwarf_bytesize(type) > 0 &&
	       dwarf_haschildren(type);
}

#endif
