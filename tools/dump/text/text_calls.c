/* SPDX-License-Identifier: MIT */
/*
 * Calls of libc, by their syntax (text_syntax.h).  For each type of event it is
 * taken apart once: into pieces, each a few words and the number of the field
 * that follows.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tools/dump/text/text.h"
#include "tools/dump/text/text_color.h"
#include "tools/dump/text/text_paths.h"
#include "tools/dump/text/text_syntax.h"
#include "tools/lib/quote.h"
#include "tools/lib/args/words.h"
#include "tools/model/modules.h"

#define PIECES (PTL_ARGS + 2)
#define NONE (-1)

struct syntax {
	const char *event;
	const char *plain, *nofollow, *full;
};

#define SYNTAX(event, full) {event, NULL, NULL, full},
#define SYNTAX_AT(event, plain, nofollow, full) {event, plain, nofollow, full},

static const struct syntax syntaxes[] = {PTL_TEXT_SYNTAX(SYNTAX, SYNTAX_AT)};

struct piece {
	const char *words; /* in front of the value */
	unsigned int size;
	int field; /* or NONE */
	bool is_optional;
	bool is_time; /* in ns */
};

struct form {
	unsigned int nr; /* of pieces; 0: there is no such form */
	struct piece piece[PIECES];
	unsigned int shown; /* which fields, a bit each */
	int result;	    /* the field that is shown as its result */
	unsigned int told;  /* the piece where that begins which is shown behind
			     * the result, if there is such a thing */
	bool is_statement;  /* "lock x", not "f(x)" */
};

/* What is known of a type of events. */
struct shape {
	const struct ptl_type *type; /* NULL: nothing yet */
	struct ptl_layout layout;
	int ret, error, flags, contended;
	unsigned int integers; /* which fields, but for the result */
	char name[TRACE_EVENT_NAME_MAX + 2];
	struct form plain, nofollow, full;
};

#define NR_SHAPES 256 /* of the ids of system types */

static struct shape shapes[NR_SHAPES];

static int find_field(const struct ptl_layout *layout, const char *name,
		      size_t size)
{
	for (unsigned int i = 0; i < layout->nr_fields; i++)
		if (strlen(layout->field[i].name) == size &&
		    memcmp(layout->field[i].name, name, size) == 0)
			return (int)i;
	return NONE;
}

static int find(const struct ptl_layout *layout, const char *name)
{
	return find_field(layout, name, strlen(name));
}

static void add_piece(struct form *form, const struct ptl_layout *layout,
		      const char *words, size_t size, int field)
{
	struct piece *piece = &form->piece[form->nr];

	if (form->nr == PIECES)
		return;
	form->nr++;
	*piece = (struct piece){
		.words = words, .size = (unsigned int)size, .field = field};
	if (field == NONE)
		return;
	form->shown |= 1u << field;
	piece->is_time = strcmp(layout->field[field].name, "ns") == 0 ||
			 strcmp(layout->field[field].name, "interval_ns") == 0;
}

/* A field that this log does not have is left out, as an optional one is. */
static void parse_pieces(struct form *form, const struct ptl_layout *layout,
			 const char *words, const char *end)
{
	for (const char *p = words; p < end; p++) {
		size_t size, before = (size_t)(p - words);
		int field;

		if (*p != '%')
			continue;
		size = strspn(p + 1, "abcdefghijklmnopqrstuvwxyz_");
		field = find_field(layout, p + 1, size);
		if (field != NONE)
			add_piece(form, layout, words, before, field);
		p += size;
		if (p[1] == '?') {
			if (field != NONE)
				form->piece[form->nr - 1].is_optional = true;
			p++;
		}
		words = p + 1;
	}
	add_piece(form, layout, words, (size_t)(end - words), NONE);
}

static void parse(struct form *form, const struct ptl_layout *layout,
		  const char *syntax)
{
	const char *result, *told, *end;

	*form = (struct form){.result = NONE};
	if (syntax == NULL)
		return;
	result = strstr(syntax, " = %");
	told = strstr(syntax, " => ");
	end = result != NULL ? result :
	      told != NULL   ? told :
			       syntax + strlen(syntax);
	form->is_statement = strchr(syntax, '(') == NULL;
	if (result != NULL)
		form->result = find(layout, result + 4);
	parse_pieces(form, layout, syntax, end);
	form->told = form->nr;
	if (told != NULL)
		parse_pieces(form, layout, told + 4, told + strlen(told));
}

/* By the name of the event and its fields. */
static void parse_default(struct shape *shape)
{
	const struct ptl_layout *layout = &shape->layout;
	const char *colon = strchr(shape->type->name, ':');
	struct form *form = &shape->full;
	const char *words = shape->name;
	size_t size;

	size = (size_t)snprintf(shape->name, sizeof(shape->name), "%s(",
				colon != NULL ? colon + 1 : shape->type->name);
	*form = (struct form){.result = NONE};
	for (unsigned int i = 0; i < layout->nr_fields; i++) {
		if ((int)i == shape->ret || (int)i == shape->error)
			continue;
		add_piece(form, layout, words, size, (int)i);
		words = ", ";
		size = 2;
	}
	if (form->nr == 0)
		add_piece(form, layout, words, size, NONE);
	add_piece(form, layout, ")", 1, NONE);
	form->told = form->nr;
}

static void make(struct shape *shape, const struct ptl_type *type)
{
	const struct ptl_layout *layout = &shape->layout;
	const struct syntax *syntax = NULL;

	memset(shape, 0, sizeof(*shape));
	shape->type = type;
	shape->layout = type->layout;
	shape->ret = find(layout, "ret");
	shape->error = find(layout, "errno");
	shape->flags = find(layout, "flags");
	shape->contended = find(layout, "contended");
	for (unsigned int i = 0; i < layout->nr_fields; i++)
		if (strchr("ix", layout->field[i].type) != NULL &&
		    (int)i != shape->ret && (int)i != shape->error)
			shape->integers |= 1u << i;
	for (size_t i = 0; i < sizeof(syntaxes) / sizeof(*syntaxes); i++)
		if (strcmp(syntaxes[i].event, type->name) == 0)
			syntax = &syntaxes[i];
	if (syntax == NULL) {
		parse_default(shape);
		return;
	}
	parse(&shape->plain, layout, syntax->plain);
	parse(&shape->nofollow, layout, syntax->nofollow);
	parse(&shape->full, layout, syntax->full);
}

void ptl_text_call_forget(void)
{
	for (size_t i = 0; i < NR_SHAPES; i++)
		shapes[i].type = NULL;
}

/* Logs that are merged have types of their own; mostly they are the same. */
static const struct shape *shape_of(const struct ptl_type *type)
{
	struct shape *shape = &shapes[type->id];

	if (shape->type == type)
		return shape;
	if (shape->type != NULL &&
	    shape->layout.nr_fields == type->layout.nr_fields &&
	    memcmp(shape->layout.field, type->layout.field,
		   sizeof(type->layout.field)) == 0)
		shape->type = type;
	else
		make(shape, type);
	return shape;
}

/* Do the integers that the form does not show have nothing to say? */
static bool is_enough(const struct shape *shape, const struct form *form,
		      const struct ptl_args *args, int64_t flags)
{
	unsigned int hidden = shape->integers & ~form->shown;

	if (form->nr == 0)
		return false;
	for (unsigned int i = 0; i < args->nr; i++) {
		const struct ptl_arg *arg = &args->arg[i];
		int64_t usual = 0;

		if (!(hidden >> i & 1))
			continue;
		if ((int)i == shape->flags)
			usual = flags;
		else if (ptl_words_is_dirfd(arg))
			usual = AT_FDCWD;
		if (arg->value != usual)
			return false;
	}
	return true;
}

/* A lock or the like: by the name of the variable if it has one. */
static void put_object(struct ptl_text *text, const struct ptl_view *view,
		       uint64_t address)
{
	uint64_t offset;
	const char *name = ptl_modules_variable(view->source->modules,
						view->event, address, &offset);

	if (name == NULL || text->look->is_verbose)
		ptl_out_hex(text->out, address);
	if (name == NULL)
		return;
	ptl_out_str(text->out, text->look->is_verbose ? " &" : "&");
	ptl_quote_plain(text->out, name, strlen(name));
	if (offset == 0)
		return;
	ptl_out_char(text->out, '+');
	ptl_out_hex(text->out, offset);
}

static void put_pointer(struct ptl_text *text, const struct ptl_arg *arg)
{
	if (arg->value == 0)
		ptl_out_str(text->out,
			    strcmp(arg->name, "offset") == 0 ||
					    strcmp(arg->name, "arg") == 0 ?
				    "0" :
				    "NULL");
	else
		ptl_out_hex(text->out, (uint64_t)arg->value);
}

/* In seconds, exactly. */
static void put_time(struct ptl_text *text, int64_t ns)
{
	char digits[9];
	size_t size = sizeof(digits);

	if (ns < 0) {
		ptl_out_char(text->out, '-');
		ns = ns == INT64_MIN ? INT64_MAX : -ns;
	}
	ptl_out_int(text->out, ns / 1000000000);
	ptl_out_before(digits + size, (uint64_t)ns % 1000000000, 9);
	while (size > 0 && digits[size - 1] == '0')
		size--;
	if (size > 0)
		ptl_out_char(text->out, '.');
	ptl_out_bytes(text->out, digits, size);
	ptl_out_char(text->out, 's');
}

static bool is_empty(const struct ptl_arg *arg)
{
	return arg->type == PTL_ARG_INT || arg->type == PTL_ARG_HEX ?
		       arg->value == 0 :
		       arg->size == 0;
}

/* Commands of fcntl(2) without an argument. */
static bool is_question(int64_t cmd)
{
	return cmd == F_GETFD || cmd == F_GETFL || cmd == F_GETOWN ||
	       cmd == F_GETSIG || cmd == F_GETLEASE || cmd == F_GETPIPE_SZ ||
	       cmd == F_GET_SEALS;
}

/* Requests of ioctl(2) with a structure: where tcgetattr() has it is not known.
 */
static bool is_pointed(int64_t request)
{
	return request == TCGETS || request == TCSETS || request == TCSETSW ||
	       request == TCSETSF || request == TIOCGPGRP ||
	       request == TIOCSPGRP || request == TIOCGSID;
}

static bool is_left_out(const struct ptl_view *view, const struct ptl_arg *arg)
{
	/* What it points to is shown, if that is known. */
	if (strcmp(arg->name, "arg") == 0)
		return is_question(ptl_text_find(view, "cmd", 0)) ||
		       (arg->value == 0 &&
			is_pointed(ptl_text_find(view, "request", 0))) ||
		       ptl_decode_find(&view->args, "value") != NULL;
	return is_empty(arg) && strcmp(arg->name, "value") != 0;
}

/* Behind the number of a descriptor, as strace -y has it. */
static void put_path(struct ptl_text *text, const struct ptl_view *view,
		     const struct ptl_arg *arg)
{
	const char *path = ptl_text_paths_of(view, arg);

	if (path == NULL)
		return;
	ptl_out_char(text->out, '<');
	ptl_quote_plain(text->out, path, strlen(path));
	ptl_out_char(text->out, '>');
}

static void put_form(struct ptl_text *text, const struct ptl_view *view,
		     const struct form *form, unsigned int from,
		     unsigned int to)
{
	const struct ptl_args *args = &view->args;
	bool is_cut = false;

	for (unsigned int i = from; i < to; i++) {
		const struct piece *piece = &form->piece[i];
		const struct ptl_arg *arg;

		if (piece->field == NONE) {
			ptl_out_bytes(text->out, piece->words, piece->size);
			continue;
		}
		if ((unsigned int)piece->field >= args->nr) {
			if (is_cut || piece->is_optional)
				continue;
			is_cut = true;
			ptl_out_bytes(text->out, piece->words, piece->size);
			ptl_out_str(text->out, text->dots);
			continue;
		}
		arg = &args->arg[piece->field];
		if (piece->is_optional && is_left_out(view, arg))
			continue;
		ptl_out_bytes(text->out, piece->words, piece->size);
		if (piece->is_time)
			put_time(text, arg->value);
		else if (arg->type != PTL_ARG_HEX || arg->words != NULL)
			ptl_text_value(text, view, arg);
		else if (form->is_statement)
			put_object(text, view, (uint64_t)arg->value);
		else
			put_pointer(text, arg);
		put_path(text, view, arg);
	}
}

/* What the call told beside its result, if it did. */
static void put_told(struct ptl_text *text, const struct ptl_view *view,
		     const struct form *form)
{
	const struct ptl_args *args = &view->args;
	const struct piece *piece = &form->piece[form->told];

	if (form->told == form->nr || piece->field == NONE ||
	    (unsigned int)piece->field >= args->nr)
		return;
	ptl_out_char(text->out, ' ');
	put_form(text, view, form, form->told, form->nr);
}

/* Returns false if there is nothing to say. */
static bool put_failure(struct ptl_text *text, const struct ptl_arg *ret,
			const struct ptl_arg *error)
{
	if (error != NULL && error->value != 0) {
		ptl_out_str(text->out,
			    ret->type == PTL_ARG_HEX && ret->value == 0 ?
				    " = NULL " :
				    " = -1 ");
		ptl_text_error(text, (int)error->value);
		return true;
	}
	if (ret->value == 0 || !ptl_words_is_errno(ret))
		return false;
	ptl_out_str(text->out, " = ");
	ptl_text_error(text, (int)ret->value);
	return true;
}

static void put_result(struct ptl_text *text, const struct ptl_view *view,
		       const struct shape *shape, const struct form *form)
{
	const struct ptl_args *args = &view->args;
	const struct ptl_arg *ret, *error = NULL;

	if (shape->ret == NONE || (unsigned int)shape->ret >= args->nr)
		return;
	ret = &args->arg[shape->ret];
	if (shape->error != NONE && (unsigned int)shape->error < args->nr)
		error = &args->arg[shape->error];
	if (put_failure(text, ret, error) ||
	    (form->is_statement && ret->value == 0))
		return;
	ptl_out_str(text->out, " = ");
	if (form->result != NONE && (unsigned int)form->result < args->nr)
		ptl_text_value(text, view, &args->arg[form->result]);
	else if (ret->words != NULL && !ptl_words_is_errno(ret))
		ptl_text_value(text, view, ret);
	else if (ret->type == PTL_ARG_HEX && ret->value != -1)
		put_pointer(text, ret);
	else
		ptl_out_int(text->out, ret->value);
	put_path(text, view, ret);
}

bool ptl_text_call(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_args *args = &view->args;
	const struct shape *shape;
	const struct form *form;

	if (!view->type->kind->is_call || view->type->id >= NR_SHAPES)
		return false;
	shape = shape_of(view->type);
	form = &shape->full;
	if (is_enough(shape, &shape->plain, args, 0))
		form = &shape->plain;
	else if (is_enough(shape, &shape->nofollow, args, AT_SYMLINK_NOFOLLOW))
		form = &shape->nofollow;
	put_form(text, view, form, 0, form->told);
	put_result(text, view, shape, form);
	put_told(text, view, form);
	if (shape->contended != NONE &&
	    (unsigned int)shape->contended < args->nr &&
	    args->arg[shape->contended].value == 1) {
		ptl_text_color(text, PTL_TEXT_WAITED);
		ptl_out_str(text->out, "  contended");
		ptl_text_color(text, PTL_TEXT_PLAIN);
	}
	return true;
}
