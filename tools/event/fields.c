/* SPDX-License-Identifier: MIT */
/* ptrace-event NAME KEY=VALUE...: a typed event; see fields.h. */
#include "tools/event/fields.h"

#include <ctype.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <trace.h>

#include "tools/lib/say.h"

#define FIELDS 16
/* Of the kinds that its values may have, these many are tried. */
#define TRIES 4096

/* From the one that says most to the one that says least. */
static const char kinds[] = "ifs";

struct pair {
	const char *key, *value;
	size_t key_size;
	unsigned int first, kind; /* in kinds */
};

static size_t key_size(const char *pair)
{
	size_t size = 0;

	if (!isalpha((unsigned char)pair[0]) && pair[0] != '_')
		return 0;
	while (isalnum((unsigned char)pair[size]) || pair[size] == '_')
		size++;
	return pair[size] == '=' ? size : 0;
}

bool ptl_event_is_pair(const char *word)
{
	return key_size(word) > 0;
}

bool ptl_event_has_fields(char *const *pairs)
{
	for (; *pairs != NULL; pairs++)
		if (key_size(*pairs) == 0)
			return false;
	return true;
}

/* The kind that says most of a value. */
static unsigned int kind_of(const char *value)
{
	char *end;

	if (*value == '\0' || isspace((unsigned char)*value))
		return 2;
	errno = 0;
	strtoll(value, &end, 10);
	if (*end == '\0' && errno == 0)
		return 0;
	errno = 0;
	strtod(value, &end);
	return *end == '\0' && errno == 0 && !isalpha((unsigned char)*value) ?
		       1 :
		       2;
}

static size_t parse(struct pair *pair, char *const *pairs)
{
	size_t nr = 0;

	for (; pairs[nr] != NULL; nr++) {
		if (nr == FIELDS) {
			ptl_say("more than %d fields", FIELDS);
			ptl_say_usage();
		}
		pair[nr].key = pairs[nr];
		pair[nr].key_size = key_size(pairs[nr]);
		pair[nr].value = pairs[nr] + pair[nr].key_size + 1;
		pair[nr].first = pair[nr].kind = kind_of(pair[nr].value);
		if (pair[nr].key_size > 31) {
			ptl_say("%s: the key is longer than 31 bytes",
				pairs[nr]);
			ptl_say_usage();
		}
	}
	return nr;
}

/* The next choice of kinds; false: that was the last. */
static bool choose_next(struct pair *pair, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		if (++pair[i].kind < sizeof(kinds) - 1)
			return true;
		pair[i].kind = pair[i].first;
	}
	return false;
}

static int open_type(const char *name, struct pair *pair, size_t nr,
		     trace_event_id_t *id)
{
	char fields[FIELDS * 36];
	int error = EEXIST;

	for (unsigned int tries = 0; error == EEXIST && tries < TRIES;
	     tries++) {
		size_t size = 0;

		for (size_t i = 0; i < nr; i++)
			size += (size_t)snprintf(
				fields + size, sizeof(fields) - size,
				"%s%.*s:%c", i > 0 ? " " : "",
				(int)pair[i].key_size, pair[i].key,
				kinds[pair[i].kind]);
		error = posix_trace_eventid_open_fields_np(name, fields, id);
		if (error == EEXIST && !choose_next(pair, nr))
			break;
	}
	return error;
}

static size_t put(char *to, const struct pair *pair)
{
	size_t size = strlen(pair->value) + 1;
	int64_t number;
	double real;

	switch (kinds[pair->kind]) {
	case 'i':
		number = strtoll(pair->value, NULL, 10);
		memcpy(to, &number, sizeof(number));
		return sizeof(number);
	case 'f':
		real = strtod(pair->value, NULL);
		memcpy(to, &real, sizeof(real));
		return sizeof(real);
	}
	memcpy(to, pair->value, size);
	return size;
}

int ptl_event_make(const char *name, char *const *pairs,
		   struct ptl_event_parts *parts)
{
	struct pair pair[FIELDS];
	size_t nr = parse(pair, pairs), size = 0, room = 0;
	int error = open_type(name, pair, nr, &parts->id);
	char *data;

	if (error != 0)
		return error;
	for (size_t i = 0; i < nr; i++)
		room += strlen(pair[i].value) + sizeof(double) + 1;
	data = ptl_alloc(room);
	for (size_t i = 0; i < nr; i++)
		size += put(data + size, &pair[i]);
	parts->data = data;
	parts->size = size;
	return 0;
}
