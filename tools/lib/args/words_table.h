/* SPDX-License-Identifier: MIT */
/* The names that tools/lib/args/words.h shows, for words.c alone. */
#ifndef PTL_TOOLS_LIB_ARGS_WORDS_TABLE_H
#define PTL_TOOLS_LIB_ARGS_WORDS_TABLE_H

#include <stdint.h>

/* END: no name. */
struct ptl_word {
	uint64_t value;
	const char *name;
};

struct ptl_words {
	const char *name;
	enum ptl_words_kind {
		ONE_OF,	   /* or a number */
		OR_OF,	   /* flags */
		ONE_OR,	   /* one value within `base', or'ed with flags */
		MODE,	   /* octal */
		TYPE,	   /* octal, with the type of a file in words */
		DIRFD,	   /* AT_FDCWD, or a number */
		ERROR,	   /* 0: none */
		BOOL,	   /* 0: false; -1: not known */
		WSTATUS,   /* how a child ended, stopped or went on */
		SOCKADDR,  /* bytes */
		REGISTERS, /* bytes: of a crash */
		COUNTS,	   /* bytes: core/format/sums.h */
		SIGNO,	   /* a signal */
		/* What depends on other arguments: words_values.c */
		SOCKOPT,
		SOCKVAL,
		FCNTLVAL,
		IOCTLVAL,
		TEXT,  /* bytes that are a string */
		XATTR, /* bytes that are one, if they look so */
		/* Bytes that are a structure, or some. */
		POLLFDS,
		SELECTFDS,
		EPOLLFDS,
		FLOCK,
		OWNER,
		WINSIZE,
		TERMIOS,
		IFREQ,
		LINGER,
		TIMEVAL,
		UCRED,
		RLIMITS,
		SIGACTIONS,
		CPUS,
		STAT,
		FILETIMES,
		STATFS,
		PASSED,
	} kind;
	uint64_t base;
	const struct ptl_word *word; /* up to one without a name */
};

/* Up to one without a name. */
extern const struct ptl_words ptl_words_table[];

/* What an option of a socket is called: `base' is the level, the last, without
 * a name, any other. */
extern const struct ptl_words ptl_words_options[];

#endif
