/* SPDX-License-Identifier: MIT */
/* A frame of a call stack; see frame.h. */
#include "tools/sql/frame.h"

#include <stdio.h>

struct ptl_sql_value ptl_sql_frame(const struct ptl_view *view, size_t i)
{
	static char address[32];
	struct ptl_view_frame frame = ptl_view_frame(view, i);
	const char *name = ptl_view_frame_name(&frame);

	if (name != NULL)
		return ptl_sql_text(name);
	snprintf(address, sizeof(address), "0x%llx",
		 (unsigned long long)frame.address);
	return ptl_sql_text(address);
}
