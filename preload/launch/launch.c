/* SPDX-License-Identifier: MIT */
#include "preload/launch/launch.h"

#include "core/core.h"
#include "core/format/patches.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/launch/filter.h"
#include "preload/launch/limits.h"
#include "preload/libc/elf.h"
#include "preload/libc/env.h"
#include "preload/libc/readable.h"
#include "preload/libc/room.h"
#include "preload/patch/ask.h"
#include "preload/patch/patch.h"

#include <errno.h>
#include <linux/limits.h>

#define TEXT_SIZE 512
/* A longer path of ours is not looked at. */
#define LIBRARY_SIZE 512
#define NO_LIBRARY "libptrace.so is not there: "

static void record_untraced(const struct ptl_launch *launch, const char *reason)
{
	unsigned char data[TEXT_SIZE];
	struct ptl_payload payload = {data, sizeof(data), 0};
	struct ptl_scratch scratch;

	if (!launch->path)
		return;
	ptl_core_untraced(launch->path, reason, launch->spawns);
	ptl_room_get(&payload, &scratch, launch->path);
	payload.room -= PTL_ROOM_BESIDE;
	ptl_put_string(&payload, launch->path);
	payload.room += PTL_ROOM_BESIDE;
	ptl_put_string(&payload, reason);
	ptl_core_event(PTL_EV_PROCESS_UNTRACED, payload.data, payload.size,
		       launch->addr);
	ptl_scratch_put(&scratch);
}

/* EFAULT for a bad path, which is then unknown. */
static int check_file(struct ptl_launch *launch, struct ptl_elf *elf)
{
	switch (launch->by) {
	case PTL_LAUNCH_SEARCH:
		return ptl_elf_check_search(launch->path, elf);
	case PTL_LAUNCH_FD:
		return ptl_elf_check(launch->dir, NULL, elf);
	case PTL_LAUNCH_PATH_OR_FD:
		return ptl_elf_check(launch->dir,
				     launch->path[0] ? launch->path : NULL,
				     elf);
	case PTL_LAUNCH_PATH:
		break;
	}
	return ptl_elf_check(launch->dir, launch->path, elf);
}

/* Of a loader that is run as a program: does it run another? */
static bool runs_none(char *const *argv)
{
	static const char *const with_value[] = {"--library-path", "--preload",
						 "--audit", "--argv0",
						 "--inhibit-rpath"};
	uintptr_t list = 0, text = 0;

	if (!argv || !ptl_readable_pointer(&list, argv) || !*argv)
		return true;
	while (ptl_readable_pointer(&list, ++argv) && *argv &&
	       ptl_readable_to(&text, *argv, '\0')) {
		if (ptl_strpre(*argv, "--list") || ptl_streq(*argv, "--verify"))
			return true;
		if ((*argv)[0] != '-')
			return false;
		for (size_t i = 0; i < PTL_ARRAY_SIZE(with_value); i++)
			if (ptl_streq(*argv, with_value[i]) &&
			    ptl_readable_pointer(&list, argv + 1) && argv[1])
				argv++;
	}
	return true;
}

/* A sandbox or a container can be given the file, if it is known which. */
static const char *check_library(const struct ptl_launch *launch, char *text)
{
	char *path = text + ptl_strcopy(text, sizeof(NO_LIBRARY), NO_LIBRARY);
	const char *file = ptl_env_loads(&launch->plan, path, LIBRARY_SIZE);
	const char *reason = ptl_elf_check_library(file);

	if (reason != ptl_elf_no_library)
		return reason;
	if (file != path)
		ptl_strcopy(path, LIBRARY_SIZE, file);
	return text;
}

static const char *reach_of(const struct ptl_launch *launch)
{
	static const char name[] = "PTRACE_REACH=";
	const char *value = ptl_env_setting(name);

	if (!value && !launch->plan.is_bad)
		value = ptl_env_value(launch->plan.given, name);
	return value ? value : "";
}

/* A program whose own system calls will be patched, or that tells why not
 * (raw.c). */
static bool is_reached(const struct ptl_launch *launch)
{
	return ptl_streq(reach_of(launch), "raw") ||
	       ptl_streq(reach_of(launch), "static");
}

/* A static program that a process will become, if the controller can put the
 * recorder into it; else why not is in `text'. */
static const char *reach_static(struct ptl_launch *launch, int file, char *text)
{
	static const char prefix[] = "static: ";
	const char *source = ptl_patch_starter();
	size_t size = ptl_strcopy(text, sizeof(prefix), prefix);
	int asked = -1;

	if (!source || file < 0)
		ptl_strcopy(text + size, PTL_PATCH_WHY, "no controller");
	else
		asked = ptl_ask_in(source, file, launch->spawns,
				   ptl_filter_vouches(), text + size);
	launch->asked = asked + 1;
	return asked < 0 ? text : NULL;
}

/* Why it cannot be traced, or only partly, perhaps in `text'; NULL: it can, or
 * it runs no program. */
static const char *find_reason(struct ptl_launch *launch,
			       const struct ptl_elf *elf, char *text)
{
	const char *reason;

	launch->complains = elf->complains;
	launch->refused = elf->reason && !elf->is_partly;
	if (elf->reason == ptl_elf_static && elf->wants_file) {
		reason = reach_static(launch, elf->file, text);
		launch->refused = reason;
		return reason;
	}
	if (launch->refused && !launch->complains)
		return elf->reason;
	if (launch->plan.lists || (elf->is_loader && runs_none(launch->argv))) {
		launch->complains = launch->refused = true;
		return NULL;
	}
	if (launch->refused)
		return elf->reason;
	reason = check_library(launch, text);
	launch->complains = reason;
	if (!reason)
		reason = ptl_limits_forbid(&launch->complains);
	if (!reason)
		reason = ptl_core_reach(&launch->bridged);
	launch->refused = reason;
	if (!reason && elf->is_partly && is_reached(launch))
		return NULL;
	return reason ? reason : elf->reason;
}

/* May what is found from here be another file from where it will be? */
static bool is_elsewhere(const struct ptl_launch *launch,
			 const struct ptl_elf *elf)
{
	if (!launch->moves)
		return false;
	return launch->by == PTL_LAUNCH_SEARCH ? elf->is_near :
						 launch->path[0] != '/';
}

/* A program of the other width is traced by the library for it, where there is
 * one. */
static __attribute__((noinline)) void turn(struct ptl_launch *launch,
					   struct ptl_elf *elf)
{
	char path[LIBRARY_SIZE];

	if (ptl_env_turn(&launch->plan) &&
	    !ptl_elf_check_library(
		    ptl_env_loads(&launch->plan, path, sizeof(path)))) {
		elf->reason = NULL;
		elf->complains = false;
	}
}

static __attribute__((noinline)) void tell(struct ptl_launch *launch,
					   struct ptl_elf *elf)
{
	char text[sizeof(NO_LIBRARY) + LIBRARY_SIZE];
	const char *reason;

	if (elf->is_other)
		turn(launch, elf);
	reason = find_reason(launch, elf, text);

	if (reason)
		record_untraced(launch, reason);
}

void ptl_launch_look(struct ptl_launch *launch)
{
	struct ptl_elf elf = {.file = -1};
	int error, file;

	if (!launch->path || ptl_is_quiet())
		return;
	elf.wants_file = ptl_streq(reach_of(launch), "static");
	error = check_file(launch, &elf);
	file = elf.wants_file ? elf.file : -1;
	if (error == EFAULT)
		launch->path = NULL;
	else
		launch->elsewhere = is_elsewhere(launch, &elf);
	if (launch->elsewhere || error == EMFILE)
		elf = (struct ptl_elf){.file = -1}, error = 0;
	if (!error)
		tell(launch, &elf);
	if (file >= 0)
		ptl_sys_close(file);
}

/* Of a file that is not known to load us the next image would have our word,
 * too; so it would of a static one, if nobody puts the recorder into it after
 * all. */
static bool is_clean(const struct ptl_launch *launch)
{
	return launch->path && !launch->refused && !launch->asked &&
	       !launch->elsewhere && ptl_filter_vouches();
}

void ptl_launch_prepare(struct ptl_launch *launch)
{
	enum ptl_core_launch how =
		launch->spawns ? PTL_CORE_SPAWNS : PTL_CORE_EXECS;
	enum ptl_env_result result;

	if (launch->complains)
		result = ptl_env_leave_out(&launch->plan, how, &launch->env,
					   &launch->scratch);
	else
		result = ptl_env_rewrite(&launch->plan, how, launch->bridged,
					 is_clean(launch), &launch->env,
					 &launch->scratch);
	/* Without a stream it is not to find the library of another width. */
	if (result == PTL_ENV_AS_IS && launch->plan.is_other &&
	    !launch->plan.preload_fits)
		result = ptl_env_leave_out(&launch->plan, how, &launch->env,
					   &launch->scratch);
	launch->rewritten = result == PTL_ENV_REWRITTEN;
	if (result == PTL_ENV_NO_ROOM && !launch->refused &&
	    ptl_env_lacks_us(&launch->plan)) {
		record_untraced(launch, "no memory for its environment");
		launch->refused = true;
	}
}

bool ptl_launch_begin(struct ptl_launch *launch)
{
	bool hands_down = ptl_core_hands_down();

	if (hands_down || ptl_env_has_us(&launch->plan))
		ptl_launch_look(launch);
	/* The child's environment says by which call it is made. */
	if (hands_down && launch->spawns)
		launch->since = ptl_core_expect(true, launch->addr);
	if (hands_down || launch->complains || launch->plan.is_other)
		ptl_launch_prepare(launch);
	return hands_down;
}

void ptl_launch_settle(int *asked, int error)
{
	if (*asked && error)
		ptl_ask_out(*asked - 1);
	else if (*asked)
		ptl_ask_done(*asked - 1);
	*asked = 0;
}

bool ptl_launch_again(struct ptl_launch *launch, int error)
{
	ptl_launch_settle(&launch->asked, error);
	if (!launch->rewritten)
		return false;
	launch->rewritten = false;
	launch->env = launch->given;
	ptl_scratch_put(&launch->scratch);
	if (error != E2BIG || launch->complains)
		return false;
	/* What it finds by itself it need not be told. */
	if (!launch->bridged && !ptl_env_lacks_us(&launch->plan))
		return true;
	if (!launch->refused)
		record_untraced(launch, "environment too large");
	launch->refused = true;
	return true;
}

void ptl_exec_begin(struct ptl_launch *launch)
{
	launch->env = launch->given;
	/* The program that follows finds its streams by its environment. */
	if (ptl_core_outsider())
		return;
	ptl_env_look(&launch->plan, launch->given);
	ptl_filter_ask();
	ptl_core_late();
	if (ptl_core_traced()) {
		/* First, since it finds out whether the path can be read. */
		ptl_launch_look(launch);
		ptl_core_execs(launch->refused ? NULL : launch->path);
		if (launch->path)
			ptl_core_event(PTL_EV_PROCESS_EXEC, launch->path,
				       ptl_strnlen(launch->path, PATH_MAX - 1) +
					       1,
				       launch->addr);
		ptl_launch_prepare(launch);
		if (launch->refused)
			ptl_core_execs(NULL);
	} else if (!ptl_launch_begin(launch) && !launch->rewritten) {
		/* Without room it asks for itself. */
		launch->rewritten =
			ptl_env_sign(&launch->plan, ptl_filter_vouches(),
				     &launch->env,
				     &launch->scratch) == PTL_ENV_REWRITTEN;
	}
	ptl_core_exec();
}

static void record_failure(const struct ptl_launch *launch, int error)
{
	unsigned char data[TEXT_SIZE];
	struct ptl_payload payload = {data, sizeof(data), 0};
	struct ptl_scratch scratch;

	if (!launch->path)
		return;
	ptl_room_get(&payload, &scratch, launch->path);
	ptl_put_int(&payload, error);
	ptl_put_last(&payload, launch->path);
	ptl_core_event(PTL_EV_PROCESS_EXEC_FAILED, payload.data, payload.size,
		       launch->addr);
	ptl_scratch_put(&scratch);
}

bool ptl_exec_again(struct ptl_launch *launch)
{
	int error;

	if (ptl_core_outsider())
		return false;
	error = errno;
	if (ptl_launch_again(launch, error)) {
		if (launch->refused)
			ptl_core_execs(NULL);
		return true;
	}
	ptl_core_exec_failed();
	ptl_filter_go_on();
	if (ptl_core_traced())
		record_failure(launch, error);
	errno = error;
	return false;
}
