/* SPDX-License-Identifier: MIT */
/*
 * Which changes of the word `own' of a chunk there are: the picture in layout.h
 * as a table, which a build with checks holds each change against.
 */
#ifndef PTL_CORE_BUFFER_CHUNK_STATES_H
#define PTL_CORE_BUFFER_CHUNK_STATES_H

#include "core/format/chunk_words.h"

/* Of a chunk that has no memory yet `own' is 0: a generation never is. */
#define PTL_CHUNK_ABSENT 0u

/* The generation and the thread after a change. */
enum ptl_chunk_after {
	PTL_CHUNK_SAME,	 /* as before */
	PTL_CHUNK_NEXT,	 /* the generation: one more */
	PTL_CHUNK_FIRST, /* the generation: any */
	PTL_CHUNK_COMES, /* the thread: any, but none is no thread */
	PTL_CHUNK_NONE,	 /* the thread: none */
};

struct ptl_chunk_rule {
	uint8_t from, to; /* states with their marks, but that of `shared' */
	uint8_t gen, tid; /* enum ptl_chunk_after */
};

static const struct ptl_chunk_rule ptl_chunk_rules[] = {
	/* growth.c: memory for one more; ptl_growth_take() then cleans it. */
	{PTL_CHUNK_ABSENT, PTL_CHUNK_CLEANING, PTL_CHUNK_FIRST,
	 PTL_CHUNK_COMES},
	/* chunk.c, ptl_chunk_claim() */
	{PTL_CHUNK_FREE, PTL_CHUNK_OPEN, PTL_CHUNK_SAME, PTL_CHUNK_COMES},
	{PTL_CHUNK_PARTIAL, PTL_CHUNK_OPEN, PTL_CHUNK_SAME, PTL_CHUNK_COMES},
	{PTL_CHUNK_CLOSED, PTL_CHUNK_CLEANING | PTL_CHUNK_LOSING,
	 PTL_CHUNK_SAME, PTL_CHUNK_COMES},
	{PTL_CHUNK_PARTIAL, PTL_CHUNK_CLEANING | PTL_CHUNK_LOSING,
	 PTL_CHUNK_SAME, PTL_CHUNK_COMES},
	/* The owner: ptl_chunk_close(), ptl_chunk_release(), _unpin(). */
	{PTL_CHUNK_OPEN, PTL_CHUNK_CLOSED, PTL_CHUNK_SAME, PTL_CHUNK_SAME},
	{PTL_CHUNK_OPEN, PTL_CHUNK_CLOSED | PTL_CHUNK_PINNED, PTL_CHUNK_SAME,
	 PTL_CHUNK_SAME},
	{PTL_CHUNK_OPEN, PTL_CHUNK_PARTIAL, PTL_CHUNK_SAME, PTL_CHUNK_NONE},
	{PTL_CHUNK_CLOSED | PTL_CHUNK_PINNED, PTL_CHUNK_CLOSED, PTL_CHUNK_SAME,
	 PTL_CHUNK_SAME},
	/* Of one that resumes, and then PARTIAL. */
	{PTL_CHUNK_CLOSED | PTL_CHUNK_PINNED, PTL_CHUNK_OPEN, PTL_CHUNK_SAME,
	 PTL_CHUNK_SAME},
	/* record/sums.c: its records are changed until the owner leaves. */
	{PTL_CHUNK_OPEN, PTL_CHUNK_OPEN | PTL_CHUNK_KEPT, PTL_CHUNK_SAME,
	 PTL_CHUNK_SAME},
	{PTL_CHUNK_OPEN | PTL_CHUNK_KEPT, PTL_CHUNK_PARTIAL, PTL_CHUNK_SAME,
	 PTL_CHUNK_NONE},
	/* A consumer: ptl_chunk_free(), which may find that it was wrong. */
	{PTL_CHUNK_CLOSED, PTL_CHUNK_CLEANING, PTL_CHUNK_SAME, PTL_CHUNK_COMES},
	{PTL_CHUNK_PARTIAL, PTL_CHUNK_CLEANING, PTL_CHUNK_SAME,
	 PTL_CHUNK_COMES},
	{PTL_CHUNK_CLEANING, PTL_CHUNK_CLOSED, PTL_CHUNK_SAME, PTL_CHUNK_COMES},
	{PTL_CHUNK_CLEANING, PTL_CHUNK_PARTIAL, PTL_CHUNK_SAME, PTL_CHUNK_NONE},
	/* chunk_change.c: ptl_chunk_tell_unread(), ptl_chunk_clean() */
	{PTL_CHUNK_CLEANING | PTL_CHUNK_LOSING, PTL_CHUNK_CLEANING,
	 PTL_CHUNK_SAME, PTL_CHUNK_SAME},
	{PTL_CHUNK_CLEANING, PTL_CHUNK_FREE, PTL_CHUNK_NEXT, PTL_CHUNK_NONE},
	{PTL_CHUNK_CLEANING, PTL_CHUNK_OPEN, PTL_CHUNK_NEXT, PTL_CHUNK_SAME},
	/* leftover.c: another goes on in place of a thread that is gone. */
	{PTL_CHUNK_OPEN, PTL_CHUNK_OPEN, PTL_CHUNK_SAME, PTL_CHUNK_COMES},
	{PTL_CHUNK_OPEN | PTL_CHUNK_KEPT, PTL_CHUNK_OPEN, PTL_CHUNK_SAME,
	 PTL_CHUNK_COMES},
	{PTL_CHUNK_CLOSED | PTL_CHUNK_PINNED, PTL_CHUNK_OPEN, PTL_CHUNK_SAME,
	 PTL_CHUNK_COMES},
	{PTL_CHUNK_CLEANING, PTL_CHUNK_CLEANING, PTL_CHUNK_SAME,
	 PTL_CHUNK_COMES},
	{PTL_CHUNK_CLEANING | PTL_CHUNK_LOSING,
	 PTL_CHUNK_CLEANING | PTL_CHUNK_LOSING, PTL_CHUNK_SAME,
	 PTL_CHUNK_COMES},
};

PTL_INLINE bool ptl_chunk_rule_fits(const struct ptl_chunk_rule *rule,
				    uint64_t from, uint64_t to)
{
	const uint64_t bits = PTL_CHUNK_BITS & ~PTL_CHUNK_SHARED;
	uint32_t gen = ptl_own_gen(from), tid = ptl_own_tid(to);

	if ((from & bits) != rule->from || (to & bits) != rule->to)
		return false;
	/* Only what is open is open for one record. */
	if (ptl_own_state(to) != PTL_CHUNK_OPEN && to & PTL_CHUNK_SHARED)
		return false;
	if (rule->gen == PTL_CHUNK_FIRST)
		return from == 0 && ptl_own_gen(to) != 0;
	if (ptl_own_gen(to) !=
	    (rule->gen == PTL_CHUNK_NEXT ? ptl_gen_next(gen) : gen))
		return false;
	if (rule->tid == PTL_CHUNK_SAME)
		return tid == ptl_own_tid(from);
	return rule->tid == PTL_CHUNK_COMES ? tid != 0 : tid == 0;
}

/* May `own' change so?  From what no state is anything may come: another
 * process of the user has written that. */
PTL_INLINE bool ptl_chunk_may_change(uint64_t from, uint64_t to)
{
	for (size_t i = 0; i < PTL_ARRAY_SIZE(ptl_chunk_rules); i++)
		if (ptl_chunk_rule_fits(&ptl_chunk_rules[i], from, to))
			return true;
	return ptl_own_state(from) > PTL_CHUNK_CLEANING ||
	       (from && ptl_own_gen(from) == 0);
}

#endif
