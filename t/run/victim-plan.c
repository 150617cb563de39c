/* SPDX-License-Identifier: MIT */
/* Prints the plan of a file, all of it: "function START END WHY EXITS", "place
 * KIND HOW AT SIZE ISLAND" for its entry and its exits; numbers in hexadecimal.
 */
#include <stdio.h>

#include "tools/lib/say.h"
#include "tools/plan/make.h"

static void print(const struct ptl_plan_place *place)
{
	static const char *const kinds[] = {"entry", "return", "tail"};
	static const char *const hows[] = {"not", "jump", "padding", "short",
					   "inside"};

	printf("place %s %s %llx %x %llx\n", kinds[place->kind],
	       hows[place->how], (unsigned long long)place->at, place->size,
	       (unsigned long long)place->island);
}

int main(int argc, char **argv)
{
	struct ptl_plan plan;
	const char *why;

	ptl_say_as("victim-plan");
	why = ptl_plan_make(&plan, argv[argc - 1]);
	if (why != NULL) {
		printf("%s\n", why);
		return 1;
	}
	for (size_t i = 0; i < plan.nr; i++) {
		const struct ptl_plan_function *function = &plan.function[i];

		if (function->is_part)
			continue;
		printf("function %llx %llx %u %u\n",
		       (unsigned long long)function->start,
		       (unsigned long long)function->end, function->why,
		       function->exit_why);
		if (function->why != PTL_PLAN_WHY_NOT && !function->lends)
			continue;
		print(&function->entry);
		for (size_t k = 0; k < function->nr_exits; k++)
			print(&plan.exit[function->first_exit + k]);
	}
	ptl_plan_free(&plan);
	return 0;
}
