/* SPDX-License-Identifier: MIT */
/* Which functions are meant; see select.h. */
#include "tools/functions/select.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "preload/settings/pattern.h"
#include "tools/lib/allocator.h"
#include "tools/lib/say.h"
#include "tools/symbolize/demangle.h"

/* Of a pattern with a role behind it: as --allocator had it. */
static const char *as_given(const char *pattern, const char *name)
{
	const char *role = pattern + strlen(name) + 1;
	char *text;

	return asprintf(&text, "%.*s=%s", (int)strcspn(role, "?"), role, name) <
			       0 ?
		       pattern :
		       text;
}

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
		if (ptl_allocator_cut(word, &select[*nr].role,
				      &select[*nr].is_optional))
			select[*nr].text = as_given(select[*nr].text, word);
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

const char *ptl_select_option(const struct ptl_select *select)
{
	return select->role.kind != PTL_ROLE_NONE ? "--allocator" :
						    "--functions";
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

/* Behind the parenthesis that closes this one, or at the end. */
static const char *skip(const char *open)
{
	unsigned int depth = 0;

	for (; *open != '\0'; open++) {
		depth += *open == '(';
		depth -= *open == ')';
		if (depth == 0)
			return open + 1;
	}
	return open;
}

/* Is it a parenthesis of a type or of a namespace, not that of arguments? */
static bool is_within_name(const char *name, const char *at)
{
	static const char *const before[] = {"decltype", "decltype "};

	if (strncmp(at, "(anonymous namespace)", 21) == 0)
		return true;
	for (size_t i = 0; i < 2; i++) {
		size_t size = strlen(before[i]);

		if ((size_t)(at - name) >= size &&
		    memcmp(at - size, before[i], size) == 0)
			return true;
	}
	return false;
}

/* What a template makes is written with its result's type in front: "int
 * twice<int>(int)".  Where its name begins; an operator's has spaces itself. */
static const char *behind_result(const char *shown)
{
	const char *name = shown;
	unsigned int depth = 0;

	for (const char *at = shown; *at != '\0'; at++) {
		if (*at == '(' && (depth > 0 || is_within_name(shown, at))) {
			at = skip(at) - 1;
		} else if (*at == '<') {
			depth++;
		} else if (*at == '>' && depth > 0) {
			depth--;
		} else if (depth == 0 && *at == ' ') {
			name = at + 1;
		} else if (depth == 0 &&
			   (*at == '(' || strncmp(at, "operator", 8) == 0)) {
			break;
		}
	}
	return name;
}

static bool fits_name(const struct ptl_select *select, const char *name)
{
	const char *shown;

	if (strcmp(select->name, "*") == 0 ||
	    ptl_pattern_fits(select->name, name))
		return true;
	if (strncmp(name, "_Z", 2) != 0)
		return false;
	shown = ptl_demangle(name);
	if (shown == name)
		return false;
	/* Of vtables and thunks it is not a result that is in front. */
	return ptl_pattern_fits(select->name, shown) ||
	       (strncmp(name, "_ZT", 3) != 0 && strncmp(name, "_ZG", 3) != 0 &&
		ptl_pattern_fits(select->name, behind_result(shown)));
}

void ptl_select_note(struct ptl_select *select,
		     const struct ptl_plan_function *function,
		     enum ptl_plan_why why)
{
	size_t used = strlen(select->refused);
	char buf[32];

	select->is_traced |= why == PTL_PLAN_WHY_NOT;
	select->nr_xray += why == PTL_PLAN_XRAY;
	if (why == PTL_PLAN_WHY_NOT || select->nr_refused++ >= PTL_SELECT_NAMED)
		return;
	snprintf(select->refused + used, sizeof(select->refused) - used,
		 "%s%.80s (%s)", used > 0 ? ", " : "",
		 ptl_demangle(ptl_select_name(function, buf)),
		 ptl_plan_why(why));
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

static bool fits_alias(const struct ptl_select *select,
		       const struct ptl_plan *plan, uint64_t address)
{
	for (size_t i = first_alias(plan, address);
	     i < plan->nr_aliases && plan->alias[i].at == address; i++)
		if (fits_name(select, plan->alias[i].name))
			return true;
	return false;
}

bool ptl_select_function(struct ptl_select *select, const struct ptl_plan *plan,
			 const struct ptl_plan_function *function)
{
	char buf[32];
	bool fits = fits_name(select, ptl_select_name(function, buf)) ||
		    fits_alias(select, plan, function->start);

	select->fits_function |= fits;
	return fits;
}
