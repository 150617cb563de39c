/* SPDX-License-Identifier: MIT */
/* Where the page goes; see screen.h. */
#include "tools/report/show/screen.h"

#include <langinfo.h>
#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "tools/lib/quote.h"
#include "tools/lib/number.h"
#include "tools/lib/say.h"

#define MIN_WIDTH 60

/* A name is cut here, so that it fits into the scratch below quoted. */
#define NAME_MAX_BYTES 8192

static struct {
	struct ptl_out out;
	bool is_terminal, is_utf8, has_color;
	size_t width;

	/* The line, without its colours for the width. */
	char *line;
	size_t used, room, columns;
	bool is_colored;
} screen;

static void __attribute__((noreturn)) fail(const char *path, const char *why)
{
	ptl_say("cannot write %s: %s", path, why);
	exit(1);
}

static size_t find_width(void)
{
	const char *columns = getenv("COLUMNS");
	long given = columns != NULL ? strtol(columns, NULL, 10) : 0;
	struct winsize size;

	if (given <= 0) {
		if (!screen.is_terminal ||
		    ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 ||
		    size.ws_col == 0)
			return SIZE_MAX;
		given = size.ws_col;
	}
	return given < MIN_WIDTH ? MIN_WIDTH : (size_t)given;
}

static bool wants_color(enum ptl_color_when when)
{
	const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");

	if (when != PTL_COLOR_AUTO)
		return when == PTL_COLOR_ALWAYS;
	return screen.is_terminal && (no_color == NULL || *no_color == '\0') &&
	       (term == NULL || strcmp(term, "dumb") != 0);
}

void ptl_screen_open(enum ptl_color_when when)
{
	setlocale(LC_CTYPE, "");
	screen.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	screen.is_terminal = isatty(STDOUT_FILENO);
	if (screen.is_terminal)
		ptl_number_group();
	screen.width = find_width();
	screen.has_color = wants_color(when);
	ptl_out_init(&screen.out, STDOUT_FILENO, "standard output", fail);
}

void ptl_screen_open_part(size_t width,
			  void (*take)(const char *bytes, size_t size))
{
	setlocale(LC_CTYPE, "");
	screen.is_utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;
	screen.is_terminal = true;
	ptl_number_group();
	screen.width = width;
	screen.has_color = true;
	ptl_out_init(&screen.out, -1, "", fail);
	screen.out.take = take;
}

void ptl_screen_close(void)
{
	ptl_out_flush(&screen.out);
}

bool ptl_screen_is_terminal(void)
{
	return screen.is_terminal;
}

size_t ptl_screen_width(void)
{
	return screen.width;
}

struct ptl_out *ptl_screen_out(void)
{
	return &screen.out;
}

/* Bytes that belong to no column of their own: those inside of a character. */
static bool is_inside(char c)
{
	return ((unsigned char)c & 0xc0) == 0x80;
}

static void append(const char *bytes, size_t size)
{
	while (screen.room - screen.used < size)
		screen.line =
			ptl_grow(screen.line, screen.room, &screen.room, 1);
	memcpy(screen.line + screen.used, bytes, size);
	screen.used += size;
}

/* Shown bytes, as far as the line has columns for them. */
static void put(const char *bytes, size_t size)
{
	while (size > 0) {
		size_t one = 1;

		while (one < size && is_inside(bytes[one]))
			one++;
		if (screen.columns < screen.width)
			append(bytes, one);
		screen.columns++;
		bytes += one;
		size -= one;
	}
}

/* What our signs are without UTF-8. */
static const char *plain_sign(const char *sign, size_t size)
{
	static const char *const signs[][2] = {
		{"—", "-"}, {"µ", "u"},	  {"\u2009", " "}, {"≥", ">="},
		{"×", "x"}, {"·", ","},	  {"←", "<-"},	   {"→", "->"},
		{"▾", "*"}, {"…", "..."}, {"├", "|"},	   {"└", "`"},
		{"│", "|"}, {"▁", "."},	  {"▂", ":"},	   {"▃", "-"},
		{"▄", "="}, {"▅", "+"},	  {"▆", "*"},	   {"▇", "#"},
		{"█", "@"}, {"−", "-"},	  {"↔", "<->"},
	};

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (strlen(signs[i][0]) == size &&
		    memcmp(signs[i][0], sign, size) == 0)
			return signs[i][1];
	return "?";
}

/* Words of ours as they will be shown; *size is that of the character. */
static const char *shown(const char *words, size_t *size)
{
	*size = 1;
	while (is_inside(words[*size]))
		++*size;
	return *size == 1 || screen.is_utf8 ? NULL : plain_sign(words, *size);
}

const char *ptl_screen_sign(const char *sign)
{
	return screen.is_utf8 ? sign : plain_sign(sign, strlen(sign));
}

size_t ptl_screen_columns(const char *words)
{
	size_t columns = 0, size;

	for (; *words != '\0'; words += size) {
		const char *sign = shown(words, &size);

		columns += sign != NULL ? strlen(sign) : 1;
	}
	return columns;
}

void ptl_line(const char *format, ...)
{
	char text[1024];
	size_t size;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	for (const char *at = text; *at != '\0'; at += size) {
		const char *sign = shown(at, &size);

		put(sign != NULL ? sign : at,
		    sign != NULL ? strlen(sign) : size);
	}
}

/* The name as it may be shown; valid until the next call. */
static const char *quoted(const char *name, size_t *size)
{
	static struct ptl_out scratch;
	size_t used = strnlen(name, NAME_MAX_BYTES);

	ptl_out_init(&scratch, -1, "", fail);
	ptl_quote_shown(&scratch, name, used);
	*size = scratch.used;
	return scratch.buf;
}

static size_t columns_of(const char *bytes, size_t size)
{
	size_t columns = 0;

	for (size_t i = 0; i < size; i++)
		columns += !is_inside(bytes[i]);
	return columns;
}

size_t ptl_screen_name_columns(const char *name)
{
	size_t size;
	const char *bytes = quoted(name, &size);

	return columns_of(bytes, size);
}

void ptl_line_name(const char *name)
{
	size_t size;
	const char *bytes = quoted(name, &size);

	put(bytes, size);
}

/* The bytes of the first `columns' characters. */
static size_t head_of(const char *bytes, size_t size, size_t columns)
{
	size_t at = 0;

	while (at < size && columns-- > 0)
		for (at++; at < size && is_inside(bytes[at]);)
			at++;
	return at;
}

void ptl_line_path(const char *name, size_t columns)
{
	const char *dots = screen.is_utf8 ? "…" : "...";
	size_t size, base, all, keep, tail;
	const char *bytes = quoted(name, &size), *slash;

	all = columns_of(bytes, size);
	slash = memrchr(bytes, '/', size);
	base = slash != NULL ?
		       columns_of(slash, size - (size_t)(slash - bytes)) :
		       0;
	keep = columns > ptl_screen_columns("…") ?
		       columns - ptl_screen_columns("…") :
		       0;
	if (all <= columns) {
		put(bytes, size);
		return;
	}
	/* The name of the file stays, and of the rest as much as fits. */
	tail = base < keep ? base + (keep - base) / 2 : keep;
	put(bytes, head_of(bytes, size, keep - tail));
	put(dots, strlen(dots));
	base = head_of(bytes, size, all - tail);
	put(bytes + base, size - base);
}

static const char *const codes[] = {"\033[0m", "\033[31m", "\033[33m",
				    "\033[2m", "\033[1m"};

enum ptl_color ptl_screen_code(const char *bytes, size_t *size)
{
	size_t i = 0;

	while (i < sizeof(codes) / sizeof(*codes) &&
	       strncmp(bytes, codes[i], strlen(codes[i])) != 0)
		i++;
	if (i == sizeof(codes) / sizeof(*codes)) {
		*size = 0;
		return PTL_COLOR_NONE;
	}
	*size = strlen(codes[i]);
	return (enum ptl_color)i;
}

void ptl_line_color(enum ptl_color color)
{
	if (!screen.has_color || screen.columns >= screen.width ||
	    (color == PTL_COLOR_NONE && !screen.is_colored))
		return;
	append(codes[color], strlen(codes[color]));
	screen.is_colored = color != PTL_COLOR_NONE;
}

void ptl_line_to(size_t column)
{
	while (screen.columns < column)
		put(" ", 1);
}

/* The size of a colour's code at the end of the line, or 0. */
static size_t code_at_end(void)
{
	for (size_t size = 4; size <= 5 && size <= screen.used; size++)
		if (screen.line[screen.used - size] == '\033')
			return size;
	return 0;
}

/* Takes off what is behind the width, and what the dots take. */
static void cut_line(void)
{
	const char *dots = screen.is_utf8 ? "…" : "...";
	size_t over = ptl_screen_columns("…");

	while (over > 0 && screen.used > 0) {
		size_t code = code_at_end();

		if (code > 0)
			screen.used -= code;
		else
			over -= !is_inside(screen.line[--screen.used]);
	}
	append(dots, strlen(dots));
}

void ptl_line_end_more(int64_t nr)
{
	char count[PTL_NUMBER_SIZE];

	if (nr > 1)
		ptl_line("; and %s more", ptl_number_count(count, nr - 1));
	ptl_line_end();
}

void ptl_line_end(void)
{
	if (screen.columns > screen.width)
		cut_line();
	screen.columns = 0;
	while (screen.used > 0 && screen.line[screen.used - 1] == ' ')
		screen.used--;
	ptl_line_color(PTL_COLOR_NONE);
	append("\n", 1);
	ptl_out_bytes(&screen.out, screen.line, screen.used);
	screen.used = 0;
}

void ptl_line_words(const char *words)
{
	while (*words != '\0') {
		size_t size = strcspn(words, " ");
		char word[64];

		snprintf(word, sizeof(word), "%.*s", (int)size, words);
		if (screen.columns > 0 &&
		    screen.columns + 1 + ptl_screen_columns(word) >
			    screen.width)
			ptl_line_end();
		ptl_line(screen.columns > 0 ? " %s" : "%s", word);
		words += size + (words[size] == ' ');
	}
	ptl_line_end();
}
