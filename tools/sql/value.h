/* SPDX-License-Identifier: MIT */
/* A value of a column, before SQLite has it. */
#ifndef PTL_TOOLS_SQL_VALUE_H
#define PTL_TOOLS_SQL_VALUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* All zero: NULL. */
struct ptl_sql_value {
	enum { PTL_SQL_NULL, PTL_SQL_INT, PTL_SQL_TEXT } kind;
	int64_t number;
	const char *text; /* valid until the next value is asked for */
	size_t size;
};

static inline struct ptl_sql_value ptl_sql_int(int64_t number)
{
	return (struct ptl_sql_value){.kind = PTL_SQL_INT, .number = number};
}

/* -1 is none. */
static inline struct ptl_sql_value ptl_sql_maybe(int64_t number)
{
	return number >= 0 ? ptl_sql_int(number) : (struct ptl_sql_value){0};
}

static inline struct ptl_sql_value ptl_sql_bytes(const char *text, size_t size)
{
	return (struct ptl_sql_value){
		.kind = PTL_SQL_TEXT, .text = text, .size = size};
}

/* NULL is none. */
static inline struct ptl_sql_value ptl_sql_text(const char *text)
{
	return text != NULL ? ptl_sql_bytes(text, strlen(text)) :
			      (struct ptl_sql_value){0};
}

#endif
