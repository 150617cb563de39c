#!/bin/sh
# SPDX-License-Identifier: MIT
# A guest that scribbles over its bridge gets nonsense into the trace in its own
# name; the controller goes on, and what others record is all there.
# SEEDS="1 2 3" and WRITES=N: others, and more.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/guest.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"

SEEDS=${SEEDS:-$(seq 1 4)}
plan "$((4 * $(echo "$SEEDS" | wc -w)))"
EACH=40 # programs that root executes meanwhile

# What root does while the guest scribbles.
cat >work <<END
setpriv --reuid=65534 --regid=65534 --clear-groups sh -c '/bin/true
	$VICTIMS/victim-hostile bridge \$1 \$2 || echo no bridge
	exec /bin/true' sh \$1 \$2 &
for _ in \$(seq $EACH); do
	/bin/true root
done
wait
END

# dumped: the log is there, whole or not, and can be read.
dumped() {
	"$PTRACE_DUMP" -f raw log >dump.out 2>dump.err
	[ $? -le 1 ] && ! grep -q 'still being written' dump.err
}

for seed in $SEEDS; do
	rm -f log
	case $((seed % 2)) in
	0) set -- -e all ;;
	1) set -- -e all --stream-policy loop ;;
	esac
	"$PTRACE_RUN" -q -o log "$@" sh work "$seed" \
		"${WRITES:-200000}" >out 2>err
	is "$?, $(cat out)" "0, " "seed $seed: the command's status" ||
		diag "$(cat -v err)"
	wait_for dumped
	ok $? "seed $seed: the log is completed" || diag "$(cat -v dump.err)"
	is "$(grep -a -c 'process:start.*"/bin/true", "root"' dump.out)" $EACH \
		"seed $seed: the others' events are there"
	is "$(bridges)" 0 "seed $seed: no shared memory is left"
done
