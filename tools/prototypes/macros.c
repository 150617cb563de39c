/* SPDX-License-Identifier: MIT */
/* What macros in declarations may be; see macros.h. */
#include "tools/prototypes/macros.h"

#include <string.h>

static bool is_name(const struct ptl_token *token)
{
	return token->kind == PTL_TOKEN_NAME;
}

static bool is_basic(const struct ptl_token *token)
{
	struct ptl_basic basic = {.nr = 0};

	return ptl_basic_add(&basic, token->text, token->size);
}

/* What is written between a macro and the type. */
static bool is_between(const struct ptl_token *token)
{
	static const char *const words[] = {
		"const",  "__const",  "extern",	    "static",
		"inline", "__inline", "__inline__", "volatile",
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (ptl_token_is(token, words[i]))
			return true;
	return false;
}

/* Does a type begin with that, for sure? */
static bool begins_type(struct ptl_prototypes *table,
			const struct ptl_token *token)
{
	return is_name(token) &&
	       (is_basic(token) || ptl_token_is(token, "struct") ||
		ptl_token_is(token, "union") || ptl_token_is(token, "enum") ||
		ptl_prototypes_find_type(table, token->text, token->size) !=
			NULL);
}

static void pass_brackets(struct ptl_lexer *ahead, struct ptl_token *token)
{
	unsigned int depth = 0;

	do {
		depth += ptl_token_is(token, "(");
		depth -= ptl_token_is(token, ")");
		ptl_lexer_next(ahead, token);
	} while (depth > 0 && token->kind != PTL_TOKEN_END);
}

/* What follows is a whole declaration without it. */
bool ptl_macros_skip_before(struct ptl_prototypes *table,
			    struct ptl_prototype_cursor *cursor)
{
	struct ptl_lexer ahead = cursor->lexer;
	bool has_brackets;
	struct ptl_token next;

	if (!is_name(&cursor->token) || begins_type(table, &cursor->token))
		return false;
	ptl_lexer_next(&ahead, &next);
	has_brackets = ptl_token_is(&next, "(");
	if (has_brackets)
		pass_brackets(&ahead, &next);
	while (is_between(&next))
		ptl_lexer_next(&ahead, &next);
	if (!is_name(&next))
		return false;
	if (!has_brackets && !begins_type(table, &next)) {
		/* A name of a type, and then that of what has it? */
		ptl_lexer_next(&ahead, &next);
		if (!is_name(&next) && !ptl_token_is(&next, "*"))
			return false;
	}
	ptl_cursor_next(cursor);
	if (has_brackets)
		ptl_cursor_skip_brackets(cursor);
	return true;
}

bool ptl_macros_skip_behind(struct ptl_prototypes *table,
			    struct ptl_prototype_cursor *cursor)
{
	if (!is_name(&cursor->token) || begins_type(table, &cursor->token))
		return false;
	ptl_cursor_next(cursor);
	if (ptl_cursor_is(cursor, "("))
		ptl_cursor_skip_brackets(cursor);
	return true;
}

static void define(const struct ptl_macros *macros,
		   const struct ptl_token *name, char letter)
{
	struct ptl_c_type *type =
		ptl_prototypes_find_type(macros->table, name->text, name->size);

	if (type != NULL) {
		if (type->is_macro && type->letter != letter)
			type->letter = PTL_TYPE_UNKNOWN;
		return;
	}
	type = ptl_type_make(macros->types, PTL_TYPE_VALUE, letter, NULL);
	type->is_macro = true;
	type->name = name->text;
	type->name_size = name->size;
	type->line = name->line;
	type->column = name->column;
	ptl_prototypes_add_type(macros->table, name->text, name->size, type);
}

/* The letter of the type that a line consists of; 0: it is none. */
static char letter_of(const struct ptl_macros *macros, struct ptl_lexer *line)
{
	struct ptl_basic basic = {.nr = 0};
	const struct ptl_c_type *type;
	struct ptl_token token, behind;

	ptl_lexer_next(line, &token);
	type = is_name(&token) ?
		       ptl_prototypes_find_type(macros->table, token.text,
						token.size) :
		       NULL;
	if (type != NULL) {
		ptl_lexer_next(line, &behind);
		return behind.kind == PTL_TOKEN_END &&
				       type->form == PTL_TYPE_VALUE ?
			       type->letter :
			       0;
	}
	for (; is_name(&token); ptl_lexer_next(line, &token))
		if (!ptl_basic_add(&basic, token.text, token.size))
			return 0;
	return token.kind == PTL_TOKEN_END && basic.nr > 0 ?
		       ptl_basic_letter(&basic, macros->quad) :
		       0;
}

/* A line that begins with #. */
static void learn_line(const struct ptl_macros *macros, const char *text,
		       size_t size, unsigned int number)
{
	const char *hash = memchr(text, '#', size);
	struct ptl_lexer line;
	struct ptl_token token;
	char letter;

	ptl_lexer_init(&line, hash + 1, size - (size_t)(hash + 1 - text));
	line.line_begin = text;
	line.line = number;
	ptl_lexer_next(&line, &token);
	if (!ptl_token_is(&token, "define"))
		return;
	ptl_lexer_next(&line, &token);
	if (!is_name(&token) || is_basic(&token))
		return;
	letter = letter_of(macros, &line);
	if (letter != 0 && letter != PTL_TYPE_UNKNOWN)
		define(macros, &token, letter);
}

void ptl_macros_define(const struct ptl_macros *macros, const char *text,
		       size_t size)
{
	unsigned int number = 1;

	for (size_t at = 0; at < size; number++) {
		const char *end = memchr(text + at, '\n', size - at);
		size_t length =
			end != NULL ? (size_t)(end - text) - at : size - at;
		size_t blanks = 0;

		while (blanks < length &&
		       (text[at + blanks] == ' ' || text[at + blanks] == '\t'))
			blanks++;
		if (blanks < length && text[at + blanks] == '#')
			learn_line(macros, text + at, length, number);
		at += length + 1;
	}
}
