/* SPDX-License-Identifier: MIT */
/* Which families of system events to record; see families.h. */
#include "preload/settings/families.h"

#include "core/sys/text.h"

#include "preload/settings/list.h"

enum {
#define INDEX(name) FAMILY_##name,
	PTL_FAMILIES(INDEX)
#undef INDEX
		NR_FAMILIES
};
#define BIT(name) (1u << FAMILY_##name)
/* Of what costs little, and is always allowed. */
#define BY_NAME (BIT(cpu) | BIT(sched))
#define ALL (((1u << NR_FAMILIES) - 1) & ~BY_NAME)

/* Not pointers, which the loader would have to relocate one by one. */
static const char names[][8] = {
#define NAME(name) #name,
	PTL_FAMILIES(NAME)
#undef NAME
};

bool ptl_families_is_probe(const char *word, size_t size)
{
	size_t at = 0;

	if (size < sizeof(PTL_FAMILIES_PROBE) ||
	    !ptl_strpre(word, PTL_FAMILIES_PROBE))
		return false;
	while (at < size && word[at] != '(')
		at++;
	if (at++ == size)
		return true;
	while (at < size && (word[at] == 's' || word[at] == '-'))
		at++;
	return at + 1 == size && word[at] == ')';
}

/* The bit of the family, or 0. */
static uint32_t family_bit(const char *word, size_t size)
{
	for (uint32_t i = 0; i < NR_FAMILIES; i++)
		if (ptl_list_is(word, size, names[i]))
			return 1u << i;
	return 0;
}

/* The families of "all", of a family or of a class, with or without its %. */
static uint32_t bits_of(const char *word, size_t size)
{
	bool is_class = size > 0 && *word == '%';
	uint32_t bits = 0;
	const char *name;

	word += is_class;
	size -= is_class;
	if (ptl_list_is(word, size, "all"))
		return ALL;
	for (unsigned int i = 0; (name = ptl_choice_class(word, size, i)); i++)
		bits |= family_bit(name, ptl_strlen(name));
	return bits ? bits : family_bit(word, size);
}

static void add_families(struct ptl_families *families, uint32_t bits,
			 bool is_excluded)
{
	struct ptl_choice types = {{0}};

	if (is_excluded && bits == ALL)
		bits |= BY_NAME;
	if (is_excluded)
		families->chosen &= ~bits;
	else
		families->chosen |= bits;
	if (bits & BIT(dl))
		families->has_maps = !is_excluded;
	if (bits & BIT(process))
		families->has_names = !is_excluded;
	if (bits == BIT(call))
		families->names_call = !is_excluded;
	if (bits == BIT(signal))
		families->has_crash = !is_excluded;
	else if (bits & BIT(signal) && is_excluded)
		families->has_crash = false;
	/* What was said of single types before is said of all of them now. */
	for (uint32_t i = 0; i < NR_FAMILIES; i++)
		if (bits >> i & 1)
			ptl_choice_family(names[i], &types);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(types.word); i++) {
		families->also.word[i] &= ~types.word[i];
		families->except.word[i] &= ~types.word[i];
	}
}

static void add_calls(struct ptl_families *families,
		      const struct ptl_choice *calls, bool is_excluded)
{
	struct ptl_choice *to =
		is_excluded ? &families->except : &families->also;
	struct ptl_choice *from =
		is_excluded ? &families->also : &families->except;

	for (size_t i = 0; i < PTL_ARRAY_SIZE(calls->word); i++) {
		to->word[i] |= calls->word[i];
		from->word[i] &= ~calls->word[i];
	}
}

static bool add_word(struct ptl_families *families, const char *word,
		     size_t size)
{
	bool is_excluded = size > 0 && *word == '!';
	bool is_signed = is_excluded || (size > 0 && *word == '+');
	struct ptl_choice calls = {{0}};
	uint32_t bits;

	word += is_signed;
	size -= is_signed;
	if (ptl_list_is(word, size, "none")) {
		add_families(families, ALL, !is_excluded);
		return true;
	}
	/* Which probes are meant is looked at where they are found. */
	if (!is_excluded && ptl_families_is_probe(word, size))
		return true;
	bits = bits_of(word, size);
	if (bits) {
		add_families(families, bits, is_excluded);
		return true;
	}
	if (!ptl_choice_calls(word, size, &calls))
		return false;
	add_calls(families, &calls, is_excluded);
	return true;
}

/* strace -e trace=open */
static const char *without_qualifier(const char *list)
{
	return ptl_strpre(list, "trace=") ? list + 6 : list;
}

void ptl_families_init(struct ptl_families *families)
{
	*families = (struct ptl_families){
		.has_maps = true,
		.has_names = true,
	};
	ptl_families_add(families, PTL_FAMILIES_DEFAULT);
	families->is_given = false;
}

bool ptl_families_add(struct ptl_families *families, const char *list)
{
	struct ptl_families changed = *families;
	const char *word;
	size_t size;

	list = without_qualifier(list);
	if (!changed.is_given && *list != '+')
		changed.chosen = *list == '!' ? ALL : 0;
	changed.is_given = true;
	while (ptl_list_next(&list, &word, &size))
		if (!add_word(&changed, word, size))
			return false;
	*families = changed;
	return true;
}

const char *ptl_families_wrong(const char *list, size_t *size)
{
	struct ptl_families families = {0};
	const char *word;

	list = without_qualifier(list);
	while (ptl_list_next(&list, &word, size))
		if (!add_word(&families, word, *size))
			return word;
	return NULL;
}

bool ptl_families_have(const struct ptl_families *families, const char *family)
{
	struct ptl_choice types = {{0}};

	if (families->chosen & family_bit(family, ptl_strlen(family)))
		return true;
	ptl_choice_family(family, &types);
	for (size_t i = 0; i < PTL_ARRAY_SIZE(types.word); i++)
		if (types.word[i] & families->also.word[i])
			return true;
	return false;
}

bool ptl_families_want(const struct ptl_families *families, bool has_calls,
		       const char *event_name)
{
	uint32_t chosen = families->chosen | (has_calls ? BIT(call) : 0), bit;
	int number = ptl_choice_number(event_name);
	size_t size = 0;

	if (number >= 0 && ptl_choice_has(&families->except, number))
		return false;
	if (number >= 0 && ptl_choice_has(&families->also, number))
		return true;
	while (event_name[size] && event_name[size] != ':')
		size++;
	if (!event_name[size])
		return true;
	if (ptl_streq(event_name, "dl:map") ||
	    ptl_streq(event_name, "dl:unmap"))
		return families->has_maps;
	if (ptl_streq(event_name, "process:program"))
		return families->has_names;
	if (ptl_streq(event_name, "signal:crash"))
		return families->has_crash;
	bit = family_bit(event_name, size);
	return !bit || (chosen & bit);
}
