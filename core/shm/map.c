/* SPDX-License-Identifier: MIT */
/*
 * Mapping stream segments; the geometry rule is in geometry().  Entries come
 * from a static pool: recording threads attach, and they cannot malloc.
 */
#include "core/shm/map.h"

#include "core/format/chunk_words.h"
#include "core/format/record.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"

#include <string.h>
#include <trace.h>

#define PAGE 4096u
#define CHUNK_MIN (8u * 1024)
#define CHUNK_MAX (64u * 1024)
/* Chunks are no longer than this for the sake of large records alone. */
#define CHUNK_LARGE (1024u * 1024)
#define MAX_CHUNKS 0xffffu
/* Below what a slot's word says if there is no chunk (slot.h). */
#define CHUNK_LIMIT (UINT64_C(1) << 33)
#define POOL_SIZE (3 * PTL_MAX_STREAMS)
/* By how many chunks a stream may grow at most, and by how many times
 * stream-min-size (growth.h). */
#define GROWTH_CHUNKS 1024u
#define GROWTH_TIMES 16u
/* Of a bridge: its chunks together, and how many there are at least. */
#define BRIDGE_SIZE (1024u * 1024)
#define BRIDGE_CHUNKS_MIN 12u

/* Few processes are in more streams at once than in the first. */
static struct ptl_map first[2];
static struct ptl_map pool[POOL_SIZE] PTL_BULK;

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
	uint64_t chunk_size, nr_first, nr_chunks;
	uint64_t table_off, log_off, chunks_off, total;
};

/* What a record has before it at worst: its stack, and a span. */
static uint64_t worst_before(uint32_t stack_depth)
{
	return ptl_record_stack_bytes(stack_depth) + PTL_RECORD_HEADER +
	       sizeof(struct ptl_shm_span);
}

/* A worst-case record of a stream with the span it may need. */
static uint64_t worst_record(uint64_t max_data, uint32_t stack_depth)
{
	return ptl_map_max_record(max_data) + worst_before(stack_depth);
}

/* The same, but for FILTER, of which there are few. */
static uint64_t worst_usual(uint64_t max_data, uint32_t stack_depth)
{
	return ptl_align8(PTL_RECORD_HEADER_EXT + max_data) +
	       worst_before(stack_depth);
}

static uint64_t chunk_size(const struct ptl_shm_attr *attr)
{
	uint64_t record = worst_record(attr->max_data, attr->stack_depth);
	uint64_t usual = worst_usual(attr->max_data, attr->stack_depth);
	uint64_t size = PTL_MAX(attr->stream_size / 64, CHUNK_MIN);
	uint64_t some = PTL_MAX(4 * usual, record + usual);

	size = PTL_MIN(size, CHUNK_MAX);
	/* A thread that claims or flushes looks at all of them. */
	size = PTL_MAX(size, PTL_MIN(attr->stream_size / 512, 4 * CHUNK_MAX));
	/* Of a stream so large there would be too many. */
	size = PTL_MAX(size, attr->stream_size / (MAX_CHUNKS / 4));
	if (some <= PTL_MAX(size, CHUNK_LARGE))
		return align_page(PTL_MAX(size, some));
	/* No event that must not be lost is larger than stream-min-size. */
	return align_page(
		PTL_MAX(size, record + PTL_MIN(record, attr->stream_size)));
}

/*
 * How many chunks are needed, given their size, for all that must not be lost.
 * A chunk is left when a record does not fit any more; the largest that counts
 * is no larger than stream-min-size.
 */
static uint64_t needed(const struct ptl_shm_attr *attr, uint64_t size)
{
	uint64_t record =
		PTL_MIN(worst_record(attr->max_data, attr->stack_depth),
			attr->stream_size);

	return (attr->stream_size + size - record - 1) / (size - record);
}

/* Chunks left to threads that share: so many of them may be interrupted, or
 * killed, while they hold one, and the others get on. */
static uint32_t min_shared(uint64_t size)
{
	return size <= 4 * CHUNK_MAX ? 4 : 2;
}

/*
 * Beyond what is needed there is one for the controller (chunk.c), those for
 * sharing, and one for each of so many threads, which may hold it for ever and
 * write little to it.  When these are gone, threads share: each claims a chunk
 * for one record at a time, which is slow, but loses nothing.
 */
static uint64_t spare(uint64_t need, uint64_t size)
{
	if (size <= 4 * CHUNK_MAX)
		return PTL_MAX(24, need / 3);
	return 1 + min_shared(size) + 2;
}

static bool sane(const struct ptl_shm_attr *attr)
{
	return attr->max_data <= UINT64_C(1) << 40 &&
	       attr->stream_size <= UINT64_C(1) << 44 &&
	       attr->stack_depth <= PTL_STACK_MAX;
}

static void place(struct geometry *geo)
{
	geo->table_off = PAGE;
	geo->log_off = align_page(
		geo->table_off + geo->nr_chunks * sizeof(struct ptl_shm_chunk));
	geo->chunks_off = align_page(geo->log_off + sizeof(struct ptl_shm_log));
	geo->total = geo->chunks_off + geo->nr_chunks * geo->chunk_size;
}

/* Where events go on to a log there may be more of them on their way than
 * stream-min-size, and any number of threads. */
static uint64_t growth(const struct ptl_shm_attr *attr, uint64_t size)
{
	uint64_t more;

	if (attr->stream_policy != POSIX_TRACE_FLUSH &&
	    attr->stream_policy != POSIX_TRACE_BLOCK_NP)
		return 0;
	more = PTL_MIN(GROWTH_TIMES * attr->stream_size, PTL_SHM_GROWTH);
	return PTL_MIN(more / size, GROWTH_CHUNKS);
}

static bool geometry(const struct ptl_shm_attr *attr, bool grows,
		     struct geometry *geo)
{
	uint64_t need, more;

	if (!sane(attr))
		return false;
	geo->chunk_size = chunk_size(attr);
	if (geo->chunk_size > CHUNK_LIMIT)
		return false;
	need = needed(attr, geo->chunk_size);
	geo->nr_first = need + spare(need, geo->chunk_size);
	if (geo->nr_first > MAX_CHUNKS)
		return false;
	more = grows ? growth(attr, geo->chunk_size) : 0;
	geo->nr_chunks = PTL_MIN(geo->nr_first + more, MAX_CHUNKS);
	place(geo);
	return true;
}

/* Of so many chunks of that size, how many may be kept. */
static uint32_t max_kept(const struct ptl_shm_attr *attr, uint64_t size,
			 uint64_t nr)
{
	uint64_t other;

	if (!sane(attr) ||
	    size <= PTL_MIN(worst_record(attr->max_data, attr->stack_depth),
			    attr->stream_size))
		return 0;
	other = needed(attr, size) + 1 + min_shared(size);
	return (uint32_t)(nr > other ? nr - other : 0);
}

static struct ptl_map *take_from(struct ptl_map *map, unsigned int nr)
{
	for (; nr > 0; nr--, map++) {
		uint32_t expected = 0;

		/* Its last user is done with it.  Pairs with pool_put(). */
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

/* Fills in an entry from a segment whose prefix is good; checks the rest. */
static bool adopt(struct ptl_map *map, void *base, uint64_t size, uint32_t uid)
{
	/* Checked and used from a copy: a peer may change it meanwhile. */
	const struct ptl_shm_head copy = *(const struct ptl_shm_head *)base;
	const struct ptl_shm_head *head = &copy;
	uint64_t nr = head->nr_chunks, chunk = head->chunk_size;

	if (size < PAGE + sizeof(struct ptl_shm_log) || nr == 0 ||
	    nr > MAX_CHUNKS || head->nr_first == 0 || head->nr_first > nr ||
	    chunk < CHUNK_MIN || chunk % PAGE != 0 || chunk > size ||
	    chunk > CHUNK_LIMIT || head->table_off % 64 != 0 ||
	    head->log_off % 64 != 0 || head->chunks_off % PAGE != 0 ||
	    head->table_off < sizeof(*head) || head->table_off > size ||
	    nr * sizeof(struct ptl_shm_chunk) > size - head->table_off ||
	    head->log_off > size - sizeof(struct ptl_shm_log) ||
	    head->chunks_off > size || nr > (size - head->chunks_off) / chunk ||
	    head->max_data > chunk || head->attr.stack_depth > PTL_STACK_MAX ||
	    worst_record(head->max_data, head->attr.stack_depth) > chunk ||
	    !ptl_clock_allowed(head->clock))
		return false;
	map->head = base;
	map->chunks = (unsigned char *)base + head->chunks_off;
	map->chunk_size = chunk;
	map->max_data = head->max_data;
	map->stack_depth = head->attr.stack_depth;
	map->nr_chunks = (uint32_t)nr;
	map->nr_first = head->nr_first;
	map->max_kept = max_kept(&head->attr, chunk, head->nr_first);
	map->min_shared = min_shared(chunk);
	map->clock = head->clock;
	map->table = (void *)((unsigned char *)base + head->table_off);
	map->log = (void *)((unsigned char *)base + head->log_off);
	map->id = head->prefix.id;
	map->size = size;
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

int ptl_map_enter(void *base, uint64_t size, uint32_t uid, uint64_t id,
		  struct ptl_map **out)
{
	struct ptl_map *map = pool_take();

	if (map && adopt(map, base, size, uid) && map->id == id) {
		*out = map;
		return 0;
	}
	ptl_sys_munmap(base, size);
	if (!map)
		return ENOMEM;
	pool_put(map);
	return EBADMSG;
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
		      const struct geometry *geo)
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

int ptl_map_create(int dir, uint32_t uid, const struct ptl_shm_attr *attr,
		   const struct ptl_shm_ident *creator, uint64_t names,
		   char *tmp, struct ptl_map **out)
{
	struct geometry geo;
	struct ptl_map *map;
	uint64_t id;
	void *base;
	int err;

	/* Any size may be asked for: there just is not that much. */
	if (!geometry(attr, uid == ptl_sys_geteuid(), &geo) ||
	    (geo.total > ptl_segment_limit() && !geometry(attr, false, &geo)))
		return ENOMEM;
	map = pool_take();
	if (!map)
		return ENOMEM;
	err = ptl_segment_create_growing(
		dir, geo.chunks_off + geo.nr_first * geo.chunk_size, geo.total,
		uid, tmp, &base);
	if (err)
		goto err_pool;
	id = ptl_segment_new_id();
	fill_head(base, id, attr, creator, names, &geo);
	if (!adopt(map, base, geo.total, uid)) {
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

static void bridge_geometry(const struct ptl_map *map, struct geometry *geo)
{
	uint64_t nr = PTL_MAX(BRIDGE_SIZE / map->chunk_size, BRIDGE_CHUNKS_MIN);

	geo->chunk_size = map->chunk_size;
	geo->nr_first = geo->nr_chunks = PTL_MIN(nr, PTL_BRIDGE_CHUNKS);
	place(geo);
}

uint64_t ptl_map_bridge_size(const struct ptl_map *map)
{
	struct geometry geo;

	bridge_geometry(map, &geo);
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
	struct geometry geo;

	bridge_geometry(map, &geo);
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

/* The same pages a second time, for an old size of 0.  NULL: no room. */
static unsigned char *map_again(const struct ptl_map *map)
{
	long to = ptl_sys(SYS_mremap, map->head, 0, map->size, MREMAP_MAYMOVE);

	return to < 0 && to > -4096 ? NULL : (unsigned char *)to;
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
