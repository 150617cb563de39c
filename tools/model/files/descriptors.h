/* SPDX-License-Identifier: MIT */
/*
 * What the descriptors and streams of each process stand for, and its current
 * directory.
 */
#ifndef PTL_TOOLS_MODEL_FILES_DESCRIPTORS_H
#define PTL_TOOLS_MODEL_FILES_DESCRIPTORS_H

#include "tools/model/processes.h"

enum ptl_descriptor_kind {
	PTL_DESCRIPTOR_FD,
	PTL_DESCRIPTOR_STREAM, /* a FILE or DIR of stdio, by its address */
};

struct ptl_file;

struct ptl_descriptor {
	enum ptl_descriptor_kind kind;
	uint64_t number;
	struct ptl_file *file; /* NULL: not known */
	struct ptl_file *last; /* what it was when it was closed, or NULL */
	bool has_fd;	       /* of a stream: its descriptor is known */
	uint64_t fd;
	bool is_cloexec;
	bool is_own; /* the process has set or closed it itself */
};

struct ptl_descriptors;

struct ptl_descriptors *ptl_descriptors_new(void);
void ptl_descriptors_free(struct ptl_descriptors *descriptors);

/* Never NULL; valid until the process forks, executes or ends. */
struct ptl_descriptor *ptl_descriptors_get(struct ptl_descriptors *descriptors,
					   const struct ptl_process *process,
					   enum ptl_descriptor_kind kind,
					   uint64_t number);

void ptl_descriptors_set(struct ptl_descriptors *descriptors,
			 const struct ptl_process *process,
			 enum ptl_descriptor_kind kind, uint64_t number,
			 struct ptl_file *file, bool is_cloexec);
void ptl_descriptors_close(struct ptl_descriptors *descriptors,
			   const struct ptl_process *process,
			   enum ptl_descriptor_kind kind, uint64_t number);
/* Only marked: closed by the next exec. */
void ptl_descriptors_close_range(struct ptl_descriptors *descriptors,
				 const struct ptl_process *process,
				 uint64_t first, uint64_t last,
				 bool is_only_marked);

/* The child may have had events before: what it used then, not knowing what it
 * is, is given to `same' with what the parent has. */
void ptl_descriptors_inherit(struct ptl_descriptors *descriptors,
			     const struct ptl_process *parent,
			     const struct ptl_process *child,
			     void (*same)(void *of, struct ptl_file *unknown,
					  struct ptl_file *file,
					  uint64_t number),
			     void *of);
void ptl_descriptors_exec(struct ptl_descriptors *descriptors,
			  const struct ptl_process *process, const char *cwd);

void ptl_descriptors_end(struct ptl_descriptors *descriptors,
			 const struct ptl_process *process);

/* NULL: not known. */
const char *ptl_descriptors_cwd(struct ptl_descriptors *descriptors,
				const struct ptl_process *process);
void ptl_descriptors_chdir(struct ptl_descriptors *descriptors,
			   const struct ptl_process *process, const char *cwd);

#endif
