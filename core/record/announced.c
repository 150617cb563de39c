/* SPDX-License-Identifier: MIT */
#include "core/record/announced.h"

#include "core/record/attached.h"
#include "core/sys/syscall.h"

/* As many as are recorded by their own calls (preload/raw/pass.c). */
#define CHILDREN 64

/* Children beside their parents; of one that is free all is 0. */
static struct ptl_announced children[CHILDREN] PTL_BULK;

static uint32_t pid_of(const struct ptl_announced *child)
{
	/* Pairs with put(). */
	return atomic_load_explicit(&child->pid, memory_order_acquire);
}

static struct ptl_announced *find(uint32_t pid)
{
	for (int i = 0; i < CHILDREN; i++)
		if (pid_of(&children[i]) == pid)
			return &children[i];
	return NULL;
}

struct ptl_announced *ptl_announced_find(struct ptl_slot *slot, uint32_t pid)
{
	struct ptl_announced *child =
		slot->attention & PTL_ATTENTION_CLONE ? find(pid) : NULL;

	if (!child && pid_of(&slot->announced) == pid)
		child = &slot->announced;
	return child;
}

struct ptl_announced *ptl_announced_add(struct ptl_slot *slot, uint32_t pid)
{
	int nr = slot->attention & PTL_ATTENTION_CLONE ? CHILDREN : 0;

	for (int i = 0; i < nr; i++) {
		uint32_t none = 0;

		if (atomic_compare_exchange_strong_explicit(
			    &children[i].pid, &none, pid, memory_order_relaxed,
			    memory_order_relaxed))
			return &children[i];
	}
	slot->announced.pidns = slot->announced.at = 0;
	atomic_store_explicit(&slot->announced.pid, pid, memory_order_relaxed);
	return &slot->announced;
}

static void put(struct ptl_announced *child)
{
	child->pidns = child->at = 0;
	/* Pairs with pid_of(). */
	atomic_store_explicit(&child->pid, 0, memory_order_release);
}

/* Of one in another namespace its number says nothing here: if it is still
 * there, it is announced again. */
static bool has_gone(const struct ptl_announced *child, uint32_t pid)
{
	if (child->pidns && child->pidns != (uint32_t)ptl_attached.ident.pidns)
		return true;
	return ptl_sys(SYS_kill, pid, 0, 0, 0) == -ESRCH;
}

void ptl_announced_sweep(void)
{
	for (int i = 0; i < CHILDREN; i++) {
		uint32_t pid = pid_of(&children[i]);

		if (pid && has_gone(&children[i], pid))
			put(&children[i]);
	}
}

void ptl_announced_forked(void)
{
	for (int i = 0; i < CHILDREN; i++)
		if (pid_of(&children[i]))
			put(&children[i]);
}
