/* SPDX-License-Identifier: MIT */
/* The event classes of a CTF trace; see ctf_class.h. */
#include "tools/dump/export/ctf_class.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/dump/export/ctf_field.h"
#include "tools/dump/export/ctf_text.h"
#include "tools/lib/quote.h"
#include "tools/lib/say.h"

#define HASH 4096

struct class
{
	struct class *next;
	uint64_t hash;
	const struct ptl_type *type;
	uint32_t id;
	size_t nr;
	struct ptl_ctf_field field[];
};

struct ptl_ctf_classes {
	struct class *hash[HASH];
	struct class **all; /* by id */
	size_t nr, room;
};

struct ptl_ctf_classes *ptl_ctf_class_new(void)
{
	return ptl_alloc(sizeof(struct ptl_ctf_classes));
}

void ptl_ctf_class_free(struct ptl_ctf_classes *classes)
{
	for (size_t i = 0; i < classes->nr; i++)
		free(classes->all[i]);
	free(classes->all);
	free(classes);
}

/* Names are the same pointers each time. */
static uint64_t hash_of(const struct ptl_type *type,
			const struct ptl_ctf_fields *fields)
{
	uint64_t hash = (uintptr_t)type;

	for (size_t i = 0; i < fields->nr; i++) {
		const struct ptl_ctf_field *field = &fields->field[i];

		hash = (hash ^ (uintptr_t)field->name ^
			(uint64_t)field->index << 48 ^ field->kind) *
		       UINT64_C(0x9e3779b97f4a7c15);
		hash ^= hash >> 29;
	}
	return hash;
}

static bool is_same(const struct class *class, const struct ptl_type *type,
		    const struct ptl_ctf_fields *fields)
{
	if (class->type != type || class->nr != fields->nr)
		return false;
	for (size_t i = 0; i < fields->nr; i++)
		if (class->field[i].name != fields->field[i].name ||
		    class->field[i].kind != fields->field[i].kind ||
		    class->field[i].index != fields->field[i].index)
			return false;
	return true;
}

static uint32_t class_of(struct ptl_ctf_classes *classes,
			 const struct ptl_type *type,
			 const struct ptl_ctf_fields *fields)
{
	uint64_t hash = hash_of(type, fields);
	struct class **list = &classes->hash[hash % HASH], *class;
	size_t size = fields->nr * sizeof(*fields->field);

	for (class = *list; class != NULL; class = class->next)
		if (class->hash == hash && is_same(class, type, fields))
			return class->id;
	class = ptl_alloc(sizeof(*class) + size);
	class->hash = hash;
	class->type = type;
	class->id = (uint32_t)classes->nr;
	class->nr = fields->nr;
	if (size > 0)
		memcpy(class->field, fields->field, size);
	class->next = *list;
	*list = class;
	classes->all = ptl_grow(classes->all, classes->nr, &classes->room,
				sizeof(struct class *));
	classes->all[classes->nr++] = class;
	return class->id;
}

uint32_t ptl_ctf_class_put(struct ptl_ctf_classes *classes,
			   struct ptl_bytes *bytes, const struct ptl_view *view)
{
	static struct ptl_ctf_fields fields;

	ptl_ctf_field_put(&fields, bytes, view);
	return class_of(classes, view->type, &fields);
}

/* Names of the fields of a class, and of the lengths of sequences. */
struct names {
	size_t nr;
	char name[PTL_CTF_FIELDS][PTL_CTF_NAME];
};

/* Is one of the two names, with or without the ending, the other? */
static bool is_like(const char *name, const char *other)
{
	size_t size = strlen(name), other_size = strlen(other);

	if (size > other_size)
		return is_like(other, name);
	return memcmp(name, other, size) == 0 &&
	       (size == other_size ||
		strcmp(other + size, PTL_CTF_LENGTH) == 0);
}

/* Two names can become one: then there is a number in front of the second, as
 * no other name has. */
static const char *choose_name(struct names *names,
			       const struct ptl_ctf_field *field)
{
	char *name = names->name[names->nr];
	char plain[PTL_CTF_NAME];

	ptl_ctf_field_name(field, plain);
	strcpy(name, plain);
	for (size_t i = 0; i < names->nr; i++)
		if (is_like(names->name[i], plain))
			snprintf(name, PTL_CTF_NAME, "_%zu%.40s", names->nr,
				 plain);
	names->nr++;
	return name;
}

static void put_field(struct ptl_out *out, const struct ptl_ctf_field *field,
		      struct names *names)
{
	ptl_ctf_text_field(out, field->kind, choose_name(names, field));
}

bool ptl_ctf_class_any(const struct ptl_ctf_classes *classes)
{
	return classes->nr > 0;
}

void ptl_ctf_class_write(const struct ptl_ctf_classes *classes,
			 struct ptl_out *out)
{
	static struct names names;

	for (size_t i = 0; i < classes->nr; i++) {
		const struct class *class = classes->all[i];

		names.nr = 0;
		ptl_out_str(out, "\nevent {\n\tname = ");
		ptl_ctf_text_string(out, class->type->name,
				    class->type->name_size);
		ptl_out_str(out, ";\n\tid = ");
		ptl_out_uint(out, class->id);
		ptl_out_str(out, ";\n\tstream_id = 0;\n\tfields := struct {\n");
		for (size_t j = 0; j < class->nr; j++)
			put_field(out, &class->field[j], &names);
		ptl_out_str(out, "\t};\n};\n");
	}
}
