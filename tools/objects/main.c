/* SPDX-License-Identifier: MIT */
/*
 * usage: ptrace-prototypes CALLS RETURNS PROGRAM
 *        ptrace-prototypes CALLS RETURNS --pid PID
 *
 * For ptrace-run -a: prints what is known of the functions of a program and its
 * libraries that the lists of patterns may mean, by their debug information: a
 * line "NAME CODE" for each.  A program of its own, so that ptrace-run need not
 * load libdw, and what a damaged library does to that ends nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/objects/loaded.h"
#include "tools/prototypes/listed.h"
#include "tools/symbolize/signatures.h"

struct asked {
	const char *calls, *returns;
	struct ptl_prototypes *table;
};

static bool is_asked(const char *name, void *arg)
{
	const struct asked *asked = arg;

	return ptl_listed(asked->calls, name) ||
	       ptl_listed(asked->returns, name);
}

/* Of these the machine's headers know more. */
static bool is_libc(const char *path)
{
	static const char *const names[] = {
		"ld-linux",  "libc.so.",  "libm.so.",	  "libpthread.so.",
		"libdl.so.", "librt.so.", "libptrace.so",
	};
	const char *name = basename(path);

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void add_object(const char *path, void *arg)
{
	struct asked *asked = arg;

	if (!is_libc(path))
		ptl_signatures_add(asked->table, path, is_asked, asked);
}

static void put_function(const char *name, const char *code, void *type,
			 void *arg)
{
	(void)type, (void)arg;
	printf("%s %s\n", name, code);
}

int main(int argc, char **argv)
{
	struct asked asked;

	ptl_say_as(NULL);
	if (argc != 4 && argc != 5)
		return 2;
	asked.calls = argv[1][0] != '\0' ? argv[1] : NULL;
	asked.returns = argv[2][0] != '\0' ? argv[2] : NULL;
	asked.table = ptl_prototypes_new();
	if (argc == 5)
		ptl_loaded_in((pid_t)strtol(argv[4], NULL, 10), add_object,
			      &asked);
	else
		ptl_loaded_by(argv[3], add_object, &asked);
	ptl_prototypes_each(asked.table, false, put_function, NULL);
	return fflush(stdout) != 0;
}
