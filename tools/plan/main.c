/* SPDX-License-Identifier: MIT */
/*
 * usage: ptrace-functions [-v] PATTERNS FILE
 *
 * For ptrace-run --functions-list: what could be traced of the functions inside
 * a program and the libraries that it needs; -v: a line for each function.
 * Nothing is run.  A program of its own, so that ptrace-run need not load
 * libelf, and what a damaged file does to that ends nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/objects/loaded.h"
#include "tools/objects/needed.h"
#include "tools/plan/make.h"
#include "tools/plan/select.h"
#include "tools/plan/show.h"

/* As of ptrace-run, which becomes this program. */
#define EXIT_FAILED 125
#define EXIT_NOT_RUN 126

struct asked {
	struct ptl_select *select;
	size_t nr;
	bool is_verbose, has_program, has_failed;
};

static void list(struct asked *asked, struct ptl_plan *plan,
		 const bool *is_meant, const char *path)
{
	struct ptl_show_totals totals = {.nr = 0};

	for (size_t i = 0; i < plan->nr; i++) {
		const struct ptl_plan_function *function = &plan->function[i];
		bool fits = false;

		if (function->is_part)
			continue;
		/* Each pattern is asked: one that fits nothing is told. */
		for (size_t k = 0; k < asked->nr; k++)
			fits |= is_meant[k] &&
				ptl_select_function(&asked->select[k], plan,
						    function);
		if (!fits)
			continue;
		if (asked->is_verbose && totals.nr == 0)
			ptl_show_head();
		if (asked->is_verbose)
			ptl_show_function(function);
		ptl_show_count(&totals, function);
	}
	ptl_show_totals(plan, path, &totals);
}

static void add_object(const char *path, void *arg)
{
	struct asked *asked = arg;
	bool is_program = !asked->has_program, fits = false;
	bool *is_meant = ptl_alloc(asked->nr * sizeof(*is_meant));
	struct ptl_plan plan;
	const char *why;

	asked->has_program = true;
	for (size_t i = 0; i < asked->nr; i++) {
		is_meant[i] =
			ptl_select_object(&asked->select[i], path, is_program);
		fits |= is_meant[i];
	}
	if (fits) {
		why = ptl_plan_make(&plan, path);
		if (why == NULL) {
			list(asked, &plan, is_meant, path);
			ptl_plan_free(&plan);
		} else {
			ptl_say("%s: %s", path, why);
			asked->has_failed |= is_program;
		}
	}
	free(is_meant);
}

/* A pattern that means nothing is a slip. */
static bool tell_idle(const struct asked *asked)
{
	bool is_idle = false;

	for (size_t i = 0; i < asked->nr; i++) {
		const struct ptl_select *select = &asked->select[i];

		if (!select->fits_object)
			ptl_say("--functions: no library of it is '%s'",
				select->object);
		else if (!select->fits_function && !asked->has_failed)
			ptl_say("--functions: no function fits '%s'",
				select->text);
		else
			continue;
		is_idle = true;
	}
	return is_idle;
}

int main(int argc, char **argv)
{
	struct asked asked = {.nr = 0};
	const char *path, *why;
	struct ptl_plan plan;

	ptl_say_as("ptrace-run");
	if (argc > 1 && strcmp(argv[1], "-v") == 0) {
		asked.is_verbose = true;
		argc--;
		argv++;
	}
	if (argc != 3)
		return 2;
	asked.select = ptl_select_parse(argv[1], &asked.nr);
	path = ptl_loaded_program(argv[2]);
	if (path == NULL)
		path = argv[2];
	if (strcmp(path, argv[2]) != 0)
		ptl_say("%s is a script: of its interpreter, %s", argv[2],
			path);
	ptl_needed_by(path, add_object, &asked);
	if (!asked.has_program) {
		why = ptl_plan_make(&plan, path);
		ptl_say("%s: %s", path, why != NULL ? why : "cannot be read");
		return EXIT_NOT_RUN;
	}
	ptl_show_flush();
	if (asked.has_failed)
		return EXIT_NOT_RUN;
	return tell_idle(&asked) ? EXIT_FAILED : 0;
}
