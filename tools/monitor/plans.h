/* SPDX-License-Identifier: MIT */
/*
 * Patches for what a traced process has loaded and its stream has none for: the
 * program of a child, an object that was opened later.  The process asks at a
 * socket, and hands over the file (core/format/patches.h).  The helper of -f
 * looks at each file once; what it makes goes to all who ask, as a file in
 * memory that nobody can change.  Nothing here waits.
 */
#ifndef PTL_TOOLS_MONITOR_PLANS_H
#define PTL_TOOLS_MONITOR_PLANS_H

#include <poll.h>

#include "preload/settings/settings.h"
#include "tools/monitor/starter.h"
#include "tools/monitor/symbols/kept.h"
#include "tools/monitor/wire/listener.h"

/* So many can be heard at a time, and so many files be looked at; others wait
 * until they are let in. */
#define PTL_PLANS_CLIENTS 32
#define PTL_PLANS_HELPERS 2
#define PTL_PLANS_FDS (2 + PTL_PLANS_CLIENTS + PTL_PLANS_HELPERS)

struct ptl_patch_source;
struct ptl_plan_file;

struct ptl_plans {
	struct ptl_listener listener;
	const struct ptl_settings *settings;
	struct {
		int fd;			    /* -1: none */
		struct ptl_plan_file *file; /* that it waits for */
	} client[PTL_PLANS_CLIENTS];
	struct ptl_plan_file *helped[PTL_PLANS_HELPERS];
	struct ptl_plan_file **file;
	size_t nr, room;
	struct ptl_keeping kept;
	struct ptl_starter starter;
};

/* Makes the socket, if anybody may need it: for -f, --reach, symbols. */
void ptl_plans_open(struct ptl_plans *plans,
		    const struct ptl_settings *settings);
void ptl_plans_close(struct ptl_plans *plans);

/* Hears those who have not been heard. */
void ptl_plans_drain(struct ptl_plans *plans);

/* Where to ask; false: nowhere. */
bool ptl_plans_source(const struct ptl_plans *plans,
		      struct ptl_patch_source *source);

/* Fills in PTL_PLANS_FDS elements for poll(2), and deals with what it found. */
void ptl_plans_poll(const struct ptl_plans *plans, struct pollfd *fds);
void ptl_plans_serve(struct ptl_plans *plans, const struct pollfd *fds);

#endif
