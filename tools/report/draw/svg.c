/* SPDX-License-Identifier: MIT */
/*
 * Paths of calls as a picture; see svg.h.  Boxes are in the order of their
 * size; those that would be too narrow to be seen share one.  Each has what it
 * is worth as data-total and data-self, its number and its parent's.
 */
#include "tools/report/draw/svg.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/number.h"
#include "tools/report/draw/svg_script.h"

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
	double scale; /* points for each unit */
	unsigned int depth;
	unsigned int nr; /* boxes so far */
};

struct box {
	const char *name;
	unsigned int parent, depth;
	double x;
	int64_t total, self, of_parent;
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

/* Draws a box; returns its number. */
static unsigned int put_box(struct picture *picture, const struct box *box)
{
	struct ptl_out *out = picture->out;
	double width = (double)box->total * picture->scale;
	unsigned int y = TOP + (picture->depth - box->depth) * HEIGHT;
	size_t letters = (size_t)(width / LETTER);
	char value[PTL_NUMBER_SIZE];

	put(out, "<g class=\"f\" data-n=\"%u\" data-p=\"%d\" ", picture->nr,
	    picture->nr > 0 ? (int)box->parent : -1);
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
	    box->x, y, width, HEIGHT - 1, hue_of(box->name));
	put(out, "<text x=\"%.2f\" y=\"%u\">", box->x + 3, y + 13);
	if (letters > 2) {
		char head[WIDTH];
		size_t size = strlen(box->name);

		/* Whole characters only. */
		if (size > letters)
			for (size = letters - 2;
			     size > 0 && (box->name[size] & 0xc0) == 0x80;)
				size--;
		snprintf(head, sizeof(head), "%.*s%s", (int)size, box->name,
			 box->name[size] != '\0' ? ".." : "");
		put_text(out, head);
	}
	ptl_out_str(out, "</text></g>\n");
	return picture->nr++;
}

static void put_path(struct picture *picture, const struct ptl_path *path,
		     unsigned int parent, double x);

/* Children, the largest first, and one box for those that are too narrow. */
static void put_children(struct picture *picture, const struct ptl_path *path,
			 unsigned int number, double x)
{
	const struct ptl_path *child = path->child;
	size_t nr = 0;
	int64_t rest = 0;
	char name[64];

	for (; child != NULL && child->total > 0; child = child->sibling) {
		if ((double)child->total * picture->scale < NARROW)
			break;
		put_path(picture, child, number, x);
		x += (double)child->total * picture->scale;
	}
	for (; child != NULL && child->total > 0; child = child->sibling) {
		rest += child->total;
		nr++;
	}
	if (nr == 0)
		return;
	snprintf(name, sizeof(name), "(%zu narrower)", nr);
	put_box(picture, &(struct box){.name = name,
				       .parent = number,
				       .depth = path->depth + 1,
				       .x = x,
				       .total = rest,
				       .self = rest,
				       .of_parent = path->total});
}

/* At most PTL_PATHS_DEPTH calls deep. */
static void put_path(struct picture *picture, const struct ptl_path *path,
		     unsigned int parent, double x)
{
	unsigned int number =
		put_box(picture,
			&(struct box){.name = path->name,
				      .parent = parent,
				      .depth = path->depth,
				      .x = x,
				      .total = path->total,
				      .self = path->self,
				      .of_parent = path->parent != NULL ?
							   path->parent->total :
							   path->total});

	put_children(picture, path, number, x);
}

/* Of what is drawn. */
static unsigned int depth_of(const struct ptl_path *path, double scale)
{
	unsigned int depth = path->depth;

	for (const struct ptl_path *child = path->child;
	     child != NULL && child->total > 0; child = child->sibling) {
		unsigned int below = child->depth;

		if ((double)child->total * scale >= NARROW)
			below = depth_of(child, scale);
		if (below > depth)
			depth = below;
	}
	return depth;
}

void ptl_svg_write(struct ptl_out *out, const struct ptl_paths *paths,
		   const char *title, enum ptl_column_kind kind)
{
	struct picture picture = {
		.out = out, .root = &paths->root, .kind = kind};
	char value[PTL_NUMBER_SIZE];
	unsigned int height;

	if (paths->root.total > 0)
		picture.scale = WIDEST / (double)paths->root.total;
	picture.depth = depth_of(&paths->root, picture.scale);
	height = TOP + (picture.depth + 1) * HEIGHT + BOTTOM;
	put(out,
	    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
	    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
	    "height=\"%u\" viewBox=\"0 0 %d %u\">\n",
	    WIDTH, height, WIDTH, height);
	ptl_out_str(out, ptl_svg_style);
	put(out, "<text class=\"h\" x=\"%d\" y=\"24\">%s: %s</text>\n", MARGIN,
	    title, ptl_table_text(kind, paths->root.total, value));
	put(out,
	    "<text class=\"s\" x=\"%d\" y=\"44\">A box is as wide as its "
	    "share; what it calls is above it, the largest first.  Click: "
	    "zoom; / or ctrl-F: search; Esc: all.</text>\n",
	    MARGIN);
	put_path(&picture, &paths->root, 0, MARGIN);
	put(out, "<text class=\"s\" id=\"i\" x=\"%d\" y=\"%u\"> </text>\n",
	    MARGIN, height - 10);
	ptl_out_str(out, ptl_svg_script);
	ptl_out_str(out, "</svg>\n");
}
