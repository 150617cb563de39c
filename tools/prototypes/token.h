/* SPDX-License-Identifier: MIT */
/* The words of a file with C declarations. */
#ifndef PTL_TOOLS_PROTOTYPES_TOKEN_H
#define PTL_TOOLS_PROTOTYPES_TOKEN_H

#include <stdbool.h>
#include <stddef.h>

enum ptl_token_kind {
	PTL_TOKEN_END,
	PTL_TOKEN_NAME,	  /* or a keyword */
	PTL_TOKEN_OTHER,  /* a number, a string */
	PTL_TOKEN_SYMBOL, /* one character, or ... */
};

struct ptl_token {
	enum ptl_token_kind kind;
	const char *text;
	size_t size;
	unsigned int line, column;
};

struct ptl_lexer {
	const char *at, *end;
	const char *line_begin;
	unsigned int line;
};

void ptl_lexer_init(struct ptl_lexer *lexer, const char *text, size_t size);

/* Past blanks, comments and lines of the preprocessor. */
void ptl_lexer_next(struct ptl_lexer *lexer, struct ptl_token *token);

bool ptl_token_is(const struct ptl_token *token, const char *text);

#endif
