/* SPDX-License-Identifier: MIT */
/* Blocks and their bounds; see block.h. */
#include "preload/patch/block.h"

#include <string.h>

/* Distances in an arena are of 32 bits. */
#define ARENA_MAX (UINT64_C(1) << 30)

/* `nr' of so many bytes each, aligned, in the block. */
static bool has(const struct ptl_patch_block *head, uint64_t at, uint64_t nr,
		uint64_t size)
{
	return at % 8 == 0 && at >= sizeof(*head) && at <= head->size &&
	       nr <= (head->size - at) / size;
}

static bool is_arena_whole(const struct ptl_patch_block *head)
{
	uint64_t code_end = (uint64_t)head->code + head->code_size;
	uint64_t words_end = code_end + 8 * (uint64_t)head->nr_words;

	return head->arena_size <= ARENA_MAX &&
	       has(head, head->arena, head->arena_size, 1) &&
	       head->code >= PTL_PATCH_SLOTS * sizeof(uint64_t) &&
	       code_end % 8 == 0 && words_end <= head->frames &&
	       head->frames <= head->arena_size &&
	       head->islands <= head->arena_size;
}

bool ptl_block_read(struct ptl_patch_view *block, const unsigned char *bytes,
		    size_t size, size_t *next)
{
	struct ptl_patch_block *head = &block->head;

	if (size < sizeof(*head))
		return false;
	memcpy(head, bytes, sizeof(*head));
	if (head->magic != PTL_PATCH_MAGIC ||
	    head->version != PTL_PATCH_VERSION || head->size % 8 != 0 ||
	    head->size < sizeof(*head) || head->size > size ||
	    head->file.id_size > PTL_PATCH_ID ||
	    !has(head, head->patches, head->nr_patches,
		 sizeof(*block->patch)) ||
	    !has(head, head->was, head->was_size, 1) ||
	    !has(head, head->relocations, head->nr_relocations,
		 sizeof(*block->relocation)) ||
	    !has(head, head->told, head->told_size, 1) ||
	    !has(head, head->prototypes, head->nr_prototypes,
		 sizeof(*block->prototype)) ||
	    !has(head, head->texts, head->texts_size, 1) ||
	    !has(head, head->probes, head->nr_probes, sizeof(*block->probe)) ||
	    !has(head, head->arguments, head->nr_arguments,
		 sizeof(*block->argument)) ||
	    !is_arena_whole(head))
		return false;
	block->patch = (const void *)(bytes + head->patches);
	block->was = bytes + head->was;
	block->relocation = (const void *)(bytes + head->relocations);
	block->told = (const char *)bytes + head->told;
	block->arena = bytes + head->arena;
	block->prototype = (const void *)(bytes + head->prototypes);
	block->texts = bytes + head->texts;
	block->probe = (const void *)(bytes + head->probes);
	block->argument = (const void *)(bytes + head->arguments);
	*next = head->size;
	return true;
}

size_t ptl_block_source(struct ptl_patch_source *source,
			const unsigned char *bytes, size_t size)
{
	if (size >= sizeof(*source)) {
		memcpy(source, bytes, sizeof(*source));
		source->path[sizeof(source->path) - 1] = '\0';
		source->start[sizeof(source->start) - 1] = '\0';
		if (source->magic == PTL_PATCH_SOURCE &&
		    source->version == PTL_PATCH_VERSION)
			return sizeof(*source);
	}
	source->path[0] = source->start[0] = '\0';
	return 0;
}

bool ptl_block_line(const char *text, size_t size, size_t *at,
		    struct ptl_block_line *line)
{
	size_t i = *at;
	bool is_less = i < size && text[i] == '-';

	*line = (struct ptl_block_line){.nr = 0};
	for (i += is_less; i < size && text[i] >= '0' && text[i] <= '9'; i++)
		line->nr = (line->nr * 10 + (text[i] - '0')) % 1000000000;
	if (i >= size || text[i] != ' ')
		return false;
	if (is_less)
		line->nr = -line->nr;
	line->text = text + ++i;
	while (i < size && text[i] != '\n')
		i++;
	line->size = (size_t)(text + i - line->text);
	*at = i + 1;
	return true;
}
