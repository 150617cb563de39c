/* SPDX-License-Identifier: MIT */
/* The words of TSDL, in which the metadata of a CTF trace are. */
#ifndef PTL_TOOLS_DUMP_EXPORT_CTF_TEXT_H
#define PTL_TOOLS_DUMP_EXPORT_CTF_TEXT_H

#include "tools/dump/export/ctf_field.h"
#include "tools/lib/out.h"
#include "tools/read/source.h"

/* In quotes. */
void ptl_ctf_text_string(struct ptl_out *out, const char *s, size_t size);

/* The declaration of a field. */
void ptl_ctf_text_field(struct ptl_out *out, enum ptl_ctf_kind kind,
			const char *name);

#define PTL_CTF_UUID 16

/* What is before the event classes.  `start' is the second that times count
 * from. */
void ptl_ctf_text_begin(struct ptl_out *out, struct ptl_source *source,
			const unsigned char uuid[PTL_CTF_UUID], uint64_t start,
			bool has_events);

#endif
