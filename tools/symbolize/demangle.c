/* SPDX-License-Identifier: MIT */
/* Demangles names of C++, Rust, D and OCaml; see demangle.h. */
#include "tools/symbolize/demangle.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/symbolize/dotted.h"
#include "tools/symbolize/rust.h"

/*
 * A part of a name that refers back to another one can double its length: with
 * a few of them a malicious file could ask for more than all memory.
 */
#define MAX_REFERENCES 32
#define MAX_NAME 1024

typedef char *demangle_function(const char *, char *, size_t *, int *);

static bool is_off;

void ptl_demangle_off(void)
{
	is_off = true;
}

static demangle_function *find_demangler(void)
{
	static demangle_function *function;
	void *library;

	static bool has_looked;

	if (has_looked)
		return function;
	has_looked = true;
	library = dlopen("libstdc++.so.6", RTLD_NOW);
	if (library == NULL)
		library = dlopen("libc++abi.so.1", RTLD_NOW);
	if (library != NULL)
		*(void **)&function = dlsym(library, "__cxa_demangle");
	return function;
}

/* S_, S0_, T_, T0_ ...; it does not matter if some of them are no references.
 */
static bool is_harmless(const char *name, size_t size)
{
	unsigned int nr = 0;

	for (size_t i = 0; i + 1 < size; i++)
		if ((name[i] == 'S' || name[i] == 'T') &&
		    (name[i + 1] == '_' ||
		     strchr("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
			    name[i + 1]) != NULL))
			nr++;
	return size <= MAX_NAME && nr <= MAX_REFERENCES;
}

/* A new string, or NULL. */
static char *demangle(const char *name, size_t size)
{
	demangle_function *function;
	char *mangled, *plain = ptl_rust_demangle(name, size);
	int status = -1;

	if (plain != NULL || strncmp(name, "_Z", 2) != 0 ||
	    !is_harmless(name, size))
		return plain;
	function = find_demangler();
	if (function == NULL)
		return NULL;
	mangled = strndup(name, size);
	plain = mangled != NULL ? function(mangled, NULL, NULL, &status) : NULL;
	free(mangled);
	return status == 0 ? plain : NULL;
}

const char *ptl_demangle(const char *name)
{
	size_t size = strcspn(name, "@.");
	char *plain, *whole;

	if (is_off)
		return name;
	if (name[0] != '_' || (name[1] != 'Z' && name[1] != 'R')) {
		plain = ptl_dotted_demangle(name);
		return plain != NULL ? plain : name;
	}
	/* Rust's may have dots inside, if they are not of v0. */
	plain = ptl_rust_demangle(name, strcspn(name, "@"));
	if (plain != NULL)
		return plain;
	plain = demangle(name, size);
	if (plain == NULL)
		return name;
	if (name[size] == '\0')
		return plain;
	/* What does not belong to the name: foo@plt, foo.part.0 */
	if (asprintf(&whole, "%s%s", plain, name + size) < 0)
		return name;
	free(plain);
	return whole;
}
