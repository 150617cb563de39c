/* SPDX-License-Identifier: MIT */
/* Contexts of slices; see contexts.h. */
#include "tools/page/contexts.h"

#include <string.h>

#include "tools/model/contexts.h"

/* Of more the first ones are there. */
#define MAX_BYTES 8192

uint32_t ptl_page_contexts_learn(struct ptl_texts *texts,
				 const struct ptl_step *step)
{
	const struct ptl_args *contexts = step->view->context;
	char bytes[MAX_BYTES];
	size_t used = 0;

	if (contexts == NULL || contexts->nr == 0)
		return 0;
	for (unsigned int i = 0;
	     i < contexts->nr && used + PTL_CONTEXT_TEXT <= sizeof(bytes); i++)
		used += ptl_context_text(&contexts->arg[i], bytes + used) + 1;
	return ptl_texts_number(texts, bytes, used);
}
