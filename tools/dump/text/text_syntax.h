/* SPDX-License-Identifier: MIT */
/*
 * How calls of libc are written, as strace(1) does it, beside the table of the
 * events (core/format/sysevents.h).
 *
 *	SYNTAX(event, full)
 *	SYNTAX_AT(event, plain, nofollow, full)
 *
 * %field is a field's value, %field? the same if it is not 0 or empty, with
 *what stands between it and the one before.  The rest is as it stands.  `plain'
 *is for calls that have no more to say: its integers that are not shown are 0,
 *or AT_FDCWD.  `nofollow' is the same with AT_SYMLINK_NOFOLLOW in flags; NULL:
 * there is none.  A result follows, but for " = %field" in its place; of what
 * has no parentheses only an error.  Behind " => " is what the call told beside
 * its result: it is shown if its first field is there.
 *
 * What has no row is written as its name, and all fields in their order but ret
 * and errno.
 */
#ifndef PTL_TOOLS_DUMP_TEXT_TEXT_SYNTAX_H
#define PTL_TOOLS_DUMP_TEXT_TEXT_SYNTAX_H

#define PTL_TEXT_STAT " => {st_mode=%mode, st_size=%size, %stat?}"

/* clang-format off */
#define PTL_TEXT_SYNTAX(SYNTAX, SYNTAX_AT) \
	SYNTAX("file:open", "openat(%dir, %path, %flags, %mode?)") \
	SYNTAX_AT("file:stat", "stat(%path)" PTL_TEXT_STAT, \
		  "lstat(%path)" PTL_TEXT_STAT, \
		  "fstatat(%dir, %path, %flags)" PTL_TEXT_STAT) \
	SYNTAX("file:fstat", "fstat(%fd)" PTL_TEXT_STAT) \
	SYNTAX_AT("file:access", "access(%path, %mode)", NULL, \
		  "faccessat(%dir, %path, %mode, %flags)") \
	SYNTAX_AT("file:mkdir", "mkdir(%path, %mode)", NULL, \
		  "mkdirat(%dir, %path, %mode)") \
	SYNTAX_AT("file:unlink", "unlink(%path)", NULL, \
		  "unlinkat(%dir, %path, %flags)") \
	SYNTAX_AT("file:rename", "rename(%old, %new)", NULL, \
		  "renameat2(%olddir, %old, %newdir, %new, %flags)") \
	SYNTAX_AT("file:link", "link(%old, %new)", NULL, \
		  "linkat(%olddir, %old, %newdir, %new, %flags)") \
	SYNTAX_AT("file:symlink", "symlink(%target, %path)", NULL, \
		  "symlinkat(%target, %dir, %path)") \
	SYNTAX_AT("file:readlink", "readlink(%path, %size) => %target", \
		  NULL, "readlinkat(%dir, %path, %size) => %target") \
	SYNTAX_AT("file:chmod", "chmod(%path, %mode)", "lchmod(%path, %mode)", \
		  "fchmodat(%dir, %path, %mode, %flags)") \
	SYNTAX_AT("file:chown", "chown(%path, %uid, %gid)", \
		  "lchown(%path, %uid, %gid)", \
		  "fchownat(%dir, %path, %uid, %gid, %flags)") \
	SYNTAX("file:truncate", "truncate(%path, %size)") \
	SYNTAX_AT("file:mknod", "mknod(%path, %mode, %dev)", NULL, \
		  "mknodat(%dir, %path, %mode, %dev)") \
	SYNTAX_AT("file:utimes", "utimes(%path, %times?)", \
		  "lutimes(%path, %times?)", \
		  "utimensat(%dir, %path, %times?, %flags)") \
	SYNTAX("file:futimes", "futimes(%fd, %times?)") \
	SYNTAX("file:chdir", "chdir(%path)") \
	SYNTAX("file:fchdir", "fchdir(%fd)") \
	SYNTAX("file:statfs", "statfs(%path) => %statfs") \
	SYNTAX("file:fstatfs", "fstatfs(%fd) => %statfs") \
	SYNTAX("file:getcwd", "getcwd() = %path") \
	SYNTAX("file:realpath", "realpath(%path) = %resolved") \
	SYNTAX("file:opendir", "opendir(%path)") \
	SYNTAX("file:fopen", "fopen(%path, %mode)") \
	SYNTAX("file:freopen", "freopen(%path, %mode, %stream)") \
	SYNTAX_AT("file:mkstemp", "mkstemp(%path)", NULL, \
		  "mkostemp(%path, %flags)") \
	SYNTAX("file:mount", "mount(%source, %target, %type, %flags)") \
	SYNTAX_AT("file:umount", "umount(%target)", NULL, \
		  "umount2(%target, %flags)") \
	SYNTAX_AT("file:getxattr", "getxattr(%path, %name, %size) => %value", \
		  "lgetxattr(%path, %name, %size) => %value", \
		  "fgetxattr(%fd, %name, %size) => %value") \
	SYNTAX_AT("file:setxattr", "setxattr(%path, %name, %value?, %size)", \
		  "lsetxattr(%path, %name, %value?, %size)", \
		  "fsetxattr(%fd, %name, %value?, %size)") \
	SYNTAX_AT("file:listxattr", "listxattr(%path, %size)", \
		  "llistxattr(%path, %size)", "flistxattr(%fd, %size)") \
	SYNTAX_AT("file:removexattr", "removexattr(%path, %name)", \
		  "lremovexattr(%path, %name)", "fremovexattr(%fd, %name)") \
	SYNTAX("io:fcntl", "fcntl(%fd, %cmd, %value?, %arg?)") \
	SYNTAX("io:ioctl", "ioctl(%fd, %request, %value?, %arg?)") \
	SYNTAX("io:poll", "poll(%fds, %count, %timeout)") \
	SYNTAX("io:ppoll", "ppoll(%fds, %count, %timeout)") \
	SYNTAX("io:select", "select(%count, %fds, %timeout)") \
	SYNTAX("io:epoll_ctl", \
	       "epoll_ctl(%epoll, %op, %fd, %events?, %data?)") \
	SYNTAX("io:epoll_wait", \
	       "epoll_wait(%epoll, %count, %timeout) => %events") \
	SYNTAX("io:read", "read(%fd, %data?, %size)") \
	SYNTAX("io:write", "write(%fd, %data?, %size)") \
	SYNTAX("io:pread", "pread(%fd, %data?, %size, %offset)") \
	SYNTAX("io:pwrite", "pwrite(%fd, %data?, %size, %offset)") \
	SYNTAX("io:readv", "readv(%fd, %data?, %count)") \
	SYNTAX("io:writev", "writev(%fd, %data?, %count)") \
	SYNTAX_AT("io:preadv", "preadv(%fd, %data?, %count, %offset)", NULL, \
		  "preadv2(%fd, %data?, %count, %offset, %flags)") \
	SYNTAX_AT("io:pwritev", "pwritev(%fd, %data?, %count, %offset)", \
		  NULL, "pwritev2(%fd, %data?, %count, %offset, %flags)") \
	SYNTAX_AT("io:dup", "dup(%fd)", NULL, "dup3(%fd, %ret, %flags)") \
	SYNTAX_AT("io:pipe", "pipe([%read, %write])", NULL, \
		  "pipe2([%read, %write], %flags)") \
	SYNTAX("io:fread", "fread(%fd, %data?, %size, %count)") \
	SYNTAX("io:fwrite", "fwrite(%fd, %data?, %size, %count)") \
	SYNTAX("io:fflush", "fflush(%fd)") \
	SYNTAX("io:printf", "fprintf(%fd, %data?)") \
	SYNTAX("io:scanf", "fscanf(%fd, %data?)") \
	SYNTAX("io:puts", "fputs(%fd, %data?)") \
	SYNTAX("io:gets", "fgets(%fd, %data?)") \
	SYNTAX("io:putc", "fputc(%fd, %data?)") \
	SYNTAX("io:getc", "fgetc(%fd, %data?)") \
	SYNTAX("io:inotify_add_watch", "inotify_add_watch(%fd, %path, %mask)") \
	SYNTAX("io:memfd_create", "memfd_create(%name, %flags)") \
	SYNTAX("io:mq_open", "mq_open(%name, %flags, %mode?)") \
	SYNTAX_AT("mem:aligned", "valloc(%size)", NULL, \
		  "memalign(%align, %size)") \
	SYNTAX("mem:shm_open", "shm_open(%name, %flags, %mode)") \
	SYNTAX("sync:lock", "lock %mutex") \
	SYNTAX("sync:trylock", "trylock %mutex") \
	SYNTAX("sync:timedlock", "timedlock %mutex") \
	SYNTAX("sync:unlock", "unlock %mutex") \
	SYNTAX("sync:rdlock", "rdlock %rwlock") \
	SYNTAX("sync:tryrdlock", "tryrdlock %rwlock") \
	SYNTAX("sync:wrlock", "wrlock %rwlock") \
	SYNTAX("sync:trywrlock", "trywrlock %rwlock") \
	SYNTAX("sync:rwunlock", "rwunlock %rwlock") \
	SYNTAX("sync:wait", "wait cond %cond") \
	SYNTAX("sync:timedwait", "timedwait cond %cond") \
	SYNTAX("sync:signal", "signal cond %cond") \
	SYNTAX("sync:broadcast", "broadcast cond %cond") \
	SYNTAX("sync:sem_wait", "sem_wait %sem") \
	SYNTAX("sync:sem_trywait", "sem_trywait %sem") \
	SYNTAX("sync:sem_timedwait", "sem_timedwait %sem") \
	SYNTAX("sync:sem_post", "sem_post %sem") \
	SYNTAX("sync:sem_open", "sem_open(%name, %flags, %mode?, %value?)") \
	SYNTAX("sync:barrier", "wait barrier %barrier") \
	SYNTAX("sync:join", "join thread %thread") \
	SYNTAX("sync:detach", "detach thread %thread") \
	SYNTAX("process:prlimit", "prlimit(%pid, %resource) => {%limits}") \
	SYNTAX("process:sched_setaffinity", \
	       "sched_setaffinity(%pid) => {%cpus}") \
	SYNTAX("process:sched_getaffinity", \
	       "sched_getaffinity(%pid) => {%cpus}") \
	SYNTAX("signal:sigaction", "sigaction(%signo) => {%actions}") \
	SYNTAX("sync:waitpid", "waitpid(%pid, %options) => {%status}") \
	SYNTAX("sync:spin_lock", "spin_lock %spin") \
	SYNTAX("sync:spin_trylock", "spin_trylock %spin") \
	SYNTAX("sync:spin_unlock", "spin_unlock %spin") \
	SYNTAX("sync:mtx_lock", "mtx_lock %mtx") \
	SYNTAX("sync:mtx_trylock", "mtx_trylock %mtx") \
	SYNTAX("sync:mtx_unlock", "mtx_unlock %mtx") \
	SYNTAX("sync:cnd_wait", "wait cnd %cnd") \
	SYNTAX("sync:cnd_signal", "signal cnd %cnd") \
	SYNTAX("sync:cnd_broadcast", "broadcast cnd %cnd") \
	SYNTAX_AT("time:nanosleep", "nanosleep(%ns)", NULL, \
		  "clock_nanosleep(%clock, %flags, %ns)") \
	SYNTAX("net:socketpair", \
	       "socketpair(%family, %type, %protocol, [%first, %second])") \
	SYNTAX_AT("net:accept", "accept(%fd, %addr?)", NULL, \
		  "accept4(%fd, %addr?, %flags)") \
	SYNTAX("net:getsockname", "getsockname(%fd, %addr?)") \
	SYNTAX("net:getpeername", "getpeername(%fd, %addr?)") \
	SYNTAX("net:send", "send(%fd, %data?, %size, %flags)") \
	SYNTAX("net:sendto", "sendto(%fd, %data?, %size, %flags, %addr?)") \
	SYNTAX("net:sendmsg", \
	       "sendmsg(%fd, %data?, %flags, %addr?, passed=%passed?)") \
	SYNTAX("net:sendmmsg", "sendmmsg(%fd, %data?, %count, %flags)") \
	SYNTAX("net:recv", "recv(%fd, %data?, %size, %flags)") \
	SYNTAX("net:recvfrom", \
	       "recvfrom(%fd, %data?, %size, %flags, %addr?)") \
	SYNTAX("net:recvmsg", \
	       "recvmsg(%fd, %data?, %flags, %addr?, passed=%passed?)") \
	SYNTAX("net:recvmmsg", "recvmmsg(%fd, %data?, %count, %flags)") \
	SYNTAX("net:getsockopt", \
	       "getsockopt(%fd, %level, %option) => [%value]") \
	SYNTAX("net:setsockopt", \
	       "setsockopt(%fd, %level, %option, %value?, %size)") \
	SYNTAX("dl:open", "dlopen(%path, %flags)") \
	SYNTAX("dl:close", "dlclose(%handle)")
/* clang-format on */

#endif
