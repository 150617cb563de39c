#!/bin/sh
# SPDX-License-Identifier: MIT
# What strace and the log say of one and the same run of real programs: each call
# of ours that is a system call is there in strace's, in the order of its thread,
# with the same descriptor, result and error; it took us no less, for strace
# stops the thread inside of our call; and processes end alike.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
strace -o "$T/strace" true 2>/dev/null
[ -s "$T/strace" ] || skip_all "strace does not work here"

cat >"$T/check.py" <<'END'
import collections
import glob
import json
import re
import sys

# The system calls that an event may be; where our result is not the kernel's.
CALLS = {
    "io:read": "read", "io:write": "write", "io:pread": "pread64",
    "io:pwrite": "pwrite64", "io:lseek": "lseek", "io:dup": "dup dup2 dup3",
    "io:pipe": "pipe pipe2", "io:fcntl": "fcntl", "io:ioctl": "ioctl",
    "io:poll": "poll ppoll", "io:select": "select pselect6",
    "io:epoll_wait": "epoll_wait epoll_pwait", "io:epoll_ctl": "epoll_ctl",
    "io:readv": "readv", "io:writev": "writev", "io:fsync": "fsync fdatasync",
    "file:close": "close", "file:openat": "openat", "file:open": "openat open",
    "file:unlink": "unlink unlinkat", "file:rename": "rename renameat renameat2",
    "file:mkdir": "mkdir mkdirat", "file:chdir": "chdir",
    "file:access": "access faccessat faccessat2",
    "mem:munmap": "munmap", "mem:mprotect": "mprotect",
    "net:socket": "socket", "net:socketpair": "socketpair", "net:bind": "bind",
    "net:connect": "connect", "net:listen": "listen",
    "net:accept": "accept accept4", "net:getsockname": "getsockname",
    "net:getpeername": "getpeername", "net:send": "sendto",
    "net:sendto": "sendto", "net:recv": "recvfrom", "net:recvfrom": "recvfrom",
    "net:sendmsg": "sendmsg", "net:recvmsg": "recvmsg",
    "net:shutdown": "shutdown", "net:setsockopt": "setsockopt",
    "net:getsockopt": "getsockopt", "time:nanosleep":
    "nanosleep clock_nanosleep", "sync:futex": "futex",
}
LINE = re.compile(r"(\w+)\((?:([-\w]+|\"[^\"]*\"),? ?(\"[^\"]*\")?)?.*\) += "
                  r"(-?[x\da-f]+)(?: (E\w+))?.*<([\d.]+)>$")
ENDED = re.compile(r"\+\+\+ exited with (\d+) \+\+\+|\+\+\+ killed by (\w+)")


def theirs(tid):
    calls, end = [], None
    for path in glob.glob(f"theirs.{tid}"):
        for line in open(path, errors="replace"):
            found = LINE.match(line)
            if found:
                name, first, second, ret, errno, took = found.groups()
                ret = int(ret, 16 if ret.startswith("0x") else 10)
                calls.append((name, first, second, ret, errno,
                              float(took) * 1e9))
            found = ENDED.match(line)
            if found:
                end = found.group(1) or found.group(2)
    return calls, end


def is_same(e, call):
    args = e["args"]
    name, first, second, ret, errno, took = call
    if name not in CALLS[e["name"]].split():
        return False
    about = [args.get(of) for of in ("epoll", "fd", "path", "old", "addr")]
    about = next((what for what in about if what is not None), first)
    if "net:" in e["name"]:
        about = args.get("fd", first)
    if str(about) not in (first, str(first).strip('"'), str(second).strip('"')):
        return False
    # Theirs is in microseconds, and a part of ours.
    if args.get("errno") != errno or e["dur"] + 2000 < took:
        return False
    return errno is not None or args["ret"] == ret


threads = collections.defaultdict(list)
ends = []
families = collections.Counter()
for line in open(sys.argv[1]):
    e = json.loads(line)
    # By eaccess() libc looks for itself.
    if e["name"] in CALLS and "AT_EACCESS" not in e["args"].get("flags", ""):
        threads[e["tid"]].append(e)
        families[e["name"].split(":")[0]] += 1
    if e["name"] == "process:exit":
        ends.append(e)
missing, nr = [], 0
for tid, events in threads.items():
    calls, at = theirs(tid)[0], 0
    for e in events:
        found = next((i for i in range(at, len(calls))
                      if is_same(e, calls[i])), None)
        if found is None:
            missing.append((e["name"], e["args"]))
            continue
        nr += 1
        at = found + 1
other = [(e["pid"], e["args"], theirs(e["pid"])[1]) for e in ends
         if str(e["args"].get("status", e["args"].get("signal"))) !=
         theirs(e["pid"])[1]]
print(nr, len(missing), len(other) if ends else -1)
print("#", dict(families), file=sys.stderr)
for what in missing[:5] + other[:5]:
    print(what, file=sys.stderr)
END

# compare NAME LEAST COMMAND...: three tests.
compare() {
	name=$1 least=$2
	shift 2
	if ! command -v "${program:-$1}" >/dev/null; then
		skip "$name" "no ${program:-$1}" 3
		return
	fi
	rm -rf "$T/work" "$T"/theirs.* && mkdir "$T/work" && cd "$T/work" || exit
	printf 'all: b\nb: a.c\n\tcp a.c b\n' >Makefile
	echo 'int main(void) { return 0; }' >a.c
	strace -ff -T -s 4096 -e signal=none -o "$T/theirs" "$PTRACE_RUN" -q \
		-o "$T/log" --stream-policy block -b 8M \
		-e process,file,io,net,time,mem,sync "$@" >/dev/null 2>&1 </dev/null
	cd "$T" || exit
	"$PTRACE_DUMP" -f json log >ours
	# shellcheck disable=SC2046
	set -- $(python3 check.py ours 2>err)
	diag "$name: $(cat err)"
	[ "${1:-0}" -ge "$least" ]
	ok $? "$name: ${1:-no} calls"
	is "${2-}" 0 "$name: the same, in order"
	is "${3-}" 0 "$name: processes end alike"
}

cat >talk.py <<'END'
import os, socket, time
a = socket.socket()
try:
    a.connect(("127.0.0.1", 1))
except OSError:
    pass
a = socket.socket()
a.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
a.bind(("127.0.0.1", 0))
a.listen()
if os.fork() == 0:
    b = socket.create_connection(a.getsockname())
    b.sendall(b"hello")
    b.recv(10)
    os._exit(3)
c, _ = a.accept()
c.recv(10)
c.send(b"bye")
c.close()
os.wait()
time.sleep(0.001)
os.mkdir("d")
END
cat >serve.sh <<'END'
redis-server --port 0 --unixsocket s --save "" >/dev/null &
until [ -S s ] && redis-cli -s s ping; do sleep 0.1; done
redis-cli -s s set a 1
redis-cli -s s get a
redis-cli -s s shutdown nosave
wait
END

plan 15
compare bash 5 bash -c 'cd . && echo x >new; cat a.c | cat >/dev/null; ! cat none'
compare make 5 make
compare python3 20 python3 -S "$T/talk.py"
compare git 5 git init -q repository
program=redis-server
compare redis-server 50 sh "$T/serve.sh"
