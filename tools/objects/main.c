/* SPDX-License-Identifier: MIT */
/*
 * usage: ptrace-prototypes CALLS RETURNS [--pid PID | --run PROGRAM] [FILE...]
 *                          [-- WORD...]
 *
 * For ptrace-run -a: prints what is known of the functions of programs and
 * their libraries that the lists of patterns may mean, by their debug
 * information: a line "NAME CODE" for each.  The words are the arguments of
 * what is started, and may name more programs.  Where two have the same
 * function the first is told.  A program of its own, so that ptrace-run need
 * not load libdw, and what a damaged library does to that ends nothing else.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/lib/say.h"
#include "tools/lib/stack.h"
#include "tools/objects/loaded.h"
#include "tools/objects/named.h"
#include "tools/prototypes/listed.h"
#include "tools/objects/signatures.h"

#define MAX_OBJECTS 1024

struct asked {
	const char *calls, *returns;
	struct ptl_prototypes *table, *declared;
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
	static char *seen[MAX_OBJECTS];
	static unsigned int nr;
	struct asked *asked = arg;

	for (unsigned int i = 0; i < nr; i++)
		if (strcmp(seen[i], path) == 0)
			return;
	if (is_libc(path) || nr == MAX_OBJECTS ||
	    (seen[nr] = strdup(path)) == NULL)
		return;
	nr++;
	ptl_signatures_add(asked->table, path, false, is_asked, asked);
	ptl_signatures_add(asked->declared, path, true, is_asked, asked);
}

/* What the functions themselves say is better: there parameters have names. */
static void add_declared(const char *name, const char *code, void *type,
			 void *arg)
{
	(void)type;
	ptl_prototypes_add(arg, name, strlen(name), code, false);
}

static void put_function(const char *name, const char *code, void *type,
			 void *arg)
{
	(void)type, (void)arg;
	printf("%s %s\n", name, code);
}

static int make_prototypes(int argc, char **argv)
{
	const char *program = NULL;
	struct asked asked;
	int i = 3;

	ptl_say_as(NULL);
	if (argc < 3)
		return 2;
	asked.calls = argv[1][0] != '\0' ? argv[1] : NULL;
	asked.returns = argv[2][0] != '\0' ? argv[2] : NULL;
	asked.table = ptl_prototypes_new();
	asked.declared = ptl_prototypes_new();
	if (argc > 4 && strcmp(argv[i], "--pid") == 0) {
		ptl_loaded_in((pid_t)strtol(argv[i + 1], NULL, 10), add_object,
			      &asked);
		i += 2;
	} else if (argc > 4 && strcmp(argv[i], "--run") == 0) {
		program = argv[i + 1];
		i += 2;
	}
	for (; i < argc && strcmp(argv[i], "--") != 0; i++)
		ptl_named_file(argv[i], add_object, &asked);
	if (program != NULL) {
		ptl_loaded_by(program, add_object, &asked);
		ptl_named_file(program, add_object, &asked);
	}
	for (i++; i < argc; i++)
		ptl_named_in(argv[i], add_object, &asked);
	ptl_prototypes_each(asked.declared, false, add_declared, asked.table);
	ptl_prototypes_each(asked.table, false, put_function, NULL);
	return fflush(stdout) != 0;
}

int main(int argc, char **argv)
{
	return ptl_stack_ensure(make_prototypes, argc, argv);
}
