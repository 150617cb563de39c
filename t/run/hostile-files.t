#!/bin/sh
# SPDX-License-Identifier: MIT
# What a user puts where root's logs go is neither followed nor written to, and
# a log is its owner's alone.
# shellcheck disable=SC2016 # another shell's
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/hostile.sh"
plan 8

echo treasure >treasure
mkdir -m 777 plain
umask 0
"$PTRACE_RUN" -q -o log true
is "$(stat -c %a log)" 600 "-o FILE has mode 0600, whatever the umask"
(mkdir own && cd own && "$PTRACE_RUN" -q true)
is "$(stat -c %a own/*.ptlog)" 600 "... and so has the default name"

# planted: is it as it was?
planted() {
	is "$(cat treasure)" treasure "$1"
}

# Each link takes a process; behind them is the one to come.
# shellcheck disable=SC2016 # there
as_user sh -c 'for i in $(seq 500 1000); do
	ln -s "$1/treasure" "$1/plain/true.$(($$ + i)).ptlog"
done' sh "$T"
(cd plain && "$PTRACE_RUN" -q true) 2>say
planted "a link by the default name is not followed"

as_user ln -s "$T/treasure" "$T/plain/link"
is "$(status "$PTRACE_RUN" -q -o plain/link true)" 125 \
	"-o: a link of another's is refused"
planted "... and not followed"

as_user sh -c 'echo his >"$1"' sh "$T/plain/his"
is "$(status "$PTRACE_RUN" -q -o plain/his true)" 125 \
	"-o: a file of another's is refused"
is "$(cat plain/his)" his "... and is as it was"
like "$(cat err)" '^ptrace-run: .*plain/his' "... in one line"
