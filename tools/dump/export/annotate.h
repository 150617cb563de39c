/* SPDX-License-Identifier: MIT */
/* What perfetto shows with an event: its arguments and its stack. */
#ifndef PTL_TOOLS_DUMP_EXPORT_ANNOTATE_H
#define PTL_TOOLS_DUMP_EXPORT_ANNOTATE_H

#include "tools/dump/export/intern.h"
#include "tools/dump/export/proto.h"
#include "tools/model/view.h"

/* Fields of perfetto's InternedData. */
enum {
	PTL_NAMES_CATEGORY = 1,
	PTL_NAMES_EVENT = 2,
	PTL_NAMES_ARGUMENT = 3,
	PTL_NAMES_STRING = 29,
};

struct ptl_names {
	struct ptl_intern *intern;
	struct ptl_bytes told; /* InternedData that is still to be written */
};

uint64_t ptl_annotate_name(struct ptl_names *names, unsigned int field,
			   const char *bytes, size_t size);

/* Into a TrackEvent. */
void ptl_annotate(struct ptl_bytes *event, struct ptl_names *names,
		  const struct ptl_view *view);

#endif
