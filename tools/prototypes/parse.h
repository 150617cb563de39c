/* SPDX-License-Identifier: MIT */
/*
 * Declarations of functions in C syntax, as in headers: with types by name,
 * function pointers, attributes, and bodies, which are passed over.  Lines of
 * the preprocessor are, too, but for types that they define (macros.h).
 */
#ifndef PTL_TOOLS_PROTOTYPES_PARSE_H
#define PTL_TOOLS_PROTOTYPES_PARSE_H

#include "tools/prototypes/cursor.h"
#include "tools/prototypes/table.h"

struct ptl_parse {
	struct ptl_prototypes *table;
	/* A type that is not known is a structure. */
	bool is_lenient;
	bool quad;    /* long double has 128 bits */
	bool foreign; /* functions of which nobody knows what they read */
	/* Declarations that are not understood are left out: so many. */
	unsigned int nr_functions, nr_failed;
	/* What is wrong with the first of them: line and column; what was
	 * expected, found "...". */
	unsigned int line, column;
	char error[PTL_CURSOR_ERROR];
	struct ptl_c_type *types; /* all that were made */
};

/* Adds what the text declares. */
void ptl_parse(struct ptl_parse *parse, const char *text, size_t size);

/* Types by letter, as ptl_parse_letter() gave them: "NAME LETTER\n"... */
void ptl_parse_builtin(struct ptl_parse *parse, const char *lines);
char ptl_parse_letter(const void *type);

void ptl_parse_free(struct ptl_parse *parse);

#endif
