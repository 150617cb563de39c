/* SPDX-License-Identifier: MIT */
/* Where an event was recorded; see text.h. */
#include <string.h>

#include "tools/dump/text.h"
#include "tools/dump/text_color.h"
#include "tools/lib/quote.h"
#include "tools/read/modules.h"

/* Places stand in one column, if the events before them are not too long. */
#define PLACE_COLUMN 44
#define PLACE_ROOM 24

/* "function+0x1c (module)" without the offset. */
static void put_function(struct ptl_out *out, const char *name)
{
	size_t size = strlen(name), plus = 0, end;

	for (size_t i = 0; i + 2 < size; i++)
		if (name[i] == '+' && name[i + 1] == '0' && name[i + 2] == 'x')
			plus = i;
	end = plus > 0 ? plus + strcspn(name + plus, " ") : 0;
	ptl_quote_plain(out, name, plus > 0 ? plus : size);
	if (plus > 0)
		ptl_quote_plain(out, name + end, size - end);
}

/*
 * What people are shown for an address in a program: its function if that is
 * known, else its place in the module, for addr2line(1).  Where the file and
 * the line are known, they belong here.
 */
static void put_address(struct ptl_text *text, const struct ptl_view *view,
			uint64_t address, const char *name)
{
	struct ptl_out *out = text->out;
	const char *module = NULL;
	uint64_t offset;

	if (name == NULL)
		module = ptl_modules_place(view->source->modules, view->event,
					   address, &offset);
	if (name != NULL && text->look->is_verbose) {
		ptl_quote_plain(out, name, strlen(name));
	} else if (name != NULL) {
		put_function(out, name);
	} else if (module != NULL) {
		ptl_out_char(out, '+');
		ptl_out_hex(out, offset);
		ptl_out_str(out, " (");
		ptl_quote_plain(out, module, strlen(module));
		ptl_out_char(out, ')');
	} else {
		ptl_out_hex(out, address);
	}
}

unsigned int ptl_text_place_blanks(const struct ptl_text *text,
				   const struct ptl_view *view,
				   unsigned int columns)
{
	uint64_t address = (uintptr_t)view->event->posix_prog_address, offset;
	unsigned int width = text->look->width;

	/* The bare address says little. */
	if (address == 0 ||
	    (view->sym == NULL && !text->look->is_verbose &&
	     ptl_modules_place(view->source->modules, view->event, address,
			       &offset) == NULL))
		return 0;
	if (columns + 2 > PLACE_COLUMN ||
	    (width > 0 &&
	     width < ptl_text_prefix_width(text) + PLACE_COLUMN + PLACE_ROOM))
		return 2;
	return PLACE_COLUMN - columns;
}

void ptl_text_place(struct ptl_text *text, const struct ptl_view *view,
		    unsigned int blanks)
{
	static const char all[] =
		"                                            ";

	ptl_out_bytes(text->out, all, blanks);
	ptl_text_color(text, PTL_TEXT_DIM);
	ptl_out_str(text->out, "at ");
	put_address(text, view, (uintptr_t)view->event->posix_prog_address,
		    view->sym);
	ptl_text_color(text, PTL_TEXT_PLAIN);
}

void ptl_text_stack(struct ptl_text *text, const struct ptl_view *view)
{
	const struct ptl_source *source = view->source;
	unsigned int indent = ptl_text_prefix_width(text) + 4;

	for (size_t i = 0; i < source->nr_stack; i++) {
		uint64_t address = (uintptr_t)source->stack[i];
		const char *name =
			ptl_modules_name(source->modules, view->event, address);

		for (unsigned int j = 0; j < indent; j++)
			ptl_out_char(text->out, ' ');
		put_address(text, view, address, name);
		ptl_out_char(text->out, '\n');
	}
}
