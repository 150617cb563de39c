/* SPDX-License-Identifier: MIT */
/* Arenas; see arena.h. */
#include "preload/patch/arena.h"

#include "core/sys/syscall.h"

#include "preload/libc/lookup.h"
#include "preload/patch/entry.h"
#include "preload/patch/jump.h"
#include "preload/patch/known.h"
#include "preload/patch/probes.h"

#include <string.h>

#define ARENAS 512
#define PAGE UINT64_C(4096)
#define MIB UINT64_C(1048576)

/* Since Linux 4.17; older ones take it for a wish. */
#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000
#endif

static struct ptl_arena arenas[ARENAS] PTL_BULK;
static _Atomic uint32_t nr_arenas;

static uint32_t count_arenas(void)
{
	/* Pairs with keep(). */
	return atomic_load_explicit(&nr_arenas, memory_order_acquire);
}

const struct ptl_arena *ptl_arena_at(uintptr_t address)
{
	uint32_t nr = count_arenas();

	for (uint32_t i = 0; i < nr; i++)
		if (address >= arenas[i].begin && address < arenas[i].end)
			return &arenas[i];
	return NULL;
}

const struct ptl_arena *ptl_arena_of(uintptr_t object)
{
	uint32_t nr = count_arenas();

	for (uint32_t i = 0; i < nr; i++)
		if (arenas[i].object == object)
			return &arenas[i];
	return NULL;
}

/* Islands are sorted. */
static bool has_island(const struct ptl_arena *arena, uintptr_t address)
{
	const unsigned char *table = (const void *)arena->islands;
	uint32_t low = 0, high = arena->nr_islands;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		int32_t distance;
		uintptr_t at;

		memcpy(&distance,
		       table + PTL_PATCH_TABLE + middle * PTL_PATCH_TABLE_ENTRY,
		       sizeof(distance));
		at = arena->islands + (intptr_t)distance;
		if (at == address)
			return true;
		if (at < address)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

const struct ptl_arena *ptl_arena_of_island(uintptr_t address)
{
	uint32_t nr = count_arenas();

	for (uint32_t i = 0; i < nr; i++)
		if (address >= arenas[i].object &&
		    address < arenas[i].object_end)
			return has_island(&arenas[i], address) ? &arenas[i] :
								 NULL;
	return NULL;
}

static bool reserve(uintptr_t at, size_t size)
{
	const uint64_t end = (uint64_t)at + size;
	void *got;

	/* A program's own addresses are below 2^47, and not the lowest. */
	if (at < MIB || end < at || end >> 47)
		return false;
	got = ptl_sys_mmap((void *)at, size, PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE |
				   MAP_FIXED_NOREPLACE,
			   -1, 0);
	if (got == (void *)at)
		return true;
	if (got != MAP_FAILED)
		ptl_sys_munmap(got, size);
	return false;
}

/*
 * Where its bytes are ready for; else at one of a few distances, below the
 * object before above it, where its heap grows: the same in all processes, if
 * it is free there.  A program that has fixed addresses has little room below
 * it; its heap begins anywhere within 1 GiB above it.
 */
static uintptr_t find_room(const struct ptl_patch_view *block,
			   const struct ptl_image *image, size_t size)
{
	uintptr_t at = image->base + block->head.arena_at;
	uintptr_t low = image->low & -PAGE;
	uintptr_t high = (image->high + PAGE - 1) & -PAGE;

	if (high - at < PTL_JUMP_REACH && reserve(at, size))
		return at;
	for (size_t i = 0; i < PTL_ARRAY_SIZE(ptl_jump_far); i++) {
		at = low - size - ptl_jump_far[i] * MIB;
		if (at < low && high - at < PTL_JUMP_REACH && reserve(at, size))
			return at;
	}
	for (size_t i = PTL_ARRAY_SIZE(ptl_jump_far); i-- > 1;) {
		at = high + ptl_jump_far[i] * MIB;
		if (at + size - low < PTL_JUMP_REACH && reserve(at, size))
			return at;
	}
	return 0;
}

/* False: from there something is out of reach, or a place is none. */
static bool relocate(const struct ptl_patch_view *block, unsigned char *bytes,
		     uint64_t by)
{
	const struct ptl_patch_block *head = &block->head;

	for (uint64_t i = 0; by && i < head->nr_relocations; i++) {
		uint32_t at = block->relocation[i];
		int32_t word;
		bool is_code = at < head->code + head->code_size;

		if (at < head->code ||
		    (uint64_t)at + sizeof(word) > head->arena_size)
			return false;
		memcpy(&word, bytes + at, sizeof(word));
		if (!(is_code ? ptl_jump_moved(&word, by) :
				ptl_jump_moved_far(&word, by)))
			return false;
		memcpy(bytes + at, &word, sizeof(word));
	}
	return true;
}

/* Words of its arena. */
static uint64_t *words_of(const struct ptl_patch_view *block,
			  unsigned char *bytes)
{
	return (void *)(bytes + block->head.code + block->head.code_size);
}

/* Where what calls this hook would come to if the recorder were not there. */
static uintptr_t behind(const char *hook)
{
	const void *found = ptl_lookup_first(hook, NULL);

	return found ? (uintptr_t)found : (uintptr_t)ptl_entry_none;
}

static void (*calls_entry)(void) PTL_SELDOM;

void ptl_arena_calls(void (*entry)(void))
{
	calls_entry = entry;
}

static void fill_slots(uint64_t *slot, bool has_hooks)
{
	slot[PTL_PATCH_BEGIN] = (uintptr_t)ptl_entry_begin;
	slot[PTL_PATCH_LOOP] = (uintptr_t)ptl_entry_loop;
	slot[PTL_PATCH_ENTRY] = (uintptr_t)ptl_entry_only;
	slot[PTL_PATCH_END] = (uintptr_t)ptl_entry_end;
	slot[PTL_PATCH_LEFT] = (uintptr_t)ptl_entry_left;
	slot[PTL_PATCH_BEGIN_TYPED] = (uintptr_t)ptl_entry_begin_typed;
	slot[PTL_PATCH_LOOP_TYPED] = (uintptr_t)ptl_entry_loop_typed;
	slot[PTL_PATCH_ENTRY_TYPED] = (uintptr_t)ptl_entry_only_typed;
	slot[PTL_PATCH_END_TYPED] = (uintptr_t)ptl_entry_end_typed;
	slot[PTL_PATCH_SYSTEM] = (uintptr_t)calls_entry;
	slot[PTL_PATCH_LEFT_ROLE] = (uintptr_t)ptl_entry_left_role;
	slot[PTL_PATCH_PROBE] = (uintptr_t)ptl_entry_probe;
	if (!has_hooks)
		return;
	slot[PTL_PATCH_MCOUNT] = behind("mcount");
	slot[PTL_PATCH_FENTRY] = behind("__fentry__");
	slot[PTL_PATCH_CYG_ENTER] = behind("__cyg_profile_func_enter");
	slot[PTL_PATCH_CYG_EXIT] = behind("__cyg_profile_func_exit");
}

/* What differs from process to process, but where what is known is. */
static bool complete(const struct ptl_patch_view *block, unsigned char *bytes,
		     uintptr_t at, uintptr_t base)
{
	const struct ptl_patch_block *head = &block->head;
	uint64_t *word = words_of(block, bytes);

	fill_slots((uint64_t *)(void *)bytes, head->has_hooks);
	for (uint32_t i = 0; i < head->nr_words; i++)
		word[i] += base;
	return relocate(block, bytes, at - (base + head->arena_at));
}

/* A file in memory can be mapped for code where memory that was written may not
 * become code (systemd's MemoryDenyWriteExecute, SELinux's execmem); but the
 * program can see it among its mappings. */
static bool place_file(uintptr_t at, const unsigned char *bytes, size_t size)
{
	long fd = ptl_sys(SYS_memfd_create, "ptrace-functions", 1, 0, 0);
	void *got = MAP_FAILED;

	if (fd < 0)
		return false;
	if (ptl_sys_write((int)fd, bytes, size) == (long)size)
		got = ptl_sys_mmap((void *)at, size, PROT_READ | PROT_EXEC,
				   MAP_PRIVATE | MAP_FIXED, (int)fd, 0);
	ptl_sys_close((int)fd);
	return got != MAP_FAILED;
}

/* What is to be at `at', somewhere else; MAP_FAILED, and *why. */
static unsigned char *make_bytes(const struct ptl_patch_view *block,
				 uintptr_t at, uintptr_t base, size_t size,
				 const char **why)
{
	unsigned char *bytes =
		ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
			     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	*why = "no memory";
	if (bytes == MAP_FAILED)
		return bytes;
	memcpy(bytes, block->arena, block->head.arena_size);
	if (complete(block, bytes, at, base))
		return bytes;
	*why = "no room near it";
	ptl_sys_munmap(bytes, size);
	return MAP_FAILED;
}

static bool protect(uintptr_t at, size_t size, int protection)
{
	return ptl_sys(SYS_mprotect, at, size, protection, 0) == 0;
}

/* Where it is reserved: nothing leads there yet. */
static const char *fill(const struct ptl_patch_view *block, uintptr_t at,
			uintptr_t base, size_t size)
{
	unsigned char *bytes = (unsigned char *)at;
	const char *why;

	if (!protect(at, size, PROT_READ | PROT_WRITE))
		return "no memory";
	memcpy(bytes, block->arena, block->head.arena_size);
	if (!complete(block, bytes, at, base))
		return "no room near it";
	why = ptl_known_make(block, words_of(block, bytes));
	if (!why)
		why = ptl_probes_make(block, words_of(block, bytes), base);
	if (!why && !protect(at, size, PROT_READ | PROT_EXEC) &&
	    !place_file(at, bytes, size))
		why = "the system refused memory for code";
	if (!why)
		ptl_jump_flush(at, size);
	return why;
}

/* Of an object that was at the same place, is unloaded, and comes again. */
static const struct ptl_arena *find_same(const struct ptl_patch_view *block,
					 const struct ptl_image *image,
					 size_t size)
{
	uint32_t nr = count_arenas();

	for (uint32_t i = 0; i < nr; i++) {
		const struct ptl_arena *arena = &arenas[i];
		unsigned char *bytes;
		const char *why;
		bool is_same;

		if (arena->object != image->low ||
		    arena->object_end != image->high ||
		    arena->end - arena->begin != size)
			continue;
		bytes = make_bytes(block, arena->begin, image->base, size,
				   &why);
		if (bytes == MAP_FAILED)
			continue;
		ptl_known_take(block, words_of(block, bytes),
			       words_of(block, (void *)arena->begin));
		ptl_probes_take(block, words_of(block, bytes),
				words_of(block, (void *)arena->begin));
		is_same = memcmp((const void *)arena->begin, bytes, size) == 0;
		ptl_sys_munmap(bytes, size);
		if (!is_same)
			continue;
		ptl_known_again(block, words_of(block, (void *)arena->begin));
		return arena;
	}
	return NULL;
}

static const struct ptl_arena *keep(const struct ptl_arena *arena)
{
	uint32_t nr = atomic_load_explicit(&nr_arenas, memory_order_relaxed);

	arenas[nr] = *arena;
	/* Pairs with count_arenas(). */
	atomic_store_explicit(&nr_arenas, nr + 1, memory_order_release);
	return &arenas[nr];
}

/* As many as the table says that it has; none, if they cannot be in it. */
static uint32_t count_islands(const struct ptl_patch_view *block)
{
	const struct ptl_patch_block *head = &block->head;
	uint64_t room = head->arena_size - head->islands;
	uint32_t nr;

	if (room < PTL_PATCH_TABLE)
		return 0;
	memcpy(&nr, block->arena + head->islands + 8, sizeof(nr));
	return nr <= (room - PTL_PATCH_TABLE) / PTL_PATCH_TABLE_ENTRY ? nr : 0;
}

const struct ptl_arena *ptl_arena_make(const struct ptl_patch_view *block,
				       const struct ptl_image *image,
				       const char **why)
{
	size_t size = (block->head.arena_size + PAGE - 1) & -PAGE;
	const struct ptl_arena *same = find_same(block, image, size);
	uintptr_t at;

	if (same)
		return same;
	*why = "too many objects";
	if (atomic_load_explicit(&nr_arenas, memory_order_relaxed) == ARENAS)
		return NULL;
	*why = "no room near it";
	at = find_room(block, image, size);
	if (!at)
		return NULL;
	*why = fill(block, at, image->base, size);
	if (*why) {
		ptl_sys_munmap((void *)at, size);
		return NULL;
	}
	return keep(&(struct ptl_arena){
		.begin = at,
		.end = at + size,
		.object = image->low,
		.object_end = image->high,
		.frames = at + block->head.frames,
		.islands = at + block->head.islands,
		.nr_islands = count_islands(block),
	});
}
