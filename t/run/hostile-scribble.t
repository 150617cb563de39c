#!/bin/sh
# SPDX-License-Identifier: MIT
# A user who scribbles over the memory that he shares with root, who traces him,
# gets nonsense into the trace; root's programs go on, and the log is whole, and
# so are snapshots.
# SEEDS="1 2 3" and WRITES=N: others, and more.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/hostile.sh"

SEEDS=${SEEDS:-$(seq 1 8)}
plan "$(echo "$SEEDS" | wc -w)"

# shoots: snapshots that root takes as long as there is a trace; prints "ok", or
# what went wrong.
shoots() {
	for _ in $(seq 20); do
		timeout 60 "$PTRACE_CTL" snapshot shot log 2>ctl.err
		case $? in
		0 | 1) ;;
		3) break ;;
		*) echo "status $?: $(head -n 3 ctl.err)" && return ;;
		esac
		timeout 60 "$PTRACE_DUMP" -f raw shot >dump.out 2>dump.err
		[ $? -le 3 ] || { echo "dump: $(head -n 3 dump.err)" && return; }
	done
	echo ok
}

for seed in $SEEDS; do
	case $((seed % 4)) in
	0) set -- -e all ;;
	1) set -- -e all --log-policy loop -m 256K ;;
	2) set -- -e all --log-policy until-full -m 256K ;;
	3) set -- -e all --stream-policy loop ;;
	esac
	begin "$@"
	hostile scribble "$seed" "${WRITES:-200000}" &
	writer=$!
	shot=$(shoots)
	early=$(reads)
	during=$(reads -f json)
	wait $writer
	finish
	is "$early, $during, $shot, $finished, $(reads), $(valid)" \
		"ok, ok, ok, 0, ok, ok" "seed $seed" || diag "$(cat -v say)"
done
