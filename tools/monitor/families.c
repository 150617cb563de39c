/* SPDX-License-Identifier: MIT */
/* Which families of system events are to be recorded; see families.h. */
#include "tools/monitor/families.h"

#include <stddef.h>
#include <string.h>

static const char *const names[] = {
	"process", "thread", "signal", "file", "io",   "mem",
	"sync",	   "time",   "net",    "dl",   "call",
};
#define NR_FAMILIES (sizeof(names) / sizeof(*names))
#define ALL_FAMILIES ((1u << NR_FAMILIES) - 1)

/* The bit of the family, or 0. */
static unsigned int family_bit(const char *name, size_t size)
{
	for (size_t i = 0; i < NR_FAMILIES; i++)
		if (strlen(names[i]) == size &&
		    memcmp(names[i], name, size) == 0)
			return 1u << i;
	return 0;
}

void ptl_families_init(struct ptl_families *families)
{
	families->chosen = family_bit("process", 7) | family_bit("thread", 6);
	families->has_maps = true;
	families->has_calls = false;
	families->names_call = false;
	families->is_given = false;
}

static bool is_word(const char *word, size_t size, const char *wanted)
{
	return strlen(wanted) == size && memcmp(word, wanted, size) == 0;
}

static bool add_word(struct ptl_families *families, const char *word,
		     size_t size)
{
	bool is_excluded = size > 0 && *word == '!';
	unsigned int bit;

	word += is_excluded;
	size -= is_excluded;
	if (is_word(word, size, "all"))
		bit = ALL_FAMILIES;
	else if (is_word(word, size, "none"))
		bit = ALL_FAMILIES, is_excluded = !is_excluded;
	else
		bit = family_bit(word, size);
	if (bit == 0)
		return false;
	if (is_excluded)
		families->chosen &= ~bit;
	else
		families->chosen |= bit;
	if (bit & family_bit("dl", 2))
		families->has_maps = !is_excluded;
	if (bit == family_bit("call", 4))
		families->names_call = !is_excluded;
	return true;
}

bool ptl_families_add(struct ptl_families *families, const char *list)
{
	struct ptl_families changed = *families;

	if (!changed.is_given)
		changed.chosen = *list == '!' ? ALL_FAMILIES : 0;
	changed.is_given = true;
	for (;;) {
		size_t size = strcspn(list, ",");

		if (!add_word(&changed, list, size))
			return false;
		if (list[size] == '\0')
			break;
		list += size + 1;
	}
	*families = changed;
	return true;
}

bool ptl_families_want(const struct ptl_families *families,
		       const char *event_name)
{
	const char *colon = strchr(event_name, ':');
	unsigned int bit;

	if (colon == NULL)
		return true;
	if (strcmp(event_name, "dl:map") == 0 ||
	    strcmp(event_name, "dl:unmap") == 0)
		return families->has_maps;
	bit = family_bit(event_name, (size_t)(colon - event_name));
	return bit == 0 || (families->chosen & bit) != 0 ||
	       (families->has_calls && bit == family_bit("call", 4));
}
