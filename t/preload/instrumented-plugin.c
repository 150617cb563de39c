/* SPDX-License-Identifier: MIT */
/* The shared object that instrumented.c loads; it counts, too. */
#include <stdio.h>

#define NOHOOK __attribute__((no_instrument_function))
#define ALONE __attribute__((noinline, noclone))
#define CALLS 123

static unsigned long calls;

void plugin_run(const char *path);

static ALONE int plugin_leaf(int x)
{
	calls++;
	return x + 1;
}

static NOHOOK void write_counts(const char *path)
{
	FILE *file = fopen(path, "a");

	if (!file)
		return;
	fprintf(file, "plugin_leaf %p %lu %lu\n", (void *)(size_t)plugin_leaf,
		calls, calls);
	fprintf(file, "plugin_run %p 1 1\n", (void *)(size_t)plugin_run);
	fclose(file);
}

void plugin_run(const char *path)
{
	int sum = 0;

	for (int i = 0; i < CALLS; i++)
		sum += plugin_leaf(i);
	printf("%d\n", sum);
	write_counts(path);
}
