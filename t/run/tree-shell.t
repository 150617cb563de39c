#!/bin/sh
# SPDX-License-Identifier: MIT
# Shell scripts: pipes, subshells, background jobs, traps, xargs, find.
# shellcheck disable=SC2016 # what is run expands it
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
need bash xargs find
plan 6

cat >script <<'END'
set -m
a=$(echo x | cat | (cat; true))
for i in 1 2 3; do (sleep 0.0$i; exit $i) & done
wait
(cd / && ls | sort | head -n 1)
{ /bin/echo one; /bin/echo two; } | while read -r line; do
	/bin/echo "$line $a"
done
cat <(/bin/echo three) <(/bin/echo four)
(kill -9 $BASHPID)
eval 'exec /bin/true'
END
tree "bash" bash script
is "$(grep -c '"process:exit".*"signal":9' json)" 1 "bash: who was killed"
sed 's/^cat <.*//; s/BASHPID/(exec sh -c "echo \\$PPID")/; /set -m/d' script \
	>script.sh
tree "sh" sh script.sh
tree "xargs -P" sh -c 'seq 40 | xargs -n 2 -P 4 /bin/echo'
tree "find -exec" find /etc/passwd /etc/group -exec cat {} \; -exec false {} \;
tree "env -i" env -i /bin/sh -c '/bin/echo a; /usr/bin/env -i /bin/echo b'
