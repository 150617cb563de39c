# SPDX-License-Identifier: MIT
"""What strace says of a run, beside what our log says of the same run.

usage: strace.py theirs ours text

theirs.TID is what strace -ff -y -T wrote, ours what ptrace-dump -f json did, and
text what ptrace-dump -y did of file, io, net and mem, a line for each event.
Prints how many of our events are among strace's calls, how many are not, how many
processes end otherwise, for how many descriptors both say the same file, for how
many another one, and the event types that were compared."""
import collections
import glob
import json
import os
import re
import signal
import socket
import stat
import sys

# The system calls that an event may be, with their arguments by the names of
# our fields.  `_': we do not record it.  An argument may be more than one field.
# NAME=VALUE: a field that the system call has no argument for.  In place of what
# the kernel returned `~' stands for 0 or -1, where libc returns something else.
CALLS = """
file:open openat(dir,path,flags,mode)
file:open open(path,flags,mode,dir=AT_FDCWD)
file:open creat(path,mode,dir=AT_FDCWD,flags=O_WRONLY|O_CREAT|O_TRUNC)
file:close close(fd)
file:close_range close_range(first,last,flags)
file:stat newfstatat(dir,path,stat,flags) statx(dir,path,flags,_,stat)
file:stat stat(path,stat,dir=AT_FDCWD,flags=0)
file:stat lstat(path,stat,dir=AT_FDCWD,flags=AT_SYMLINK_NOFOLLOW)
file:fstat fstat(fd,stat) newfstatat(fd,_,stat)
file:statfs statfs(path,statfs)
file:fstatfs fstatfs(fd,statfs)
file:access faccessat2(dir,path,mode,flags) faccessat(dir,path,mode)
file:access access(path,mode,dir=AT_FDCWD,flags=0)
file:mkdir mkdir(path,mode,dir=AT_FDCWD) mkdirat(dir,path,mode)
file:mknod mknod(path,mode,dev,dir=AT_FDCWD) mknodat(dir,path,mode,dev)
file:unlink unlink(path,dir=AT_FDCWD,flags=0) unlinkat(dir,path,flags)
file:rmdir rmdir(path)
file:remove unlink(path) rmdir(path)
file:rename rename(old,new,olddir=AT_FDCWD,newdir=AT_FDCWD,flags=0)
file:rename renameat(olddir,old,newdir,new,flags=0)
file:rename renameat2(olddir,old,newdir,new,flags)
file:link link(old,new,olddir=AT_FDCWD,newdir=AT_FDCWD,flags=0)
file:link linkat(olddir,old,newdir,new,flags)
file:symlink symlink(target,path,dir=AT_FDCWD) symlinkat(target,dir,path)
file:readlink readlink(path,target,size,dir=AT_FDCWD)
file:readlink readlinkat(dir,path,target,size)
file:chmod chmod(path,mode,dir=AT_FDCWD,flags=0) fchmodat(dir,path,mode)
file:chmod fchmodat2(dir,path,mode,flags)
file:fchmod fchmod(fd,mode)
file:chown chown(path,uid,gid,dir=AT_FDCWD,flags=0)
file:chown lchown(path,uid,gid,dir=AT_FDCWD,flags=AT_SYMLINK_NOFOLLOW)
file:chown fchownat(dir,path,uid,gid,flags)
file:fchown fchown(fd,uid,gid)
file:truncate truncate(path,size)
file:ftruncate ftruncate(fd,size)
file:utimes utimensat(dir,path,times,flags) futimesat(dir,path,times,flags=0)
file:utimes utime(path,times,dir=AT_FDCWD,flags=0)
file:utimes utimes(path,times,dir=AT_FDCWD,flags=0)
file:futimes utimensat(fd,_,times)
file:chdir chdir(path)
file:fchdir fchdir(fd)
file:chroot chroot(path)
file:opendir openat~(_,path)
file:closedir close(_)
file:fopen openat~(_,path)
file:freopen openat~(_,path)
file:fclose close(_)
file:mkdtemp mkdir~(path)
file:mkstemp openat(_,path)
file:mount mount(source,target,type,flags)
file:umount umount2(target,flags)
file:getxattr getxattr(path,name,value,size,fd=AT_FDCWD,flags=0)
file:getxattr lgetxattr(path,name,value,size,fd=AT_FDCWD,flags=AT_SYMLINK_NOFOLLOW)
file:getxattr fgetxattr(fd,name,value,size,flags=0)
file:setxattr setxattr(path,name,value,size,fd=AT_FDCWD,flags=0)
file:setxattr lsetxattr(path,name,value,size,fd=AT_FDCWD,flags=AT_SYMLINK_NOFOLLOW)
file:setxattr fsetxattr(fd,name,value,size,flags=0)
file:listxattr listxattr(path,_,size,fd=AT_FDCWD,flags=0)
file:listxattr llistxattr(path,_,size,fd=AT_FDCWD,flags=AT_SYMLINK_NOFOLLOW)
file:listxattr flistxattr(fd,_,size,flags=0)
file:removexattr removexattr(path,name,fd=AT_FDCWD,flags=0)
file:removexattr lremovexattr(path,name,fd=AT_FDCWD,flags=AT_SYMLINK_NOFOLLOW)
file:removexattr fremovexattr(fd,name,flags=0)
file:umask umask(mask)
file:flock flock(fd,op)
io:read read(fd,_,size)
io:write write(fd,_,size)
io:pread pread64(fd,_,size,offset)
io:pwrite pwrite64(fd,_,size,offset)
io:readv readv(fd,_,count)
io:writev writev(fd,_,count)
io:preadv preadv(fd,_,count,offset,flags=0) preadv2(fd,_,count,offset,flags)
io:pwritev pwritev(fd,_,count,offset,flags=0) pwritev2(fd,_,count,offset,flags)
io:lseek lseek(fd,offset,whence)
io:dup dup(fd,flags=0) dup2(fd,_,flags=0) dup3(fd,_,flags)
io:dup fcntl(fd,=F_GETFD)
io:pipe pipe(read+write,flags=0) pipe2(read+write,flags)
io:fcntl fcntl(fd,cmd,arg)
io:ioctl ioctl(fd,request,arg)
io:fsync fsync(fd) fdatasync(fd) syncfs(fd)
io:sendfile sendfile(out,in,_,size)
io:splice splice(in,_,out,_,size,flags) tee(in,out,size,flags)
io:copy_file_range copy_file_range(in,_,out,_,size,flags)
io:fallocate fallocate(fd,mode,offset,size)
io:poll poll(fds,count,timeout)
io:ppoll ppoll(fds,count,timeout)
io:select select(count,in,out,err,timeout) pselect6(count,in,out,err,timeout)
io:epoll_create epoll_create(_,flags=0) epoll_create1(flags)
io:epoll_ctl epoll_ctl(epoll,op,fd,event)
io:epoll_wait epoll_wait(epoll,events,count,timeout)
io:epoll_wait epoll_pwait(epoll,events,count,timeout)
io:epoll_wait epoll_pwait2(epoll,events,count)
io:eventfd eventfd2(value,flags)
io:inotify_init inotify_init(flags=0) inotify_init1(flags)
io:inotify_add_watch inotify_add_watch(fd,path,mask)
io:memfd_create memfd_create(name,flags)
io:mq_open mq_open(name,flags,mode)
io:mq_close close(mq)
io:mq_unlink mq_unlink(name)
io:mq_send mq_timedsend(mq,_,size,priority)
io:mq_receive mq_timedreceive(mq,_,size)
mem:mmap mmap(addr,size,prot,flags,fd,offset)
mem:munmap munmap(addr,size)
mem:mremap mremap(addr,size,new_size,flags)
mem:mprotect mprotect(addr,size,prot) pkey_mprotect(addr,size,prot)
mem:madvise madvise(addr,size,advice)
mem:msync msync(addr,size,flags)
mem:mlock mlock(addr,size) mlock2(addr,size)
mem:munlock munlock(addr,size)
mem:shm_open openat(_,name,_,mode)
mem:shm_unlink unlink(name)
sync:futex futex(uaddr,op,val)
sync:sem_unlink unlink(name)
time:nanosleep clock_nanosleep(clock,flags,ns) nanosleep(ns)
time:thrd_sleep clock_nanosleep~(_,_,ns)
time:sleep clock_nanosleep~(_,_,seconds)
time:usleep clock_nanosleep~(_,_,us)
time:alarm alarm(seconds)
time:setitimer setitimer(which,ns+interval_ns)
time:timer_create timer_create(clock)
time:timer_settime timer_settime(_,flags,ns+interval_ns)
time:timer_delete timer_delete(_)
time:timerfd_create timerfd_create(clock,flags)
time:timerfd_settime timerfd_settime(fd,flags,ns+interval_ns)
time:clock_settime clock_settime(clock,ns)
net:socket socket(family,type,protocol)
net:socketpair socketpair(family,type,protocol,first+second)
net:bind bind(fd,addr)
net:connect connect(fd,addr)
net:listen listen(fd,backlog)
net:accept accept(fd,addr,_,flags=0) accept4(fd,addr,_,flags)
net:getsockname getsockname(fd,addr)
net:getpeername getpeername(fd,addr)
net:send sendto(fd,_,size,flags)
net:sendto sendto(fd,_,size,flags,addr)
net:sendmsg sendmsg(fd,addr,passed,flags)
net:sendmmsg sendmmsg(fd,_,count,flags)
net:recv recvfrom(fd,_,size,flags)
net:recvfrom recvfrom(fd,_,size,flags,addr)
net:recvmsg recvmsg(fd,addr,passed,flags)
net:recvmmsg recvmmsg(fd,_,count,flags)
net:shutdown shutdown(fd,how)
net:getsockopt getsockopt(fd,level,option,value)
net:setsockopt setsockopt(fd,level,option,value,size)
"""

# What strace says by name, and we by number.
NAMES = {
    "FD_CLOEXEC": 1, "S_IFCHR": 0o20000, "S_IFIFO": 0o10000,
    "AT_STATX_SYNC_AS_STAT": 0, "MAP_FILE": 0,
}
SAME = {"FASYNC": "O_ASYNC", "SOL_IP": "IPPROTO_IP", "SOL_TCP": "IPPROTO_TCP",
        "SOL_UDP": "IPPROTO_UDP", "SOL_IPV6": "IPPROTO_IPV6",
        "SOL_RAW": "IPPROTO_RAW", "SO_GET_FILTER": "SO_ATTACH_FILTER"}
NAMES.update((name, getattr(module, name))
             for module, start in ((os, "O_"), (signal, "SIG"), (stat, "S_I"))
             for name in dir(module) if name.startswith(start) and
             isinstance(getattr(module, name), int))
NAMES["O_LARGEFILE"] = 0o100000


# What is told behind pointers, and has to be there if the call succeeded.
NOTHING = {"", "NL0", "CR0", "TAB0", "BS0", "VT0", "FF0"}  # bits that are 0
TOLD = {"fds", "events", "in", "target", "mode", "stat", "statfs", "times"}


def table():
    calls = collections.defaultdict(dict)
    for line in CALLS.split("\n"):
        event, _, rest = line.partition(" ")
        for name, other, args in re.findall(r"(\w+)(~?)\(([^)]*)\)", rest):
            calls[event][name] = (other, args.split(","))
    return calls


def split(text):
    """The arguments of a call, or the members of a structure."""
    parts, depth, begin, at = [], 0, 0, 0
    while at < len(text):
        c = text[at]
        if c == '"':
            at += 1
            while text[at] != '"':
                at += 2 if text[at] == "\\" else 1
        elif c in "([{":
            depth += 1
        elif c in ")]}":
            depth -= 1
        elif c == "," and depth == 0:
            parts.append(text[begin:at].strip())
            begin = at + 1
        at += 1
    return parts + [text[begin:].strip()] if text.strip() else []


KNOWN = table()
LINE = re.compile(r"(\w+)\((.*)\) += (\?|-?[x\da-f]+)(?: (E\w+))?(.*)<([\d.]+)>$")
ENDED = re.compile(r"\+\+\+ exited with (\d+) \+\+\+|\+\+\+ killed by (\w+)")


# 3</etc/hosts>, as strace -y and ptrace-dump -y say what a descriptor stands for.
DESCRIPTOR = re.compile(r'"(?:[^"\\]|\\.)*"|\b(0x[\da-f]+|\d+|AT_FDCWD)'
                        r'<(/[^>]*|[a-z_]+:[^>]*)>(?:\(deleted\))?')


def without_files(text):
    """The text without what descriptors stand for, and that: {fd: file}."""
    files = {}

    def take(found):
        if not found.group(1):
            return found.group()
        files[found.group(1)] = found.group(2)
        return found.group(1)
    return DESCRIPTOR.sub(take, text), files


def told(name, args, rest):
    """What stands behind the result of poll and select is put to what was asked
    for: each descriptor's revents, each set's ready ones."""
    if name in ("poll", "ppoll") and args:
        args[0] += " =>" + rest
    if name in ("select", "pselect6") and len(args) > 3:
        ready = dict(re.findall(r"(in|out|except) (\[[\d ]*\])", rest))
        for at, key in (1, "in"), (2, "out"), (3, "except"):
            args[at] = args[at] + " =>" + ready.get(key, "[]")
    if name in ("sendmsg", "recvmsg") and len(args) > 1:
        args[1:2] = message(args[1])
    return args


def message(text):
    """Whom a message goes to or is from, and the descriptors with it."""
    of = members(text)
    control = of.get("msg_control", "")
    passed = re.findall(r"cmsg_type=SCM_RIGHTS, cmsg_data=\[([^]]*)\]", control)
    return [of.get("msg_name", "NULL"), f"[{', '.join(passed)}]"]


def theirs(prefix, tid):
    """The calls of a thread, and how it ended."""
    calls, end = [], None
    for path in glob.glob(f"{prefix}.{tid}"):
        for line in open(path, errors="replace"):
            found = LINE.match(line)
            if found and found.group(3) != "?":
                name, args, ret, errno, rest, took = found.groups()
                args, files = without_files(args)
                rest = without_files(rest)[0]
                calls.append((name, told(name, split(args), rest), number(ret),
                              errno, float(took) * 1e9, files))
            found = ENDED.match(line)
            if found:
                end = found.group(1) or found.group(2)
    return calls, end


def members(text):
    return dict(part.split("=", 1) for part in split(text[1:-1]) if "=" in part)


STAT = ("dev ino nlink uid gid rdev blksize blocks atime atime_nsec "
        "mtime mtime_nsec ctime ctime_nsec").split()
DATE = re.compile(r" /\*.*?\*/")


def whole(text):
    """Of a struct stat or statx, as a struct stat has them; times are numbers."""
    of = members(DATE.sub("", text))
    for name in list(of):
        if name.startswith("stx_"):
            of["st_" + name[4:]] = of[name]
    for name in "dev", "rdev":
        if f"st_{name}_major" in of:
            of["st_" + name] = "makedev(%s, %s)" % (
                of[f"st_{name}_major"], of[f"st_{name}_minor"])
    for name, time in list(of.items()):
        if name.endswith("time") and time[0] == "{":
            of[name] = members(time)["tv_sec"]
            of[name + "_nsec"] = members(time)["tv_nsec"]
    return of


def is_equal_stat(mine, text):
    """All that strace -v says but mode and size; without -v it is not said."""
    mine, of = members("{" + DATE.sub("", mine) + "}"), whole(text)
    return len(mine) >= 10 and all(
        number(mine.get("st_" + name, "0")) == number(of["st_" + name])
        for name in STAT if "st_" + name in of)


def nanoseconds(text):
    """Of a struct timespec or timeval."""
    if text[0] != "{":
        return 0
    of = members(text)
    return int(of["tv_sec"]) * 10**9 + (int(of["tv_nsec"])
                                        if "tv_nsec" in of else
                                        int(of["tv_usec"]) * 1000)


def raw(text):
    body = text[1:text.rindex('"')]
    return body.encode().decode("unicode_escape").encode("latin-1")


def unquoted(text):
    return raw(text).decode("utf-8", "replace")


def address(text):
    """A socket's, in our words."""
    if text[0] != "{":
        return ""
    of = members(text)
    family = of.get("sa_family")
    port = re.sub(r"htons\((\d+)\)", r"\1",
                  of.get("sin_port", of.get("sin6_port", "")))
    if family == "AF_UNIX":
        path = of.get("sun_path", '""')
        return "unix:" + ("@" + unquoted(path[1:]) if path[0] == "@"
                          else unquoted(path))
    if family == "AF_INET" and "sin_addr" in of:
        return re.search(r'"(.*)"', of["sin_addr"]).group(1) + ":" + port
    if family == "AF_INET6" and "sin6_addr" in text:
        host = re.search(r'"([^"]*)"(?:, &sin6_addr)?\)', text).group(1)
        return f"[{host}]:{port}"
    return family


def number(text):
    """Words too; None if it is neither."""
    value = 0
    for word in re.sub(r" /\*.*\*/", "", text).split("|"):
        if word in NAMES:
            value |= NAMES[word]
        elif re.fullmatch(r"-?(0[0-7]*|[1-9]\d*|0x[\da-f]+)", word):
            value |= int(word, 8) if re.fullmatch(r"0[0-7]+", word) else int(
                word, 0)
        elif re.fullmatch(r"makedev\(.*\)", word):
            value |= os.makedev(*[int(n, 0) for n in word[8:-1].split(",")])
        else:
            return 0 if word == "NULL" else None
    return value


def words(text):
    """Flags, in any order."""
    return frozenset((text or "0").split("|"))


def polled(text):
    """[(fd, events, revents)], of our text or of strace's."""
    asked, _, rest = text.partition(" =>")
    ready = dict(re.findall(r"fd=(-?\d+), revents=([^}]+)", rest))
    return [(fd, words(events), words(revents or ready.get(fd)))
            for fd, events, revents in re.findall(
                r"fd=(-?\d+)(?:, events=([^,}]+))?(?:, revents=([^}]+))?", asked)]


def epolled(text):
    """[(events, data)], likewise."""
    return [(words(events), int(u64 or plain, 0)) for events, u64, plain in
            re.findall(r"events=([^,}]+), data=(?:{u32=\d+, u64=(\d+)}|"
                       r"(0x[\da-f]+|0))", text)]


def selected(text, name):
    """Of our text of all sets: the one set as strace has it."""
    sets = [dict(re.findall(r"(in|out|err) (\[[\d ]*\])", part))
            for part in (text + ", ready ").split(", ready ")[:2]]
    return sets[0].get(name, "[]") + " =>" + sets[1].get(name, "[]")


def is_equal_value(mine, text):
    """Of a socket's option, an ioctl() or a fcntl()."""
    mine, text = str(mine), text.strip("[]")
    if text.startswith('"'):  # strace does not know SO_RCVTIMEO_OLD
        return (mine == unquoted(text).split("\0")[0] or mine[0] == "{" or
                mine == raw(text)[:255].hex())
    if hasattr(socket, mine):
        mine = str(int(getattr(socket, mine)))
    if text.startswith("{"):
        mine, text = members(mine), members(text)
        return all(key not in text or
                   words(mine[key]) == (words(text[key]) - NOTHING or {"0"}) or
                   number(mine[key]) == number(text[key]) is not None
                   for key in mine)
    return mine == text or number(mine) == number(text) is not None


def are_same_words(mine, theirs, is_strict):
    """Flags: what strace has no word for, or we have none, is a number."""
    if any("???" in word for word in theirs):
        return not is_strict
    mine = set(mine)
    theirs = {SAME.get(word, word.replace("_OLD", "")) for word in theirs} - \
        {"MAP_FILE", "PROT_NONE", "AT_STATX_SYNC_AS_STAT"}
    known = {word for word in mine if not word[0].isdigit()} - {"PROT_NONE"}
    return known == theirs or (not is_strict and known < theirs and
                               known != mine)


def is_equal(field, mine, text, is_strict=True):
    """What we say of a field, and what strace says."""
    if field == "stat":
        return is_equal_stat(mine, text)
    if field == "passed":
        return mine == text
    if field == "statfs":  # statvfs() tells neither f_type nor ST_VALID
        return members(mine).items() <= members(text).items() or \
            mine == re.sub(r"f_type=\w+, |ST_VALID\|", "", text)
    if field == "arg" and mine == "0x0" and text.startswith("0x"):
        return True  # of libc's own, by tcgetattr() and the like
    if field == "times":
        return DATE.sub("", mine) == DATE.sub("", text)
    if field in ("ns", "us", "seconds"):
        return mine * {"ns": 1, "us": 1000, "seconds": 10**9}[field] == \
            nanoseconds(text)
    if field == "timeout" and text[0] in "{N":
        return mine == (nanoseconds(text) // 10**6 if text != "NULL" else -1)
    if field == "fds":
        return "..." in mine or polled(mine) == polled(text)
    if field == "events" and text.startswith("["):
        return "..." in mine or epolled(mine) == epolled(text)
    if field == "events":
        return words(mine) == words(text)
    if field == "value":
        return is_equal_value(mine, text)
    if field in ("in", "out", "err") and isinstance(mine, str):
        return mine == re.sub(r"NULL|0x[\da-f]+", "[]", text)
    if field == "mode" and "S_IF" in text:
        return number(mine) == number(text)
    if field == "addr" and not mine.startswith("0x"):
        return mine == address(text)
    if field == "protocol" and number(text) is None:
        return True  # each family has names of its own
    if field == "request" and " or " in text:
        return True  # more than one has the number
    if text.startswith('"'):
        # Of a shared object in /dev/shm libc has the name without the slash.
        text = unquoted(text)
        return mine == text or (field == "name" and
                                mine.strip("/") in (text, text[9:], text[13:]))
    if text == "NULL" and mine == "":
        return True
    if isinstance(mine, int):
        theirs = number(text)
        return theirs is not None and (mine - theirs) % 2**32 == 0
    if re.fullmatch(r"0x[\da-f]+|0|[1-9]\d*", mine) and number(text) is not None:
        return (int(mine, 0) - number(text)) % 2**64 == 0
    if number(text) is not None and re.fullmatch(r"[0-7]+", mine):
        return int(mine, 8) == number(text)
    return are_same_words(mine.split("|"), text.split("|"), is_strict)


def fields(args, names):
    """The fields of which a call has something to say: (name, text)."""
    for text, name in zip(args, names):
        both = name.split("+")
        if both == ["ns", "interval_ns"]:
            of = members(text) if text[0] == "{" else {}
            yield "ns", of.get("it_value", "NULL")
            yield "interval_ns", of.get("it_interval", "NULL")
        elif len(both) == 2 and text[0] == "[":
            yield from zip(both, split(text[1:-1]))
        elif name == "stat":
            of = whole(text) if text[0] == "{" else {}
            for field in "mode", "size":
                if "st_" + field in of:
                    yield field, of["st_" + field]
            yield "stat", text
        elif name == "event":
            of = members(text) if text[0] == "{" else {}
            if of:
                yield "events", of["events"]
                yield "data", members(of["data"])["u64"]
        elif name == "arg" and text[0] in "{[":
            yield "value", text
        elif "=" not in name and name != "_" and len(both) == 1:
            yield name, text
    for name in names:
        if "=" in name:
            yield name.split("=")


def differs(e, call, is_strict=True):
    """In which field; None: in none."""
    args = e["args"]
    name, their_args, ret, errno, took, _ = call
    spec = KNOWN[e["name"]].get(name)
    if not spec:
        return "name"
    other, names = spec
    for field, text in fields(their_args, names):
        if field not in args and field in TOLD and errno is None and \
                text[0] in "{[\"S0123456789":
            return f"{field}: missing"
        if field in args and not is_equal(
                "ns" if field == "interval_ns" else field, args[field], text,
                is_strict):
            return f"{field}: {text}"
    # Theirs is in microseconds, and a part of ours.
    if e["dur"] + 2000 < took:
        return f"dur: {took}"
    if not other and args.get("errno") != errno:
        return f"errno: {errno}"
    mine = args.get("ret")
    return None if other or errno or mine is None or is_equal(
        "ret", mine, str(ret) if isinstance(mine, int) else hex(ret)) else \
        f"ret: {ret}"


def is_call(e):
    """Is it a system call?  Some of these libc answers itself, or by others."""
    args = e["args"]
    return not ("AT_EACCESS" in args.get("flags", "") or
                e["name"] == "file:futimes" and args["fd"] < 0 or
                e["name"] == "file:chmod" and args["flags"] != "0")


def find(e, calls, at):
    """Where it is: near, by the same words if there are such; or far away."""
    for size, is_strict in (9, True), (9, False), (len(calls), True):
        for i in range(at, min(at + size, len(calls))):
            if differs(e, calls[i], is_strict) is None:
                return i
    return None


def compare_files(e, call, counts, missing):
    """What descriptors of a call stand for; ours are not resolved."""
    for fd, name in call[5].items():
        # A stream is what its descriptor is.
        mine = e["files"].get(fd, "")
        if not mine and fd.isdigit():
            mine = "".join(name for key, name in e["files"].items()
                           if key[:2] == "0x")
        for prefix, there in ("shm:", "/dev/shm"), ("mq:", ""), ("memfd:", "/memfd:"):
            if mine.startswith(prefix):
                mine = there + mine[len(prefix):]
        mine = mine.replace("/proc/self/", f"/proc/{e['pid']}/")
        if call[0].startswith("dup") and call[1][0] != fd:
            continue  # what it stood for before
        if name[0] != "/" or mine[:1] != "/":
            # Standard input and output were open before; of others the name is
            # libc's own.
            counts["unknown"] += name[0] == "/"
            if name[0] == "/" and fd.isdigit() and not re.fullmatch(
                    "/dev/null|/dev/ptmx|/tmp/#[0-9]*", name):
                missing.append((e["name"], fd, "not known", name))
        elif os.path.realpath(mine) == os.path.realpath(name):
            counts["same"] += 1
        else:
            counts["other"] += 1
            missing.append((fd, mine, name))


def compare(prefix, path, text):
    threads = collections.defaultdict(list)
    ends, counts = [], collections.Counter()
    shown = open(text)
    for line in open(path):
        e = json.loads(line)
        if e["name"].startswith(("file:", "io:", "net:", "mem:")):
            e["files"] = without_files(next(shown))[1]
        else:
            e["files"] = {}
        if e["name"] == "io:select" and "fds" in e["args"]:
            e["args"].update((name, selected(e["args"]["fds"], name))
                             for name in ("in", "out", "err"))
        if e["name"] in KNOWN and is_call(e):
            threads[e["tid"]].append(e)
        if e["name"] == "process:exit":
            ends.append(e)
    assert not shown.readline()
    missing, kinds, nr = [], collections.Counter(), 0
    for tid, events in threads.items():
        all_calls, at = theirs(prefix, tid)[0], 0
        for e in events:
            found = find(e, all_calls, at)
            if found is None:
                near = [(differs(e, call), call[:4])
                        for call in all_calls[at:]
                        if call[0] in KNOWN[e["name"]]]
                missing.append((e["name"], e["args"], near[:1]))
                continue
            nr += 1
            kinds[e["name"]] += 1
            at = found + 1
            compare_files(e, all_calls[found], counts, missing)
    other = [(e["pid"], e["args"], theirs(prefix, e["pid"])[1]) for e in ends
             if str(e["args"].get("status", e["args"].get("signal"))) !=
             theirs(prefix, e["pid"])[1]]
    print(nr, len(missing), len(other) if ends else -1, counts["same"],
          counts["unknown"], ",".join(sorted(kinds)))
    for what in missing[:40] + other[:5]:
        print(what, file=sys.stderr)


compare(*sys.argv[1:])
