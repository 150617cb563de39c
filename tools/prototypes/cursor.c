/* SPDX-License-Identifier: MIT */
/* Where a parser is in its text; see cursor.h. */
#include "tools/prototypes/cursor.h"

#include <stdio.h>

void ptl_cursor_next(struct ptl_prototype_cursor *cursor)
{
	ptl_lexer_next(&cursor->lexer, &cursor->token);
}

bool ptl_cursor_is(const struct ptl_prototype_cursor *cursor, const char *text)
{
	return ptl_token_is(&cursor->token, text);
}

bool ptl_cursor_accept(struct ptl_prototype_cursor *cursor, const char *text)
{
	if (!ptl_cursor_is(cursor, text))
		return false;
	ptl_cursor_next(cursor);
	return true;
}

void ptl_cursor_fail_at(struct ptl_prototype_cursor *cursor,
			const char *expected, const char *text, size_t size,
			unsigned int line, unsigned int column)
{
	if (cursor->failed)
		return;
	cursor->failed = true;
	cursor->line = line;
	cursor->column = column;
	if (size == 0)
		snprintf(cursor->error, sizeof(cursor->error),
			 "expected %s, found the end of the file", expected);
	else
		snprintf(cursor->error, sizeof(cursor->error),
			 "expected %s, found '%.*s'", expected,
			 (int)(size < 60 ? size : 60), text);
}

void ptl_cursor_fail(struct ptl_prototype_cursor *cursor, const char *expected)
{
	const struct ptl_token *token = &cursor->token;

	ptl_cursor_fail_at(cursor, expected, token->text, token->size,
			   token->line, token->column);
}

void ptl_cursor_expect(struct ptl_prototype_cursor *cursor, const char *text,
		       const char *what)
{
	if (!ptl_cursor_accept(cursor, text))
		ptl_cursor_fail(cursor, what);
}

/* From one bracket to the one that closes it. */
void ptl_cursor_skip_brackets(struct ptl_prototype_cursor *cursor)
{
	unsigned int depth = 0;

	do {
		if (ptl_cursor_is(cursor, "(") || ptl_cursor_is(cursor, "[") ||
		    ptl_cursor_is(cursor, "{"))
			depth++;
		if (ptl_cursor_is(cursor, ")") || ptl_cursor_is(cursor, "]") ||
		    ptl_cursor_is(cursor, "}"))
			depth--;
		ptl_cursor_next(cursor);
	} while (depth > 0 && cursor->token.kind != PTL_TOKEN_END);
	if (depth > 0)
		ptl_cursor_fail(cursor, "the bracket that closes another");
}

static bool is_one_of(const struct ptl_prototype_cursor *cursor,
		      const char *const *words)
{
	for (; *words != NULL; words++)
		if (ptl_cursor_is(cursor, *words))
			return true;
	return false;
}

/* What changes nothing for us. */
bool ptl_cursor_skip_noise(struct ptl_prototype_cursor *cursor)
{
	static const char *const alone[] = {
		"volatile",   "__volatile__", "__volatile",    "restrict",
		"__restrict", "__restrict__", "inline",	       "__inline",
		"__inline__", "extern",	      "register",      "_Noreturn",
		"auto",	      "__thread",     "__extension__", "_Thread_local",
		NULL};
	static const char *const with_brackets[] = {
		"__attribute__", "__attribute", "_Alignas", "__declspec", NULL};

	if (is_one_of(cursor, alone)) {
		ptl_cursor_next(cursor);
		return true;
	}
	if (!is_one_of(cursor, with_brackets))
		return false;
	ptl_cursor_next(cursor);
	if (!ptl_cursor_is(cursor, "("))
		ptl_cursor_fail(cursor, "(");
	else
		ptl_cursor_skip_brackets(cursor);
	return true;
}

bool ptl_cursor_skip_const(struct ptl_prototype_cursor *cursor)
{
	return ptl_cursor_accept(cursor, "const") ||
	       ptl_cursor_accept(cursor, "__const") ||
	       ptl_cursor_accept(cursor, "__const__");
}
