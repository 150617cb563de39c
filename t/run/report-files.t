#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --files: how much was read and written, of which file and by
# whom: also through pipes, descriptors that are inherited and duplicated,
# streams of stdio, and after a file was renamed.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need make cc
plan 27

cat >check.py <<'END'
import collections, os, sys
from report import Log, report, say

log = Log(sys.argv[1])
rows = report("--files", sys.argv[1])["rows"]
reads = "read pread readv preadv scanf gets recv recvfrom recvmsg".split()
writes = "write pwrite writev pwritev printf puts send sendto sendmsg".split()

def bytes_of(e):
    """(read, written) of an event."""
    what, ret = e["name"].partition(":")[2], e["args"].get("ret")
    if what in ("getc", "putc"):
        size = int(ret >= 0)
    elif what in ("fread", "fwrite"):
        size = ret * e["args"]["size"]
    elif what in reads + writes:
        size = max(ret, 0)
    else:
        return 0, 0
    is_read = what in reads or what in ("getc", "fread")
    return (size, 0) if is_read else (0, size)

sums, by, opens, errs = (collections.Counter() for i in range(4))
for e in log.of("file", "io", "net"):
    read, written = bytes_of(e)
    sums["read"] += read
    sums["written"] += written
    by[e["label"][0], "read"] += read
    by[e["label"][0], "written"] += written
    path = e["args"].get("path", "")
    if e["name"] in ("file:open", "file:fopen",
                                         "file:mkstemp") and path.startswith("/"):
        opens[path] += "errno" not in e["args"]
        errs[path] += "errno" in e["args"]
say("bytes, in all", {key: sum(row[key] for row in rows)
                      for key in ("read", "written")}, dict(sums))
got = collections.Counter()
for row in rows:
    for user in row["users"]:
        got[user["program"], "read"] += user["read"]
        got[user["program"], "written"] += user["written"]
say("bytes, by program", +got, +by)
by_path = {row["name"]: row for row in rows if row["kind"] == "file"}
say("opens", {path: by_path[path]["opens"] for path in opens}, dict(opens))
say("failed opens", [path for path in errs if by_path[path]["err"] < errs[path]],
    [])
say("bytes are sorted", [row["bytes"] for row in rows],
    sorted((row["read"] + row["written"] for row in rows), reverse=True))
say("users add up", [row["path"] for row in rows if row["read"] != sum(
    user["read"] for user in row["users"]) or row["time"] != sum(
    user["time"] for user in row["users"])], [])
END
# file NAME MEMBER...: of the row of the file that is called so, what it read,
# wrote, and who did.
file() {
	report --json --files | python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]:
    if row["path"].split("/")[-1] == sys.argv[1] or row["path"] == sys.argv[1]:
        users = sorted((user["program"], user["read"], user["written"])
                       for user in row["users"]
                       if user["read"] or user["written"])
        print(row["kind"], row["opens"], row["read"], row["written"], users)
' "$1"
}

record_make -e 'process,thread,file,io,net'
checks make check.py log
like "$(file a.o)" "^file [0-9]+ [0-9]+ [0-9]+ .*\('ld(\.bfd)?', [1-9].*" \
	"ld reads what as wrote"
like "$(file a.o)" "\('as', 0, [1-9]" "which it did"

# A pipe: the writer has it by inheritance and dup2, the reader in the parent.
cat >pipes.py <<'END'
import os, subprocess
r, w = os.pipe()
child = os.fork()
if child == 0:
    os.dup2(w, 9)
    os.close(w)
    os.close(r)
    os.write(9, b"x" * 1000)
    os._exit(0)
os.close(w)
while os.read(r, 300):
    pass
os.close(r)
os.waitpid(child, 0)
END
run -e process,file,io "$python" -S -E pipes.py
report --json --files >json
is "$(python3 -c '
import json
for row in json.load(open("json"))["rows"]:
    if row["kind"] == "pipe" and row["read"]:
        print(row["opens"], row["read"], row["written"])')" "1 1000 1000" \
	"a pipe: what one process writes another reads"

# Descriptors that a shell opens for others; the shell's own directory.
mkdir dir
run -e process,file,io sh -c 'cd dir; printf abc >one; cat <one >two; cat two one >/dev/null'
is "$(file one)" "file 3 6 3 [('cat', 6, 0), ('sh', 0, 3)]" \
	"redirected: paths are below the directory of the shell"
is "$(file two)" "file 2 3 3 [('cat', 3, 3)]" "and are inherited"
like "$(report --files)" " $T/dir/one\$" "the whole path is shown"
is "$(report --files --path '*/dir/one' | sed -n 's/^ *\([a-z]*\)\[[0-9]*\] /\1 /p' |
	sort | tr '\n' ';')" \
	"cat read 3, wrote 0;cat read 3, wrote 0;sh read 0, wrote 3;" \
	"--path: a line for each process"
is "$(report --files --json --path '*/dir/*' | python3 -c '
import json, sys
print(len(json.load(sys.stdin)["rows"]))')" 2 "--path: no other files"

# Renamed and replaced; written by stdio; a descriptor from before the trace.
cat >renames.py <<'END'
import os, sys
with open("new", "w") as f:
    f.write("12345")
os.rename("new", "name")
with open("new", "w") as f:
    f.write("1234567")
os.rename("new", "name")
os.write(1, b"out")
os.write(7, b"seven")
END
run -e process,file,io "$python" -S -E renames.py >stdout 7>seven
is "$(file 'name (replaced)')$(file "$T/name (was $T/new)")" \
	"file 1 0 5 [('python', 0, 5)]file 1 0 7 [('python', 0, 7)]" \
	"a file keeps its bytes when it is renamed, or replaced"
is "$(report --json --files | python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]:
    if row["kind"] == "unknown" and row["written"]:
        print(row["path"].partition("[")[0], row["written"])' | sort)" \
	"fd 7 of python 5
stdout of python 3" "what was open before the trace is named by its number"
# Streams of no descriptor are not those of descriptor 0, and what libc opened
# itself was not open before the trace.
cat >streams.c <<'END'
#include <stdio.h>

int main(void)
{
	char *text, line[9];
	size_t size;
	FILE *file = open_memstream(&text, &size);

	putc('m', file);
	fclose(file);
	file = popen("echo there", "r");
	fgets(line, 9, file);
	return pclose(file);
}
END
cc -w -o streams streams.c
run -e process,file,io ./streams
is "$(report --json --files | python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]:
    if any(user["program"] == "streams" and (user["read"] or user["written"])
           for user in row["users"]):
        print(row["kind"], row["path"].split("[")[0], row["read"])' |
	sed 's/[0-9]* of/N of/')" "other popen? N of streams 6" \
	"streams without a descriptor, and of popen()"
# Directories are read by one descriptor, which is closed, and used by another.
mkdir -p deep/a/b deep/c && echo 123 >deep/a/b/leaf && echo 1234 >deep/c/leaves
run -e process,file,io grep -r 123456 deep
is "$(file "$T/deep/a/b/leaf" | cut -d ' ' -f -3) $(file "$T/deep/c/leaves" |
	cut -d ' ' -f 3)" "file 1 4 5" \
	"below descriptors of directories, of which others are closed"
run -e process,file sh -c ': >x'
like "$(report --files)" '^ +1 +- +- +0 ' "io is not recorded: bytes are not known"
like "$(report --files | tail -n 1)" '^families not recorded: io ' "which is said"

cat >net.py <<'END'
import socket, threading
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
def serve():
    connection = server.accept()[0]
    connection.recv(100)
    connection.sendall(b"y" * 50)
    connection.close()
thread = threading.Thread(target=serve)
thread.start()
client = socket.create_connection(server.getsockname())
client.sendall(b"x" * 20)
client.recv(100)
thread.join()
END
run -e process,thread,file,io,net "$python" -S -E net.py
checks sockets check.py log
is "$(report --json --files | python3 -c '
import json, sys
for row in json.load(sys.stdin)["rows"]:
    if row["kind"] == "socket" and row["bytes"]:
        print(row["path"].split()[0], row["path"].split()[1], row["read"],
              row["written"])' | sort | tr "\n" ";")" \
	"accepted by 20 50;socket to 50 20;" "sockets by their addresses"
