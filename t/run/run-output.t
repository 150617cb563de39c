#!/bin/sh
# SPDX-License-Identifier: MIT
# Where the log goes: a file of 0600 that nothing else was in and nobody else
# writes to; standard output.
# shellcheck disable=SC2016 # the command expands its variables
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 53

mode() {
	stat -c %a "$1"
}
# refused OUTPUT WHY: 125, one line, nothing run.
refused() {
	rm -f ran
	is "$(status "$PTRACE_RUN" -o "$1" touch ran)" 125 "$2: status 125"
	is "$(cat err)" "ptrace-run: cannot write $1: $2" "$2: says so"
	[ ! -e ran ]
	ok $? "$2: nothing is run"
}

(umask 0; "$PTRACE_RUN" -q -o open true)
is "$(mode open)" 600 "-o: mode 0600, with umask 0"
(umask 0777; "$PTRACE_RUN" -q -o closed true)
is "$(mode closed)" 600 "with umask 0777"
: >empty
chmod 644 open
run true
"$PTRACE_RUN" -q -o open "$VICTIMS/victim-ticks" 3 &&
	"$PTRACE_RUN" -q -o empty true
is "$? $(mode open) $(mode empty)" "0 600 600" "a log or an empty file is taken"
is "$("$PTRACE_DUMP" -f raw -n tick open | wc -l)" 3 "and has the new events"

cp /bin/true prog
echo 'some text' >text
refused ./prog "it exists, and is not a trace log"
cmp -s prog /bin/true
ok $? "the program is as it was"
refused text "it exists, and is not a trace log"
ln log other
refused other "it has several names (hard links)"
rm other
refused no/such/dir "No such file or directory"

# Two at once: the second is told, the first is whole.
mkfifo go
"$PTRACE_RUN" -q -o twice sh -c 'echo >begun; read x <go' &
wait_for test -e begun
refused twice "another trace is being written to it"
rm -f begun
env PTRACE_OUTPUT=twice LD_PRELOAD="$LIBPTRACE" sh -c 'exit 3' >out 2>&1
is "$? $(cat out)" "3 " "preloaded: the program runs"
echo >go
wait $!
is "$? $("$PTRACE_DUMP" -f raw -n process:exit twice | wc -l)" "0 1" \
	"the first is as if it had been alone"
"$PTRACE_RUN" -q -o twice true && "$PTRACE_RUN" -q -o twice true
is $? 0 "one after the other"
# A program that is its own controller has no process that holds the lock.
rm twice
env PTRACE_MONITOR=/none PTRACE_OUTPUT=twice LD_PRELOAD="$LIBPTRACE" \
	sh -c 'echo >begun; read x <go' &
wait_for test -e begun
refused twice "another trace is being written to it"
echo >go
wait $!

# preloaded VAR=VAL...: in silence; the program runs, the text stays.
preloaded() {
	env PTRACE_OUTPUT=text "$@" LD_PRELOAD="$LIBPTRACE" sh -c 'exit 3' \
		>out 2>&1
	is "$? $(cat out) $(cat text)" "3  some text" \
		"preloaded, $1: nothing is overwritten"
}
preloaded PTRACE_X=
preloaded PTRACE_MONITOR=/none
env PTRACE_OUTPUT=new PTRACE_MONITOR=/none LD_PRELOAD="$LIBPTRACE" \
	sh -c 'umask 0; exec true'
is "$(mode new)" 600 "preloaded: mode 0600"

# The default name, where somebody put a link in its place.
sh -c 'ln -s text true.$$.ptlog; echo $$; exec "$@"' sh \
	"$PTRACE_RUN" -D true >pid
pid=$(cat pid)
[ -f "true.$pid.1.ptlog" ]
ok $? "the default name is another, then"
is "$(mode "true.$pid.1.ptlog") $(cat text)" "600 some text" \
	"and the link is not followed"
for monitor in "" /none; do
	sh -c 'echo old >true.$$.ptlog; echo $$; exec "$@"' sh \
		env "PTRACE_MONITOR=$monitor" LD_PRELOAD="$LIBPTRACE" true >pid
	pid=$(cat pid)
	is "$(cat "true.$pid.ptlog" && ls "true.$pid.1.ptlog")" \
		"old
true.$pid.1.ptlog" "preloaded, too: PTRACE_MONITOR=$monitor"
done

# Root does not write where others want him to.
if [ "$(id -u)" = 0 ]; then
	"$PTRACE_RUN" -q -o theirs true
	mkdir -m 1777 sticky
	ln -s ../log sticky/link
	chown -h 65533 theirs sticky/link
	cp log kept
	for path in theirs sticky/link; do
		refused $path "it, or a link on the way to it, is another user's"
		for monitor in "" /none; do
			env PTRACE_OUTPUT=$path "PTRACE_MONITOR=$monitor" \
				LD_PRELOAD="$LIBPTRACE" true
		done
	done
	cmp -s log kept
	ok $? "nothing is written by the link"
	is "$(stat -c %u theirs)" 65533 "and the file is still his"
else
	skip "files of others" "not root" 8
fi

# Standard output.
"$PTRACE_RUN" -q -o - sh -c 'echo output' 2>err |
	"$PTRACE_DUMP" -f raw -n 'process:exit' - >out
is "$(cat err)" output "-o -: what the command writes is on standard error"
[ "$(wc -l <out)" -ge 1 ]
ok $? "the log goes through the pipe"
"$PTRACE_RUN" -q -o - -D sh -c 'echo output' 2>err >file
is "$(cat err)" output "-D, too"
wait_for "$PTRACE_DUMP" -f raw file
ok $? "and into a file"
"$PTRACE_RUN" -q -o - true >>text 2>err
is "$? $(cat text)" "125 some text" "which must not have anything in it"
is "$(cat err)" \
	"ptrace-run: cannot write standard output: it exists, and is not a trace log" \
	"why"

if command -v script >/dev/null; then
	is "$(script -qec "'$PTRACE_RUN' -o - true" /dev/null | tr -d '\r')" \
		"ptrace-run: --output: a log is not for a terminal
try 'ptrace-run --help'" "a terminal"
else
	skip "a terminal" "no script"
fi
# The preloaded library leaves it to the program.
env PTRACE_OUTPUT=- PTRACE_MONITOR=/none LD_PRELOAD="$LIBPTRACE" \
	sh -c 'echo $$' >pid
[ -f "sh.$(cat pid).ptlog" ]
ok $? "preloaded: the default"

# A signal ends the wait for who reads a FIFO.
mkfifo fifo
has_begun() {
	grep -q wait_for_partner "/proc/$1/wchan" ||
		{ grep -qx 0 "/proc/$1/wchan" &&
			[ -n "$(cat "/proc/$1/task/$1/children")" ]; }
}
"$PTRACE_RUN" -q -o fifo touch ran &
runner=$!
wait_for has_begun $runner
kill $runner
wait_for is_ended $runner
ok $? "-o FIFO that nobody reads: it can be ended" || kill -9 $runner
wait $runner
[ ! -e ran ]
ok $? "nothing is run"

# SIGPIPE is as we had it, with which pipes of the command end.
pipes='s/^SigIgn:.*\(.\)...$/\1/p'
"$PTRACE_RUN" -q -o "|sed -n '$pipes' /proc/self/status >seen; cat >out" true
is "$(cat seen)" "$(sed -n "$pipes" /proc/self/status)" \
	"'|CMD' has no signals ignored but those of the terminal"

# The name of a process that one attaches to is of its own choosing.
evil=$(printf -- '-\033[31m;$(x)')
cp "$VICTIMS/victim-ticks" "./$evil"
mkfifo input
LD_LIBRARY_PATH=${LIBPTRACE%/*} "./$evil" <input &
victim=$!
exec 5>input
wait_for grep -q libptrace.so "/proc/$victim/maps"
"$PTRACE_RUN" -p $victim 2>err &
runner=$!
name() {
	echo ./*.$victim.ptlog
}
is_named() {
	[ -e "$(name)" ]
}
wait_for is_named
kill $runner || diag "$(cat err)"
wait $runner
is "$(name)" "./___31m___x_.$victim.ptlog" \
	"-p: a name without surprises"
exec 5>&-
wait $victim
