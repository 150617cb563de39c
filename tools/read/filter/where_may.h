/* SPDX-License-Identifier: MIT */
/*
 * What is known of an expression of -w before there is an event: which types
 * can match it, so that the others need not be looked at, nor recorded.
 */
#ifndef PTL_TOOLS_READ_FILTER_WHERE_MAY_H
#define PTL_TOOLS_READ_FILTER_WHERE_MAY_H

#include <stdbool.h>

#include "tools/read/filter/where_parse.h"

/*
 * Can an event of a type of that name match?  The fields are those that the
 * system's types have (core/format/sysevents.h); NULL: any may be there.  A
 * name of NULL is one that a program has opened, whatever it is.
 */
bool ptl_where_may_match(const struct ptl_where *where, const char *name,
			 const char *fields);

/* A field that neither all events nor any of the system's types have, or NULL:
 * a program's own may, and arguments of functions; or it is mistyped. */
const char *ptl_where_unknown(const struct ptl_where *where);

#endif
