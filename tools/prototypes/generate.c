/* SPDX-License-Identifier: MIT */
/*
 * Runs when libptrace is built, on the building machine: reads the public
 * headers, preprocessed for the machine that it is built for, and writes the
 * table of their functions as C.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/lib/say.h"
#include "tools/prototypes/parse.h"

/* With a null behind it. */
static char *read_all(size_t *size)
{
	size_t room = 0;
	char *text = NULL;
	ssize_t got;

	*size = 0;
	do {
		if (*size + 1 >= room)
			text = ptl_grow(text, room, &room, 1);
		got = read(STDIN_FILENO, text + *size, room - *size - 1);
		*size += got > 0 ? (size_t)got : 0;
	} while (got > 0);
	text[*size] = '\0';
	return text;
}

/* Functions that are given bytes, and then how many. */
static bool takes_bytes(const char *name, const char *code)
{
	static const char *const names[] = {"write", "pwrite", "pwrite64",
					    "send", "sendto"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(name, names[i]) == 0)
			return strncmp(code, "likL", 4) == 0;
	return false;
}

static void put_function(const char *name, const char *code, void *type,
			 void *arg)
{
	(void)type, (void)arg;
	if (takes_bytes(name, code))
		printf("\t\"%s liBL%s\\n\"\n", name, code + 4);
	else
		printf("\t\"%s %s\\n\"\n", name, code);
}

static void put_type(const char *name, const char *code, void *type, void *arg)
{
	(void)code, (void)arg;
	printf("\t\"%s %c\\n\"\n", name, ptl_parse_letter(type));
}

int main(void)
{
	struct ptl_parse parse = {.is_lenient = true};
	size_t size;
	char *text;

	ptl_say_as("generate");
	parse.table = ptl_prototypes_new();
	text = read_all(&size);
	/* The text says it itself (Makefile.am). */
	parse.quad = strstr(text, "ptl_long_double_digits[113]") != NULL;
	ptl_parse(&parse, text, size);
	puts("/* Made of the public headers by tools/prototypes/generate.c. "
	     "*/\n#include \"tools/prototypes/builtin.h\"\n\n"
	     "const char ptl_builtin_functions[] =");
	ptl_prototypes_each(parse.table, false, put_function, NULL);
	puts("\t\"\";\n\nconst char ptl_builtin_types[] =");
	ptl_prototypes_each(parse.table, true, put_type, NULL);
	puts("\t\"\";");
	printf("/* %u functions; %u declarations were not understood. */\n",
	       parse.nr_functions, parse.nr_failed);
	return fflush(stdout) != 0 || parse.nr_functions == 0;
}
