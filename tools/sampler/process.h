/* SPDX-License-Identifier: MIT */
/* The processes that are sampled: which code each has mapped where, by what the
 * kernel tells of them. */
#ifndef PTL_TOOLS_SAMPLER_PROCESS_H
#define PTL_TOOLS_SAMPLER_PROCESS_H

#include "tools/sampler/image.h"
#include "tools/sampler/made.h"

/* Code that is mapped. */
struct ptl_sampled_code {
	uint64_t start, end;
	uint64_t bias;			/* of the image */
	uint64_t when;			/* by the kernel's clock */
	struct ptl_sampled_file *image; /* NULL: no file's */
	bool is_told;
};

struct ptl_sampled_process {
	pid_t pid;
	unsigned int image; /* counts what it executed */
	unsigned int threads;
	bool has_code; /* something was mapped since it was executed */
	pid_t parent;  /* to be told, for samples may be earlier; or 0 */
	char name[16];
	uint64_t begun;
	/* What it executed, which is mapped first. */
	struct ptl_sampled_code program;
	struct ptl_sampled_code *mapped; /* by address */
	size_t nr, room;
	struct ptl_sampled_made made; /* and what no file has */
	struct ptl_hash words;	      /* of its memory, by address */
	struct ptl_sampled_process *next;
};

/* Made if it is not known. */
struct ptl_sampled_process *ptl_process_get(pid_t pid);

/* A child has what its parent has. */
void ptl_process_fork(pid_t parent, pid_t child, uint64_t when);
/* Nothing of before is mapped any more. */
void ptl_process_exec(struct ptl_sampled_process *process);
void ptl_process_thread_ends(struct ptl_sampled_process *process);

/* Of what was there before only what is beside it stays. */
void ptl_process_map(struct ptl_sampled_process *process,
		     const struct ptl_sampled_code *mapped);

/* What it has made at run time is told by its names, of all processes. */
void ptl_process_tell_made(void);

/* What has code at an address; NULL: nothing that is known. */
struct ptl_sampled_code *
ptl_process_at(const struct ptl_sampled_process *process, uint64_t address);

/* For struct ptl_foreign; the argument is the process. */
ptl_foreign_find ptl_process_find;
ptl_foreign_read ptl_process_read;

#endif
