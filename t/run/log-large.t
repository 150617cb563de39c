#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run says once, before a terminal only, that a log grows beyond 1 GiB.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3 truncate
plan 6

# The log becomes large by truncate(1): a hole is as good as events.  COMMAND
# goes on when the message has come, or has not for long enough.
cat >terminal.py <<'END'
import os, pty, select, subprocess, sys

os.mkfifo("go")
ours, theirs = pty.openpty() if sys.argv[1] == "terminal" else os.pipe()
run = subprocess.Popen(sys.argv[3:], stderr=theirs)
os.close(theirs)
said, patience = b"", int(sys.argv[2])
while b"GiB after" not in said and select.select([ours], [], [], patience)[0]:
    said += os.read(ours, 4096)
with open("go", "w") as go:
    go.write("\n")
try:
    while more := os.read(ours, 4096):
        said += more
except OSError:
    pass
run.wait()
os.unlink("go")
sys.stdout.buffer.write(said.replace(b"\r", b""))
END
large='truncate -s 1100M log; read -r line <go'
said() {
	rm -f log
	python3 terminal.py "$@" >said
	grep -c 'GiB after' said
}
is "$(said terminal 60 "$PTRACE_RUN" -o log sh -c "$large")" 1 "on a terminal: once"
like "$(cat said)" \
	'^ptrace-run: log has 1\.1 GiB after [0-9]+ s, [0-9]+ MiB/s; ' \
	"... how large, and how fast it grows"
is "$(said pipe 3 "$PTRACE_RUN" -o log sh -c "$large")" 0 "not into a file"
is "$(said terminal 3 "$PTRACE_RUN" -q -o log sh -c "$large")" 0 "not with -q"
is "$(said terminal 3 "$PTRACE_RUN" --log-policy loop -o log sh -c "$large")" 0 \
	"not where there is a limit"
is "$(said terminal 3 "$PTRACE_RUN" -o log sh -c 'read -r line <go')" 0 \
	"not of a small one"
