#!/bin/sh
# SPDX-License-Identifier: MIT
# What calls point to is shown by what it is: structures, options and flags by
# their names; what is cut, of another size or unknown is never taken for more
# than it is; and logs of older versions, which have none of it, are shown as
# they were.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 14

# make_log: of lines ID FIELD..., as in dump-text.t.
make_log() {
	awk '{
		now = NR * 1000
		print now, 10, 10, 0, $1, 0, substr($0, length($1) + 2),
			"x:" now
	}' | "$VICTIMS/victim-mklog" log
}

text() {
	make_log
	"$PTRACE_DUMP" log | cut -c 51-
}

# repeat COUNT HEX
repeat() {
	awk -v n="$1" -v hex="$2" 'BEGIN { while (n--) printf "%s", hex }'
}

is "$(text <<-END
	66 i:-100 x:0 i:0 i:0 s:/x i:33188 i:5
	66 i:-100 x:0x100 i:0 i:0 s:/x i:41471 i:0
	66 i:7 x:0x1000 i:0 i:0 s: i:36325 i:-1
	66 i:-100 x:0 i:-1 i:2 s:/x
	67 i:3 i:0 i:0 i:4480 i:0
	67 i:3 i:-1 i:9
	76 i:-100 i:64 i:6 i:0 s:/x b:746172676574
	76 i:-100 i:3 i:5 i:0 s:/x b:746172
	76 i:-100 i:3 i:-1 i:22 s:/x
END
)" "stat(\"/x\") = 0 {st_mode=S_IFREG|0644, st_size=5}
lstat(\"/x\") = 0 {st_mode=S_IFLNK|0777, st_size=0}
fstatat(7, \"\", AT_EMPTY_PATH) = 0 {st_mode=S_IFREG|06745, st_size=-1}
stat(\"/x\") = -1 ENOENT (No such file or directory)
fstat(3) = 0 {st_mode=S_IFIFO|0600, st_size=0}
fstat(3) = -1 EBADF (Bad file descriptor)
readlink(\"/x\", 64) = 6 \"target\"
readlink(\"/x\", 3) = 5 \"tar\"...
readlink(\"/x\", 3) = -1 EINVAL (Invalid argument)" "files"

is "$(text <<-END
	130 i:2 i:-1 i:1 i:0 b:03000000010000000400000004001000
	130 i:2 i:5 i:0 i:0 b:0300000000800000ffffffff01000100
	130 i:0 i:5 i:0 i:0 b:
	130 i:2 i:5 i:-1 i:4 b:0300000001000000040000
	130 i:40 i:5 i:0 i:0 b:$(repeat 31 0300000001000000)
	131 i:1 i:1 i:0 b:0300000001000100 i:250
END
)" "poll([{fd=3, events=POLLIN}, {fd=4, events=POLLOUT, revents=POLLHUP}], 2, -1) = 1
poll([{fd=3, events=0x8000}, {fd=-1}], 2, 5) = 0
poll([], 0, 5) = 0
poll([{fd=3, events=POLLIN}, ...], 2, 5) = -1 EINTR (Interrupted system call)
poll([$(repeat 31 "{fd=3, events=POLLIN}, ")...], 40, 5) = 0
ppoll([{fd=3, events=POLLIN, revents=POLLIN}], 1, 250) = 1" "poll"

is "$(text <<-END
	132 i:9 i:2 i:0 b:03000009040000020500000708000004 i:-1
	132 i:0 i:0 i:0 b: i:100
	132 i:99 i:0 i:0 b:03000001ffffffff i:0
	132 i:9 i:-1 i:14 b:0300 i:0
END
)" "select(9, in [3 5] out [4 5] err [5 8], ready in [3], -1) = 2
select(0, [], 100) = 0
select(99, in [3 ...], 0) = 0
select(9, [], 0) = -1 EFAULT (Bad address)" "select"

is "$(text <<-END
	134 i:3 i:1 i:4 i:0 i:0 x:0x80000001 x:0x44
	134 i:3 i:2 i:4 i:0 i:0
	135 i:3 i:8 i:-1 i:2 i:0 b:01000000440000000000000004000080ffffffffffffffff
	135 i:3 i:99 i:-1 i:30 i:0 b:$(repeat 21 010000004400000000000000)
	135 i:3 i:8 i:0 i:0 i:0 b:
	135 i:3 i:8 i:0 i:-1 i:4
END
)" "epoll_ctl(3, EPOLL_CTL_ADD, 4, EPOLLIN|EPOLLET, 0x44) = 0
epoll_ctl(3, EPOLL_CTL_DEL, 4) = 0
epoll_wait(3, 8, -1) = 2 [{events=EPOLLIN, data=0x44}, {events=EPOLLOUT|EPOLLET, data=0xffffffffffffffff}]
epoll_wait(3, 99, -1) = 30 [$(repeat 21 "{events=EPOLLIN, data=0x44}, ")...]
epoll_wait(3, 8, 0) = 0 []
epoll_wait(3, 8, 0) = -1 EINTR (Interrupted system call)" "epoll"

is "$(text <<-END
	99 i:0 i:0 s:/x b:53ef000000000000$(repeat 1 0010000000000000)
	99 i:0 i:0 s:/x b:0000000000000000$(repeat 6 0200000000000000)ffffffff01000000$(repeat 2 ff00000000000000)2110000000000080
	100 i:7 i:-1 i:9
	100 i:7 i:0 i:0 b:53ef
END
)" "statfs(\"/x\") = 0 {f_type=EXT2_SUPER_MAGIC, f_bsize=4096}
statfs(\"/x\") = 0 {f_bsize=2, f_blocks=2, f_bfree=2, f_bavail=2, f_files=2, f_ffree=2, f_fsid={val=[0xffffffff, 0x1]}, f_namelen=255, f_frsize=255, f_flags=ST_VALID|ST_RDONLY|ST_RELATIME|0x8000000000000000}
fstatfs(7) = -1 EBADF (Bad file descriptor)
fstatfs(7) = 0 {}" "file systems"

is "$(text <<-END
	104 i:-100 x:0 i:9 i:5 i:0 s:/x s:user.k b:706c61696e
	104 i:-100 x:0x100 i:9 i:5 i:0 s:/x s:user.k b:706c616900
	104 i:7 x:0 i:9 i:5 i:0 s: s:user.k b:706c006900
	104 i:-100 x:0 i:999 i:256 i:0 s:/x s:user.k b:$(repeat 255 78)
	104 i:-100 x:0 i:999 i:255 i:0 s:/x s:user.k b:$(repeat 255 01)
	105 i:-100 x:0 i:256 i:0 i:0 s:/x s:user.k b:$(repeat 255 01)
	105 i:-100 x:0 i:0 i:0 i:0 s:/x s:user.k b:
	105 i:-100 x:0 i:5 i:-1 i:1 s:/x s:user.k
END
)" "getxattr(\"/x\", \"user.k\", 9) = 5 \"plain\"
lgetxattr(\"/x\", \"user.k\", 9) = 5 \"plai\"
fgetxattr(7, \"user.k\", 9) = 5 706c006900
getxattr(\"/x\", \"user.k\", 999) = 256 \"$(repeat 255 x)\"...
getxattr(\"/x\", \"user.k\", 999) = 255 $(repeat 255 01)
setxattr(\"/x\", \"user.k\", $(repeat 255 01)..., 256) = 0
setxattr(\"/x\", \"user.k\", \"\", 0) = 0
setxattr(\"/x\", \"user.k\", 5) = -1 EPERM (Operation not permitted)" "attributes"

is "$(text <<-END
	218 i:3 x:0x4000 i:5 i:0 b:020000507f0000010000000000000000 b:0500000006000000 b:
	218 i:3 x:0 i:5 i:0 b: b:
	222 i:3 x:0 i:5 i:0 b: b:$(repeat 62 07000000)ffffffff
	222 i:3 x:0 i:5 i:0 b: b:070000
	222 i:3 x:0 i:-1 i:11 b: b:
	222 i:3 x:0 i:5 i:0
END
)" "sendmsg(3, MSG_NOSIGNAL, 127.0.0.1:80, passed=[5, 6]) = 5
sendmsg(3, 0) = 5
recvmsg(3, 0, passed=[$(repeat 62 "7, ")...]) = 5
recvmsg(3, 0, passed=[]) = 5
recvmsg(3, 0) = -1 EAGAIN (Resource temporarily unavailable)
recvmsg(3, 0) = 5" "messages"

is "$(text <<-END
	225 i:3 i:1 i:4 i:0 i:0 b:6f000000
	225 i:3 i:1 i:4 i:0 i:0 b:00000000
	225 i:3 i:1 i:3 i:0 i:0 b:02000000
	225 i:3 i:1 i:39 i:0 i:0 b:0a000000
	225 i:3 i:1 i:13 i:0 i:0 b:0100000005000000
	225 i:3 i:1 i:13 i:0 i:0 b:010000000500
	225 i:3 i:1 i:17 i:0 i:0 b:0100000002000000ffffffff
	225 i:3 i:1 i:20 i:0 i:0 b:010000000000000090d0030000000000
	225 i:3 i:6 i:13 i:0 i:0 b:7265
	225 i:3 i:6 i:13 i:0 i:0 b:7265006e6f
	225 i:3 i:6 i:11 i:0 i:0 b:010203
	225 i:3 i:999 i:1 i:0 i:0 b:ff
	225 i:3 i:1 i:4 i:-1 i:9
END
)" "getsockopt(3, SOL_SOCKET, SO_ERROR) = 0 [ECONNREFUSED]
getsockopt(3, SOL_SOCKET, SO_ERROR) = 0 [0]
getsockopt(3, SOL_SOCKET, SO_TYPE) = 0 [SOCK_DGRAM]
getsockopt(3, SOL_SOCKET, SO_DOMAIN) = 0 [AF_INET6]
getsockopt(3, SOL_SOCKET, SO_LINGER) = 0 [{l_onoff=1, l_linger=5}]
getsockopt(3, SOL_SOCKET, SO_LINGER) = 0 [010000000500]
getsockopt(3, SOL_SOCKET, SO_PEERCRED) = 0 [{pid=1, uid=2, gid=4294967295}]
getsockopt(3, SOL_SOCKET, SO_RCVTIMEO) = 0 [{tv_sec=1, tv_usec=250000}]
getsockopt(3, IPPROTO_TCP, TCP_CONGESTION) = 0 [\"re\"]
getsockopt(3, IPPROTO_TCP, TCP_CONGESTION) = 0 [\"re\"]
getsockopt(3, IPPROTO_TCP, TCP_INFO) = 0 [010203]
getsockopt(3, 999, 1) = 0 [255]
getsockopt(3, SOL_SOCKET, SO_ERROR) = -1 EBADF (Bad file descriptor)" \
	"options of sockets"

is "$("$PTRACE_DUMP" --failed -f json log | grep -c '"value":"ECONNREFUSED"')" 1 \
	"the error of a connection that was made meanwhile is a failure"
is "$("$PTRACE_DUMP" --failed -f json log | wc -l)" 2 "and no other value is"
is "$("$PTRACE_DUMP" -w 'value == ECONNREFUSED || value == 255' -f json log |
	sed 's/.*\(,"failed".*\)/\1/')" \
	',"failed":true,"args":{"fd":3,"level":"SOL_SOCKET","option":"SO_ERROR","ret":0,"value":"ECONNREFUSED"}}
,"failed":false,"args":{"fd":3,"level":"999","option":"1","ret":0,"value":255}}' \
	"it can be asked for by its name, and has it in JSON"

is "$(text <<-END
	226 i:3 i:1 i:2 i:4 i:0 i:0 b:01000000
	226 i:3 i:1 i:2 i:4 i:0 i:0 b:00000000
	226 i:3 i:1 i:2 i:4 i:-1 i:14
	123 i:3 i:6 x:0x7f00 i:0 i:0 b:0100000000000000010000000000000002000000000000000000000000000000
	123 i:3 i:5 x:0x7f00 i:0 i:0 b:0000020000000000ffffffffffffffff00000000000000000700000000000000
	123 i:3 i:5 x:0x7f00 i:0 i:0 b:00000200
	123 i:3 i:16 x:0x7f00 i:0 i:0 b:0100000007000000
	123 i:3 i:1 x:0 i:1 i:0
	124 i:0 x:0x5413 x:0x7f00 i:0 i:0 b:1800500000000000
	124 i:0 x:0x5413 x:0x7f00 i:0 i:0 b:180050
	124 i:0 x:0x541b x:0x7f00 i:0 i:0 b:00010000
	124 i:0 x:0x5401 x:0x7f00 i:0 i:0 b:0001000001000000bf0000000300000000030000000000000000000000000000000000
	124 i:0 x:0x5401 x:0x7f00 i:0 i:0 b:0001000001000000bf000000030000000003000000000000000000000000000000000000
	124 i:0 x:0x8913 x:0x7f00 i:0 i:0 b:6c6f000000000000000000000000000049000000000000000000000000000000ffffffffffffffff
	124 i:0 x:0x5413 x:0x7f00 i:-1 i:25
END
)" "setsockopt(3, SOL_SOCKET, SO_REUSEADDR, 1, 4) = 0
setsockopt(3, SOL_SOCKET, SO_REUSEADDR, 0, 4) = 0
setsockopt(3, SOL_SOCKET, SO_REUSEADDR, 4) = -1 EFAULT (Bad address)
fcntl(3, F_SETLK, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=1, l_len=2}) = 0
fcntl(3, F_GETLK, {l_type=F_RDLCK, l_whence=SEEK_END, l_start=-1, l_len=0, l_pid=7}) = 0
fcntl(3, F_GETLK, 00000200) = 0
fcntl(3, F_GETOWN_EX, {type=F_OWNER_PID, pid=7}) = 0
fcntl(3, F_GETFD) = 1
ioctl(0, TIOCGWINSZ, {ws_row=24, ws_col=80, ws_xpixel=0, ws_ypixel=0}) = 0
ioctl(0, TIOCGWINSZ, 180050) = 0
ioctl(0, FIONREAD, 256) = 0
ioctl(0, TCGETS, 0001000001000000bf0000000300000000030000000000000000000000000000000000) = 0
ioctl(0, TCGETS, {c_iflag=ICRNL, c_oflag=OPOST, c_cflag=B38400|CS8|CREAD, c_lflag=ISIG|ICANON}) = 0
ioctl(0, SIOCGIFFLAGS, {ifr_name=lo, ifr_flags=IFF_UP|IFF_LOOPBACK|IFF_RUNNING}) = 0
ioctl(0, TIOCGWINSZ, 0x7f00) = -1 ENOTTY (Inappropriate ioctl for device)" \
	"options that are set, locks and terminals"

is "$(text <<-END
	67 i:3 i:0 i:0
	76 i:-100 i:64 i:6 i:0 s:/x
	123 i:3 i:5 x:0x7f00 i:0 i:0
	124 i:0 x:0x5413 x:0x7f00 i:0 i:0
	130 i:1 i:5 i:0 i:0
	132 i:9 i:1 i:0
	134 i:3 i:1 i:4 i:0 i:0
	135 i:3 i:8 i:-1 i:2 i:0
	225 i:3 i:1 i:4 i:0 i:0
	226 i:3 i:1 i:2 i:4 i:0 i:0
END
)" "fstat(3) = 0
readlink(\"/x\", 64) = 6
fcntl(3, F_GETLK, 0x7f00) = 0
ioctl(0, TIOCGWINSZ, 0x7f00) = 0
poll(..., 1, 5) = 0
select(9, ...) = 1
epoll_ctl(3, EPOLL_CTL_ADD, 4) = 0
epoll_wait(3, 8, -1) = 2
getsockopt(3, SOL_SOCKET, SO_ERROR) = 0
setsockopt(3, SOL_SOCKET, SO_REUSEADDR, 4) = 0" "logs that have none of it"

make_log <<-END
	130 i:40 i:5 i:0 i:0 b:$(repeat 31 0300000001000000)
	130 i:31 i:5 i:0 i:0 b:$(repeat 31 0300000001000000)
END
is "$("$PTRACE_DUMP" -f json log | sed 's/.*"trunc":"\([a-z]*\)".*/\1/')" \
	"record
none" "what is cut is marked in JSON"
