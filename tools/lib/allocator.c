/* SPDX-License-Identifier: MIT */
/* Functions that count as malloc() and its like; see allocator.h. */
#include "tools/lib/allocator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* Registers that arguments are in. */
#define MOST 6

/* By what they are called; and which arguments count, unless that is said. */
static const struct role {
	const char *word;
	struct ptl_patch_role role;
} roles[] = {
	{"malloc", {PTL_ROLE_MALLOC, 1, {1}}},
	{"calloc", {PTL_ROLE_CALLOC, 2, {1, 2}}},
	{"realloc", {PTL_ROLE_REALLOC, 2, {1, 2}}},
	{"aligned", {PTL_ROLE_ALIGNED, 2, {1, 2}}},
	{"free", {PTL_ROLE_FREE, 1, {1}}},
};

/* What a name ends with, the longest first. */
static const char *const endings[][2] = {
	{"aligned_alloc", "aligned"}, {"memalign", "aligned"},
	{"realloc", "realloc"},	      {"calloc", "calloc"},
	{"malloc", "malloc"},	      {"free", "free"},
};

/* Several at once, of which a program may lack some. */
static const char *const groups[][2] = {
	{"c++", "_Znwm=malloc?,_Znam=malloc?,_ZnwmRKSt9nothrow_t=malloc?,"
		"_ZnamRKSt9nothrow_t=malloc?,_ZnwmSt11align_val_t=aligned/2/1?,"
		"_ZnamSt11align_val_t=aligned/2/1?,_ZdlPv=free?,_ZdaPv=free?,"
		"_ZdlPvm=free?,_ZdaPvm=free?,_ZdlPvSt11align_val_t=free?,"
		"_ZdaPvSt11align_val_t=free?,_ZdlPvmSt11align_val_t=free?,"
		"_ZdaPvmSt11align_val_t=free?"},
	{"rust", "*__rust_alloc=malloc?,*__rust_alloc_zeroed=malloc?,"
		 "*__rust_realloc=realloc/1/4?,*__rust_dealloc=free?"},
};

/* "ROLE", "ROLE/N/N": all of it. */
static bool parse(const char *text, size_t size, struct ptl_patch_role *role)
{
	size_t word = 0, nr = 0;
	bool is_known = false;

	while (word < size && text[word] != '/')
		word++;
	for (size_t i = 0; i < sizeof(roles) / sizeof(*roles); i++) {
		if (strlen(roles[i].word) != word ||
		    memcmp(roles[i].word, text, word) != 0)
			continue;
		*role = roles[i].role;
		is_known = true;
	}
	for (size_t at = word; is_known && at < size; at += 2) {
		if (size - at < 2 || text[at] != '/' || text[at + 1] < '1' ||
		    text[at + 1] > '0' + MOST || nr == role->nr)
			return false;
		role->argument[nr++] = (uint8_t)(text[at + 1] - '0');
	}
	return is_known && (nr == 0 || nr == role->nr);
}

static char *join(const char *name, size_t name_size, const char *role,
		  size_t role_size)
{
	char *pattern;

	if (asprintf(&pattern, "%.*s=%.*s", (int)name_size, name,
		     (int)role_size, role) < 0) {
		ptl_say("out of memory");
		exit(1);
	}
	return pattern;
}

static char *by_ending(const char *word, size_t size)
{
	for (size_t i = 0; i < sizeof(endings) / sizeof(*endings); i++) {
		size_t end = strlen(endings[i][0]);

		if (size >= end &&
		    memcmp(word + size - end, endings[i][0], end) == 0)
			return join(word, size, endings[i][1],
				    strlen(endings[i][1]));
	}
	return NULL;
}

static char *pattern_of(const char *word, size_t size)
{
	const char *equals = memchr(word, '=', size);
	struct ptl_patch_role role;
	size_t before;

	/* No name has it, but whoever takes it for a comma. */
	if (memchr(word, ';', size) != NULL)
		return NULL;
	for (size_t i = 0; i < sizeof(groups) / sizeof(*groups); i++)
		if (strlen(groups[i][0]) == size &&
		    memcmp(groups[i][0], word, size) == 0)
			return strdup(groups[i][1]);
	if (equals == NULL)
		return by_ending(word, size);
	before = (size_t)(equals - word);
	if (!parse(word, before, &role) || before + 1 == size)
		return NULL;
	return join(equals + 1, size - before - 1, word, before);
}

char *ptl_allocator_patterns(const char **list)
{
	size_t size = strcspn(*list, ",");
	char *pattern = pattern_of(*list, size);

	if (pattern != NULL)
		*list += size + ((*list)[size] == ',');
	return pattern;
}

bool ptl_allocator_cut(char *pattern, struct ptl_patch_role *role,
		       bool *is_optional)
{
	char *equals = strrchr(pattern, '=');
	size_t size;

	if (equals == NULL)
		return false;
	size = strlen(equals + 1);
	*is_optional = size > 0 && equals[size] == '?';
	if (!parse(equals + 1, size - *is_optional, role))
		return false;
	*equals = '\0';
	return true;
}

unsigned int ptl_allocator_arguments(const struct ptl_patch_role *role)
{
	unsigned int last = 0;

	for (unsigned int i = 0; i < role->nr; i++)
		if (role->argument[i] > last)
			last = role->argument[i];
	return last;
}
