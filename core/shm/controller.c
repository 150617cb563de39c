/* SPDX-License-Identifier: MIT */
#include "core/shm/controller.h"

#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/sys/ident.h"
#include "core/sys/lifeline.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"

#define LINE_AT 0
#define GUARD_AT 1

/* How long a program may take to start, as seen from another pid namespace. */
#define EXEC_NS UINT64_C(10000000000)

static int open_segment(int dir, const char *name)
{
	return ptl_sys_open(dir, name,
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
}

/* Of the controller, or of a guardian. */
static enum ptl_lifeline ask(int dir, const char *name, uint64_t at)
{
	enum ptl_lifeline life;
	int fd = open_segment(dir, name);

	if (fd < 0)
		return PTL_LIFELINE_UNKNOWN;
	life = ptl_lifeline_ask(fd, at);
	ptl_sys_close(fd);
	return life;
}

static void *take(int dir, const char *name, uint64_t at)
{
	int fd = open_segment(dir, name);
	void *line;

	if (fd < 0)
		return NULL;
	line = ptl_lifeline_take(fd, at, true, true);
	ptl_sys_close(fd);
	return line;
}

void *ptl_controller_guards(int dir, const char *name)
{
	return take(dir, name, GUARD_AT);
}

void *ptl_controller_holds(int dir, const char *name, struct ptl_shm_head *head)
{
	void *line = take(dir, name, LINE_AT);

	if (!line)
		return NULL;
	/* An emulated kernel may have locks that mappings do not keep. */
	if (ask(dir, name, LINE_AT) != PTL_LIFELINE_HELD) {
		ptl_lifeline_drop(line);
		return NULL;
	}
	/* Pairs with ptl_controller_gone(): the lock is there. */
	atomic_store_explicit(&head->lifeline, 1, memory_order_release);
	return line;
}

void ptl_controller_execs(struct ptl_shm_head *head)
{
	atomic_store_explicit(&head->exec_since, ptl_boottime(),
			      memory_order_relaxed);
}

/* The program after an exec may be traced by the stream the one before it
 * created: then it has the segment mapped, too. */
static bool has_new_image(int dir, const struct ptl_shm_head *head)
{
	const struct ptl_shm_entry *entry;
	struct ptl_registry reg;
	uint64_t key, image = 0;

	if (ptl_registry_open(dir, head->creator.uid, false, &reg) != 0)
		return false;
	entry = ptl_registry_find(&reg, &head->creator, 0, &key);
	if (entry)
		image = 1 + (uint64_t)atomic_load_explicit(
				    &entry->image, memory_order_relaxed);
	ptl_registry_close(&reg);
	return entry && image != head->creator_image;
}

/* In the directory of a user whom it traces it may have no entry: then its maps
 * tell. */
static bool is_gone_by_pid(int dir, const struct ptl_shm_head *head)
{
	char name[PTL_SHM_NAME];

	/* The creator's number means another process here, or none. */
	if (head->creator.pidns != ptl_pidns())
		return ptl_pidns_gone(&head->creator);
	if (ptl_ident_life(&head->creator, NULL) != PTL_LIFE_ALIVE)
		return true;
	if (head->creator_image == PTL_IMAGE_ANY)
		return false;
	if (has_new_image(dir, head))
		return true;
	ptl_segment_name_stream(name, head->prefix.id);
	return !ptl_proc_maps((int)head->creator.pid, name);
}

/* No image has the lifeline while one follows another. */
static bool is_between_images(const struct ptl_shm_head *head)
{
	uint64_t since;

	if (head->creator_image != PTL_IMAGE_ANY)
		return false;
	if (head->creator.pidns == ptl_pidns())
		return ptl_ident_life(&head->creator, NULL) == PTL_LIFE_ALIVE;
	since = atomic_load_explicit(&head->exec_since, memory_order_relaxed);
	return since && ptl_boottime() - since < EXEC_NS;
}

bool ptl_controller_is_due(int dir, const struct ptl_shm_head *head)
{
	char name[PTL_SHM_NAME];

	/* Pairs with ptl_controller_holds(). */
	if (!atomic_load_explicit(&head->lifeline, memory_order_acquire))
		return is_gone_by_pid(dir, head);
	ptl_segment_name_stream(name, head->prefix.id);
	return ask(dir, name, LINE_AT) == PTL_LIFELINE_FREE &&
	       !is_between_images(head);
}

bool ptl_controller_gone(int dir, const struct ptl_shm_head *head)
{
	char name[PTL_SHM_NAME];

	if (!ptl_controller_is_due(dir, head))
		return false;
	ptl_segment_name_stream(name, head->prefix.id);
	return ask(dir, name, GUARD_AT) == PTL_LIFELINE_FREE;
}

bool ptl_controller_left(const struct ptl_map *map)
{
	bool gone;
	int dir;

	/* From behind a bridge nobody can ask: the lock is on the segment. */
	if (map->bridge)
		return false;
	dir = ptl_rundir_open(map->uid, false);
	if (dir < 0)
		return false;
	gone = ptl_controller_gone(dir, map->head);
	ptl_sys_close(dir);
	return gone;
}
