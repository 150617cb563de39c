/* SPDX-License-Identifier: MIT */
/*
 * What people write, and what logs say of the layout of their data: patterns,
 * lists, sizes, times; fields and their words.  The first byte chooses which;
 * strings end in a null.  Expressions of DWARF are bytes, too.
 */
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "core/unwind/expression.h"
#include "preload/hook/glob.h"
#include "preload/settings/pattern.h"
#include "preload/settings/settings.h"
#include "t/fuzz/fuzz.h"
#include "tools/read/filter/filter.h"
#include "tools/lib/args/decode.h"
#include "tools/lib/args/words.h"

struct input {
	char *bytes;
	size_t size;
};

/* The next string of the input; "" at its end. */
static char *take(struct input *input)
{
	char *string = input->bytes;
	size_t size = strlen(string) + 1;

	if (input->size == 0)
		return string;
	size = size < input->size ? size : input->size;
	input->bytes += size;
	input->size -= size;
	return string;
}

static int match(void *arg)
{
	const char *pattern = take(arg), *string = take(arg);
	struct ptl_glob glob = {.name = pattern, .library = pattern};
	bool matches = ptl_pattern_fits(pattern, string);

	/* Where fnmatch() means the same by it: no classes, no escapes. */
	if (!strpbrk(pattern, "[\\") &&
	    matches != (fnmatch(pattern, string, 0) == 0))
		abort();
	ptl_pattern_fits_library(pattern, string);
	if (ptl_glob_is_closer(&glob, string))
		ptl_glob_set_near(&glob, pattern, string);
	return 0;
}

static int set(void *arg)
{
	struct ptl_settings settings;
	struct input *input = arg;
	const char *name;
	trace_attr_t attr;

	ptl_settings_init(&settings);
	while (input->size) {
		name = take(input);
		ptl_settings_set(&settings, name, take(input));
	}
	if (ptl_settings_attr(&settings, &attr) == 0)
		posix_trace_attr_destroy(&attr);
	ptl_families_want(&settings.families, false, "process:start");
	return 0;
}

static int filter(void *arg)
{
	struct ptl_filter_time time = {0};
	struct ptl_filter chosen = {0};
	struct input *input = arg;
	const char *text;

	while (input->size) {
		text = take(input);
		ptl_filter_add_number(&chosen.pids, text);
		ptl_filter_add_name(&chosen, text);
		if (ptl_filter_parse_time(&time, text) &&
		    (time.time.tv_nsec < 0 || time.time.tv_nsec > 999999999))
			abort();
	}
	return 0;
}

static int decode(void *context)
{
	struct ptl_arg *arg, part;
	struct input *input = context;
	struct ptl_layout layout;
	char text[PTL_WORDS_MAX];
	struct ptl_args args;

	ptl_layout_parse(&layout, take(input));
	if (layout.nr_fields > PTL_ARGS)
		abort();
	ptl_decode(&layout, input->bytes, input->size, &args);
	if (args.nr > PTL_ARGS)
		abort();
	for (arg = args.arg; arg < args.arg + args.nr; arg++) {
		size_t at = 0;

		if (arg->words && ptl_words_text(arg, text) > sizeof(text))
			abort();
		while (arg->type == PTL_ARG_STRINGS &&
		       ptl_decode_next(arg, &at, &part))
			if (part.size > input->size)
				abort();
		ptl_words_omit(arg);
	}
	return 0;
}

static bool load(void *arg, uint64_t addr, uint64_t *value)
{
	(void)arg;
	*value = addr * 3;
	return addr % 16 != 0;
}

/* The longest that is taken, and its size before it. */
#define BLOCK_MAX (10 + 64)

static int evaluate(void *arg)
{
	const struct input *input = arg;
	struct ptl_dwarf_regs regs = {.known = 0x1ffff};
	unsigned char *block = calloc(1, BLOCK_MAX);
	struct ptl_dwarf_operands operands;
	uint64_t value;

	if (!block)
		return 0;
	memcpy(block, input->bytes,
	       input->size < BLOCK_MAX ? input->size : BLOCK_MAX);
	ptl_dwarf_evaluate(&operands, block, &regs, 1, load, NULL, &value);
	free(block);
	return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int (*const choice[])(void *) = {match, set, filter, decode,
						evaluate};
	char *bytes = size ? malloc(size) : NULL;
	struct input input = {bytes, size - 1};

	if (!bytes)
		return 0;
	memcpy(bytes, data + 1, size - 1);
	bytes[size - 1] = '\0';
	fuzz_allow(NULL);
	fuzz_call(choice[data[0] % (sizeof(choice) / sizeof(*choice))], &input);
	fuzz_check_text(&fuzz_err);
	free(bytes);
	return 0;
}
