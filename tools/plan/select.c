/* SPDX-License-Identifier: MIT */
/* Which functions are meant; see select.h. */
#include "tools/plan/select.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "preload/settings/pattern.h"
#include "tools/lib/say.h"
#include "tools/symbolize/demangle.h"

struct ptl_select *ptl_select_parse(const char *list, size_t *nr)
{
	struct ptl_select *select = NULL;
	char *text = strdup(list), *save = NULL;
	const char *colon;
	size_t room = 0;

	*nr = 0;
	for (char *word = text != NULL ? strtok_r(text, ",", &save) : NULL;
	     word != NULL; word = strtok_r(NULL, ",", &save)) {
		select = ptl_grow(select, *nr, &room, sizeof(*select));
		select[*nr] = (struct ptl_select){
			.text = strdup(word),
			.name = word,
		};
		colon = ptl_pattern_colon(word, strlen(word));
		if (colon != NULL) {
			word[colon - word] = '\0';
			select[*nr].object = word;
			select[*nr].name = colon + 1;
		}
		(*nr)++;
	}
	return select;
}

static bool is_same_file(const char *path, const char *other)
{
	struct stat st, other_st;

	return stat(path, &st) == 0 && stat(other, &other_st) == 0 &&
	       st.st_dev == other_st.st_dev && st.st_ino == other_st.st_ino;
}

bool ptl_select_is_path(const struct ptl_select *select)
{
	return select->object != NULL && strchr(select->object, '/') != NULL;
}

bool ptl_select_object(struct ptl_select *select, const char *path,
		       bool is_program)
{
	const char *slash = strrchr(path, '/');
	bool fits = ptl_select_is_path(select) ?
			    is_same_file(select->object, path) :
			    ptl_pattern_means_object(select->object,
						     slash != NULL ? slash + 1 :
								     path,
						     is_program);

	select->fits_object |= fits;
	return fits;
}

static bool fits_name(const struct ptl_select *select, const char *name)
{
	const char *shown;

	if (ptl_pattern_fits(select->name, name))
		return true;
	if (strncmp(name, "_Z", 2) != 0 || strcmp(select->name, "*") == 0)
		return false;
	shown = ptl_demangle(name);
	return shown != name && ptl_pattern_fits(select->name, shown);
}

/* The number of the first name for what begins there. */
static size_t first_alias(const struct ptl_plan *plan, uint64_t address)
{
	size_t low = 0, high = plan->nr_aliases;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (plan->alias[middle].at < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

const char *ptl_select_name(const struct ptl_plan_function *function,
			    char buf[32])
{
	if (function->name != NULL)
		return function->name;
	snprintf(buf, 32, "0x%llx", (unsigned long long)function->start);
	return buf;
}

bool ptl_select_function(struct ptl_select *select, const struct ptl_plan *plan,
			 const struct ptl_plan_function *function)
{
	char buf[32];
	bool fits = fits_name(select, ptl_select_name(function, buf));

	for (size_t i = first_alias(plan, function->start);
	     !fits && i < plan->nr_aliases &&
	     plan->alias[i].at == function->start;
	     i++)
		fits = fits_name(select, plan->alias[i].name);
	select->fits_function |= fits;
	return fits;
}
