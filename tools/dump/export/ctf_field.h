/* SPDX-License-Identifier: MIT */
/* The fields of an event in CTF: which there are, and their bytes. */
#ifndef PTL_TOOLS_DUMP_EXPORT_CTF_FIELD_H
#define PTL_TOOLS_DUMP_EXPORT_CTF_FIELD_H

#include "tools/dump/export/bytes.h"
#include "tools/model/view.h"

/* Of a field in TSDL; a name of ours, and room for numbers. */
#define PTL_CTF_NAME (PTL_DECODE_NAME + 32)

/* What is behind the name of a sequence in that of its length. */
#define PTL_CTF_LENGTH "_len"

/* More than the arguments of any call; what a damaged log says beyond that is
 * left out. */
#define PTL_CTF_FIELDS 256

enum ptl_ctf_kind {
	PTL_CTF_INT,
	PTL_CTF_UINT,
	PTL_CTF_HEX,
	PTL_CTF_DOUBLE,
	PTL_CTF_BOOL,
	PTL_CTF_STRING,
	PTL_CTF_STRINGS,
	PTL_CTF_BYTES,
};

struct ptl_ctf_field {
	const char *name; /* lives as long as the log */
	enum ptl_ctf_kind kind;
	unsigned int index; /* of an element of a list, from 1 on; 0: none */
};

struct ptl_ctf_fields {
	size_t nr;
	struct ptl_ctf_field field[PTL_CTF_FIELDS];
};

/* Sets the fields, and puts their bytes behind the others. */
void ptl_ctf_field_put(struct ptl_ctf_fields *fields, struct ptl_bytes *bytes,
		       const struct ptl_view *view);

/* A name that TSDL allows, with no digit behind the underscore in front, which
 * readers take off. */
void ptl_ctf_field_name(const struct ptl_ctf_field *field,
			char name[PTL_CTF_NAME]);

/* Up to a null. */
void ptl_ctf_field_string(struct ptl_bytes *bytes, const char *text,
			  size_t size);

#endif
