/* SPDX-License-Identifier: MIT */
/* What is known of functions; see known.h. */
#include "preload/patch/known.h"

#include "core/sys/syscall.h"

#include <string.h>

/* What it says of itself is foreign, and read once. */
static bool is_within(const struct ptl_patch_view *block,
		      const struct ptl_patch_prototype *prototype)
{
	const struct ptl_patch_block *head = &block->head;

	return (uint64_t)prototype->word + 1 < head->nr_words &&
	       prototype->text_size >= sizeof(uint64_t) &&
	       (uint64_t)prototype->text + prototype->text_size <=
		       head->texts_size;
}

static void know(struct ptl_known *known,
		 const struct ptl_patch_prototype *prototype, uint64_t callee,
		 unsigned char *text)
{
	struct ptl_typed *typed = &known->typed;

	known->callee = callee;
	known->text = text;
	known->text_size = prototype->text_size;
	known->role = prototype->role;
	memcpy(text, &callee, sizeof(callee));
	memcpy(typed->code, prototype->code, sizeof(typed->code));
	typed->code[sizeof(typed->code) - 1] = '\0';
	memcpy(typed->size, prototype->size, sizeof(typed->size));
	typed->above = prototype->has_loop ? PTL_KNOWN_ABOVE : 0;
	ptl_typed_plan(typed);
}

const char *ptl_known_make(const struct ptl_patch_view *block, uint64_t *word)
{
	uint64_t nr = block->head.nr_prototypes, size = block->head.texts_size;
	struct ptl_known *known;
	unsigned char *texts;

	if (nr == 0)
		return NULL;
	known = ptl_sys_mmap(NULL, nr * sizeof(*known) + size,
			     PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (known == MAP_FAILED)
		return "no memory";
	texts = (unsigned char *)(known + nr);
	memcpy(texts, block->texts, size);
	for (uint64_t i = 0; i < nr; i++) {
		struct ptl_patch_prototype prototype = block->prototype[i];

		if (!is_within(block, &prototype)) {
			ptl_sys_munmap(known, nr * sizeof(*known) + size);
			return "its prototypes are damaged";
		}
		know(&known[i], &prototype, word[prototype.word],
		     texts + prototype.text);
		word[prototype.word + 1] = (uintptr_t)&known[i];
	}
	return NULL;
}

void ptl_known_take(const struct ptl_patch_view *block, uint64_t *word,
		    const uint64_t *before)
{
	for (uint64_t i = 0; i < block->head.nr_prototypes; i++) {
		struct ptl_patch_prototype prototype = block->prototype[i];

		if (is_within(block, &prototype))
			word[prototype.word + 1] = before[prototype.word + 1];
	}
}

void ptl_known_again(const struct ptl_patch_view *block, const uint64_t *word)
{
	for (uint64_t i = 0; i < block->head.nr_prototypes; i++) {
		struct ptl_patch_prototype prototype = block->prototype[i];
		struct ptl_known *known;

		if (!is_within(block, &prototype))
			continue;
		known = (void *)word[prototype.word + 1];
		atomic_store_explicit(&known->is_told, false,
				      memory_order_relaxed);
	}
}
