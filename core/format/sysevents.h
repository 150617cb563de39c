/* SPDX-License-Identifier: MIT */
/*
 * The system event types.  Ids are part of the log's format: never renumber.
 * The fields describe the data; their types are those of
 * posix_trace_eventid_get_fields_np() in <trace.h>: integers first.  From 64 to
 * 239 they are calls of libc, recorded when they return, in streams that ask
 * for them (posix_trace_attr_setcalls_np).
 */
#ifndef PTL_CORE_FORMAT_SYSEVENTS_H
#define PTL_CORE_FORMAT_SYSEVENTS_H

/* The reason of a process:untraced for a program that is traced in part. */
#define PTL_UNTRACED_PARTLY "traced only where it calls libc"

/* SYSEVENT(id, identifier, name, fields) */
#define PTL_SYSEVENTS(SYSEVENT) \
	SYSEVENT(1, ERROR, "posix_trace_error", "") \
	SYSEVENT(2, START, "posix_trace_start", "") \
	SYSEVENT(3, STOP, "posix_trace_stop", "") \
	SYSEVENT(4, FILTER, "posix_trace_filter", "") \
	SYSEVENT(5, OVERFLOW, "posix_trace_overflow", "") \
	SYSEVENT(6, RESUME, "posix_trace_resume", "") \
	SYSEVENT(7, FLUSH_START, "posix_trace_flush_start", "") \
	SYSEVENT(8, FLUSH_STOP, "posix_trace_flush_stop", "") \
	SYSEVENT(9, UNNAMED, "posix_trace_unnamed_userevent", "") \
	SYSEVENT(16, PROCESS_START, "process:start", "ppid:i exe:s argv:v") \
	SYSEVENT(17, PROCESS_FORK, "process:fork", "child:i") \
	SYSEVENT(18, PROCESS_EXEC, "process:exec", "path:s") \
	SYSEVENT(19, PROCESS_EXEC_FAILED, "process:exec_failed", \
		 "errno:i path:s") \
	SYSEVENT(20, PROCESS_EXIT, "process:exit", \
		 "status:i user_us:i sys_us:i maxrss_kib:i") \
	SYSEVENT(21, PROCESS_KILLED, "process:exit", \
		 "signal:i user_us:i sys_us:i maxrss_kib:i") \
	SYSEVENT(22, PROCESS_UNTRACED, "process:untraced", "path:s reason:s") \
	SYSEVENT(23, PROCESS_FORK_ELSEWHERE, "process:fork", \
		 "pidns:i nspid:i child:i") \
	SYSEVENT(24, THREAD_START, "thread:start", "tid:i") \
	SYSEVENT(25, THREAD_EXIT, "thread:exit", "") \
	SYSEVENT(26, PROCESS_START_UID, "process:start", \
		 "ppid:i uid:i exe:s argv:v") \
	SYSEVENT(27, PROCESS_BEGIN, "process:start", \
		 "ppid:i uid:i exe:s cwd:s argv:v") \
	SYSEVENT(28, THREAD_NAME, "thread:name", "tid:i name:s") \
	SYSEVENT(29, PROCESS_PROGRAM, "process:program", "name:s") \
	SYSEVENT(32, DL_MAP, "dl:map", "base:x size:x path:s build_id:b") \
	SYSEVENT(33, DL_UNMAP, "dl:unmap", "base:x size:x path:s") \
	SYSEVENT(34, DL_OPEN, "dl:open", "flags:x.dlopen ret:x path:s") \
	SYSEVENT(35, DL_OPENS, "dl:open", "flags:x.dlopen path:s") \
	SYSEVENT(36, DL_CLOSE, "dl:close", "handle:x ret:i") \
	SYSEVENT(40, SIGNAL_SEND, "signal:send", "signo:i pid:i tid:i") \
	SYSEVENT(41, SIGNAL_SEND_FAILED, "signal:send_failed", \
		 "errno:i.errno signo:i pid:i tid:i") \
	SYSEVENT(42, SIGNAL_DELIVER, "signal:deliver", \
		 "signo:i handler:x code:i pid:i") \
	SYSEVENT(43, SIGNAL_FAULT, "signal:deliver", \
		 "signo:i handler:x code:i fault:x") \
	SYSEVENT(44, SIGNAL_WAIT, "signal:wait", "signo:i code:i pid:i") \
	SYSEVENT(64, FILE_OPEN, "file:open", \
		 "dir:i.dirfd flags:x.open mode:i.mode ret:i errno:i.errno " \
		 "path:s") \
	SYSEVENT(65, FILE_CLOSE, "file:close", "fd:i ret:i errno:i.errno") \
	SYSEVENT(66, FILE_STAT, "file:stat", \
		 "dir:i.dirfd flags:x.at ret:i errno:i.errno path:s") \
	SYSEVENT(67, FILE_FSTAT, "file:fstat", "fd:i ret:i errno:i.errno") \
	SYSEVENT(68, FILE_ACCESS, "file:access", \
		 "dir:i.dirfd mode:x.access flags:x.at_access ret:i " \
		 "errno:i.errno " \
		 "path:s") \
	SYSEVENT(69, FILE_MKDIR, "file:mkdir", \
		 "dir:i.dirfd mode:i.mode ret:i errno:i.errno path:s") \
	SYSEVENT(70, FILE_UNLINK, "file:unlink", \
		 "dir:i.dirfd flags:x.at ret:i errno:i.errno path:s") \
	SYSEVENT(71, FILE_RMDIR, "file:rmdir", "ret:i errno:i.errno path:s") \
	SYSEVENT(72, FILE_REMOVE, "file:remove", "ret:i errno:i.errno path:s") \
	SYSEVENT(73, FILE_RENAME, "file:rename", \
		 "olddir:i.dirfd newdir:i.dirfd flags:x.rename ret:i " \
		 "errno:i.errno old:s new:s") \
	SYSEVENT(74, FILE_LINK, "file:link", \
		 "olddir:i.dirfd newdir:i.dirfd flags:x.at ret:i " \
		 "errno:i.errno old:s new:s") \
	SYSEVENT(75, FILE_SYMLINK, "file:symlink", \
		 "dir:i.dirfd ret:i errno:i.errno target:s path:s") \
	SYSEVENT(76, FILE_READLINK, "file:readlink", \
		 "dir:i.dirfd size:i ret:i errno:i.errno path:s") \
	SYSEVENT(77, FILE_CHMOD, "file:chmod", \
		 "dir:i.dirfd mode:i.mode flags:x.at ret:i errno:i.errno " \
		 "path:s") \
	SYSEVENT(78, FILE_FCHMOD, "file:fchmod", \
		 "fd:i mode:i.mode ret:i errno:i.errno") \
	SYSEVENT(79, FILE_CHOWN, "file:chown", \
		 "dir:i.dirfd uid:i gid:i flags:x.at ret:i errno:i.errno " \
		 "path:s") \
	SYSEVENT(80, FILE_FCHOWN, "file:fchown", \
		 "fd:i uid:i gid:i ret:i errno:i.errno") \
	SYSEVENT(81, FILE_TRUNCATE, "file:truncate", \
		 "size:i ret:i errno:i.errno path:s") \
	SYSEVENT(82, FILE_FTRUNCATE, "file:ftruncate", \
		 "fd:i size:i ret:i errno:i.errno") \
	SYSEVENT(83, FILE_MKNOD, "file:mknod", \
		 "dir:i.dirfd mode:x.type dev:x ret:i errno:i.errno path:s") \
	SYSEVENT(84, FILE_UTIMES, "file:utimes", \
		 "dir:i.dirfd flags:x.at ret:i errno:i.errno path:s") \
	SYSEVENT(85, FILE_FUTIMES, "file:futimes", "fd:i ret:i errno:i.errno") \
	SYSEVENT(86, FILE_CHDIR, "file:chdir", \
		 "ret:i errno:i.errno path:s cwd:s") \
	SYSEVENT(87, FILE_FCHDIR, "file:fchdir", \
		 "fd:i ret:i errno:i.errno cwd:s") \
	SYSEVENT(88, FILE_CHROOT, "file:chroot", "ret:i errno:i.errno path:s") \
	SYSEVENT(89, FILE_GETCWD, "file:getcwd", "ret:x errno:i.errno path:s") \
	SYSEVENT(90, FILE_OPENDIR, "file:opendir", \
		 "ret:x errno:i.errno path:s") \
	SYSEVENT(91, FILE_FDOPENDIR, "file:fdopendir", \
		 "fd:i ret:x errno:i.errno") \
	SYSEVENT(92, FILE_CLOSEDIR, "file:closedir", \
		 "dir:x ret:i errno:i.errno") \
	SYSEVENT(93, FILE_FOPEN, "file:fopen", \
		 "ret:x errno:i.errno path:s mode:s") \
	SYSEVENT(94, FILE_FREOPEN, "file:freopen", \
		 "stream:x ret:x errno:i.errno path:s mode:s") \
	SYSEVENT(95, FILE_FDOPEN, "file:fdopen", \
		 "fd:i ret:x errno:i.errno mode:s") \
	SYSEVENT(96, FILE_FCLOSE, "file:fclose", \
		 "stream:x ret:i errno:i.errno") \
	SYSEVENT(97, FILE_MKSTEMP, "file:mkstemp", \
		 "flags:x.fd ret:i errno:i.errno path:s") \
	SYSEVENT(98, FILE_MKDTEMP, "file:mkdtemp", \
		 "ret:x errno:i.errno path:s") \
	SYSEVENT(99, FILE_STATFS, "file:statfs", "ret:i errno:i.errno path:s") \
	SYSEVENT(100, FILE_FSTATFS, "file:fstatfs", \
		 "fd:i ret:i errno:i.errno") \
	SYSEVENT(101, FILE_REALPATH, "file:realpath", \
		 "ret:x errno:i.errno path:s resolved:s") \
	SYSEVENT(102, FILE_MOUNT, "file:mount", \
		 "flags:x.mount ret:i errno:i.errno source:s target:s type:s") \
	SYSEVENT(103, FILE_UMOUNT, "file:umount", \
		 "flags:x.umount ret:i errno:i.errno target:s") \
	SYSEVENT(104, FILE_GETXATTR, "file:getxattr", \
		 "fd:i.dirfd flags:x.at size:i ret:i errno:i.errno path:s " \
		 "name:s") \
	SYSEVENT(105, FILE_SETXATTR, "file:setxattr", \
		 "fd:i.dirfd flags:x.at size:i ret:i errno:i.errno path:s " \
		 "name:s") \
	SYSEVENT(106, FILE_LISTXATTR, "file:listxattr", \
		 "fd:i.dirfd flags:x.at size:i ret:i errno:i.errno path:s") \
	SYSEVENT(107, FILE_REMOVEXATTR, "file:removexattr", \
		 "fd:i.dirfd flags:x.at ret:i errno:i.errno path:s name:s") \
	SYSEVENT(108, FILE_UMASK, "file:umask", "mask:i.mode ret:i.mode") \
	SYSEVENT(109, FILE_CLOSE_RANGE, "file:close_range", \
		 "first:i last:i flags:x.close_range ret:i errno:i.errno") \
	SYSEVENT(110, FILE_TMPFILE, "file:tmpfile", "ret:x errno:i.errno") \
	SYSEVENT(111, FILE_FLOCK, "file:flock", \
		 "fd:i op:x.flock ret:i errno:i.errno") \
	SYSEVENT(112, IO_READ, "io:read", \
		 "fd:i size:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(113, IO_WRITE, "io:write", \
		 "fd:i size:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(114, IO_PREAD, "io:pread", \
		 "fd:i size:i offset:i ret:i errno:i.errno data:d") \
	SYSEVENT(115, IO_PWRITE, "io:pwrite", \
		 "fd:i size:i offset:i ret:i errno:i.errno data:d") \
	SYSEVENT(116, IO_READV, "io:readv", \
		 "fd:i count:i ret:i errno:i.errno data:d") \
	SYSEVENT(117, IO_WRITEV, "io:writev", \
		 "fd:i count:i ret:i errno:i.errno data:d") \
	SYSEVENT(118, IO_PREADV, "io:preadv", \
		 "fd:i count:i offset:i flags:x.rwf ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(119, IO_PWRITEV, "io:pwritev", \
		 "fd:i count:i offset:i flags:x.rwf ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(120, IO_LSEEK, "io:lseek", \
		 "fd:i offset:i whence:i.whence ret:i errno:i.errno") \
	SYSEVENT(121, IO_DUP, "io:dup", "fd:i flags:x.fd ret:i errno:i.errno") \
	SYSEVENT(122, IO_PIPE, "io:pipe", \
		 "flags:x.fd read:i write:i ret:i errno:i.errno") \
	SYSEVENT(123, IO_FCNTL, "io:fcntl", \
		 "fd:i cmd:i.fcntl arg:x ret:i errno:i.errno") \
	SYSEVENT(124, IO_IOCTL, "io:ioctl", \
		 "fd:i request:x.ioctl arg:x ret:i errno:i.errno") \
	SYSEVENT(125, IO_FSYNC, "io:fsync", "fd:i ret:i errno:i.errno") \
	SYSEVENT(126, IO_FREAD, "io:fread", \
		 "stream:x size:i count:i ret:i fd:i data:d") \
	SYSEVENT(127, IO_SENDFILE, "io:sendfile", \
		 "out:i in:i size:i ret:i errno:i.errno") \
	SYSEVENT(128, IO_SPLICE, "io:splice", \
		 "in:i out:i size:i flags:x.splice ret:i errno:i.errno") \
	SYSEVENT(129, IO_COPY_FILE_RANGE, "io:copy_file_range", \
		 "in:i out:i size:i flags:x ret:i errno:i.errno") \
	SYSEVENT(130, IO_POLL, "io:poll", \
		 "count:i timeout:i ret:i errno:i.errno") \
	SYSEVENT(131, IO_PPOLL, "io:ppoll", "count:i ret:i errno:i.errno") \
	SYSEVENT(132, IO_SELECT, "io:select", "count:i ret:i errno:i.errno") \
	SYSEVENT(133, IO_EPOLL_CREATE, "io:epoll_create", \
		 "flags:x.epollfd ret:i errno:i.errno") \
	SYSEVENT(134, IO_EPOLL_CTL, "io:epoll_ctl", \
		 "epoll:i op:i.epoll fd:i ret:i errno:i.errno") \
	SYSEVENT(135, IO_EPOLL_WAIT, "io:epoll_wait", \
		 "epoll:i count:i timeout:i ret:i errno:i.errno") \
	SYSEVENT(136, IO_EVENTFD, "io:eventfd", \
		 "value:i flags:x.efd ret:i errno:i.errno") \
	SYSEVENT(137, IO_FWRITE, "io:fwrite", \
		 "stream:x size:i count:i ret:i fd:i data:d") \
	SYSEVENT(138, IO_INOTIFY_WATCH, "io:inotify_add_watch", \
		 "fd:i mask:x.inotify ret:i errno:i.errno path:s") \
	SYSEVENT(139, IO_MEMFD, "io:memfd_create", \
		 "flags:x.memfd ret:i errno:i.errno name:s") \
	SYSEVENT(140, IO_INOTIFY_INIT, "io:inotify_init", \
		 "flags:x.inotifyfd ret:i errno:i.errno") \
	SYSEVENT(141, IO_ALLOCATE, "io:fallocate", \
		 "fd:i mode:x.falloc offset:i size:i ret:i errno:i.errno") \
	SYSEVENT(142, IO_FFLUSH, "io:fflush", \
		 "stream:x ret:i errno:i.errno fd:i") \
	SYSEVENT(143, MEM_SHM_UNLINK, "mem:shm_unlink", \
		 "ret:i errno:i.errno name:s") \
	SYSEVENT(144, MEM_MALLOC, "mem:malloc", "size:i ret:x errno:i.errno") \
	SYSEVENT(145, MEM_ALIGNED, "mem:aligned", \
		 "align:i size:i ret:x errno:i.errno") \
	SYSEVENT(146, MEM_CALLOC, "mem:calloc", \
		 "count:i size:i ret:x errno:i.errno") \
	SYSEVENT(147, MEM_REALLOC, "mem:realloc", \
		 "ptr:x size:i ret:x errno:i.errno") \
	SYSEVENT(148, MEM_FREE, "mem:free", "ptr:x") \
	SYSEVENT(149, MEM_MMAP, "mem:mmap", \
		 "addr:x size:i prot:x.prot flags:x.map fd:i offset:x " \
		 "ret:x errno:i.errno") \
	SYSEVENT(150, MEM_MUNMAP, "mem:munmap", \
		 "addr:x size:i ret:i errno:i.errno") \
	SYSEVENT(151, MEM_MREMAP, "mem:mremap", \
		 "addr:x size:i new_size:i flags:x.mremap ret:x " \
		 "errno:i.errno") \
	SYSEVENT(152, MEM_MPROTECT, "mem:mprotect", \
		 "addr:x size:i prot:x.prot ret:i errno:i.errno") \
	SYSEVENT(153, MEM_MADVISE, "mem:madvise", \
		 "addr:x size:i advice:i.madvise ret:i errno:i.errno") \
	SYSEVENT(154, MEM_BRK, "mem:brk", "addr:x ret:i errno:i.errno") \
	SYSEVENT(155, MEM_SBRK, "mem:sbrk", "increment:i ret:x errno:i.errno") \
	SYSEVENT(156, MEM_MSYNC, "mem:msync", \
		 "addr:x size:i flags:x.msync ret:i errno:i.errno") \
	SYSEVENT(157, MEM_MLOCK, "mem:mlock", \
		 "addr:x size:i ret:i errno:i.errno") \
	SYSEVENT(158, MEM_MUNLOCK, "mem:munlock", \
		 "addr:x size:i ret:i errno:i.errno") \
	SYSEVENT(159, MEM_SHM_OPEN, "mem:shm_open", \
		 "flags:x.open mode:i.mode ret:i errno:i.errno name:s") \
	SYSEVENT(160, SYNC_LOCK, "sync:lock", \
		 "mutex:x ret:i.errno contended:i.bool") \
	SYSEVENT(161, SYNC_TRYLOCK, "sync:trylock", "mutex:x ret:i.errno") \
	SYSEVENT(162, SYNC_TIMEDLOCK, "sync:timedlock", \
		 "mutex:x ret:i.errno contended:i.bool") \
	SYSEVENT(163, SYNC_UNLOCK, "sync:unlock", "mutex:x ret:i.errno") \
	SYSEVENT(164, SYNC_RDLOCK, "sync:rdlock", \
		 "rwlock:x ret:i.errno contended:i.bool") \
	SYSEVENT(165, SYNC_TRYRDLOCK, "sync:tryrdlock", \
		 "rwlock:x ret:i.errno") \
	SYSEVENT(166, SYNC_WRLOCK, "sync:wrlock", \
		 "rwlock:x ret:i.errno contended:i.bool") \
	SYSEVENT(167, SYNC_TRYWRLOCK, "sync:trywrlock", \
		 "rwlock:x ret:i.errno") \
	SYSEVENT(168, SYNC_RWUNLOCK, "sync:rwunlock", "rwlock:x ret:i.errno") \
	SYSEVENT(169, SYNC_WAIT, "sync:wait", "cond:x mutex:x ret:i.errno") \
	SYSEVENT(170, SYNC_TIMEDWAIT, "sync:timedwait", \
		 "cond:x mutex:x ret:i.errno") \
	SYSEVENT(171, SYNC_SIGNAL, "sync:signal", "cond:x ret:i.errno") \
	SYSEVENT(172, SYNC_BROADCAST, "sync:broadcast", "cond:x ret:i.errno") \
	SYSEVENT(173, SYNC_SEM_WAIT, "sync:sem_wait", \
		 "sem:x ret:i errno:i.errno contended:i.bool") \
	SYSEVENT(174, SYNC_SEM_TRYWAIT, "sync:sem_trywait", \
		 "sem:x ret:i errno:i.errno") \
	SYSEVENT(175, SYNC_SEM_TIMEDWAIT, "sync:sem_timedwait", \
		 "sem:x ret:i errno:i.errno contended:i.bool") \
	SYSEVENT(176, SYNC_SEM_POST, "sync:sem_post", \
		 "sem:x ret:i errno:i.errno") \
	SYSEVENT(177, SYNC_BARRIER, "sync:barrier", "barrier:x ret:i") \
	SYSEVENT(178, SYNC_JOIN, "sync:join", "thread:x ret:i.errno") \
	SYSEVENT(179, SYNC_DETACH, "sync:detach", "thread:x ret:i.errno") \
	SYSEVENT(180, SYNC_SPIN_LOCK, "sync:spin_lock", \
		 "spin:x ret:i.errno contended:i.bool") \
	SYSEVENT(181, SYNC_SPIN_TRYLOCK, "sync:spin_trylock", \
		 "spin:x ret:i.errno") \
	SYSEVENT(182, SYNC_SPIN_UNLOCK, "sync:spin_unlock", \
		 "spin:x ret:i.errno") \
	SYSEVENT(183, SYNC_MTX_LOCK, "sync:mtx_lock", \
		 "mtx:x ret:i.thrd contended:i.bool") \
	SYSEVENT(184, SYNC_MTX_TRYLOCK, "sync:mtx_trylock", \
		 "mtx:x ret:i.thrd") \
	SYSEVENT(185, SYNC_MTX_UNLOCK, "sync:mtx_unlock", "mtx:x ret:i.thrd") \
	SYSEVENT(186, SYNC_CND_WAIT, "sync:cnd_wait", \
		 "cnd:x mtx:x ret:i.thrd") \
	SYSEVENT(187, SYNC_CND_SIGNAL, "sync:cnd_signal", "cnd:x ret:i.thrd") \
	SYSEVENT(188, SYNC_CND_BROADCAST, "sync:cnd_broadcast", \
		 "cnd:x ret:i.thrd") \
	SYSEVENT(189, SYNC_SEM_OPEN, "sync:sem_open", \
		 "flags:x.open mode:i.mode value:i ret:x errno:i.errno " \
		 "name:s") \
	SYSEVENT(190, SYNC_SEM_CLOSE, "sync:sem_close", \
		 "sem:x ret:i errno:i.errno") \
	SYSEVENT(191, SYNC_SEM_UNLINK, "sync:sem_unlink", \
		 "ret:i errno:i.errno name:s") \
	SYSEVENT(192, TIME_NANOSLEEP, "time:nanosleep", \
		 "clock:i.clock flags:x.timer ns:i ret:i errno:i.errno") \
	SYSEVENT(193, TIME_THRD_SLEEP, "time:thrd_sleep", "ns:i ret:i") \
	SYSEVENT(194, TIME_SLEEP, "time:sleep", "seconds:i ret:i") \
	SYSEVENT(195, TIME_USLEEP, "time:usleep", "us:i ret:i errno:i.errno") \
	SYSEVENT(196, TIME_ALARM, "time:alarm", "seconds:i ret:i") \
	SYSEVENT(197, TIME_SETITIMER, "time:setitimer", \
		 "which:i.itimer ns:i interval_ns:i ret:i errno:i.errno") \
	SYSEVENT(198, TIME_TIMER_CREATE, "time:timer_create", \
		 "clock:i.clock timer:x ret:i errno:i.errno") \
	SYSEVENT(199, TIME_TIMER_SETTIME, "time:timer_settime", \
		 "timer:x flags:x.timer ns:i interval_ns:i ret:i " \
		 "errno:i.errno") \
	SYSEVENT(200, TIME_TIMER_DELETE, "time:timer_delete", \
		 "timer:x ret:i errno:i.errno") \
	SYSEVENT(201, TIME_TIMERFD_CREATE, "time:timerfd_create", \
		 "clock:i.clock flags:x.tfd ret:i errno:i.errno") \
	SYSEVENT(202, TIME_TIMERFD_SETTIME, "time:timerfd_settime", \
		 "fd:i flags:x.tfdset ns:i interval_ns:i ret:i errno:i.errno") \
	SYSEVENT(203, TIME_CLOCK_GETTIME, "time:clock_gettime", \
		 "clock:i.clock ns:i ret:i errno:i.errno") \
	SYSEVENT(204, TIME_CLOCK_SETTIME, "time:clock_settime", \
		 "clock:i.clock ns:i ret:i errno:i.errno") \
	SYSEVENT(205, TIME_GETTIMEOFDAY, "time:gettimeofday", \
		 "ns:i ret:i errno:i.errno") \
	SYSEVENT(206, TIME_TIME, "time:time", "ret:i") \
	SYSEVENT(207, SYNC_FUTEX, "sync:futex", \
		 "uaddr:x op:i.futex val:i ret:i errno:i.errno") \
	SYSEVENT(208, NET_SOCKET, "net:socket", \
		 "family:i.af type:x.sock protocol:i ret:i errno:i.errno") \
	SYSEVENT(209, NET_SOCKETPAIR, "net:socketpair", \
		 "family:i.af type:x.sock protocol:i first:i second:i " \
		 "ret:i errno:i.errno") \
	SYSEVENT(210, NET_BIND, "net:bind", \
		 "fd:i ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(211, NET_CONNECT, "net:connect", \
		 "fd:i ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(212, NET_LISTEN, "net:listen", \
		 "fd:i backlog:i ret:i errno:i.errno") \
	SYSEVENT(213, NET_ACCEPT, "net:accept", \
		 "fd:i flags:x.acceptfd ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(214, NET_GETSOCKNAME, "net:getsockname", \
		 "fd:i ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(215, NET_GETPEERNAME, "net:getpeername", \
		 "fd:i ret:i errno:i.errno addr:b.sockaddr") \
	SYSEVENT(216, NET_SEND, "net:send", \
		 "fd:i size:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(217, NET_SENDTO, "net:sendto", \
		 "fd:i size:i flags:x.msg ret:i errno:i.errno " \
		 "addr:b.sockaddr data:d") \
	SYSEVENT(218, NET_SENDMSG, "net:sendmsg", \
		 "fd:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(219, NET_SENDMMSG, "net:sendmmsg", \
		 "fd:i count:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(220, NET_RECV, "net:recv", \
		 "fd:i size:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(221, NET_RECVFROM, "net:recvfrom", \
		 "fd:i size:i flags:x.msg ret:i errno:i.errno " \
		 "addr:b.sockaddr data:d") \
	SYSEVENT(222, NET_RECVMSG, "net:recvmsg", \
		 "fd:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(223, NET_RECVMMSG, "net:recvmmsg", \
		 "fd:i count:i flags:x.msg ret:i errno:i.errno data:d") \
	SYSEVENT(224, NET_SHUTDOWN, "net:shutdown", \
		 "fd:i how:i.shut ret:i errno:i.errno") \
	SYSEVENT(225, NET_GETSOCKOPT, "net:getsockopt", \
		 "fd:i level:i.level option:i.sockopt ret:i errno:i.errno") \
	SYSEVENT(226, NET_SETSOCKOPT, "net:setsockopt", \
		 "fd:i level:i.level option:i.sockopt size:i ret:i " \
		 "errno:i.errno") \
	SYSEVENT(227, NET_GETADDRINFO, "net:getaddrinfo", \
		 "ret:i.eai node:s service:s") \
	SYSEVENT(228, NET_GETNAMEINFO, "net:getnameinfo", \
		 "ret:i.eai addr:b.sockaddr") \
	SYSEVENT(229, IO_MQ_OPEN, "io:mq_open", \
		 "flags:x.open mode:i.mode ret:i errno:i.errno name:s") \
	SYSEVENT(230, IO_MQ_CLOSE, "io:mq_close", "mq:i ret:i errno:i.errno") \
	SYSEVENT(231, IO_MQ_UNLINK, "io:mq_unlink", \
		 "ret:i errno:i.errno name:s") \
	SYSEVENT(232, IO_MQ_SEND, "io:mq_send", \
		 "mq:i size:i priority:i ret:i errno:i.errno data:d") \
	SYSEVENT(233, IO_MQ_RECEIVE, "io:mq_receive", \
		 "mq:i size:i ret:i errno:i.errno data:d") \
	SYSEVENT(234, IO_PRINTF, "io:printf", \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(235, IO_SCANF, "io:scanf", \
		 "stream:x fd:i ret:i errno:i.errno") \
	SYSEVENT(236, IO_PUTS, "io:puts", \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(237, IO_GETS, "io:gets", \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(238, IO_PUTC, "io:putc", \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(239, IO_GETC, "io:getc", \
		 "stream:x fd:i ret:i errno:i.errno " \
		 "data:d") \
	SYSEVENT(240, CALL_SYMBOL, "call:symbol", \
		 "callee:x function:s library:s prototype:s") \
	SYSEVENT(241, CALL_ENTER, "call:enter", "callee:x") \
	SYSEVENT(242, CALL_EXIT, "call:exit", "callee:x ret:x") \
	SYSEVENT(243, CALL_HOOKS, "call:hooks", "slots:i glob:s near:s") \
	SYSEVENT(244, CALL_UNHOOKED, "call:unhooked", "slots:i reason:s") \
	SYSEVENT(248, CALL_ENTER_TYPED, "call:enter", "callee:x args:a") \
	SYSEVENT(249, CALL_EXIT_TYPED, "call:exit", "callee:x ret:r") \
	SYSEVENT(250, CALL_TOOK, "call:exit", "callee:x duration:i ret:x") \
	SYSEVENT(251, CALL_TOOK_TYPED, "call:exit", \
		 "callee:x duration:i args:A ret:r") \
	SYSEVENT(252, CALL_RETURN, "call:exit", "callee:x ret:x") \
	SYSEVENT(253, CALL_RETURN_WHOLE, "call:exit", "callee:x args:A ret:r") \
	SYSEVENT(254, CALL_RETURN_TYPED, "call:exit", "callee:x ret:r")

enum ptl_sysevent {
#define SYSEVENT(id, ident, name, fields) PTL_EV_##ident = (id),
	PTL_SYSEVENTS(SYSEVENT)
#undef SYSEVENT
};

#endif
