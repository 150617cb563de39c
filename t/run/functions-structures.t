#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -f -a: structures, by value and where a pointer leads, are shown by
# their members as gdb prints them; what cannot be read is told, and harms nobody.
# shellcheck disable=SC2016,SC2094 # expanded by gdb; read and written apart
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/piped.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
grep -q 'define HAVE_LIBDW 1' "$abs_top_builddir/config.h" ||
	skip_all "built without libdw"
CC=${CC:-cc}
CXX=${CXX:-c++}
need "${CC%% *}" "${CXX%% *}" cmp
todo_coverage "counters of gcov within the functions"
plan 105
source=$abs_top_srcdir/t/run/functions-structures

# shown PROGRAM [OPTION...]: each call, with addresses as P, into $T/shown.
shown() {
	program=$1
	shift
	"./$program" >plain
	run -a "$@" "./$program" >out 2>err
	is "$?$(cat err)$(cmp plain out)" 0 "$made: the program"
	dump_calls
}

dump_calls() {
	"$PTRACE_DUMP" -n 'call:e*' log | sed -E \
		-e 's/^ *[0-9.]+ +([0-9.]+[mun]?s)? +([^ ]+\[[0-9]+\])? *//' \
		-e 's/ +at .*//; s/0x[0-9a-f]{5,}/P/g' >shown
}

# call FUNCTION: its first line.
call() {
	grep -m 1 "\(^\|::\)$1(" shown
}

# by_gdb PROGRAM FUNCTION EXPRESSION: as gdb prints it when the function begins,
# in our words: arrays in brackets, members of base classes as of the class.
by_gdb() {
	timeout 60 gdb -nx -batch -iex 'set auto-load off' \
		-ex 'set print static-members off' -ex 'set print symbol off' \
		-ex 'set print null-stop on' -ex "break *$2" -ex run \
		-ex 'set language c' -ex "print $3" "./$1" 2>gdb.err |
		sed -nE '/^\$1 = /{
			s/^\$1 = //
			s/^\([^)]*\) @[0-9a-fx]+: //
			s/ = /=/g
			s/ U?'\''[^'\'']*'\''//g
			s/0x[0-9a-f]{5,}( "[^"]*")?/P/g
			s/real=12.1414223/real=12.141422/
			s/_vptr.base=P( <[^>]*>)?, //
			s/<[a-z:]+>=\{([^{}]*)\}/\1/g
			s/[A-Za-z_:]+:://g
			s/\{__0=([^{}]*), __1=([^{}]*)\}/(\1, \2)/g
			p
		}'
}

# as_gdb PROGRAM FUNCTION EXPRESSION PATTERN: what its line has there.
as_gdb() {
	if command -v gdb >/dev/null; then
		is "$(call "${2##*::}" | sed -E "s/.*$4.*/\\1/" | tr '[]' '{}')" \
			"$(by_gdb "$1" "$2" "$3")" "$made: $2, as gdb has it"
	else
		skip "$made: $2, as gdb has it" "there is none"
	fi
}

whole='{shade=DARK, part={a=-1, b=2, is_it=true}, low=5, high=17, sign=-3, of=BRIGHT, many=[1, -2, 3], name="a \"name\"", pairs=[{x=1.5, y=2}, {x=-3, y=40000000000}], either={number=1094861636, real=12.141422, text="DCBA"}, text=P, next=P}'
filled=$(echo "$whole" | sed 's/shade=DARK/shade=BRIGHT/; s/name=".*\\""/name=""/')
for flags in -O0 '-O2' '-O2 -gdwarf-4' '-Os -fomit-frame-pointer'; do
	made="C $flags"
	# shellcheck disable=SC2086
	$CC -g $flags -o c "$source.c"
	shown c -f '*'
	is "$(call points)" "points(all=P$whole, none=NULL, wild=0x10{unreadable}) = 2" \
		"$made: where pointers lead"
	is "$(call by_value)" "by_value(P, n=1, array={all=[1, 2, 3, 4], nr=5}, behind=6) = P{all=[8, 2, 3, 4], nr=5}" \
		"$made: by value"
	is "$(call on_stack)" "on_stack(a=1, b=2, c=3, d=4, e=5, f=6, g=7, array={all=[1, 2, 3, 4], nr=5}, h=8) = 41" \
		"$made: ... and what is behind it"
	is "$(call in_registers)" 'in_registers(dense={name="abc", bytes=[1, 2, 3, 4], flag=-1, rest=9}) = 1' \
		"$made: arrays and bits in registers"
	is "$(call fills)" "fills(all=P$whole) = P$filled" \
		"$made: as it is then"
	is "$(call large | sed 's/"bytes.*/"bytes/')" 'large(huge=P{before=7, bytes="bytes' "$made: a large one"
	is "$(grep ^at_end shown)" 'at_end(pair=P{x=1.5, y=2.5}, beyond=P{unreadable}) = 1
at_end(pair=P{x=0, y=1}, beyond=P{unreadable}) = 0' "$made: at the end of what is mapped"
done

# Calls between libraries, by what these say; the library calls its own.
for flags in -O0 -O2; do
	made="library $flags"
	$CC -g $flags -Dmain=run -fPIC -shared -o libownc.so "$source.c" &&
		echo 'int run(void); int main(void) { return run(); }' |
		$CC -o over -x c - -L. -lownc -Wl,-rpath,"$T"
	shown over -r 'libownc.so:*'
	is "$(call points)" "points(all=P$whole, none=NULL, wild=0x10{unreadable}) = 2" \
		"$made: where pointers lead"
	is "$(call by_value)" "by_value(P, n=1, array={all=[1, 2, 3, 4], nr=5}, behind=6) = P{all=[8, 2, 3, 4], nr=5}" \
		"$made: by value"
	is "$(call on_stack)" "on_stack(a=1, b=2, c=3, d=4, e=5, f=6, g=7, array={all=[1, 2, 3, 4], nr=5}, h=8) = 41" \
		"$made: ... and what is behind it"
	is "$(call in_registers)" 'in_registers(dense={name="abc", bytes=[1, 2, 3, 4], flag=-1, rest=9}) = 1' \
		"$made: arrays and bits in registers"
	is "$(call fills)" "fills(all=P$whole) = P$filled" \
		"$made: as it is then"
	shown over -r 'libownc.so:*' --min-duration 1ns
	is "$(call fills)" "fills(all=P$whole) = P$filled" \
		"$made: in one event"
	shown over -l 'libownc.so:*'
	is "$(call in_registers)" 'in_registers(dense={name="abc", bytes=[1, 2, 3, 4], flag=-1, rest=9})' \
		"$made: entries"
done

# The same of a program that runs.
is_hooked() {
	grep -q 'hooked$' err || ! kill -0 "$runner"
}
made=--inject
echo '#include <stdio.h>
int run(void); int main(void) { return getchar() != 10 || run(); }' |
	$CC -o asked -x c - -L. -lownc -Wl,-rpath,"$T"
for how in -f -r; do
	if [ "$(cat /proc/sys/kernel/yama/ptrace_scope 2>/dev/null || echo 0)" != 0 ] &&
		[ "$(id -u)" != 0 ]; then
		skip "$made $how" "ptrace is for parents only" 2
		continue
	fi
	begin ./asked
	rm -f log
	"$PTRACE_RUN" -v --inject -o log -a $how 'libownc.so:*' -p "$pid" 2>err &
	runner=$!
	wait_for is_hooked
	echo >&5
	finish
	wait "$runner"
	dump_calls
	is "$(call points)" "points(all=P$whole, none=NULL, wild=0x10{unreadable}) = 2" \
		"$made $how: where pointers lead"
	is "$(call by_value)" "by_value(P, n=1, array={all=[1, 2, 3, 4], nr=5}, behind=6) = P{all=[8, 2, 3, 4], nr=5}" \
		"$made $how: by value"
done

made=C
as_gdb c points '*all' '\(all=P(\{.*\}), none='
as_gdb c on_stack array 'array=(\{[^}]*\})'
"$PTRACE_DUMP" -f json -n 'call:e*' log >as-json
like "$(grep '"function":"in_registers"' as-json)" '"args":\["\{name=\\"abc\\", bytes=\[1, 2, 3, 4\], flag=-1, rest=9\}"\],"params":\["dense"\]' \
	"C: in JSON"
at=$("$PTRACE_DUMP" -n call:enter log | sed -n 's/.*fills(all=\(0x[0-9a-f]*\){.*/\1/p')
is "$("$PTRACE_DUMP" -n call:enter -w "args == $at" log | grep -c 'fills(\|points(')" 2 \
	"C: a filter by where it is"
is "$("$PTRACE_DUMP" -n call:enter -w 'args ~ "*many=?1,*"' log | grep -c 'fills(\|points(')" 2 \
	"C: ... and by what is in it"
made="C --min-duration"
shown c -f '*' --min-duration 1ns
is "$(call fills)" "fills(all=P$whole) = P$filled" "$made: in one event"
made="C --entry-only"
shown c -f '*' --entry-only
is "$(call fills)" "fills(all=P$whole)" "$made: entries"

l128=$(printf %128s '' | tr ' ' l)
box='{id=7, is_it=true, both={w=2, h=2.5}, what=some}'
for flags in -O0 -O2; do
	made="C++ $flags"
	$CXX -g $flags -o cxx "$source.cc"
	shown cxx -f 'shapes*'
	is "$(call area)" "shapes::box::area(this=P$box, by=1) = 2" "$made: this"
	is "$(call refers)" "shapes::refers(one=P$box, other=P{w=3, h=1.5}, none=NULL) = 6" \
		"$made: references"
	is "$(call derived)" "shapes::derived(d={w=1, h=0.5, c=[0, 9]}) = 10.5" \
		"$made: of a base class"
	is "$(call makes)" "shapes::makes(P, w=1) = P{w=1, h=0, c=[0, 9]}" \
		"$made: a result"
	is "$(call text)" 'shapes::text(what="abc") = 3' \
		"$made: what is passed by where it is"
	is "$(grep texts shown)" "shapes::texts(a=\"a \\\"text\\\"\", b=\"view\", c=[1, -2], d=[some, none]) = 16
shapes::texts(a=\"$l128\"..., b=\"\", c=[7, -1, $(yes 7, | head -n 62 | tr '\n' ' ')...], d=[]) = 400" \
		"$made: texts and lists"
	is "$(grep ::name shown)" 'shapes::name[abi:cxx11](P, n=21) = "nnnnnnnnnnnnnnnnnnnnn"' \
		"$made: a text as result"
	is "$(call lies | sed 's/="text.*\.\.\., c=/="text...", c=/')" 'shapes::lies(a=P{unreadable}, b="text...", c=0x20{unreadable}, d=NULL, e=[]) = false' \
		"$made: ... and what is none"
done
as_gdb cxx shapes::refers one 'one=P(\{.*\}), other='
as_gdb cxx shapes::derived d '\(d=(\{.*\})\)'

# enums_by_gdb MEMBER...: the same of what Rust has made; where the function begins
# one is inlined that it calls.
enums_by_gdb() {
	for member; do
		echo "print all.$member"
	done >gdb.print
	timeout 60 gdb -nx -batch -iex 'set auto-load off' \
		-ex 'set print symbol off' -ex 'break *rust::enums' -ex run \
		-ex up -ex 'source gdb.print' ./rust 2>gdb.err |
		sed -nE '/^\$[0-9]+ = /{
			s/^\$[0-9]+ = //
			:generic
			s/<[^<>]*>//g
			t generic
			s/([A-Za-z_0-9]+::)+//g
			s/[A-Za-z_0-9]+ ([{(])/\1/g
			s/: /=/g
			s/0x[0-9a-f]{5,}/P/g
			p
		}'
}

# Of what is called as the compiler likes nothing wrong is said.
made=Rust
if command -v rustc >/dev/null &&
	rustc -g -O --crate-name rust -o rust "$source.rs" 2>rustc.err; then
	shown rust -f 'rust::*'
	as_gdb rust rust::refers '*all' 'all=P(\{.*\}), n='
	is "$(call by_value)" "rust::by_value(p={x=3.5, y=1}, shade=Bright) = 9.5" \
		"$made: by value"
	is "$(call makes)" "rust::makes(n=1) = {x=1, y=2.5}" "$made: a result"
	is "$(call small)" "rust::small(n=1) = {a=1, b=2}" \
		"$made: one in two registers"
	like "$(call moved)" '^rust::moved\(all=P\{shade=Bright, .*pair=\(1, 2\)\}\) = 4$' \
		"$made: one by where it is"
	enums=$(call enums | sed 's/.*(all=P//; s/) = 3$//')
	is "$enums" '{none=None, some=Some(5), no_place=None, place=Some(P), fine=Ok(1), failed=Err(Parse{line=3, column=9}), shade=Some(Bright), both=Some(Some(true)), many=[Some(1), None, Some(-3)], faults=[Empty, Io(-5)], nothing=Ok(())}' \
		"$made: enums with values"
	# gdb 13 ends with an internal error at an array of these.
	members='none some no_place place fine failed shade both faults nothing'
	if command -v gdb >/dev/null; then
		# shellcheck disable=SC2086 # words
		is "$(echo "$enums" | sed -E "s/ many=[^]]*],//
			s/[{ ]($(echo "$members" | tr ' ' '|'))=/\\n/g" | sed '1d; s/[,}]$//')" \
			"$(enums_by_gdb $members)" "$made: ... as gdb has them"
	else
		skip "$made: ... as gdb has them" "there is none"
	fi
	is "$(grep '::option(' shown)" 'rust::option(a=Some(3), b=None, c=Some(P)) = 5
rust::option(a=None, b=Some(1), c=None) = 8' "$made: in two registers, and one"
	is "$(grep '::gives(' shown)" 'rust::gives(n=1) = Some(1)
rust::gives(n=11) = None' "$made: a result in two"
	is "$(grep '::tries(' shown)" 'rust::tries(P, n=0) = Ok({x=1.5, y=2})
rust::tries(P, n=1) = Err(Io(-2))
rust::tries(P, n=2) = Err(Parse{line=4, column=7})
rust::tries(P, n=3) = Err(Empty)' "$made: one in memory, of which no register says where"
	is "$(grep '::one_word(' shown)" 'rust::one_word(n=1) = Ok(1)
rust::one_word(n=0) = Err(Bright)' "$made: one in one word"
	is "$(grep '::fault(' shown | sed 's/ = [0-9]*$//')" 'rust::fault(fault=P Io(3))
rust::fault(fault=P Parse{line=1, column=2})
rust::fault(fault=P Empty)' "$made: where pointers lead"
	is "$(grep '::texts(' shown)" 'rust::texts(a="text", b="a string", c=[97, 98], d=[4, 5, 1]) = 17
rust::texts(a="", b="", c=[], d=[]) = 0' "$made: texts and lists"
	is "$(call name)" 'rust::name(P, n=1) = "name 1"' "$made: a text as result"
	is "$(call part)" 'rust::part(text="part") = "art"' "$made: ... in registers"
	cp shown before
	shown rust -f 'rust::tries' --min-duration 1ns
	is "$(cat shown)" "$(grep '::tries(' before)" "$made: in one event"
	shown rust -f 'rust::tries' --depth 9
	is "$(cat shown)" "$(grep '::tries(' before)" "$made: with --depth"
else
	skip "Rust" "there is no rustc" 20
fi
