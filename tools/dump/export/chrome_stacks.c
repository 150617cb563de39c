/* SPDX-License-Identifier: MIT */
/* Call stacks of Trace Event JSON; see chrome_stacks.h. */
#include "tools/dump/export/chrome_stacks.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "tools/lib/quote.h"

/* So much of a name is told. */
#define MAX_NAME 4096

struct key {
	uint32_t caller;
	char name[MAX_NAME]; /* with its null */
};

static uint32_t number_of(struct ptl_chrome_stacks *stacks, uint32_t caller,
			  const struct ptl_view_frame *frame)
{
	const char *name = ptl_view_frame_name(frame);
	uint32_t *number;
	struct key key;
	size_t size;

	key.caller = caller;
	if (name != NULL)
		snprintf(key.name, sizeof(key.name), "%s", name);
	else
		snprintf(key.name, sizeof(key.name), "0x%llx",
			 (unsigned long long)frame->address);
	size = offsetof(struct key, name) + strlen(key.name) + 1;
	stacks->frames.value_size = sizeof(*number);
	number = ptl_hash_get(&stacks->frames, &key, size);
	if (*number == 0)
		*number = (uint32_t)stacks->frames.nr;
	return *number;
}

uint32_t ptl_chrome_stack(struct ptl_chrome_stacks *stacks,
			  const struct ptl_view *view)
{
	uint32_t number = 0;

	for (size_t i = view->source->nr_stack; i > 0; i--) {
		struct ptl_view_frame frame = ptl_view_frame(view, i - 1);

		number = number_of(stacks, number, &frame);
	}
	return number;
}

void ptl_chrome_stacks_put(const struct ptl_chrome_stacks *stacks,
			   struct ptl_out *out)
{
	const uint32_t *number = NULL;
	bool is_first = true;
	uint32_t caller;

	ptl_out_char(out, '{');
	while ((number = ptl_hash_next(&stacks->frames, number)) != NULL) {
		const char *key = ptl_hash_key(&stacks->frames, number);
		const char *name = key + offsetof(struct key, name);

		/* Keys stand behind values of any size. */
		memcpy(&caller, key, sizeof(caller));
		ptl_out_str(out, is_first ? "\n\"" : ",\n\"");
		is_first = false;
		ptl_out_uint(out, *number);
		ptl_out_str(out, "\":{\"name\":");
		ptl_quote_json(out, name, strlen(name));
		if (caller != 0) {
			ptl_out_str(out, ",\"parent\":\"");
			ptl_out_uint(out, caller);
			ptl_out_char(out, '"');
		}
		ptl_out_char(out, '}');
	}
	ptl_out_char(out, '}');
}

void ptl_chrome_stacks_free(struct ptl_chrome_stacks *stacks)
{
	ptl_hash_clear(&stacks->frames);
}
