#!/bin/sh
# SPDX-License-Identifier: MIT
# What a program inherits is the same with and without us: descriptors, signals,
# limits, environment and all the rest.
# shellcheck disable=SC2016,SC2094,SC2317 # expanded and called elsewhere
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/same.sh"
plan 14

victim=$VICTIMS/victim-same
echo content >file
mkdir dir
printf 'all:\n\t@$(V)\n' >makefile

same "as it is" "$victim" a 'b c' ''
{ same "descriptors" "$victim"; } 3<file 7>>file 9<>file
mkfifo fifo
{ same "a pipe and a socket" "$victim"; } 3<>fifo

# script TEXT: what goes before, with "$@" somewhere in it.
script() {
	printf '#!/bin/sh\n%s\n' "$1" >before
	chmod +x before
	before=./before
}
script 'exec "$@" <&-'
same "no input" "$victim"
script 'exec "$@" <&- 2>&-'
same "no input and no errors" "$victim"
script 'trap "" HUP INT USR1 CHLD PIPE XFSZ; exec "$@"'
same "ignored signals" "$victim"
# Perl can block signals, and has no wish to tell.
if command -v perl >/dev/null; then
	cat >before <<'END'
#!/usr/bin/perl
use POSIX ();
POSIX::sigprocmask(POSIX::SIG_BLOCK(), POSIX::SigSet->new(1, 2, 10, 12, 15, 17, 34));
exec @ARGV;
END
	same "blocked signals" "$victim"
else
	skip "blocked signals" "no perl"
fi
script 'ulimit -S -n 64; ulimit -c 0; ulimit -S -s 1024; ulimit -t 100
	umask 027; cd dir && PTRACE=x exec nice -n 3 "$@"'
same "limits, umask, directory, priority" "$victim"
# Our shell says that too.
settle() {
	grep -v 'getcwd() failed'
}
script 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
same "a directory that is gone" "$victim"
settle() {
	cat
}
script 'A=1 B= HOME=/ LD_BIND_NOW=1 LD_LIBRARY_PATH=/nowhere TMPDIR=/none \
	exec "$@"'
same "environment" "$victim"
script 'exec env -i "A=1" "$@"'
same "hardly any environment" "$victim"
if command -v setpriv >/dev/null; then
	script 'exec setpriv --no-new-privs --pdeathsig keep "$@"'
	same "no new privileges" "$victim"
else
	skip "no new privileges" "no setpriv"
fi
before=

# What is inherited further down.
same "from a shell" sh -c 'trap "" USR2; umask 077; cd dir
	exec 5</dev/null; "$0" | cat; "$0" & wait; exec "$0" last' "$victim"
same "from all kinds of programs" sh -c 'for i in "xargs -n1" "env -i" \
	"timeout 50" "nice" "setsid -w" "nohup"; do echo x | $i "$0"; done
	find file -exec "$0" {} \; ; make -s -f makefile V="$0"
	perl -e "system shift" "$0"
	python3 -c "import subprocess as s, sys
for k in ({}, {\"close_fds\": False}, {\"env\": {}}, {\"shell\": True}):
    s.run(sys.argv[1], **k)" "$0"' "$victim"
