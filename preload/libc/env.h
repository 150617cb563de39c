/* SPDX-License-Identifier: MIT */
/*
 * The environment: what it told this process, and what the programs it
 * starts must find in theirs so that they are traced too, whatever the
 * program did to it in between (env -i, clearenv(), a list of its own).
 * Neither getenv() nor setenv(): programs bring their own.
 */
#ifndef PTL_PRELOAD_LIBC_ENV_H
#define PTL_PRELOAD_LIBC_ENV_H

#include "preload/libc/scratch.h"

/* Constructor: remembers copies, since programs write over the original. */
void ptl_env_init(char *const *envp);

/* The value of the last NAME= (with the sign) in envp, which may be NULL. */
const char *ptl_env_value(char *const *envp, const char *name);

/* Our own file, absolute; "" if it is not known. */
const char *ptl_env_library(void);

/* For the constructor, after ptl_env_init(): memory that shares a page with
 * what is kept of the environment, so that it costs no other. */
#define PTL_ENV_SCRATCH 6144
char *ptl_env_scratch(void);

/* Is one of the words of this LD_PRELOAD value us?  NULL: no. */
bool ptl_env_names_us(const char *preload);

/* Does the environment lack what loads and configures us? */
bool ptl_env_lacks_us(char *const *envp);

/* Bytes of scratch that rewriting envp can take. */
size_t ptl_env_size(char *const *envp);

enum ptl_env_result {
	PTL_ENV_AS_IS,	   /* nothing to add, or nobody to add it for */
	PTL_ENV_REWRITTEN, /* *env is new, in scratch */
	PTL_ENV_NO_ROOM
};

/*
 * The environment with which a new program is traced as our child.  Envp may
 * be NULL; its order and its duplicates stay, but of those LD_PRELOAD that
 * counts (the last) remains alone.  Scratch is to be put back unless the
 * result is PTL_ENV_AS_IS.
 */
enum ptl_env_result ptl_env_rewrite(char *const *envp, char *const **env,
				    struct ptl_scratch *scratch);

/* For the monitor, which must not trace itself: takes us out of LD_PRELOAD,
 * in place.  Only in a process of our own. */
void ptl_env_disown(char **envp);

#endif
