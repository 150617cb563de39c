/* SPDX-License-Identifier: MIT */
/* OpenTelemetry's messages as JSON; see otlp_put.h. */
#include "tools/dump/export/otlp_put.h"

#include <string.h>

#include "tools/lib/quote.h"
#include "tools/read/value.h"

static struct ptl_out writer;
static struct ptl_bytes *target;

static void take(const char *bytes, size_t size)
{
	ptl_bytes_put(target, bytes, size);
}

struct ptl_out *ptl_otlp_write_to(struct ptl_bytes *bytes)
{
	target = bytes;
	writer.take = take;
	return &writer;
}

void ptl_otlp_written(void)
{
	ptl_out_flush(&writer);
}

/* ---- attributes ------------------------------------------------------ */

/* Is the list empty that is being written? */
static bool is_first;

void ptl_otlp_open_list(struct ptl_out *out, const char *name)
{
	ptl_out_char(out, '"');
	ptl_out_str(out, name);
	ptl_out_str(out, "\":[");
	is_first = true;
}

void ptl_otlp_close_list(struct ptl_out *out)
{
	ptl_out_char(out, ']');
}

static void open_attribute(struct ptl_out *out, const char *key)
{
	ptl_out_str(out, is_first ? "{\"key\":" : ",{\"key\":");
	is_first = false;
	ptl_quote_json(out, key, strlen(key));
	ptl_out_str(out, ",\"value\":");
}

static void put_string(struct ptl_out *out, const char *text, size_t size)
{
	ptl_out_str(out, "{\"stringValue\":");
	ptl_quote_json(out, text, size);
	ptl_out_char(out, '}');
}

/* 64 bits are a string in the JSON of protocol buffers. */
static void put_int(struct ptl_out *out, int64_t number)
{
	ptl_out_str(out, "{\"intValue\":\"");
	ptl_out_int(out, number);
	ptl_out_str(out, "\"}");
}

void ptl_otlp_text(struct ptl_out *out, const char *key, const char *text)
{
	if (text == NULL)
		return;
	open_attribute(out, key);
	put_string(out, text, strlen(text));
	ptl_out_char(out, '}');
}

void ptl_otlp_int(struct ptl_out *out, const char *key, int64_t number)
{
	open_attribute(out, key);
	put_int(out, number);
	ptl_out_char(out, '}');
}

void ptl_otlp_data(struct ptl_out *out, const char *key, const char *data,
		   size_t size)
{
	if (size > 1 && data[size - 1] == '\0')
		size--;
	open_attribute(out, key);
	if (ptl_quote_is_text(data, size)) {
		put_string(out, data, size);
	} else {
		ptl_out_str(out, "{\"stringValue\":\"0x");
		ptl_out_hexdump(out, data, size);
		ptl_out_str(out, "\"}");
	}
	ptl_out_char(out, '}');
}

/* Without a number: what is none, and infinities. */
static void put_real(struct ptl_out *out, const struct ptl_typed_value *real)
{
	char text[PTL_TYPED_TEXT];

	ptl_typed_text(real, text);
	if (!ptl_typed_is_finite(real)) {
		put_string(out, text, strlen(text));
		return;
	}
	ptl_out_str(out, "{\"doubleValue\":");
	ptl_out_str(out, text);
	ptl_out_char(out, '}');
}

static void put_hex(struct ptl_out *out, const struct ptl_value *value)
{
	ptl_out_str(out, "{\"stringValue\":\"");
	if (value->kind == PTL_VALUE_ADDRESS)
		ptl_out_hex(out, value->number);
	else
		ptl_out_hexdump(out, value->bytes, value->size);
	ptl_out_str(out, "\"}");
}

static void put_value(struct ptl_out *out, const struct ptl_value *value)
{
	switch (value->kind) {
	case PTL_VALUE_INT:
		put_int(out, (int64_t)value->number);
		break;
	case PTL_VALUE_UINT:
		/* What is larger than any int64 is text. */
		if (value->number <= INT64_MAX) {
			put_int(out, (int64_t)value->number);
		} else {
			ptl_out_str(out, "{\"stringValue\":\"");
			ptl_out_uint(out, value->number);
			ptl_out_str(out, "\"}");
		}
		break;
	case PTL_VALUE_FLOAT:
		put_real(out, &value->real);
		break;
	case PTL_VALUE_BOOL:
		ptl_out_str(out, value->number ? "{\"boolValue\":true}" :
						 "{\"boolValue\":false}");
		break;
	case PTL_VALUE_TEXT:
		put_string(out, value->bytes, value->size);
		break;
	case PTL_VALUE_ADDRESS:
	case PTL_VALUE_BYTES:
		put_hex(out, value);
		break;
	case PTL_VALUE_UNKNOWN:
	case PTL_VALUE_LIST: /* has no lists in it */
		ptl_out_str(out, "{}");
		break;
	}
}

static void put_list(struct ptl_out *out, struct ptl_source *source,
		     const struct ptl_arg *arg)
{
	struct ptl_value_walk walk;
	struct ptl_value value;
	char before = '[';

	ptl_out_str(out, "{\"arrayValue\":{\"values\":");
	ptl_value_begin(&walk, source, arg);
	for (; ptl_value_next(&walk, &value); before = ',') {
		ptl_out_char(out, before);
		put_value(out, &value);
	}
	ptl_out_str(out, before == '[' ? "[]}}" : "]}}");
}

void ptl_otlp_argument(struct ptl_out *out, struct ptl_source *source,
		       const char *key, const struct ptl_arg *arg)
{
	char buf[PTL_WORDS_MAX];
	struct ptl_value value;

	ptl_value_of(&value, arg, buf);
	open_attribute(out, key);
	if (value.kind == PTL_VALUE_LIST)
		put_list(out, source, arg);
	else
		put_value(out, &value);
	ptl_out_char(out, '}');
}

/* ---- spans ----------------------------------------------------------- */

static void put_id(struct ptl_out *out, const char *before, uint64_t id)
{
	unsigned char bytes[8];

	for (int i = 0; i < 8; i++)
		bytes[i] = (unsigned char)(id >> (56 - 8 * i));
	ptl_out_str(out, before);
	ptl_out_hexdump(out, bytes, sizeof(bytes));
	ptl_out_char(out, '"');
}

static void put_trace(struct ptl_out *out, const struct ptl_otlp_trace *trace)
{
	ptl_out_str(out, "{\"traceId\":\"");
	ptl_out_hexdump(out, trace->id, sizeof(trace->id));
	ptl_out_char(out, '"');
}

/* 2: STATUS_CODE_ERROR. */
static void put_status(struct ptl_out *out, const char *message)
{
	ptl_out_str(out, ",\"status\":{\"code\":2");
	if (message != NULL) {
		ptl_out_str(out, ",\"message\":");
		ptl_quote_json(out, message, strlen(message));
	}
	ptl_out_char(out, '}');
}

static void put_events(struct ptl_out *out, const struct ptl_otlp_span *span)
{
	if (span->events != NULL && span->events->used > 0) {
		ptl_out_str(out, ",\"events\":[");
		ptl_out_bytes(out, span->events->bytes, span->events->used);
		ptl_out_char(out, ']');
	}
	if (span->dropped > 0) {
		ptl_out_str(out, ",\"droppedEventsCount\":");
		ptl_out_uint(out, span->dropped < UINT32_MAX ? span->dropped :
							       UINT32_MAX);
	}
}

void ptl_otlp_link(struct ptl_bytes *to, const struct ptl_otlp_trace *trace,
		   uint64_t span, const char *kind)
{
	bool has_others = to->used > 0;
	struct ptl_out *out = ptl_otlp_write_to(to);

	if (has_others)
		ptl_out_char(out, ',');
	put_trace(out, trace);
	put_id(out, ",\"spanId\":\"", span);
	ptl_out_char(out, ',');
	ptl_otlp_open_list(out, "attributes");
	ptl_otlp_text(out, "opentracing.ref_type", kind);
	ptl_otlp_close_list(out);
	ptl_out_char(out, '}');
	ptl_otlp_written();
}

static void put_links(struct ptl_out *out, const struct ptl_otlp_span *span)
{
	bool has_more = span->links != NULL && span->links->used > 0;

	if (span->linked == 0 && !has_more)
		return;
	ptl_out_str(out, ",\"links\":[");
	if (span->linked != 0) {
		put_trace(out, &span->trace);
		put_id(out, ",\"spanId\":\"", span->linked);
		ptl_out_str(out, has_more ? "}," : "}");
	}
	if (has_more)
		ptl_out_bytes(out, span->links->bytes, span->links->used);
	ptl_out_char(out, ']');
}

/* 1: SPAN_KIND_INTERNAL. */
void ptl_otlp_span(struct ptl_out *out, const struct ptl_otlp_span *span,
		   const struct ptl_bytes *attributes)
{
	put_trace(out, &span->trace);
	put_id(out, ",\"spanId\":\"", span->id);
	if (span->parent != 0)
		put_id(out, ",\"parentSpanId\":\"", span->parent);
	ptl_out_str(out, ",\"name\":");
	ptl_quote_json(out, span->name, strlen(span->name));
	ptl_out_str(out, ",\"kind\":1,\"startTimeUnixNano\":\"");
	ptl_out_uint(out, span->begin);
	ptl_out_str(out, "\",\"endTimeUnixNano\":\"");
	ptl_out_uint(out, span->end);
	ptl_out_str(out, "\",");
	ptl_out_bytes(out, attributes->bytes, attributes->used);
	put_events(out, span);
	put_links(out, span);
	if (span->failed)
		put_status(out, span->message);
	ptl_out_char(out, '}');
}

/* ---- numbers --------------------------------------------------------- */

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' :
	       c >= 'a' && c <= 'f' ? c - 'a' + 10 :
				      -1;
}

static bool parse_hex(const char *text, unsigned char *bytes, size_t nr)
{
	bool any = false;

	for (size_t i = 0; i < nr; i++) {
		int high = digit(text[2 * i]);
		int low = high < 0 ? -1 : digit(text[2 * i + 1]);

		if (low < 0)
			return false;
		bytes[i] = (unsigned char)(high << 4 | low);
		any |= bytes[i] != 0;
	}
	return any;
}

bool ptl_otlp_parse_parent(const char *text, struct ptl_otlp_trace *trace,
			   uint64_t *span)
{
	unsigned char id[8];

	if (strlen(text) < 55 || strncmp(text, "00-", 3) != 0 ||
	    text[35] != '-' || text[52] != '-' ||
	    !parse_hex(text + 3, trace->id, sizeof(trace->id)) ||
	    !parse_hex(text + 36, id, sizeof(id)))
		return false;
	*span = 0;
	for (size_t i = 0; i < sizeof(id); i++)
		*span = *span << 8 | id[i];
	return true;
}

uint64_t ptl_otlp_hash(uint64_t hash, const void *bytes, size_t size)
{
	const unsigned char *at = bytes;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	hash ^= hash >> 32;
	hash *= UINT64_C(0x9e3779b97f4a7c15);
	hash ^= hash >> 29;
	return hash != 0 ? hash : 1;
}
