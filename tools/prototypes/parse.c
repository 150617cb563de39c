/* SPDX-License-Identifier: MIT */
/*
 * Declarations of functions in C syntax; see parse.h.  A declarator is read
 * from its name outwards: what stands in parentheses is a type around one that
 * is only known when what follows them has been read, so a place is left for
 * it.
 */
#include "tools/prototypes/parse.h"

#include <stdlib.h>
#include <string.h>

#include "tools/prototypes/cursor.h"
#include "tools/prototypes/macros.h"
#include "tools/prototypes/token.h"
#include "tools/prototypes/type.h"

/* Pointers to pointers, and functions that return functions, at most. */
#define DEPTH 64

/* What stands before the declarators. */
struct specifiers {
	struct ptl_c_type *type;
	bool is_typedef, is_static;
};

/* struct TAG { ... } */
static char take_tagged(struct ptl_prototype_cursor *cursor)
{
	char letter = ptl_cursor_is(cursor, "enum") ? 'e' : PTL_TYPE_STRUCT;
	bool is_named = false;

	ptl_cursor_next(cursor);
	while (ptl_cursor_skip_noise(cursor))
		;
	if (cursor->token.kind == PTL_TOKEN_NAME) {
		is_named = true;
		ptl_cursor_next(cursor);
	}
	if (ptl_cursor_is(cursor, "{"))
		ptl_cursor_skip_brackets(cursor);
	else if (!is_named)
		ptl_cursor_fail(cursor, "a name or {");
	return letter;
}

/* A type by its name; what is not known may be pointed to. */
static struct ptl_c_type *take_name(struct ptl_prototype_cursor *cursor)
{
	const struct ptl_token *token = &cursor->token;
	struct ptl_c_type *type = ptl_prototypes_find_type(
		cursor->parse->table, token->text, token->size);

	if (type == NULL) {
		type = ptl_type_make(&cursor->parse->types, PTL_TYPE_VALUE,
				     PTL_TYPE_UNKNOWN, NULL);
		type->name = token->text;
		type->name_size = token->size;
		type->line = token->line;
		type->column = token->column;
	}
	ptl_cursor_next(cursor);
	return type;
}

static struct ptl_c_type *of_letter(struct ptl_prototype_cursor *cursor,
				    char letter)
{
	return ptl_type_make(&cursor->parse->types, PTL_TYPE_VALUE, letter,
			     NULL);
}

/* A type like that one, const. */
static struct ptl_c_type *make_const(struct ptl_prototype_cursor *cursor,
				     const struct ptl_c_type *type)
{
	struct ptl_c_type *copy = ptl_type_make(
		&cursor->parse->types, type->form, type->letter, type->of);
	struct ptl_c_type *made_before = copy->next;

	*copy = *type;
	copy->next = made_before;
	copy->is_const = true;
	return copy;
}

static struct ptl_c_type *take_typeof(struct ptl_prototype_cursor *cursor)
{
	ptl_cursor_next(cursor);
	if (ptl_cursor_is(cursor, "("))
		ptl_cursor_skip_brackets(cursor);
	return of_letter(cursor, PTL_TYPE_UNKNOWN);
}

/* A word of the specifiers that says something; false: they have ended. */
static bool take_specifier(struct ptl_prototype_cursor *cursor,
			   struct specifiers *spec, struct ptl_basic *basic,
			   bool *is_const)
{
	const struct ptl_token *token = &cursor->token;

	if (token->kind != PTL_TOKEN_NAME)
		return false;
	if (ptl_cursor_skip_const(cursor))
		*is_const = true;
	else if (ptl_cursor_accept(cursor, "typedef"))
		spec->is_typedef = true;
	else if (ptl_cursor_accept(cursor, "static"))
		spec->is_static = true;
	else if (ptl_cursor_is(cursor, "struct") ||
		 ptl_cursor_is(cursor, "union") ||
		 ptl_cursor_is(cursor, "enum"))
		spec->type = of_letter(cursor, take_tagged(cursor));
	else if (ptl_cursor_is(cursor, "__typeof__") ||
		 ptl_cursor_is(cursor, "typeof"))
		spec->type = take_typeof(cursor);
	else if (!spec->type && ptl_basic_add(basic, token->text, token->size))
		ptl_cursor_next(cursor);
	else if (spec->type || basic->nr > 0)
		return false;
	else if (!ptl_macros_skip_before(cursor->parse->table, cursor))
		spec->type = take_name(cursor);
	return true;
}

static void take_specifiers(struct ptl_prototype_cursor *cursor,
			    struct specifiers *spec)
{
	struct ptl_basic basic = {.nr = 0};
	bool is_const = false;

	*spec = (struct specifiers){.type = NULL};
	while (!cursor->failed &&
	       (ptl_cursor_skip_noise(cursor) ||
		take_specifier(cursor, spec, &basic, &is_const)))
		;
	if (!spec->type && basic.nr > 0)
		spec->type = of_letter(
			cursor, ptl_basic_letter(&basic, cursor->parse->quad));
	if (!spec->type)
		ptl_cursor_fail(cursor, "a type");
	else if (is_const)
		spec->type = make_const(cursor, spec->type);
}

static const struct ptl_c_type *
take_declarator(struct ptl_prototype_cursor *cursor,
		const struct ptl_c_type *type, struct ptl_token *name);

/* The letter of a value; an error if its type is not known. */
static char letter_of(struct ptl_prototype_cursor *cursor,
		      const struct ptl_c_type *type)
{
	char letter = ptl_type_letter(type, cursor->parse->foreign);

	if (letter == PTL_TYPE_UNKNOWN && type->name != NULL &&
	    !cursor->parse->is_lenient)
		ptl_cursor_fail_at(cursor, "a type", type->name,
				   type->name_size, type->line, type->column);
	return letter == PTL_TYPE_UNKNOWN ? PTL_TYPE_STRUCT : letter;
}

static void add_param(struct ptl_c_type *function, char letter)
{
	size_t nr = strlen(function->params);

	/* The result's letter comes before them. */
	if (nr + 3 < sizeof(function->params))
		function->params[nr] = letter;
	else if (nr + 2 < sizeof(function->params))
		function->params[nr] = PTL_CODE_MORE;
}

static void take_param(struct ptl_prototype_cursor *cursor,
		       struct ptl_c_type *function)
{
	const struct ptl_c_type *type;
	struct specifiers spec;
	struct ptl_token name;
	char letter;

	take_specifiers(cursor, &spec);
	if (cursor->failed)
		return;
	type = take_declarator(cursor, spec.type, &name);
	if (cursor->failed)
		return;
	letter = letter_of(cursor, type);
	if (letter == 'v' && function->params[0] == '\0' &&
	    ptl_cursor_is(cursor, ")"))
		return;
	if (letter == 'v')
		ptl_cursor_fail(cursor,
				"a parameter with a type other than void");
	add_param(function, letter);
}

/* ( ... ) behind the name of a function. */
static struct ptl_c_type *take_params(struct ptl_prototype_cursor *cursor,
				      const struct ptl_c_type *result)
{
	struct ptl_c_type *function = ptl_type_make(
		&cursor->parse->types, PTL_TYPE_FUNCTION, 0, result);

	ptl_cursor_next(cursor);
	while (!cursor->failed && !ptl_cursor_is(cursor, ")")) {
		if (ptl_cursor_accept(cursor, "..."))
			add_param(function, PTL_CODE_MORE);
		else
			take_param(cursor, function);
		if (!ptl_cursor_is(cursor, ")"))
			ptl_cursor_expect(cursor, ",", ", or )");
	}
	if (!cursor->failed)
		ptl_cursor_next(cursor);
	return function;
}

/* What stands behind a name: parameters, or sizes of an array, which is passed
 * as a pointer. */
static const struct ptl_c_type *take_suffix(struct ptl_prototype_cursor *cursor,
					    const struct ptl_c_type *type)
{
	if (ptl_cursor_is(cursor, "("))
		return take_params(cursor, type);
	if (!ptl_cursor_is(cursor, "["))
		return type;
	ptl_cursor_skip_brackets(cursor);
	type = take_suffix(cursor, type);
	return ptl_type_make(&cursor->parse->types, PTL_TYPE_POINTER, 0, type);
}

/* Is the parenthesis one around a declarator, and not of parameters? */
static bool is_nested(struct ptl_prototype_cursor *cursor)
{
	struct ptl_lexer ahead = cursor->lexer;
	struct ptl_token token;

	if (!ptl_cursor_is(cursor, "("))
		return false;
	ptl_lexer_next(&ahead, &token);
	return ptl_token_is(&token, "*") || ptl_token_is(&token, "(") ||
	       ptl_token_is(&token, "__attribute__") ||
	       (token.kind == PTL_TOKEN_NAME &&
		(ptl_lexer_next(&ahead, &token), ptl_token_is(&token, ")")) &&
		(ptl_lexer_next(&ahead, &token), ptl_token_is(&token, "(")));
}

static const struct ptl_c_type *take_nested(struct ptl_prototype_cursor *cursor,
					    const struct ptl_c_type *type,
					    struct ptl_token *name)
{
	struct ptl_c_type *place =
		ptl_type_make(&cursor->parse->types, PTL_TYPE_VALUE, 0, NULL);
	struct ptl_c_type *made_before = place->next;
	const struct ptl_c_type *outer;

	ptl_cursor_next(cursor);
	outer = take_declarator(cursor, place, name);
	ptl_cursor_expect(cursor, ")", ")");
	*place = *take_suffix(cursor, type);
	place->next = made_before;
	return outer;
}

/* The type that a declarator gives its name, which is empty if it has none. */
static const struct ptl_c_type *
take_declarator(struct ptl_prototype_cursor *cursor,
		const struct ptl_c_type *type, struct ptl_token *name)
{
	*name = (struct ptl_token){.kind = PTL_TOKEN_END};
	if (++cursor->depth > DEPTH)
		ptl_cursor_fail(cursor, "a simpler type");
	while (!cursor->failed &&
	       (ptl_cursor_is(cursor, "*") || ptl_cursor_skip_noise(cursor) ||
		ptl_cursor_is(cursor, "const") ||
		ptl_cursor_is(cursor, "__const"))) {
		if (ptl_cursor_accept(cursor, "*"))
			type = ptl_type_make(&cursor->parse->types,
					     PTL_TYPE_POINTER, 0, type);
		else if (ptl_cursor_skip_const(cursor))
			type = make_const(cursor, type);
	}
	if (!cursor->failed && is_nested(cursor)) {
		type = take_nested(cursor, type, name);
	} else if (!cursor->failed) {
		if (cursor->token.kind == PTL_TOKEN_NAME) {
			*name = cursor->token;
			ptl_cursor_next(cursor);
		}
		type = take_suffix(cursor, type);
	}
	while (!cursor->failed && ptl_cursor_skip_noise(cursor))
		;
	cursor->depth--;
	return type;
}

/* __asm__("name"): how the linker calls it. */
static void take_label(struct ptl_prototype_cursor *cursor,
		       struct ptl_token *name)
{
	static char label[256];
	size_t size = 0;

	if (!ptl_cursor_is(cursor, "__asm__") &&
	    !ptl_cursor_is(cursor, "__asm") && !ptl_cursor_is(cursor, "asm"))
		return;
	ptl_cursor_next(cursor);
	ptl_cursor_expect(cursor, "(", "(");
	for (; cursor->token.kind == PTL_TOKEN_OTHER; ptl_cursor_next(cursor))
		for (size_t i = 1; i + 1 < cursor->token.size; i++)
			if (size < sizeof(label))
				label[size++] = cursor->token.text[i];
	ptl_cursor_expect(cursor, ")", ")");
	name->text = label;
	name->size = size;
}

static void declare_function(struct ptl_prototype_cursor *cursor,
			     const struct ptl_c_type *type,
			     const struct ptl_token *name)
{
	char code[PTL_CODE_SIZE] = {letter_of(cursor, type->of)};
	struct ptl_parse *parse = cursor->parse;

	if (!ptl_cursor_is(cursor, ",") && !ptl_cursor_is(cursor, "{") &&
	    !ptl_cursor_is(cursor, ";"))
		ptl_cursor_fail(cursor, ";");
	if (cursor->failed)
		return;
	/* Where it is put changes where its parameters are. */
	if (code[0] == PTL_TYPE_STRUCT)
		code[1] = PTL_CODE_MORE;
	else
		strcat(code, type->params);
	parse->nr_functions +=
		ptl_prototypes_add(parse->table, name->text, name->size, code,
				   parse->foreign) ||
		parse->foreign;
}

/* One declarator and what belongs to it; true: another follows. */
static bool declare(struct ptl_prototype_cursor *cursor,
		    const struct specifiers *spec)
{
	const struct ptl_c_type *type;
	struct ptl_token name;

	type = take_declarator(cursor, spec->type, &name);
	if (cursor->failed)
		return false;
	if (name.kind == PTL_TOKEN_END) {
		ptl_cursor_fail(cursor, "a name");
		return false;
	}
	take_label(cursor, &name);
	while (ptl_cursor_skip_noise(cursor) ||
	       (type->form == PTL_TYPE_FUNCTION &&
		ptl_macros_skip_behind(cursor->parse->table, cursor)))
		;
	if (spec->is_typedef)
		ptl_prototypes_add_type(cursor->parse->table, name.text,
					name.size, (void *)type);
	else if (type->form == PTL_TYPE_FUNCTION && !spec->is_static)
		declare_function(cursor, type, &name);
	if (ptl_cursor_is(cursor, "{")) {
		ptl_cursor_skip_brackets(cursor);
		return false;
	}
	/* A variable's value, a field's size. */
	while (!cursor->failed && !ptl_cursor_is(cursor, ",") &&
	       !ptl_cursor_is(cursor, ";") && type->form != PTL_TYPE_FUNCTION &&
	       cursor->token.kind != PTL_TOKEN_END)
		if (ptl_cursor_is(cursor, "{") || ptl_cursor_is(cursor, "("))
			ptl_cursor_skip_brackets(cursor);
		else
			ptl_cursor_next(cursor);
	if (ptl_cursor_accept(cursor, ","))
		return true;
	ptl_cursor_expect(cursor, ";", ";");
	return false;
}

/* extern "C" { is passed over, as is its end, also if it is a macro. */
static bool skip_linkage(struct ptl_prototype_cursor *cursor)
{
	struct ptl_lexer ahead = cursor->lexer;
	struct ptl_token token;

	if (ptl_cursor_accept(cursor, "}") || ptl_cursor_accept(cursor, ";"))
		return true;
	if (ptl_cursor_is(cursor, "_Static_assert")) {
		ptl_cursor_next(cursor);
		ptl_cursor_skip_brackets(cursor);
		return true;
	}
	ptl_lexer_next(&ahead, &token);
	if (cursor->token.kind == PTL_TOKEN_NAME &&
	    token.kind == PTL_TOKEN_END) {
		ptl_cursor_next(cursor);
		return true;
	}
	if (!ptl_cursor_is(cursor, "extern"))
		return false;
	if (token.kind != PTL_TOKEN_OTHER)
		return false;
	ptl_cursor_next(cursor);
	ptl_cursor_next(cursor);
	ptl_cursor_accept(cursor, "{");
	return true;
}

static void take_declaration(struct ptl_prototype_cursor *cursor)
{
	struct specifiers spec;

	if (skip_linkage(cursor))
		return;
	take_specifiers(cursor, &spec);
	if (cursor->failed || ptl_cursor_accept(cursor, ";"))
		return;
	while (declare(cursor, &spec))
		;
}

/* After what was not understood: to the end of the declaration, or its body. */
static void recover(struct ptl_prototype_cursor *cursor)
{
	bool is_body = false, is_over = false;

	while (cursor->token.kind != PTL_TOKEN_END && !is_over &&
	       !ptl_cursor_is(cursor, ";")) {
		if (ptl_cursor_is(cursor, "{")) {
			ptl_cursor_skip_brackets(cursor);
			is_over = is_body;
		} else {
			is_body = ptl_cursor_is(cursor, ")");
			ptl_cursor_next(cursor);
		}
	}
	cursor->failed = false;
	cursor->depth = 0;
}

static void count_failed(struct ptl_parse *parse,
			 const struct ptl_prototype_cursor *cursor)
{
	if (parse->nr_failed++ > 0)
		return;
	parse->line = cursor->line;
	parse->column = cursor->column;
	memcpy(parse->error, cursor->error, sizeof(parse->error));
}

void ptl_parse(struct ptl_parse *parse, const char *text, size_t size)
{
	struct ptl_prototype_cursor cursor = {.parse = parse};
	const struct ptl_macros macros = {parse->table, &parse->types,
					  parse->quad};

	ptl_macros_define(&macros, text, size);
	ptl_lexer_init(&cursor.lexer, text, size);
	ptl_cursor_next(&cursor);
	while (cursor.token.kind != PTL_TOKEN_END) {
		take_declaration(&cursor);
		if (cursor.failed) {
			count_failed(parse, &cursor);
			recover(&cursor);
		}
	}
}

void ptl_parse_builtin(struct ptl_parse *parse, const char *lines)
{
	while (*lines != '\0') {
		size_t size = strcspn(lines, " ");
		char letter = lines[size + 1];
		struct ptl_c_type *type = ptl_type_make(
			&parse->types, PTL_TYPE_VALUE, letter, NULL);

		ptl_prototypes_add_type(parse->table, lines, size, type);
		lines += size + 3;
	}
}

char ptl_parse_letter(const void *type)
{
	return ptl_type_letter(type, false);
}

void ptl_parse_free(struct ptl_parse *parse)
{
	while (parse->types != NULL) {
		struct ptl_c_type *type = parse->types;

		parse->types = type->next;
		free(type);
	}
}
