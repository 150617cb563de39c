/* SPDX-License-Identifier: MIT */
/* What ptrace-run is to do when something happens: --when EXPR --do ACTION. */
#ifndef PTL_TOOLS_MONITOR_TRIGGER_TRIGGERS_H
#define PTL_TOOLS_MONITOR_TRIGGER_TRIGGERS_H

#include <stdbool.h>
#include <stddef.h>

#include "tools/monitor/wire/looked.h"
#include "tools/read/filter/where_parse.h"

#define PTL_TRIGGER_ACTS 8

enum ptl_do {
	PTL_DO_START,
	PTL_DO_STOP,
	PTL_DO_MARK,
	PTL_DO_SNAPSHOT,
	PTL_DO_EXEC,
	PTL_DO_STACK, /* which there is not */
	PTL_DO_NONE,
};

struct ptl_trigger_act {
	enum ptl_do kind;
	const char *text; /* or NULL: there is none */
};

struct ptl_trigger {
	const char *when;
	struct ptl_where *where;
	struct ptl_trigger_act act[PTL_TRIGGER_ACTS];
	size_t nr_acts;
};

struct ptl_triggers {
	struct ptl_trigger trigger[PTL_TRIGGERS_MAX];
	size_t nr;
	char *const *env; /* of commands, for exec */
	char *directory;  /* that they run in, and names of files begin at */
};

/* The next one.  False: why is said. */
bool ptl_triggers_add(struct ptl_triggers *triggers, const char *when);

/* What the last one does, too.  False: why is said. */
bool ptl_triggers_do(struct ptl_triggers *triggers, const char *action);

/* Takes an action apart.  NULL, or what is wrong with it. */
const char *ptl_triggers_act(const char *action, struct ptl_trigger_act *act);

/* In place of one that is forgotten: it matches nothing. */
struct ptl_trigger ptl_trigger_none(void);
bool ptl_triggers_are_any(const struct ptl_triggers *triggers);

/* Is each whole?  False: why is said. */
bool ptl_triggers_check(const struct ptl_triggers *triggers, bool is_snapshot);

/* Does one of them do that? */
bool ptl_triggers_have(const struct ptl_triggers *triggers, enum ptl_do kind);

/* Says which names of expressions may be mistyped: no event that is known now
 * has such a field. */
void ptl_triggers_warn(const struct ptl_triggers *triggers);

#endif
