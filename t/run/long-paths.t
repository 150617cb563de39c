#!/bin/sh
# SPDX-License-Identifier: MIT
# Paths that are long are there whole, as in strace, with what comes behind them;
# what is longer than an event may be is marked as cut, wherever it is shown.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 15

cat >paths.py <<'END'
import ctypes, os, resource, sys, threading
name = "d" * 200
for i in range(17):
    os.mkdir(name)
    os.chdir(name)
os.chdir(sys.argv[1])
path = "/".join([name] * 17) + "/"
os.mkdir(path + "one")
os.rename(path + "one", path + "other")
os.stat(path + "other")
os.symlink(path, path + "link")
os.readlink(path + "link")
try:
    os.rename(path + "one", path + "other")
except OSError:
    pass
try:
    os.execv(path + "none", ["none"])
except OSError:
    pass
try:
    ctypes.CDLL("./" + path + "none.so")
except OSError:
    pass
# One that is too long, and one that cannot be read to its end.
libc = ctypes.CDLL(None, use_errno=True)
libc.access(b"x" * 20000, 0)
libc.mmap.restype = ctypes.c_void_p
at = libc.mmap(None, 8192, 3, 0x22, -1, 0)
ctypes.memset(at, ord("y"), 4096)
libc.mprotect(ctypes.c_void_p(at + 4096), 4096, 0)
libc.access(ctypes.c_void_p(at), 0)
libc.access(ctypes.c_void_p(at + 100), 0)
# On the least stack that a thread may have.
def little():
    os.mkdir(path + "thread")
thread = threading.Thread(target=little)
threading.stack_size(32768)
thread.start()
thread.join()
END

# strings NAME: of each event of that type the length of its strings, whether it
# is cut, whether it says how long it took, and its error.
strings() {
	dump -f json -n "$1" | python3 -c '
import json, sys
for line in sys.stdin:
    e = json.loads(line)
    args = e["args"]
    size = [len(args[key]) for key in ("old", "new", "path", "target") if key in args]
    if max(size) > 400:
        print(*size, e["trunc"], "dur" in e, args.get("errno", "-"))'
}

mkdir w
cd w || exit
run -s 16K -e process,file,dl python3 -S ../paths.py "$PWD"
cd ..
is "$(strings file:mkdir)" "3420 none True -
3423 none True -" "one"
is "$(strings file:rename)" "3420 3422 none True -
3420 3422 none True ENOENT" "two"
like "$(strings file:stat)" "^3422 none True -$" "with what comes behind"
is "$(strings file:symlink)" "3421 3417 none True -" "two that differ"
is "$(strings file:readlink)" "3421 255 record True -" "what it leads to has a limit"
is "$(dump -f json -n process:exec_failed | tail -n 1 | python3 -c '
import json, sys
e = json.load(sys.stdin)
print(len(e["args"]["path"]), e["trunc"])')" "3421 none" "exec"
is "$(strings dl:open | tail -n 1 | cut -d ' ' -f 1-2)" "3426 none" "dlopen"
is "$(strings file:access)" "12752 record True ENAMETOOLONG
4096 record True ENAMETOOLONG
3996 record True EFAULT" "too long, and unreadable"

# By default an event has 4096 bytes.
rm -rf w && mkdir w && cd w || exit
run -e file python3 -S ../paths.py "$PWD"
cd ..
is "$(strings file:mkdir)" "3420 none True -
3423 none True -" "by default: one"
is "$(strings file:rename)" "3420 627 record True -
3420 627 record True ENOENT" "... and a part of the other"
is "$(strings file:access | cut -d ' ' -f 2-)" "record True ENAMETOOLONG
record True ENAMETOOLONG
record True EFAULT" "... and those that are longer"
like "$("$PTRACE_DUMP" -n file:rename log | head -n 1)" 'd"[.]{3}\) = 0 ' "in text"

# Less than is needed.
rm -rf w && mkdir w && cd w || exit
run -s 600 -e file python3 -S ../paths.py "$PWD"
cd ..
is "$(strings file:mkdir)" "560 record True -
560 record True -" "-s 600"
like "$("$PTRACE_REPORT" --files log)" '/d{200}/d*/d*(…|[.]{3})
' "the report marks it"
is "$("$PTRACE_REPORT" --json --files log | python3 -c '
import json, sys
print(sum(row["path"][-3:] == "dd…" for line in sys.stdin
          for row in json.loads(line)["rows"]) > 0)')" "True" "... in JSON, too"
