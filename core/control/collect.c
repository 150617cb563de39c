/* SPDX-License-Identifier: MIT */
/*
 * What the dead left.  Everything found there may vanish while it is looked at,
 * and may be damaged: what cannot be attached is removed only if its owner is
 * known to be dead.
 */
#include "core/control/collect.h"

#include "core/control/processes.h"
#include "core/control/recover.h"
#include "core/control/survey.h"
#include "core/record/slots.h"
#include "core/shm/family.h"
#include "core/shm/place.h"
#include "core/control/beside.h"
#include "core/shm/registry.h"
#include "core/shm/segment.h"
#include "core/sys/clock.h"
#include "core/sys/ident.h"
#include "core/sys/pidns.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <sys/socket.h>
#include <sys/un.h>

/* How old what was begun by a process of another pid namespace must be. */
#define ABANDONED_S 60

/* Sockets by which a controller takes requests: "ctl.PID", "ask.PID". */
#define SOCKET_PREFIX_SIZE 4
static const char *const socket_prefix[] = {"ctl.", "ask."};

struct live {
	uint32_t uid;
	unsigned int count;
};

static int collect_stream(int dir, const char *name, void *arg)
{
	struct live *live = arg;
	const char *hex = name + 2;
	uint64_t id = ptl_atou(&hex, 16);

	if (ptl_recover(dir, live->uid, id, -1) == EBUSY)
		live->count++;
	return 0;
}

/* Of those only how many there are. */
static int count_stream(int dir, const char *name, void *arg)
{
	struct live *live = arg;
	const char *hex = name + 2;

	live->count += ptl_recover_controller_lives(dir, live->uid,
						    ptl_atou(&hex, 16));
	return 0;
}

static bool is_old(int dir, const char *name)
{
	struct ptl_kstat st;

	return ptl_sys(SYS_newfstatat, dir, name, &st, AT_SYMLINK_NOFOLLOW) ==
		       0 &&
	       (int64_t)(ptl_clock_ns(CLOCK_REALTIME) / 1000000000) -
			       st.st_mtime >=
		       ABANDONED_S;
}

/* "x.NS.PID.…": a process was killed while it made a segment.  Of another pid
 * namespace that cannot be known; but making one takes no time. */
static int collect_temporary(int dir, const char *name, void *arg)
{
	const char *digits = name + 2;
	uint64_t pidns = ptl_atou(&digits, 10);
	int pid;

	(void)arg;
	digits += *digits == '.';
	pid = (int)ptl_atou(&digits, 10);
	if (pidns == ptl_pidns() ? !ptl_tid_alive(pid) : is_old(dir, name))
		ptl_sys_unlink(dir, name);
	return 0;
}

/* A path that is too long for an address is of no socket. */
static bool connects_to(const struct sockaddr_un *address)
{
	int fd = (int)ptl_sys(SYS_socket, AF_UNIX,
			      SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0,
			      0);
	int err;

	if (fd < 0)
		return true;
	err = (int)ptl_sys(SYS_connect, fd, address, sizeof(*address), 0);
	ptl_sys_close(fd);
	/* Else it is not known. */
	return err != -ECONNREFUSED;
}

/* Is there a controller of that number in our pid namespace?  Another process
 * may have the number of one that was in a container. */
static bool controls(const struct ptl_registry *reg, uint32_t pid)
{
	const struct ptl_shm_entry *entry;
	uint32_t at = 0;
	uint64_t key;

	if (!reg)
		return true;
	while ((entry = ptl_registry_next_of(reg, pid, &at, &key)) != NULL)
		if (entry->ident.pidns == ptl_ident_our_pidns() &&
		    ptl_registry_says(entry, PTL_ENTRY_CONTROLS))
			return ptl_tid_alive((int)pid);
	return false;
}

struct sockets {
	uint32_t uid;
	const struct ptl_registry *reg; /* NULL: it cannot be had */
};

/* Who makes one gives it its name when it listens already. */
static int collect_socket(int dir, const char *name, void *arg)
{
	const struct sockets *sockets = arg;
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const char *digits = name + SOCKET_PREFIX_SIZE;
	int place = ptl_rundir_place(sockets->uid);
	char *path = address.sun_path;
	size_t size;

	/* Nobody of another pid namespace is asked while there is one here. */
	if (place < 0 ||
	    controls(sockets->reg, (uint32_t)ptl_atou(&digits, 10)))
		return 0;
	ptl_place_path(path, sockets->uid, (unsigned int)place);
	size = ptl_strlen(path);
	path[size++] = '/';
	if (ptl_strcopy(path + size, sizeof(address.sun_path) - size, name) ==
		    ptl_strlen(name) &&
	    !connects_to(&address))
		ptl_sys_unlink(dir, name);
	return 0;
}

struct table {
	uint32_t uid;
	uint64_t id;
	uint64_t came_from; /* by that id processes may still know it */
	struct ptl_shm_ident maker;
};

static bool names_table(const struct ptl_shm_entry *entry,
			const struct table *table)
{
	uint64_t id = atomic_load_explicit(&entry->names, memory_order_relaxed);

	return id == table->id || (id && id == table->came_from);
}

/* The process that made it, if it still has an entry, may be about to name the
 * table in one. */
static bool process_uses_table(const struct ptl_registry *reg,
			       const struct table *table)
{
	const struct ptl_shm_entry *entry = &reg->shm->common;
	uint32_t at = 0;
	uint64_t key;

	do
		if (names_table(entry, table) ||
		    (table->maker.pid && entry->ident.pid == table->maker.pid &&
		     entry->ident.pidns == table->maker.pidns &&
		     entry->ident.born == table->maker.born))
			return true;
	while ((entry = ptl_registry_next(reg, &at, &key)) != NULL);
	return false;
}

static int stream_uses_table(int dir, const char *name, void *arg)
{
	struct table *table = arg;
	const char *hex = name + 2;
	struct ptl_map *map;
	int err = ptl_map_attach(dir, table->uid, ptl_atou(&hex, 16), &map);
	bool used;

	if (err)
		return !ptl_segment_is_gone(err);
	used = map->head->names == table->id;
	ptl_map_detach(map);
	return used;
}

/* False: it is not known what it is. */
static bool look_into_table(int dir, struct table *table)
{
	struct ptl_shm_names *names;
	int err = ptl_family_find(dir, table->uid, table->id, &names);

	if (err)
		return ptl_segment_is_gone(err);
	table->came_from =
		atomic_load_explicit(&names->came_from, memory_order_relaxed);
	table->maker = names->maker;
	ptl_sys_munmap(names, sizeof(*names));
	return true;
}

static int collect_table(int dir, const char *name, void *arg)
{
	const struct ptl_registry *reg = arg;
	const char *hex = name + 2;
	struct table table = {.uid = reg->uid, .id = ptl_atou(&hex, 16)};

	if (look_into_table(dir, &table) && !process_uses_table(reg, &table) &&
	    !ptl_rundir_each(dir, "s.", stream_uses_table, &table))
		ptl_sys_unlink(dir, name);
	return 0;
}

static void collect_all(int dir, struct live *live)
{
	struct ptl_registry reg;
	/* Of a registry that cannot be had nothing is known. */
	bool known = ptl_processes_open(dir, live->uid, &reg) == 0;
	struct sockets sockets = {live->uid, known ? &reg : NULL};

	if (known)
		ptl_survey(&reg, dir);
	ptl_rundir_each(dir, "s.", collect_stream, live);
	ptl_beside_collect(dir);
	ptl_rundir_each(dir, "x.", collect_temporary, NULL);
	/* A filter of system calls may have its own view of sockets. */
	for (size_t i = 0;
	     ptl_slots_may_call() && i < PTL_ARRAY_SIZE(socket_prefix); i++)
		ptl_rundir_each(dir, socket_prefix[i], collect_socket,
				&sockets);
	if (!known)
		return;
	ptl_rundir_each(dir, "t.", collect_table, &reg);
	ptl_processes_close(&reg);
}

unsigned int ptl_collect(uint32_t uid)
{
	struct live live = {uid, 0};
	int dir = ptl_rundir_open(uid, false);

	if (dir < 0)
		return 0;
	if (ptl_processes_foreign(uid))
		ptl_rundir_each(dir, "s.", count_stream, &live);
	else
		collect_all(dir, &live);
	ptl_sys_close(dir);
	return live.count;
}
