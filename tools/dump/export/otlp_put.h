/* SPDX-License-Identifier: MIT */
/*
 * The messages of OpenTelemetry's protocol as its JSON has them: attributes,
 * spans, resources.
 */
#ifndef PTL_TOOLS_DUMP_EXPORT_OTLP_PUT_H
#define PTL_TOOLS_DUMP_EXPORT_OTLP_PUT_H

#include "tools/dump/export/bytes.h"
#include "tools/lib/out.h"
#include "tools/model/model.h"

/* All spans of a trace have its number. */
struct ptl_otlp_trace {
	unsigned char id[16];
};

struct ptl_otlp_span {
	struct ptl_otlp_trace trace;
	uint64_t id, parent; /* parent 0: none */
	uint64_t linked;     /* the span that this one goes on from; 0: none */
	const struct ptl_bytes *links; /* more of them, as text; or NULL */
	const char *name;
	uint64_t begin, end;		/* ns since 1970 */
	const struct ptl_bytes *events; /* or NULL */
	uint64_t dropped;		/* events that were too many */
	bool failed;
	const char *message; /* of the failure, or NULL */
};

/* What is put to the writer goes behind the bytes; it is one at a time. */
struct ptl_out *ptl_otlp_write_to(struct ptl_bytes *bytes);
void ptl_otlp_written(void);

/* Attributes, with a comma before each that is not the first in its list. */
void ptl_otlp_text(struct ptl_out *out, const char *key, const char *text);
void ptl_otlp_int(struct ptl_out *out, const char *key, int64_t number);
/* As text, or in hexadecimal. */
void ptl_otlp_data(struct ptl_out *out, const char *key, const char *data,
		   size_t size);
/* One of an event's own: by its name. */
void ptl_otlp_argument(struct ptl_out *out, struct ptl_source *source,
		       const char *key, const struct ptl_arg *arg);

/* "name":{"stringValue": ..., and the attributes are put between these two. */
void ptl_otlp_open_list(struct ptl_out *out, const char *name);
void ptl_otlp_close_list(struct ptl_out *out);

/* The span, with attributes that are already text. */
void ptl_otlp_span(struct ptl_out *out, const struct ptl_otlp_span *span,
		   const struct ptl_bytes *attributes);

/* Adds a link to that span. */
void ptl_otlp_link(struct ptl_bytes *to, const struct ptl_otlp_trace *trace,
		   uint64_t span, const char *kind);

/* "00-TRACE-SPAN-FLAGS", as programs hand it on in TRACEPARENT.  Returns false
 * if it is nothing like that. */
bool ptl_otlp_parse_parent(const char *text, struct ptl_otlp_trace *trace,
			   uint64_t *span);

/* Goes on with a hash; never 0. */
uint64_t ptl_otlp_hash(uint64_t hash, const void *bytes, size_t size);

#endif
