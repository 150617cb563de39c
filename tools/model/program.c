/* SPDX-License-Identifier: MIT */
/* The names of programs; see program.h. */
#include "tools/model/program.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "core/format/sysevents.h"
#include "tools/lib/say.h"

static int by_text(const void *a, const void *b)
{
	return strcmp(a, b);
}

static const char *intern(const char *bytes, size_t size)
{
	static void *names;
	char *text = ptl_alloc(size + 1), **found;

	memcpy(text, bytes, size);
	found = tsearch(text, &names, by_text);
	if (found == NULL || *found == text)
		return text;
	free(text);
	return *found;
}

/* "/usr/bin/make" and a login shell's "-bash" without what is in front. */
static const char *base_of(const char *bytes, size_t size)
{
	const char *slash = memrchr(bytes, '/', size);
	const char *base = slash != NULL ? slash + 1 : bytes;

	size -= (size_t)(base - bytes);
	if (size > 1 && *base == '-')
		return intern(base + 1, size - 1);
	return size > 0 ? intern(base, size) : NULL;
}

const char *ptl_program_of_path(const struct ptl_arg *path)
{
	return path->type == PTL_ARG_STRING ? base_of(path->bytes, path->size) :
					      NULL;
}

bool ptl_program_is_partly(const struct ptl_args *args)
{
	static const char partly[] = PTL_UNTRACED_PARTLY;
	const struct ptl_arg *reason = ptl_decode_find(args, "reason");

	return reason != NULL && reason->type == PTL_ARG_STRING &&
	       reason->size == sizeof(partly) - 1 &&
	       memcmp(reason->bytes, partly, reason->size) == 0;
}

const char *ptl_program_name(const struct ptl_args *args)
{
	const struct ptl_arg *argv = ptl_decode_find(args, "argv");
	const struct ptl_arg *exe = ptl_decode_find(args, "exe");
	struct ptl_arg first = {0};
	const char *name = NULL;
	size_t at = 0;

	if (argv != NULL && argv->type == PTL_ARG_STRINGS &&
	    ptl_decode_next(argv, &at, &first))
		name = base_of(first.bytes, first.size);
	if (name == NULL && exe != NULL)
		name = ptl_program_of_path(exe);
	return name;
}
