/* SPDX-License-Identifier: MIT */
/* Programs that change who they are, or where. */
#include "t/table/table.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <pthread.h>
#include <pwd.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/fsuid.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NOBODY 65534

static void say_ids(void)
{
	uid_t r, e, s;
	gid_t gr, ge, gs;

	getresuid(&r, &e, &s);
	getresgid(&gr, &ge, &gs);
	say("%d %d %d, %d %d %d", (int)r, (int)e, (int)s, (int)gr, (int)ge,
	    (int)gs);
}

static void *some(void *arg)
{
	raise(0);
	say_ids();
	return arg;
}

static int call_some(void)
{
	pthread_t thread;

	raise(0);
	pthread_create(&thread, NULL, some, NULL);
	pthread_join(thread, NULL);
	say_status("system", system("exit 3"));
	return 2;
}

static int set_user(void)
{
	said("setgroups", setgroups(0, NULL));
	said("setgid", setgid(NOBODY));
	said("setuid", setuid(NOBODY));
	say_ids();
	said("back", setuid(0));
	try_child("child", call_some);
	execl("/bin/sh", "sh", "-c", "id -u; exit 4", (char *)NULL);
	return 1;
}

static int set_effective(void)
{
	for (int i = 0; i < 3; i++) {
		said("seteuid", seteuid(NOBODY));
		say_ids();
		try_child("child", call_some);
		said("back", seteuid(0));
	}
	said("setresuid", setresuid((uid_t)-1, NOBODY, (uid_t)-1));
	say_ids();
	said("setreuid", setreuid(NOBODY, 0));
	say_ids();
	return call_some();
}

static void *loop(void *arg)
{
	pthread_barrier_wait(arg);
	for (int i = 0; i < 50; i++)
		getppid();
	pthread_barrier_wait(arg);
	return (void *)(long)geteuid();
}

/* libc changes all threads, by a signal of its own. */
static int with_threads(void)
{
	pthread_barrier_t barrier;
	pthread_t threads[3];

	pthread_barrier_init(&barrier, NULL, 4);
	for (int i = 0; i < 3; i++)
		pthread_create(&threads[i], NULL, loop, &barrier);
	pthread_barrier_wait(&barrier);
	said("setresuid", setresuid(NOBODY, NOBODY, NOBODY));
	pthread_barrier_wait(&barrier);
	for (int i = 0; i < 3; i++) {
		void *uid;

		pthread_join(threads[i], &uid);
		say("uid: %ld", (long)uid);
	}
	return call_some();
}

static int bare_in_thread(void)
{
	said("setuid", syscall(SYS_setuid, NOBODY));
	say_ids();
	return call_some();
}

static int file_ids(void)
{
	said("setfsuid", setfsuid(NOBODY));
	said("setfsuid", setfsuid((uid_t)-1));
	call_some();
	said("setfsgid", setfsgid(NOBODY));
	said("open", open("file", O_CREAT | O_RDWR, 0600));
	return 0;
}

static int capabilities(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3,
						  0};
	struct __user_cap_data_struct data[2];

	memset(data, 0, sizeof(data));
	said("capset", syscall(SYS_capset, &header, data));
	said("capget", syscall(SYS_capget, &header, data));
	say("%x %x", data[0].effective, data[0].permitted);
	said("chroot", chroot("/"));
	said("drop", prctl(PR_CAPBSET_DROP, CAP_SYS_ADMIN));
	return call_some();
}

static int kept_capabilities(void)
{
	struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3,
						  0};
	struct __user_cap_data_struct data[2];

	said("keep", prctl(PR_SET_KEEPCAPS, 1));
	said("setuid", setuid(NOBODY));
	syscall(SYS_capget, &header, data);
	say("effective %x, permitted: %d", data[0].effective,
	    data[0].permitted != 0);
	return call_some();
}

static int empty_root(void)
{
	mkdir("root", 0755);
	said("chroot", chroot("root"));
	said("chdir", chdir("/"));
	said("open", open("/proc/self/status", O_RDONLY));
	said("system", system("exit 3"));
	try_child("child", call_some);
	say("entries: %d", count_entries("/"));
	if (vfork() == 0)
		_exit(0);
	wait(NULL);
	return call_some();
}

static int refused(void)
{
	if (geteuid() == 0 && setuid(NOBODY) != 0)
		return 1;
	said("setuid", setuid(0));
	said("setgid", setgid(0));
	said("setresuid", setresuid(0, 0, 0));
	said("setgroups", setgroups(0, NULL));
	said("chroot", chroot("/"));
	said("mount", mount("none", "/", "tmpfs", 0, NULL));
	said("nice", setpgid(1, 1));
	said("kill", kill(1, SIGUSR1));
	said("name", sethostname("x", 1));
	said("own", setuid(getuid()));
	say_ids();
	return call_some();
}

static int names(void)
{
	struct passwd *pw = getpwuid(0);
	struct group *gr = getgrgid(0);

	say("%s %s", pw ? pw->pw_name : "?", gr ? gr->gr_name : "?");
	say("none: %d", getpwnam("no-such-user-here") == NULL);
	umask(0077);
	mkdir("dir", 0777);
	say("umask: %o", umask(022));
	return 0;
}

const struct program credentials_programs[] = {
	{"set-user", set_user, true},
	{"set-effective", set_effective, true},
	{"with-threads", with_threads, true},
	{"bare", bare_in_thread, true},
	{"file-ids", file_ids, true},
	{"capabilities", capabilities, true},
	{"kept-capabilities", kept_capabilities, true},
	{"empty-root", empty_root, true},
	{"refused", refused, false},
	{"names", names, false},
	{NULL, NULL, false},
};
