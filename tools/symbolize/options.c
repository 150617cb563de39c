/* SPDX-License-Identifier: MIT */
/* Options of all tools that look for symbols; see options.h. */
#include "tools/symbolize/options.h"

#include "tools/symbolize/demangle.h"
#include "tools/symbolize/find.h"

void ptl_symbolize_below(void *into, const struct ptl_option *option,
			 const char *argument)
{
	(void)into;
	(void)option;
	ptl_find_below(argument);
}

void ptl_symbolize_nothing(void *into, const struct ptl_option *option,
			   const char *argument)
{
	(void)into;
	(void)option;
	(void)argument;
	ptl_find_nothing();
}

void ptl_symbolize_plain(void *into, const struct ptl_option *option,
			 const char *argument)
{
	(void)into;
	(void)option;
	(void)argument;
	ptl_demangle_off();
}
