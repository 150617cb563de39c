/* SPDX-License-Identifier: MIT */
/* Members of JSON objects, and tables as arrays of objects. */
#ifndef PTL_TOOLS_REPORT_SHOW_JSON_H
#define PTL_TOOLS_REPORT_SHOW_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/lib/out.h"
#include "tools/report/show/table.h"

/* "key":, with a comma before it if it is not the object's first. */
void ptl_json_key(struct ptl_out *out, const char *key, bool is_first);

/* Members that are not the first. */
void ptl_json_number(struct ptl_out *out, const char *key, int64_t number);
/* null if it is negative, or NULL. */
void ptl_json_maybe(struct ptl_out *out, const char *key, int64_t number);
void ptl_json_text(struct ptl_out *out, const char *key, const char *text);

/* An array of objects; `more', or NULL, puts members behind those of a row. */
void ptl_json_table(struct ptl_out *out, const struct ptl_table *table,
		    void (*more)(struct ptl_out *out, const void *of));

#endif
