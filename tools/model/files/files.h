/* SPDX-License-Identifier: MIT */
/* Files, pipes and sockets, and what stands for which of them. */
#ifndef PTL_TOOLS_MODEL_FILES_FILES_H
#define PTL_TOOLS_MODEL_FILES_FILES_H

#include "tools/model/files/descriptors.h"
#include "tools/model/model.h"

enum ptl_file_kind {
	PTL_FILE_PATH,
	PTL_FILE_PIPE,
	PTL_FILE_SOCKET,
	PTL_FILE_OTHER,	  /* epoll and the like */
	PTL_FILE_UNKNOWN, /* it was opened before the trace began */
	PTL_FILE_KINDS
};

/* Never freed before the end. */
struct ptl_file {
	enum ptl_file_kind kind;
	const char *host; /* if the logs are of several, or NULL */
	const char *name;
	const char *old_name;		 /* before it was renamed, or NULL */
	bool is_replaced;		 /* another file has this name now */
	struct ptl_file *same;		 /* what it turned out to be, or NULL */
	const struct ptl_process *owner; /* of one that is unknown */
	size_t number;
};

struct ptl_files;

struct ptl_files *ptl_files_new(void);
void ptl_files_free(struct ptl_files *files);

/* The file of that name, which has it still, where the process is. */
struct ptl_file *ptl_files_get(struct ptl_files *files,
			       const struct ptl_process *process,
			       enum ptl_file_kind kind, const char *name);

/* What has no name of its own: it is named by what made it. */
struct ptl_file *ptl_files_make(struct ptl_files *files,
				const struct ptl_step *step,
				enum ptl_file_kind kind, const char *what,
				int64_t fd, int64_t other);

/* The file of a descriptor of the event's process; NULL: the number is
 * negative. */
struct ptl_file *ptl_files_of_fd(struct ptl_files *files,
				 const struct ptl_step *step, int64_t fd);

/* The file of a stream of stdio, and of the descriptor that the event tells
 * with it; NULL: not known. */
struct ptl_file *ptl_files_of_stream(struct ptl_files *files,
				     const struct ptl_step *step,
				     uint64_t stream);

/* The file of a path below a directory, both being arguments of the event. */
struct ptl_file *ptl_files_of_path(struct ptl_files *files,
				   const struct ptl_step *step,
				   const char *path_name, const char *dir_name);

/* "memfd:NAME" and the like, by the argument `name'. */
struct ptl_file *ptl_files_of_name(struct ptl_files *files,
				   const struct ptl_step *step);

/* A descriptor, or stream, stands for the file from now on. */
void ptl_files_set(struct ptl_files *files, const struct ptl_process *process,
		   enum ptl_descriptor_kind kind, uint64_t number,
		   struct ptl_file *file, bool is_cloexec);

/* The file keeps what it has, under its new name. */
void ptl_files_rename(struct ptl_files *files, struct ptl_file *old,
		      struct ptl_file *new);
void ptl_files_fork(struct ptl_files *files, const struct ptl_process *parent,
		    const struct ptl_process *child);
struct ptl_descriptors *ptl_files_descriptors(struct ptl_files *files);

/* What it turned out to be. */
const struct ptl_file *ptl_file_same(const struct ptl_file *file);

/* What it is called in tables: "NEW (was OLD)"; as scp has it, "HOST:NAME". */
const char *ptl_file_title(const struct ptl_file *file);

const char *ptl_file_kind_name(enum ptl_file_kind kind);

#endif
