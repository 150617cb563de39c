#!/bin/sh
# SPDX-License-Identifier: MIT
# What ptrace-run says is the cause is the cause; one line.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 20
todo_coverage "libgcov dies of ulimit -f"

# fails WHY COMMAND...: 125, that line, nothing run.
fails() {
	why=$1
	shift
	is "$(status "$@" touch "$T/ran") $(cat err)" "125 ptrace-run: $why" \
		"$why"
	[ ! -e ran ]
	ok $? "nothing is run"
}
fails "cannot write /dev/full: No space left on device" \
	"$PTRACE_RUN" -o /dev/full
fails "cannot write /dev/null: only a regular file can have this --log-policy" \
	"$PTRACE_RUN" -o /dev/null --log-policy loop
# LD_PRELOAD knows no way to name these.
blanks() {
	for dir in 'a b' a:b; do
		mkdir -p "$dir/bin" "$dir/lib" "$dir/libexec/libptrace"
		cp "$PTRACE_RUN" "$dir/bin" && cp "$LIBPTRACE" "$dir/lib" &&
			ln -s libptrace.so "$dir/lib/libptrace.so.0" &&
			cp "$TAP_MONITOR" "$dir/libexec/libptrace"
		fails "$T/$dir/lib/libptrace.so cannot be preloaded: blank or colon in its path" \
			"$dir/bin/ptrace-run" -o log
	done
}
# Distributions have their libraries where programs know them all.
if [ "${PTRACE_RUN%/*/*}/lib" = "${LIBPTRACE%/*}" ]; then
	blanks
else
	skip "a prefix with a blank" "this installation cannot be moved" 4
fi
fails "cannot trace: no memory for the stream, or it is more than a file may have (ulimit -f); see --stream-size" \
	sh -c 'ulimit -f 1 && exec "$@"' sh "$PTRACE_RUN" -o log

"$PTRACE_RUN" -o log -l 'libfoo:*' -l 'libc:getopt_lon' ls >/dev/null 2>err
is "$(sed -n 1p err)" \
	"ptrace-run: -l libfoo:*: no traced program has such a library" \
	"a library that there is not"
like "$(sed -n 2p err)" \
	'libc:getopt_lon: no traced .* calls such a function; close is libc' \
	"a function that there is not"

if [ "$(id -u)" != 0 ] || ! command -v setpriv bash >/dev/null; then
	skip "as a user who has no processes" "not root, or no setpriv" 8
	exit
fi
chmod 755 "$T"
mkdir -m 755 closed
mkdir -m 777 open
# limited NUMBER: so many processes.
limited() {
	nr=$1
	shift
	setpriv --reuid=65530 --regid=65530 --clear-groups \
		bash -c "ulimit -u $nr && exec \"\$@\"" bash "$@"
}
fails "cannot write closed/log: Permission denied" \
	limited 100 "$PTRACE_RUN" -o closed/log
# Ptrace-run alone; with the command; with one process between it and the
# controller.
fails "cannot fork: too many processes (ulimit -u)" \
	limited 1 "$PTRACE_RUN" -o open/log
for nr in 2 3; do
	fails "cannot start the controller: too many processes (ulimit -u)" \
		limited $nr "$PTRACE_RUN" -o open/log
done
