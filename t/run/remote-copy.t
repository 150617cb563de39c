#!/bin/sh
# SPDX-License-Identifier: MIT
# A log can be copied while it is written, and the copy goes on where a link broke:
# the script of ptrace-tutorial(7), over a link that breaks again and again.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 8

mkdir bin
PATH=$T/bin:${PTRACE_DUMP%/*}:$PATH
export PATH
awk '/^fetch:$/ { found = 1 } /^\.EE/ && inside { exit }
	inside { print } /^\.EX/ && found { inside = 1 }' \
	"$abs_top_srcdir/man/ptrace-tutorial.7" | sed 's/\\-/-/g' >fetch
grep -q ssh fetch || fail "no fetch in the tutorial"

# The link: broken after each 3000 bytes, and at times before the first.
cat >bin/ssh <<'END'
#!/bin/sh
shift
echo >>links
[ $(($(wc -l <links) % 4)) != 0 ] || exit 255
"$@" | head -c 3000
END
chmod +x bin/ssh

# fetched: what the copy is now.
fetched() {
	"$PTRACE_DUMP" --info copy 2>/dev/null |
		sed -n 's/^log-state: *//p'
}

# The program waits for the copy of what it has done before.
mkfifo go
cat >traced.sh <<'END'
i=0
while [ $i -lt 300 ]; do
	: </dev/null
	i=$((i + 1))
done
read -r line <go
exit 3
END
run -e all --stream-size 16K sh traced.sh &
traced=$!
wait_for test -s log
sh fetch far log copy &
copying=$!
# three: has the link been broken three times, and has the copy events?
three() {
	[ "$(wc -l <links)" -ge 4 ] && "$PTRACE_DUMP" -f raw copy | grep -q file:
}
wait_for three
ok $? "the copy grows while the log is written, over links that break"
is "$(fetched)" "still being written" "and says that it is not complete"
echo >go
wait $traced
is $? 3 "the program ends"
wait $copying
is $? 0 "the copy is complete"
cmp log copy
ok $? "and is the log, byte for byte"
is "$(fetched)" complete "as it says itself"
[ "$(wc -l <links)" -ge 4 ]
ok $? "over as many links as it took"
is "$("$PTRACE_DUMP" -f raw copy | grep -c ' process:exit')" 1 "its end is in it"
