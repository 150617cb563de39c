#!/bin/sh
# SPDX-License-Identifier: MIT
# Text on a terminal, and only there: a heading, totals, colours, a pager; and
# what switches these off.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 27

"$VICTIMS/victim-mklog" log <<-END
	1000 10 10 0 27 0 i:1 i:0 s:/usr/bin/make s:/src s:make s:-j2
	2000 10 10 0 17 0 i:11
	3000 10 10 0 64 0 i:-100 x:0 i:0 i:-1 i:2 s:/etc/x.cfg x:3000
	4000 10 12 0 24 0 i:12
	5000 10 10 0 2 0
	6000 10 10 0 20 0 i:0
	END

cat >on.py <<'END'
# on.py COLUMNS COMMAND...: the command with a terminal of that width.
import fcntl, os, pty, struct, sys, termios
pid, fd = pty.fork()
if pid == 0:
    fcntl.ioctl(1, termios.TIOCSWINSZ,
                struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
out = b""
while True:
    try:
        data = os.read(fd, 65536)
    except OSError:
        break
    if not data:
        break
    out += data
status = os.waitpid(pid, 0)[1]
sys.stdout.buffer.write(out.replace(b"\r\n", b"\n"))
sys.exit(os.WEXITSTATUS(status))
END
TERM=xterm
PAGER=
export TERM PAGER T
unset COLUMNS NO_COLOR LESS
# on OPTION...: ptrace-dump on a wide terminal.
on() {
	python3 on.py 200 "$PTRACE_DUMP" "$@"
}
plain() {
	sed "s/$(printf '\033')\[[0-9]*m//g"
}
escape=$(printf '\033')

on log >shown
is "$(plain <shown | sed '1d;$d')" "$("$PTRACE_DUMP" log)" \
	"the same lines as in a file"
is "$(plain <shown | sed -n 1p)" \
	"     TIME(s)       DUR  PROGRAM[PID/TID]          EVENT" "a heading"
like "$(plain <shown | sed -n '$p')" \
	'^5 shown of 6 events, 1 process, [0-9.]+K; [0-9]+ lost$' "totals"
is "$("$PTRACE_DUMP" log | grep -c -e TIME -e shown -e "$escape")" 0 \
	"none of it in a file"
like "$(on --time delta log | plain | sed -n 1p)" '^    DELTA\(s\)  ' \
	"the heading says which time"
is "$(on -f json log)" "$("$PTRACE_DUMP" -f json log)" "JSON is JSON"

# Colours
like "$(grep openat shown)" "= -1 $escape\[31mENOENT$escape\[0m " \
	"what failed is red"
like "$(grep 'start ' shown)" "$escape\[1mmake\[10\]" "who is new is bold"
like "$(grep 'fork ' shown)" "$escape\[2mmake\[10\]" "and then dim"
# colored WANTED [VARIABLE...] OPTION...
colored() {
	wanted=$1
	shift
	is "$(python3 on.py 200 env "$@" log | grep -c -m 1 "$escape")" \
		"$wanted" "$*"
}
colored 0 "$PTRACE_DUMP" --color=never
colored 1 "$PTRACE_DUMP" --color=auto
colored 0 NO_COLOR=1 "$PTRACE_DUMP"
colored 1 NO_COLOR= "$PTRACE_DUMP"
colored 1 NO_COLOR=1 "$PTRACE_DUMP" --color=always
colored 0 TERM=dumb "$PTRACE_DUMP"
colored 0 -u TERM "$PTRACE_DUMP"
is "$("$PTRACE_DUMP" --color=always log | plain)" "$("$PTRACE_DUMP" log)" \
	"--color=always in a file"

# Pager
PAGER="sed 's/^/paged: /'"
is "$(on log | grep -vc '^paged: ')" 0 "\$PAGER"
is "$(on --no-pager log)" "$(PAGER='' && on log)" "--no-pager"
is "$(on -o file log)$(plain <file)" "$("$PTRACE_DUMP" log)" "not for -o"
is "$("$PTRACE_DUMP" log | grep -c paged)" 0 "nor for a file"
is "$(on --info log | grep -vc '^paged: ')" 0 "for --info"
PAGER='head -n 1 >/dev/null'
run "$VICTIMS/victim-ticks" 20000
is "$(on "$T/log" >/dev/null; echo $?)" 0 "a pager that ends early"
PAGER='cat >/dev/null; seq 100000 | tail -n 1; echo over'
# shellcheck disable=SC2016 # for another shell
is "$(python3 on.py 200 sh -c '"$PTRACE_DUMP" "$T/log"; echo after' |
	tail -n 1)" after "it is waited for"
mkdir bin
printf '#!/bin/sh\necho "$@"; cat >/dev/null\n' >bin/less
chmod +x bin/less
is "$(unset PAGER; PATH=$T/bin:$PATH on log)" "-FRX" "by default less -FRX"

# Width
"$VICTIMS/victim-mklog" log <<-END
	1000 10 10 0 27 0 i:1 i:0 s:/x s: s:a-program-of-a-long-name
	END
PAGER=
is "$(on --color=never log | sed -n 2p | wc -c)" 81 "a wide one"
is "$(python3 on.py 80 "$PTRACE_DUMP" --color=never log | sed -n 2p)" \
	"    0.000000            a-program-o...[10]  start a-program-of-a-long-name" \
	"a narrow one"
