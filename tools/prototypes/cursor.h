/* SPDX-License-Identifier: MIT */
/* Where a parser of declarations is in its text, and what it passes over. */
#ifndef PTL_TOOLS_PROTOTYPES_CURSOR_H
#define PTL_TOOLS_PROTOTYPES_CURSOR_H

#include "tools/prototypes/token.h"

#define PTL_CURSOR_ERROR 160

struct ptl_parse;

struct ptl_prototype_cursor {
	struct ptl_parse *parse; /* whose it is */
	struct ptl_lexer lexer;
	struct ptl_token token;
	unsigned int depth;
	bool failed;
	unsigned int line, column; /* where; and why */
	char error[PTL_CURSOR_ERROR];
};

void ptl_cursor_next(struct ptl_prototype_cursor *cursor);
bool ptl_cursor_is(const struct ptl_prototype_cursor *cursor, const char *text);

/* Moves past it if it is there. */
bool ptl_cursor_accept(struct ptl_prototype_cursor *cursor, const char *text);

/* What is wrong here, or there; what comes after the first is not told. */
void ptl_cursor_fail(struct ptl_prototype_cursor *cursor, const char *expected);
void ptl_cursor_fail_at(struct ptl_prototype_cursor *cursor,
			const char *expected, const char *text, size_t size,
			unsigned int line, unsigned int column);
void ptl_cursor_expect(struct ptl_prototype_cursor *cursor, const char *text,
		       const char *what);

/* From one bracket to the one that closes it. */
void ptl_cursor_skip_brackets(struct ptl_prototype_cursor *cursor);

/* What changes nothing for us; and const.  False: it is something else. */
bool ptl_cursor_skip_noise(struct ptl_prototype_cursor *cursor);
bool ptl_cursor_skip_const(struct ptl_prototype_cursor *cursor);

#endif
