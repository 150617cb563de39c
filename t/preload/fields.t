#!/bin/sh
# SPDX-License-Identifier: MIT
# What a process has used, where it is, whose it is, and what its threads are
# called is in the trace.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 27
victim=$VICTIMS/victim-fields

# arg NAME: of the events found last, one a line; nothing: there is none.
arg() {
	sed -n "s/.*\"args\":{[^}]*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p" "$T/found"
}
# between VALUE LEAST MOST NAME: one test.
between() {
	[ "${1:-0}" -ge "$2" ] && [ "${1:-0}" -le "$3" ]
	ok $? "$4: '$1'"
}

mkdir -p "$T/here/sub/deeper"
here=$(cd "$T/here" && pwd -P)
cd "$T/here" || exit

same "it burns" "$victim" burn
is "$(events process:start)" 1 "it began"
is "$(arg cwd)" "$here" "in this directory"
is "$(arg uid)" "$(id -u)" "as this user"
is "$(events process:exit '"status":0')" 1 "it ended"
between $(($(arg user_us) + $(arg sys_us))) 20000 99999999 \
	"what it burned is told"

same "it is large" "$victim" large
events process:exit >"$T/nr"
between "$(arg maxrss_kib)" 65536 999999 "and that is told"

# The kernel keeps the maximum over exec; the one of the large process, not that
# of the small one, which is the first to end.
same "a small one after a large one" "$victim" "small after large"
is "$(events process:exit)" 2 "two ends"
arg maxrss_kib >"$T/rss"
between "$(head -n 1 "$T/rss")" 1 32768 "the small one is small"
between "$(tail -n 1 "$T/rss")" 65536 999999 "the large one is large"

same "one is killed" "$victim" killed
is "$(events process:exit '"signal":9')" 1 "that is told"
between $(($(arg user_us) + $(arg sys_us))) 20000 99999999 \
	"with what it burned"
is "$(arg maxrss_kib)" "" "but not its memory: the parent does not know"

same "threads have names" "$victim" names
is "$(events thread:name)" 4 "four are given"
arg name >"$T/names"
is "$(head -n 1 "$T/names")" "by prctl" "by prctl"
is "$(sed -n 2p "$T/names")" "its own" "by pthread_setname_np"
is "$(sed -n 3p "$T/names")" "another's" "to another thread"
is "$(tail -n 1 "$T/names")" "a name that is " "as the kernel cuts it"
sed -n 3p "$T/found" >"$T/other"
events thread:start >"$T/nr"
is "$(sed -n 's/.*"args":{"tid":\([0-9]*\).*/\1/p' "$T/other")" "$(arg tid)" \
	"of which this is the number"

families="file"
same "it goes elsewhere" "$victim" directories
events file:chdir >"$T/nr"
arg cwd >"$T/cwd"
is "$(tr '\n' ' ' <"$T/cwd")" "$here/sub $here/sub  " \
	"where it is then, if it got there"
is "$(events file:fchdir)" 1 "by a descriptor"
is "$(arg cwd)" / "the same"
