/* SPDX-License-Identifier: MIT */
/*
 * The constructor, in one visible order.  The library is linked with -z
 * initfirst: no code of the program or of another library has run yet.  In a
 * process that is not traced it takes some microseconds and nearly no system
 * calls.
 */
#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/crash.h"
#include "preload/hook/timer.h"
#include "preload/hook/got.h"
#include "preload/hook/hooks.h"
#include "preload/hook/objects.h"
#include "preload/hook/site.h"
#include "preload/launch/choice.h"
#include "preload/launch/environment.h"
#include "preload/launch/filter.h"
#include "preload/launch/rank.h"
#include "preload/launch/traceparent.h"
#include "preload/launch/unwinder.h"
#include "preload/libc/cwd.h"
#include "preload/libc/env.h"
#include "preload/libc/exe.h"
#include "preload/libc/lookup.h"
#include "preload/libc/own.h"
#include "preload/libc/payload.h"
#include "preload/patch/keep.h"
#include "preload/patch/patch.h"
#include "preload/patch/room.h"
#include "preload/raw/raw.h"

#include <sys/auxv.h>

#define PAYLOAD_SIZE 4096
#define EXE_SIZE (PTL_ENV_SCRATCH - PAYLOAD_SIZE)
/* A longer path is not told. */
#define CWD_SIZE 1024
static_assert(EXE_SIZE + CWD_SIZE + 2 * sizeof(int64_t) <= PAYLOAD_SIZE,
	      "they leave room for arguments");

/* musl gives a constructor no arguments. */
extern const char *gnu_get_libc_version(void) __attribute__((weak));

/* Copies argv from the kernel, which has it in our layout already; as much of
 * it as there is room for.  Returns what was read, or would have been. */
static size_t put_command_line(struct ptl_payload *payload)
{
	int fd = ptl_sys_open(AT_FDCWD, "/proc/self/cmdline", O_RDONLY, 0);
	size_t whole = 0;
	char rest[256];
	long ret;

	if (fd < 0)
		return 0;
	while ((ret = ptl_sys_read(fd, payload->data + payload->size,
				   payload->room - payload->size)) > 0) {
		payload->size += (size_t)ret;
		whole += (size_t)ret;
	}
	while (ret == 0 && payload->size == payload->room &&
	       (ret = ptl_sys_read(fd, rest, sizeof(rest))) > 0) {
		whole += (size_t)ret;
		ret = 0;
	}
	ptl_sys_close(fd);
	return whole;
}

static size_t put_arguments(struct ptl_payload *payload, char *const *argv)
{
	size_t whole = 0;

	if (!argv)
		return put_command_line(payload);
	for (; *argv; argv++) {
		if (payload->size < payload->room)
			ptl_put_string(payload, *argv);
		whole += ptl_strlen(*argv) + 1;
	}
	return whole;
}

/*
 * What does not fit into the record of the start is in others, before it, so
 * that who reads them has all of it when the program starts.  The work is done
 * in room for one record.
 */
static void record_parts(const struct ptl_payload *whole, unsigned char *room,
			 size_t most)
{
	size_t at = most;

	for (int i = 0; i < PTL_START_PARTS && at < whole->size; i++) {
		struct ptl_payload part = {.data = room, .room = most};
		size_t size;

		ptl_put_int(&part, -(int64_t)whole->size);
		ptl_put_int(&part, (int64_t)at);
		ptl_put_string(&part, "");
		ptl_put_string(&part, "");
		size = PTL_MIN(whole->size - at, most - part.size);
		__builtin_memcpy(room + part.size, whole->data + at, size);
		ptl_core_event(PTL_EV_PROCESS_BEGIN, room, part.size + size,
			       NULL);
		at += size;
	}
}

/* Arguments for which the usual room is too small.  The recorder takes as much
 * as an event may have, and notes that it cuts the rest. */
static bool record_long_start(char *const *argv,
			      const struct ptl_payload *fixed, size_t whole)
{
	struct ptl_payload payload = {.size = fixed->size,
				      .room = fixed->size + whole};
	size_t most = ptl_core_event_most();
	bool goes_on = most >= PTL_START_LEAST && most < payload.room;
	struct ptl_scratch scratch;

	if (!ptl_scratch_get(&scratch, payload.room + (goes_on ? most : 0)))
		return false;
	payload.data = (unsigned char *)scratch.base;
	__builtin_memcpy(payload.data, fixed->data, fixed->size);
	put_arguments(&payload, argv);
	if (goes_on)
		record_parts(&payload, payload.data + payload.room, most);
	ptl_core_event(PTL_EV_PROCESS_BEGIN, payload.data, payload.size, NULL);
	ptl_scratch_put(&scratch);
	return true;
}

/* Ppid, uid, exe, cwd, argv. */
static void record_start(char *const *argv, const char *exe,
			 struct ptl_payload payload)
{
	struct ptl_payload fixed;
	size_t whole;
	char *cwd;

	if (!ptl_core_wants(PTL_EV_PROCESS_BEGIN))
		return;
	ptl_put_int(&payload, ptl_sys_getppid());
	ptl_put_int(&payload, ptl_sys_geteuid());
	ptl_put_string(&payload, exe);
	cwd = (char *)payload.data + payload.size;
	payload.size += ptl_strlen(ptl_cwd(cwd, CWD_SIZE)) + 1;
	fixed = payload;
	whole = put_arguments(&payload, argv);
	if (whole > payload.room - fixed.size &&
	    record_long_start(argv, &fixed, whole))
		return;
	ptl_core_event(PTL_EV_PROCESS_BEGIN, payload.data, payload.size, NULL);
}

static bool is_disabled(char **envp)
{
	const char *value = ptl_env_value(envp, "PTRACE_DISABLE=");

	return value && *value && !ptl_streq(value, "0");
}

/* Not on the stack: we may be dlopen'ed by a thread with a small one. */
static void record_image(char *const *argv)
{
	struct ptl_payload payload = {0};
	const char *exe;
	char *buf;

	if (!ptl_core_wants(PTL_EV_PROCESS_BEGIN) &&
	    !ptl_core_wants(PTL_EV_DL_MAP))
		return;
	buf = ptl_env_scratch();
	exe = ptl_exe_find(buf, EXE_SIZE, argv);
	if (exe == buf)
		buf += ptl_strlen(exe) + 1;
	payload.data = (unsigned char *)buf;
	payload.room = PAYLOAD_SIZE;
	record_start(argv, exe, payload);
	ptl_objects_begin(exe, payload);
}

static void reach_calls(char *const *argv, char *const *envp)
{
	if (ptl_env_value(envp, "PTRACE_REACH="))
		ptl_raw_init(envp, ptl_exe_find(ptl_env_scratch(),
						PTL_ENV_SCRATCH, argv));
}

static void hook_calls(char *const *argv, char *const *envp)
{
	bool hooks = ptl_got_wanted(envp), patches = ptl_patch_wanted(envp);
	const char *exe;

	if (!hooks && !patches)
		return;
	exe = ptl_exe_find(ptl_env_scratch(), PTL_ENV_SCRATCH, argv);
	if (sizeof(void *) < 8) {
		ptl_patch_refuse(exe, "32-bit: calls of functions are not "
				      "recorded");
		return;
	}
	if (hooks)
		ptl_got_init(envp, exe);
	if (patches) {
		ptl_room_begin();
		ptl_patch_init(envp, exe);
	}
}

/* The first program of a tree begins the trace in any case. */
static void skip(char **envp)
{
	if (!ptl_core_init_skipped(ptl_env_value(envp, "PTRACE_STREAMS=")) &&
	    ptl_autostart(envp))
		ptl_core_init_skipped(NULL);
}

/* As the environment says. */
static void join(int argc, char **argv, char **envp)
{
	if (is_disabled(envp)) {
		ptl_core_init_aside(ptl_env_value(envp, "PTRACE_STREAMS="));
		return;
	}
	if (!ptl_choice_is_ours(argv)) {
		skip(envp);
		return;
	}
	if (!ptl_core_init(ptl_env_value(envp, "PTRACE_STREAMS=")) &&
	    !ptl_autostart(envp))
		return;
	ptl_keep_init(envp);
	record_image(argv);
	ptl_traceparent_begin(envp);
	ptl_environment_record(envp);
	ptl_rank_record(envp);
	ptl_patch_begin();
	ptl_unwinder_init(argc, argv, envp);
	hook_calls(argv, envp);
	reach_calls(argv, envp);
}

static void start(int argc, char **argv, char **envp)
{
	const char *called;

	if (!gnu_get_libc_version) {
		argv = NULL;
		envp = environ;
	}
	called = argv ? argv[0] : (const char *)getauxval(AT_EXECFN);
	if (called)
		ptl_core_called(called);
	ptl_lookup_init();
	ptl_core_single_threaded(
		ptl_lookup_libc("__libc_single_threaded", NULL));
	ptl_instrument_init();
	ptl_exit_init();
	ptl_fork_init();
	ptl_thread_init();
	/* The privileges are another user's: ignore the environment. */
	if (getauxval(AT_SECURE)) {
		ptl_core_privileged();
		return;
	}
	ptl_filter_begin(envp);
	ptl_env_init(envp);
	ptl_filter_hand_on();
	ptl_own_init();
	ptl_core_hide(ptl_own_begin, ptl_own_end, ptl_site_plain);
	join(argc, argv, envp);
	ptl_filter_look_out();
	ptl_crash_begin();
	ptl_timer_begin(envp);
}

__attribute__((constructor)) static void begin(int argc, char **argv,
					       char **envp)
{
	start(argc, argv, envp);
	ptl_core_begun();
}
