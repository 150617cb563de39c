/* SPDX-License-Identifier: MIT */
/* The formats that there are; see format.h. */
#include "tools/dump/parts/format.h"

#include <stddef.h>

#define FORMATS(ROW) \
	ROW(ptl_format_text) \
	ROW(ptl_format_json) \
	ROW(ptl_format_folded) \
	ROW(ptl_format_perf) \
	ROW(ptl_format_chrome) \
	ROW(ptl_format_perfetto) \
	ROW(ptl_format_ctf) \
	ROW(ptl_format_otlp) \
	ROW(ptl_format_sqlite) \
	ROW(ptl_format_raw)

#define DECLARATION(format) extern const struct ptl_format format;
#define ELEMENT(format) &(format),

FORMATS(DECLARATION)

const struct ptl_format *const ptl_formats[] = {FORMATS(ELEMENT) NULL};
