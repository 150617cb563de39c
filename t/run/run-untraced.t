#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs that cannot be traced are counted and named with the reason, whatever
# is recorded, in the summary and by --info; --strict fails.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/lost.sh"

echo 'int main(void) { return 0; }' >static.c
if ! ${CC:-cc} -static -o static static.c 2>/dev/null || ! ./static; then
	skip_all "no static programs"
fi
plan 22
cp static two
cp static three
cp static four

is "$(status "$PTRACE_RUN" -o log sh -c './static; ./static; exit 3')" 3 \
	"the status is the command's"
like "$(sed -n 1p err)" \
	'^ptrace-run: .* 0 lost, 3 processes, 2 not traced, .* -> log$' \
	"the summary counts"
is "$(sed -n 2p err)" "ptrace-run: not traced: ./static: static" "and names"
hint="ptrace-run: --reach static traces static programs and Go's, too"
[ "$(uname -m)" = x86_64 ] || hint=
is "$(sed 1,2d err)" "$hint" "... and says what would reach it"
is "$(dump --info | grep -A 1 '^not-traced' | tr -s '\n ' ' ')" \
	"not-traced: 2 ./static: static " "--info, too"

status "$PTRACE_RUN" --reach none -e none -o log \
	sh -c './static; ./two; ./three; ./four' >/dev/null
is "$(sed 1d err)" \
	"ptrace-run: not traced: ./static: static, ./two: static, ./three: static, ..." \
	"three are named, whatever is recorded"
is "$(dump --info | grep -c ': static$')" 4 "--info names all"
is "$(dump --info -f json | grep -o '"not-traced":[^]]*]')" \
	'"not-traced":4,"not-traced-programs":["./static: static","./two: static","./three: static","./four: static"]' \
	"... in JSON, too"
status "$PTRACE_RUN" -o log ./static >/dev/null
like "$(cat err)" '1 not traced' "the command itself"
is "$("$PTRACE_REPORT" log | sed -n 1p)" "static (not traced)" \
	"the report is by its name"
is "$(dump -f json | grep -o '"program":"[^"]*"' | sort -u)" \
	'"program":"static"' "and so are its events"
status "$PTRACE_RUN" -o log sh -c './two; exit 3' >/dev/null
is "$(dump -f json -n process:exit | sed 's/.*"program":"\([^"]*\)".*/\1/' |
	tr '\n' ' ')" "two sh " "those of a child are, once it is executed"
status "$PTRACE_RUN" -o log "$VICTIMS/../preload/victim-untraced" "$T/static" \
	>/dev/null
like "$(cat err)" '2 not traced' "by vfork and exec, and by posix_spawn"
chmod -x two
status "$PTRACE_RUN" -o log sh -c './two; /bin/true' >/dev/null
is "$(grep -c 'not traced' err)" 0 "what is not executable is none"
status "$PTRACE_RUN" -F -o log sh -c './three; :' >/dev/null
is "$(grep -c 'not traced' err)" 0 "children that are not to be followed are none"

is "$(status "$PTRACE_RUN" -q --strict -o log sh -c './static; exit 3')" 125 \
	"--strict fails"
is "$(cat err)" "ptrace-run: --strict: 1 program could not be traced" \
	"and says so"
is "$(status "$PTRACE_RUN" --strict -o log sh -c 'exit 3')" 3 \
	"but not if all could be"
is "$(status "$PTRACE_RUN" --strict -D true)" 2 "nobody could, with -D"

# The count is in the stream: it is there when the controller is not.
mkfifo go
"$PTRACE_RUN" -o "$T/log" sh -c './static; : >ran; read -r _ <go' 2>err &
front=$!
wait_for test -e ran
# shellcheck disable=SC2046 # two processes
kill -9 $(guarded "$(monitor_of "$T/log" $front)")
echo >go
wait $front
is "$(info "$T/log" not-traced)" 1 "the controller was killed"

if [ -z "${PTL_T_PRIVATE_SHM-}" ] || [ "$(id -u)" != 0 ] ||
	! command -v setpriv >/dev/null; then
	skip "another /dev/shm, another user" "not root, or no setpriv" 2
	exit
fi
status "$PTRACE_RUN" -o log unshare -mi sh -c 'mount -t tmpfs none /dev/shm &&
	/bin/true' >/dev/null
is "$(sed 1d err)" "ptrace-run: not traced: /bin/true: other IPC namespace \
and /dev/shm (bwrap: add --bind /dev/shm /dev/shm)" \
	"another /dev/shm, and other shared memory"
status "$PTRACE_RUN" -o log setpriv --euid 65534 /bin/true >/dev/null
like "$(sed 1d err)" \
	"^ptrace-run: not traced: .*/true: other real user or group" \
	"another effective user alone"
