/* SPDX-License-Identifier: MIT */
/* What a word means, by the letter of its type; see typed_value.h. */
#include "tools/lib/args/typed_value.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static void set_bool(struct ptl_typed_value *value, bool is_set)
{
	value->kind = PTL_TYPED_WORD;
	value->value = is_set;
	value->bytes = is_set ? "true" : "false";
	value->size = strlen(value->bytes);
}

void ptl_typed_set(struct ptl_typed_value *value, uint64_t word)
{
	float single;
	double number;

	switch (value->letter) {
	case 'b':
		set_bool(value, word & 1);
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

void ptl_typed_set_constant(struct ptl_typed_value *value, const char *constant,
			    char before)
{
	int shift = value->letter == 'l' || value->letter == 'L' ? 0 :
		    value->letter == 't' || value->letter == 'T' ? 48 :
		    strchr("bchH", value->letter) != NULL	 ? 56 :
								   32;

	while (*constant == before) {
		size_t size = strcspn(++constant, "=|;,");
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
