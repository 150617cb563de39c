/* SPDX-License-Identifier: MIT */
/*
 * Prototypes: what a user declares, what a stream says of functions, and what
 * logs have of calls.  The first byte chooses which.
 */
#include <stdlib.h>
#include <string.h>

#include "preload/hook/limits.h"
#include "preload/hook/typed.h"
#include "t/fuzz/fuzz.h"
#include "tools/lib/args/structure.h"
#include "tools/lib/args/typed.h"
#include "tools/prototypes/parse.h"

/* As the constructor finds them. */
struct ptl_core_limits ptl_limits;

struct input {
	const char *bytes;
	size_t size;
};

static int declare_as(const struct input *input, bool is_lenient)
{
	struct ptl_parse parse = {.foreign = !is_lenient,
				  .is_lenient = is_lenient};

	parse.table = ptl_prototypes_new();
	ptl_parse_builtin(&parse, "FILE A\nsize_t L\n");
	ptl_parse(&parse, input->bytes, input->size);
	if (parse.nr_failed > 0 &&
	    (parse.line == 0 || parse.column == 0 || parse.error[0] == '\0'))
		abort();
	ptl_parse_free(&parse);
	ptl_prototypes_free(parse.table);
	return 0;
}

static int declare(void *arg)
{
	return declare_as(arg, false);
}

static int read_headers(void *arg)
{
	return declare_as(arg, true);
}

/* The first line is the name that is looked for. */
static int look_up(void *arg)
{
	const struct input *input = arg;
	const char *end = memchr(input->bytes, '\n', input->size);
	const char *names;
	struct ptl_typed typed;
	char name[64] = "";
	size_t nr;

	if (!end)
		return 0;
	memcpy(name, input->bytes,
	       PTL_MIN((size_t)(end - input->bytes), sizeof(name) - 1));
	ptl_typed_use(end + 1, input->size - (size_t)(end + 1 - input->bytes));
	if (ptl_typed_find(name, &typed) &&
	    (!memchr(typed.code, '\0', sizeof(typed.code)) ||
	     typed.nr >= PTL_CODE_SIZE))
		abort();
	names = ptl_typed_names(name, 1, &nr);
	if (names && (names[nr - 1] != '\0' || nr > 11 + input->size))
		abort();
	return 0;
}

static int walk(struct ptl_typed_walk *walk, const struct input *input)
{
	const char *end = input->bytes + input->size;
	char text[PTL_TYPED_TEXT];
	struct ptl_typed_value value;

	while (ptl_typed_next(walk, &value)) {
		if (value.kind == PTL_TYPED_STRING &&
		    (value.bytes < input->bytes || value.bytes > end ||
		     value.size > (size_t)(end - value.bytes)))
			abort();
		if (value.kind == PTL_TYPED_STRUCTURE &&
		    value.size > 32 + PTL_STRUCTURE_TEXT)
			abort();
		if (value.kind == PTL_TYPED_FLOAT)
			ptl_typed_text(&value, text);
	}
	return 0;
}

/* Behind the code, up to a null, what the log has. */
static int show(void *arg)
{
	struct input *input = arg;
	const char *code = input->bytes;
	struct ptl_typed_walk cursor;
	size_t size = strnlen(code, input->size);

	if (size == input->size)
		return 0;
	input->bytes += size + 1;
	input->size -= size + 1;
	ptl_typed_arguments(&cursor, code, input->bytes, input->size);
	walk(&cursor, input);
	ptl_typed_result(&cursor, code, input->bytes, input->size);
	return walk(&cursor, input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static int (*const choice[])(void *) = {declare, read_headers, look_up,
						show};
	struct input input;
	char *bytes;

	if (size == 0)
		return 0;
	bytes = malloc(size);
	if (!bytes)
		return 0;
	memcpy(bytes, data + 1, size - 1);
	input = (struct input){bytes, size - 1};
	fuzz_allow(NULL);
	fuzz_call(choice[data[0] % (sizeof(choice) / sizeof(*choice))], &input);
	fuzz_check_text(&fuzz_err);
	free(bytes);
	return 0;
}
