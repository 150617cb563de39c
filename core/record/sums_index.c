/* SPDX-License-Identifier: MIT */
/* The table doubles; the entries stay where they are.  See sums_index.h. */
#include "core/record/sums_index.h"

#include "core/buffer/slot.h"
#include "core/sys/syscall.h"

#define FIRST_BLOCK UINT64_C(256)
#define FIRST_SHIFT 54 /* a table of 2^10 */

static uint64_t places(const struct ptl_sum_table *table)
{
	return UINT64_C(1) << (64 - table->shift);
}

static size_t bytes_of(uint32_t shift)
{
	return sizeof(struct ptl_sum_table) +
	       ((size_t)1 << (64 - shift)) * sizeof(struct ptl_sum_entry *);
}

static void *get_memory(size_t size)
{
	void *memory = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
				    MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

static void put(struct ptl_sum_table *table, struct ptl_sum_entry *entry)
{
	uint64_t mask = places(table) - 1;
	uint64_t i = ptl_sum_hash(entry->callee, entry->place) >> table->shift;

	while (table->at[i])
		i = (i + 1) & mask;
	/* Complete before a handler can find it. */
	PTL_HANDLER_FENCE();
	table->at[i] = entry;
	table->used++;
}

/* A table with more room in place of this one. */
static void grow(struct ptl_sum_index *index)
{
	struct ptl_sum_table *old = index->table, *table;
	uint32_t shift = old ? old->shift - 1 : FIRST_SHIFT;

	if (shift < 32)
		return;
	table = get_memory(bytes_of(shift));
	if (!table)
		return;
	table->shift = shift;
	for (uint64_t i = 0; old && i < places(old); i++)
		if (old->at[i])
			put(table, old->at[i]);
	PTL_HANDLER_FENCE();
	index->table = table;
	PTL_HANDLER_FENCE();
	if (old)
		ptl_sys_munmap(old, bytes_of(old->shift));
}

/* Where entry number n is: in which block, of so many entries, and where in
 * that. */
static unsigned int block_of(uint64_t n, uint64_t *size, uint64_t *at)
{
	unsigned int block =
		63 - (unsigned int)__builtin_clzll(n / FIRST_BLOCK + 1);

	*size = FIRST_BLOCK << block;
	*at = n - (*size - FIRST_BLOCK);
	return block;
}

static struct ptl_sum_entry *new_entry(struct ptl_sum_index *index)
{
	struct ptl_sum_entry *memory, *none = NULL;
	uint64_t n, size, at;
	unsigned int block;

	do {
		n = index->used;
		block = block_of(n, &size, &at);
		if (block >= PTL_SUM_BLOCKS)
			return NULL;
		memory = index->block[block];
		if (memory)
			continue;
		memory = get_memory(size * sizeof(*memory));
		if (!memory)
			return NULL;
		/* A handler may have been here. */
		if (!__atomic_compare_exchange_n(
			    &index->block[block], &none, memory, false,
			    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			ptl_sys_munmap(memory, size * sizeof(*memory));
			memory = none;
		}
	} while (!ptl_word_change(&index->used, n, n + 1));
	return &memory[at];
}

static __attribute__((noinline)) struct ptl_sum_entry *
add(struct ptl_sum_index *index, uint64_t callee, uint64_t place, bool nested)
{
	struct ptl_sum_entry *entry, *function = NULL;

	if (place) {
		function = ptl_sum_index_get(index, callee, 0, nested);
		if (!function)
			return NULL;
	}
	/* A frame that was interrupted may be looking at it. */
	if (!nested &&
	    (!index->table || index->table->used * 2 >= places(index->table)))
		grow(index);
	/* Some places stay empty, or a search would not end. */
	if (!index->table ||
	    index->table->used + 8 > places(index->table) / 8 * 7)
		return NULL;
	entry = new_entry(index);
	if (!entry)
		return NULL;
	*entry = (struct ptl_sum_entry){
		.callee = callee, .place = place, .function = function};
	put(index->table, entry);
	return entry;
}

struct ptl_sum_entry *ptl_sum_index_get(struct ptl_sum_index *index,
					uint64_t callee, uint64_t place,
					bool nested)
{
	struct ptl_sum_entry *entry = ptl_sum_index_find(index, callee, place);

	return entry ? entry : add(index, callee, place, nested);
}

void ptl_sum_index_forget(struct ptl_sum_index *index)
{
	uint64_t size, at;

	for (uint64_t n = 0; n < index->used; n++)
		index->block[block_of(n, &size, &at)][at].record = NULL;
}

void ptl_sum_index_free(struct ptl_sum_index *index)
{
	for (unsigned int i = 0; i < PTL_SUM_BLOCKS; i++)
		if (index->block[i])
			ptl_sys_munmap(index->block[i],
				       (FIRST_BLOCK << i) *
					       sizeof(*index->block[i]));
	if (index->table)
		ptl_sys_munmap(index->table, bytes_of(index->table->shift));
}
