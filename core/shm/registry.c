/* SPDX-License-Identifier: MIT */
/*
 * Blocks: one small segment for each process.  The order of steps in add and
 * drop is what makes them safe against each other: a bit is set after its
 * reference, and cleared before it.
 */
#include "core/shm/registry.h"

#include "core/shm/segment.h"
#include "core/sys/ident.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include <sys/file.h>

#define EXEC_NS UINT64_C(20000000)

void ptl_registry_unmap(struct ptl_shm_block *block)
{
	ptl_sys_munmap(block, PTL_SHM_BLOCK_SIZE);
}

void ptl_registry_unlink(int dir, const struct ptl_shm_ident *ident)
{
	char name[PTL_SHM_NAME];

	ptl_segment_name_block(name, ident->pidns, ident->pid);
	ptl_sys_unlink(dir, name);
}

int ptl_registry_attach(int dir, uint32_t uid, const char *name,
			struct ptl_shm_block **block)
{
	uint64_t size;
	void *base;
	int err = ptl_segment_attach(dir, name, PTL_SHM_MAGIC_BLOCK,
				     PTL_SHM_BLOCK_SIZE, uid, &base, &size);

	if (err)
		return err;
	if (size != PTL_SHM_BLOCK_SIZE) {
		ptl_sys_munmap(base, size);
		return EBADMSG;
	}
	*block = base;
	return 0;
}

static int attach(int dir, const struct ptl_shm_ident *ident,
		  struct ptl_shm_block **block)
{
	char name[PTL_SHM_NAME];

	ptl_segment_name_block(name, ident->pidns, ident->pid);
	return ptl_registry_attach(dir, ident->uid, name, block);
}

void ptl_registry_program(struct ptl_shm_block *block, const char *path)
{
	ptl_strcopy(block->program, sizeof(block->program), path ? path : "");
}

void ptl_registry_exec(struct ptl_shm_block *block, bool begins)
{
	atomic_store_explicit(&block->exec_since, begins ? ptl_boottime() : 0,
			      memory_order_relaxed);
}

/* No pid is used again so soon: the process of this block called exec, and we
 * are it.  What /proc says is as certain, and costs much more. */
static bool did_exec(struct ptl_shm_block *block)
{
	uint64_t since = atomic_exchange_explicit(&block->exec_since, 0,
						  memory_order_relaxed);

	return since && ptl_boottime() - since < EXEC_NS;
}

static bool is_alive(struct ptl_shm_block *block,
		     const struct ptl_shm_ident *ident)
{
	if (ident->pid == (uint32_t)ptl_sys_getpid())
		return did_exec(block) || ptl_ident_is_me(&block->ident);
	return ptl_ident_life(&block->ident, NULL) == PTL_LIFE_ALIVE;
}

bool ptl_registry_is_mine(int dir, const struct ptl_shm_ident *ident,
			  struct ptl_shm_block **block)
{
	struct ptl_shm_block *found;

	if (!ident->pidns || attach(dir, ident, &found) != 0)
		return false;
	if (found->ident.pid == ident->pid &&
	    found->ident.pidns == ident->pidns &&
	    found->parent.pid == (uint32_t)ptl_sys_getppid() &&
	    did_exec(found)) {
		*block = found;
		return true;
	}
	ptl_registry_unmap(found);
	return false;
}

/* Does the name still stand for the block that was found? */
static bool is_same(int fd, const struct ptl_shm_block *found)
{
	struct ptl_shm_ident ident;
	struct stat st;

	return ptl_sys(SYS_newfstatat, fd, "", &st, AT_EMPTY_PATH) == 0 &&
	       st.st_nlink > 0 &&
	       ptl_sys_pread(fd, &ident, sizeof(ident),
			     offsetof(struct ptl_shm_block, ident)) ==
		       (long)sizeof(ident) &&
	       ident.born == found->ident.born;
}

/*
 * Takes away the block of a dead process.  Others may have found it, too, and
 * the first that removes it makes room for a new process's block of that name:
 * so one at a time, each looking whether it still is the old one.
 */
static void bury(int dir, const struct ptl_shm_ident *ident,
		 const struct ptl_shm_block *found)
{
	char name[PTL_SHM_NAME];
	struct timespec pause = {0, 100000};
	int fd;

	ptl_segment_name_block(name, ident->pidns, ident->pid);
	/* Whatever it is by now: a user may put anything in the user's
	 * directory. */
	fd = ptl_sys_open(dir, name,
			  O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY, 0);
	if (fd < 0)
		return;
	/* A process that has it for long is stopped, or not one of ours. */
	for (unsigned int tries = 0;
	     tries < 100 && ptl_sys(SYS_flock, fd, LOCK_EX | LOCK_NB, 0, 0);
	     tries++)
		ptl_sys(SYS_nanosleep, &pause, NULL, 0, 0);
	if (is_same(fd, found))
		ptl_sys_unlink(dir, name);
	ptl_sys_close(fd);
}

int ptl_registry_find(int dir, const struct ptl_shm_ident *ident,
		      struct ptl_shm_block **block)
{
	struct ptl_shm_block *found;
	int err = attach(dir, ident, &found);

	if (err)
		return err;
	if (found->ident.pid == ident->pid &&
	    found->ident.pidns == ident->pidns && is_alive(found, ident)) {
		*block = found;
		return 0;
	}
	bury(dir, ident, found);
	ptl_registry_unmap(found);
	return ENOENT;
}

bool ptl_registry_image(int dir, const struct ptl_shm_ident *ident,
			uint32_t *image)
{
	struct ptl_shm_block block;
	char name[PTL_SHM_NAME];

	ptl_segment_name_block(name, ident->pidns, ident->pid);
	if (ptl_segment_peek(dir, name, PTL_SHM_MAGIC_BLOCK, ident->uid, 0,
			     &block, sizeof(block)) != 0 ||
	    block.ident.pid != ident->pid ||
	    block.ident.pidns != ident->pidns || !is_alive(&block, ident))
		return false;
	*image = atomic_load_explicit(&block.image, memory_order_relaxed);
	return true;
}

/* Relaxed: to map a stream its reference is loaded again, by acquire. */
static uint64_t used_refs(const struct ptl_shm_block *block)
{
	uint64_t active = 0;

	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		if (atomic_load_explicit(&block->refs[i], memory_order_relaxed))
			active |= UINT64_C(1) << i;
	return active;
}

/* Maps what is published under that name; with `at' in the place of another. */
static int map_published(int dir, int fd, const char *name, void *at,
			 struct ptl_shm_block **block)
{
	void *base =
		ptl_sys_mmap(at, PTL_SHM_BLOCK_SIZE, PROT_READ | PROT_WRITE,
			     MAP_SHARED | (at ? MAP_FIXED : 0), fd, 0);

	if (base == MAP_FAILED) {
		ptl_sys_unlink(dir, name);
		return ENOMEM;
	}
	*block = base;
	return 0;
}

/* Written, not stored: it is complete before it is mapped, and a fork child has
 * no page to fault in twice. */
int ptl_registry_create(int dir, const struct ptl_shm_ident *ident,
			struct ptl_shm_block *from, void *at,
			struct ptl_shm_block **block, bool *mine)
{
	char name[PTL_SHM_NAME], tmp[PTL_SHM_NAME];
	int fd, err;

	fd = ptl_segment_make(dir, PTL_SHM_BLOCK_SIZE, ident->uid, tmp);
	if (fd < 0)
		return -fd;
	ptl_segment_prefix(&from->prefix, PTL_SHM_MAGIC_BLOCK, sizeof(*from),
			   PTL_SHM_BLOCK_SIZE, ident->pid);
	from->ident = *ident;
	atomic_init(&from->active, used_refs(from));
	ptl_segment_name_block(name, ident->pidns, ident->pid);
	if (ptl_sys_pwrite(fd, from, sizeof(*from), 0) == sizeof(*from)) {
		err = ptl_segment_publish(dir, tmp, name);
	} else {
		ptl_sys_unlink(dir, tmp);
		err = EIO;
	}
	*mine = err == 0;
	if (err == 0)
		err = map_published(dir, fd, name, at, block);
	ptl_sys_close(fd);
	return err == EEXIST ? attach(dir, ident, block) : err;
}

static void set_bit(_Atomic uint64_t *word, unsigned int i, bool set)
{
	if (set)
		atomic_fetch_or_explicit(word, UINT64_C(1) << i,
					 memory_order_relaxed);
	else
		atomic_fetch_and_explicit(word, ~(UINT64_C(1) << i),
					  memory_order_relaxed);
}

int ptl_registry_add(struct ptl_shm_block *block, uint64_t ref, bool stranger,
		     bool calls)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++) {
		uint64_t none = 0;

		/* Pairs with ptl_registry_drop(). */
		if (!atomic_compare_exchange_strong_explicit(
			    &block->refs[i], &none, ref, memory_order_acq_rel,
			    memory_order_relaxed))
			continue;
		atomic_store_explicit(&block->missed[i], 0,
				      memory_order_relaxed);
		set_bit(&block->strangers, i, stranger);
		set_bit(&block->calls, i, calls);
		/* Pairs with ptl_attached_active(): a thread that sees the bit
		 * sees these. */
		atomic_fetch_or_explicit(&block->active, UINT64_C(1) << i,
					 memory_order_release);
		return (int)i;
	}
	return -1;
}

void ptl_registry_drop(struct ptl_shm_block *block, unsigned int i,
		       uint64_t stream)
{
	uint64_t bit = UINT64_C(1) << i;
	uint64_t ref =
		atomic_load_explicit(&block->refs[i], memory_order_relaxed);

	if (ptl_ref_stream(ref) != stream)
		return;
	/* Pairs with ptl_registry_add(). */
	atomic_fetch_and_explicit(&block->active, ~bit, memory_order_acq_rel);
	/* A controller may have put another stream here meanwhile: its bit must
	 * be set.  Pairs with ptl_registry_add(). */
	if (!atomic_compare_exchange_strong_explicit(&block->refs[i], &ref, 0,
						     memory_order_acq_rel,
						     memory_order_relaxed) &&
	    ref != 0)
		atomic_fetch_or_explicit(&block->active, bit,
					 memory_order_release);
}

void ptl_registry_miss(struct ptl_shm_block *block, unsigned int i)
{
	if (atomic_load_explicit(&block->refs[i], memory_order_relaxed))
		atomic_fetch_add_explicit(&block->missed[i], 1,
					  memory_order_relaxed);
}

void ptl_registry_wake(struct ptl_shm_block *block)
{
	/* Pairs with ptl_attached_active(). */
	atomic_fetch_or_explicit(&block->active, used_refs(block),
				 memory_order_release);
}

int ptl_registry_index(const struct ptl_shm_block *block, uint64_t stream)
{
	for (unsigned int i = 0; i < PTL_MAX_STREAMS; i++)
		if (ptl_ref_stream(atomic_load_explicit(
			    &block->refs[i], memory_order_relaxed)) == stream)
			return (int)i;
	return -1;
}
