#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-ctl reaches programs that have changed their user, too: what they
# recorded is in a snapshot, they are stopped and filtered, and one that is killed
# is noticed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/guest.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/ctl.sh"
plan 10

guest="setpriv --reuid=65534 --regid=65534 --clear-groups"
# of FILE: the data of user events that it has; names of a guest's are not known.
of() {
	"$PTRACE_DUMP" -f raw "$1" 2>err.dump |
		sed -n 's/.* data="\(mine-[0-9]\)".*/\1/p' | tr '\n' ' '
}
# in_log NAME: in the file, which is not complete yet.  A copy is nobody's.
in_log() {
	cp log copy
	of copy | grep -q "$1"
}

begin "$PTRACE_RUN" -q --snapshot -o log sh -c "$obey; exit 7" 2>err.run
order "$guest ptrace-event x mine-1"
is "$(ctl snapshot shot)$(cat out err)" 0 "snapshot"
is "$(of shot)" "mine-1 " "it has what a guest recorded"
order "$guest ptrace-event x mine-2"
is "$(ctl snapshot shot)" 0 "another"
is "$(of shot)" "mine-1 mine-2 " "nothing was taken from the guest's memory"
is "$(ctl stop)" 0 "stop"
order "$guest ptrace-event x mine-3"
is "$(ctl start)" 0 "start"
order "ptrace-event x mine-4; $guest ptrace-event x mine-5"
order "$guest sh -c 'ptrace-event x mine-6; kill -KILL \$\$'"
wait_for in_log mine-6
ok $? "a guest that is killed is in the log"
is "$(of copy)" "mine-1 mine-2 mine-4 mine-5 mine-6 " \
	"not what came while it was stopped"
end
is $? 7 "the program's status"
is "$(bridges)" 0 "no shared memory is left"
