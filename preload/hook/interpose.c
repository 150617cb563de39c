/* SPDX-License-Identifier: MIT */
/*
 * Only slots that lead, or would lead, to libc's own function are changed:
 * where the program or a library has a function of that name we would not have
 * come before it, or would have called it.  A slot is changed by one store, as
 * other threads go through it.  It is not changed back: we are never unloaded.
 *
 * Not seen are pointers to functions that the program has already, and those
 * that dlsym() returns.
 */
#include "preload/hook/interpose.h"

#include "core/core.h"
#include "core/sys/text.h"

#include "preload/hook/gotslot.h"
#include "preload/hook/loaded.h"
#include "preload/hook/noplt.h"
#include "preload/libc/gnuhash.h"
#include "preload/libc/lookup.h"
#include "preload/libc/scratch.h"

#include <errno.h>
#include <sys/auxv.h>
#include <trace.h>

#define MAX_OBJECTS 1024

/* Protected by the loader's lock. */
static struct done {
	uintptr_t base;
	uint32_t name; /* a hash */
	uint32_t pass; /* the last in which it was there */
} done[MAX_OBJECTS] PTL_BULK;
static size_t nr_done;
static uint32_t pass;
static bool all_ready; /* of those that the last pass has seen */
static struct ptl_noplt noplt PTL_BULK;
static struct ptl_image us PTL_SELDOM;
static uint32_t nr_changed;

static bool works;

/* What we export that is no function of libc's. */
static bool is_ours(const char *name)
{
	return ptl_strpre(name, "posix_trace_") ||
	       ptl_strpre(name, "__cyg_profile_") ||
	       ptl_streq(name, "mcount") || ptl_streq(name, "_mcount") ||
	       ptl_streq(name, "__fentry__");
}

/* The wrapper that a slot is to lead to, of the version that the object asks
 * for; 0: it is to be left alone. */
static uintptr_t wrapper_of(const struct ptl_image *image,
			    const struct ptl_slotted *slot)
{
	const char *version = ptl_image_asked(image, slot->sym);
	const void *ours = ptl_lookup_ours(slot->name, version), *real;
	uintptr_t there = *slot->at;
	bool is_lazy;

	if (!ours || is_ours(slot->name))
		return 0;
	real = ptl_lookup_libc(slot->name, version);
	is_lazy = slot->is_plt && slot->sym->st_shndx == SHN_UNDEF &&
		  there >= image->low && there < image->high;
	if (!real ||
	    (there != (uintptr_t)real &&
	     (!is_lazy || ptl_lookup_first(slot->name, version) != real)))
		return 0;
	return (uintptr_t)ours;
}

static void change(const struct ptl_slotted *slot, uintptr_t to)
{
	/* Pairs with calls through it: what the wrapper needs is there. */
	__atomic_store_n(slot->at, to, __ATOMIC_RELEASE);
	nr_changed++;
}

/* Of the slots behind the PLT's only those that nothing but calls refers to. */
static void find_called(const struct ptl_image *image,
			const struct dl_phdr_info *info)
{
	struct ptl_slotted slot;

	noplt.nr = 0;
	for (size_t i = image->nr_rel; i < image->nr_rel + image->nr_other; i++)
		if (ptl_gotslot_find(image, info, i, &slot) &&
		    wrapper_of(image, &slot))
			ptl_noplt_add(&noplt, (uintptr_t)slot.at);
	if (noplt.nr)
		ptl_noplt_scan(&noplt, info);
}

static void interpose(const struct ptl_image *image,
		      const struct dl_phdr_info *info)
{
	struct ptl_slotted slot;
	uintptr_t to;

	find_called(image, info);
	if (!ptl_image_unseal(image))
		return;
	for (size_t i = 0; i < image->nr_rel + image->nr_other; i++) {
		if (!ptl_gotslot_find(image, info, i, &slot) ||
		    (!slot.is_plt &&
		     !ptl_noplt_allows(&noplt, (uintptr_t)slot.at)))
			continue;
		to = wrapper_of(image, &slot);
		if (to)
			change(&slot, to);
	}
	ptl_image_seal(image);
}

static struct done describe(const struct dl_phdr_info *info)
{
	const char *name = info->dlpi_name ? info->dlpi_name : "";

	return (struct done){info->dlpi_addr, ptl_gnu_hash(name), pass};
}

/* Another may be in the place of one that was unloaded. */
static bool is_done(const struct dl_phdr_info *info)
{
	struct done object = describe(info);

	for (size_t i = 0; i < nr_done; i++)
		if (done[i].base == object.base &&
		    done[i].name == object.name) {
			done[i].pass = pass;
			return true;
		}
	return false;
}

static void forget_gone(void)
{
	size_t nr = 0;

	for (size_t i = 0; i < nr_done; i++)
		if (done[i].pass == pass)
			done[nr++] = done[i];
	nr_done = nr;
}

/* Is it one that wrappers run in? */
static bool is_left_alone(const struct ptl_image *image)
{
	uintptr_t code = (uintptr_t)ptl_core_libunwind_code();

	return image->base == getauxval(AT_BASE) ||
	       image->low == getauxval(AT_SYSINFO_EHDR) ||
	       (code >= image->low && code < image->high) ||
	       ptl_loaded_is_us(image);
}

/* Is the loader done with it? */
static bool is_ready(const struct ptl_image *image)
{
	const struct link_map *map = ptl_lookup_object((void *)image->low);

	return map && map->l_addr == image->base;
}

static int find_us(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct ptl_image image;

	(void)size, (void)arg;
	if (!ptl_image_read(&image, info) || !ptl_loaded_is_us(&image))
		return 0;
	us = image;
	return 1;
}

static int hook_new(struct dl_phdr_info *info, size_t size, void *arg)
{
	struct ptl_image image;

	(void)size, (void)arg;
	if (is_done(info) || !ptl_image_read(&image, info) ||
	    is_left_alone(&image))
		return 0;
	if (!is_ready(&image)) {
		all_ready = false;
		return 0;
	}
	interpose(&image, info);
	if (nr_done < MAX_OBJECTS)
		done[nr_done++] = describe(info);
	return 0;
}

/* As in got.c: the lock is held, and can be taken again. */
static int look(struct dl_phdr_info *info, size_t size, void *arg)
{
	static unsigned long long adds, subs;

	(void)size, (void)arg;
	if (info->dlpi_adds == adds && info->dlpi_subs == subs)
		return 1;
	pass++;
	all_ready = true;
	dl_iterate_phdr(hook_new, NULL);
	forget_gone();
	if (all_ready) {
		adds = info->dlpi_adds;
		subs = info->dlpi_subs;
	}
	return 1;
}

bool ptl_interpose_works(void)
{
	return works;
}

void ptl_interpose_look(void)
{
	if (works && !ptl_is_quiet() && !ptl_core_in_vfork_child())
		dl_iterate_phdr(look, NULL);
}

PTL_EXPORT int posix_trace_interpose_np(void)
{
	int saved = errno;

	if (ptl_is_quiet() || ptl_core_in_vfork_child())
		return EPERM;
	if (!dl_iterate_phdr(find_us, NULL) || !is_ready(&us))
		return ENOTSUP;
	works = true;
	ptl_interpose_look();
	errno = saved;
	return 0;
}
