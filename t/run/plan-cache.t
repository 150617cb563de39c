#!/bin/sh
# SPDX-License-Identifier: MIT
# Patches are kept from one run to the next: for the same file and question they
# are the same, what is damaged or may be another's is not used, and where they
# cannot be kept nothing else changes.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}"
plan 26

cat >app.c <<'C'
#include <unistd.h>
__attribute__((noinline, noclone)) int first(int n) { return n * n + 7; }
__attribute__((noinline, noclone)) int second(int n) { return n * first(n); }
int main(int argc, char **argv)
{
	(void)argv;
	for (int i = 0; i < CALLS; i++)
		argc += second(i + argc);
	return write(1, "", argc == 12345);
}
C
build() {
	$CC -O1 -g0 -DCALLS="$1" -o app.new app.c && mv app.new app
}
build 3 || skip_all "cc cannot link"

unset XDG_CACHE_HOME PTRACE_PLAN_CACHE
HOME=$T/home
export HOME
kept=$HOME/.cache/libptrace/plans
mkdir "$HOME"

# calls [OPTION...]: how often second() and first() were entered.
calls() {
	run -f '*' "$@" ./app 2>"$T/err" >"$T/out" || echo "status $?"
	"$PTRACE_DUMP" -f text "$T/log" |
		awk '/ second\(/ { s++ } / first\(/ { f++ } END { print s + 0, f + 0 }'
}
# files: those that are kept, by number and time.
files() {
	find "$kept" -mindepth 1 -printf "%i %f\n" 2>/dev/null | sort
}
is "$(calls)" "3 3" "the first run makes them"
is "$(find "$kept" -type f | wc -l)" 1 "and keeps them"
is "$(stat -c %a "$kept" "$kept"/* | tr '\n' ' ')" "700 600 " \
	"where nobody else can read or write"
before=$(files)
touch -d '2020-01-01' "$kept"/*
is "$(calls)" "3 3" "the second run records the same"
is "$(files)" "$before" "from the same file"
[ "$(stat -c %Y "$kept"/*)" -gt 1600000000 ]
ok $? "which was used just now"

is "$(calls --min-size 1000)" "0 0" "another question has another answer"
is "$(files | wc -l)" 1 "one without patches is not kept"
run -f 'nothing_*' ./app >"$T/out" 2>"$T/err"
first=$(cat "$T/err")
run -f 'nothing_*' ./app >"$T/out" 2>"$T/err"
is "$(cat "$T/err")" "$first" "a pattern that fits nothing is told again"
like "$first" "no function fits 'nothing_\*'" "as it was at first"

build 5
is "$(calls)" "5 5" "a program that was built anew is looked at anew"
is "$(files | wc -l)" 2 "and kept beside the former one"

# damaged COMMAND...: each file that is kept is changed; records the same, and
# mends it.
damaged() {
	for file in "$kept"/*; do
		"$@" "$file"
	done
	calls
	cmp -s "$good" "$kept/${good##*/}" || echo "not mended"
}
newest=$(find "$kept" -type f -printf "%T@ %f\n" | sort -n | sed -n '$s/.* //p')
good=$T/${newest##*/}
cp "$kept/$newest" "$good"
flip() {
	printf '\377' | dd of="$1" bs=1 seek="$(($(stat -c %s "$1") - 99))" \
		conv=notrunc 2>/dev/null
}
is "$(damaged flip)" "5 5" "a byte has changed: they are made again"
is "$(damaged truncate -s -8)" "5 5" "or the end is missing"
is "$(damaged truncate -s 0)" "5 5" "or everything"
swap() {
	printf '\377\377\377\377\377\377\377\177' |
		dd of="$1" bs=1 seek=16 conv=notrunc 2>/dev/null
}
is "$(damaged swap)" "5 5" "or a size is no size"

chmod g+w "$kept/$newest"
inode=$(stat -c %i "$kept/$newest")
is "$(calls) $([ "$(stat -c %i "$kept/$newest")" != "$inode" ] && echo new)" \
	"5 5 new" "a file that others may write is not used, but replaced"
rm "$kept/$newest"
ln -s "$good" "$kept/$newest"
calls >/dev/null
[ ! -L "$kept/$newest" ] && cmp -s "$good" "$kept/$newest"
ok $? "nor is a link"
rm -r "$kept"
mkdir "$kept"
chmod 777 "$kept"
is "$(calls) $(files)" "5 5 " "a directory that others may write is not used"
rm -r "$kept"
: >"$kept"
is "$(calls)" "5 5" "nor is a file in its place"
rm "$kept"
PTRACE_PLAN_CACHE='' calls >/dev/null
[ ! -e "$kept" ]
ok $? "PTRACE_PLAN_CACHE= keeps nothing"
export PTRACE_PLAN_CACHE="$T/a/b"
is "$(calls) $(find "$T/a/b" -type f | wc -l)" "5 5 1" "or names the place"
unset PTRACE_PLAN_CACHE

XDG_CACHE_HOME=$T/xdg
export XDG_CACHE_HOME
calls >/dev/null
kept=$XDG_CACHE_HOME/libptrace/plans
is "$(files | wc -l)" 1 "as does XDG_CACHE_HOME"
# Holes: they count as they would be read.
for i in 1 2; do
	truncate -s 200M "$kept/000000000000000$i"
	touch -d "202$i-01-01" "$kept/000000000000000$i"
done
truncate -s 300M "$kept/mine"
touch -d 2019-01-01 "$kept/mine"
build 4
is "$(calls)" "4 4" "where there is too much"
is "$(files | grep -c ' 000000000000000')" 0 "the oldest go"
[ -e "$kept/mine" ]
ok $? "and nothing that was not kept by us"
