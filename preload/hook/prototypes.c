/* SPDX-License-Identifier: MIT */
/*
 * What the streams say of functions: lines "NAME CODE\n" or "NAME CODE
 * NAMES\n", sorted.  Foreign bytes, which may also change: each is read once,
 * and never more than there are.
 */
#include "preload/hook/typed.h"

#include "core/sys/syscall.h"

struct ptl_typed ptl_typed[PTL_STUBS] PTL_BULK __attribute__((aligned(32)));

static const char *text;
static size_t text_size;

/* Room for what is recorded of a line that has names, which is too much for the
 * stack of a handler: of the line at some place, at PARTS times that. */
#define PARTS 8
static unsigned char *parts;
static size_t parts_size;

void ptl_typed_use(const char *prototypes, size_t size)
{
	text = prototypes;
	text_size = size;
	/* Threads may be at what there is. */
	if (PARTS * size > parts_size)
		parts = NULL;
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

/* Before the library is used by several threads, or with the loader's lock. */
static bool has_parts(void)
{
	void *at;

	if (parts)
		return true;
	at = ptl_sys_mmap(NULL, PARTS * text_size, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (at == MAP_FAILED)
		return false;
	parts = at;
	parts_size = PARTS * text_size;
	return true;
}

/* The size that the next item of the names says, which begins there. */
static uint8_t take_size(size_t *at, unsigned int unit)
{
	uint32_t size = 0;
	bool is_size = false;
	char last = '\0', c;

	for (; *at < text_size && (c = text[*at]) != ',' && c != '\n'; ++*at) {
		if (last == ';')
			is_size = c == '*';
		else if (is_size && c >= '0' && c <= '9' && size < UINT16_MAX)
			size = 10 * size + (uint32_t)(c - '0');
		last = c;
		if (c == ';' && size)
			break;
	}
	while (*at < text_size && text[*at] != ',' && text[*at] != '\n')
		++*at;
	size = (size + unit - 1) / unit;
	return (uint8_t)PTL_MIN(size, UINT8_MAX);
}

static void take_names(size_t at, struct ptl_typed *typed)
{
	for (size_t i = 0; i < PTL_PATCH_SIZED; i++) {
		typed->size[i] = take_size(&at, typed->code[i] == 'R' ? 8 : 1);
		if (at >= text_size || text[at] != ',')
			break;
		at++;
	}
}

static bool take_code(size_t at, struct ptl_typed *typed)
{
	char *code = typed->code, c = '\0';
	size_t size = 0;

	*typed = (struct ptl_typed){.nr = 0};
	for (at++; at < text_size && size < PTL_CODE_SIZE; at++) {
		c = text[at];
		if (c == '\n' || c == ' ')
			break;
		code[size++] = c;
	}
	code[PTL_MIN(size, PTL_CODE_SIZE - 1)] = '\0';
	if (c == ' ' && has_parts())
		take_names(at + 1, typed);
	ptl_typed_plan(typed);
	return size > 0;
}

/* The place behind the name in its line, or text_size. */
static size_t find(const char *name)
{
	size_t low = 0, high = text_size;

	/* Lines between low and high may have it. */
	while (text && low < high) {
		size_t line = line_of(low + (high - low) / 2), at = line;
		int order = compare(name, &at);

		if (order == 0)
			return at;
		if (order < 0) {
			high = line;
			continue;
		}
		while (at < text_size && text[at] != '\n')
			at++;
		low = at + 1;
	}
	return text_size;
}

bool ptl_typed_find(const char *name, struct ptl_typed *typed)
{
	size_t at = find(name);

	return at < text_size && take_code(at, typed);
}

const void *ptl_typed_names(const char *name, uint64_t callee, size_t *size)
{
	size_t at = find(name), used = sizeof(callee) + 2;
	bool has_names = false;
	unsigned char *to;

	if (!parts || at >= text_size)
		return NULL;
	to = parts + PARTS * line_of(at);
	/* Two functions may have the name, and two threads call them for the
	 * first time, at once: then one may go without names. */
	__atomic_store_n((uint64_t *)to, callee, __ATOMIC_RELAXED);
	for (at++; at < text_size && text[at] != '\n'; at++) {
		has_names |= text[at] == ' ';
		to[used++] = (unsigned char)text[at];
	}
	to[used++] = '\0';
	*size = used;
	return has_names ? to : NULL;
}
