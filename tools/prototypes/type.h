/* SPDX-License-Identifier: MIT */
/* A type of C, as far as a prototype needs it. */
#ifndef PTL_TOOLS_PROTOTYPES_TYPE_H
#define PTL_TOOLS_PROTOTYPES_TYPE_H

#include "tools/prototypes/table.h"

enum ptl_form { PTL_TYPE_VALUE, PTL_TYPE_POINTER, PTL_TYPE_FUNCTION };

#define PTL_TYPE_STRUCT 'A'
#define PTL_TYPE_UNKNOWN '?'

struct ptl_c_type {
	struct ptl_c_type *next; /* made before */
	enum ptl_form form;
	bool is_const;
	bool is_macro;		     /* defined, and perhaps in several ways */
	char letter;		     /* VALUE */
	const struct ptl_c_type *of; /* POINTER: to; FUNCTION: result */
	char params[PTL_CODE_SIZE];  /* FUNCTION */
	/* UNKNOWN: the name, which the text has there. */
	const char *name;
	size_t name_size;
	unsigned int line, column;
};

/* Puts it in front of those that were made before. */
struct ptl_c_type *ptl_type_make(struct ptl_c_type **made, enum ptl_form form,
				 char letter, const struct ptl_c_type *of);

/* The letter of a value of that type. */
char ptl_type_letter(const struct ptl_c_type *type, bool foreign);

/* The words that name a type together: "unsigned", "long", "int". */
struct ptl_basic {
	unsigned int nr, longs, is_unsigned, is_signed, is_short, is_complex;
	char letter; /* of one that needs no other word, or 0 */
};

/* False: the word is none of these. */
bool ptl_basic_add(struct ptl_basic *basic, const char *word, size_t size);

/* 0: these words are no type. */
char ptl_basic_letter(const struct ptl_basic *basic, bool quad);

#endif
