#!/bin/sh
# SPDX-License-Identifier: MIT
# A user who scribbles over the memory that he shares with root, who traces him,
# gets nonsense into the trace; root's programs go on, and the log is whole.
# SEEDS="1 2 3" and WRITES=N: others, and more.
TAP_DEADLINE=600
export TAP_DEADLINE
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/hostile.sh"

SEEDS=${SEEDS:-$(seq 1 8)}
plan "$(echo "$SEEDS" | wc -w)"

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
	early=$(reads)
	during=$(reads -f json)
	wait $writer
	finish
	is "$early, $during, $finished, $(reads), $(valid)" \
		"ok, ok, 0, ok, ok" "seed $seed" || diag "$(cat -v say)"
done
