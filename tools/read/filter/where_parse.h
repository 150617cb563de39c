/* SPDX-License-Identifier: MIT */
/* An expression of -w, and what stands for one, taken apart; see where.h. */
#ifndef PTL_TOOLS_READ_FILTER_WHERE_PARSE_H
#define PTL_TOOLS_READ_FILTER_WHERE_PARSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A field that is a tag of the process: tag.KEY. */
#define PTL_TAG_FIELD "tag."

enum ptl_where_kind {
	PTL_WHERE_OR,
	PTL_WHERE_AND,
	PTL_WHERE_NOT,
	PTL_WHERE_TEST,
};

enum ptl_where_op {
	PTL_WHERE_IS, /* the field alone */
	PTL_WHERE_EQUAL,
	PTL_WHERE_UNEQUAL,
	PTL_WHERE_LESS,
	PTL_WHERE_GREATER,
	PTL_WHERE_AT_MOST,
	PTL_WHERE_AT_LEAST,
	PTL_WHERE_LIKE,
	PTL_WHERE_UNLIKE,
};

/* Has an event had the field? */
struct ptl_where_seen {
	bool is_asked, is_there;
};

struct ptl_where {
	enum ptl_where_kind kind;
	struct ptl_where *left, *right; /* NOT: left */

	/* Of a test. */
	const char *field;
	enum ptl_where_op op;
	const char *text; /* the value as it was written, without quotes */
	bool is_number;
	double number;
	int64_t whole;
	struct ptl_where_seen *seen;
	bool may_be_unseen;
};

struct ptl_where_error {
	size_t column; /* from 1 on */
	const char *expected;
};

/* NULL: *error says what is wrong.  Never freed. */
struct ptl_where *ptl_where_parse(const char *text,
				  struct ptl_where_error *error);

/* What the shortcuts stand for. */
struct ptl_where *ptl_where_path(const char *glob);
struct ptl_where *ptl_where_program(const char *glob);
struct ptl_where *ptl_where_failed(void);
/* NULL: that is no time; else it is so many ns. */
/* A time with its unit, or 0. */
bool ptl_where_time(const char *text, int64_t *ns);

struct ptl_where *ptl_where_slower(const char *time, int64_t *ns);

/* Both; a may be NULL. */
struct ptl_where *ptl_where_and(struct ptl_where *a, struct ptl_where *b);

#endif
