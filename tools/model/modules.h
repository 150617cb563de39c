/* SPDX-License-Identifier: MIT */
/*
 * What is mapped where in each image of each process of a log, learned from
 * the events of families dl, process and call as they pass.
 */
#ifndef PTL_TOOLS_MODEL_MODULES_H
#define PTL_TOOLS_MODEL_MODULES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "tools/symbolize/callees.h"
#include "tools/read/type.h"
#include "tools/symbolize/symbols.h"

struct ptl_modules;

struct ptl_modules *ptl_modules_new(void);
void ptl_modules_free(struct ptl_modules *modules);

/* The events come in the order of the log.  The event says of which process and
 * image the functions below tell something. */
void ptl_modules_learn(struct ptl_modules *modules, enum ptl_act act,
		       const struct posix_trace_event_info *event,
		       const struct ptl_args *args);

/* What is mapped has that number: as long as it is the same, in whichever
 * process of whichever log, an address is the same place.  0: nothing is. */
uint64_t ptl_modules_maps(struct ptl_modules *modules,
			  const struct posix_trace_event_info *event);

/* The file that has the call before a return address, which is at *offset in
 * it; NULL: not known. */
struct ptl_symfile *ptl_modules_file(struct ptl_modules *modules,
				     const struct posix_trace_event_info *event,
				     uint64_t address, uint64_t *offset);

/*
 * "function+0x1c (module)" for a return address, or NULL.  Valid until the
 * next call.
 */
static inline const char *
ptl_modules_name(struct ptl_modules *modules,
		 const struct posix_trace_event_info *event, uint64_t address)
{
	struct ptl_symfile *file =
		ptl_modules_file(modules, event, address, &address);

	return file != NULL ? ptl_symfile_name(file, address) : NULL;
}

/* The lines of source code there, as ptl_symfile_lines(). */
static inline size_t
ptl_modules_lines(struct ptl_modules *modules,
		  const struct posix_trace_event_info *event, uint64_t address,
		  const struct ptl_srcline **line)
{
	struct ptl_symfile *file =
		ptl_modules_file(modules, event, address, &address);

	return ptl_symfile_lines(file, address, line);
}

/* The module and the address inside its file, or NULL. */
static inline const char *
ptl_modules_place(struct ptl_modules *modules,
		  const struct posix_trace_event_info *event, uint64_t address,
		  uint64_t *offset)
{
	struct ptl_symfile *file =
		ptl_modules_file(modules, event, address, offset);

	return file != NULL ? ptl_symfile_module(file) : NULL;
}

/* The variable that contains an address, and how far inside, or NULL. */
static inline const char *
ptl_modules_variable(struct ptl_modules *modules,
		     const struct posix_trace_event_info *event,
		     uint64_t address, uint64_t *offset)
{
	struct ptl_symfile *file =
		ptl_modules_file(modules, event, address + 1, &address);

	return file != NULL ? ptl_symfile_variable(file, address - 1, offset) :
			      NULL;
}

/* The function at an address, where it is, and the code of its prototype; what
 * is not known is NULL. */
struct ptl_callee
ptl_modules_function(struct ptl_modules *modules,
		     const struct posix_trace_event_info *event,
		     uint64_t address);

/* Where the function begins that has the call before a return address; 0: not
 * known. */
uint64_t ptl_modules_start(struct ptl_modules *modules,
			   const struct posix_trace_event_info *event,
			   uint64_t address);

#endif
