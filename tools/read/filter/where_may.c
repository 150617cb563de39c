/* SPDX-License-Identifier: MIT */
/* Which types can match an expression; see where_may.h. */
#include "tools/read/filter/where_may.h"

#include <stddef.h>
#include <string.h>

#include "core/format/sysevents.h"
#include "tools/read/filter/where.h"

enum verdict {
	NEVER,
	MAYBE,
	ALWAYS,
};

/* The types of the system. */
static const struct {
	const char *name, *fields;
} types[] = {
#define SYSEVENT(id, ident, name, act, fields) {name, fields},
	PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
};

static bool is_of_system(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (strcmp(types[i].name, name) == 0)
			return true;
	return false;
}

/* Of fields as "fd:i ret:i": is one called so? */
static bool has_field(const char *fields, const char *name)
{
	size_t size = strlen(name);

	while (*fields != '\0') {
		if (strncmp(fields, name, size) == 0 && fields[size] == ':')
			return true;
		fields += strcspn(fields, " ");
		fields += strspn(fields, " ");
	}
	return false;
}

/* A field that no type of the system has is a program's own, which events may
 * have as their context. */
static bool is_fields_of_system(const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
		if (has_field(types[i].fields, name))
			return true;
	return false;
}

static enum verdict judge_name(const struct ptl_where *test, const char *name)
{
	struct ptl_type type = {.name = ""};
	const struct ptl_where_event event = {.type = &type};

	if (name == NULL)
		return test->op == PTL_WHERE_EQUAL && is_of_system(test->text) ?
			       NEVER :
			       MAYBE;
	strncpy(type.name, name, sizeof(type.name) - 1);
	return ptl_where_matches(test, &event) ? ALWAYS : NEVER;
}

static bool is_among(const char *name, const char *const *names, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		if (strcmp(names[i], name) == 0)
			return true;
	return false;
}

static const char *const of_all[] = {"dur",  "pid",	"tid", "pidns", "t",
				     "host", "program", "sym", "failed"};
static const char *const of_functions[] = {"function", "library"};

static enum verdict judge(const struct ptl_where *test, const char *name,
			  const char *fields)
{
	if (strcmp(test->field, "name") == 0)
		return judge_name(test, name);
	if (is_among(test->field, of_all, sizeof(of_all) / sizeof(*of_all)))
		return MAYBE;
	/* Which no data have: tools find them by addresses. */
	if (is_among(test->field, of_functions, 2))
		return name != NULL && (strncmp(name, "call:", 5) == 0 ||
					strncmp(name, "signal:", 7) == 0) ?
			       MAYBE :
			       NEVER;
	return fields == NULL || has_field(fields, test->field) ||
			       !is_fields_of_system(test->field) ?
		       MAYBE :
		       NEVER;
}

static enum verdict ask(const struct ptl_where *where, const char *name,
			const char *fields)
{
	enum verdict left, right;

	if (where->kind == PTL_WHERE_TEST)
		return judge(where, name, fields);
	left = ask(where->left, name, fields);
	if (where->kind == PTL_WHERE_NOT)
		return (enum verdict)(ALWAYS - left);
	right = ask(where->right, name, fields);
	if (where->kind == PTL_WHERE_OR)
		return left > right ? left : right;
	return left < right ? left : right;
}

bool ptl_where_may_match(const struct ptl_where *where, const char *name,
			 const char *fields)
{
	return ask(where, name, fields) != NEVER;
}

/* "arg1", as of functions whose prototype is not known, and of probes. */
static bool is_number_of_argument(const char *field)
{
	return strncmp(field, "arg", 3) == 0 && field[3] >= '0' &&
	       field[3] <= '9';
}

static bool is_known(const char *field)
{
	return strcmp(field, "name") == 0 || strcmp(field, "rank") == 0 ||
	       is_among(field, of_all, sizeof(of_all) / sizeof(*of_all)) ||
	       is_among(field, of_functions, 2) ||
	       strncmp(field, PTL_TAG_FIELD, strlen(PTL_TAG_FIELD)) == 0 ||
	       is_number_of_argument(field) || is_fields_of_system(field);
}

const char *ptl_where_unknown(const struct ptl_where *where)
{
	const char *left;

	if (where == NULL)
		return NULL;
	if (where->kind == PTL_WHERE_TEST)
		return is_known(where->field) ? NULL : where->field;
	left = ptl_where_unknown(where->left);
	return left != NULL ? left : ptl_where_unknown(where->right);
}
