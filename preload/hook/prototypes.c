/* SPDX-License-Identifier: MIT */
/*
 * What the streams say of functions: lines "NAME CODE\n", sorted.  Foreign
 * bytes, which may also change: each is read once, and never more than there
 * are.
 */
#include "preload/hook/typed.h"

struct ptl_typed ptl_typed[PTL_STUBS] PTL_BULK __attribute__((aligned(32)));

static const char *text;
static size_t text_size;

void ptl_typed_use(const char *prototypes, size_t size)
{
	text = prototypes;
	text_size = size;
}

/* Compares the name with that of the line, which may have nulls; *at is behind
 * it then, or where it differs. */
static int compare(const char *name, size_t *at)
{
	for (; *at < text_size; ++*at, name++) {
		unsigned char there = (unsigned char)text[*at];

		if (there == ' ' || there == '\n')
			return *name ? 1 : 0;
		if ((unsigned char)*name != there || !there)
			return (unsigned char)*name < there ? -1 : 1;
	}
	return 1;
}

/* Where the line begins that this place is in. */
static size_t line_of(size_t at)
{
	while (at > 0 && text[at - 1] != '\n')
		at--;
	return at;
}

static bool take_code(size_t at, struct ptl_typed *typed)
{
	char *code = typed->code;
	size_t size = 0;

	for (at++; at < text_size && size < PTL_CODE_SIZE; at++) {
		char c = text[at];

		if (c == '\n')
			break;
		code[size++] = c;
	}
	code[PTL_MIN(size, PTL_CODE_SIZE - 1)] = '\0';
	ptl_typed_plan(typed);
	return size > 0;
}

bool ptl_typed_find(const char *name, struct ptl_typed *typed)
{
	size_t low = 0, high = text_size;

	/* Lines between low and high may have it. */
	while (text && low < high) {
		size_t line = line_of(low + (high - low) / 2), at = line;
		int order = compare(name, &at);

		if (order == 0)
			return take_code(at, typed);
		if (order < 0) {
			high = line;
			continue;
		}
		while (at < text_size && text[at] != '\n')
			at++;
		low = at + 1;
	}
	return false;
}
