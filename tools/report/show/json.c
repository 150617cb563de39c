/* SPDX-License-Identifier: MIT */
/* Tables in JSON; see table.h. */
#include <string.h>

#include "tools/lib/quote.h"
#include "tools/lib/args/typed.h"
#include "tools/report/show/json.h"

void ptl_json_key(struct ptl_out *out, const char *key, bool is_first)
{
	if (!is_first)
		ptl_out_char(out, ',');
	ptl_quote_json(out, key, strlen(key));
	ptl_out_char(out, ':');
}

void ptl_json_number(struct ptl_out *out, const char *key, int64_t number)
{
	ptl_json_key(out, key, false);
	ptl_out_int(out, number);
}

void ptl_json_maybe(struct ptl_out *out, const char *key, int64_t number)
{
	ptl_json_key(out, key, false);
	if (number >= 0)
		ptl_out_int(out, number);
	else
		ptl_out_str(out, "null");
}

void ptl_json_text(struct ptl_out *out, const char *key, const char *text)
{
	ptl_json_key(out, key, false);
	if (text != NULL)
		ptl_quote_json(out, text, strlen(text));
	else
		ptl_out_str(out, "null");
}

static void put_cell(struct ptl_out *out, const struct ptl_cell *cell,
		     enum ptl_column_kind kind)
{
	char real[PTL_TYPED_TEXT];

	if (!cell->is_known)
		ptl_out_str(out, "null");
	else if (kind == PTL_COLUMN_REAL)
		ptl_out_str(out, ptl_typed_json(cell->real, real));
	else if (cell->text != NULL)
		ptl_quote_json(out, cell->text, strlen(cell->text));
	else
		ptl_out_int(out, cell->number);
}

/* Of what may be more: "cpu_is_least". */
static void put_least(struct ptl_out *out, const char *key)
{
	ptl_out_str(out, ",\"");
	ptl_out_str(out, key);
	ptl_out_str(out, "_is_least\":true");
}

void ptl_json_table(struct ptl_out *out, const struct ptl_table *table,
		    void (*more)(struct ptl_out *out, const void *of))
{
	ptl_out_char(out, '[');
	for (size_t i = 0; i < table->shown; i++) {
		const struct ptl_row *row = &table->row[i];
		bool is_first = true;

		ptl_out_str(out, i > 0 ? ",{" : "{");
		for (size_t j = 0; j < table->nr_columns; j++) {
			if (table->column[j].key == NULL)
				continue;
			ptl_json_key(out, table->column[j].key, is_first);
			put_cell(out, &row->cell[j], table->column[j].kind);
			if (row->cell[j].is_known && row->cell[j].is_least)
				put_least(out, table->column[j].key);
			is_first = false;
		}
		if (more != NULL)
			more(out, row->of);
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, ']');
}
