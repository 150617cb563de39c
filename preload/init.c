/* SPDX-License-Identifier: MIT */
/*
 * The constructor, in one visible order.  The library is linked with
 * -z initfirst: nothing of the program or of another library has run yet.
 * In a process that nobody traces it costs some microseconds and next to no
 * system calls.
 */
#include "preload/libc.h"

#include "core/core.h"
#include "core/str.h"
#include "core/sys.h"

#include "preload/env.h"
#include "preload/hooks.h"
#include "preload/payload.h"

#include <sys/auxv.h>

/* musl gives a constructor no arguments. */
extern const char *gnu_get_libc_version(void) __attribute__((weak));

static const char *find_exe(char *buf, size_t size, char *const *argv)
{
	long ret = ptl_sys(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", buf,
			   size - 1);

	if (ret <= 0)
		return argv && argv[0] ? argv[0] : "";
	buf[ret] = '\0';
	return buf;
}

/* The kernel's copy of argv, which is already laid out as we need it. */
static void put_command_line(struct ptl_payload *payload)
{
	int fd = ptl_sys_open(AT_FDCWD, "/proc/self/cmdline", O_RDONLY, 0);
	long ret;

	if (fd < 0)
		return;
	ret = ptl_sys_read(fd, payload->data + payload->size,
			   payload->room - payload->size);
	if (ret > 0)
		payload->size += (size_t)ret;
	ptl_sys_close(fd);
}

/* Ppid, exe, argv: static buffers, since we may be dlopen'ed by a thread with
 * a small stack; we run once. */
static void record_start(char *const *argv, const char *exe)
{
	static unsigned char data[4096] PTL_BULK;
	struct ptl_payload payload = {data, sizeof(data), 0};

	if (!ptl_core_wants(PTL_EV_PROCESS_START))
		return;
	ptl_put_int(&payload, ptl_sys_getppid());
	ptl_put_string(&payload, exe);
	if (!argv)
		put_command_line(&payload);
	for (; argv && *argv && payload.size < payload.room; argv++)
		ptl_put_string(&payload, *argv);
	ptl_core_event(PTL_EV_PROCESS_START, data, payload.size, NULL);
}

static bool is_disabled(char **envp)
{
	const char *value = ptl_env_value(envp, "PTRACE_DISABLE=");

	return value && *value && !ptl_streq(value, "0");
}

static void record_image(char *const *argv)
{
	static char buf[2048] PTL_BULK;
	const char *exe;

	if (!ptl_core_wants(PTL_EV_PROCESS_START) &&
	    !ptl_core_wants(PTL_EV_DL_MAP))
		return;
	exe = find_exe(buf, sizeof(buf), argv);
	record_start(argv, exe);
	ptl_maps_record(exe);
}

__attribute__((constructor)) static void start(int argc, char **argv,
					       char **envp)
{
	(void)argc;
	if (!gnu_get_libc_version) {
		argv = NULL;
		envp = environ;
	}
	ptl_libc_resolve();
	ptl_exit_init();
	ptl_fork_init();
	ptl_thread_init();
	/* Somebody else's privileges: nothing from the environment counts. */
	if (getauxval(AT_SECURE))
		return;
	ptl_env_init(envp);
	if (is_disabled(envp))
		return;
	if (!ptl_core_init(ptl_env_value(envp, "PTRACE_STREAMS=")) &&
	    !ptl_autostart(envp, argv ? argv[0] : NULL))
		return;
	record_image(argv);
}
