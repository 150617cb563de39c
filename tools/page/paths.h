/* SPDX-License-Identifier: MIT */
/* Which file each slice of the page is about, by small numbers. */
#ifndef PTL_TOOLS_PAGE_PATHS_H
#define PTL_TOOLS_PAGE_PATHS_H

#include "tools/lib/out.h"
#include "tools/model/files/files.h"

/* Of more files nothing is said. */
#define PTL_PAGE_PATHS 32768

struct ptl_page_paths {
	struct ptl_files *files;
	const struct ptl_file **file; /* number 1, 2 ... */
	size_t nr, room;
	uint32_t *number; /* of those that ptl_file.number counts */
	size_t nr_numbers, numbers_room;
};

void ptl_page_paths_begin(struct ptl_page_paths *paths);
void ptl_page_paths_free(struct ptl_page_paths *paths);

/* Takes each event; 0: it is about none. */
uint32_t ptl_page_paths_learn(struct ptl_page_paths *paths,
			      const struct ptl_step *step);

/* An array of what they are called; the first element stands for none. */
void ptl_page_paths_json(const struct ptl_page_paths *paths,
			 struct ptl_out *out);

#endif
