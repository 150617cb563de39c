#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-dump -y: what the descriptors of calls stand for, by all that happened
# before: also to streams of stdio, and what is not shown itself.
# shellcheck disable=SC2016 # of the shells that are traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need cc python3
plan 19

# calls [OPTION...]: the calls of the log, without time, place and addresses.
calls() {
	"$PTRACE_DUMP" -y --no-symbols "$@" log 2>err |
		sed -E -e 's/.*\] +//; s/  +at .*//; s/0x[0-9a-f]+/ADDRESS/' \
			-e "s|$PWD/||g" -e "s|AT_FDCWD<$PWD>|AT_FDCWD|"
}
echo 12345 >in
cat >fds.py <<'END'
import os, socket
a = os.open("in", os.O_RDONLY)
b = os.dup(a)
os.close(a)
os.read(b, 3)
os.lseek(b, 0, 0)
a = os.open("out", os.O_WRONLY | os.O_CREAT)
os.sendfile(a, b, None, 2)
os.close(a)
os.close(b)
r, w = os.pipe()
if os.fork() == 0:
    os.write(w, b"x")
    os._exit(0)
os.wait()
os.read(r, 1)
os.write(1, b"out")
try:
    os.open("/no/such/file", os.O_RDONLY)
except OSError:
    pass
END
python=$(python_itself)
"$PTRACE_RUN" -q -o log -e process,file,io "$python" -S -E fds.py >/dev/null
calls >text
# has NAME LINE: the text has it.
has() {
	if grep -q -x -F -e "$2" text; then
		pass "$1"
	else
		fail "$1"
		diag "no '$2' in:" "$(grep -F "${2%%[(<]*}" text)"
	fi
}
fd=$(sed -n 's/^openat(AT_FDCWD, "in", .*) = \([0-9]*\)<in>$/\1/p' text)
like "$fd" '^[0-9]+$' "what a call opened"
other=$((fd + 1))
has "a duplicate" "fcntl($fd<in>, F_DUPFD_CLOEXEC, 0) = $other<in>"
has "what is closed" "close($fd<in>) = 0"
has "read" "read($other<in>, 3) = 3"
has "from one to another" "sendfile($fd<out>, $other<in>, 2) = 2"
has "the number is another file's" "close($fd<out>) = 0"
like "$(grep '^pipe' text)" \
	'^pipe2\(\[([0-9]+)<(pipe \1,([0-9]+) of python.*)>, \3<\2>\], O_CLOEXEC\) = 0$' \
	"a pipe"
is "$(grep -E -c '^(read|write)\([0-9]+<pipe [0-9]+,[0-9]+ of python' text)" 2 \
	"... which a child writes to"
has "what was open before is not known" "write(1, 3) = 3"
like "$("$PTRACE_DUMP" -y -n file:open -w 'path == in' log)" \
	"openat\\(AT_FDCWD<$PWD>, \"in\"" "the current directory"
has "what fails opens nothing" 'openat(AT_FDCWD, "/no/such/file", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory)'
calls -w 'name == "io:sendfile"' >text
is "$(cat text)" "sendfile($fd<out>, $other<in>, 2) = 2" "what is not shown counts"
"$PTRACE_DUMP" -f json -n io:sendfile log >sendfile
calls --since "@$(sed 's/.*"ts":"\([0-9.]*\)".*/\1/' sendfile)" | head -n 1 >text
is "$(cat text)" "sendfile($fd<out>, $other<in>, 2) = 2" "... nor what was before --since"
is "$("$PTRACE_DUMP" log | grep -c '<')" 0 "without -y nothing of it"
"$PTRACE_DUMP" -y -f json -n io:sendfile log | cmp -s - sendfile
ok $? "JSON is the same"

# Streams: by fopen(), of no descriptor, and what libc opened itself.
cat >streams.c <<'END'
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
	FILE *file = fopen("in", "r");
	char *text, line[9];
	size_t size;

	fgets(line, 9, file);
	fclose(file);
	file = open_memstream(&text, &size);
	putc('m', file);
	fclose(file);
	file = popen("echo there", "r");
	fgets(line, 9, file);
	return pclose(file);
}
END
if cc -w -o streams streams.c 2>cc.err; then
	"$PTRACE_RUN" -q -o log -e process,file,io ./streams
	calls >text
	like "$(grep '^fgets' text | head -n 1)" '^fgets\([0-9]+<in>\) = 6$' "fgets()"
	has "fclose()" "fclose(ADDRESS<in>) = 0"
	has "open_memstream() has no descriptor" "fputc(-1) = 109"
	like "$(grep '^fgets' text | tail -n 1)" \
		'^fgets\([0-9]+<popen\? [0-9]+ of streams\[[0-9]+\]>\) = 6$' "popen()"
else
	skip "streams" "no compiler" 4
fi
