/* SPDX-License-Identifier: MIT */
/*
 * The environment: what this process found in it, and what the programs that it
 * starts must find in theirs to be traced, too, whatever the program did to it
 * in between (env -i, clearenv(), a list of its own).  Neither getenv() nor
 * setenv() is used: programs define their own.
 */
#ifndef PTL_PRELOAD_LIBC_ENV_H
#define PTL_PRELOAD_LIBC_ENV_H

#include "core/core.h"

#include "preload/libc/scratch.h"

/* For the constructor: keeps copies, since programs overwrite the original. */
void ptl_env_init(char *const *envp);

/* The value of the last NAME= (the sign included) in envp, which may be NULL.
 */
const char *ptl_env_value(char *const *envp, const char *name);

/* The value of a setting of ours, NAME=, as we found it; NULL: it is not set,
 * or empty. */
const char *ptl_env_setting(const char *name);

/* A setting more, NAME=VALUE, for all that is started. */
void ptl_env_keep(const char *setting);

/* Our own file, absolute; "" if it is not known. */
const char *ptl_env_library(void);

/* For the constructor, after ptl_env_init(): memory in a page that is touched
 * for the kept environment anyway. */
#define PTL_ENV_SCRATCH 6144
char *ptl_env_scratch(void);

/* Is one of the words of this LD_PRELOAD value us?  NULL: no. */
bool ptl_env_names_us(const char *preload);

/* What a list of variables has, found in one pass over it. */
struct ptl_env_plan {
	char *const *given;
	size_t nr;	     /* entries */
	const char *preload; /* the value that is used; NULL: none */
	size_t preload_at;
	size_t nr_preload;
	const char *asan; /* the value that is used: the first */
	size_t asan_at;
	const char *streams;
	size_t nr_streams;
	bool is_bad; /* not all of it can be read: the kernel refuses it */
	bool lists;  /* the loader only lists what it would load */
	bool preload_fits;
	bool asan_fits;
	bool is_other;	  /* ptl_env_turn() */
	uint32_t present; /* a bit for each setting */
};

/* Looks at a list, which may be NULL. */
void ptl_env_look(struct ptl_env_plan *plan, char *const *envp);

/* For a program of the other width: the word for us is the library that is for
 * it.  False: where that is cannot be known. */
bool ptl_env_turn(struct ptl_env_plan *plan);

/* The path by which we are looked for, once it is rewritten; "": unknown. */
const char *ptl_env_loads(const struct ptl_env_plan *plan, char *buf,
			  size_t size);

/* Has it us in LD_PRELOAD? */
bool ptl_env_has_us(const struct ptl_env_plan *plan);

/* Does it lack a variable that loads or configures us? */
bool ptl_env_lacks_us(const struct ptl_env_plan *plan);

/*
 * Makes sure that this thread has the scratch memory for rewriting `environ'
 * (ptl_scratch_reserve()).  Who hands no stream down needs it only to leave us
 * out.
 */
void ptl_env_reserve(bool hands_down);

/* At the end of PTRACE_STREAMS: the program begins under no filter that could
 * harm it. */
#define PTL_ENV_CLEAN '+'

enum ptl_env_result {
	PTL_ENV_AS_IS,	   /* nothing to add, or no stream to add it for */
	PTL_ENV_REWRITTEN, /* *env is new, in scratch */
	PTL_ENV_NO_ROOM
};

/*
 * The environment with which a new program is traced as our child.  The order
 * and duplicates of the list are kept, but only one LD_PRELOAD, the last, which
 * is the one that is used.  Release scratch unless the result is PTL_ENV_AS_IS.
 */
enum ptl_env_result ptl_env_rewrite(const struct ptl_env_plan *plan,
				    enum ptl_core_launch launch, bool bridged,
				    bool clean, char *const **env,
				    struct ptl_scratch *scratch);

/*
 * An environment without us in LD_PRELOAD, for a program that cannot load us;
 * what else is preloaded stays as it is.  What comes behind that program may
 * load us after all.
 */
enum ptl_env_result ptl_env_leave_out(const struct ptl_env_plan *plan,
				      enum ptl_core_launch launch,
				      char *const **env,
				      struct ptl_scratch *scratch);

/*
 * An environment for exec of a process that hands on no stream, where the list
 * says so and has us: what the new image can be told is who it is.
 */
enum ptl_env_result ptl_env_sign(const struct ptl_env_plan *plan, bool clean,
				 char *const **env,
				 struct ptl_scratch *scratch);

/* For the monitor, which must not trace itself: removes us from LD_PRELOAD, in
 * place.  Only in a process of our own. */
void ptl_env_disown(char **envp);

#endif
