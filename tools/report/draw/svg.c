/* SPDX-License-Identifier: MIT */
/*
 * Paths of calls as a picture; see svg.h.  Boxes are in the order of their
 * size.  Each has what it is worth as data-total and data-self, its number and
 * its parent's: svg.js zooms by these.
 */
#include "tools/report/draw/svg.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/number.h"
#include "tools/report/draw/svg_template.h"

#define WIDTH 1200
#define MARGIN 10
#define HEIGHT 18 /* of a box */
#define TOP 60
#define BOTTOM 30
#define LETTER 6.6 /* about the width of one */
#define NARROW 0.4 /* narrower boxes are not drawn */
#define WIDEST (WIDTH - 2 * MARGIN)

struct picture {
	struct ptl_out *out;
	const struct ptl_path *root;
	enum ptl_column_kind kind;
	double scale;	    /* points for each unit */
	unsigned int depth; /* of the deepest box */
};

/* Of a name in XML: nothing in it can be markup. */
static void put_text(struct ptl_out *out, const char *name)
{
	static struct ptl_out plain;

	ptl_out_init(&plain, -1, "", NULL);
	ptl_quote_plain(&plain, name, strnlen(name, 4096));
	for (size_t i = 0; i < plain.used; i++) {
		switch (plain.buf[i]) {
		case '&':
			ptl_out_str(out, "&amp;");
			break;
		case '<':
			ptl_out_str(out, "&lt;");
			break;
		case '>':
			ptl_out_str(out, "&gt;");
			break;
		case '"':
			ptl_out_str(out, "&quot;");
			break;
		default:
			ptl_out_char(out, plain.buf[i]);
		}
	}
}

static void put(struct ptl_out *out, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
static void put(struct ptl_out *out, const char *format, ...)
{
	char text[1024];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	ptl_out_str(out, text);
}

/* One hue for each name: warm and light, so that black is readable. */
static unsigned int hue_of(const char *name)
{
	unsigned int hash = 2166136261u;

	for (; *name != '\0'; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619u;
	return hash % 50;
}

static double share(int64_t part, int64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

/* Of a name as much as there is room for. */
static void put_label(struct ptl_out *out, const char *name, size_t letters)
{
	size_t size = strlen(name);
	char head[WIDTH];

	if (letters <= 2)
		return;
	/* Whole characters only. */
	if (size > letters)
		for (size = letters - 2;
		     size > 0 && (name[size] & 0xc0) == 0x80;)
			size--;
	snprintf(head, sizeof(head), "%.*s%s", (int)size, name,
		 name[size] != '\0' ? ".." : "");
	put_text(out, head);
}

static void put_box(void *to, const struct ptl_path_box *box)
{
	const struct picture *picture = to;
	struct ptl_out *out = picture->out;
	double x = MARGIN + (double)box->at * picture->scale;
	double width = (double)box->total * picture->scale;
	unsigned int y = TOP + (picture->depth - box->depth) * HEIGHT;
	char value[PTL_NUMBER_SIZE];

	put(out, "<g class=\"f\" data-n=\"%u\" data-p=\"%d\" ", box->number,
	    box->number > 0 ? (int)box->parent : -1);
	put(out, "data-d=\"%u\" data-total=\"%lld\" data-self=\"%lld\">",
	    box->depth, (long long)box->total, (long long)box->self);
	ptl_out_str(out, "<title>");
	put_text(out, box->name);
	put(out, "  %s, %.2f%% of all, %.2f%% of what is below it</title>",
	    ptl_table_text(picture->kind, box->total, value),
	    share(box->total, picture->root->total),
	    share(box->total, box->of_parent));
	put(out,
	    "<rect x=\"%.2f\" y=\"%u\" width=\"%.2f\" height=\"%d\" "
	    "fill=\"hsl(%u,80%%,70%%)\"/>",
	    x, y, width, HEIGHT - 1, hue_of(box->name));
	put(out, "<text x=\"%.2f\" y=\"%u\">", x + 3, y + 13);
	put_label(out, box->name, (size_t)(width / LETTER));
	ptl_out_str(out, "</text></g>\n");
}

static void note_depth(void *to, const struct ptl_path_box *box)
{
	struct picture *picture = to;

	if (box->depth > picture->depth)
		picture->depth = box->depth;
}

static void put_title(const struct picture *picture, const char *title)
{
	char value[PTL_NUMBER_SIZE];

	put(picture->out, "<text class=\"h\" x=\"%d\" y=\"24\">%s: %s</text>\n",
	    MARGIN, title,
	    ptl_table_text(picture->kind, picture->root->total, value));
	put(picture->out,
	    "<text class=\"s\" x=\"%d\" y=\"44\">A box is as wide as its "
	    "share; what it calls is above it, the largest first.  Click: "
	    "zoom; / or ctrl-F: search; Esc: all.</text>\n",
	    MARGIN);
}

void ptl_svg_write(struct ptl_out *out, const struct ptl_paths *paths,
		   const char *title, enum ptl_column_kind kind)
{
	struct picture picture = {
		.out = out, .root = &paths->root, .kind = kind};
	unsigned int height;
	int64_t least = 0;

	if (paths->root.total > 0) {
		picture.scale = WIDEST / (double)paths->root.total;
		least = (int64_t)ceil(NARROW / picture.scale);
	}
	ptl_paths_boxes(paths, least, note_depth, &picture);
	height = TOP + (picture.depth + 1) * HEIGHT + BOTTOM;
	put(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
	    "height=\"%u\" viewBox=\"0 0 %d %u\">\n",
	    WIDTH, height, WIDTH, height);
	ptl_out_str(out, ptl_svg_head);
	put_title(&picture, title);
	ptl_paths_boxes(paths, least, put_box, &picture);
	put(out, "<text class=\"s\" id=\"i\" x=\"%d\" y=\"%u\"> </text>\n",
	    MARGIN, height - 10);
	ptl_out_str(out, ptl_svg_tail);
}
