/* SPDX-License-Identifier: MIT */
/*
 * The patterns of -f: NAME for functions of the program, OBJECT:NAME for those
 * of an object by its file's name, or of any file by its path.  A colon beside
 * another one is of a C++ name.
 */
#ifndef PTL_TOOLS_FUNCTIONS_SELECT_H
#define PTL_TOOLS_FUNCTIONS_SELECT_H

#include "tools/plan/plan.h"

/* Of those that are refused so many are named. */
#define PTL_SELECT_NAMED 3

struct ptl_select {
	const char *text;   /* the pattern, as it was given */
	const char *object; /* NULL: the program */
	const char *name;
	struct ptl_patch_role role; /* of --allocator */
	bool is_optional;
	bool fits_object, fits_function; /* any, so far */
	bool is_traced;			 /* one of these is */
	size_t nr_refused;
	size_t nr_xray; /* of these, for XRay's sake */
	char refused[512]; /* the first of them, and why */
};

/* From a list with commas between, each with a role behind it, if it has one
 * (tools/lib/allocator.h); NULL: out of memory.  *nr of them. */
struct ptl_select *ptl_select_parse(const char *list, size_t *nr);

/* The option that asked for it. */
const char *ptl_select_option(const struct ptl_select *select);

/* Is the object of the pattern a path?  It need not be needed by the program.
 */
bool ptl_select_is_path(const struct ptl_select *select);

/* Does the pattern mean the object?  `*' as an object means neither libc nor
 * the loader; nothing means libptrace.so or libunwind. */
bool ptl_select_object(struct ptl_select *select, const char *path,
		       bool is_program);

/* And this function of an object that it means?  By each name that it has, also
 * as a C++ programmer writes it. */
bool ptl_select_function(struct ptl_select *select, const struct ptl_plan *plan,
			 const struct ptl_plan_function *function);

/* A function that fits is traced, or not, for a reason. */
void ptl_select_note(struct ptl_select *select,
		     const struct ptl_plan_function *function,
		     enum ptl_plan_why why);

/* What to call it: a name, or "0x1234". */
const char *ptl_select_name(const struct ptl_plan_function *function,
			    char buf[32]);

#endif
