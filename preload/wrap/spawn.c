/* SPDX-License-Identifier: MIT */
/*
 * Children whose making and exec are one call inside libc, so that no code of
 * ours runs in them before the new image's constructor.  The engine records
 * process:fork when that finds its parent; for a child that will never load
 * us it is recorded here.
 */
#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/site.h"
#include "preload/launch/filter.h"
#include "preload/launch/launch.h"
#include "preload/libc/env.h"

#include <errno.h>
#include <fcntl.h>
#include <paths.h>

static void spawn_begin(struct ptl_launch *launch)
{
	launch->env = launch->given;
	launch->spawns = true;
	ptl_env_look(&launch->plan, launch->given);
	ptl_filter_ask();
	ptl_launch_begin(launch);
}

static bool spawn_again(struct ptl_launch *launch, int error, pid_t child)
{
	if (ptl_launch_again(launch, error))
		return true;
	if (error != 0 || launch->refused)
		ptl_core_expect(false, NULL);
	if (error == 0 && launch->refused)
		ptl_core_made_untraced(child);
	else if (error == 0 && !launch->refused)
		/* Over a bridge it comes where this cannot be seen. */
		ptl_core_made(child, launch->since,
			      launch->bridged ? NULL : launch->path,
			      launch->addr);
	ptl_filter_go_on();
	return false;
}

/* What of posix_spawn()'s is handed on as it is. */
struct spawn {
	__typeof__(&posix_spawn) real;
	const posix_spawn_file_actions_t *actions;
	const posix_spawnattr_t *attr;
};

/* The child is a pid, or a pidfd. */
static int spawn(const struct spawn *spawn, struct ptl_launch *launch,
		 int *child, pid_t (*pid_of)(int child))
{
	const char *path = launch->path;
	int made = 0;
	int error;

	spawn_begin(launch);
	do
		error = spawn->real(&made, path, spawn->actions, spawn->attr,
				    launch->argv, launch->env);
	while (spawn_again(launch, error, error ? 0 : pid_of(made)));
	if (error == 0 && child)
		*child = made;
	return error;
}

static pid_t is_pid(int child)
{
	return child;
}

/* 0: there is no /proc to ask. */
static pid_t of_pidfd(int child)
{
	static const char key[] = "\nPid:\t";
	char path[48] = "/proc/self/fdinfo/", text[512];
	const char *at = text;

	if (ptl_is_quiet())
		return 0;
	ptl_utoa(path + ptl_strlen(path), (uint64_t)child, 10);
	ptl_sys_read_text(AT_FDCWD, path, text, sizeof(text));
	while (*at && !ptl_strpre(at, key))
		at++;
	if (!*at)
		return 0;
	at += sizeof(key) - 1;
	return (pid_t)ptl_atou(&at, 10);
}

/* The functions differ in how the file is specified, in what is called, and in
 * what they return of the child. */
#define PARAMS \
	int *restrict child, const char *restrict path, \
		const posix_spawn_file_actions_t *actions, \
		const posix_spawnattr_t *restrict attr, \
		char *const argv[restrict], char *const envp[restrict]
#define SPAWN(libcs, means, pid) \
	spawn(&(struct spawn){libcs, actions, attr}, \
	      &(struct ptl_launch){.by = means, \
				   .dir = AT_FDCWD, \
				   .path = path, \
				   .moves = actions, \
				   .argv = argv, \
				   .addr = PTL_SITE_CALLER, \
				   .given = envp}, \
	      child, pid)

PTL_ENTRY int posix_spawn(PARAMS)
{
	return SPAWN(PTL_LIBC_NOW(posix_spawn), PTL_LAUNCH_PATH, is_pid);
}

PTL_ENTRY int posix_spawnp(PARAMS)
{
	return SPAWN(PTL_LIBC_NOW(posix_spawnp), PTL_LAUNCH_SEARCH, is_pid);
}

PTL_ENTRY int pidfd_spawn(PARAMS)
{
	return SPAWN(PTL_LIBC(pidfd_spawn), PTL_LAUNCH_PATH, of_pidfd);
}

PTL_ENTRY int pidfd_spawnp(PARAMS)
{
	return SPAWN(PTL_LIBC(pidfd_spawnp), PTL_LAUNCH_SEARCH, of_pidfd);
}

#ifdef PTL_OLD_posix_spawn
PTL_OLD(posix_spawn)
PTL_ALIGNS int ptl_old_posix_spawn(PARAMS)
{
	return SPAWN(PTL_LIBC_OLD(posix_spawn), PTL_LAUNCH_PATH, is_pid);
}
#endif

#ifdef PTL_OLD_posix_spawnp
PTL_OLD(posix_spawnp)
PTL_ALIGNS int ptl_old_posix_spawnp(PARAMS)
{
	return SPAWN(PTL_LIBC_OLD(posix_spawnp), PTL_LAUNCH_SEARCH, is_pid);
}
#endif

/*
 * system() and popen() hand on `environ' itself.  It is replaced for the time
 * of the call: a child is to find us in it, and who called.  Another thread's
 * setenv() in that time makes a list of its own from ours: then that stays, and
 * so must the memory its strings are in.  The same if system() is cancelled.
 */
struct swap {
	char **given;
	char **ours;  /* NULL: nothing was swapped */
	bool refused; /* it will not be traced */
	int asked;
	uint32_t since;
	struct ptl_scratch scratch;
};

/* Of the threads that are in such calls at once the last one's, and what the
 * program has. */
static char **last_ours, **programs;

/* Libc starts a shell. */
static void swap_in(struct swap *swap, const void *addr)
{
	struct ptl_launch shell = {
		.by = PTL_LAUNCH_PATH,
		.dir = AT_FDCWD,
		.path = _PATH_BSHELL,
		.addr = addr,
		.spawns = true,
	};

	swap->ours = NULL;
	swap->given = last_ours && environ == last_ours ? programs : environ;
	shell.given = swap->given;
	ptl_env_look(&shell.plan, shell.given);
	ptl_launch_begin(&shell);
	swap->refused = shell.refused;
	swap->asked = shell.asked;
	swap->since = shell.since;
	swap->scratch = shell.scratch;
	if (!shell.rewritten)
		return;
	swap->ours = (char **)shell.env;
	programs = swap->given;
	environ = last_ours = swap->ours;
}

static void swap_out(struct swap *swap, bool failed)
{
	ptl_launch_settle(&swap->asked, failed);
	if (!swap->ours)
		return;
	if (environ == swap->ours) {
		environ = swap->given;
		last_ours = NULL;
	} else if (environ != swap->given && environ != last_ours) {
		return;
	}
	ptl_scratch_put(&swap->scratch);
}

PTL_ENTRY int system(const char *command)
{
	struct swap swap;
	int status;

	if (!command)
		return PTL_LIBC(system)(NULL);
	swap_in(&swap, PTL_SITE_CALLER);
	status = PTL_LIBC(system)(command);
	swap_out(&swap, status == -1);
	if (swap.refused)
		ptl_core_expect(false, NULL);
	else
		ptl_core_waited(swap.since);
	return status;
}

PTL_ENTRY FILE *popen(const char *command, const char *mode)
{
	struct swap swap;
	FILE *file;

	swap_in(&swap, PTL_SITE_CALLER);
	file = PTL_LIBC(popen)(command, mode);
	if (!file || swap.refused)
		ptl_core_expect(false, NULL);
	swap_out(&swap, !file);
	return file;
}

PTL_EXPORT FILE *_IO_popen(const char *command, const char *mode)
	__attribute__((alias("popen"), malloc));
