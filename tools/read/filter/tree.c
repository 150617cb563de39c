/* SPDX-License-Identifier: MIT */
/* A tree of processes; see tree.h. */
#include "tools/read/filter/tree.h"

#include <stdlib.h>

#include "tools/lib/say.h"

#define HASH 1024

struct member {
	struct member *next;
	pid_t pid;
	unsigned int pidns;
	bool is_of_any, is_root;
};

struct ptl_tree {
	struct member *hash[HASH];
};

struct ptl_tree *ptl_tree_new(void)
{
	return ptl_alloc(sizeof(struct ptl_tree));
}

static struct member **find(const struct ptl_tree *tree, pid_t pid,
			    unsigned int pidns)
{
	struct member *const *link = &tree->hash[(unsigned int)pid % HASH];

	while (*link != NULL &&
	       ((*link)->pid != pid ||
		(!(*link)->is_of_any && (*link)->pidns != pidns)))
		link = &(*link)->next;
	return (struct member **)link;
}

static void add(struct ptl_tree *tree, const struct member *member)
{
	struct member **link = find(tree, member->pid, member->pidns);
	struct member *copy;

	if (*link != NULL)
		return;
	copy = ptl_alloc(sizeof(*copy));
	*copy = *member;
	*link = copy;
}

void ptl_tree_add_root(struct ptl_tree *tree, pid_t pid, unsigned int pidns,
		       bool is_of_any)
{
	add(tree, &(struct member){.pid = pid,
				   .pidns = pidns,
				   .is_of_any = is_of_any,
				   .is_root = true});
}

/* An older process of that number. */
static void forget(struct ptl_tree *tree, pid_t pid, unsigned int pidns)
{
	struct member **link = find(tree, pid, pidns), *member = *link;

	if (member == NULL || member->is_root)
		return;
	*link = member->next;
	free(member);
}

void ptl_tree_learn(struct ptl_tree *tree,
		    const struct posix_trace_event_info *event,
		    const struct ptl_args *args)
{
	const struct ptl_arg *child = ptl_decode_find(args, "child");
	const struct ptl_arg *nspid = ptl_decode_find(args, "nspid");
	const struct ptl_arg *pidns = ptl_decode_find(args, "pidns");
	struct member member = {.pidns = event->posix_pidns_np};

	if (nspid != NULL && pidns != NULL) {
		member.pid = (pid_t)nspid->value;
		member.pidns = (unsigned int)pidns->value;
	} else if (child != NULL) {
		member.pid = (pid_t)child->value;
	} else {
		return;
	}
	if (ptl_tree_has(tree, event->posix_pid, event->posix_pidns_np))
		add(tree, &member);
	else
		forget(tree, member.pid, member.pidns);
}

bool ptl_tree_has(const struct ptl_tree *tree, pid_t pid, unsigned int pidns)
{
	return *find(tree, pid, pidns) != NULL;
}
