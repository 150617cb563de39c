/* SPDX-License-Identifier: MIT */
/* Arguments and results of calls; see typed.h. */
#include "tools/lib/args/typed.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/args/structure.h"

#define STRING_CUT 1u
#define STRING_UNKNOWN 2u

static bool is_wide(char letter)
{
	return letter == 'x' || letter == 'q';
}

/* Of a value: how many there are. */
static size_t words_of(char letter)
{
	return letter == 'Y' ? 0 : strchr("xqJWmMu", letter) != NULL ? 2 : 1;
}

/* Does a string go with a value of that type? */
static bool has_string(char letter, bool is_result)
{
	return strchr("szyBrRouUO", letter) != NULL ||
	       (is_result && (letter == 'S' || letter == 'Z'));
}

static bool is_known(char letter)
{
	return letter != '\0' &&
	       strchr("bchHtTiIlLepkFSZszyfdxqjJwWmMYBrRouUO", letter);
}

/* ---- names, behind the code: an item for the result and each parameter --- */

/* The next item; NULL: there is none. */
static const char *next_item(const char *item)
{
	item = item != NULL ? strchr(item, ',') : NULL;
	return item != NULL ? item + 1 : NULL;
}

/* Of the result. */
static const char *first_item(const char *code)
{
	const char *names = strchr(code, ' ');

	return names != NULL ? names + 1 : NULL;
}

static void take_item(struct ptl_typed_walk *walk,
		      struct ptl_typed_value *value)
{
	const char *item = walk->names;

	if (item == NULL)
		return;
	value->name = item;
	value->name_size = strcspn(item, ";,");
	if (value->kind == PTL_TYPED_INT || value->kind == PTL_TYPED_UINT)
		ptl_typed_set_constant(value, item + value->name_size, ';');
	walk->names = next_item(item);
}

/* ---- walks ------------------------------------------------------------ */

static void begin(struct ptl_typed_walk *walk, const char *code,
		  const char *end, const char *bytes, size_t size)
{
	size_t words = 0;

	while (code < end && is_known(code[words]) && code + words < end)
		words++;
	walk->code = code;
	walk->end = end;
	walk->word = bytes;
	walk->words = 0;
	for (size_t i = 0; i < words; i++)
		walk->words += 8 * words_of(code[i]);
	if (walk->words > size)
		walk->words = size;
	walk->string = bytes + walk->words;
	walk->strings = size - walk->words;
}

void ptl_typed_arguments(struct ptl_typed_walk *walk, const char *code,
			 const char *bytes, size_t size)
{
	walk->is_result = false;
	if (code == NULL || code[0] == '\0' || code[0] == ' ')
		code = "v";
	begin(walk, code + 1, code + strcspn(code, " "), bytes, size);
	walk->names = next_item(first_item(code));
}

void ptl_typed_result(struct ptl_typed_walk *walk, const char *code,
		      const char *bytes, size_t size)
{
	walk->is_result = true;
	if (code == NULL || code[0] == 'v' || code[0] == '\0')
		begin(walk, "", "", bytes, size);
	else
		begin(walk, code, code + 1, bytes, size);
	walk->names = walk->code == code ? first_item(code) : NULL;
}

/* Of 128 bits as IEEE 754 has them; and of x87's 80, whose highest bit of the
 * fraction is there. */
static long double wide_number(uint64_t low, uint64_t high, bool is_quad)
{
	unsigned int exponent =
		(unsigned int)(is_quad ? high >> 48 : high) & 0x7fff;
	bool is_negative = (is_quad ? high >> 63 : high >> 15) & 1;
	uint64_t upper =
		is_quad ? high & ((UINT64_C(1) << 48) - 1) : low & INT64_MAX;
	long double number;

	if (exponent == 0x7fff)
		number = upper || (is_quad && low) ? (long double)NAN :
						     (long double)INFINITY;
	else if (is_quad)
		number = ldexpl((long double)(upper |
					      (exponent ? UINT64_C(1) << 48 :
							  0)),
				(int)(exponent ? exponent : 1) - 16383 - 48) +
			 ldexpl((long double)low,
				(int)(exponent ? exponent : 1) - 16383 - 112);
	else
		number = ldexpl((long double)low,
				(int)(exponent ? exponent : 1) - 16383 - 63);
	return is_negative ? -number : number;
}

static bool take(struct ptl_typed_walk *walk, uint64_t *word)
{
	if (walk->words < sizeof(*word))
		return false;
	memcpy(word, walk->word, sizeof(*word));
	walk->word += sizeof(*word);
	walk->words -= sizeof(*word);
	return true;
}

/* A string that was not copied shows as its address. */
static void take_string(struct ptl_typed_walk *walk,
			struct ptl_typed_value *value)
{
	uint32_t head[2]; /* its size, and what else there is to say of it */
	size_t padded;

	if (walk->strings < sizeof(head))
		return;
	memcpy(head, walk->string, sizeof(head));
	if (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__) {
		uint32_t size = head[1];

		head[1] = head[0];
		head[0] = size;
	}
	walk->string += sizeof(head);
	walk->strings -= sizeof(head);
	value->bytes = walk->string;
	value->size = head[0] < walk->strings ? head[0] : walk->strings;
	value->is_cut = head[1] & STRING_CUT || value->size < head[0];
	padded = (value->size + 7) & ~(size_t)7;
	padded = padded < walk->strings ? padded : walk->strings;
	walk->string += padded;
	walk->strings -= padded;
	value->is_unreadable = head[1] & STRING_UNKNOWN;
	if (!value->is_unreadable)
		value->kind = PTL_TYPED_STRING;
}

/* By its members, which the next item has. */
static void set_text(const struct ptl_typed_walk *walk,
		     struct ptl_typed_value *value, const void *bytes,
		     size_t size)
{
	static char text[32 + PTL_STRUCTURE_TEXT];
	const char *item = walk->names;
	size_t used = 0;

	item = item != NULL ? item + strcspn(item, ";,") : "";
	if (value->letter == 'r' || value->letter == 'U')
		used = (size_t)snprintf(
			text, sizeof(text), "0x%llx%s",
			(unsigned long long)value->value,
			!value->is_unreadable && ptl_structure_is_one(item) ?
				" " :
				"");
	value->kind = PTL_TYPED_STRUCTURE;
	value->bytes = text;
	if (value->is_unreadable)
		value->size = used + (size_t)snprintf(text + used,
						      sizeof(text) - used,
						      "{unreadable}");
	else
		value->size = used + ptl_structure_text(text + used, item,
							bytes, size);
}

static void set_structure(struct ptl_typed_walk *walk,
			  struct ptl_typed_value *value)
{
	uint64_t words[2] = {0, 0};

	for (size_t i = 0; i < words_of(value->letter); i++)
		if (!take(walk, &words[i]))
			return;
	set_text(walk, value, words, sizeof(words));
}

/* What is in memory, unless there was no room for it, or it is nowhere. */
static void set_in_memory(const struct ptl_typed_walk *walk,
			  struct ptl_typed_value *value)
{
	if (value->kind == PTL_TYPED_STRING ||
	    (value->is_unreadable && value->value != 0))
		set_text(walk, value, value->bytes, value->size);
	else if (strchr("RouO", value->letter) != NULL)
		value->kind = PTL_TYPED_MORE;
}

/* A text or a list, by what its elements are. */
static void set_slice(const struct ptl_typed_walk *walk,
		      struct ptl_typed_value *value)
{
	static char text[PTL_STRUCTURE_TEXT];
	const char *item = walk->names;

	if (value->kind != PTL_TYPED_STRING) {
		set_in_memory(walk, value);
		return;
	}
	item = item != NULL ? item + strcspn(item, ";,") : "";
	while (*item == ';' && item[1] != '&')
		item += 1 + strcspn(item + 1, ";,");
	if (*item != ';' || item[2] == 'c')
		return;
	value->size = ptl_structure_list(text, item + 2, value->bytes,
					 value->size, value->is_cut);
	value->kind = PTL_TYPED_STRUCTURE;
	value->bytes = text;
	value->is_cut = false;
}

bool ptl_typed_next(struct ptl_typed_walk *walk, struct ptl_typed_value *value)
{
	uint64_t word, upper;

	memset(value, 0, sizeof(*value));
	if (walk->code == walk->end)
		return false;
	value->letter = *walk->code++;
	value->kind = PTL_TYPED_MORE;
	if (value->letter != '\0' && strchr("jJwWmMY", value->letter)) {
		if (value->letter != 'Y')
			set_structure(walk, value);
		take_item(walk, value);
		return true;
	}
	if (!is_known(value->letter) || !take(walk, &word)) {
		walk->code = walk->end;
		return true;
	}
	if (is_wide(value->letter)) {
		if (!take(walk, &upper)) {
			walk->code = walk->end;
			return true;
		}
		value->kind = PTL_TYPED_FLOAT;
		value->number = wide_number(word, upper, value->letter == 'q');
		take_item(walk, value);
		return true;
	}
	ptl_typed_set(value, word);
	if (value->letter == 'u' && !take(walk, &upper)) {
		walk->code = walk->end;
		value->kind = PTL_TYPED_MORE;
		return true;
	}
	if (has_string(value->letter, walk->is_result))
		take_string(walk, value);
	if (strchr("uUO", value->letter) != NULL)
		set_slice(walk, value);
	if (strchr("rRo", value->letter) != NULL)
		set_in_memory(walk, value);
	take_item(walk, value);
	return true;
}
