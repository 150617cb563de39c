/* SPDX-License-Identifier: MIT */
/* Values as people read them; see shown.h. */
#include "tools/dump/parts/shown.h"

#include "tools/lib/quote.h"
#include "tools/model/view.h"

#define SET_NAMES_SHOWN 8

void ptl_shown_set(struct ptl_out *out, struct ptl_source *source,
		   const struct ptl_arg *set)
{
	trace_event_id_t id = 0;
	unsigned int nr = 0;

	ptl_out_char(out, '[');
	while ((id = ptl_source_next_in_set(source, set, id)) != 0) {
		const struct ptl_type *type = ptl_source_type(source, id);

		if (nr++ >= SET_NAMES_SHOWN)
			continue;
		if (nr > 1)
			ptl_out_str(out, ", ");
		ptl_quote_plain(out, type->name, type->name_size);
	}
	if (nr > SET_NAMES_SHOWN) {
		ptl_out_str(out, ", +");
		ptl_out_uint(out, nr - SET_NAMES_SHOWN);
	}
	ptl_out_char(out, ']');
}

void ptl_shown_name(struct ptl_out *out, const struct ptl_typed_value *value)
{
	if (value->name_size == 0)
		return;
	ptl_quote_plain(out, value->name, value->name_size);
	ptl_out_char(out, '=');
}

void ptl_shown_typed(struct ptl_out *out, const struct ptl_typed_value *value,
		     const char *dots)
{
	char buf[PTL_TYPED_TEXT];

	switch (value->kind) {
	case PTL_TYPED_INT:
		ptl_out_int(out, (int64_t)value->value);
		break;
	case PTL_TYPED_UINT:
		ptl_out_uint(out, value->value);
		break;
	case PTL_TYPED_FLOAT:
		ptl_typed_text(value, buf);
		ptl_out_str(out, buf);
		break;
	case PTL_TYPED_STRING:
		break;
	case PTL_TYPED_STRUCTURE:
		ptl_quote_shown(out, value->bytes, value->size);
		break;
	case PTL_TYPED_WORD:
		ptl_quote_plain(out, value->bytes, value->size);
		break;
	case PTL_TYPED_ADDRESS:
		if (value->value == 0)
			ptl_out_str(out, "NULL");
		else
			ptl_out_hex(out, value->value);
		break;
	case PTL_TYPED_MORE:
		ptl_out_str(out, dots);
		break;
	}
}
