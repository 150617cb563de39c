/* SPDX-License-Identifier: MIT */
/* See zstd.h. */
#include "tools/monitor/output/zstd.h"

#ifdef HAVE_ZSTD

#include <dlfcn.h>
#include <zstd.h>

#define LIBRARY "libzstd.so.1"

/* The level that costs least: others take twice the time for some percent. */
#define LEVEL 1

/* A table that stays near the processor, and matches of no less than most words
 * of an event: a fifth faster, and events become as small as by the level's own
 * (14 and 6). */
#define HASH_LOG 12
#define MIN_MATCH 7

/* So bytes that match nothing are stored as they are: to code them by how often
 * each occurs takes as long as a tenth of all, for some percent of the size. */
#define TARGET 1

static struct {
	__typeof__(&ZSTD_createCCtx) create;
	__typeof__(&ZSTD_CCtx_setParameter) set;
	__typeof__(&ZSTD_compress2) pack;
	__typeof__(&ZSTD_compressBound) bound;
	__typeof__(&ZSTD_isError) is_error;
	ZSTD_CCtx *context;
} zstd;

/* False: it has no such function. */
static bool find(void *library, const char *name, void *function)
{
	void *found = dlsym(library, name);

	*(void **)function = found;
	return found != NULL;
}

const char *ptl_zstd_load(void)
{
	void *library;

	if (zstd.context != NULL)
		return NULL;
	library = dlopen(LIBRARY, RTLD_NOW);
	if (library == NULL)
		return LIBRARY " cannot be loaded";
	if (!find(library, "ZSTD_createCCtx", &zstd.create) ||
	    !find(library, "ZSTD_CCtx_setParameter", &zstd.set) ||
	    !find(library, "ZSTD_compress2", &zstd.pack) ||
	    !find(library, "ZSTD_compressBound", &zstd.bound) ||
	    !find(library, "ZSTD_isError", &zstd.is_error))
		return LIBRARY " is too old";
	zstd.context = zstd.create();
	if (zstd.context == NULL)
		return "out of memory";
	zstd.set(zstd.context, ZSTD_c_compressionLevel, LEVEL);
	zstd.set(zstd.context, ZSTD_c_hashLog, HASH_LOG);
	zstd.set(zstd.context, ZSTD_c_minMatch, MIN_MATCH);
	zstd.set(zstd.context, ZSTD_c_targetLength, TARGET);
	zstd.set(zstd.context, ZSTD_c_checksumFlag, 1);
	return NULL;
}

size_t ptl_zstd_bound(size_t size)
{
	return zstd.bound(size);
}

size_t ptl_zstd_pack(void *to, size_t room, const void *from, size_t size)
{
	size_t made = zstd.pack(zstd.context, to, room, from, size);

	return zstd.is_error(made) ? 0 : made;
}

#else

const char *ptl_zstd_load(void)
{
	return "this was built without zstd (libzstd-dev)";
}

size_t ptl_zstd_bound(size_t size)
{
	return size;
}

size_t ptl_zstd_pack(void *to, size_t room, const void *from, size_t size)
{
	(void)to;
	(void)room;
	(void)from;
	(void)size;
	return 0;
}

#endif
