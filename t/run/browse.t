#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --browse: what a user sees and does in a terminal, and that the
# terminal is as it was then, whatever the end is.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need tmux script pgrep

# says STATUS NAME PATTERN: where there can be no browser.
says() {
	is "$1" 2 "$2: status 2"
	like "$(cat err)" "$3" "$2: and says why"
}
cd "$T" || exit 1
"$PTRACE_RUN" -q -o log sh -c 'true; sleep 0.02; exit 3'
"$PTRACE_REPORT" --browse log </dev/null >out 2>err
status=$?
if grep -q 'without ncurses' err; then
	plan 2
	says "$status" "built without" 'libncurses-dev'
	exit
fi
plan 54
says "$status" "no terminal" '--browse: standard input is no terminal'
for term in dumb none-such ''; do
	script -qec "env TERM=$term '$PTRACE_REPORT' --browse log" /dev/null \
		</dev/null >err 2>&1
	says $? "TERM=$term" '--browse: .*(TERM|terminal)'
done
is "$(status "$PTRACE_REPORT" --browse --calls log)" 2 "no view besides it"
is "$(status "$PTRACE_REPORT" --live log)" 2 "--live is for it alone"
is "$(status "$PTRACE_REPORT" --browse none.ptlog)" 3 "no log"

# A terminal: its size, its command.
tmux_at() {
	tmux -u -S "$T/tmux" -f /dev/null "$@"
}
# A server is no child of ours: it would stay.
# shellcheck disable=SC2154 # it is assigned there
trap 'ended=$?; tmux_at kill-server 2>/dev/null; tap_end $ended' EXIT
screen() {
	tmux_at capture-pane -p "$@"
}
shows() {
	screen | grep -q -e "$1"
}
hides() {
	! shows "$1"
}
# see NAME PATTERN: until the screen has it.
see() {
	if wait_for shows "$2"; then
		pass "$1"
	else
		fail "$1"
		screen | while IFS= read -r line; do diag "$line"; done
	fi
}
keys() {
	tmux_at send-keys "$@"
}
start() {
	size=$1
	shift
	tmux_at new-session -d -x "${size%x*}" -y "${size#*x}" \
		"env LC_ALL=${locale-C.UTF-8} $* sh -i"
	tmux_at set-option -g status off
	keys "PS1='at''prompt '" Enter
	wait_for shows '^atprompt'
}
is_gone() {
	! tmux_at list-sessions
}
stop() {
	tmux_at kill-server
	wait_for is_gone
}
# browse OPTIONS: from the prompt.
browse() {
	keys "clear; stty -a >before; '$PTRACE_REPORT' --browse $*; \
echo ended=\$?; stty -a >after" Enter
}
# state FILE: what stty says there, but for the size.
state() {
	sed 's/rows [0-9]*; columns [0-9]*;//' "$1"
}
restored() {
	see "$1: ended" "^ended=$2"
	wait_for test -s after
	is "$(state after)" "$(state before)" "$1: the terminal is as it was"
	rm -f before after
}

cat >Makefile <<'END'
all: one two
	sh -c 'true; exit 0'
one two:
	sh -c 'sleep 0.02; echo $@ >$@; cat $@'
END
"$PTRACE_RUN" -q -e +file,io -o make.ptlog make -j2 >/dev/null
start 100x24 PAGER=cat
browse make.ptlog
see "the tree" '- make\[[0-9]*\] -j2'
see "its sign" '├ .*sh\['
see "its headings" 'WALL  .*EVENTS .*PROCESS'
keys Space
see "closed" '+ make\[[0-9]*\] ([0-9]* inside) -j2'
keys Space
see "and open" '- make\[[0-9]*\] -j2'
keys s
see "sorted by the next column" 'PROCESS▾'
keys s
see "and the one after it" 'WALL▾'

keys / 'cat[' Enter Enter
see "found and entered" 'make > sh > cat\['
see "its threads" '(main)'
see "what it ran" '^runs  *cat'
keys Tab
see "the next view" '\[calls\]'
keys Tab Tab
see "and others" '\[files\]'
keys Enter
see "all of a row" '^PATH  '
keys Escape
wait_for hides '^PATH'
keys BSpace
see "back" '\[processes\]'

keys f 'name ~ "process:exit"' Enter
see "filtered" 'f: name ~ "process:exit"'
keys f ' && &&' Enter
see "a wrong expression" 'column [0-9]*: expected'
keys Escape f C-u Enter
wait_for hides 'f: name'
pass "and not any more"
keys Home z
see "the time of a process" 't: 0\.'
keys z '?'
see "help" 'PgUp, PgDn'
keys q

# Sizes.
tmux_at resize-window -x 40 -y 10
see "a small terminal" '…$'
is "$(screen | wc -l)" 10 "which it fills"
tmux_at resize-window -x 30 -y 6
see "a smaller one" 'too small'
tmux_at resize-window -x 120 -y 30
see "a larger one" 'START(s).* PROCESS'
keys q
restored "q" 0

# Ends.
pid_of() {
	pgrep -f "^$PTRACE_REPORT --browse make.ptlog"
}
for signal in TERM SEGV; do
	browse make.ptlog
	wait_for shows '- make'
	kill -s $signal "$(pid_of)"
	case $signal in
	TERM) restored "SIGTERM" 143 ;;
	SEGV) restored "a crash" 139 ;;
	esac
done
browse make.ptlog
wait_for shows '- make'
keys C-z
wait_for shows '^atprompt'
keys 'stty -a >stopped; fg' Enter
wait_for shows '- make'
is "$(state stopped)" "$(state before)" "stopped: the terminal is as it was"
rm -f after
keys C-c
wait_for shows '^atprompt'
keys 'echo ended=$?; stty -a >after' Enter
restored "^C" 130

# The events, by ptrace-dump.
browse make.ptlog
wait_for shows '- make'
keys / 'cat[' Enter e
see "the events" 'cat\[.* start cat '
see "and a way back" 'Enter: back'
keys Enter
see "to the tree" '\[processes\]'
keys q
wait_for shows '^ended=0'

# A trace that goes on.
mkfifo go
"$PTRACE_RUN" -q -o live.ptlog sh -c 'read -r word; sleep 0.01; exit 4' <go &
exec 3>go
wait_for sh -c "'$PTRACE_DUMP' live.ptlog | grep -q start"
browse --live live.ptlog
see "a trace that goes on" 'live$'
see "its process" 'sh\['
echo go >&3
exec 3>&-
see "what it does then" '└ sleep\['
see "its end" 'ended$'
keys q
wait_for shows '^ended=0'
wait

# What foreign names may do.
evil=$(printf 'a\033]0;evil\007\033[31m\302\233m')
ln -s /bin/true "$evil"
"$PTRACE_RUN" -q -o evil.ptlog "./$evil"
browse evil.ptlog
see "a hostile name" 'a\\x1b]0;evil'
is "$(tmux_at display-message -p '#{pane_title}' | grep -c evil)" 0 \
	"which does not reach the terminal"
keys q
wait_for shows '^ended=0'
stop

# Without UTF-8 and colour.
locale=C start 80x24 NO_COLOR=1
browse make.ptlog
see "ASCII" '| - sh\['
is "$(screen -e | grep -c "$(printf '\033\[3[13]m')")" 0 "no colour"
keys q
stop
