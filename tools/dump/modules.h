/* SPDX-License-Identifier: MIT */
/*
 * What is mapped where in each image of each process of a log, learned from
 * the events of families dl, process and call as they pass.
 */
#ifndef PTL_TOOLS_DUMP_MODULES_H
#define PTL_TOOLS_DUMP_MODULES_H

#include <stdint.h>
#include <sys/types.h>

#include "tools/dump/type.h"

struct ptl_modules;

struct ptl_modules *ptl_modules_new(void);
void ptl_modules_free(struct ptl_modules *modules);

/* An event of process pid, in its image; events come in the log's order. */
void ptl_modules_learn(struct ptl_modules *modules, enum ptl_kind kind,
		       pid_t pid, unsigned int image,
		       const struct ptl_args *args);

/*
 * "function+0x1c (module)" for a return address, or NULL.  Valid until the
 * next call.
 */
const char *ptl_modules_name(struct ptl_modules *modules, pid_t pid,
			     unsigned int image, uint64_t address);

/* The module and the address inside its file, or NULL. */
const char *ptl_modules_place(struct ptl_modules *modules, pid_t pid,
			      unsigned int image, uint64_t address,
			      uint64_t *offset);

/* The function at an address and where it is; what is not known is NULL. */
void ptl_modules_function(struct ptl_modules *modules, pid_t pid,
			  unsigned int image, uint64_t address,
			  const char **function, const char **library);

#endif
