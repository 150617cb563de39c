/* SPDX-License-Identifier: MIT */
/* The words of TSDL; see ctf_text.h. */
#include "tools/dump/export/ctf_text.h"

#include <string.h>

#include "tools/dump/parts/info.h"
#include "tools/lib/quote.h"

static void put_octal(struct ptl_out *out, unsigned char c)
{
	ptl_out_char(out, '\\');
	ptl_out_char(out, (char)('0' + (c >> 6)));
	ptl_out_char(out, (char)('0' + (c >> 3 & 7)));
	ptl_out_char(out, (char)('0' + (c & 7)));
}

void ptl_ctf_text_string(struct ptl_out *out, const char *s, size_t size)
{
	struct ptl_bytes text = {0};

	ptl_bytes_text(&text, s, size);
	ptl_out_char(out, '"');
	for (size_t i = 0; i < text.used; i++) {
		unsigned char c = text.bytes[i];

		if (c < 0x20 || c == 0x7f) {
			put_octal(out, c);
			continue;
		}
		if (c == '"' || c == '\\')
			ptl_out_char(out, '\\');
		ptl_out_char(out, (char)c);
	}
	ptl_out_char(out, '"');
	ptl_bytes_free(&text);
}

static void put_sequence(struct ptl_out *out, const char *type,
			 const char *name)
{
	ptl_out_str(out, "\t\tu32 ");
	ptl_out_str(out, name);
	ptl_out_str(out, PTL_CTF_LENGTH ";\n\t\t");
	ptl_out_str(out, type);
	ptl_out_char(out, ' ');
	ptl_out_str(out, name);
	ptl_out_char(out, '[');
	ptl_out_str(out, name);
	ptl_out_str(out, PTL_CTF_LENGTH "];\n");
}

void ptl_ctf_text_field(struct ptl_out *out, enum ptl_ctf_kind kind,
			const char *name)
{
	static const char *const types[] = {
		[PTL_CTF_INT] = "i64",	      [PTL_CTF_UINT] = "u64",
		[PTL_CTF_HEX] = "x64",	      [PTL_CTF_DOUBLE] = "f64",
		[PTL_CTF_BOOL] = "u8",	      [PTL_CTF_STRING] = "string",
		[PTL_CTF_STRINGS] = "string", [PTL_CTF_BYTES] = "x8",
	};

	if (kind == PTL_CTF_STRINGS || kind == PTL_CTF_BYTES) {
		put_sequence(out, types[kind], name);
		return;
	}
	ptl_out_str(out, "\t\t");
	ptl_out_str(out, types[kind]);
	ptl_out_char(out, ' ');
	ptl_out_str(out, name);
	ptl_out_str(out, ";\n");
}

static void put_uuid(struct ptl_out *out,
		     const unsigned char uuid[PTL_CTF_UUID])
{
	static const int behind[] = {4, 6, 8, 10, PTL_CTF_UUID};
	int i = 0;

	ptl_out_str(out, "\tuuid = \"");
	for (int group = 0; group < 5; group++) {
		if (group > 0)
			ptl_out_char(out, '-');
		ptl_out_hexdump(out, uuid + i, (size_t)(behind[group] - i));
		i = behind[group];
	}
	ptl_out_str(out, "\";\n");
}

/* Fields that say where the trace comes from, and what is not in it. */
static void put_env(struct ptl_out *out, const struct ptl_info_field *field)
{
	static const struct {
		const char *key, *name;
	} env[] = {
		{"host", "hostname"},
		{"trace-name", "trace_name"},
		{"generation-version", "tracer_version"},
		{"clock", "clock_source"},
		{"log-state", "log_state"},
		{"events", "log_events"},
		{"lost", "log_lost"},
		{"not-traced", "not_traced"},
	};

	for (size_t i = 0; i < sizeof(env) / sizeof(*env); i++) {
		if (strcmp(field->key, env[i].key) != 0)
			continue;
		if (field->kind != PTL_INFO_NUMBER &&
		    field->kind != PTL_INFO_TEXT)
			return;
		ptl_out_char(out, '\t');
		ptl_out_str(out, env[i].name);
		ptl_out_str(out, " = ");
		if (field->kind == PTL_INFO_NUMBER)
			ptl_out_uint(out, field->number);
		else
			ptl_ctf_text_string(out, field->text,
					    strlen(field->text));
		ptl_out_str(out, ";\n");
	}
}

static const char types[] =
	"/* CTF 1.8 */\n\n"
	"typealias integer { size = 8; align = 8; signed = false; } := u8;\n"
	"typealias integer { size = 8; align = 8; signed = false; base = 16; } "
	":= x8;\n"
	"typealias integer { size = 32; align = 8; signed = false; } := u32;\n"
	"typealias integer { size = 32; align = 8; signed = true; } := i32;\n"
	"typealias integer { size = 64; align = 8; signed = false; } := u64;\n"
	"typealias integer { size = 64; align = 8; signed = true; } := i64;\n"
	"typealias integer { size = 64; align = 8; signed = false; base = 16; }"
	" := x64;\n"
	"typealias floating_point { exp_dig = 11; mant_dig = 53; align = 8; } "
	":= f64;\n\n";

static const char stream[] =
	"typealias integer { size = 64; align = 8; signed = false;\n"
	"\tmap = clock.realtime.value; } := t64;\n\n"
	"stream {\n"
	"\tid = 0;\n"
	"\tevent.header := struct {\n"
	"\t\tt64 timestamp;\n"
	"\t\tu32 id;\n"
	"\t};\n"
	"\tpacket.context := struct {\n"
	"\t\tt64 timestamp_begin;\n"
	"\t\tt64 timestamp_end;\n"
	"\t\tu64 content_size;\n"
	"\t\tu64 packet_size;\n"
	"\t\tu64 events_discarded;\n"
	"\t\ti32 pid;\n"
	"\t\ti32 tid;\n"
	"\t\tu32 pidns;\n"
	"\t\tstring procname;\n"
	"\t};\n";

static const char context[] = "\tevent.context := struct {\n"
			      "\t\tx64 _addr;\n"
			      "\t\ti64 _dur;\n"
			      "\t\tenum : u8 { none, record, read } _trunc;\n"
			      "\t\tu8 _stack_len;\n"
			      "\t\tx64 _stack[_stack_len];\n"
			      "\t\tstring _context;\n"
			      "\t};\n";

void ptl_ctf_text_begin(struct ptl_out *out, struct ptl_source *source,
			const unsigned char uuid[PTL_CTF_UUID], uint64_t start,
			bool has_events)
{
	ptl_out_str(out, types);
	ptl_out_str(out, "trace {\n\tmajor = 1;\n\tminor = 8;\n");
	put_uuid(out, uuid);
	ptl_out_str(out, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ?
				 "\tbyte_order = le;\n" :
				 "\tbyte_order = be;\n");
	ptl_out_str(out, "\tpacket.header := struct {\n"
			 "\t\tu32 magic;\n"
			 "\t\tu8 uuid[16];\n"
			 "\t\tu32 stream_id;\n"
			 "\t};\n};\n\n"
			 "env {\n\ttracer_name = \"libptrace\";\n");
	ptl_info_fields(source, put_env, out);
	ptl_out_str(out, "};\n\nclock {\n\tname = realtime;\n"
			 "\tdescription = \"CLOCK_REALTIME\";\n"
			 "\tfreq = 1000000000;\n\toffset_s = ");
	ptl_out_uint(out, start);
	ptl_out_str(out, ";\n\toffset = 0;\n\tabsolute = TRUE;\n};\n\n");
	ptl_out_str(out, stream);
	/* Without an event class, babeltrace2 2.0 ends at its sequence by an
	 * assertion. */
	if (has_events)
		ptl_out_str(out, context);
	ptl_out_str(out, "};\n");
}
