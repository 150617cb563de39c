/* SPDX-License-Identifier: MIT */
/* The arguments of an event as values; see value.h. */
#include "tools/read/value.h"

static void set_number(struct ptl_value *value, enum ptl_value_kind kind,
		       int64_t number)
{
	value->kind = kind;
	value->number = (uint64_t)number;
}

static void set_bytes(struct ptl_value *value, enum ptl_value_kind kind,
		      const char *bytes, size_t size)
{
	value->kind = kind;
	value->bytes = bytes;
	value->size = size;
}

static void set_typed(struct ptl_value *value,
		      const struct ptl_typed_value *typed)
{
	static const enum ptl_value_kind kinds[] = {
		[PTL_TYPED_INT] = PTL_VALUE_INT,
		[PTL_TYPED_UINT] = PTL_VALUE_UINT,
		[PTL_TYPED_FLOAT] = PTL_VALUE_FLOAT,
		[PTL_TYPED_STRING] = PTL_VALUE_TEXT,
		[PTL_TYPED_WORD] = PTL_VALUE_TEXT,
		[PTL_TYPED_STRUCTURE] = PTL_VALUE_TEXT,
		[PTL_TYPED_ADDRESS] = PTL_VALUE_ADDRESS,
		[PTL_TYPED_MORE] = PTL_VALUE_UNKNOWN,
	};

	value->kind = typed->letter == 'b' && typed->kind == PTL_TYPED_WORD ?
			      PTL_VALUE_BOOL :
			      kinds[typed->kind];
	value->number = typed->value;
	value->real = *typed;
	value->bytes = typed->bytes;
	value->size = typed->size;
}

static void set_result(struct ptl_value *value, const struct ptl_arg *arg)
{
	struct ptl_typed_walk walk;
	struct ptl_typed_value typed;

	ptl_typed_result(&walk, arg->code, arg->bytes, arg->size);
	if (ptl_typed_next(&walk, &typed))
		set_typed(value, &typed);
	else
		value->kind = PTL_VALUE_UNKNOWN;
}

static void set_by_type(struct ptl_value *value, const struct ptl_arg *arg)
{
	switch (arg->type) {
	case PTL_ARG_INT:
	case PTL_ARG_C_INT:
		set_number(value, PTL_VALUE_INT, arg->value);
		break;
	case PTL_ARG_HEX:
		set_number(value, PTL_VALUE_ADDRESS, arg->value);
		break;
	case PTL_ARG_DATA: /* is STRING when it is decoded */
	case PTL_ARG_STRING:
	case PTL_ARG_WORD:
		set_bytes(value, PTL_VALUE_TEXT, arg->bytes, arg->size);
		break;
	case PTL_ARG_REST: /* is BYTES when it is decoded */
	case PTL_ARG_BYTES:
		set_bytes(value, PTL_VALUE_BYTES, arg->bytes, arg->size);
		break;
	case PTL_ARG_FLOAT:
		value->kind = PTL_VALUE_FLOAT;
		value->real = (struct ptl_typed_value){
			.letter = 'd', .number = ptl_typed_double(arg->value)};
		break;
	case PTL_ARG_RESULT:
		set_result(value, arg);
		break;
	case PTL_ARG_STRINGS:
	case PTL_ARG_EVENTSET:
	case PTL_ARG_SIZED: /* is ARGUMENTS when it is decoded */
	case PTL_ARG_ARGUMENTS:
		value->kind = PTL_VALUE_LIST;
		break;
	}
}

void ptl_value_of(struct ptl_value *value, const struct ptl_arg *arg,
		  char buf[PTL_WORDS_MAX])
{
	if (ptl_words_is_bool(arg))
		set_number(value, PTL_VALUE_BOOL, arg->value != 0);
	else if (arg->words != NULL)
		set_bytes(value, PTL_VALUE_TEXT, buf, ptl_words_text(arg, buf));
	else
		set_by_type(value, arg);
}

void ptl_value_begin(struct ptl_value_walk *walk, struct ptl_source *source,
		     const struct ptl_arg *list)
{
	walk->source = source;
	walk->arg = list;
	walk->at = 0;
	walk->id = 0;
	if (list->type == PTL_ARG_ARGUMENTS)
		ptl_typed_arguments(&walk->typed, list->code, list->bytes,
				    list->size);
}

static bool next_string(struct ptl_value_walk *walk, struct ptl_value *value)
{
	struct ptl_arg string = {0};

	if (!ptl_decode_next(walk->arg, &walk->at, &string))
		return false;
	set_bytes(value, PTL_VALUE_TEXT, string.bytes, string.size);
	return true;
}

static bool next_type(struct ptl_value_walk *walk, struct ptl_value *value)
{
	const struct ptl_type *type;

	walk->id = ptl_source_next_in_set(walk->source, walk->arg, walk->id);
	if (walk->id == 0)
		return false;
	type = ptl_source_type(walk->source, walk->id);
	set_bytes(value, PTL_VALUE_TEXT, type->name, type->name_size);
	return true;
}

static bool next_typed(struct ptl_value_walk *walk, struct ptl_value *value)
{
	struct ptl_typed_value typed;

	if (!ptl_typed_next(&walk->typed, &typed) ||
	    (typed.kind == PTL_TYPED_MORE &&
	     walk->typed.code == walk->typed.end))
		return false;
	set_typed(value, &typed);
	return true;
}

bool ptl_value_next(struct ptl_value_walk *walk, struct ptl_value *value)
{
	switch (walk->arg->type) {
	case PTL_ARG_STRINGS:
		return next_string(walk, value);
	case PTL_ARG_EVENTSET:
		return next_type(walk, value);
	default:
		return next_typed(walk, value);
	}
}
