/* SPDX-License-Identifier: MIT */
/* What a word of -e stands for: a family, a class of strace's, a call. */
#ifndef PTL_PRELOAD_SETTINGS_CHOICE_H
#define PTL_PRELOAD_SETTINGS_CHOICE_H

#include "core/base.h"

#define PTL_CHOICE_MAX 256

/* Event types by their names: each name has a number here. */
struct ptl_choice {
	uint64_t word[PTL_CHOICE_MAX / 64];
};

PTL_INLINE bool ptl_choice_has(const struct ptl_choice *choice, int at)
{
	return choice->word[at / 64] >> (at % 64) & 1;
}

/* The number of an event type's name, or -1. */
int ptl_choice_number(const char *event_name);

/*
 * The types of a call, as libptrace or strace calls it: open, openat,
 * file:open. A type of the family dl is meant only if the family is said.
 * Returns false if there are none.
 */
bool ptl_choice_calls(const char *word, size_t size, struct ptl_choice *calls);

/* Types whose names begin so; a family with its colon. */
void ptl_choice_family(const char *family, struct ptl_choice *types);

/* A class as strace has it, without its %: which family, or NULL.  Its next
 * family is *index more. */
const char *ptl_choice_class(const char *word, size_t size, unsigned int index);

#endif
