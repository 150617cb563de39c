/* SPDX-License-Identifier: MIT */
/*
 * What a call changed, in words: limits, what is done at a signal, CPUs.  See
 * core/format/values.h for the bytes, which are foreign.
 */
#include <inttypes.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "core/format/values.h"
#include "tools/lib/args/words.h"
#include "tools/lib/args/words_text.h"

static uint64_t word_at(const struct ptl_arg *arg, size_t at)
{
	uint64_t word = 0;

	if ((at + 1) * sizeof(word) <= arg->size)
		memcpy(&word, arg->bytes + at * sizeof(word), sizeof(word));
	return word;
}

static void put_limit(struct ptl_words_buf *text, const char *name,
		      uint64_t limit)
{
	char buf[64];

	if (limit == UINT64_MAX)
		snprintf(buf, sizeof(buf), "%s=RLIM64_INFINITY", name);
	else
		snprintf(buf, sizeof(buf), "%s=%" PRIu64, name, limit);
	ptl_words_add(text, buf);
}

static void put_rlimit(struct ptl_words_buf *text, const struct ptl_arg *arg,
		       size_t at)
{
	put_limit(text, "{rlim_cur", word_at(arg, at));
	put_limit(text, ", rlim_max", word_at(arg, at + 1));
	ptl_words_add(text, "}");
}

/* Signal n is bit n - 1. */
static void put_mask(struct ptl_words_buf *text, uint64_t mask)
{
	const char *before = "[";
	char buf[32];

	if (mask == UINT64_MAX) {
		ptl_words_add(text, "~[]");
		return;
	}
	for (int signo = 1; signo <= 64; signo++) {
		const char *name = signo < NSIG ? sigabbrev_np(signo) : NULL;

		if (!(mask >> (signo - 1) & 1))
			continue;
		if (name != NULL)
			snprintf(buf, sizeof(buf), "%s%s", before, name);
		else
			snprintf(buf, sizeof(buf), "%sRT_%d", before,
				 signo - 32);
		ptl_words_add(text, buf);
		before = " ";
	}
	ptl_words_add(text, *before == '[' ? "[]" : "]");
}

static void put_sigaction(struct ptl_words_buf *text, const struct ptl_arg *arg,
			  size_t at)
{
	uint64_t handler = word_at(arg, at);
	char buf[32];

	ptl_words_add(text, "{sa_handler=");
	snprintf(buf, sizeof(buf), "0x%" PRIx64, handler);
	ptl_words_add(text, handler == (uintptr_t)SIG_DFL ? "SIG_DFL" :
			    handler == (uintptr_t)SIG_IGN ? "SIG_IGN" :
							    buf);
	ptl_words_add(text, ", sa_mask=");
	put_mask(text, word_at(arg, at + 2));
	ptl_words_add(text, ", sa_flags=");
	ptl_words_put_flags(text, "sa", word_at(arg, at + 1));
	ptl_words_add(text, "}");
}

/* Each that is there, so many words long: "new ..., old ...". */
static void
put_changed(struct ptl_words_buf *text, const struct ptl_arg *arg, size_t nr,
	    void (*put)(struct ptl_words_buf *, const struct ptl_arg *, size_t))
{
	static const char *const names[] = {"new ", "old "};
	uint64_t which = word_at(arg, 0);
	const char *before = "";
	size_t at = 1;

	for (unsigned int i = 0; i < 2; i++) {
		if (!(which & (PTL_VALUE_NEW << i)) ||
		    (at + nr) * sizeof(uint64_t) > arg->size)
			continue;
		ptl_words_add(text, before);
		ptl_words_add(text, names[i]);
		put(text, arg, at);
		at += nr;
		before = ", ";
	}
}

void ptl_words_put_rlimits(struct ptl_words_buf *text,
			   const struct ptl_arg *arg)
{
	put_changed(text, arg, PTL_RLIMIT_WORDS, put_rlimit);
}

void ptl_words_put_sigactions(struct ptl_words_buf *text,
			      const struct ptl_arg *arg)
{
	put_changed(text, arg, PTL_SIGACTION_WORDS, put_sigaction);
}

static bool has_cpu(const struct ptl_arg *arg, size_t cpu)
{
	return cpu / 8 < arg->size &&
	       (unsigned char)arg->bytes[cpu / 8] >> cpu % 8 & 1;
}

/* As taskset -c has it: 0-3,8. */
void ptl_words_put_cpus(struct ptl_words_buf *text, const struct ptl_arg *arg)
{
	const char *before = "[";
	char buf[64];

	for (size_t first = 0, end; first < arg->size * 8; first = end + 1) {
		for (end = first; has_cpu(arg, end); end++)
			;
		if (end == first || text->size > PTL_WORDS_MAX - sizeof(buf))
			continue;
		if (end - first == 1)
			snprintf(buf, sizeof(buf), "%s%zu", before, first);
		else
			snprintf(buf, sizeof(buf), "%s%zu-%zu", before, first,
				 end - 1);
		ptl_words_add(text, buf);
		before = ",";
	}
	ptl_words_add(text, *before == '[' ? "[]" : "]");
}
