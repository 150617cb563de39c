/* SPDX-License-Identifier: MIT */
/* The fields of an event in CTF; see ctf_field.h. */
#include "tools/dump/export/ctf_field.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/read/value.h"

static bool add(struct ptl_ctf_fields *fields, const char *name,
		enum ptl_ctf_kind kind, unsigned int index)
{
	if (fields->nr == PTL_CTF_FIELDS)
		return false;
	fields->field[fields->nr++] = (struct ptl_ctf_field){name, kind, index};
	return true;
}

/* A null inside is no valid character here. */
void ptl_ctf_field_string(struct ptl_bytes *bytes, const char *text,
			  size_t size)
{
	const char *null;

	while (size > 0 && (null = memchr(text, '\0', size)) != NULL) {
		ptl_bytes_text(bytes, text, (size_t)(null - text));
		ptl_bytes_text(bytes, "\xff", 1);
		size -= (size_t)(null + 1 - text);
		text = null + 1;
	}
	ptl_bytes_text(bytes, text, size);
	ptl_bytes_put(bytes, "", 1);
}

static void put_sized(struct ptl_bytes *bytes, const char *from, size_t size)
{
	uint32_t count = (uint32_t)size;

	ptl_bytes_put(bytes, &count, sizeof(count));
	ptl_bytes_put(bytes, from, size);
}

static void put_value(struct ptl_bytes *bytes, const struct ptl_value *value)
{
	unsigned char byte = (unsigned char)value->number;
	double number;

	switch (value->kind) {
	case PTL_VALUE_INT:
	case PTL_VALUE_UINT:
	case PTL_VALUE_ADDRESS:
		ptl_bytes_put(bytes, &value->number, sizeof(value->number));
		break;
	case PTL_VALUE_FLOAT:
		number = (double)value->real.number;
		ptl_bytes_put(bytes, &number, sizeof(number));
		break;
	case PTL_VALUE_BOOL:
		ptl_bytes_put(bytes, &byte, 1);
		break;
	case PTL_VALUE_TEXT:
		ptl_ctf_field_string(bytes, value->bytes, value->size);
		break;
	case PTL_VALUE_BYTES:
		put_sized(bytes, value->bytes, value->size);
		break;
	case PTL_VALUE_UNKNOWN:
	case PTL_VALUE_LIST:
		break;
	}
}

/* What is not known is no field. */
static void add_value(struct ptl_ctf_fields *fields, struct ptl_bytes *bytes,
		      const char *name, const struct ptl_value *value,
		      unsigned int index)
{
	static const enum ptl_ctf_kind kinds[] = {
		[PTL_VALUE_INT] = PTL_CTF_INT,
		[PTL_VALUE_UINT] = PTL_CTF_UINT,
		[PTL_VALUE_FLOAT] = PTL_CTF_DOUBLE,
		[PTL_VALUE_BOOL] = PTL_CTF_BOOL,
		[PTL_VALUE_TEXT] = PTL_CTF_STRING,
		[PTL_VALUE_ADDRESS] = PTL_CTF_HEX,
		[PTL_VALUE_BYTES] = PTL_CTF_BYTES,
	};

	if (value->kind != PTL_VALUE_UNKNOWN &&
	    add(fields, name, kinds[value->kind], index))
		put_value(bytes, value);
}

/* Values of one kind. */
static void add_strings(struct ptl_ctf_fields *fields, struct ptl_bytes *bytes,
			struct ptl_source *source, const struct ptl_arg *arg)
{
	struct ptl_value_walk walk;
	struct ptl_value value;
	uint32_t count = 0;
	size_t at;

	if (!add(fields, arg->name, PTL_CTF_STRINGS, 0))
		return;
	at = bytes->used;
	ptl_bytes_put(bytes, &count, sizeof(count));
	ptl_value_begin(&walk, source, arg);
	for (; ptl_value_next(&walk, &value); count++)
		put_value(bytes, &value);
	memcpy(bytes->bytes + at, &count, sizeof(count));
}

/* A field for each, since TSDL has no lists of values of several kinds. */
static void add_call(struct ptl_ctf_fields *fields, struct ptl_bytes *bytes,
		     struct ptl_source *source, const struct ptl_arg *arg)
{
	struct ptl_value_walk walk;
	struct ptl_value value;
	unsigned int index = 0;

	ptl_value_begin(&walk, source, arg);
	while (ptl_value_next(&walk, &value))
		add_value(fields, bytes, arg->name, &value, ++index);
}

/* The application's own data, of which nothing is known. */
static void add_data(struct ptl_ctf_fields *fields, struct ptl_bytes *bytes,
		     const struct ptl_view *view)
{
	size_t size = view->data_size;
	struct ptl_value value = {
		.kind = PTL_VALUE_BYTES, .bytes = view->data, .size = size};

	if (view->type->is_system || view->type->layout.nr_fields > 0 ||
	    size == 0)
		return;
	if (size > 1 && view->data[size - 1] == '\0')
		size--;
	if (ptl_quote_is_text(view->data, size)) {
		value.kind = PTL_VALUE_TEXT;
		value.size = size;
	}
	add_value(fields, bytes, "data", &value, 0);
}

void ptl_ctf_field_put(struct ptl_ctf_fields *fields, struct ptl_bytes *bytes,
		       const struct ptl_view *view)
{
	char buf[PTL_WORDS_MAX];
	struct ptl_value value;

	fields->nr = 0;
	for (unsigned int i = 0; i < view->args.nr; i++) {
		const struct ptl_arg *arg = &view->args.arg[i];

		if (ptl_words_omit(arg))
			continue;
		ptl_value_of(&value, arg, buf);
		if (value.kind != PTL_VALUE_LIST)
			add_value(fields, bytes, arg->name, &value, 0);
		else if (arg->type == PTL_ARG_ARGUMENTS)
			add_call(fields, bytes, view->source, arg);
		else
			add_strings(fields, bytes, view->source, arg);
	}
	add_data(fields, bytes, view);
}

void ptl_ctf_field_name(const struct ptl_ctf_field *field,
			char name[PTL_CTF_NAME])
{
	size_t size = 0;

	name[size++] = '_';
	if (isdigit((unsigned char)*field->name))
		name[size++] = '_';
	for (const char *c = field->name; *c != '\0'; c++)
		name[size++] = isalnum((unsigned char)*c) ? *c : '_';
	name[size] = '\0';
	if (field->index > 0)
		snprintf(name + size, PTL_CTF_NAME - size, "_%u",
			 field->index - 1);
}
