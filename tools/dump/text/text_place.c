/* SPDX-License-Identifier: MIT */
/* Where an event was recorded; see text.h. */
#include <string.h>

#include "tools/dump/kept.h"
#include "tools/dump/text/text.h"
#include "tools/dump/text/text_color.h"
#include "tools/lib/quote.h"
#include "tools/read/modules.h"

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

static void put_name(struct ptl_text *text, struct ptl_symfile *file,
		     uint64_t offset, const char *name)
{
	bool is_verbose = text->look->is_verbose;
	const char *source = ptl_symfile_source(file, offset, is_verbose);

	if (!is_verbose) {
		put_function(text->out, name, source);
		return;
	}
	ptl_quote_plain(text->out, name, strlen(name));
	if (source != NULL)
		put_in_brackets(text->out, source);
}

/* What people are shown for an address in a program: its function, if that is
 * known, else its place in the module, for addr2line(1). */
static void put_address(struct ptl_text *text, uint64_t address,
			struct ptl_symfile *file, uint64_t offset,
			const char *name)
{
	if (name != NULL) {
		put_name(text, file, offset, name);
	} else if (file != NULL) {
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

static void put_place(struct ptl_text *text, const struct ptl_view *view)
{
	static struct ptl_kept lately[PTL_KEPT];
	struct ptl_kept_key key = ptl_kept_where(view);
	struct ptl_kept *kept = ptl_kept_put(lately, &key, text->out);

	if (kept == NULL)
		return;
	put_address(text, (uintptr_t)view->event->posix_prog_address,
		    view->file, view->offset, view->sym);
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

void ptl_text_stack(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;
	unsigned int indent = ptl_text_prefix_width(text) + 4;

	for (size_t i = 0; i < source->nr_stack; i++) {
		uint64_t address = (uintptr_t)source->stack[i];
		const char *name = ptl_view_frame(view, i);
		struct ptl_symfile *file;
		uint64_t offset = 0;

		for (unsigned int j = 0; j < indent; j++)
			ptl_out_char(text->out, ' ');
		if (name != NULL)
			address = ptl_view_line(view, address, i == 0);
		file = ptl_modules_file(source->modules, view->event, address,
					&offset);
		put_address(text, address, file, offset, name);
		ptl_out_char(text->out, '\n');
	}
}
