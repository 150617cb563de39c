/* SPDX-License-Identifier: MIT */
/*
 * Demangles Rust; see rust.h.  The names are foreign: what is written has a
 * limit, so that names which refer to parts of themselves end.  Crates are
 * without their hashes, and constants are dots.
 */
#include "tools/symbolize/rust.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define MOST 1024
#define DEEPEST 64

struct mangled {
	const char *begin, *at, *end;
	char text[MOST];
	size_t size;
	unsigned int depth;
	bool has_failed, is_silent;
};

static void put(struct mangled *m, const char *text, size_t size)
{
	if (m->is_silent || m->has_failed)
		return;
	if (size >= MOST - m->size) {
		m->has_failed = true;
		return;
	}
	memcpy(m->text + m->size, text, size);
	m->size += size;
}

static void put_str(struct mangled *m, const char *text)
{
	put(m, text, strlen(text));
}

static bool take(struct mangled *m, char c)
{
	if (m->at >= m->end || *m->at != c)
		return false;
	m->at++;
	return true;
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t take_size(struct mangled *m)
{
	size_t size = 0;

	if (m->at >= m->end || !is_digit(*m->at))
		m->has_failed = true;
	/* What follows a nought is another number. */
	if (take(m, '0'))
		return 0;
	while (m->at < m->end && is_digit(*m->at) && size < MOST)
		size = size * 10 + (size_t)(*m->at++ - '0');
	return size;
}

/* ---- before v0 ------------------------------------------------------ */

/* "h" and 16 digits; behind the text there need be no null. */
static bool is_hash(const char *text, size_t size)
{
	if (size != 17 || text[0] != 'h')
		return false;
	for (size_t i = 1; i < size; i++)
		if (!is_digit(text[i]) && !(text[i] >= 'a' && text[i] <= 'f'))
			return false;
	return true;
}

/* "$LT$", "$u20$", ".." and what they stand for. */
static void put_escaped(struct mangled *m, const char *text, size_t size)
{
	static const char codes[][2][8] = {
		{"$SP$", "@"},	 {"$BP$", "*"},	 {"$RF$", "&"},	 {"$LT$", "<"},
		{"$GT$", ">"},	 {"$LP$", "("},	 {"$RP$", ")"},	 {"$C$", ","},
		{"$u20$", " "},	 {"$u7b$", "{"}, {"$u7d$", "}"}, {"$u5b$", "["},
		{"$u5d$", "]"},	 {"$u3b$", ";"}, {"$u2b$", "+"}, {"$u27$", "'"},
		{"$u22$", "\""}, {"..", "::"},
	};
	size_t i = size > 1 && text[0] == '_' && text[1] == '$';

	while (i < size) {
		size_t k = 0, nr = sizeof(codes) / sizeof(*codes), length = 0;

		for (; k < nr; k++) {
			length = strlen(codes[k][0]);
			if (length <= size - i &&
			    memcmp(text + i, codes[k][0], length) == 0)
				break;
		}
		if (k < nr)
			put_str(m, codes[k][1]);
		else
			put(m, text + i, 1);
		i += k < nr ? length : 1;
	}
}

/* "_ZN4core3fmt5write17h0123456789abcdefE" */
static bool is_legacy(struct mangled *m)
{
	bool has_hash = false;

	while (!take(m, 'E')) {
		size_t size = take_size(m);

		if (m->has_failed || has_hash || size == 0 ||
		    size > (size_t)(m->end - m->at))
			return false;
		has_hash = is_hash(m->at, size);
		if (!has_hash) {
			if (m->size > 0)
				put_str(m, "::");
			put_escaped(m, m->at, size);
		}
		m->at += size;
	}
	return has_hash && (m->at == m->end || *m->at == '.');
}

/* ---- v0 --------------------------------------------------------------- */

static void put_path(struct mangled *m, bool is_value);
static void put_type(struct mangled *m);

/* "_" is 0, "0_" 1 ... */
static uint64_t take_number(struct mangled *m)
{
	uint64_t number = 0;

	if (take(m, '_'))
		return 0;
	for (; m->at < m->end && *m->at != '_'; m->at++) {
		char c = *m->at;

		if (!is_digit(c) && !(c >= 'a' && c <= 'z') &&
		    !(c >= 'A' && c <= 'Z'))
			break;
		number = number * 62 + (uint64_t)(is_digit(c) ? c - '0' :
						  c >= 'a'    ? c - 'a' + 10 :
								c - 'A' + 36);
	}
	if (!take(m, '_'))
		m->has_failed = true;
	return number + 1;
}

static uint64_t take_disambiguator(struct mangled *m)
{
	return take(m, 's') ? take_number(m) + 1 : 0;
}

/* Names of other letters than ASCII's stay as they are. */
static size_t take_name(struct mangled *m, const char **name)
{
	size_t size;

	take(m, 'u');
	size = take_size(m);
	take(m, '_');
	if (size > (size_t)(m->end - m->at))
		m->has_failed = true;
	if (m->has_failed)
		size = 0;
	*name = m->at;
	m->at += size;
	return size;
}

/* What was said before, at that place. */
static void put_again(struct mangled *m, void (*say)(struct mangled *m))
{
	const char *before;
	uint64_t at = take_number(m);

	if (at >= (uint64_t)(m->at - m->begin))
		m->has_failed = true;
	if (m->has_failed || m->is_silent)
		return;
	before = m->at;
	m->at = m->begin + at;
	say(m);
	m->at = before;
}

static void put_path_as_type(struct mangled *m)
{
	put_path(m, false);
}

static void put_path_as_value(struct mangled *m)
{
	put_path(m, true);
}

/* Where an impl stands, which the type says better. */
static void pass_impl(struct mangled *m)
{
	bool was_silent = m->is_silent;

	take_disambiguator(m);
	m->is_silent = true;
	put_path(m, false);
	m->is_silent = was_silent;
}

static void put_nested(struct mangled *m, bool is_value)
{
	char space = m->at < m->end ? *m->at++ : '\0', number[32];
	bool is_special = space >= 'A' && space <= 'Z';
	const char *name;
	uint64_t which;
	size_t size;

	put_path(m, is_value);
	which = take_disambiguator(m);
	size = take_name(m, &name);
	if (!is_special) {
		if (size > 0)
			put_str(m, "::");
		put(m, name, size);
		return;
	}
	put_str(m, space == 'C' ? "::{closure" :
		   space == 'S' ? "::{shim" :
				  "::{other");
	if (size > 0)
		put_str(m, ":");
	put(m, name, size);
	snprintf(number, sizeof(number), "#%llu}", (unsigned long long)which);
	put_str(m, number);
}

static void put_constant(struct mangled *m)
{
	bool was_silent = m->is_silent;

	if (take(m, 'B')) {
		take_number(m);
	} else if (!take(m, 'p')) {
		m->is_silent = true;
		put_type(m);
		m->is_silent = was_silent;
		take(m, 'n');
		while (m->at < m->end && *m->at != '_')
			m->at++;
		if (!take(m, '_'))
			m->has_failed = true;
	}
	put_str(m, "…");
}

static size_t put_list(struct mangled *m)
{
	size_t i = 0;

	for (; !take(m, 'E') && !m->has_failed; i++) {
		if (i > 0)
			put_str(m, ", ");
		if (take(m, 'L')) {
			take_number(m);
			put_str(m, "'_");
		} else if (take(m, 'K')) {
			put_constant(m);
		} else {
			put_type(m);
		}
	}
	return i;
}

static void put_some_path(struct mangled *m, char kind, bool is_value)
{
	const char *name;
	size_t size;

	switch (kind) {
	case 'C':
		take_disambiguator(m);
		size = take_name(m, &name);
		put(m, name, size);
		break;
	case 'M':
	case 'X':
		pass_impl(m);
		/* fall through */
	case 'Y':
		put_str(m, "<");
		put_type(m);
		if (kind != 'M') {
			put_str(m, " as ");
			put_path(m, false);
		}
		put_str(m, ">");
		break;
	case 'N':
		put_nested(m, is_value);
		break;
	case 'I':
		put_path(m, is_value);
		put_str(m, is_value ? "::<" : "<");
		put_list(m);
		put_str(m, ">");
		break;
	case 'B':
		put_again(m, is_value ? put_path_as_value : put_path_as_type);
		break;
	default:
		m->has_failed = true;
	}
}

static void put_path(struct mangled *m, bool is_value)
{
	if (m->at >= m->end || ++m->depth > DEEPEST)
		m->has_failed = true;
	if (m->has_failed)
		return;
	put_some_path(m, *m->at++, is_value);
	m->depth--;
}

static const char *basic_type(char c)
{
	static const char *const names[26] = {
		"i8",	"bool",	 "char",  "f64", "str", "f32", NULL,
		"u8",	"isize", "usize", NULL,	 "i32", "u32", "i128",
		"u128", "_",	 NULL,	  NULL,	 "i16", "u16", "()",
		"...",	NULL,	 "i64",	  "u64", "!",
	};

	return c >= 'a' && c <= 'z' ? names[c - 'a'] : NULL;
}

static void put_function(struct mangled *m)
{
	const char *name;

	if (take(m, 'G'))
		take_number(m);
	take(m, 'U');
	if (take(m, 'K') && !take(m, 'C'))
		take_name(m, &name);
	put_str(m, "fn(");
	put_list(m);
	put_str(m, ")");
	if (take(m, 'u'))
		return;
	put_str(m, " -> ");
	put_type(m);
}

static void put_traits(struct mangled *m)
{
	const char *name;
	size_t size;

	put_str(m, "dyn ");
	if (take(m, 'G'))
		take_number(m);
	for (size_t i = 0; !take(m, 'E') && !m->has_failed; i++) {
		if (i > 0)
			put_str(m, " + ");
		put_path(m, false);
		while (take(m, 'p')) {
			size = take_name(m, &name);
			put_str(m, "<");
			put(m, name, size);
			put_str(m, " = ");
			put_type(m);
			put_str(m, ">");
		}
	}
	if (take(m, 'L'))
		take_number(m);
}

static void put_reference(struct mangled *m, const char *text)
{
	if (take(m, 'L'))
		take_number(m);
	put_str(m, text);
	put_type(m);
}

static void put_array(struct mangled *m, bool has_size)
{
	put_str(m, "[");
	put_type(m);
	if (has_size) {
		put_str(m, "; ");
		put_constant(m);
	}
	put_str(m, "]");
}

static void put_some_type(struct mangled *m, char kind)
{
	switch (kind) {
	case 'A':
	case 'S':
		put_array(m, kind == 'A');
		break;
	case 'T':
		put_str(m, "(");
		put_str(m, put_list(m) == 1 ? ",)" : ")");
		break;
	case 'R':
		put_reference(m, "&");
		break;
	case 'Q':
		put_reference(m, "&mut ");
		break;
	case 'P':
		put_reference(m, "*const ");
		break;
	case 'O':
		put_reference(m, "*mut ");
		break;
	case 'F':
		put_function(m);
		break;
	case 'D':
		put_traits(m);
		break;
	case 'B':
		put_again(m, put_type);
		break;
	default:
		m->at--;
		put_path(m, false);
	}
}

static void put_type(struct mangled *m)
{
	const char *basic;

	if (m->at >= m->end || ++m->depth > DEEPEST)
		m->has_failed = true;
	if (m->has_failed)
		return;
	basic = basic_type(*m->at++);
	if (basic != NULL)
		put_str(m, basic);
	else
		put_some_type(m, m->at[-1]);
	m->depth--;
}

/* Behind the path may be another, the crate that it was made for. */
static bool is_v0(struct mangled *m)
{
	while (m->at < m->end && is_digit(*m->at))
		m->at++;
	put_path(m, true);
	return !m->has_failed && m->size > 0;
}

char *ptl_rust_demangle(const char *name, size_t size)
{
	struct mangled m = {
		.begin = name + 2, .at = name + 2, .end = name + size};
	bool is_good = false;

	if (size > 3 && memcmp(name, "_ZN", 3) == 0) {
		m.at++;
		is_good = is_legacy(&m) && !m.has_failed;
	} else if (size > 2 && memcmp(name, "_R", 2) == 0) {
		is_good = is_v0(&m);
	}
	return is_good ? strndup(m.text, m.size) : NULL;
}
