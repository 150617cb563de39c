#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -f -a: arguments and results of functions inside programs are what
# the program passed and got, by each function's own debug information; of what
# a compiler has made otherwise nothing wrong is said.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
grep -q 'define HAVE_LIBDW 1' "$abs_top_builddir/config.h" ||
	skip_all "built without libdw"
CC=${CC:-cc}
CXX=${CXX:-c++}
need "${CC%% *}" "${CXX%% *}" strip objcopy cmp
todo_coverage "counters of gcov within the functions"
plan 93
source=$abs_top_srcdir/t/run

# shown OPTION... -- COMMAND: each call, with addresses as P, into $T/shown.
shown() {
	run "$@" >out 2>err || return
	"$PTRACE_DUMP" -n 'call:e*' log | sed -E \
		-e 's/^ *[0-9.]+ +([0-9.]+[mun]?s)? +([^ ]+\[[0-9]+\])? *//' \
		-e 's/ +at .*//; s/0x[0-9a-f]{5,}/P/g; s/\.lto_priv\.[0-9]//' \
		>shown
}

# call FUNCTION: its lines.
call() {
	grep "^$1(" shown
}

# build FLAG...: ./typed.
build() {
	$CC -I"$abs_top_srcdir" "$@" -o typed "$source/functions-typed.c" \
		"$source/functions-typed-other.c" 2>build.err
}

cat >expected <<'END'
main() = 0
same(first=7, second=2) = 5
integers(a=-1, b=-2, c=-3, d=-4, e=250, f=60000, g=true, h=18446744073709551615) = 60240
floats(a=1.5, b=2.25, c=3, d=0.125) = 6.875
halves(a=5) = 2.5
wide(a=1.25, b=2) = 2.5
strings(into=P, name="name", data=P) = "name and data"
texts(text="text\n", bytes=P, endless=P) = 237
next(colour=RED, size=SMALL) = GREEN
next(colour=GREEN, size=LARGE) = BLUE
next(colour=7, size=SMALL) = 7
is_read(wild=0x10, none=NULL, pointer=P) = true
is_read(wild=P, none=NULL, pointer=NULL) = false
nothing()
distance(from=P{x=1.5, y=2.5}, to=NULL) = 2.5
distance(from=P{x=1.5, y=2.5}, to=P{x=1.5, y=2.5}) = 0
by_value(n=1, small={a=2, b=3}, behind=4) = 10
both(a=4, b=5) = {a=4, b=5}
mixed(a=1, b=2.5, c="c", d=4.5, e=5, f=6, g=7, h=8, i=9, j="j", k=11.5) = 259.5
shapes(large={all=[1, 2, 3, 4]}, from={x=1.5, y=2.5}, both={nr=3, of=0.25}, behind="b") = {of={a=3, b=4}, size=2.5}
wider(span={begin=100, size=8}, by=3) = {begin=97, size=14}
scale(scaled={by=0.5, nr=6}, by=3) = {by=1.5, nr=7}
turns(left=P, b=2, c=3, d=4, e=5, f=6, g=700) = 720
other(n=2) = 237
same(what="second", letter=120) = 235
END

# given FILE: FUNCTION(ARGUMENTS) of each call, but of two, that depend on how
# the program was made.  returned FILE: FUNCTION = RESULT, of known ones.
given() {
	grep -Ev '^(changed|jumps)' "$1" | sed -E 's/\) = .*/)/' | sort
}
returned() {
	sed -nE '/ = \.\.\.$/d; s/^([a-z_]*)\(.*\) = /\1 = /p' "$1" | sort -u
}
given expected >expected-given
returned expected >expected-returned

# compare NAME: there is not always room to record a result.
compare() {
	is "$(given shown | diff expected-given -)" "" "$1: what was passed"
	grep -Ev '^(changed|jumps)' shown >sure
	is "$(returned sure | comm -23 - expected-returned)$(
		[ "$(returned sure | wc -l)" -ge 9 ] || echo few)" "" \
		"$1: what was returned"
	is "$(call 'changed[a-z0-9.]*' | grep -Ev \
		'^changed[a-z0-9.]*\(((left=[56], dropped=6)?|\.\.\.|left=[56], \.\.\.)\)')" "" \
		"$1: nothing wrong of what is changed"
	like "$(call jumps)" '^jumps\(n=1\)' "$1: a tail call"
}

for flags in -O0 -O1 -O2 -O3 -Os '-O2 -fPIE -pie' '-O2 -no-pie -fno-pie' \
	'-O2 -gdwarf-4' '-O2 -fomit-frame-pointer -flto'; do
	# shellcheck disable=SC2086
	build -g $flags || {
		for _ in 1 2 3 4 5; do skip "made with $flags" "it cannot be"; done
		continue
	}
	./typed >plain
	shown -a -f '*' ./typed
	is "$(cmp plain out)" "" "made with $flags: the program's output"
	compare "made with $flags"
done

# pairs FILE: FUNCTION NAME=VALUE of each argument.
pairs() {
	sed -E 's/\) = .*//; s/\)$//; s/\(/ /; s/,//g; s/=\{/={ /' "$1" |
		awk '{ for (i = 2; i <= NF; i++) if ($i ~ /=/) print $1, $i }' |
		sort -u
}

# Another compiler leaves out more, and does not say so in names.
if command -v clang >/dev/null; then
	CC=clang build -g -O2
	shown -a -f '*' ./typed
	cat >>expected <<'END'
changed(left=5, dropped=6) = 5
changed(left=6, dropped=6) = 6
jumps(n=1) = 237
END
	pairs expected >known
	returned expected >expected-returned
	is "$(pairs shown | comm -23 - known)$(
		returned shown | comm -23 - expected-returned)" "" \
		"by clang: nothing that is not so"
	like "$(call turns)" ' g=700\) = 720$' "by clang: all of what is exported"
else
	skip "by clang" "there is none" 2
fi

build -g -O2
shown -a -f '*' ./typed
"$PTRACE_DUMP" -f json log >as-json
is "$(sed -n 's/.*"name":"call:enter".*"function":"next".*"args":\(\[.*\]\)}.*/\1/p' as-json |
	head -n 1)" '["RED","SMALL"],"params":["colour","size"]' "JSON"
is "$(grep -c '"name":"call:exit".*"function":"next".*"ret":"BLUE"' as-json)" 1 \
	"... and results"
is "$(grep -c '"function":"by_value".*"args":\[1,"{a=2, b=3}",4\]' as-json)" 1 \
	"... and structures"
is "$("$PTRACE_DUMP" -n call:enter -w 'args == BLUE' log | wc -l)" 0 \
	"a filter by the name of a constant: none"
is "$("$PTRACE_DUMP" -n call:exit -w 'ret == BLUE' log | wc -l)" 1 "... one"
is "$("$PTRACE_REPORT" --calls log | grep -c ' same$')" 1 "in a report, by name"

# With what is long or short, deep or not; entries only; with -r.
shown -a -f '*' --min-duration 1ns ./typed
is "$(given shown | diff expected-given -)$(returned shown | comm -23 - expected-returned)" "" \
	"in one event (--min-duration)"
shown -a -f '*' --depth 2 ./typed
is "$(given shown | diff expected-given - | grep '^[<>]')" \
	"< same(what=\"second\", letter=120)" "not those that are deep"
shown -a -f '*' --entry-only ./typed
is "$(given shown)" "$(grep -v ^turns expected-given)" "entries only"
shown -a -f same -r 'strc*' ./typed
is "$(grep -c strcpy shown) $(call same | tail -n 1)" \
	'1 same(what="second", letter=120) = 235' "those that are named"
shown -f '*' ./typed
is "$(call same | head -n 1)" "same() = 5" "none without -a"

# Nothing of the program is disturbed at any instruction; handlers see its stack.
for flags in -O0 -O2; do
	$CXX -g $flags -o stacks "$source/functions-stacks.cc"
	is "$(run -a -f 'triples*' -f 'even*' -f 'odd*' -f 'self*' -f 'keeps*' \
		-f 'chooses*' -f 'interprets*' -f 'large*' -f 'virtually*' \
		-f '*value*' ./stacks steps)" "0 cut" \
		"whole stacks at each instruction, made with $flags"
	$CC -g $flags -o hard "$source/functions-hard.c"
	for program in stacks hard; do
		expected=$(./$program >plain; echo $?)
		is "$(run -a -f '*' ./$program >out; echo $?)$(
			cmp plain out)" "$expected" "$program, $flags"
	done
done

# Where debug information is, and where there is none.
objcopy --only-keep-debug typed typed.debug
strip -g typed
objcopy --add-gnu-debuglink=typed.debug typed
shown -a -f '*' ./typed
is "$(given shown | diff expected-given -)" "" \
	"split off, by debug link"
rm typed.debug
shown -a -f '*' ./typed
is "$(call same | head -n 1) $(wc -l <shown)" "same() = 5 28" \
	"stripped: as without -a"

# Damaged: what is found may be wrong, and the program must not notice.
build -g -O2
./typed >plain
cp typed whole
for section in info abbrev str loclists; do
	objcopy -O binary --only-section=.debug_$section --set-section-flags \
		.debug_$section=alloc whole part 2>/dev/null
	[ -s part ] || {
		skip "damaged: $section" "there is none" 3
		continue
	}
	for byte in '\000' '\001' '\377'; do
		tr '\000-\377' "$byte" <part | head -c "$(wc -c <part)" >bad
		objcopy --update-section .debug_$section=bad whole typed
		shown -a -f '*' ./typed
		is "$?$(cat err)$(cmp plain out) $(wc -l <shown)" "0 28" \
			"damaged: $section of $byte"
	done
	rm part
done

# A library; children, that execute.
$CC -I"$abs_top_srcdir" -g -O2 -fPIC -shared -Wl,--build-id -o libother.so \
	"$source/functions-typed-other.c" &&
	$CC -I"$abs_top_srcdir" -g -O2 -o typed "$source/functions-typed.c" ./libother.so
shown -a -f 'libother:*' ./typed
is "$(sort shown)" "other(n=2) = 237
same(what=\"second\", letter=120) = 235" "of a library"
# One that is loaded, unloaded, and comes again.
cat >loads.c <<'END'
#include <dlfcn.h>
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 3; i++) {
		void *library = dlopen("./libother.so", RTLD_NOW);
		int (*other)(int);

		*(void **)&other = dlsym(library, "other");
		sum += other(i);
		dlclose(library);
	}
	return sum != 3 + 3 * 235;
}
END
$CC -o loads loads.c -ldl
shown -a -f ./libother.so:other ./loads
is "$? $(cat shown)" "0 other(n=0) = 235
other(n=1) = 236
other(n=2) = 237" "of a library that comes again"
build -g -O2
shown -a -f ./typed:same sh -c './typed; ./typed'
is "$(grep -c 'first=7, second=2) = 5' shown)" 2 "children"

cat >cxx.cc <<'END'
#include <cstdio>
#include <memory>
#define KEPT __attribute__((noinline))
namespace space {
enum class kind { none, some = 3 };
struct box {
	KEPT box(int side, double height);
	KEPT long volume(unsigned char scale) const;
	KEPT std::unique_ptr<int> copy(int nr);
	KEPT static bool is_ok(const char *why, bool is_it, int &nr);
	KEPT kind is_kind(kind before);
	int side;
	double height;
};
box::box(int s, double h) : side(s), height(h) {}
long box::volume(unsigned char scale) const
{
	return (long)(side * side * height * scale);
}
std::unique_ptr<int> box::copy(int nr) { return std::make_unique<int>(nr + side); }
bool box::is_ok(const char *why, bool is_it, int &nr)
{
	return *why && is_it && nr;
}
kind box::is_kind(kind before)
{
	return before == kind::none && side ? kind::some : before;
}
}
template <typename T> KEPT T twice(T value) { return value + value; }
int main()
{
	volatile int three = 3;
	space::box box(three, 2.5);
	int nr = three;

	printf("%ld %d\n", box.volume(200), *box.copy(6));
	printf("%d\n", (int)box.is_kind(space::kind::none));
	printf("%d %g\n", twice((int)three), twice(1.25 * three));
	return !space::box::is_ok("quite", true, nr);
}
END
for flags in -O0 -O2; do
	$CXX -std=c++17 -g $flags -o cxx cxx.cc
	shown -a -f '*' ./cxx
	like "$(grep 'box(.*side\|box(.*s=' shown)" '\(this=P\{side=.*\}, s=3, h=2.5\)$' \
		"C++ $flags: a constructor"
	like "$(grep volume shown)" 'space::box::volume.*\(this=P\{side=3, height=2.5\}, scale=200\) = 4500$' \
		"C++ $flags: a method, by its name"
	like "$(grep '::copy' shown)" '\((P, this=P\{side=3, height=2.5\}, nr=6|\.\.\.)\)' \
		"C++ $flags: where a result goes"
	like "$(grep is_ok shown)" '\(why="quite", is_it=true, nr=P\) = true$' \
		"C++ $flags: bool, and a reference"
	like "$(grep is_kind shown)" '\(this=P\{side=3, height=2.5\}, before=none\)( = some)?$' \
		"C++ $flags: constants of a class"
	is "$(grep twice shown | sed 's/.*(/(/' | sort)" "(value=3) = 6
(value=3.75) = 7.5" "C++ $flags: templates"
done
