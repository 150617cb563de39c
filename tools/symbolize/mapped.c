/* SPDX-License-Identifier: MIT */
#include "tools/symbolize/mapped.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

void ptl_mapped_release(struct ptl_mapped *mapped)
{
	if (mapped == NULL || --mapped->users > 0)
		return;
	free(mapped->module);
	free(mapped);
}

/* Copied if it was shared, so that it can be changed. */
static struct ptl_mapped *own(struct ptl_mapped **mapped)
{
	static uint64_t nr_changes;
	struct ptl_mapped *old = *mapped;
	struct ptl_mapped *copy;

	if (old != NULL && old->users == 1) {
		old->number = ++nr_changes;
		return old;
	}
	copy = ptl_alloc(sizeof(*copy));
	copy->users = 1;
	copy->number = ++nr_changes;
	if (old != NULL) {
		copy->nr = copy->room = old->nr;
		copy->module = ptl_alloc((old->nr + 1) * sizeof(*copy->module));
		memcpy(copy->module, old->module,
		       old->nr * sizeof(*copy->module));
		ptl_mapped_release(old);
	}
	*mapped = copy;
	return copy;
}

/* How many modules start at or below the address. */
static size_t nr_below(const struct ptl_mapped *mapped, uint64_t address)
{
	size_t low = 0, high = mapped->nr;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (mapped->module[middle].start <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static bool is_in(const struct ptl_module *module, uint64_t address)
{
	return address >= module->start && address < module->end;
}

const struct ptl_module *ptl_mapped_find(struct ptl_mapped *mapped,
					 uint64_t address)
{
	size_t nr, *found;

	if (mapped == NULL)
		return NULL;
	/* Most events come from where one before came from. */
	found = &mapped->found[(address >> 12) % PTL_MAPPED_FOUND];
	if (*found < mapped->nr && is_in(&mapped->module[*found], address))
		return &mapped->module[*found];
	nr = nr_below(mapped, address);
	if (nr == 0 || !is_in(&mapped->module[nr - 1], address))
		return NULL;
	*found = nr - 1;
	return &mapped->module[nr - 1];
}

bool ptl_mapped_overlap(const struct ptl_mapped *mapped, uint64_t start,
			uint64_t end, size_t *first, size_t *last)
{
	if (mapped == NULL)
		return false;
	*first = nr_below(mapped, start);
	if (*first > 0 && mapped->module[*first - 1].end > start)
		(*first)--;
	for (*last = *first; *last < mapped->nr; ++*last)
		if (mapped->module[*last].start >= end)
			break;
	return *first < *last;
}

void ptl_mapped_remove(struct ptl_mapped **mapped, size_t first, size_t last)
{
	struct ptl_mapped *changed = own(mapped);

	memmove(changed->module + first, changed->module + last,
		(changed->nr - last) * sizeof(*changed->module));
	changed->nr -= last - first;
}

void ptl_mapped_insert(struct ptl_mapped **mapped,
		       const struct ptl_module *module)
{
	struct ptl_mapped *changed = own(mapped);
	size_t at = nr_below(changed, module->start);

	changed->module = ptl_grow(changed->module, changed->nr, &changed->room,
				   sizeof(*changed->module));
	memmove(changed->module + at + 1, changed->module + at,
		(changed->nr - at) * sizeof(*changed->module));
	changed->module[at] = *module;
	changed->nr++;
}
