#!/bin/sh
# SPDX-License-Identifier: MIT
# A log that is written more slowly than events come: the program waits, and
# nothing is lost.  If it is not written at all the program waits once, and what
# is then lost is told at once on a terminal.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/lost.sh"
need python3
plan 6

# So much in so many steps takes longer than anything that is waited for once.
mkfifo ready
cat >slow.py <<'END'
import os, time
with open("ready", "w") as ready:
    ready.write("\n")
with open("got", "wb") as to:
    while some := os.read(0, 65536):
        to.write(some)
        time.sleep(0.06)
END
# shellcheck disable=SC2086,SC2016 # options, one a word; for the shell
"$PTRACE_RUN" $options -o '|python3 slow.py' \
	sh -c 'read -r _ <ready; exec "$0" "$1"' "$VICTIMS/victim-offer" $OFFERED \
	>out 2>err
sed -n -E 's/^ptrace-run: ([0-9]+) events, ([0-9]+) lost, .*/\1:\2:/p' err >said
sums "a slow reader" ''
IFS=: read -r logged lost _ <said
is "$(number "$lost")" 0 "a slow reader: nothing is lost" ||
	diag "$(cat err)"

# The reader begins when the program is done, and that when it was told.
cat >terminal.py <<'END'
import os, pty, select, subprocess, sys

os.mkfifo("go")
os.mkfifo("end")
ours, theirs = pty.openpty()
run = subprocess.Popen(sys.argv[1:], stderr=theirs)
os.close(theirs)
said = b""
while b"lost so far" not in said and select.select([ours], [], [], 60)[0]:
    said += os.read(ours, 4096)
print(said.decode().replace("\r", ""))
with open("end", "w") as end:
    end.write("\n")
with open("go", "w") as go:
    go.write("\n")
said = b""
try:
    while more := os.read(ours, 4096):
        said += more
except OSError:
    pass
print("then", run.wait())
print(said.decode().replace("\r", ""))
END
# shellcheck disable=SC2086,SC2016 # options, one a word; for the shell
python3 terminal.py "$PTRACE_RUN" $options -o '|read -r _ <go; cat >got' \
	sh -c '"$0" "$1"; read -r _ <end' "$VICTIMS/victim-offer" $OFFERED >said
sed '/^then/,$d' said >early
like "$(cat early)" 'ptrace-run: [0-9 ]+ events are lost so far' \
	"nobody reads: it is told while the command runs" || diag "$(cat said)"
is "$(grep -c 'lost so far' early)" 1 "once"
like "$(cat said)" 'then 0' "the command's status"
like "$(sed '1,/^then/d' said)" ' [1-9][0-9 ]* lost' "and at the end"
