/* SPDX-License-Identifier: MIT */
/*
 * Prototypes of functions; see typed.h.  Of what a compiler has made of a
 * function for some of its callers (GCC says so in the symbol's name) debug
 * information has the parameters that the function had, not those that are
 * left.
 */
#include "tools/plan/typed.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/objects/signatures.h"

#ifdef HAVE_LIBDW

static bool is_changed(const char *name)
{
	static const char *const how[] = {".isra", ".constprop", ".part"};

	for (size_t i = 0; name != NULL && i < sizeof(how) / sizeof(*how); i++)
		if (strstr(name, how[i]) != NULL)
			return true;
	return false;
}

static bool can_have(const struct ptl_plan_function *function)
{
	return function->why == PTL_PLAN_WHY_NOT && !is_changed(function->name);
}

void ptl_typed_find(struct ptl_plan *plan, const bool *is_wanted,
		    const char *path)
{
	struct ptl_signature *found =
		ptl_alloc((plan->nr + 1) * sizeof(*found));
	size_t nr = 0, at = 0;

	for (size_t i = 0; i < plan->nr; i++)
		if (is_wanted[i] && can_have(&plan->function[i]))
			found[nr++].address = plan->function[i].start;
	ptl_signatures_find(found, nr, &plan->code.image, path);
	/* Both are by address. */
	for (size_t i = 0; i < plan->nr && at < nr; i++)
		if (plan->function[i].start == found[at].address)
			plan->function[i].prototype = found[at++].prototype;
	free(found);
}

#else

void ptl_typed_find(struct ptl_plan *plan, const bool *is_wanted,
		    const char *path)
{
	(void)plan, (void)is_wanted, (void)path;
}

#endif
