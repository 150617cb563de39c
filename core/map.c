/* SPDX-License-Identifier: MIT */
/*
 * Mapping stream segments; the geometry rule is in geometry().  Entries come
 * from a static pool: recording threads attach, and they cannot malloc.
 */
#include "core/map.h"

#include "core/chunk.h"
#include "core/clock.h"
#include "core/record.h"
#include "core/shm.h"
#include "core/sys.h"

#include <string.h>

#define PAGE 4096u
#define CHUNK_MIN (8u * 1024)
#define CHUNK_MAX (64u * 1024)
/*
 * Chunks beyond stream-min-size: each live thread may hold one that is
 * mostly empty.  When even these are gone, threads share (chunk.c).
 */
#define SPARE_CHUNKS 24u
#define POOL_SIZE (2 * PTL_MAX_STREAMS)

static struct ptl_map pool[POOL_SIZE];

uint64_t ptl_map_pidns;

uint64_t ptl_map_max_record(uint64_t max_data)
{
	uint64_t filter = 2 * PTL_ID_LIMIT / 8;

	/* START and FILTER data are never cut by max-data-size. */
	return ptl_align8(PTL_RECORD_HEADER_EXT + PTL_MAX(max_data, filter));
}

static uint64_t align_page(uint64_t size)
{
	return (size + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

struct geometry {
	uint64_t chunk_size, nr_chunks;
	uint64_t table_off, log_off, chunks_off, total;
};

/*
 * A chunk holds four worst-case records, so that at most a quarter is lost
 * at its end; there are enough for stream-min-size after that loss.
 */
static bool geometry(const struct ptl_shm_attr *attr, struct geometry *geo)
{
	uint64_t record, size, usable;

	if (attr->max_data > UINT64_C(1) << 40 ||
	    attr->stream_size > UINT64_C(1) << 44 ||
	    attr->stack_depth > PTL_STACK_MAX)
		return false;
	record = ptl_map_max_record(attr->max_data) +
		 ptl_record_stack_bytes(attr->stack_depth) + PTL_RECORD_HEADER +
		 sizeof(struct ptl_shm_span);
	size = attr->stream_size / 64;
	size = PTL_MIN(PTL_MAX(size, CHUNK_MIN), CHUNK_MAX);
	size = align_page(PTL_MAX(size, 4 * record));
	usable = size - record;
	geo->chunk_size = size;
	geo->nr_chunks =
		(attr->stream_size + usable - 1) / usable + SPARE_CHUNKS;
	if (geo->nr_chunks > 0xffff)
		return false;
	geo->table_off = PAGE;
	geo->log_off = align_page(
		geo->table_off + geo->nr_chunks * sizeof(struct ptl_shm_chunk));
	geo->chunks_off = align_page(geo->log_off + sizeof(struct ptl_shm_log));
	geo->total = geo->chunks_off + geo->nr_chunks * geo->chunk_size;
	return true;
}

static struct ptl_map *pool_take(void)
{
	for (unsigned int i = 0; i < POOL_SIZE; i++) {
		uint32_t expected = 0;

		if (atomic_compare_exchange_strong_explicit(
			    &pool[i].used, &expected, 1, memory_order_relaxed,
			    memory_order_relaxed))
			return &pool[i];
	}
	return NULL;
}

/* Fills in an entry from a segment whose prefix is good; checks the rest. */
static bool adopt(struct ptl_map *map, void *base, uint64_t size, uint32_t uid)
{
	/* Checked and used from a copy: a peer may change it meanwhile. */
	const struct ptl_shm_head copy = *(const struct ptl_shm_head *)base;
	const struct ptl_shm_head *head = &copy;
	uint64_t nr = head->nr_chunks, chunk = head->chunk_size;

	if (size < PAGE + sizeof(struct ptl_shm_log) || nr == 0 ||
	    nr > 0xffff || chunk < CHUNK_MIN || chunk % PAGE != 0 ||
	    chunk > size || head->table_off % 64 != 0 ||
	    head->log_off % 64 != 0 || head->chunks_off % PAGE != 0 ||
	    head->table_off < sizeof(*head) || head->table_off > size ||
	    nr * sizeof(struct ptl_shm_chunk) > size - head->table_off ||
	    head->log_off > size - sizeof(struct ptl_shm_log) ||
	    head->chunks_off > size || nr > (size - head->chunks_off) / chunk ||
	    head->max_data > chunk || head->attr.stack_depth > PTL_STACK_MAX ||
	    ptl_map_max_record(head->max_data) +
			    ptl_record_stack_bytes(head->attr.stack_depth) >
		    chunk / 2 ||
	    !ptl_clock_allowed(head->clock))
		return false;
	map->head = base;
	map->chunks = (unsigned char *)base + head->chunks_off;
	map->chunk_size = chunk;
	map->max_data = head->max_data;
	map->stack_depth = head->attr.stack_depth;
	map->nr_chunks = (uint32_t)nr;
	map->clock = head->clock;
	map->table = (void *)((unsigned char *)base + head->table_off);
	map->log = (void *)((unsigned char *)base + head->log_off);
	map->id = head->prefix.id;
	map->size = size;
	map->uid = uid;
	map->tid_mark =
		head->creator.pidns == ptl_map_pidns ? 0 : PTL_TID_FOREIGN;
	return true;
}

int ptl_map_attach(int dir, uint32_t uid, uint64_t id, struct ptl_map **out)
{
	char name[PTL_SHM_NAME];
	struct ptl_map *map;
	uint64_t size;
	void *base;
	int err;

	ptl_shm_name_stream(name, id);
	err = ptl_shm_attach(dir, name, PTL_SHM_MAGIC_STREAM,
			     sizeof(struct ptl_shm_head), uid, &base, &size);
	if (err)
		return err;
	map = pool_take();
	if (!map) {
		err = ENOMEM;
		goto err_unmap;
	}
	if (!adopt(map, base, size, uid) || map->id != id) {
		err = EBADMSG;
		goto err_pool;
	}
	*out = map;
	return 0;
err_pool:
	atomic_store_explicit(&map->used, 0, memory_order_relaxed);
err_unmap:
	ptl_sys_munmap(base, size);
	return err;
}

static void fill_head(struct ptl_shm_head *head, uint64_t id,
		      const struct ptl_shm_attr *attr,
		      const struct ptl_shm_ident *creator, uint64_t names,
		      const struct geometry *geo)
{
	ptl_shm_prefix(&head->prefix, PTL_SHM_MAGIC_STREAM, sizeof(*head),
		       geo->total, id);
	head->creator = *creator;
	head->table_off = geo->table_off;
	head->clock = ptl_clock_choose();
	head->max_data = attr->max_data;
	head->chunk_size = geo->chunk_size;
	head->chunks_off = geo->chunks_off;
	head->nr_chunks = (uint32_t)geo->nr_chunks;
	head->log_off = geo->log_off;
	head->names = names;
	head->attr = *attr;
}

int ptl_map_create(int dir, uint32_t uid, const struct ptl_shm_attr *attr,
		   const struct ptl_shm_ident *creator, uint64_t names,
		   struct ptl_map **out)
{
	char name[PTL_SHM_NAME], tmp[PTL_SHM_NAME];
	struct geometry geo;
	struct ptl_map *map;
	uint64_t id;
	void *base;
	int err;

	if (!geometry(attr, &geo))
		return EINVAL;
	map = pool_take();
	if (!map)
		return ENOMEM;
	err = ptl_shm_create(dir, geo.total, uid, tmp, &base);
	if (err)
		goto err_pool;
	id = ptl_shm_new_id();
	fill_head(base, id, attr, creator, names, &geo);
	if (!adopt(map, base, geo.total, uid)) {
		ptl_sys_unlink(dir, tmp);
		err = EINVAL;
		goto err_unmap;
	}
	for (uint32_t i = 0; i < map->nr_chunks; i++)
		ptl_chunk_init(&map->table[i]);
	ptl_shm_name_stream(name, id);
	err = ptl_shm_publish(dir, tmp, name);
	if (err)
		goto err_unmap;
	*out = map;
	return 0;
err_unmap:
	ptl_sys_munmap(base, geo.total);
err_pool:
	atomic_store_explicit(&map->used, 0, memory_order_relaxed);
	return err;
}

void ptl_map_detach(struct ptl_map *map)
{
	ptl_sys_munmap(map->head, map->size);
	/* Pairs with pool_take(): the entry is only read after it was filled.
	 */
	atomic_store_explicit(&map->used, 0, memory_order_release);
}

struct ptl_map *ptl_map_part(struct ptl_map *map)
{
	unsigned char *from = (unsigned char *)map->head, *to;
	struct ptl_map *parted = pool_take();

	if (!parted)
		return NULL;
	/* Of an old size of 0: the same pages, a second time. */
	to = (unsigned char *)ptl_sys(SYS_mremap, from, 0, map->size,
				      MREMAP_MAYMOVE);
	if ((long)to < 0 && (long)to > -4096)
		goto err_pool;
	if (ptl_sys_mmap(from, map->size, PROT_READ | PROT_WRITE,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
			 0) == MAP_FAILED)
		goto err_unmap;
	memcpy(from, to, map->size);
	*parted = *map;
	parted->head = (void *)to;
	parted->chunks = to + (map->chunks - from);
	parted->table = (void *)(to + ((unsigned char *)map->table - from));
	parted->log = (void *)(to + ((unsigned char *)map->log - from));
	return parted;
err_unmap:
	ptl_sys_munmap(to, map->size);
err_pool:
	atomic_store_explicit(&parted->used, 0, memory_order_relaxed);
	return NULL;
}
