/* SPDX-License-Identifier: MIT */
/* Numbers for strings; see intern.h. */
#include "tools/dump/export/intern.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

#define HASH 4096

struct string {
	struct string *next;
	uint64_t number;
	unsigned int kind;
	unsigned int told; /* when it was new */
	size_t size;
	char bytes[];
};

struct ptl_intern {
	struct string *hash[HASH];
	uint64_t nr;
	unsigned int now;
};

struct ptl_intern *ptl_intern_new(void)
{
	struct ptl_intern *intern = ptl_alloc(sizeof(*intern));

	intern->now = 1;
	return intern;
}

void ptl_intern_free(struct ptl_intern *intern)
{
	for (size_t i = 0; i < HASH; i++) {
		for (struct string *string = intern->hash[i], *next;
		     string != NULL; string = next) {
			next = string->next;
			free(string);
		}
	}
	free(intern);
}

void ptl_intern_forget(struct ptl_intern *intern)
{
	intern->now++;
}

uint64_t ptl_intern_number(struct ptl_intern *intern, unsigned int kind,
			   const char *bytes, size_t size, bool *is_new)
{
	uint64_t hash = kind;
	struct string **list, *string;

	for (size_t i = 0; i < size; i++)
		hash = hash * 31 + (unsigned char)bytes[i];
	list = &intern->hash[(hash * UINT64_C(0x9e3779b97f4a7c15)) >> 52];
	for (string = *list; string != NULL; string = string->next)
		if (string->kind == kind && string->size == size &&
		    memcmp(string->bytes, bytes, size) == 0)
			break;
	if (string == NULL) {
		string = ptl_alloc(sizeof(*string) + size);
		string->kind = kind;
		string->number = ++intern->nr;
		string->size = size;
		memcpy(string->bytes, bytes, size);
		string->next = *list;
		*list = string;
	}
	*is_new = string->told != intern->now;
	string->told = intern->now;
	return string->number;
}
