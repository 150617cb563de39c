/* SPDX-License-Identifier: MIT */
/*
 * The event classes of a CTF trace: what fields the events of a class have.
 * Events of one type can have several, since data may be cut, and calls have
 * the arguments of their function.  What is kept grows with their number.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_CTF_CLASS_H
#define PTL_TOOLS_DUMP_EXPORT_CTF_CLASS_H

#include "tools/dump/export/bytes.h"
#include "tools/lib/out.h"
#include "tools/model/view.h"

struct ptl_ctf_classes;

struct ptl_ctf_classes *ptl_ctf_class_new(void);
void ptl_ctf_class_free(struct ptl_ctf_classes *classes);

/* Puts the event's fields behind the bytes; returns the id of its class. */
uint32_t ptl_ctf_class_put(struct ptl_ctf_classes *classes,
			   struct ptl_bytes *bytes,
			   const struct ptl_view *view);

/* Was any put? */
bool ptl_ctf_class_any(const struct ptl_ctf_classes *classes);

/* The classes that were put, in TSDL. */
void ptl_ctf_class_write(const struct ptl_ctf_classes *classes,
			 struct ptl_out *out);

#endif
