/* SPDX-License-Identifier: MIT */
/* See kernel.h.  The file is read when the first name is wanted. */
#include "tools/sampler/kernel.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"

/* Nothing is known of how large the last one is. */
#define LAST_SIZE 4096

static struct ptl_kernel_function *functions;
static size_t nr, room;
static bool is_read;

static void add(uint64_t start, const char *name)
{
	size_t size = strlen(name) + 1;

	functions = ptl_grow(functions, nr, &room, sizeof(*functions));
	functions[nr] = (struct ptl_kernel_function){
		.start = start,
		.name = ptl_alloc(size),
	};
	memcpy(functions[nr++].name, name, size);
}

static int compare(const void *a, const void *b)
{
	const struct ptl_kernel_function *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* "ADDRESS TYPE NAME", and perhaps a module. */
static void read_functions(void)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512], name[256], type;
	uint64_t start;

	is_read = true;
	while (file != NULL && fgets(line, sizeof(line), file) != NULL)
		if (sscanf(line, "%" SCNx64 " %c %255s", &start, &type, name) ==
			    3 &&
		    strchr("tTwW", type) != NULL && ptl_kernel_has(start))
			add(start, name);
	if (file != NULL)
		fclose(file);
	if (nr > 0)
		qsort(functions, nr, sizeof(*functions), compare);
	for (size_t i = 0; i < nr; i++) {
		size_t next = i + 1;

		/* Of several names the first one is taken. */
		while (next < nr && functions[next].start == functions[i].start)
			next++;
		functions[i].end = next < nr ? functions[next].start :
					       functions[i].start + LAST_SIZE;
	}
}

struct ptl_kernel_function *ptl_kernel_find(uint64_t address)
{
	size_t low = 0, high;

	if (!is_read)
		read_functions();
	high = nr;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (functions[middle].end <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == nr || functions[low].start > address)
		return NULL;
	return &functions[low];
}
