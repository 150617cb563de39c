#!/bin/sh
# SPDX-License-Identifier: MIT
# A format is a row in a table: the options know it, and it is told when the
# events begin and end, and where to write.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 31

run "$VICTIMS/victim-ticks" 7
is "$(dump --help | sed -n '/--format/,/--output/p')" \
	"  -f, --format FORMAT  text (default), json, folded, perf-script, chrome,
                       perfetto, ctf, otlp, sqlite or raw
  -o, --output FILE    write to FILE; ctf: to a new directory;" \
	"--help: the formats"

PTRACE_DUMP=$VICTIMS/victim-formats
is "$(dump --help | sed -n '/--format/,/--output/p')" \
	"  -f, --format FORMAT  text (default), json, raw, count, pieces or
                       a-format-whose-name-takes-some-room
  -o, --output FILE    write to FILE; ctf: to a new directory;" \
	"--help: others, in two lines"

# wrong MESSAGE OPTION...: status 2, two lines on stderr, nothing on stdout.
wrong() {
	message=$1
	shift
	is "$(status dump "$@") $(wc -c <out)" "2 0" "$*: wrong usage"
	is "$(cat err)" "ptrace-dump: $message
try 'ptrace-dump --help'" "... and why"
}
wrong "--format: 'x' is not one of text, json, raw, count, pieces,\
 a-format-whose-name-takes-some-room" -f x
wrong "--info: 'count' is not one of text, json, raw" -f count --info
wrong "--format: pieces makes a directory: which? (-o DIR)" -f pieces
wrong "--format: pieces makes a directory: which? (-o DIR)" -f pieces -o -

is "$(status dump -f count -n tick)" 0 "a file: status"
is "$(cat out)" "7 events" "events, and the end"
is "$(dump -f count -n nosuch 2>/dev/null)" "0 events" "the end of no events"
dump -f count -o file
is "$(cat file)" "$(dump | wc -l) events" "-o FILE"

is "$(status dump -f pieces -o dir -n tick)" 0 "a directory: status"
is "$(cat out err)" "" "nothing on standard output"
is "$(stat -c '%a %n' dir dir/*)" "700 dir
600 dir/events
600 dir/hosts" "it is made, with its files, for us alone"
is "$(cat dir/hosts)" "$(uname -n)" "before the first event: the info"
is "$(sort dir/events | uniq -c | sed 's/^ *//')" "1 7 events
7 tick" "the events, and the end"
cp log second
"$PTRACE_DUMP" -f pieces -o both log second
is "$(wc -l <both/hosts)" 2 "the info of all logs"
mkdir -m 755 empty
is "$(status dump -f pieces -o empty) $(stat -c %a empty)" "0 700" \
	"an empty directory will do"

# tree: what there is, but for what the test itself writes.
tree() {
	find . ! -name out ! -name err -printf '%p %m %U %s\n' | sort
}

# refused WHY PATH NAME: status 1, and nothing is written.
refused() {
	before=$(tree)
	is "$(status dump -f pieces -o "$2") $(cat err)" \
		"1 ptrace-dump: cannot write $2: $1" "$3"
	is "$(tree)" "$before" "... nothing is changed"
}
chmod 755 dir
refused "Directory not empty" dir "not one with something in it"
refused "Directory not empty" . "not this one"
refused "Not a directory" file "not a file"
mkdir target
ln -s target link
refused "Not a directory" link "not by a link"
if [ "$(id -u)" = 0 ]; then
	mkdir theirs
	chown 65534 theirs
	refused "it, or a link on the way to it, is another user's" theirs \
		"not another user's"
else
	skip "not another user's" "only root can make one" 2
fi
