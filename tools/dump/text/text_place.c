/* SPDX-License-Identifier: MIT */
/* Where an event was recorded; see text.h. */
#include <stdint.h>
#include <string.h>

#include "tools/dump/parts/kept.h"
#include "tools/dump/text/text.h"
#include "tools/dump/text/text_color.h"
#include "tools/lib/quote.h"
#include "tools/lib/args/words.h"
#include "tools/model/modules.h"

/* Places stand in one column, if the events before them are not too long. */
#define PLACE_COLUMN 44
#define PLACE_ROOM 24

static void put_in_brackets(struct ptl_out *out, const char *text)
{
	ptl_out_str(out, " (");
	ptl_quote_plain(out, text, strlen(text));
	ptl_out_char(out, ')');
}

/*
 * Of "function+0x1c (module)" the function, and the line of its source or, if
 * that is not known, the module.  Both names may have a plus.
 */
static void put_function(struct ptl_out *out, const char *name,
			 const char *source)
{
	size_t size = strlen(name);
	const char *plus = memrchr(name, '+', size), *rest;

	while (plus != NULL && strncmp(plus, "+0x", 3) != 0)
		plus = memrchr(name, '+', (size_t)(plus - name));
	rest = plus != NULL ? strchr(plus, ' ') : NULL;
	if (rest == NULL) {
		ptl_quote_plain(out, name, size);
		return;
	}
	ptl_quote_plain(out, name, (size_t)(plus - name));
	if (source != NULL)
		put_in_brackets(out, source);
	else
		ptl_quote_plain(out, rest, size - (size_t)(rest - name));
}

/* The line of a function that is inlined, or of the symbol that it is in. */
static void put_line(struct ptl_text *text, struct ptl_symfile *file,
		     const struct ptl_srcline *line, const char *symbol)
{
	bool is_verbose = text->look->is_verbose;
	const char *source = is_verbose ? line->path : line->name;
	const char *function = line->function;

	if (function == NULL && !is_verbose) {
		put_function(text->out, symbol, source);
		return;
	}
	if (function == NULL)
		function = symbol;
	else if (source == NULL)
		source = ptl_symfile_module(file);
	ptl_quote_plain(text->out, function, strlen(function));
	if (source != NULL)
		put_in_brackets(text->out, source);
}

/* What people are shown for an address without a name: its place in the module,
 * for addr2line(1). */
static void put_number(struct ptl_text *text, uint64_t address,
		       struct ptl_symfile *file, uint64_t offset)
{
	if (file != NULL) {
		ptl_out_char(text->out, '+');
		ptl_out_hex(text->out, offset);
		put_in_brackets(text->out, ptl_symfile_module(file));
	} else {
		ptl_out_hex(text->out, address);
	}
}

/* Of the event that begins there in the buffer. */
static unsigned int columns_from(const struct ptl_text *text, size_t start)
{
	const struct ptl_out *out = text->out;

	if (out->used < start)
		return UINT16_MAX;
	return ptl_text_columns(out->buf + start, out->used - start) -
	       (unsigned int)text->hidden;
}

unsigned int ptl_text_place_blanks(struct ptl_text *text,
				   const struct ptl_view *view, size_t start)
{
	uint64_t address = (uintptr_t)view->event->posix_prog_address;
	unsigned int width = text->look->width, columns;

	/* The bare address says little. */
	if (address == 0 || (view->file == NULL && !text->look->is_verbose))
		return 0;
	columns = columns_from(text, start);
	if (columns + 2 > PLACE_COLUMN ||
	    (width > 0 &&
	     width < ptl_text_prefix_width(text) + PLACE_COLUMN + PLACE_ROOM))
		return 2;
	return PLACE_COLUMN - columns;
}

/* With -v, what is inlined stands before the symbol that it is in. */
static void put_innermost(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_srcline *line;
	struct ptl_srcline own;

	if (view->sym == NULL) {
		put_number(text, (uintptr_t)view->event->posix_prog_address,
			   view->file, view->offset);
		return;
	}
	ptl_view_lines(view, &line);
	own = *line;
	if (text->look->is_verbose && own.function != NULL) {
		ptl_quote_plain(text->out, own.function, strlen(own.function));
		ptl_out_str(text->out, " in ");
		own.function = NULL;
	}
	put_line(text, view->file, &own, view->sym);
}

static void put_place(struct ptl_text *text, const struct ptl_view *view)
{
	static struct ptl_kept lately[PTL_KEPT];
	struct ptl_kept_key key = ptl_kept_where(view);
	struct ptl_kept *kept = ptl_kept_put(lately, &key, text->out);

	if (kept == NULL)
		return;
	put_innermost(text, view);
	ptl_kept_end(kept, text->out);
}

void ptl_text_place(struct ptl_text *text, const struct ptl_view *view,
		    unsigned int blanks)
{
	static const char all[] =
		"                                            ";

	ptl_out_bytes(text->out, all, blanks);
	ptl_text_color(text, PTL_TEXT_DIM);
	ptl_out_str(text->out, "at ");
	put_place(text, view);
	ptl_text_color(text, PTL_TEXT_PLAIN);
}

static void begin_frame(struct ptl_text *text)
{
	unsigned int indent = ptl_text_prefix_width(text) + 4;

	for (unsigned int i = 0; i < indent; i++)
		ptl_out_char(text->out, ' ');
}

static void put_frame(struct ptl_text *text, const struct ptl_view *view,
		      size_t i)
{
	struct ptl_view_frame frame = ptl_view_frame(view, i);
	const char *name = ptl_view_frame_name(&frame);
	const struct ptl_srcline *line;
	size_t nr;

	if (name == NULL) {
		begin_frame(text);
		put_number(text, frame.address, frame.file,
			   frame.offset - frame.is_entry);
		ptl_out_char(text->out, '\n');
		return;
	}
	nr = ptl_view_frame_lines(&frame, &line);
	for (size_t j = 0; j < nr; j++) {
		begin_frame(text);
		put_line(text, frame.file, &line[j], name);
		ptl_out_char(text->out, '\n');
	}
}

/* Columns of a line of them. */
#define REGISTERS_WIDTH 100

/* Of a crash: some on each line. */
static void put_registers(struct ptl_text *text, const struct ptl_arg *regs)
{
	char words[PTL_WORDS_MAX];
	size_t size = ptl_words_text(regs, words), at = 0, used = SIZE_MAX;

	while (at < size) {
		const char *end = memchr(words + at, ' ', size - at);
		size_t word = (end != NULL ? (size_t)(end - words) : size) - at;

		if (used > REGISTERS_WIDTH) {
			if (at > 0)
				ptl_out_char(text->out, '\n');
			begin_frame(text);
			used = 0;
		} else {
			ptl_out_char(text->out, ' ');
		}
		ptl_out_bytes(text->out, words + at, word);
		used += word + 1;
		at += word + 1;
	}
	if (size > 0)
		ptl_out_char(text->out, '\n');
}

void ptl_text_stack(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_arg *regs = NULL;

	if (view->type->kind->act == PTL_ACT_CRASH)
		regs = ptl_decode_find(&view->args, "regs");
	if (regs != NULL && regs->words != NULL && regs->bytes != NULL)
		put_registers(text, regs);
	for (size_t i = 0; i < view->source->nr_stack; i++)
		put_frame(text, view, i);
}
