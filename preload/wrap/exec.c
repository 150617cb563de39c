/* SPDX-License-Identifier: MIT */
/*
 * The exec family.  In libc its members do not call each other by name, so
 * each is wrapped; all end in the four that take an environment.  Any of this
 * may run in a vfork child: no heap, no locks, no new mappings.
 */
#include "preload/libc/libc.h"

#include "core/core.h"
#include "core/sys/syscall.h"
#include "core/sys/text.h"

#include "preload/hook/site.h"
#include "preload/launch/launch.h"

#include <stdarg.h>

/* More arguments than these go to scratch instead of the stack. */
#define ARGS_STACK 64

/* struct ptl_launch of the file named by `how' and `name'. */
#define LAUNCH(how, name, args, list) \
	{ \
		.by = PTL_LAUNCH_##how, .dir = AT_FDCWD, .path = (name), \
		.argv = (args), .addr = PTL_SITE_CALLER, .given = (list) \
	}

static int execute(struct ptl_launch *launch, const char *path,
		   char *const argv[])
{
	ptl_exec_begin(launch);
	do
		PTL_LIBC(execve)(path, argv, launch->env);
	while (ptl_exec_again(launch));
	return -1;
}

PTL_ENTRY int execve(const char *path, char *const argv[], char *const envp[])
{
	struct ptl_launch launch = LAUNCH(PATH, path, argv, envp);

	return execute(&launch, path, argv);
}

/* By syscall(), whose result is a long (syscall.S). */
long ptl_execve(const char *path, char *const argv[], char *const envp[]);
long ptl_execveat(int fd, const char *path, char *const argv[],
		  char *const envp[], int flags);

PTL_ALIGNS long ptl_execve(const char *path, char *const argv[],
			   char *const envp[])
{
	struct ptl_launch launch = LAUNCH(PATH, path, argv, envp);

	return execute(&launch, path, argv);
}

PTL_ENTRY int execv(const char *path, char *const argv[])
{
	struct ptl_launch launch = LAUNCH(PATH, path, argv, environ);

	ptl_exec_begin(&launch);
	do
		PTL_LIBC(execve)(path, argv, launch.env);
	while (ptl_exec_again(&launch));
	return -1;
}

static void search_and_exec(struct ptl_launch *launch, char *const argv[])
{
	const char *file = launch->path;

	ptl_exec_begin(launch);
	do
		PTL_LIBC(execvpe)(file, argv, launch->env);
	while (ptl_exec_again(launch));
}

PTL_ENTRY int execvpe(const char *file, char *const argv[], char *const envp[])
{
	struct ptl_launch launch = LAUNCH(SEARCH, file, argv, envp);

	search_and_exec(&launch, argv);
	return -1;
}

PTL_ENTRY int execvp(const char *file, char *const argv[])
{
	struct ptl_launch launch = LAUNCH(SEARCH, file, argv, environ);

	search_and_exec(&launch, argv);
	return -1;
}

/* What the descriptor was opened as, if that fits. */
static const char *path_of_fd(int fd, char *buf, size_t size)
{
	static const char proc[] = "/proc/self/fd/";
	char link[sizeof(proc) + 20];
	long ret;

	ptl_strcopy(link, sizeof(link), proc);
	ptl_utoa(link + sizeof(proc) - 1, (unsigned int)fd, 10);
	if (!ptl_is_quiet()) {
		ret = ptl_sys(SYS_readlinkat, AT_FDCWD, link, buf, size - 1);
		if (ret > 0) {
			buf[ret] = '\0';
			return buf;
		}
	}
	ptl_strcopy(buf, size, link);
	return buf;
}

PTL_ENTRY int fexecve(int fd, char *const argv[], char *const envp[])
{
	struct ptl_launch launch = LAUNCH(FD, NULL, argv, envp);
	char path[256];

	/* The only one that does not take it, as of glibc 2.36. */
	if (!launch.given)
		return PTL_LIBC(fexecve)(fd, argv, NULL);
	launch.dir = fd;
	/* For what is told. */
	if (fd >= 0)
		launch.path = ptl_core_hands_down() ?
				      path_of_fd(fd, path, sizeof(path)) :
				      "";
	ptl_exec_begin(&launch);
	do
		PTL_LIBC(fexecve)(fd, argv, launch.env);
	while (ptl_exec_again(&launch));
	return -1;
}

static int execute_at(struct ptl_launch *launch, const char *path,
		      char *const argv[], int flags)
{
	if (flags & AT_EMPTY_PATH)
		launch->by = PTL_LAUNCH_PATH_OR_FD;
	ptl_exec_begin(launch);
	do
		PTL_LIBC(execveat)(launch->dir, path, argv, launch->env, flags);
	while (ptl_exec_again(launch));
	return -1;
}

PTL_ENTRY int execveat(int fd, const char *path, char *const argv[],
		       char *const envp[], int flags)
{
	struct ptl_launch launch = LAUNCH(PATH, path, argv, envp);

	launch.dir = fd;
	return execute_at(&launch, path, argv, flags);
}

PTL_ALIGNS long ptl_execveat(int fd, const char *path, char *const argv[],
			     char *const envp[], int flags)
{
	struct ptl_launch launch = LAUNCH(PATH, path, argv, envp);

	launch.dir = fd;
	return execute_at(&launch, path, argv, flags);
}

/*
 * The execl*() but for how they find the file.  Many arguments go to scratch;
 * if there is none, to the stack, as in libc.  The environment of execle() is
 * behind the null.
 */
static char **gather(struct ptl_scratch *scratch, size_t nr)
{
	scratch->base = NULL;
	if (nr > ARGS_STACK)
		ptl_scratch_get(scratch, nr * sizeof(char *));
	return (char **)scratch->base;
}

static void exec_list(struct ptl_launch *launch, bool has_env,
		      const char *first, va_list ap)
{
	const char *arg = first, *path = launch->path;
	struct ptl_scratch scratch;
	char **argv;
	va_list again;
	size_t nr = 1;

	va_copy(again, ap);
	for (; arg; nr++)
		arg = va_arg(ap, const char *);
	if (has_env)
		launch->given = va_arg(ap, char *const *);
	argv = gather(&scratch, nr);
	if (!argv)
		argv = __builtin_alloca(nr * sizeof(*argv));
	for (arg = first, nr = 0; arg; arg = va_arg(again, const char *))
		argv[nr++] = (char *)arg;
	argv[nr] = NULL;
	va_end(again);
	launch->argv = argv;

	ptl_exec_begin(launch);
	do {
		if (launch->by == PTL_LAUNCH_SEARCH)
			PTL_LIBC(execvpe)(path, argv, launch->env);
		else
			PTL_LIBC(execve)(path, argv, launch->env);
	} while (ptl_exec_again(launch));
	ptl_scratch_put(&scratch);
}

PTL_ENTRY int execl(const char *path, const char *arg, ...)
{
	struct ptl_launch launch = LAUNCH(PATH, path, NULL, environ);
	va_list ap;

	va_start(ap, arg);
	exec_list(&launch, false, arg, ap);
	va_end(ap);
	return -1;
}

PTL_ENTRY int execle(const char *path, const char *arg, ...)
{
	struct ptl_launch launch = LAUNCH(PATH, path, NULL, NULL);
	va_list ap;

	va_start(ap, arg);
	exec_list(&launch, true, arg, ap);
	va_end(ap);
	return -1;
}

PTL_ENTRY int execlp(const char *file, const char *arg, ...)
{
	struct ptl_launch launch = LAUNCH(SEARCH, file, NULL, environ);
	va_list ap;

	va_start(ap, arg);
	exec_list(&launch, false, arg, ap);
	va_end(ap);
	return -1;
}
