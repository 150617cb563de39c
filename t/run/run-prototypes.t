#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -a: arguments and results of functions of a program's own
# libraries, by their debug information, where they have any.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
grep -q 'define HAVE_LIBDW 1' "$abs_top_builddir/config.h" ||
	skip_all "built without libdw"
need cc objcopy strip
plan 66

cat >own.h <<'END'
#include <stdbool.h>
#include <stdint.h>
enum colour { RED, GREEN, BLUE };
struct point { double x, y; };
struct large { long a[4]; };
struct small { int a, b; };
typedef struct point *points;
typedef const char *const text;
long own_integers(long a, int b, short c, signed char d, uint8_t e,
	unsigned short f, bool g, unsigned long h);
double own_floats(float a, double b, int c, float d);
long double own_long_double(long double a, int b);
const char *own_strings(text name, char *buf, const void *data, uint8_t *bytes);
void own_others(void (*fn)(int), enum colour c, points p, char o);
struct large own_large(int a, struct point *p);
struct small own_small(int a, int b);
int own_by_value(int a, struct small s, int b);
int own_varargs(int nr, ...);
void own_nothing(void);
int own_plain(int x), own_alias(int x);
int own_many(int, int, int, int, int, int, int, int, int, int, int, int, int,
	int, int, int);
END
cat >own.c <<'END'
#include "own.h"
long own_integers(long a, int b, short c, signed char d, uint8_t e,
	unsigned short f, bool g, unsigned long h)
{
	return a + b + c + d + e + f + g + (long)h;
}
double own_floats(float a, double b, int c, float d)
{
	return a + b + c + d;
}
long double own_long_double(long double a, int b)
{
	return a * b;
}
const char *own_strings(text name, char *buf, const void *data, uint8_t *bytes)
{
	return buf && data && bytes ? name : "none";
}
void own_others(void (*fn)(int), enum colour c, points p, char o)
{
	if (fn && p)
		fn(c + o);
}
struct large own_large(int a, struct point *p)
{
	return (struct large){{a, (long)p}};
}
struct small own_small(int a, int b)
{
	return (struct small){a, b};
}
int own_by_value(int a, struct small s, int b)
{
	return a + s.a + b;
}
int own_varargs(int nr, ...)
{
	return nr;
}
void own_nothing(void)
{
	__asm__ volatile("");
}
int own_plain(int x)
{
	return x;
}
extern int own_alias(int) __attribute__((alias("own_plain")));
int own_many(int a, int b, int c, int d, int e, int f, int g, int h, int i,
	int j, int k, int l, int m, int n, int o, int p)
{
	return a + b + c + d + e + f + g + h + i + j + k + l + m + n + o + p;
}
END
cat >main.c <<'END'
#include "own.h"
int main(void)
{
	char buf[] = "buffer";

	own_integers(-1, -2, -3, -4, 250, 60000, true, -1UL);
	own_floats(1.5f, 2.25, 3, 0.125f);
	own_long_double(1.25L, 2);
	own_strings("name", buf, buf, (uint8_t *)buf);
	own_others(0, BLUE, 0, 'o');
	own_large(7, 0);
	own_small(3, 4);
	own_by_value(5, (struct small){1, 2}, 6);
	own_varargs(2, 3);
	own_nothing();
	own_alias(-9);
	own_many(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16);
	return 0;
}
END
# library OPTION...
library() {
	cc "$@" -O1 -fPIC -shared -Wl,--build-id -o libown.so own.c 2>build.out
}
library -g || { cat build.out >&2; exit 1; }
cc -o main main.c libown.so -Wl,-rpath,"$T" -Wl,-z,now || exit 1

# shown OPTION... -- COMMAND: each call, with addresses as P, into $T/shown.
shown() {
	run "$@" || return
	"$PTRACE_DUMP" -n 'call:e*' log | sed -E \
		-e 's/^ *[0-9.]+ +([0-9.]+[mun]?s)? +[^ ]+ +//' \
		-e 's/ +at .*//; s/0x[0-9a-f]+/P/g' >shown
}

# call FUNCTION: its line.
call() {
	grep "^$1(" shown
}

shown -a -r 'own_*' ./main
is "$(call own_integers)" "own_integers(a=-1, b=-2, c=-3, d=-4, e=250, \
f=60000, g=true, h=18446744073709551615) = 60240" "integers by width and sign, bool"
is "$(call own_floats)" "own_floats(a=1.5, b=2.25, c=3, d=0.125) = 6.875" "floats"
is "$(call own_long_double)" "own_long_double(a=1.25, b=2) = 2.5" "long double"
is "$(call own_strings)" 'own_strings(name="name", buf="buffer", data=P, bytes=P) = "name"' \
	"strings, through their names of types; and what may be one"
is "$(call own_others)" "own_others(fn=NULL, c=BLUE, p=NULL, o=111)" \
	"functions, enums, pointers, characters"
like "$(call own_large)" '^own_large\((P, )?a=7, p=NULL\) = (P\{a=\[7, 0, 0, 0\]\}|P|\.\.\.)$' \
	"a structure that is returned in memory"
like "$(call own_small)" '^own_small\(a=3, b=4\) = (\{a=3, b=4\}|\.\.\.)$' "... in registers"
is "$(call own_by_value | cut -d , -f 1)" "own_by_value(a=5" \
	"as an argument: what is before it"
like "$(call own_by_value)" ' = 12$' "... and the result"
like "$(call own_varargs)" '^own_varargs\(nr=2, [^ ]+\) = 2$' "... variable ones"
is "$(call own_nothing)" "own_nothing()" "neither argument nor result"
is "$(call own_alias)" "own_alias(x=-9) = -9" "by another name"
like "$(call own_many)" '^own_many\(a=1, b=2, .*, m=13.*\) = 136$' "many arguments"
cp shown all

shown -r 'own_*' ./main
is "$(call own_alias)" "own_alias() = P" "nothing of it without -a"
shown -a -l 'own_a*,own_fl*' ./main
is "$(sort shown)" "own_alias(x=-9)
own_floats(a=1.5, b=2.25, c=3, d=0.125)" "what -l names, and -r not"
shown -a -r 'libown.so:own_*' ./main
is "$(diff all shown)" "" "LIBRARY:NAME"

# What is declared is believed more, of what it declares.
echo 'unsigned own_alias(unsigned);' >own.proto
shown --prototypes own.proto -r 'own_*' ./main
is "$(call own_alias)" "own_alias(4294967287) = 4294967287" "--prototypes"
is "$(call own_small)" "$(grep '^own_small(' all)" "... and the others"

# Other ways to start.
printf '#!/bin/sh\nexec ./main\n' >script
printf '#!./main\n' >direct
chmod +x script direct
shown -a -r 'own_*' ./direct
is "$(diff all shown)" "" "a script's interpreter"
shown -a -r 'own_*' ./script
is "$(diff all shown)" "" "what a script names"
shown -a -r 'own_*' sh -c 'X=1; (./main)'
is "$(diff all shown)" "" "what a shell is given"
shown -a -r 'own_*' env -i sh script
is "$(diff all shown)" "" "... and a script that it is given"
echo "exec \"\$1\$2\"" >hidden
shown -a -r 'own_*' sh hidden ./ma in
is "$(call own_alias)" "own_alias() = P" "none that nothing names"
shown -r 'own_*' --prototypes ./main sh hidden ./ma in
is "$(diff all shown)" "" "--prototypes of a program"
shown -r 'own_*' --prototypes own.proto --prototypes libown.so sh hidden ./ma in
is "$(call own_alias) $(call own_small)" \
	"own_alias(4294967287) = 4294967287 $(grep '^own_small(' all)" \
	"... of a library, and declarations"
cc -o bypath main.c ./libown.so || exit 1
shown -a -r 'own_*' ./bypath
is "$(diff all shown)" "" "a library that is needed by a path"
# Of what is only named nothing is run: it may be there to be looked at.
printf '#!/bin/sh\n: >%s/ran\n' "$T" >loader
chmod +x loader
cc -o other main.c libown.so -Wl,-rpath,"$T" -Wl,--dynamic-linker="$T/loader"
shown -a -r 'own_*' cat ./other >/dev/null
shown -r 'own_*' --prototypes ./other sh hidden ./ma in
is "$(diff all shown)" "" "what a program needs is found by itself"
[ ! -e ran ]
ok $? "... and its loader is not run"

# A plugin, and a library that it needs.
cat >loads.c <<'END'
#include <dlfcn.h>
#include <stdlib.h>
int main(int argc, char **argv)
{
	void *library = dlopen(argv[argc - 1], RTLD_NOW);
	int (*run)(void);

	*(void **)&run = dlsym(library, "run");
	return run();
}
END
sed 's/main(void)/run(void)/' main.c >plugin.c
cc -fPIC -shared -o plugin.so plugin.c libown.so -Wl,-rpath,"$T"
cc -o loads loads.c -ldl || exit 1
shown -a -r 'own_*' ./loads ./plugin.so
is "$(diff all shown)" "" "what a plugin needs that is named"
cat >hidden <<'END'
a=./plug b=in.so
exec ./lo${c}ads "$a$b"
END
shown -r 'own_*' --prototypes plugin.so sh hidden
is "$(diff all shown)" "" "... by --prototypes"
PATH=$PATH:$T shown -a -r 'own_*' main
is "$(diff all shown)" "" "found by PATH"
mkdir moved
cc -o moved/main main.c libown.so || exit 1
mv libown.so moved
LD_LIBRARY_PATH=$T/moved shown -a -r 'own_*' moved/main
is "$(diff all shown)" "" "LD_LIBRARY_PATH"
shown -a -r 'own_*' -E "LD_LIBRARY_PATH=$T/moved" moved/main
is "$(diff all shown)" "" "-E LD_LIBRARY_PATH"
mv moved/libown.so .
shown -D -a -r 'own_*' ./main
is "$(diff all shown)" "" "-D"
PTRACE_OUTPUT=$T/log PTRACE_RETURNS='own_*' PTRACE_ARGUMENTS=1 \
	PTRACE_QUIET=1 LD_PRELOAD=$LIBPTRACE ./main
wait_for "$PTRACE_DUMP" --info log
"$PTRACE_DUMP" -n 'call:e*' log | sed -E 's/.* (own_alias.*)/\1/; s/ +at .*//' |
	grep own_alias >shown
is "$(cat shown)" "own_alias(x=-9) = -9" "LD_PRELOAD alone"

# Other debug information.
for how in -gdwarf-4 -gdwarf-5 '-g -gz' '-g -O0' '-g -flto'; do
	# shellcheck disable=SC2086 # words
	if library $how; then
		shown -a -r 'own_*' ./main
		is "$(diff all shown)" "" "$how"
	else
		skip "$how" "the compiler does not know it"
	fi
done
library -g
objcopy --only-keep-debug libown.so own.debug
strip -g libown.so
objcopy --add-gnu-debuglink=own.debug libown.so
shown -a -r 'own_*' ./main
is "$(diff all shown)" "" "split off, by debug link"
rm own.debug
shown -a -r 'own_*' ./main
is "$(call own_alias) $(wc -l <shown)" "own_alias() = P 12" \
	"stripped: as without -a"

# What calls it may have debug information, with what it calls.
cc -g -O1 -o declares main.c libown.so -Wl,-rpath,"$T" -Wl,-z,now
shown -a -r 'own_*' ./declares
is "$(call own_integers)" "own_integers(-1, -2, -3, -4, 250, 60000, true, \
18446744073709551615) = 60240" "declared by the program: integers"
is "$(call own_others)" "own_others(NULL, BLUE, NULL, 111)" "... enums"
like "$(call own_small)" '^own_small\(3, 4\) = (\{a=3, b=4\}|\.\.\.)$' "... members"
like "$(call own_varargs)" '^own_varargs\(2, [^ ]+\) = 2$' "... what is not"
shown --prototypes own.proto -a -r 'own_*' ./declares
is "$(call own_alias)" "own_alias(4294967287) = 4294967287" "... --prototypes is believed more"
library -g
shown -a -r 'own_*' ./declares
is "$(diff all shown)" "" "... the library itself, too"
library -g -gsplit-dwarf
rm -f ./*.dwo
shown -a -r 'own_*' ./main
is "$(call own_alias) $(wc -l <shown)" "own_alias() = P 12" \
	"put into files that are gone"

library -g
# C++: what has no name, or another one; and where results go.
if command -v g++ >/dev/null; then
	cat >cxx.h <<'END'
#include <memory>
#include <string>
namespace space {
struct pair { int a, b; };
struct base { virtual ~base(); };
struct box : virtual base {
	explicit box(int side, double height);
	long volume(unsigned char scale) const;
	std::string name(int nr);
	std::unique_ptr<int> copy(int nr);
	pair both(int nr);
	static bool is_ok(const char *why, bool is_it, int &nr);
	int side;
	double height;
};
}
END
	cat >cxx.cc <<'END'
#include "cxx.h"
namespace space {
base::~base() {}
box::box(int s, double h) : side(s), height(h) {}
long box::volume(unsigned char scale) const
{
	return (long)(side * side * height * scale);
}
std::string box::name(int nr) { return std::string(nr, 'x'); }
std::unique_ptr<int> box::copy(int nr) { return std::make_unique<int>(nr); }
pair box::both(int nr) { return {nr, side}; }
bool box::is_ok(const char *why, bool is_it, int &) { return *why && is_it; }
}
END
	cat >usecxx.cc <<'END'
#include "cxx.h"
int main()
{
	space::box box(3, 2.5);
	int nr = 4;

	box.volume(200);
	box.name(5);
	box.copy(6);
	box.both(7);
	return !space::box::is_ok("quite", true, nr);
}
END
	g++ -std=c++17 -g -O1 -fPIC -shared -o libcxx.so cxx.cc &&
		g++ -std=c++17 -o usecxx usecxx.cc libcxx.so -Wl,-rpath,"$T"
	shown -a -r '*5space3box*' ./usecxx
	like "$(call _ZN5space3boxC1Eid)" 'C1Eid\(this=P\{[^}]*\}, s=3, h=2.5\)$' \
		"C++: a constructor"
	is "$(call _ZNK5space3box6volumeEh)" \
		"_ZNK5space3box6volumeEh(this=P{..., side=3, height=2.5}, scale=200) = 4500" \
		"C++: a method"
	like "$(grep 3box4name shown)" '\(P, this=P\{.*\}, nr=5\) = "xxxxx"$' \
		"C++: a large result's place"
	like "$(grep 3box4copy shown)" '\((P, this=P\{[^}]*\}, nr=6|[^0-9]*)\)' \
		"C++: of one that is not plain nothing wrong is said"
	like "$(grep 3box4both shown)" '\(this=P\{[^}]*\}, nr=7\) = \{a=7, b=3\}$' "C++: a small result"
	cp shown whole.shown
	like "$(grep 3box5is_ok shown)" '\(why="quite", is_it=true, P\) = true$' \
		"C++: bool, and a reference"
	strip -g libcxx.so
	g++ -g -O1 -std=c++17 -o usecxx usecxx.cc libcxx.so -Wl,-rpath,"$T"
	shown -a -r '*5space3box*' ./usecxx
	is "$(call _ZNK5space3box6volumeEh)" \
		"_ZNK5space3box6volumeEh(P{..., side=3, height=2.5}, 200) = 4500" \
		"C++: declared by the program"
	is "$(grep '4both\|4name' shown)" "$(grep '4both\|4name' whole.shown |
		sed -E 's/(this|nr)=//g')" "C++: ... results"
else
	skip "C++" "no g++" 8
fi

# Damaged: what is found may be wrong, and the program must not notice.
library -g
cp libown.so whole.so
for section in info abbrev str; do
	objcopy -O binary --only-section=.debug_$section --set-section-flags \
		.debug_$section=alloc whole.so part
	for byte in '\000' '\001' '\377'; do
		tr '\000-\377' "$byte" <part | head -c "$(wc -c <part)" >bad
		objcopy --update-section .debug_$section=bad whole.so libown.so
		is "$(status "$PTRACE_RUN" -q -o log -a -r 'own_*' ./main)$(
			cat err)" "0" "damaged: $section of $byte"
	done
done
