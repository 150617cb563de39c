/* SPDX-License-Identifier: MIT */
/* Arguments and results of calls; see typed.h. */
#include "tools/lib/args/typed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STRING_CUT 1u
#define STRING_UNKNOWN 2u

#define STRUCTURE_TEXT 512

static bool is_wide(char letter)
{
	return letter == 'x' || letter == 'q';
}

/* Of a value: how many there are. */
static size_t words_of(char letter)
{
	return letter == 'Y' ? 0 : strchr("xqJWmM", letter) != NULL ? 2 : 1;
}

/* Does a string go with a value of that type? */
static bool has_string(char letter, bool is_result)
{
	return letter == 's' || letter == 'z' || letter == 'y' ||
	       letter == 'B' || (is_result && (letter == 'S' || letter == 'Z'));
}

static bool is_known(char letter)
{
	return letter != '\0' &&
	       strchr("bchHtTiIlLepkFSZszyfdxqjJwWmMYB", letter);
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

/* Of a type's constants: that of the number, as wide as the type is. */
static void set_constant(struct ptl_typed_value *value, const char *constant)
{
	int shift = value->letter == 'l' || value->letter == 'L' ? 0 :
		    value->letter == 't' || value->letter == 'T' ? 48 :
		    strchr("bchH", value->letter) != NULL	 ? 56 :
								   32;

	while (*constant == ';') {
		size_t size = strcspn(++constant, "=;,");
		const char *name = constant;
		char *end;
		uint64_t number;

		constant += size;
		if (*constant != '=')
			return;
		number = (uint64_t)strtoll(constant + 1, &end, 10);
		constant = end;
		if ((number ^ value->value) << shift != 0)
			continue;
		value->kind = PTL_TYPED_WORD;
		value->bytes = name;
		value->size = size;
		return;
	}
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
		set_constant(value, item + value->name_size);
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
	if (!(head[1] & STRING_UNKNOWN))
		value->kind = PTL_TYPED_STRING;
}

static void set_int(struct ptl_typed_value *value, int64_t number)
{
	value->kind = PTL_TYPED_INT;
	value->value = (uint64_t)number;
}

static void set_uint(struct ptl_typed_value *value, uint64_t number)
{
	value->kind = PTL_TYPED_UINT;
	value->value = number;
}

/* Of what is in one register the upper part may be anything. */
static void set_value(struct ptl_typed_value *value, uint64_t word)
{
	float single;
	double number;

	switch (value->letter) {
	case 'b':
		set_uint(value, word & 1);
		break;
	case 'c':
	case 'h':
		set_int(value, (int8_t)word);
		break;
	case 'H':
		set_uint(value, (uint8_t)word);
		break;
	case 't':
		set_int(value, (int16_t)word);
		break;
	case 'T':
		set_uint(value, (uint16_t)word);
		break;
	case 'i':
	case 'e':
		set_int(value, (int32_t)word);
		break;
	case 'I':
		set_uint(value, (uint32_t)word);
		break;
	case 'l':
		set_int(value, (int64_t)word);
		break;
	case 'L':
		set_uint(value, word);
		break;
	case 'f':
		memcpy(&single, &word, sizeof(single));
		value->kind = PTL_TYPED_FLOAT;
		value->number = (long double)single;
		break;
	case 'd':
		memcpy(&number, &word, sizeof(number));
		value->kind = PTL_TYPED_FLOAT;
		value->number = (long double)number;
		break;
	default:
		value->kind = PTL_TYPED_ADDRESS;
		value->value = word;
	}
}

/* A member, NAME:LETTER OFFSET. */
static void put_member(char *text, const char *member, size_t name_size,
		       const unsigned char *bytes)
{
	struct ptl_typed_value value = {.letter = member[name_size + 1]};
	unsigned long offset = strtoul(member + name_size + 2, NULL, 10);
	size_t used = strlen(text), room = STRUCTURE_TEXT - used;
	char number[PTL_TYPED_TEXT];
	uint64_t word = 0;

	if (offset >= 16)
		return;
	memcpy(&word, bytes + offset, offset > 8 ? 16 - offset : 8);
	set_value(&value, word);
	if (value.kind == PTL_TYPED_INT)
		snprintf(number, sizeof(number), "%lld",
			 (long long)value.value);
	else if (value.kind == PTL_TYPED_FLOAT)
		ptl_typed_text(&value, number);
	else if (value.kind == PTL_TYPED_ADDRESS && value.value == 0)
		strcpy(number, "NULL");
	else
		snprintf(number, sizeof(number),
			 value.kind == PTL_TYPED_UINT ? "%llu" : "0x%llx",
			 (unsigned long long)value.value);
	snprintf(text + used, room, "%s%.*s=%s", used > 1 ? ", " : "",
		 (int)name_size, member, number);
}

/* By its members, which its item has. */
static void set_structure(struct ptl_typed_walk *walk,
			  struct ptl_typed_value *value)
{
	static char text[STRUCTURE_TEXT + 2];
	uint64_t words[2] = {0, 0};
	const char *item = walk->names;

	for (size_t i = 0; i < words_of(value->letter); i++)
		if (!take(walk, &words[i]))
			return;
	strcpy(text, "{");
	item = item != NULL ? item + strcspn(item, ";,") : "";
	while (*item == ';') {
		size_t size = strcspn(++item, ":;,");

		if (item[size] == ':' && item[size + 1] != '\0')
			put_member(text, item, size, (unsigned char *)words);
		item += strcspn(item, ";,");
	}
	strcat(text, "}");
	value->kind = PTL_TYPED_STRUCTURE;
	value->bytes = text;
	value->size = strlen(text);
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
	set_value(value, word);
	if (has_string(value->letter, walk->is_result))
		take_string(walk, value);
	take_item(walk, value);
	return true;
}

long double ptl_typed_double(int64_t bits)
{
	double number;

	memcpy(&number, &bits, sizeof(number));
	return (long double)number;
}

bool ptl_typed_is_finite(const struct ptl_typed_value *value)
{
	return isfinite(value->number);
}

void ptl_typed_text(const struct ptl_typed_value *value,
		    char buf[PTL_TYPED_TEXT])
{
	/* Digits with which numbers always come back the same, and mostly do.
	 */
	int most = value->letter == 'f' ? 9 : value->letter == 'd' ? 17 : 21;
	int few = value->letter == 'f' ? 6 : value->letter == 'd' ? 15 : 18;

	for (int digits = few; digits <= most; digits++) {
		long double back;

		snprintf(buf, PTL_TYPED_TEXT, "%.*Lg", digits, value->number);
		back = strtold(buf, NULL);
		if (value->letter == 'f' ? (float)back == (float)value->number :
		    value->letter == 'd' ? (double)back ==
						   (double)value->number :
					   back == value->number)
			return;
	}
}

const char *ptl_typed_json(double number, char buf[PTL_TYPED_TEXT])
{
	struct ptl_typed_value value = {.letter = 'd', .number = number};

	if (!ptl_typed_is_finite(&value))
		return "null";
	ptl_typed_text(&value, buf);
	return buf;
}
