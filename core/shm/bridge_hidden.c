/* SPDX-License-Identifier: MIT */
/* Bridges that are for others to remove. */
#include "core/shm/bridge.h"
#include "core/sys/syscall.h"

#include <sys/shm.h>

/* Is there what its maker was killed over before it let the stream's user have
 * it, too?  In a user namespace that user may not touch it. */
static bool is_barred(uint64_t word)
{
	struct shmid_ds ds;
	long id = ptl_sys(SYS_shmget, ptl_guest_key(word), 0, 0, 0);

	return id >= 0 && ptl_sys(SYS_shmctl, id, IPC_STAT, &ds, 0) == -EACCES;
}

unsigned int ptl_bridge_hidden(const struct ptl_map *map)
{
	bool elsewhere = ptl_bridge_any(map) && ptl_bridge_is_elsewhere(map);
	unsigned int nr = 0;

	for (unsigned int i = 0; i < PTL_SHM_GUESTS; i++) {
		/* Relaxed: its maker is dead, or it is not our business. */
		uint64_t word = atomic_load_explicit(
			&map->log->bridges.guest[i].word, memory_order_relaxed);

		nr += word && (elsewhere || is_barred(word));
	}
	return nr;
}
