/* SPDX-License-Identifier: MIT */
/* The names of programs; see program.h. */
#include "tools/model/program.h"

#include <string.h>

#include "core/format/sysevents.h"
#include "tools/lib/hash.h"

const char *ptl_program_of_path(const char *path, size_t size)
{
	const char *slash = size > 0 ? memrchr(path, '/', size) : NULL;
	const char *base = slash != NULL ? slash + 1 : path;

	size -= (size_t)(base - path);
	if (size > 1 && *base == '-') {
		base++;
		size--;
	}
	return size > 0 ? ptl_intern(base, size) : NULL;
}

bool ptl_program_is_partly(const struct ptl_args *args)
{
	static const char partly[] = PTL_UNTRACED_PARTLY;
	const struct ptl_arg *reason = ptl_decode_find(args, "reason");

	return reason != NULL && reason->type == PTL_ARG_STRING &&
	       reason->size >= sizeof(partly) - 1 &&
	       memcmp(reason->bytes, partly, sizeof(partly) - 1) == 0;
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
		name = ptl_program_of_path(first.bytes, first.size);
	if (name == NULL && exe != NULL && exe->type == PTL_ARG_STRING)
		name = ptl_program_of_path(exe->bytes, exe->size);
	return name;
}
