/* SPDX-License-Identifier: MIT */
/*
 * What -f chrome has of an event in "args": its arguments, and where it was
 * recorded; not what its name, its stack or, at an end, the begin says.
 */
#ifndef PTL_TOOLS_DUMP_CHROME_MEMBERS_H
#define PTL_TOOLS_DUMP_CHROME_MEMBERS_H

#include "tools/dump/export/spans.h"
#include "tools/lib/out.h"
#include "tools/model/view.h"

void ptl_chrome_members_put(struct ptl_out *out, const struct ptl_view *view,
			    char phase, const struct ptl_span *span);

/* That as text, which the caller frees. */
char *ptl_chrome_members_kept(const struct ptl_view *view, char phase,
			      const struct ptl_span *span);

/* At the end. */
void ptl_chrome_members_free(void);

#endif
