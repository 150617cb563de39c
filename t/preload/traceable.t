#!/bin/sh
# SPDX-License-Identifier: MIT
# That a program can be traced is found out once by all processes of a trace,
# until its file is another, or another's.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need strace
plan 5

true=$(command -v true)
case $true in
/*) ;;
*) true=/bin/true ;;
esac
strace -f -qq -o trace -e trace=openat "$PTRACE_RUN" -q -o log \
	sh -c "$true; $true; $true; :" 2>err
is $? 0 "three programs, and strace"
is "$(grep -c "\"$true\"" trace)" 1 "one file, opened once"
is "$(dump -n process:untraced | wc -l)" 0 "all traced"

# The file is changed in place, at once: an ELF file of 32 bits.
cp "$true" program
printf '\177ELF\1\1\1\0\0\0\0\0\0\0\0\0%048d' 0 >other
run sh -c './program; ./program; cat other >program; ./program; :' 2>err
is "$(dump -f json -n process:untraced |
	sed 's/.*"reason":"\([^"]*\)".*/\1/')" "32-bit (nor is what it starts)" \
	"a file that changes"

if [ "$(id -u)" = 0 ]; then
	cp "$true" program
	run sh -c "$true; ./program; chown 1 program; chmod u+s program
		./program; :"
	is "$(dump -f json -n process:untraced |
		sed 's/.*"reason":"\([^"]*\)".*/\1/')" "setuid (nor is what it starts)" \
		"one that is setuid"
else
	skip "one that is setuid" "not root"
fi
