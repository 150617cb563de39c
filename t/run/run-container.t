#!/bin/sh
# SPDX-License-Identifier: MIT
# The processes of a pid namespace that ends go with it, and none of them is
# there to say so: the trace ends all the same, and its monitor.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need unshare
[ "$(id -u)" = 0 ] || skip_all "not root"
unshare -pf true 2>/dev/null || skip_all "no pid namespaces here"
[ "$(stat -Lc %i /proc/self/ns/pid)" = 4026531836 ] ||
	skip_all "not the first pid namespace, which sees all others"
plan 4

# The first process of a container ends without its children.
mkfifo begun never
"$PTRACE_RUN" -o log unshare -pf sh -c 'sh -c "echo >begun; read -r _ <never" &
	read -r _ <begun; exit 4' 2>err
is $? 4 "status"
is_complete() {
	dump --info 2>/dev/null | grep -q '^log-state: *complete'
}
wait_for is_complete
ok $? "the log is completed when all of it has gone"
is "$(dump --info | sed -n 's/^lost: *//p')" 0 "nothing is lost"
is "$(count process:exit)" 3 "the end of each is told"
