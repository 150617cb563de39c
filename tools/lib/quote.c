/* SPDX-License-Identifier: MIT */
/* Strings of foreign bytes, made safe; see quote.h. */
#include "tools/lib/quote.h"

#include <stdint.h>
#include <string.h>

/*
 * The length of the valid UTF-8 character of several bytes at s, or 0; its code
 * in *code.
 */
static size_t wide_char(const unsigned char *s, size_t left, unsigned int *code)
{
	unsigned int c = s[0];
	unsigned int min;
	size_t size;

	if (c >= 0xc2 && c <= 0xdf) {
		size = 2, min = 0x80, c &= 0x1f;
	} else if (c >= 0xe0 && c <= 0xef) {
		size = 3, min = 0x800, c &= 0x0f;
	} else if (c >= 0xf0 && c <= 0xf4) {
		size = 4, min = 0x10000, c &= 0x07;
	} else {
		return 0;
	}
	if (left < size)
		return 0;
	for (size_t i = 1; i < size; i++) {
		if ((s[i] & 0xc0) != 0x80)
			return 0;
		c = c << 6 | (s[i] & 0x3f);
	}
	if (c < min || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff))
		return 0;
	*code = c;
	return size;
}

/*
 * 8-bit control characters, characters that some programs take for the end of a
 * line, and invisible ones that change what is visible: the direction of
 * writing, joiners.
 */
static bool is_wide_control(unsigned int code)
{
	return code < 0xa0 || code == 0xad || code == 0x61c ||
	       (code >= 0x200b && code <= 0x200f) ||
	       (code >= 0x2028 && code <= 0x202e) ||
	       (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
	       (code >= 0xfff9 && code <= 0xfffb) ||
	       (code >= 0xe0000 && code <= 0xe0fff);
}

/* The length of a character of several bytes that can be shown as it is, or 0.
 */
static size_t wide_plain(const unsigned char *s, size_t left)
{
	unsigned int code;
	size_t size = wide_char(s, left, &code);

	return size > 0 && is_wide_control(code) ? 0 : size;
}

static bool is_plain(unsigned char c)
{
	return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

/* Are all eight bytes plain?  The lowest that is not sets the top bit of its
 * byte. */
static bool are_plain(uint64_t bytes)
{
	const uint64_t ones = UINT64_C(0x0101010101010101);

	return ((bytes | (bytes - ' ' * ones) | (bytes + ones) |
		 ((bytes ^ '"' * ones) - ones) |
		 ((bytes ^ '\\' * ones) - ones)) &
		ones << 7) == 0;
}

static uint64_t eight(const unsigned char *s)
{
	uint64_t bytes;

	memcpy(&bytes, s, sizeof(bytes));
	return bytes;
}

/* Are four to eight, some of them looked at twice? */
static bool are_few_plain(const unsigned char *s, size_t size)
{
	uint32_t half[2];
	uint64_t bytes;

	memcpy(&half[0], s, sizeof(half[0]));
	memcpy(&half[1], s + size - sizeof(half[1]), sizeof(half[1]));
	memcpy(&bytes, half, sizeof(bytes));
	return are_plain(bytes);
}

/* The number of bytes from s on that need no escape. */
static size_t plain_run(const unsigned char *s, size_t left)
{
	size_t i = 0;

	while (left - i >= 8 && are_plain(eight(s + i)))
		i += 8;
	/* The rest, and some of those that were looked at. */
	if (left - i < 8 && i > 0 && are_plain(eight(s + left - 8)))
		return left;
	if (left - i >= 4 && left - i < 8 && are_few_plain(s + i, left - i))
		return left;
	while (i < left) {
		size_t size = is_plain(s[i]) ? 1 : wide_plain(s + i, left - i);

		if (size == 0)
			break;
		i += size;
	}
	return i;
}

/* The letter of the two-character escape that C and JSON share, or 0. */
static char short_escape(unsigned char c)
{
	switch (c) {
	case '\n':
		return 'n';
	case '\t':
		return 't';
	case '\r':
		return 'r';
	case '"':
	case '\\':
		return (char)c;
	default:
		return 0;
	}
}

static void escape_unicode(struct ptl_out *out, unsigned int code)
{
	unsigned char bytes[2] = {(unsigned char)(code >> 8),
				  (unsigned char)code};

	ptl_out_bytes(out, "\\u", 2);
	ptl_out_hexdump(out, bytes, 2);
}

/* Writes the escape for what is at s; returns the number of bytes that it
 * replaces. */
static size_t escape(struct ptl_out *out, const unsigned char *s, size_t left,
		     bool is_json)
{
	char letter = short_escape(*s);
	unsigned int code = *s;
	size_t size = 1;

	if (letter != 0) {
		ptl_out_char(out, '\\');
		ptl_out_char(out, letter);
	} else if (!is_json) {
		ptl_out_bytes(out, "\\x", 2);
		ptl_out_hexdump(out, s, 1);
	} else {
		if (code >= 0x80)
			size = wide_char(s, left, &code);
		escape_unicode(out, size > 0 ? code : 0xfffd);
	}
	return size > 0 ? size : 1;
}

static void put(struct ptl_out *out, const char *s, size_t size, bool is_json)
{
	const unsigned char *p = (const unsigned char *)s;

	while (size > 0) {
		size_t run = plain_run(p, size);

		ptl_out_bytes(out, p, run);
		p += run;
		size -= run;
		if (size > 0) {
			run = escape(out, p, size, is_json);
			p += run;
			size -= run;
		}
	}
}

void ptl_quote_plain(struct ptl_out *out, const char *s, size_t size)
{
	put(out, s, size, false);
}

void ptl_quote_shown(struct ptl_out *out, const char *s, size_t size)
{
	size_t run;

	for (; size > 0; s += run, size -= run) {
		run = 1;
		if (*s == '"' || *s == '\\') {
			ptl_out_char(out, *s);
			continue;
		}
		while (run < size && s[run] != '"' && s[run] != '\\')
			run++;
		put(out, s, run, false);
	}
}

void ptl_quote_text(struct ptl_out *out, const char *s, size_t size)
{
	ptl_out_char(out, '"');
	put(out, s, size, false);
	ptl_out_char(out, '"');
}

void ptl_quote_json(struct ptl_out *out, const char *s, size_t size)
{
	ptl_out_char(out, '"');
	put(out, s, size, true);
	ptl_out_char(out, '"');
}

size_t ptl_quote_valid(const char *s, size_t size)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t i = 0;

	while (i < size) {
		unsigned int code;
		size_t step =
			p[i] < 0x80 ? 1 : wide_char(p + i, size - i, &code);

		if (step == 0)
			break;
		i += step;
	}
	return i;
}

bool ptl_quote_is_word(const char *s, size_t size)
{
	for (size_t i = 0; i < size; i++)
		if (s[i] <= ' ' || s[i] == 127 ||
		    strchr("\"'\\$`*?[](){}<>|&;~#!", s[i]) != NULL)
			return false;
	return size > 0;
}

/* Are all of them shown as they are between single quotes? */
static bool is_quotable(const char *s, size_t size)
{
	const unsigned char *p = (const unsigned char *)s;

	while (size > 0) {
		size_t run = plain_run(p, size);

		run += run < size && (p[run] == '"' || p[run] == '\\');
		if (run == 0)
			return false;
		p += run;
		size -= run;
	}
	return true;
}

/* Up to the next single quote, or the end. */
static size_t without_quote(const char *s, size_t size)
{
	const char *quote = memchr(s, '\'', size);

	return quote != NULL ? (size_t)(quote - s) : size;
}

/* Between single quotes a shell knows no escape: a quote is outside. */
static void put_quoted(struct ptl_out *out, const char *s, size_t size)
{
	ptl_out_char(out, '\'');
	while (size > 0) {
		size_t run = without_quote(s, size);

		ptl_out_bytes(out, s, run);
		if (run < size)
			ptl_out_str(out, "'\\''");
		run += run < size;
		s += run;
		size -= run;
	}
	ptl_out_char(out, '\'');
}

void ptl_quote_shell(struct ptl_out *out, const char *s, size_t size)
{
	if (ptl_quote_is_word(s, size)) {
		ptl_out_bytes(out, s, size);
		return;
	}
	if (is_quotable(s, size)) {
		put_quoted(out, s, size);
		return;
	}
	ptl_out_str(out, "$'");
	while (size > 0) {
		size_t run = without_quote(s, size);

		/* \" means the same to a shell as to C. */
		put(out, s, run, false);
		if (run < size)
			ptl_out_str(out, "\\'");
		run += run < size;
		s += run;
		size -= run;
	}
	ptl_out_char(out, '\'');
}

/* The size of a character that is shown by an escape only, but may be in a
 * text; or 0. */
static size_t odd_char(const unsigned char *s, size_t left)
{
	unsigned int code;

	if (*s < 0x80)
		return *s != '\0';
	return wide_char(s, left, &code);
}

bool ptl_quote_is_text(const char *s, size_t size)
{
	const unsigned char *p = (const unsigned char *)s;
	size_t left = size, nr_odd = 0;

	/* Nearly all that is no text has one. */
	if (memchr(s, '\0', size) != NULL)
		return false;
	while (left > 0) {
		size_t run = plain_run(p, left);

		p += run;
		left -= run;
		if (left == 0)
			break;
		run = 1;
		if (short_escape(*p) == 0) {
			run = odd_char(p, left);
			nr_odd++;
		}
		if (run == 0)
			return false;
		p += run;
		left -= run;
	}
	return nr_odd <= 1 ? nr_odd < size || size == 0 : nr_odd <= size / 4;
}
