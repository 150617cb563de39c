#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-ctl as a user without privileges: the same; another user sees no trace,
# and is not answered even where the socket is open to all; root is.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/user.sh"

cd "$T/home" || exit 1
plan 21
PATH=${PTRACE_CTL%/*}:$PATH
talk=$abs_top_builddir/t/run/victim-talk

for test in run list snapshot clients usage; do
	as_user "$abs_top_srcdir/t/run/ctl-$test.t" >"$T/out" 2>&1
	ok $? "t/run/ctl-$test.t"
	diag "$(grep '^not ok' "$T/out" | cut -c 1-300)"
done

as_other() {
	setpriv --reuid=65533 --regid=65533 --clear-groups "$@"
}
mkfifo go come
chmod 666 go come
as_user "$PTRACE_RUN" -q -o log.ptlog sh -c 'echo >come; read x <go; exit 7' &
read -r _ <come
is "$(as_user ptrace-ctl list --json | wc -l)" 1 "the user's trace"
pid=$(as_user ptrace-ctl list --json | sed 's/.*"controller":\([0-9]*\).*/\1/')
socket=$(ls /dev/shm/ptrace-65534*/ctl."$pid")
is "$(as_other ptrace-ctl list 2>&1)" "" "another user sees none"
is "$(as_other ptrace-ctl stop "$pid" 2>&1; echo $?)" \
	"ptrace-ctl: $pid: no trace has this controller
3" "and can name none"
is "$(as_other "$talk" ask "$socket" 1 stop)" "connect: Permission denied" \
	"nor reach the socket"
chmod 755 "${socket%/*}"
chmod 777 "$socket"
is "$(as_other "$talk" ask "$socket" 1 stop)" closed \
	"nor is answered if the socket is open to all"
chmod 700 "${socket%/*}"
is "$(ptrace-ctl list 2>&1)" "" "root's own list has it not"
ptrace-ctl mark text "$pid" 2>err
is "$?$(cat err)" 0 "root can name it by its controller"
ptrace-ctl mark text log.ptlog 2>err
is "$?$(cat err)" 0 "or by its log"
ptrace-ctl snapshot "$T/root.ptlog" "$pid" 2>err
is "$?$(cat err)" 0 "root takes a snapshot"
is "$(stat -c '%u %a' "$T/root.ptlog")$("$PTRACE_DUMP" -f raw "$T/root.ptlog" >out;
	echo $?)" "0 6000" "which is root's file, and complete"
# What is in a user's directory may be anything.
as_user sh -c "cd '${socket%/*}' && ln -s /none ctl.1 && : >ctl.2 &&
	ln -s 'ctl.$pid' ctl.3 && mkfifo ctl.4"
is "$(ptrace-ctl list "$pid" 2>&1 | grep -c running)" 1 \
	"beside what is no socket"
is "$(as_user ptrace-ctl list 2>&1 | grep -c running)" 1 "for the user, too"
is "$(as_user ptrace-ctl snapshot /root/file 2>&1 | cut -d ' ' -f 1-3)" \
	"ptrace-ctl: cannot write" "files are opened by the client"
echo >go
wait $!
is $? 7 "the program's status"
is "$("$PTRACE_DUMP" -f raw -n mark log.ptlog | grep -c text)" 2 "root's marks"
is "$("$PTRACE_DUMP" -f raw -n posix_trace_stop log.ptlog | wc -l)" 1 \
	"nobody has stopped it"
