#!/bin/sh
# SPDX-License-Identifier: MIT
# A traced program sees no descriptor, thread, child, signal handler, signal
# mask or errno that it would not see untraced; and real programs neither.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 10

same "what a program sees of itself" "$VICTIMS/victim-mirror" a "b c" ''
# Bash has its own getenv(), setenv() and malloc().
same bash bash -c 'echo hi; ls / | wc -l; (exit 3); echo $?; exit 7'
same "xargs -P" sh -c 'seq 50 | xargs -n5 -P3 echo | sort'
same "find -exec" find /etc -maxdepth 1 -name 'pass*' -exec echo {} \;
same "a program that is not there" sh -c 'no-such-program'
same "killed by a signal" sh -c 'kill -TERM $$'
same "env -i" env -i /bin/sh -c '/bin/echo hi; exit 5'
is "$(events process:start '"argv":\["/bin/sh"')" 1 "env -i: sh is traced"
if command -v perl >/dev/null; then
	# shellcheck disable=SC2016
	same perl perl -e 'print `echo hi`; system("exit 3"); print $?>>8;
		if (!fork) { exit 4 } wait; print $?>>8; exec "echo", "done"'
else
	skip perl "not there"
fi
if command -v python3 >/dev/null; then
	same "python3 threads and forks" python3 -c '
import threading, os
ts = [threading.Thread(target=lambda: None) for i in range(100)]
[t.start() for t in ts]; [t.join() for t in ts]
for i in range(20):
    if os.fork() == 0: os._exit(i)
    print(os.wait()[1] >> 8)'
else
	skip python3 "not there"
fi
