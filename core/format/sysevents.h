/* SPDX-License-Identifier: MIT */
/*
 * The system event types.  Ids are part of the log's format: never renumber.
 * The act is what was done, of which tools know more (tools/read/kind.h).  The
 * fields describe the data; their types are those of
 * posix_trace_eventid_get_fields_np() in <trace.h>: integers first.  From 59 to
 * 239 they are calls of libc, recorded when they return, in streams that ask
 * for them (posix_trace_attr_setcalls_np).
 */
#ifndef PTL_CORE_FORMAT_SYSEVENTS_H
#define PTL_CORE_FORMAT_SYSEVENTS_H

/* The reason of a process:untraced for a program that is traced in part. */
#define PTL_UNTRACED_PARTLY "traced only where it calls libc"

/*
 * A command line of more data than an event has: before the process:start,
 * which is cut, there are so many others of the process at most with what
 * follows in it: ppid is minus the size of all of its data, uid where in that
 * argv begins, and exe and cwd are empty.  Not where an event has less.
 */
#define PTL_START_PARTS 15
#define PTL_START_LEAST 64

/* The tid of a thread:name that is the process's own. */
#define PTL_NAMED_PROCESS (-1)

/* SYSEVENT(id, identifier, name, act, fields) */
#define PTL_SYSEVENTS(SYSEVENT) \
	SYSEVENT(1, ERROR, "posix_trace_error", OTHER, "") \
	SYSEVENT(2, START, "posix_trace_start", TRACE_START, "") \
	SYSEVENT(3, STOP, "posix_trace_stop", TRACE_STOP, "") \
	SYSEVENT(4, FILTER, "posix_trace_filter", TRACE_FILTER, "") \
	SYSEVENT(5, OVERFLOW, "posix_trace_overflow", OVERFLOW, "") \
	SYSEVENT(6, RESUME, "posix_trace_resume", RESUME, "") \
	SYSEVENT(7, FLUSH_START, "posix_trace_flush_start", TRACE_FLUSH, "") \
	SYSEVENT(8, FLUSH_STOP, "posix_trace_flush_stop", TRACE_FLUSH, "") \
	SYSEVENT(9, UNNAMED, "posix_trace_unnamed_userevent", OTHER, "") \
	SYSEVENT(16, PROCESS_START, "process:start", START, \
		 "ppid:i exe:s argv:v") \
	SYSEVENT(17, PROCESS_FORK, "process:fork", FORK, "child:i") \
	SYSEVENT(18, PROCESS_EXEC, "process:exec", EXEC, "path:s") \
	SYSEVENT(19, PROCESS_EXEC_FAILED, "process:exec_failed", EXEC_FAILED, \
		 "errno:i path:s") \
	SYSEVENT(20, PROCESS_EXIT, "process:exit", EXIT, \
		 "status:i user_us:i sys_us:i maxrss_kib:i") \
	SYSEVENT(21, PROCESS_KILLED, "process:exit", EXIT, \
		 "signal:i user_us:i sys_us:i maxrss_kib:i") \
	SYSEVENT(22, PROCESS_UNTRACED, "process:untraced", UNTRACED, \
		 "path:s reason:s") \
	SYSEVENT(23, PROCESS_FORK_ELSEWHERE, "process:fork", FORK, \
		 "pidns:i nspid:i child:i") \
	SYSEVENT(24, THREAD_START, "thread:start", THREAD_START, \
		 "tid:i creator:i") \
	SYSEVENT(25, THREAD_EXIT, "thread:exit", THREAD_EXIT, "") \
	SYSEVENT(26, PROCESS_START_UID, "process:start", START, \
		 "ppid:i uid:i exe:s argv:v") \
	SYSEVENT(27, PROCESS_BEGIN, "process:start", START, \
		 "ppid:i uid:i exe:s cwd:s argv:v") \
	SYSEVENT(28, THREAD_NAME, "thread:name", THREAD_NAME, "tid:i name:s") \
	SYSEVENT(29, PROCESS_PROGRAM, "process:program", PROGRAM, "name:s") \
	SYSEVENT(30, PROCESS_CHILD, "process:program", PROGRAM, \
		 "parent:i name:s") \
	SYSEVENT(31, PROCESS_ENVIRONMENT, "process:environment", OTHER, \
		 "env:v") \
	SYSEVENT(32, DL_MAP, "dl:map", MAP, "base:x size:x path:s build_id:b") \
	SYSEVENT(33, DL_UNMAP, "dl:unmap", UNMAP, "base:x size:x path:s") \
	SYSEVENT(34, DL_OPEN, "dl:open", LOAD, "flags:x.dlopen ret:x path:s") \
	SYSEVENT(35, DL_OPENS, "dl:open", LOAD, "flags:x.dlopen path:s") \
	SYSEVENT(36, DL_CLOSE, "dl:close", UNLOAD, "handle:x ret:i") \
	SYSEVENT(37, PROCESS_TAG, "process:tag", TAG, "key:s value:s") \
	SYSEVENT(38, SPAN_LINK, "span:link", SPAN_LINK, \
		 "span:x to:x kind:i.spanlink") \
	SYSEVENT(40, SIGNAL_SEND, "signal:send", SIGNAL_SEND, \
		 "signo:i pid:i tid:i") \
	SYSEVENT(41, SIGNAL_SEND_FAILED, "signal:send_failed", \
		 SIGNAL_NOT_SENT, "errno:i.errno signo:i pid:i tid:i") \
	SYSEVENT(42, SIGNAL_DELIVER, "signal:deliver", SIGNAL_DELIVER, \
		 "signo:i handler:x code:i pid:i") \
	SYSEVENT(43, SIGNAL_FAULT, "signal:deliver", SIGNAL_DELIVER, \
		 "signo:i handler:x code:i fault:x") \
	SYSEVENT(44, SIGNAL_WAIT, "signal:wait", SIGNAL_WAIT, \
		 "signo:i code:i pid:i") \
	SYSEVENT(45, SIGNAL_CRASH, "signal:crash", CRASH, \
		 "signo:i code:i fault:x pid:i message:s exception:s " \
		 "regs:b.registers") \
	SYSEVENT(46, PROCESS_RANK, "process:rank", RANK, \
		 "rank:i size:i launcher:s job:s") \
	SYSEVENT(47, TRACE_TRIGGER, "trace:trigger", TRIGGER, \
		 "trigger:i firing:i event:s do:s when:s") \
	SYSEVENT(48, CPU_SAMPLE, "cpu:sample", CPU_SAMPLE, \
		 "cpu:i weight:i mode:i") \
	SYSEVENT(49, CPU_SAMPLING, "cpu:sampling", CPU_SAMPLING, \
		 "hz:i stack:i kernel:i source:s reason:s") \
	SYSEVENT(50, CPU_LOST, "cpu:lost", CPU_LOST, "count:i") \
	SYSEVENT(51, CPU_SYMBOL, "cpu:symbol", CPU_SYMBOL, \
		 "addr:x size:x name:s") \
	SYSEVENT(52, SCHED_OFF, "sched:off", SCHED_OFF, \
		 "duration:i preempted:i.bool cpu:i") \
	SYSEVENT(53, SCHED_LOST, "sched:lost", SCHED_LOST, "count:i") \
	SYSEVENT(54, SCHED_SUM, "sched:sum", SCHED_SUM, \
		 "on:i off:i times:i preempted:i preempted_times:i short:i " \
		 "short_times:i unknown:i") \
	SYSEVENT(55, SCHED_RECORDING, "sched:recording", SCHED_RECORDING, \
		 "least:i reason:s") \
	SYSEVENT(56, SPAN_BEGIN, "span:begin", SPAN_BEGIN, \
		 "span:x type:i data:d") \
	SYSEVENT(57, SPAN_END, "span:end", SPAN_END, "span:x") \
	SYSEVENT(58, CPU_SAMPLE_LEFT, "cpu:sample", CPU_SAMPLE, \
		 "cpu:i weight:i mode:i left:i") \
	SYSEVENT(59, PROCESS_PRLIMIT, "process:prlimit", SETTING, \
		 "pid:i resource:i.rlimit ret:i errno:i.errno " \
		 "limits:b.rlimits") \
	SYSEVENT(60, PROCESS_SETCPUS, "process:sched_setaffinity", SETTING, \
		 "pid:i ret:i errno:i.errno cpus:b.cpus") \
	SYSEVENT(61, PROCESS_GETCPUS, "process:sched_getaffinity", SETTING, \
		 "pid:i ret:i errno:i.errno cpus:b.cpus") \
	SYSEVENT(62, SIGNAL_SIGACTION, "signal:sigaction", SETTING, \
		 "signo:i.signo ret:i errno:i.errno actions:b.sigactions") \
	SYSEVENT(63, SYNC_WAITPID, "sync:waitpid", WAITPID, \
		 "pid:i options:x.wait ret:i errno:i.errno status:i.wstatus") \
	SYSEVENT(64, FILE_OPEN, "file:open", OPEN, \
		 "dir:i.dirfd flags:x.open mode:i.mode ret:i errno:i.errno " \
		 "path:s") \
	SYSEVENT(65, FILE_CLOSE, "file:close", CLOSE, \
		 "fd:i ret:i errno:i.errno") \
	SYSEVENT(66, FILE_STAT, "file:stat", OTHER, \
		 "dir:i.dirfd flags:x.at ret:i errno:i.errno path:s " \
		 "mode:i.type size:i stat:b.stat") \
	SYSEVENT(67, FILE_FSTAT, "file:fstat", OTHER, \
		 "fd:i ret:i errno:i.errno mode:i.type size:i stat:b.stat") \
	SYSEVENT(68, FILE_ACCESS, "file:access", OTHER, \
		 "dir:i.dirfd mode:x.access flags:x.at_access ret:i " \
		 "errno:i.errno " \
		 "path:s") \
	SYSEVENT(69, FILE_MKDIR, "file:mkdir", OTHER, \
		 "dir:i.dirfd mode:i.mode ret:i errno:i.errno path:s") \
	SYSEVENT(70, FILE_UNLINK, "file:unlink", OTHER, \
		 "dir:i.dirfd flags:x.at ret:i errno:i.errno path:s") \
	SYSEVENT(71, FILE_RMDIR, "file:rmdir", OTHER, \
		 "ret:i errno:i.errno path:s") \
	SYSEVENT(72, FILE_REMOVE, "file:remove", OTHER, \
		 "ret:i errno:i.errno path:s") \
	SYSEVENT(73, FILE_RENAME, "file:rename", RENAME, \
		 "olddir:i.dirfd newdir:i.dirfd flags:x.rename ret:i " \
		 "errno:i.errno old:s new:s") \
	SYSEVENT(74, FILE_LINK, "file:link", OTHER, \
		 "olddir:i.dirfd newdir:i.dirfd flags:x.at ret:i " \
		 "errno:i.errno old:s new:s") \
	SYSEVENT(75, FILE_SYMLINK, "file:symlink", OTHER, \
		 "dir:i.dirfd ret:i errno:i.errno target:s path:s") \
	SYSEVENT(76, FILE_READLINK, "file:readlink", OTHER, \
		 "dir:i.dirfd size:i ret:i errno:i.errno path:s " \
		 "target:b.text") \
	SYSEVENT(77, FILE_CHMOD, "file:chmod", OTHER, \
		 "dir:i.dirfd mode:i.mode flags:x.at ret:i errno:i.errno " \
		 "path:s") \
	SYSEVENT(78, FILE_FCHMOD, "file:fchmod", OTHER, \
		 "fd:i mode:i.mode ret:i errno:i.errno") \
	SYSEVENT(79, FILE_CHOWN, "file:chown", OTHER, \
		 "dir:i.dirfd uid:i gid:i flags:x.at ret:i errno:i.errno " \
		 "path:s") \
	SYSEVENT(80, FILE_FCHOWN, "file:fchown", OTHER, \
		 "fd:i uid:i gid:i ret:i errno:i.errno") \
	SYSEVENT(81, FILE_TRUNCATE, "file:truncate", OTHER, \
		 "size:i ret:i errno:i.errno path:s") \
	SYSEVENT(82, FILE_FTRUNCATE, "file:ftruncate", OTHER, \
		 "fd:i size:i ret:i errno:i.errno") \
	SYSEVENT(83, FILE_MKNOD, "file:mknod", OTHER, \
		 "dir:i.dirfd mode:x.type dev:x ret:i errno:i.errno path:s") \
	SYSEVENT(84, FILE_UTIMES, "file:utimes", OTHER, \
		 "dir:i.dirfd flags:x.at ret:i errno:i.errno path:s " \
		 "times:b.times") \
	SYSEVENT(85, FILE_FUTIMES, "file:futimes", OTHER, \
		 "fd:i ret:i errno:i.errno times:b.times") \
	SYSEVENT(86, FILE_CHDIR, "file:chdir", OTHER, \
		 "ret:i errno:i.errno path:s cwd:s") \
	SYSEVENT(87, FILE_FCHDIR, "file:fchdir", OTHER, \
		 "fd:i ret:i errno:i.errno cwd:s") \
	SYSEVENT(88, FILE_CHROOT, "file:chroot", OTHER, \
		 "ret:i errno:i.errno path:s") \
	SYSEVENT(89, FILE_GETCWD, "file:getcwd", OTHER, \
		 "ret:x errno:i.errno path:s") \
	SYSEVENT(90, FILE_OPENDIR, "file:opendir", FOPEN, \
		 "ret:x errno:i.errno path:s fd:i") \
	SYSEVENT(91, FILE_FDOPENDIR, "file:fdopendir", FDOPEN, \
		 "fd:i ret:x errno:i.errno") \
	SYSEVENT(92, FILE_CLOSEDIR, "file:closedir", FCLOSE, \
		 "dir:x ret:i errno:i.errno") \
	SYSEVENT(93, FILE_FOPEN, "file:fopen", FOPEN, \
		 "ret:x errno:i.errno path:s mode:s fd:i") \
	SYSEVENT(94, FILE_FREOPEN, "file:freopen", FREOPEN, \
		 "stream:x ret:x errno:i.errno path:s mode:s fd:i") \
	SYSEVENT(95, FILE_FDOPEN, "file:fdopen", FDOPEN, \
		 "fd:i ret:x errno:i.errno mode:s") \
	SYSEVENT(96, FILE_FCLOSE, "file:fclose", FCLOSE, \
		 "stream:x ret:i errno:i.errno") \
	SYSEVENT(97, FILE_MKSTEMP, "file:mkstemp", OPEN, \
		 "flags:x.fd ret:i errno:i.errno path:s") \
	SYSEVENT(98, FILE_MKDTEMP, "file:mkdtemp", OTHER, \
		 "ret:x errno:i.errno path:s") \
	SYSEVENT(99, FILE_STATFS, "file:statfs", OTHER, \
		 "ret:i errno:i.errno path:s statfs:b.statfs") \
	SYSEVENT(100, FILE_FSTATFS, "file:fstatfs", OTHER, \
		 "fd:i ret:i errno:i.errno statfs:b.statfs") \
	SYSEVENT(101, FILE_REALPATH, "file:realpath", OTHER, \
		 "ret:x errno:i.errno path:s resolved:s") \
	SYSEVENT(102, FILE_MOUNT, "file:mount", OTHER, \
		 "flags:x.mount ret:i errno:i.errno source:s target:s type:s") \
	SYSEVENT(103, FILE_UMOUNT, "file:umount", OTHER, \
		 "flags:x.umount ret:i errno:i.errno target:s") \
	SYSEVENT(104, FILE_GETXATTR, "file:getxattr", OTHER, \
		 "fd:i.dirfd flags:x.at size:i ret:i errno:i.errno path:s " \
		 "name:s value:b.xattr") \
	SYSEVENT(105, FILE_SETXATTR, "file:setxattr", OTHER, \
		 "fd:i.dirfd flags:x.at size:i ret:i errno:i.errno path:s " \
		 "name:s value:b.xattr") \
	SYSEVENT(106, FILE_LISTXATTR, "file:listxattr", OTHER, \
		 "fd:i.dirfd flags:x.at size:i ret:i errno:i.errno path:s") \
	SYSEVENT(107, FILE_REMOVEXATTR, "file:removexattr", OTHER, \
		 "fd:i.dirfd flags:x.at ret:i errno:i.errno path:s name:s") \
	SYSEVENT(108, FILE_UMASK, "file:umask", OTHER, \
		 "mask:i.mode ret:i.mode") \
	SYSEVENT(109, FILE_CLOSE_RANGE, "file:close_range", CLOSE_RANGE, \
		 "first:i last:i flags:x.close_range ret:i errno:i.errno") \
	SYSEVENT(110, FILE_TMPFILE, "file:tmpfile", FOPEN, \
		 "ret:x errno:i.errno") \
	SYSEVENT(111, FILE_FLOCK, "file:flock", OTHER, \
		 "fd:i op:x.flock ret:i errno:i.errno") \
	SYSEVENT(112, IO_READ, "io:read", READ, \
		 "fd:i size:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(113, IO_WRITE, "io:write", WRITE, \
		 "fd:i size:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(114, IO_PREAD, "io:pread", READ, \
		 "fd:i size:i offset:i ret:i errno:i.errno data:d") \
	SYSEVENT(115, IO_PWRITE, "io:pwrite", WRITE, \
		 "fd:i size:i offset:i ret:i errno:i.errno data:d") \
	SYSEVENT(116, IO_READV, "io:readv", READ, \
		 "fd:i count:i ret:i errno:i.errno data:d") \
	SYSEVENT(117, IO_WRITEV, "io:writev", WRITE, \
		 "fd:i count:i ret:i errno:i.errno data:d") \
	SYSEVENT(118, IO_PREADV, "io:preadv", READ, \
		 "fd:i count:i offset:i flags:x.rwf ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(119, IO_PWRITEV, "io:pwritev", WRITE, \
		 "fd:i count:i offset:i flags:x.rwf ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(120, IO_LSEEK, "io:lseek", OTHER, \
		 "fd:i offset:i whence:i.whence ret:i errno:i.errno") \
	SYSEVENT(121, IO_DUP, "io:dup", DUP, \
		 "fd:i flags:x.fd ret:i errno:i.errno") \
	SYSEVENT(122, IO_PIPE, "io:pipe", PIPE, \
		 "flags:x.fd read:i write:i ret:i errno:i.errno") \
	SYSEVENT(123, IO_FCNTL, "io:fcntl", FCNTL, \
		 "fd:i cmd:i.fcntl arg:x ret:i errno:i.errno " \
		 "value:b.fcntlval") \
	SYSEVENT(124, IO_IOCTL, "io:ioctl", OTHER, \
		 "fd:i request:x.ioctl arg:x ret:i errno:i.errno " \
		 "value:b.ioctlval") \
	SYSEVENT(125, IO_FSYNC, "io:fsync", OTHER, "fd:i ret:i errno:i.errno") \
	SYSEVENT(126, IO_FREAD, "io:fread", FREAD, \
		 "stream:x size:i count:i ret:i fd:i data:d") \
	SYSEVENT(127, IO_SENDFILE, "io:sendfile", MOVE, \
		 "out:i in:i size:i ret:i errno:i.errno") \
	SYSEVENT(128, IO_SPLICE, "io:splice", MOVE, \
		 "in:i out:i size:i flags:x.splice ret:i errno:i.errno") \
	SYSEVENT(129, IO_COPY_FILE_RANGE, "io:copy_file_range", MOVE, \
		 "in:i out:i size:i flags:x ret:i errno:i.errno") \
	SYSEVENT(130, IO_POLL, "io:poll", POLL, \
		 "count:i timeout:i ret:i errno:i.errno fds:b.pollfds") \
	SYSEVENT(131, IO_PPOLL, "io:ppoll", POLL, \
		 "count:i ret:i errno:i.errno fds:b.pollfds timeout:i") \
	SYSEVENT(132, IO_SELECT, "io:select", POLL, \
		 "count:i ret:i errno:i.errno fds:b.selectfds timeout:i") \
	SYSEVENT(133, IO_EPOLL_CREATE, "io:epoll_create", UNNAMED, \
		 "flags:x.epollfd ret:i errno:i.errno") \
	SYSEVENT(134, IO_EPOLL_CTL, "io:epoll_ctl", OTHER, \
		 "epoll:i op:i.epoll fd:i ret:i errno:i.errno " \
		 "events:x.epollevents data:x") \
	SYSEVENT(135, IO_EPOLL_WAIT, "io:epoll_wait", POLL, \
		 "epoll:i count:i timeout:i ret:i errno:i.errno " \
		 "events:b.epollfds") \
	SYSEVENT(136, IO_EVENTFD, "io:eventfd", UNNAMED, \
		 "value:i flags:x.efd ret:i errno:i.errno") \
	SYSEVENT(137, IO_FWRITE, "io:fwrite", FWRITE, \
		 "stream:x size:i count:i ret:i fd:i data:d") \
	SYSEVENT(138, IO_INOTIFY_WATCH, "io:inotify_add_watch", OTHER, \
		 "fd:i mask:x.inotify ret:i errno:i.errno path:s") \
	SYSEVENT(139, IO_MEMFD, "io:memfd_create", OPEN, \
		 "flags:x.memfd ret:i errno:i.errno name:s") \
	SYSEVENT(140, IO_INOTIFY_INIT, "io:inotify_init", UNNAMED, \
		 "flags:x.inotifyfd ret:i errno:i.errno") \
	SYSEVENT(141, IO_ALLOCATE, "io:fallocate", OTHER, \
		 "fd:i mode:x.falloc offset:i size:i ret:i errno:i.errno") \
	SYSEVENT(142, IO_FFLUSH, "io:fflush", OTHER, \
		 "stream:x ret:i errno:i.errno fd:i") \
	SYSEVENT(143, MEM_SHM_UNLINK, "mem:shm_unlink", OTHER, \
		 "ret:i errno:i.errno name:s") \
	SYSEVENT(144, MEM_MALLOC, "mem:malloc", ALLOCATE, \
		 "size:i ret:x errno:i.errno") \
	SYSEVENT(145, MEM_ALIGNED, "mem:aligned", ALLOCATE, \
		 "align:i size:i ret:x errno:i.errno") \
	SYSEVENT(146, MEM_CALLOC, "mem:calloc", ALLOCATE, \
		 "count:i size:i ret:x errno:i.errno") \
	SYSEVENT(147, MEM_REALLOC, "mem:realloc", REALLOCATE, \
		 "ptr:x size:i ret:x errno:i.errno") \
	SYSEVENT(148, MEM_FREE, "mem:free", FREE, "ptr:x") \
	SYSEVENT(149, MEM_MMAP, "mem:mmap", OTHER, \
		 "addr:x size:i prot:x.prot flags:x.map fd:i offset:x " \
		 "ret:x errno:i.errno") \
	SYSEVENT(150, MEM_MUNMAP, "mem:munmap", OTHER, \
		 "addr:x size:i ret:i errno:i.errno") \
	SYSEVENT(151, MEM_MREMAP, "mem:mremap", OTHER, \
		 "addr:x size:i new_size:i flags:x.mremap ret:x " \
		 "errno:i.errno") \
	SYSEVENT(152, MEM_MPROTECT, "mem:mprotect", OTHER, \
		 "addr:x size:i prot:x.prot ret:i errno:i.errno") \
	SYSEVENT(153, MEM_MADVISE, "mem:madvise", OTHER, \
		 "addr:x size:i advice:i.madvise ret:i errno:i.errno") \
	SYSEVENT(154, MEM_BRK, "mem:brk", OTHER, "addr:x ret:i errno:i.errno") \
	SYSEVENT(155, MEM_SBRK, "mem:sbrk", OTHER, \
		 "increment:i ret:x errno:i.errno") \
	SYSEVENT(156, MEM_MSYNC, "mem:msync", OTHER, \
		 "addr:x size:i flags:x.msync ret:i errno:i.errno") \
	SYSEVENT(157, MEM_MLOCK, "mem:mlock", OTHER, \
		 "addr:x size:i ret:i errno:i.errno") \
	SYSEVENT(158, MEM_MUNLOCK, "mem:munlock", OTHER, \
		 "addr:x size:i ret:i errno:i.errno") \
	SYSEVENT(159, MEM_SHM_OPEN, "mem:shm_open", OPEN, \
		 "flags:x.open mode:i.mode ret:i errno:i.errno name:s") \
	SYSEVENT(160, SYNC_LOCK, "sync:lock", LOCK, \
		 "mutex:x ret:i.errno contended:i.bool") \
	SYSEVENT(161, SYNC_TRYLOCK, "sync:trylock", TRYLOCK, \
		 "mutex:x ret:i.errno") \
	SYSEVENT(162, SYNC_TIMEDLOCK, "sync:timedlock", LOCK, \
		 "mutex:x ret:i.errno contended:i.bool") \
	SYSEVENT(163, SYNC_UNLOCK, "sync:unlock", UNLOCK, \
		 "mutex:x ret:i.errno") \
	SYSEVENT(164, SYNC_RDLOCK, "sync:rdlock", RDLOCK, \
		 "rwlock:x ret:i.errno contended:i.bool") \
	SYSEVENT(165, SYNC_TRYRDLOCK, "sync:tryrdlock", TRYRDLOCK, \
		 "rwlock:x ret:i.errno") \
	SYSEVENT(166, SYNC_WRLOCK, "sync:wrlock", LOCK, \
		 "rwlock:x ret:i.errno contended:i.bool") \
	SYSEVENT(167, SYNC_TRYWRLOCK, "sync:trywrlock", TRYLOCK, \
		 "rwlock:x ret:i.errno") \
	SYSEVENT(168, SYNC_RWUNLOCK, "sync:rwunlock", UNLOCK, \
		 "rwlock:x ret:i.errno") \
	SYSEVENT(169, SYNC_WAIT, "sync:wait", CONDITION, \
		 "cond:x mutex:x ret:i.errno") \
	SYSEVENT(170, SYNC_TIMEDWAIT, "sync:timedwait", CONDITION, \
		 "cond:x mutex:x ret:i.errno") \
	SYSEVENT(171, SYNC_SIGNAL, "sync:signal", WAKE, "cond:x ret:i.errno") \
	SYSEVENT(172, SYNC_BROADCAST, "sync:broadcast", WAKE, \
		 "cond:x ret:i.errno") \
	SYSEVENT(173, SYNC_SEM_WAIT, "sync:sem_wait", SEM_WAIT, \
		 "sem:x ret:i errno:i.errno contended:i.bool") \
	SYSEVENT(174, SYNC_SEM_TRYWAIT, "sync:sem_trywait", SEM_TRYWAIT, \
		 "sem:x ret:i errno:i.errno") \
	SYSEVENT(175, SYNC_SEM_TIMEDWAIT, "sync:sem_timedwait", SEM_WAIT, \
		 "sem:x ret:i errno:i.errno contended:i.bool") \
	SYSEVENT(176, SYNC_SEM_POST, "sync:sem_post", WAKE, \
		 "sem:x ret:i errno:i.errno") \
	SYSEVENT(177, SYNC_BARRIER, "sync:barrier", BARRIER, \
		 "barrier:x ret:i") \
	SYSEVENT(178, SYNC_JOIN, "sync:join", JOIN, "thread:x ret:i.errno") \
	SYSEVENT(179, SYNC_DETACH, "sync:detach", OTHER, \
		 "thread:x ret:i.errno") \
	SYSEVENT(180, SYNC_SPIN_LOCK, "sync:spin_lock", LOCK, \
		 "spin:x ret:i.errno contended:i.bool") \
	SYSEVENT(181, SYNC_SPIN_TRYLOCK, "sync:spin_trylock", TRYLOCK, \
		 "spin:x ret:i.errno") \
	SYSEVENT(182, SYNC_SPIN_UNLOCK, "sync:spin_unlock", UNLOCK, \
		 "spin:x ret:i.errno") \
	SYSEVENT(183, SYNC_MTX_LOCK, "sync:mtx_lock", LOCK, \
		 "mtx:x ret:i.thrd contended:i.bool") \
	SYSEVENT(184, SYNC_MTX_TRYLOCK, "sync:mtx_trylock", TRYLOCK, \
		 "mtx:x ret:i.thrd") \
	SYSEVENT(185, SYNC_MTX_UNLOCK, "sync:mtx_unlock", UNLOCK, \
		 "mtx:x ret:i.thrd") \
	SYSEVENT(186, SYNC_CND_WAIT, "sync:cnd_wait", CONDITION, \
		 "cnd:x mtx:x ret:i.thrd") \
	SYSEVENT(187, SYNC_CND_SIGNAL, "sync:cnd_signal", WAKE, \
		 "cnd:x ret:i.thrd") \
	SYSEVENT(188, SYNC_CND_BROADCAST, "sync:cnd_broadcast", WAKE, \
		 "cnd:x ret:i.thrd") \
	SYSEVENT(189, SYNC_SEM_OPEN, "sync:sem_open", OTHER, \
		 "flags:x.open mode:i.mode value:i ret:x errno:i.errno " \
		 "name:s") \
	SYSEVENT(190, SYNC_SEM_CLOSE, "sync:sem_close", OTHER, \
		 "sem:x ret:i errno:i.errno") \
	SYSEVENT(191, SYNC_SEM_UNLINK, "sync:sem_unlink", OTHER, \
		 "ret:i errno:i.errno name:s") \
	SYSEVENT(192, TIME_NANOSLEEP, "time:nanosleep", OTHER, \
		 "clock:i.clock flags:x.timer ns:i ret:i errno:i.errno") \
	SYSEVENT(193, TIME_THRD_SLEEP, "time:thrd_sleep", OTHER, "ns:i ret:i") \
	SYSEVENT(194, TIME_SLEEP, "time:sleep", OTHER, "seconds:i ret:i") \
	SYSEVENT(195, TIME_USLEEP, "time:usleep", OTHER, \
		 "us:i ret:i errno:i.errno") \
	SYSEVENT(196, TIME_ALARM, "time:alarm", OTHER, "seconds:i ret:i") \
	SYSEVENT(197, TIME_SETITIMER, "time:setitimer", OTHER, \
		 "which:i.itimer ns:i interval_ns:i ret:i errno:i.errno") \
	SYSEVENT(198, TIME_TIMER_CREATE, "time:timer_create", OTHER, \
		 "clock:i.clock timer:x ret:i errno:i.errno") \
	SYSEVENT(199, TIME_TIMER_SETTIME, "time:timer_settime", OTHER, \
		 "timer:x flags:x.timer ns:i interval_ns:i ret:i " \
		 "errno:i.errno") \
	SYSEVENT(200, TIME_TIMER_DELETE, "time:timer_delete", OTHER, \
		 "timer:x ret:i errno:i.errno") \
	SYSEVENT(201, TIME_TIMERFD_CREATE, "time:timerfd_create", UNNAMED, \
		 "clock:i.clock flags:x.tfd ret:i errno:i.errno") \
	SYSEVENT(202, TIME_TIMERFD_SETTIME, "time:timerfd_settime", OTHER, \
		 "fd:i flags:x.tfdset ns:i interval_ns:i ret:i errno:i.errno") \
	SYSEVENT(203, TIME_CLOCK_GETTIME, "time:clock_gettime", OTHER, \
		 "clock:i.clock ns:i ret:i errno:i.errno") \
	SYSEVENT(204, TIME_CLOCK_SETTIME, "time:clock_settime", OTHER, \
		 "clock:i.clock ns:i ret:i errno:i.errno") \
	SYSEVENT(205, TIME_GETTIMEOFDAY, "time:gettimeofday", OTHER, \
		 "ns:i ret:i errno:i.errno") \
	SYSEVENT(206, TIME_TIME, "time:time", OTHER, "ret:i") \
	SYSEVENT(207, SYNC_FUTEX, "sync:futex", OTHER, \
		 "uaddr:x op:i.futex val:i ret:i errno:i.errno") \
	SYSEVENT(208, NET_SOCKET, "net:socket", SOCKET, \
		 "family:i.af type:x.sock protocol:i ret:i errno:i.errno") \
	SYSEVENT(209, NET_SOCKETPAIR, "net:socketpair", SOCKETPAIR, \
		 "family:i.af type:x.sock protocol:i first:i second:i " \
		 "ret:i errno:i.errno") \
	SYSEVENT(210, NET_BIND, "net:bind", CONNECT, \
		 "fd:i ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(211, NET_CONNECT, "net:connect", CONNECT, \
		 "fd:i ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(212, NET_LISTEN, "net:listen", OTHER, \
		 "fd:i backlog:i ret:i errno:i.errno") \
	SYSEVENT(213, NET_ACCEPT, "net:accept", ACCEPT, \
		 "fd:i flags:x.acceptfd ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(214, NET_GETSOCKNAME, "net:getsockname", OTHER, \
		 "fd:i ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(215, NET_GETPEERNAME, "net:getpeername", OTHER, \
		 "fd:i ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(216, NET_SEND, "net:send", WRITE, \
		 "fd:i size:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(217, NET_SENDTO, "net:sendto", WRITE, \
		 "fd:i size:i flags:x.msg ret:i errno:i.errno " \
		 "addr:b.sockaddr data:d") \
	SYSEVENT(218, NET_SENDMSG, "net:sendmsg", WRITE, \
		 "fd:i flags:x.msg ret:i errno:i.errno " \
		 "addr:b.sockaddr passed:b.passed data:d") \
	SYSEVENT(219, NET_SENDMMSG, "net:sendmmsg", OTHER, \
		 "fd:i count:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(220, NET_RECV, "net:recv", READ, \
		 "fd:i size:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(221, NET_RECVFROM, "net:recvfrom", READ, \
		 "fd:i size:i flags:x.msg ret:i errno:i.errno " \
		 "addr:b.sockaddr data:d") \
	SYSEVENT(222, NET_RECVMSG, "net:recvmsg", READ, \
		 "fd:i flags:x.msg ret:i errno:i.errno " \
		 "addr:b.sockaddr passed:b.passed data:d") \
	SYSEVENT(223, NET_RECVMMSG, "net:recvmmsg", OTHER, \
		 "fd:i count:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(224, NET_SHUTDOWN, "net:shutdown", OTHER, \
		 "fd:i how:i.shut ret:i errno:i.errno") \
	SYSEVENT(225, NET_GETSOCKOPT, "net:getsockopt", OTHER, \
		 "fd:i level:i.level option:i.sockopt ret:i errno:i.errno " \
		 "value:b.sockval") \
	SYSEVENT(226, NET_SETSOCKOPT, "net:setsockopt", OTHER, \
		 "fd:i level:i.level option:i.sockopt size:i ret:i " \
		 "errno:i.errno value:b.sockval") \
	SYSEVENT(227, NET_GETADDRINFO, "net:getaddrinfo", OTHER, \
		 "ret:i.eai node:s service:s") \
	SYSEVENT(228, NET_GETNAMEINFO, "net:getnameinfo", OTHER, \
		 "ret:i.eai addr:b.sockaddr") \
	SYSEVENT(229, IO_MQ_OPEN, "io:mq_open", OPEN, \
		 "flags:x.open mode:i.mode ret:i errno:i.errno name:s") \
	SYSEVENT(230, IO_MQ_CLOSE, "io:mq_close", CLOSE, \
		 "mq:i ret:i errno:i.errno") \
	SYSEVENT(231, IO_MQ_UNLINK, "io:mq_unlink", OTHER, \
		 "ret:i errno:i.errno name:s") \
	SYSEVENT(232, IO_MQ_SEND, "io:mq_send", WRITE, \
		 "mq:i size:i priority:i ret:i errno:i.errno data:d") \
	SYSEVENT(233, IO_MQ_RECEIVE, "io:mq_receive", READ, \
		 "mq:i size:i ret:i errno:i.errno data:d") \
	SYSEVENT(234, IO_PRINTF, "io:printf", WRITE, \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(235, IO_SCANF, "io:scanf", READ, \
		 "stream:x fd:i ret:i errno:i.errno") \
	SYSEVENT(236, IO_PUTS, "io:puts", WRITE, \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(237, IO_GETS, "io:gets", READ, \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(238, IO_PUTC, "io:putc", PUTC, \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(239, IO_GETC, "io:getc", GETC, \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(240, CALL_SYMBOL, "call:symbol", SYMBOL, \
		 "callee:x function:s library:s prototype:s") \
	SYSEVENT(241, CALL_ENTER, "call:enter", ENTER, "callee:x") \
	SYSEVENT(242, CALL_EXIT, "call:exit", LEAVE, "callee:x ret:x") \
	SYSEVENT(243, CALL_HOOKS, "call:hooks", HOOKS, \
		 "slots:i glob:s near:s") \
	SYSEVENT(244, CALL_UNHOOKED, "call:unhooked", HOOKS, \
		 "slots:i reason:s") \
	SYSEVENT(245, CALL_ENTRY, "call:enter", ENTRY, "callee:x") \
	SYSEVENT(246, CALL_ENTRY_TYPED, "call:enter", ENTRY, \
		 "callee:x args:a") \
	SYSEVENT(247, CALL_SUMMARY, "call:summary", SUMMARY, \
		 "callee:x calls:i total:i self:i min:i max:i took:h.counts") \
	SYSEVENT(248, CALL_ENTER_TYPED, "call:enter", ENTER, \
		 "callee:x args:a") \
	SYSEVENT(249, CALL_EXIT_TYPED, "call:exit", LEAVE, "callee:x ret:r") \
	SYSEVENT(250, CALL_TOOK, "call:exit", LEAVE, \
		 "callee:x duration:i ret:x") \
	SYSEVENT(251, CALL_TOOK_TYPED, "call:exit", LEAVE, \
		 "callee:x duration:i args:A ret:r") \
	SYSEVENT(252, CALL_RETURN, "call:exit", LEAVE, "callee:x ret:x") \
	SYSEVENT(253, CALL_RETURN_WHOLE, "call:exit", LEAVE, \
		 "callee:x args:A ret:r") \
	SYSEVENT(254, CALL_RETURN_TYPED, "call:exit", LEAVE, "callee:x ret:r") \
	SYSEVENT(255, CALL_LEFT, "call:exit", LEAVE, "callee:x")

enum ptl_sysevent {
#define SYSEVENT(id, ident, name, act, fields) PTL_EV_##ident = (id),
	PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
};

#endif
