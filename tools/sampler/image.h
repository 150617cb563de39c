/* SPDX-License-Identifier: MIT */
/*
 * The files that processes have mapped as code: of each what is needed to
 * unwind, copied once.  Files are written by others, and may be replaced or cut
 * at any moment: nothing of them stays mapped, and what does not fit together
 * counts as a file without rules.
 */
#ifndef PTL_TOOLS_SAMPLER_IMAGE_H
#define PTL_TOOLS_SAMPLER_IMAGE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/unwind/foreign.h"

#define PTL_IMAGE_BUILD_ID 20

/* What the kernel says of a mapped file; a file that says otherwise is not it.
 */
struct ptl_image_id {
	uint8_t build_id_size; /* 0: it is not known */
	unsigned char build_id[PTL_IMAGE_BUILD_ID];
	uint64_t inode; /* 0: it is not known */
};

struct ptl_sampled_file {
	char *path;
	struct ptl_image_id id; /* with the file's build id, if it has one */
	struct ptl_sampled_file *next;
	struct ptl_foreign_object object; /* its bias: less vaddr */
	uint64_t low, size;		  /* vaddr of all of it */
	bool is_program;		  /* it was read */
	/* The segments with code. */
	unsigned int nr;
	struct {
		uint64_t offset, vaddr, size;
	} code[16];
};

/*
 * The file at that path of a process, or of ours if that is gone; "[vdso]" is
 * the kernel's.  Never freed.  NULL: there are too many.
 */
struct ptl_sampled_file *ptl_image_get(pid_t pid, const char *path,
				       const struct ptl_image_id *id);

/* What an address there is, less its vaddr in the file, of which `offset' is
 * mapped at `start'.  False: that is no code of it. */
bool ptl_image_bias(const struct ptl_sampled_file *image, uint64_t start,
		    uint64_t offset, uint64_t *bias);

/* The object with that bias; false: it has no rules. */
bool ptl_image_object(const struct ptl_sampled_file *image, uint64_t bias,
		      struct ptl_foreign_object *object);

#endif
