/* SPDX-License-Identifier: MIT */
/* What words.c and words_values.c share: the text of a value while it grows. */
#ifndef PTL_TOOLS_LIB_ARGS_WORDS_TEXT_H
#define PTL_TOOLS_LIB_ARGS_WORDS_TEXT_H

#include "tools/lib/args/arg.h"

/* Up to PTL_WORDS_MAX bytes of it. */
struct ptl_words_buf {
	char *buf;
	size_t size;
};

void ptl_words_add(struct ptl_words_buf *text, const char *string);

/* Flags, or one value, by the words of that name. */
void ptl_words_put_flags(struct ptl_words_buf *text, const char *name,
			 uint64_t value);
void ptl_words_put_sockaddr(struct ptl_words_buf *text,
			    const struct ptl_arg *arg);

/* What was before a call, and what it set; a set of CPUs. */
void ptl_words_put_rlimits(struct ptl_words_buf *text,
			   const struct ptl_arg *arg);
void ptl_words_put_sigactions(struct ptl_words_buf *text,
			      const struct ptl_arg *arg);
void ptl_words_put_cpus(struct ptl_words_buf *text, const struct ptl_arg *arg);

/* The rest of a struct stat; two times that a file was given. */
void ptl_words_put_statfs(struct ptl_words_buf *text,
			  const struct ptl_arg *arg);
void ptl_words_put_stat(struct ptl_words_buf *text, const struct ptl_arg *arg);
void ptl_words_put_filetimes(struct ptl_words_buf *text,
			     const struct ptl_arg *arg);

/* A value that is no structure; false: it is one, or some. */
bool ptl_words_put(struct ptl_words_buf *text, const struct ptl_arg *arg);

#endif
