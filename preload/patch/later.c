/* SPDX-License-Identifier: MIT */
/* Objects that are loaded later; see later.h. */
#include "preload/patch/later.h"

#include "preload/libc/image.h"
#include "preload/patch/write.h"

#include <string.h>

/* Functions of the loader begin at multiples of it; between them is padding. */
#define ALIGNMENT 16
#define JUMP_SIZE 5

static const struct r_debug *loader;
static void (*tell)(struct dl_phdr_info *info);
static uint32_t nr_known; /* objects of the list, under the loader's lock */

static int count(struct dl_phdr_info *info, size_t size, void *nr)
{
	(void)info, (void)size;
	++*(uint32_t *)nr;
	return 0;
}

static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	uint32_t *nr = arg;

	(void)size;
	/* New ones are at the end. */
	if ((*nr)++ >= nr_known)
		tell(info);
	return 0;
}

static void look_again(void)
{
	uint32_t nr = 0;

	/* Before and behind a change; what is added may be in the list before.
	 */
	if (loader->r_state != RT_CONSISTENT)
		return;
	dl_iterate_phdr(look, &nr);
	nr_known = nr;
}

static int find_loader(struct dl_phdr_info *info, size_t size, void *arg)
{
	const ElfW(Dyn) *dyn = ptl_image_dynamic(info);
	const struct r_debug **found = arg;

	(void)size;
	for (; dyn && dyn->d_tag != DT_NULL; dyn++)
		if (dyn->d_tag == DT_DEBUG)
			*found = (const void *)dyn->d_un.d_ptr;
	/* The program is the first one. */
	return 1;
}

static bool is_padding(const unsigned char *at)
{
	return at[0] == 0x90 || at[0] == 0xcc || at[0] == 0x66 ||
	       (at[0] == 0x0f && at[1] == 0x1f);
}

/* Where a jump can be written; NULL: it is not a function that does nothing, or
 * is one that somebody has changed. */
static unsigned char *find_place(void)
{
	static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	unsigned char *at = (unsigned char *)loader->r_brk;

	if (!at || (uintptr_t)at % ALIGNMENT != 0)
		return NULL;
	if (memcmp(at, endbr, sizeof(endbr)) == 0)
		at += sizeof(endbr);
	return at[0] == 0xc3 && is_padding(at + 1) ? at : NULL;
}

static bool hook(void)
{
	unsigned char jump[JUMP_SIZE] = {0xe9};
	unsigned char *place = find_place();
	intptr_t distance = (intptr_t)look_again - (intptr_t)place - JUMP_SIZE;
	int32_t word = (int32_t)distance;

	if (!place || word != distance)
		return false;
	memcpy(jump + 1, &word, sizeof(word));
	return ptl_write_code((uintptr_t)place, jump, sizeof(jump));
}

bool ptl_later_begin(void (*fn)(struct dl_phdr_info *info))
{
	dl_iterate_phdr(find_loader, (void *)&loader);
	if (!loader)
		return false;
	tell = fn;
	dl_iterate_phdr(count, &nr_known);
	return hook();
}
