/* SPDX-License-Identifier: MIT */
/* The words of a file with C declarations; see token.h. */
#include "tools/prototypes/token.h"

#include <ctype.h>
#include <string.h>

void ptl_lexer_init(struct ptl_lexer *lexer, const char *text, size_t size)
{
	*lexer = (struct ptl_lexer){
		.at = text, .end = text + size, .line_begin = text, .line = 1};
}

static char peek(const struct ptl_lexer *lexer, size_t ahead)
{
	return (size_t)(lexer->end - lexer->at) > ahead ? lexer->at[ahead] :
							  '\0';
}

static void step(struct ptl_lexer *lexer)
{
	if (*lexer->at++ != '\n')
		return;
	lexer->line++;
	lexer->line_begin = lexer->at;
}

static void skip_comment(struct ptl_lexer *lexer)
{
	lexer->at += 2;
	while (lexer->at < lexer->end &&
	       !(peek(lexer, 0) == '*' && peek(lexer, 1) == '/'))
		step(lexer);
	lexer->at += lexer->at < lexer->end ? 2 : 0;
}

/* To the end of the line; with a backslash there, of the next one, too. */
static void skip_line(struct ptl_lexer *lexer)
{
	bool goes_on = false;

	while (lexer->at < lexer->end && (*lexer->at != '\n' || goes_on)) {
		goes_on = *lexer->at == '\\';
		step(lexer);
	}
}

static bool begins_line(const struct ptl_lexer *lexer)
{
	for (const char *p = lexer->line_begin; p < lexer->at; p++)
		if (!isblank((unsigned char)*p))
			return false;
	return true;
}

static void skip_blanks(struct ptl_lexer *lexer)
{
	while (lexer->at < lexer->end) {
		if (isspace((unsigned char)*lexer->at))
			step(lexer);
		else if (peek(lexer, 0) == '/' && peek(lexer, 1) == '*')
			skip_comment(lexer);
		else if ((peek(lexer, 0) == '/' && peek(lexer, 1) == '/') ||
			 (*lexer->at == '#' && begins_line(lexer)))
			skip_line(lexer);
		else
			return;
	}
}

static bool is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* A string or a character constant. */
static void take_quoted(struct ptl_lexer *lexer)
{
	char quote = *lexer->at++;

	while (lexer->at < lexer->end && *lexer->at != quote &&
	       *lexer->at != '\n')
		lexer->at += peek(lexer, 0) == '\\' && peek(lexer, 1) ? 2 : 1;
	lexer->at += peek(lexer, 0) == quote;
}

void ptl_lexer_next(struct ptl_lexer *lexer, struct ptl_token *token)
{
	char c;

	skip_blanks(lexer);
	c = peek(lexer, 0);
	token->text = lexer->at;
	token->line = lexer->line;
	token->column = (unsigned int)(lexer->at - lexer->line_begin) + 1;
	token->kind = PTL_TOKEN_SYMBOL;
	if (lexer->at == lexer->end) {
		token->kind = PTL_TOKEN_END;
	} else if (is_word(c)) {
		token->kind = isdigit((unsigned char)c) ? PTL_TOKEN_OTHER :
							  PTL_TOKEN_NAME;
		while (is_word(peek(lexer, 0)))
			lexer->at++;
	} else if (c == '"' || c == '\'') {
		token->kind = PTL_TOKEN_OTHER;
		take_quoted(lexer);
	} else {
		lexer->at += c == '.' && peek(lexer, 1) == '.' &&
					     peek(lexer, 2) == '.' ?
				     3 :
				     1;
	}
	token->size = (size_t)(lexer->at - token->text);
}

bool ptl_token_is(const struct ptl_token *token, const char *text)
{
	return token->kind != PTL_TOKEN_END && strlen(text) == token->size &&
	       memcmp(token->text, text, token->size) == 0;
}
