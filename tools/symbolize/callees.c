/* SPDX-License-Identifier: MIT */
/* The names of called functions; see callees.h. */
#include "tools/symbolize/callees.h"

#include <search.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

struct ptl_callees {
	unsigned int users;
	size_t nr, room; /* room is a power of two, twice nr or more */
	struct ptl_callee *callee; /* by hash of the address */
};

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* One string for each text: processes call the same functions. */
static const char *intern(const struct ptl_arg *arg)
{
	static void *strings;
	char *text = ptl_alloc(arg->size + 1), **found;

	memcpy(text, arg->bytes, arg->size);
	found = tsearch(text, &strings, by_text);
	if (found == NULL || *found == text)
		return text;
	free(text);
	return *found;
}

struct ptl_callees *ptl_callees_share(struct ptl_callees *table)
{
	if (table != NULL)
		table->users++;
	return table;
}

void ptl_callees_release(struct ptl_callees *table)
{
	if (table == NULL || --table->users > 0)
		return;
	free(table->callee);
	free(table);
}

/* The place of the address, or the free place where it belongs. */
static struct ptl_callee *place(const struct ptl_callees *table,
				uint64_t address)
{
	size_t i = (address * UINT64_C(0x9e3779b97f4a7c15)) >> 32;

	for (;; i++) {
		struct ptl_callee *callee =
			&table->callee[i & (table->room - 1)];

		if (callee->function == NULL || callee->address == address)
			return callee;
	}
}

/* The table with that room and without the addresses in [start, end). */
static void copy(struct ptl_callees **table, size_t room, uint64_t start,
		 uint64_t end)
{
	struct ptl_callees *old = *table, *new = ptl_alloc(sizeof(*new));

	new->users = 1;
	new->room = room;
	new->callee = ptl_alloc(room * sizeof(*new->callee));
	for (size_t i = 0; old != NULL && i < old->room; i++) {
		const struct ptl_callee *callee = &old->callee[i];

		if (callee->function == NULL ||
		    (callee->address >= start && callee->address < end))
			continue;
		*place(new, callee->address) = *callee;
		new->nr++;
	}
	ptl_callees_release(old);
	*table = new;
}

void ptl_callees_put(struct ptl_callees **table, uint64_t address,
		     const struct ptl_arg *function,
		     const struct ptl_arg *library, const struct ptl_arg *code)
{
	size_t room = *table != NULL ? (*table)->room : 0;
	struct ptl_callee *callee;

	if (room == 0)
		copy(table, 64, 0, 0);
	else if (2 * ((*table)->nr + 1) > room)
		copy(table, 2 * room, 0, 0);
	else if ((*table)->users > 1)
		copy(table, room, 0, 0);
	callee = place(*table, address);
	/* The prototype alone, now with the names in it. */
	if (callee->function != NULL && function->size == 0 && code != NULL) {
		callee->code = intern(code);
		return;
	}
	if (callee->function == NULL)
		(*table)->nr++;
	callee->address = address;
	callee->function = intern(function);
	callee->library = intern(library);
	callee->function_size = (unsigned int)strlen(callee->function);
	callee->library_size = (unsigned int)strlen(callee->library);
	callee->code = code != NULL ? intern(code) : NULL;
}

void ptl_callees_drop(struct ptl_callees **table, uint64_t start, uint64_t end)
{
	if (*table == NULL)
		return;
	for (size_t i = 0; i < (*table)->room; i++) {
		const struct ptl_callee *callee = &(*table)->callee[i];

		if (callee->function != NULL && callee->address >= start &&
		    callee->address < end) {
			copy(table, (*table)->room, start, end);
			return;
		}
	}
}

const struct ptl_callee *ptl_callees_find(const struct ptl_callees *table,
					  uint64_t address)
{
	const struct ptl_callee *callee;

	if (table == NULL)
		return NULL;
	callee = place(table, address);
	return callee->function != NULL ? callee : NULL;
}
