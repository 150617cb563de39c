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
#define ALL ((1u << NR_FAMILIES) - 1)

/* Not pointers, which the loader would have to relocate one by one. */
static const char names[][8] = {
#define NAME(name) #name,
	PTL_FAMILIES(NAME)
#undef NAME
};

/* The bit of the family, or 0. */
static uint32_t family_bit(const char *word, size_t size)
{
	for (uint32_t i = 0; i < NR_FAMILIES; i++)
		if (ptl_list_is(word, size, names[i]))
			return 1u << i;
	return 0;
}

static bool add_word(struct ptl_families *families, const char *word,
		     size_t size)
{
	bool is_excluded = size > 0 && *word == '!';
	uint32_t bit;

	word += is_excluded;
	size -= is_excluded;
	if (ptl_list_is(word, size, "all"))
		bit = ALL;
	else if (ptl_list_is(word, size, "none"))
		bit = ALL, is_excluded = !is_excluded;
	else
		bit = family_bit(word, size);
	if (!bit)
		return false;
	if (is_excluded)
		families->chosen &= ~bit;
	else
		families->chosen |= bit;
	if (bit & BIT(dl))
		families->has_maps = !is_excluded;
	if (bit & BIT(process))
		families->has_names = !is_excluded;
	if (bit == BIT(call))
		families->names_call = !is_excluded;
	return true;
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

	if (!changed.is_given)
		changed.chosen = *list == '!' ? ALL : 0;
	changed.is_given = true;
	while (ptl_list_next(&list, &word, &size))
		if (!add_word(&changed, word, size))
			return false;
	*families = changed;
	return true;
}

bool ptl_families_want(const struct ptl_families *families, bool has_calls,
		       const char *event_name)
{
	uint32_t chosen = families->chosen | (has_calls ? BIT(call) : 0), bit;
	size_t size = 0;

	while (event_name[size] && event_name[size] != ':')
		size++;
	if (!event_name[size])
		return true;
	if (ptl_streq(event_name, "dl:map") ||
	    ptl_streq(event_name, "dl:unmap"))
		return families->has_maps;
	if (ptl_streq(event_name, "process:program"))
		return families->has_names;
	bit = family_bit(event_name, size);
	return !bit || (chosen & bit);
}
