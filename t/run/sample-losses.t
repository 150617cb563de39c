#!/bin/sh
# SPDX-License-Identifier: MIT
# The sampler is killed, or does not answer: the program runs on, and so does its
# trace; a line says what is missing, and --strict counts it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/samples.sh"
need_samples
plan 10

# outer.sh SIGNAL PTRACE_EVENT: loses its sampler, and goes on.  The words of a
# process's command line end with a null.
cat >outer.sh <<'END'
LC_ALL=C grep -alE "/ptrace-sampler[^0-9][0-9]+[^0-9]$$[^0-9]" \
	/proc/[0-9]*/cmdline >found 2>/dev/null
read -r sampler <found
sampler=${sampler#/proc/}
sampler=${sampler%/cmdline}
echo "$sampler" >sampler
readlink "/proc/$sampler/cwd" >cwd
while read -r key value; do
	[ "$key" = PPid: ] && cat "/proc/$value/comm" >parent
done <"/proc/$sampler/status"
kill "-$1" "$sampler"
"$2" later
exit 4
END

# lose SIGNAL OPTION...: the status of ptrace-run.
lose() {
	signal=$1
	shift
	status "$PTRACE_RUN" "$@" --sample -o log sh outer.sh "$signal" \
		"$PTRACE_EVENT"
	kill -9 "$(cat sampler)" 2>/dev/null
}

is "$(lose KILL):$(grep -c 'ptrace-sampler ended' err)" "4:1" \
	"it is killed: the program runs on, and a line says so"
is "$("$PTRACE_DUMP" -f raw -n later log | wc -l)" 1 "and the trace goes on"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'ptrace-sampler ended' \
	"which has it, too"
is "$(cat cwd)" / "it keeps no directory busy"
is "$(grep -c ptrace parent)" 0 \
	"it is no child of a process of ours, who would have to wait for it"
is "$(lose KILL -q):$(wc -l <err)" "4:0" "-q: no line"
is "$(lose KILL -q --strict):$(wc -l <err)" "125:1" "but with --strict"
is "$(lose STOP --strict):$(grep -c 'strict: .*does not answer' err)" "125:1" \
	"it is stopped: the log is completed, and a line says so"
is "$("$PTRACE_DUMP" -f raw -n later log | wc -l)" 1 "with all else"
like "$("$PTRACE_DUMP" -n cpu:sampling log)" 'ptrace-sampler does not answer' \
	"and an event"
