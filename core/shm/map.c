/* SPDX-License-Identifier: MIT */
/*
 * Mapping stream segments; the rule of their geometry is geometry.c's.  Entries
 * come from a static pool: recording threads attach, and they cannot malloc.
 */
#include "core/shm/map.h"

#include "core/format/chunk_words.h"
#include "core/shm/geometry.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/memory.h"
#include "core/sys/syscall.h"

#include <string.h>
#include <sys/resource.h>
#include <trace.h>

#define PAGE 4096u
#define POOL_SIZE (3 * PTL_MAX_STREAMS)
/* A stream may grow by these parts of the memory that there may be, and of what
 * is free in its file system. */
#define GROWTH_OF_MEMORY 64
#define GROWTH_OF_SPACE 4
/* By so much for a program that has limits. */
#define GROWTH_BOUNDED (UINT64_C(8) << 20)
/* Any program may keep so much in memory; who may more means to. */
#define LOCKED (UINT64_C(8) << 20)
/* Few processes are in more streams at once than in the first. */
static struct ptl_map first[2];
static struct ptl_map pool[POOL_SIZE] PTL_BULK;

static struct ptl_map *take_from(struct ptl_map *map, unsigned int nr)
{
	for (; nr > 0; nr--, map++) {
		uint32_t expected = 0;

		/* The mapping's last user is done with it.  Pairs with
		 * pool_put(). */
		if (atomic_compare_exchange_strong_explicit(
			    &map->used, &expected, 1, memory_order_acquire,
			    memory_order_relaxed))
			return map;
	}
	return NULL;
}

static struct ptl_map *pool_take(void)
{
	struct ptl_map *map = take_from(first, PTL_ARRAY_SIZE(first));

	return map ? map : take_from(pool, POOL_SIZE);
}

static void pool_put(struct ptl_map *map)
{
	/* Pairs with pool_take(). */
	atomic_store_explicit(&map->used, 0, memory_order_release);
}

void ptl_map_moved(struct ptl_map *map)
{
	/* Thread ids of other namespaces mean nothing there. */
	map->tid_mark = map->creator_pidns == (uint32_t)ptl_ident_pidns ?
				0 :
				PTL_TID_FOREIGN;
}

/* Fills in an entry from a segment whose prefix is good, and of which `mapped'
 * bytes are mapped; checks the rest. */
static bool adopt(struct ptl_map *map, void *base, uint64_t size,
		  uint64_t mapped, uint32_t uid)
{
	/* Checked and used from a copy: a peer may change it meanwhile. */
	const struct ptl_shm_head copy = *(const struct ptl_shm_head *)base;
	const struct ptl_shm_head *head = &copy;
	uint64_t nr = head->nr_chunks, chunk = head->chunk_size;

	if (mapped < PAGE + sizeof(struct ptl_shm_log) || nr == 0 ||
	    nr > PTL_MAX_CHUNKS || head->nr_first == 0 || head->nr_first > nr ||
	    chunk < PTL_CHUNK_MIN || chunk % PAGE != 0 || chunk > size ||
	    chunk > PTL_CHUNK_LIMIT || head->table_off % 64 != 0 ||
	    head->log_off % 64 != 0 || head->chunks_off % PAGE != 0 ||
	    head->table_off < sizeof(*head) || head->table_off > mapped ||
	    nr * sizeof(struct ptl_shm_chunk) > mapped - head->table_off ||
	    head->log_off > mapped - sizeof(struct ptl_shm_log) ||
	    head->chunks_off > size || nr > (size - head->chunks_off) / chunk ||
	    head->max_data > chunk || head->attr.stack_depth > PTL_STACK_MAX ||
	    ptl_geometry_worst(head->max_data, head->attr.stack_depth) >
		    chunk ||
	    !ptl_clock_allowed(head->clock) || mapped < head->chunks_off)
		return false;
	nr = PTL_MIN(nr, (mapped - head->chunks_off) / chunk);
	if (nr < head->nr_first)
		return false;
	map->head = base;
	map->chunks = (unsigned char *)base + head->chunks_off;
	map->chunk_size = chunk;
	map->max_data = head->max_data;
	map->stack_depth = head->attr.stack_depth;
	map->nr_chunks = (uint32_t)nr;
	map->nr_first = head->nr_first;
	map->max_kept = ptl_geometry_kept(&head->attr, chunk, head->nr_first);
	map->min_shared = ptl_geometry_shared(chunk);
	map->clock = head->clock;
	map->table = (void *)((unsigned char *)base + head->table_off);
	map->log = (void *)((unsigned char *)base + head->log_off);
	map->id = head->prefix.id;
	map->size = mapped;
	map->uid = uid;
	map->is_copy = false;
	atomic_init(&map->is_told, false);
	map->bridge = 0;
	for (unsigned int i = 0; i < PTL_VAIN_NR; i++)
		atomic_init(&map->vain[i], 0);
	map->creator_uid = head->creator.uid;
	map->creator_pidns = (uint32_t)head->creator.pidns;
	ptl_map_moved(map);
	return true;
}

static int enter(void *base, uint64_t size, uint64_t mapped, uint32_t uid,
		 uint64_t id, struct ptl_map **out)
{
	struct ptl_map *map = pool_take();

	if (map && adopt(map, base, size, mapped, uid) && map->id == id) {
		*out = map;
		return 0;
	}
	ptl_sys_munmap(base, mapped);
	if (!map)
		return ENOMEM;
	pool_put(map);
	return EBADMSG;
}

int ptl_map_enter(void *base, uint64_t size, uint32_t uid, uint64_t id,
		  struct ptl_map **out)
{
	return enter(base, size, size, uid, id, out);
}

int ptl_map_attach(int dir, uint32_t uid, uint64_t id, struct ptl_map **out)
{
	char name[PTL_SHM_NAME];
	uint64_t size;
	void *base;
	int err;

	ptl_segment_name_stream(name, id);
	err = ptl_segment_attach(dir, name, PTL_SHM_MAGIC_STREAM,
				 sizeof(struct ptl_shm_head), uid, &base,
				 &size);
	return err ? err : ptl_map_enter(base, size, uid, id, out);
}

/* Is so much of its address space, or of memory that is never paged out, more
 * than a program can spare? */
static bool is_bounded(void)
{
	struct rlimit space = {RLIM_INFINITY, RLIM_INFINITY}, locked = {0, 0};

	ptl_sys(SYS_prlimit64, 0, RLIMIT_AS, NULL, &space);
	ptl_sys(SYS_prlimit64, 0, RLIMIT_MEMLOCK, NULL, &locked);
	/* Who has no limit means to, too. */
	return space.rlim_cur != RLIM_INFINITY || locked.rlim_cur > LOCKED;
}

/* How much of it a recorder maps that is bounded; 0: all of it. */
static uint64_t least_part(int dir, uint32_t uid, const char *name)
{
	struct ptl_shm_head head;

	if (!is_bounded())
		return 0;
	if (ptl_segment_peek(dir, name, PTL_SHM_MAGIC_STREAM, uid, 0, &head,
			     sizeof(head)) != 0 ||
	    head.nr_first > PTL_MAX_CHUNKS ||
	    head.chunk_size > PTL_CHUNK_LIMIT ||
	    head.chunks_off > PTL_CHUNK_LIMIT)
		return 0;
	return head.chunks_off + head.nr_first * head.chunk_size +
	       GROWTH_BOUNDED;
}

int ptl_map_attach_recorder(int dir, uint32_t uid, uint64_t id,
			    struct ptl_map **out)
{
	struct ptl_segment_growing growing = {sizeof(struct ptl_shm_head), 0};
	char name[PTL_SHM_NAME];
	uint64_t size;
	void *base;
	int err;

	ptl_segment_name_stream(name, id);
	growing.room = least_part(dir, uid, name);
	if (growing.room == 0)
		return ptl_map_attach(dir, uid, id, out);
	err = ptl_segment_attach_growing(dir, name, PTL_SHM_MAGIC_STREAM,
					 &growing, uid, &base, &size);
	if (err)
		return err;
	if (growing.room > size) {
		ptl_sys_munmap((char *)base + size, growing.room - size);
		growing.room = size;
	}
	return enter(base, size, growing.room, uid, id, out);
}

int ptl_map_copy(int dir, uint32_t uid, uint64_t id, struct ptl_map **out)
{
	char name[PTL_SHM_NAME];
	uint64_t size;
	void *base;
	int err;

	ptl_segment_name_stream(name, id);
	err = ptl_segment_copy(dir, name, PTL_SHM_MAGIC_STREAM,
			       sizeof(struct ptl_shm_head), uid, &base, &size);
	if (!err)
		err = ptl_map_enter(base, size, uid, id, out);
	if (!err)
		(*out)->is_copy = true;
	return err;
}

static void fill_head(struct ptl_shm_head *head, uint64_t id,
		      const struct ptl_shm_attr *attr,
		      const struct ptl_shm_ident *creator, uint64_t names,
		      const struct ptl_geometry *geo)
{
	ptl_segment_prefix(&head->prefix, PTL_SHM_MAGIC_STREAM, sizeof(*head),
			   geo->total, id);
	head->creator = *creator;
	head->table_off = geo->table_off;
	head->clock = ptl_clock_choose();
	head->max_data = attr->max_data;
	head->chunk_size = geo->chunk_size;
	head->chunks_off = geo->chunks_off;
	head->nr_chunks = (uint32_t)geo->nr_chunks;
	head->nr_first = (uint32_t)geo->nr_first;
	atomic_init(&head->present, head->nr_first);
	head->log_off = geo->log_off;
	head->names = names;
	head->attr = *attr;
}

/*
 * By how much it may grow: what a traced program needs is not taken from it,
 * be it memory, or space of its own in that file system.
 */
static uint64_t growth_room(int dir, uint32_t uid,
			    const struct ptl_shm_attr *attr)
{
	uint64_t memory, space;

	if (uid != ptl_sys_geteuid())
		return 0;
	if (!ptl_geometry_is_free(attr))
		return UINT64_MAX;
	memory = ptl_memory_limit() / GROWTH_OF_MEMORY;
	space = ptl_memory_free_at(dir) / GROWTH_OF_SPACE;
	return PTL_MIN(memory, space);
}

/* A segment of that shape.  Returns 0 or ENOMEM, ENOSPC, errno. */
static int make_segment(int dir, uint32_t uid, const struct ptl_shm_attr *attr,
			bool is_tight, struct ptl_geometry *geo, char *tmp,
			void **base)
{
	uint64_t room = growth_room(dir, uid, attr), most = ptl_segment_limit();

	/* Any size may be asked for: there just is not that much. */
	for (;; room /= 2) {
		if (!ptl_geometry_of(attr, room, is_tight, geo))
			return ENOMEM;
		if (geo->total <= most || room == 0)
			break;
	}
	return ptl_segment_create_growing(
		dir, geo->chunks_off + geo->nr_first * geo->chunk_size,
		geo->total, uid, tmp, base);
}

int ptl_map_create(int dir, uint32_t uid, const struct ptl_shm_attr *attr,
		   const struct ptl_shm_ident *creator, uint64_t names,
		   char *tmp, struct ptl_map **out)
{
	struct ptl_map *map = pool_take();
	struct ptl_geometry geo;
	uint64_t id;
	void *base;
	int err;

	if (!map)
		return ENOMEM;
	err = make_segment(dir, uid, attr, false, &geo, tmp, &base);
	if (err == ENOSPC)
		err = make_segment(dir, uid, attr, true, &geo, tmp, &base);
	if (err)
		goto err_pool;
	id = ptl_segment_new_id();
	fill_head(base, id, attr, creator, names, &geo);
	if (!adopt(map, base, geo.total, geo.total, uid)) {
		ptl_sys_unlink(dir, tmp);
		err = EINVAL;
		goto err_unmap;
	}
	for (uint32_t i = 0; i < map->nr_first; i++)
		ptl_chunk_init(&map->table[i], id);
	*out = map;
	return 0;
err_unmap:
	ptl_sys_munmap(base, geo.total);
err_pool:
	pool_put(map);
	return err;
}

int ptl_map_publish(int dir, const char *tmp, const struct ptl_map *map)
{
	char name[PTL_SHM_NAME];

	ptl_segment_name_stream(name, map->id);
	return ptl_segment_publish(dir, tmp, name);
}

uint64_t ptl_map_bridge_size(const struct ptl_map *map)
{
	struct ptl_geometry geo;

	ptl_geometry_bridge(map->chunk_size, &geo);
	return geo.total;
}

/* No number of a chunk's life is one that another bridge in its place had: the
 * log says by them what it has (takeover.c). */
void ptl_map_bridge_fill(const struct ptl_map *map, void *base, uint32_t seed)
{
	struct ptl_shm_attr attr = map->head->attr;
	struct ptl_shm_chunk *table;
	struct ptl_shm_head *head = base;
	uint64_t life = (uint64_t)seed << 32;
	struct ptl_geometry geo;

	ptl_geometry_bridge(map->chunk_size, &geo);
	/* What must not be lost for want of chunks that threads keep. */
	attr.stream_size = geo.chunk_size * (geo.nr_chunks / 4);
	fill_head(head, map->id, &attr, &map->head->creator, map->head->names,
		  &geo);
	head->clock = map->clock;
	head->max_data = map->max_data;
	table = (void *)((unsigned char *)base + geo.table_off);
	for (uint32_t i = 0; i < geo.nr_chunks; i++) {
		ptl_chunk_init(&table[i], map->id);
		atomic_init(&table[i].life, ++life);
	}
	atomic_init(&head->claim_seq, life);
}

void ptl_map_detach(struct ptl_map *map)
{
	ptl_sys_munmap(map->head, map->size);
	pool_put(map);
}

/* Maps the pages a second time, for an old size of 0, in place of others. NULL:
 * no room. */
static unsigned char *map_again(const struct ptl_map *map)
{
	void *room = ptl_sys_mmap(NULL, map->size, PROT_NONE,
				  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
				  -1, 0);
	long to;

	if (room == MAP_FAILED)
		return NULL;
	to = ptl_sys6(SYS_mremap, (long)map->head, 0, (long)map->size,
		      MREMAP_MAYMOVE | MREMAP_FIXED, (long)room, 0);
	if (to == (long)room)
		return room;
	ptl_sys_munmap(room, map->size);
	return NULL;
}

struct ptl_map *ptl_map_part(struct ptl_map *map)
{
	unsigned char *from = (unsigned char *)map->head, *to = NULL;
	/* Chunks that are not there are not to be read: then they would be. */
	uint64_t size = (uint64_t)(map->chunks - from) +
			ptl_map_present(map) * map->chunk_size;
	struct ptl_map *parted = pool_take();

	if (parted)
		to = map_again(map);
	if (ptl_sys_mmap(from, map->size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED |
				 MAP_NORESERVE,
			 -1, 0) == MAP_FAILED)
		goto err;
	if (!to) {
		/* Nothing of the stream is left to us, then. */
		atomic_init(&map->head->state, PTL_STATE_DEAD);
		goto err;
	}
	memcpy(from, to, size);
	ptl_head_set_apart((struct ptl_shm_head *)from);
	*parted = *map;
	parted->head = (void *)to;
	parted->chunks = to + (map->chunks - from);
	parted->table = (void *)(to + ((unsigned char *)map->table - from));
	parted->log = (void *)(to + ((unsigned char *)map->log - from));
	return parted;
err:
	if (to)
		ptl_sys_munmap(to, map->size);
	if (parted)
		pool_put(parted);
	return NULL;
}

/* `filters' is set before the first of the words, taken back after the last. */
void ptl_map_set_filter(struct ptl_map *map, const uint64_t *word)
{
	struct ptl_shm_head *head = map->head;
	uint64_t all = 0;

	for (unsigned int i = 0; i < PTL_FILTER_WORDS; i++)
		all |= word[i];
	/* Pairs with ptl_fastpath_emit(). */
	if (all)
		atomic_store_explicit(&head->filters, 1, memory_order_release);
	for (unsigned int i = 0; i < PTL_FILTER_WORDS; i++)
		atomic_store_explicit(&head->filter[i], word[i],
				      memory_order_relaxed);
	/* Pairs with ptl_fastpath_emit(). */
	if (!all)
		atomic_store_explicit(&head->filters, 0, memory_order_release);
}
