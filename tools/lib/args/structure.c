/* SPDX-License-Identifier: MIT */
/* Structures as text; see structure.h. */
#include "tools/lib/args/structure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/args/typed_value.h"

#define MOST_NESTS 16
/* For the end of a text that has no room for all. */
#define SPARE (MOST_NESTS + 8)

struct text {
	char *text;
	size_t used, room;
	const unsigned char *bytes; /* of the structure */
	size_t size;
	char nest[MOST_NESTS]; /* how what has begun ends */
	unsigned int nr_nests, nr_outer, nr_variants;
	bool is_variant; /* what is next: of which the name is said as it is */
};

/* In an item, behind its name, what it is. */
#define MARKS ":{}[]()<>*=;,"

static bool put(struct text *text, const char *bytes, size_t size)
{
	if (size > text->room - text->used)
		return false;
	memcpy(text->text + text->used, bytes, size);
	text->used += size;
	return true;
}

static bool put_str(struct text *text, const char *string)
{
	return put(text, string, strlen(string));
}

static bool put_name(struct text *text, const char *name, size_t size)
{
	char last = text->used > 0 ? text->text[text->used - 1] : '{';

	if (text->is_variant) {
		text->is_variant = false;
		return put(text, name, size);
	}
	if (strchr("{[(", last) == NULL && !put_str(text, ", "))
		return false;
	return size == 0 || (put(text, name, size) && put_str(text, "="));
}

static size_t size_of(char letter)
{
	if (strchr("bchH", letter) != NULL)
		return 1;
	if (strchr("tT", letter) != NULL)
		return 2;
	return strchr("iIef", letter) != NULL ? 4 : 8;
}

static uint64_t load(const struct text *text, size_t offset, size_t size)
{
	uint64_t word = 0;

	for (size_t i = 0; i < size && offset + i < text->size; i++)
		word |= (uint64_t)text->bytes[offset + i] << 8 * i;
	return word;
}

/* Constants: of its type, each |NAME=NUMBER. */
static bool put_value(struct text *text, char letter, uint64_t word,
		      const char *constants)
{
	struct ptl_typed_value value = {.letter = letter};
	char number[PTL_TYPED_TEXT];

	ptl_typed_set(&value, word);
	if (value.kind == PTL_TYPED_INT || value.kind == PTL_TYPED_UINT)
		ptl_typed_set_constant(&value, constants, '|');
	switch (value.kind) {
	case PTL_TYPED_WORD:
		return put(text, value.bytes, value.size);
	case PTL_TYPED_FLOAT:
		ptl_typed_text(&value, number);
		break;
	case PTL_TYPED_INT:
		snprintf(number, sizeof(number), "%lld",
			 (long long)value.value);
		break;
	case PTL_TYPED_UINT:
		snprintf(number, sizeof(number), "%llu",
			 (unsigned long long)value.value);
		break;
	default:
		if (value.value == 0)
			return put_str(text, "NULL");
		snprintf(number, sizeof(number), "0x%llx",
			 (unsigned long long)value.value);
	}
	return put_str(text, number);
}

/* As far as the null. */
static bool put_chars(struct text *text, size_t offset, size_t count)
{
	bool done = put_str(text, "\"");

	for (size_t i = 0; done && i < count; i++) {
		char c;

		if (offset + i >= text->size)
			return put_str(text, "\"...");
		c = (char)text->bytes[offset + i];
		if (c == '\0')
			break;
		done = ((c != '"' && c != '\\') || put_str(text, "\\")) &&
		       put(text, &c, 1);
	}
	return done && put_str(text, "\"");
}

static bool put_array(struct text *text, char letter, size_t offset,
		      size_t count, const char *constants)
{
	size_t size = size_of(letter);
	bool done = put_str(text, "[");

	for (size_t i = 0; done && i < count; i++, offset += size) {
		done = put_name(text, "", 0);
		if (done && offset + size > text->size)
			return put_str(text, "...]");
		done = done && put_value(text, letter, load(text, offset, size),
					 constants);
	}
	return done && put_str(text, "]");
}

static bool put_bits(struct text *text, char letter, size_t offset,
		     const char *bits)
{
	char *end;
	unsigned long nr = strtoul(bits, &end, 10);
	unsigned long shift = *end == '@' ? strtoul(end + 1, &end, 10) : 64;
	uint64_t word;

	if (nr == 0 || nr > 64 || shift > 64 - nr ||
	    offset + (shift + nr + 7) / 8 > text->size)
		return put_str(text, "...");
	word = load(text, offset, 8) << (64 - nr - shift);
	if (strchr("chtil", letter) != NULL)
		word = (uint64_t)((int64_t)word >> (64 - nr));
	else
		word >>= 64 - nr;
	return put_value(text, letter, word, end);
}

/* LETTER OFFSET, and what is behind them. */
static bool put_member(struct text *text, const char *member)
{
	char letter = *member, *end;
	size_t offset, count;

	if (letter == '\0' || strchr("bchHtTiIlLefdpkFSZszy", letter) == NULL)
		return put_str(text, "...");
	offset = strtoul(member + 1, &end, 10);
	if (*end == '/')
		return put_bits(text, letter, offset, end + 1);
	if (*end == '*') {
		count = strtoul(end + 1, &end, 10);
		return letter == 'c' ?
			       put_chars(text, offset, count) :
			       put_array(text, letter, offset, count, end);
	}
	if (offset + size_of(letter) > text->size)
		return put_str(text, "...");
	return put_value(text, letter, load(text, offset, size_of(letter)),
			 end);
}

static bool begin(struct text *text, char bracket)
{
	if (text->nr_nests == MOST_NESTS)
		return false;
	text->nest[text->nr_nests++] = bracket == '[' ? ']' :
				       bracket == '(' ? ')' :
							'}';
	return put(text, &bracket, 1);
}

/* A variant without members is its name. */
static bool end(struct text *text)
{
	if (text->nr_nests == text->nr_outer)
		return false;
	text->nr_nests--;
	if (text->used > 1 && text->text[text->used - 1] == '(' &&
	    strchr("=([{ ", text->text[text->used - 2]) == NULL) {
		text->used--;
		return true;
	}
	return put(text, &text->nest[text->nr_nests], 1);
}

/* Items begin with a semicolon. */
static const char *next(const char *at)
{
	return at + 1 + strcspn(at + 1, ";,");
}

/* The item where the variants end, behind one of them; or the next variant. */
static const char *skip(const char *at, bool is_to_next)
{
	unsigned int depth = 0;

	for (; *at == ';'; at = next(at)) {
		char mark = at[1 + strcspn(at + 1, MARKS)];

		if (depth == 0 && (mark == '>' || (is_to_next && at[1] == '=')))
			return at;
		if (mark == '<')
			depth++;
		else if (mark == '>')
			depth--;
	}
	return at;
}

/* What is of the variant with that discriminant; NULL: there is none. */
static const char *choose(const char *at, uint64_t word, size_t size)
{
	const char *other = NULL;

	for (; *at == ';' && at[1] == '='; at = skip(next(at), true)) {
		uint64_t number = (uint64_t)strtoll(at + 2, NULL, 10) ^ word;

		if (next(at) == at + 2)
			other = at + 2;
		else if (size > 0 && number << (64 - 8 * size) == 0)
			return next(at);
	}
	return other;
}

static bool put_items(struct text *text, const char **at);

/* LETTER OFFSET of the discriminant, v of none; then the variants. */
static bool put_variants(struct text *text, const char *discriminant,
			 const char **at)
{
	char letter = *discriminant;
	size_t offset = strtoul(discriminant + (letter != '\0'), NULL, 10);
	size_t size = letter == '\0' || letter == 'v' ? 0 : size_of(letter);
	const char *chosen = choose(*at, load(text, offset, size), size),
		   *behind;
	bool done;

	*at = skip(*at, false);
	if (offset + size > text->size || chosen == NULL)
		done = put_str(text, "...");
	else if (text->nr_variants == MOST_NESTS)
		return false;
	else {
		text->nr_variants++;
		text->is_variant = true;
		behind = chosen;
		done = put_items(text, &behind);
		text->is_variant = false;
		text->nr_variants--;
	}
	if (**at != ';')
		return false;
	*at = next(*at);
	return done;
}

/* Goes on to the next item; false: no more of it. */
static bool put_item(struct text *text, const char **at)
{
	const char *item = *at + 1;
	size_t size = strcspn(item, MARKS);

	*at = next(*at);
	switch (item[size]) {
	case ':':
		return put_name(text, item, size) &&
		       put_member(text, item + size + 1);
	case '{':
	case '[':
	case '(':
		return put_name(text, item, size) && begin(text, item[size]);
	case '}':
	case ']':
	case ')':
		return end(text);
	case '<':
		return put_name(text, item, size) &&
		       put_variants(text, item + size + 1, at);
	case '*':
		return true;
	default:
		return false;
	}
}

/* As far as those go that belong together. */
static bool put_items(struct text *text, const char **at)
{
	while (**at == ';' && (*at)[1] != '=' && (*at)[1] != '>')
		if (!put_item(text, at))
			return false;
	return true;
}

bool ptl_structure_is_one(const char *members)
{
	if (members[0] == ';' && members[1] == '*')
		members = next(members);
	return members[0] == ';' && (members[1] == '<' || members[1] == '(');
}

size_t ptl_structure_text(char buf[PTL_STRUCTURE_TEXT], const char *members,
			  const void *bytes, size_t size)
{
	struct text text = {
		.text = buf,
		.room = PTL_STRUCTURE_TEXT - SPARE,
		.bytes = bytes,
		.size = size,
	};
	bool done = ptl_structure_is_one(members) || begin(&text, '{');

	text.nr_outer = text.nr_nests;
	done = done && put_items(&text, &members);
	text.room += SPARE;
	if (!done && put_name(&text, "", 0))
		put_str(&text, "...");
	while (text.nr_nests > 0)
		put(&text, &text.nest[--text.nr_nests], 1);
	return text.used;
}

size_t ptl_structure_list(char buf[PTL_STRUCTURE_TEXT], const char *kind,
			  const void *bytes, size_t size, bool is_cut)
{
	struct text text = {
		.text = buf,
		.room = PTL_STRUCTURE_TEXT - SPARE,
		.bytes = bytes,
		.size = size,
	};
	bool done = *kind != '\0' &&
		    put_array(&text, *kind, 0, size / size_of(*kind) + is_cut,
			      kind + 1);

	text.room += SPARE;
	if (!done)
		put_str(&text, ", ...]");
	return text.used;
}
