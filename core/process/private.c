/* SPDX-License-Identifier: MIT */
/* Other threads may be looking at it meanwhile: it changes in one step. */
#include "core/process/private.h"

#include "core/shm/names.h"
#include "core/sys/syscall.h"

#include <string.h>
#include <sys/mman.h>

static char *make(size_t size)
{
	char *to = ptl_sys_mmap(NULL, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1,
				0);

	return to == MAP_FAILED ? NULL : to;
}

static bool move(char *from, void *to, size_t size)
{
	long at = ptl_sys6(SYS_mremap, (long)from, (long)size, (long)size,
			   MREMAP_MAYMOVE | MREMAP_FIXED, (long)to, 0);

	if (at == (long)to)
		return true;
	ptl_sys_munmap(from, size);
	return false;
}

bool ptl_private_registry(struct ptl_shm_registry *shm,
			  const struct ptl_shm_entry *entry)
{
	char *copy = make(sizeof(*shm));

	if (!copy)
		return false;
	if (entry)
		memcpy(copy + ((const char *)entry - (const char *)shm), entry,
		       sizeof(*entry));
	return move(copy, shm, sizeof(*shm));
}

bool ptl_private_names(struct ptl_shm_names *names)
{
	char *copy = make(sizeof(*names));
	struct ptl_shm_names *to = (void *)copy;
	uint32_t nr, used, ready;

	if (!copy)
		return false;
	/* No page that nobody has touched: a look at one costs more than all
	 * else here. */
	nr = ptl_names_count(names);
	memcpy(to, names, offsetof(struct ptl_shm_names, entry[nr]));
	atomic_init(&to->few, 0);
	if (atomic_load_explicit(&to->moved_to, memory_order_relaxed))
		ptl_names_close(to);
	if (nr > PTL_NAMES_FEW)
		memcpy(to->index, names->index, sizeof(to->index));
	/* Foreign bytes. */
	used = atomic_load_explicit(&to->heap_used, memory_order_relaxed);
	ready = atomic_load_explicit(&to->heap_ready, memory_order_relaxed);
	memcpy(to->heap, names->heap,
	       PTL_MIN(used, PTL_MIN(ready, PTL_NAMES_HEAP)));
	return move(copy, names, sizeof(*names));
}
