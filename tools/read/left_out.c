/* SPDX-License-Identifier: MIT */
/* Logs that cannot be opened; see left_out.h. */
#include "tools/read/left_out.h"

#include <stdlib.h>
#include <string.h>

#include "tools/lib/hash.h"
#include "tools/lib/say.h"

/* So many lines for logs of which the same is true, and no more. */
#define FEW 8

struct ptl_left_out_log {
	const char *path, *why;
};

void ptl_left_out_add(struct ptl_left_out *left, const char *path,
		      const char *why)
{
	left->log =
		ptl_grow(left->log, left->nr, &left->room, sizeof(*left->log));
	left->log[left->nr++] =
		(struct ptl_left_out_log){path, ptl_intern(why, strlen(why))};
}

void ptl_left_out_say(struct ptl_left_out *left)
{
	struct ptl_hash nr_of = {.value_size = sizeof(size_t)};
	size_t *nr;

	for (size_t i = 0; i < left->nr; i++)
		++*(size_t *)ptl_hash_get(&nr_of, left->log[i].why,
					  strlen(left->log[i].why));
	for (size_t i = 0; i < left->nr; i++) {
		const struct ptl_left_out_log *log = &left->log[i];

		nr = ptl_hash_get(&nr_of, log->why, strlen(log->why));
		if (*nr > FEW)
			ptl_say("%zu logs left out: %s, first %s", *nr,
				log->why, log->path);
		else if (*nr > 0)
			ptl_say("%s: %s", log->path, log->why);
		if (*nr > FEW)
			*nr = 0;
	}
	ptl_hash_clear(&nr_of);
	free(left->log);
	*left = (struct ptl_left_out){0};
}
