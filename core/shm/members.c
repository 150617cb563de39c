/* SPDX-License-Identifier: MIT */
/* Each change is one compare-and-swap of an entry's word, so that of two who
 * would record an end one does. */
#include "core/shm/members.h"

#include "core/sys/ident.h"

static uint64_t get(const struct ptl_shm_member *member)
{
	return atomic_load_explicit(&member->word, memory_order_relaxed);
}

static bool change(struct ptl_shm_member *member, uint64_t from, uint64_t to)
{
	/* Pairs with itself: `born' is that of the word. */
	return atomic_compare_exchange_strong_explicit(&member->word, &from, to,
						       memory_order_acq_rel,
						       memory_order_relaxed);
}

struct ptl_shm_member *ptl_members_find(struct ptl_map *map, uint32_t pid)
{
	struct ptl_shm_member *member = map->log->bridges.member;

	for (unsigned int i = 0; i < PTL_SHM_MEMBERS; i++)
		if (ptl_member_pid(get(&member[i])) == pid)
			return &member[i];
	return NULL;
}

void ptl_members_enter(struct ptl_map *map, uint32_t pid, uint32_t image,
		       uint32_t state, uint64_t born)
{
	uint64_t word = ptl_member_word(pid, image, state);
	struct ptl_shm_member *member = ptl_members_find(map, pid);

	if (!member) {
		member = ptl_members_find(map, 0);
		/* Another was faster: the next free one, once. */
		if (member && !change(member, 0, word))
			member = ptl_members_find(map, 0);
	}
	if (!member)
		return;
	member->born = born;
	/* Pairs with look_at_members() in bridges.c. */
	atomic_store_explicit(&member->word, word, memory_order_release);
}

bool ptl_members_claim_end(struct ptl_map *map, uint32_t pid, uint32_t *image)
{
	struct ptl_shm_member *member = ptl_members_find(map, pid);
	uint64_t word = member ? get(member) : 0;
	uint32_t state = ptl_member_state(word);

	if (ptl_member_pid(word) != pid ||
	    (state != PTL_MEMBER_JOINED && state != PTL_MEMBER_MISSING))
		return false;
	*image = ptl_member_image(word);
	return change(member, word,
		      ptl_member_word(pid, *image, PTL_MEMBER_ENDED));
}

void ptl_members_ended(struct ptl_map *map, uint32_t pid)
{
	uint32_t image;

	ptl_members_claim_end(map, pid, &image);
}

enum ptl_life ptl_members_life(const struct ptl_map *map,
			       const struct ptl_shm_member *member, int *status)
{
	struct ptl_shm_ident ident = {
		.pid = ptl_member_pid(get(member)),
		.pidns = map->head->creator.pidns,
		.born = member->born,
	};

	*status = -1;
	/* Of another namespace. */
	if (map->tid_mark || (int)ident.pid <= 0)
		return PTL_LIFE_ALIVE;
	if (ident.born == 0)
		return ptl_tid_alive((int)ident.pid) ? PTL_LIFE_ALIVE :
						       PTL_LIFE_GONE;
	return ptl_ident_life(&ident, status);
}

bool ptl_members_live(struct ptl_map *map)
{
	struct ptl_shm_member *member = map->log->bridges.member;
	int status;

	/* There only the kernel's count is known. */
	if (map->tid_mark)
		return false;
	for (unsigned int i = 0; i < PTL_SHM_MEMBERS; i++) {
		uint64_t word = get(&member[i]);

		if (word && ptl_member_state(word) != PTL_MEMBER_ENDED &&
		    ptl_members_life(map, &member[i], &status) ==
			    PTL_LIFE_ALIVE)
			return true;
	}
	return false;
}
