/* SPDX-License-Identifier: MIT */
/* A frame of a call stack as a value. */
#ifndef PTL_TOOLS_SQL_FRAME_H
#define PTL_TOOLS_SQL_FRAME_H

#include "tools/model/view.h"
#include "tools/sql/value.h"

/* By its name, or its address.  Valid until the next. */
struct ptl_sql_value ptl_sql_frame(const struct ptl_view *view, size_t i);

#endif
