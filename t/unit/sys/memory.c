/* SPDX-License-Identifier: MIT */
/* The memory that there may be: what the least limit of the control groups of a
 * process says, in the files of both versions. */
#include "core/sys/memory.h"

#include "t/lib/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static char root[] = "/tmp/memory.XXXXXX";

static void in_dir(const char *path)
{
	char full[256];

	snprintf(full, sizeof(full), "%s%s", root, path);
	mkdir(full, 0700);
}

static void in_file(const char *path, const char *text)
{
	char full[256];
	FILE *f;

	snprintf(full, sizeof(full), "%s%s", root, path);
	f = fopen(full, "w");
	if (f == NULL)
		exit(1);
	fputs(text, f);
	fclose(f);
}

static void clean(void)
{
	static const char *const paths[] = {
		"/memory/c/memory.limit_in_bytes",
		"/memory/c",
		"/memory/memory.limit_in_bytes",
		"/memory",
		"/a/b/memory.max",
		"/a/b",
		"/a/memory.max",
		"/a",
		"/memory.max",
		"",
	};
	char full[256];

	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		snprintf(full, sizeof(full), "%s%s", root, paths[i]);
		remove(full);
	}
}

static unsigned long long of(const char *groups)
{
	return (unsigned long long)ptl_memory_of_groups(groups, root);
}

int main(void)
{
	const unsigned long long none = UINT64_MAX;
	char line[2000];

	plan(13);
	if (mkdtemp(root) == NULL)
		return 1;
	in_dir("/a");
	in_dir("/a/b");
	in_dir("/memory");
	in_dir("/memory/c");
	in_file("/a/memory.max", "5000\n");
	in_file("/a/b/memory.max", "max\n");
	in_file("/memory/memory.limit_in_bytes", "9000\n");
	in_file("/memory/c/memory.limit_in_bytes", "7000\n");
	is_int((long long)of("0::/a\n"), 5000, "of its own group");
	is_int((long long)of("0::/a/b\n"), 5000, "of the one above");
	is_int((long long)of("0::/a/b/none\n"), 5000,
	       "of a group that is not seen");
	ok(of("0::/\n") == none, "none at the root");
	in_file("/memory.max", "6000\n");
	is_int((long long)of("0::/\n"), 6000, "a container's root");
	is_int((long long)of("0::/a"), 5000, "the last line is not complete");
	is_int((long long)of("4:cpu,memory:/c\n0::/\n"), 6000,
	       "the least of both versions");
	is_int((long long)of("4:memory,cpu:/c\n"), 7000, "of the first one");
	is_int((long long)of("4:memory:/other\n"), 9000, "where it is unseen");
	ok(of("4:memoryless:/c\n3:cpu:/a\n") == none, "of others none");
	ok(of("") == none && of("\n") == none && of("0:") == none &&
		   of("0::\n:::\n") == none,
	   "nothing is no group");
	memset(line, 'x', sizeof(line));
	memcpy(line, "0::/", 4);
	line[sizeof(line) - 1] = '\0';
	ok(of(line) == none, "a path that is too long");
	ok(ptl_memory_limit() > 1000000, "there is some memory here");
	clean();
	return done();
}
