#!/bin/sh
# SPDX-License-Identifier: MIT
# kill -9 of processes of a tree, by chance: the log tells a whole story of it,
# and who was killed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
need bash pgrep setsid shuf
plan 4

# In a session of its own, so that it finds its descendants.
cat >script <<'END'
work() {
	for i in 1 2 3 4 5 6; do
		/bin/echo $i | cat | (read x; /bin/true; exit $x)
		(/bin/true; sleep 0.05) &
	done
	wait
}
for i in 1 2 3 4; do work & done
for i in {1..20}; do
	kill -9 $(pgrep -s 0 | grep -vx -e $$ -e $PPID | shuf -n 2)
done 2>/dev/null
wait
/bin/sh -c 'kill -9 $$'
exit 0
END
for round in 1 2 3 4; do
	run -- setsid -w bash script >out 2>err
	check && grep -q '"process:exit".*"signal":9' json
	ok $? "$round: $(grep -c '"process:exit".*"signal":9' json) killed" ||
		tree_diag
done
