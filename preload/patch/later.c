/* SPDX-License-Identifier: MIT */
/* Objects that are loaded later; see later.h. */
#include "preload/patch/later.h"

#include "preload/libc/image.h"
#include "preload/patch/pending.h"
#include "preload/patch/write.h"

#include <string.h>

/* Functions of the loader begin at multiples of it; between them is padding. */
#define ALIGNMENT 16
#define JUMP_SIZE 5

static const struct r_debug *loader;
static void (*tell)(struct dl_phdr_info *info);
static uint32_t nr_known; /* objects of the list, under the loader's lock */
static bool is_fresh;	  /* it may be hooked, and they are not counted yet */

static int count(struct dl_phdr_info *info, size_t size, void *nr)
{
	(void)info, (void)size;
	++*(uint32_t *)nr;
	return 0;
}

/* All objects that are there are known. */
static void count_all(void)
{
	uint32_t nr = 0;

	dl_iterate_phdr(count, &nr);
	nr_known = nr;
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

	/* Threads may run by now in what came before this was hooked. */
	if (is_fresh)
		return;
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

/* The function's first instruction that does something; NULL: there is none. */
static unsigned char *find_first(void)
{
	static const unsigned char endbr[] = {0xf3, 0x0f, 0x1e, 0xfa};
	unsigned char *at = (unsigned char *)loader->r_brk;

	if (!at || (uintptr_t)at % ALIGNMENT != 0)
		return NULL;
	return memcmp(at, endbr, sizeof(endbr)) == 0 ? at + sizeof(endbr) : at;
}

/* Where a jump can be written; NULL: it is not a function that does nothing, or
 * is one that somebody has changed. */
static unsigned char *find_place(void)
{
	unsigned char *at = find_first();

	return at && at[0] == 0xc3 && is_padding(at + 1) ? at : NULL;
}

static void make_jump(unsigned char jump[JUMP_SIZE], const unsigned char *place)
{
	intptr_t distance = (intptr_t)look_again - (intptr_t)place - JUMP_SIZE;
	int32_t word = (int32_t)distance;

	jump[0] = 0xe9;
	memcpy(jump + 1, &word, sizeof(word));
}

static bool is_near(const unsigned char *place)
{
	intptr_t distance = (intptr_t)look_again - (intptr_t)place - JUMP_SIZE;

	return (int32_t)distance == distance;
}

/* By us. */
static bool is_hooked(void)
{
	const unsigned char *at = find_first();
	unsigned char jump[JUMP_SIZE];

	if (!at || !is_near(at))
		return false;
	make_jump(jump, at);
	return memcmp(at, jump, sizeof(jump)) == 0;
}

static bool write_now(const unsigned char *place,
		      const unsigned char jump[JUMP_SIZE])
{
	return ptl_write_code((uintptr_t)place, jump, JUMP_SIZE);
}

/* By `put', where it is to be. */
static bool hook(bool (*put)(const unsigned char *place,
			     const unsigned char jump[JUMP_SIZE]))
{
	unsigned char *place = find_place();
	unsigned char jump[JUMP_SIZE];

	if (!place || !is_near(place))
		return false;
	make_jump(jump, place);
	return put(place, jump);
}

static bool begin(void (*fn)(struct dl_phdr_info *info))
{
	dl_iterate_phdr(find_loader, (void *)&loader);
	if (!loader)
		return false;
	tell = fn;
	return true;
}

bool ptl_later_begin(void (*fn)(struct dl_phdr_info *info))
{
	if (!begin(fn))
		return false;
	count_all();
	return hook(write_now);
}

bool ptl_later_attach(void (*fn)(struct dl_phdr_info *info))
{
	if (!begin(fn))
		return false;
	/* From the last time. */
	if (is_hooked())
		return true;
	is_fresh = true;
	return hook(ptl_pending_add_loader);
}

void ptl_later_attached(void)
{
	if (is_fresh)
		count_all();
	is_fresh = false;
}
