/* SPDX-License-Identifier: MIT */
/* Each change is one compare-and-swap of an entry's word, so that of two who
 * would record an end one does. */
#include "core/shm/members.h"

#include "core/sys/ident.h"
#include "core/sys/pidns.h"

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

static bool is_of(const struct ptl_shm_member *member,
		  const struct ptl_shm_ident *who)
{
	return ptl_member_pid(get(member)) == who->pid &&
	       member->pidns == who->pidns;
}

struct ptl_shm_member *ptl_members_find(struct ptl_map *map,
					const struct ptl_shm_ident *who)
{
	struct ptl_shm_member *member = map->log->bridges.member;

	for (unsigned int i = 0; i < PTL_SHM_MEMBERS; i++)
		if (is_of(&member[i], who))
			return &member[i];
	return NULL;
}

/* A free place, with that word; NULL: there is none. */
static struct ptl_shm_member *take_free(struct ptl_map *map, uint64_t word)
{
	struct ptl_shm_member *member = map->log->bridges.member;

	for (unsigned int i = 0; i < PTL_SHM_MEMBERS; i++)
		if (get(&member[i]) == 0 && change(&member[i], 0, word))
			return &member[i];
	return NULL;
}

void ptl_members_enter(struct ptl_map *map, const struct ptl_shm_ident *who,
		       uint32_t image, uint32_t state)
{
	uint64_t word = ptl_member_word(who->pid, image, state);
	struct ptl_shm_member *member = ptl_members_find(map, who);

	if (!member)
		member = take_free(map, word);
	if (!member)
		return;
	member->born = who->born;
	member->pidns = who->pidns;
	/* Pairs with look_at_members() in bridges.c. */
	atomic_store_explicit(&member->word, word, memory_order_release);
}

bool ptl_members_claim_end(struct ptl_map *map, const struct ptl_shm_ident *who,
			   uint32_t *image)
{
	struct ptl_shm_member *member = ptl_members_find(map, who);
	uint64_t word = member ? get(member) : 0;
	uint32_t state = ptl_member_state(word);

	if (ptl_member_pid(word) != who->pid ||
	    (state != PTL_MEMBER_JOINED && state != PTL_MEMBER_MISSING))
		return false;
	*image = ptl_member_image(word);
	return change(member, word,
		      ptl_member_word(who->pid, *image, PTL_MEMBER_ENDED));
}

void ptl_members_forget(struct ptl_map *map, const struct ptl_shm_ident *who)
{
	struct ptl_shm_member *member = ptl_members_find(map, who);

	if (member)
		atomic_store_explicit(&member->word, 0, memory_order_relaxed);
}

struct ptl_shm_ident ptl_members_ident(const struct ptl_shm_member *member)
{
	return (struct ptl_shm_ident){
		.pid = ptl_member_pid(get(member)),
		.pidns = member->pidns,
		.born = member->born,
	};
}

bool ptl_members_is_elsewhere(const struct ptl_shm_member *member)
{
	return member->pidns != ptl_ident_our_pidns();
}

enum ptl_life ptl_members_life(struct ptl_shm_member *member, bool last,
			       int *status)
{
	struct ptl_shm_ident ident = ptl_members_ident(member);

	*status = -1;
	if (ident.pidns == ptl_ident_our_pidns())
		return ptl_ident_life(&ident, status);
	/* One that was missing the last time is looked for at once. */
	return (last || ptl_member_state(get(member)) == PTL_MEMBER_MISSING ||
		ptl_pidns_may_look(&ident, &member->look_again)) &&
			       ptl_pidns_gone(&ident) ?
		       PTL_LIFE_GONE :
		       PTL_LIFE_ALIVE;
}

bool ptl_members_live(struct ptl_map *map)
{
	struct ptl_shm_member *member = map->log->bridges.member;
	int status;

	for (unsigned int i = 0; i < PTL_SHM_MEMBERS; i++) {
		uint64_t word = get(&member[i]);

		if (word && ptl_member_state(word) != PTL_MEMBER_ENDED &&
		    !ptl_members_is_elsewhere(&member[i]) &&
		    ptl_members_life(&member[i], false, &status) ==
			    PTL_LIFE_ALIVE)
			return true;
	}
	return false;
}
