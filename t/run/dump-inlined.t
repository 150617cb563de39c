#!/bin/sh
# SPDX-License-Identifier: MIT
# A place in an inlined function is named by it, and a stack has all functions
# that are inlined at a frame: by all tools, in no other program; and if the debug
# information is damaged, nothing else happens.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
grep -q 'define HAVE_LIBDW 1' "$abs_top_builddir/config.h" ||
	skip_all "built without libdw"
need gcc seq objdump objcopy strip
plan 44

cat >work.c <<'END'
#include <stdlib.h>
#define INLINED static inline __attribute__((always_inline))
static void *volatile kept[4];

INLINED void *parse(size_t size)
{
	void *block = malloc(size);

	__asm__ volatile("" : : "r"(block));
	return block;
}

INLINED void allocate(int i)
{
	kept[i] = parse(1000);
	__asm__ volatile("");
}

INLINED __attribute__((artificial)) void *wrapped(size_t size)
{
	void *block = parse(size);

	__asm__ volatile("" : : "r"(block));
	return block;
}

__attribute__((noinline)) static void run(void)
{
	allocate(0);
	kept[1] = wrapped(20);
	__asm__ volatile("");
}

int main(void)
{
	run();
	kept[2] = malloc(30);
	return 0;
}
END

# traced COMMAND...: compiles work.c by it, and traces that.
traced() {
	"$@" -o work work.c && run --symbols=none -k -e process,mem ./work
}

# text [OPTION...]: the event of a size and its stack, without what is in front of
# its place.
text() {
	size=$1
	shift
	"$PTRACE_DUMP" "$@" "$T/log" | sed -n "/malloc($size)/,/^    *_start/p" |
		sed -e '1s/.* at /at /' -e '/^ .*libc/,$d' -e 's/^  *//' |
		tr '\n' ';'
}

chain='parse (work.c:7);allocate (work.c:15);run (work.c:29);main (work.c:36);'

for how in "gcc -g -O2" "gcc -g -O0" "gcc -gdwarf-4 -O2" "clang -g -O2" \
	"clang -gdwarf-4 -O1"; do
	command -v "${how%% *}" >/dev/null || {
		skip "$how" "it is not there" 3
		continue
	}
	# shellcheck disable=SC2086 # words
	traced $how
	is "$(text 1000)" "at parse (work.c:7);$chain" "$how: two, one in the other"
	is "$(text 20)" "at run (work.c:30);run (work.c:30);main (work.c:36);" \
		"$how: what is artificial stands for its call"
	is "$(text 30)" "at main (work.c:37);main (work.c:37);" \
		"$how: what is not inlined"
done

# Each format.
traced gcc -g -O2
like "$(text 1000 -v)" "^at parse in run\+0x[0-9a-f]+ \(work\) \
\(.*/work\.c:7\);parse \(.*/work\.c:7\);allocate \(.*/work\.c:15\);\
run\+0x[0-9a-f]+ \(work\) \(.*/work\.c:29\);" "text with -v"
"$PTRACE_DUMP" -f json log | grep '"size":1000' >event.json
like "$(cat event.json)" \
	'"sym":"run\+0x[0-9a-f]+ \(work\)","module":"work","src":"work\.c:7"' \
	"json: symbol and line of the address"
like "$(cat event.json)" '"src":"work\.c:7","inlined":\[\{"function":"parse",'\
'"call":"work\.c:15"\},\{"function":"allocate","call":"work\.c:29"\}\],"trunc"' \
	"... what is inlined, and where that is called"
is "$(python3 -c 'import json
e = json.load(open("event.json"))
print(e["stack_inlined"][0] == e["inlined"], any(e["stack_inlined"][1:2]),
      len(e["stack"]) == len(e["stack_inlined"]))')" \
	"True False True" "... in its stack"
is "$(python3 -c 'import json
e = json.load(open("event.json"))
print([s.split("+")[0] for s in e["stack"][:2]], e["stack_src"][:2],
      len(e["stack"]) == len(e["stack_src"]))')" \
	"['run', 'main'] ['work.c:7', 'work.c:36'] True" \
	"... one string an address in its stack"
like "$("$PTRACE_DUMP" -f folded log)" \
	';main;run;allocate;parse;mem:malloc 1$' "folded"
like "$("$PTRACE_DUMP" -f raw log)" '@ run\+0x[0-9a-f]+ \(work\)$' \
	"raw: symbols"
"$PTRACE_DUMP" -f perfetto -o log.perfetto log
is "$(grep -ao allocate log.perfetto | sort -u)" allocate "perfetto"
report --memory >page
like "$(cat page)" ' work +parse \(work\.c:7\)$' "report --memory"
is "$(sed -n '/ parse (/,$s/^ *<- //p' page | head -n 3 | tr '\n' ';')" \
	"${chain#*;}" "... and where from"
like "$(report --json --memory)" \
	'"stack":\["parse \(work\.c:7\)","allocate \(work\.c:15\)","run ' \
	"... --json"
report --flame flame.svg
like "$(cat flame.svg)" '[> "]parse \(work\)' "report --flame"
report --html page.html
if command -v node >/dev/null; then
	like "$(node "$abs_top_srcdir/t/lib/page.js" --find page.html 1000)" \
		'at parse \(work\.c:7\)  ← allocate \(work\.c:15\)  ← run' \
		"report --html"
else
	skip "report --html" "no node"
fi

# Without stacks.
run --symbols=none -e process,mem ./work
report --memory >page
like "$(cat page)" ' work +parse \(work\.c:7\)$' "a place alone"
is "$(grep -c allocate page)" 0 "... has no callers"

# No debug information.
traced gcc -O2
is "$(text 1000)" "at run (work);run (work);main (work);" "no debug information"
is "$("$PTRACE_DUMP" -f json -n mem:malloc -w 'size == 1000' log |
	grep -c '"inlined')" 0 "... json"
like "$("$PTRACE_DUMP" -f folded log)" ';main;run;mem:malloc 2$' "... folded"

# C++
cat >work.cc <<'END'
#include <stdlib.h>
namespace box
{
static void *volatile kept;
inline __attribute__((always_inline)) void *parse(int size)
{
	void *block = malloc(size);

	__asm__ volatile("" : : "r"(block));
	return block;
}
void fill()
{
	kept = parse(1000);
	__asm__ volatile("");
}
}
int main()
{
	box::fill();
	__asm__ volatile("");
}
END
if command -v g++ >/dev/null && g++ -g -O2 -fno-inline -o work work.cc; then
	run --symbols=none -k -e process,mem ./work
	is "$(text 1000)" "at box::parse(int) (work.cc:7);box::parse(int) \
(work.cc:7);box::fill() (work.cc:14);main (work.cc:20);" "C++, in a namespace"
else
	skip "C++" "no g++"
fi

# A lambda is nothing artificial, though gcc says so; a function in another one.
cat >work.cc <<'END'
#include <stdlib.h>
static void *volatile kept;
template <class F> __attribute__((noinline)) void apply(F f)
{
	f();
	__asm__ volatile("");
}
int main()
{
	struct Local {
		__attribute__((noinline)) static void fill()
		{
			[] {
				kept = malloc(20);
				__asm__ volatile("");
			}();
		}
	};
	apply([] {
		kept = malloc(1000);
		__asm__ volatile("");
	});
	Local::fill();
	__asm__ volatile("");
}
END
if command -v g++ >/dev/null && g++ -g -O2 -o work work.cc; then
	run --symbols=none -k -e process,mem ./work
	like "$(text 1000)" "^at operator\(\) \(work.cc:20\);operator\(\) \
\(work.cc:20\);.*apply<.* \(work.cc:5\);main \(work.cc:19\);\$" "C++: a lambda"
	like "$(text 20)" "^at operator\(\) \(work.cc:14\);operator\(\) \
\(work.cc:14\);main::Local::fill\(\) \(work.cc:16\);main \(work.cc:23\);\$" \
		"... in a function of a class in a function"
else
	skip "C++: lambdas" "no g++" 2
fi
cat >nested.c <<'END'
#include <stdlib.h>
#define INLINED static inline __attribute__((always_inline))
static void *volatile kept;
INLINED void *parse(size_t size) { return kept = malloc(size); }
__attribute__((noinline)) static void outer(size_t size)
{
	__attribute__((noinline)) void nested(void) { parse(size + 1); }
	nested();
	__asm__ volatile("");
}
int main(void) { outer(999); return 0; }
END
if gcc -g -O2 -o work nested.c; then
	run --symbols=none -k -e process,mem ./work
	like "$(text 1000)" "^at parse \(nested.c:4\);parse \(nested.c:4\);nested.* \
\(nested.c:7\);outer.* \(nested.c:8\);" "C: a function in another one"
else
	skip "C: a function in another one" "not with this compiler"
fi

# Where a thread begins it has not called what is inlined there.
cat >start.c <<'END'
#include <pthread.h>
#include <stdlib.h>
static inline __attribute__((always_inline)) void *parse(void)
{
	return malloc(1000);
}
static void *start(void *unused) { (void)unused; return parse(); }
int main(void)
{
	pthread_t thread;

	pthread_create(&thread, NULL, start, NULL);
	return pthread_join(thread, NULL);
}
END
gcc -g -O2 -pthread -o work start.c
run --symbols=none -k -e thread ./work
is "$("$PTRACE_DUMP" log | grep -A 1 'thread starts' |
	sed -n '2s/^ *//p')" "start (start.c:7)" "a thread begins in no inlined function"

# A file that is damaged where its debug information says what is inlined.
gcc -g -O2 -o whole work.c

# entries ATTRIBUTE: where it is in .debug_info, one a line, by gcc 4 bytes each.
entries() {
	objdump --dwarf=info whole | sed -n \
		"s/^ *<\([0-9a-f]*\)> *$1 *: *.*/\1/p"
}

# patch SECTION PYTHON: the bytes of a section, changed, in work.
patch() {
	objcopy -O binary --only-section="$1" --set-section-flags \
		"$1=alloc" whole part
	python3 -c "
import random, sys
b = bytearray(open('part', 'rb').read())
$2
open('part', 'wb').write(b)" && objcopy --update-section "$1=part" whole work
}

# Do all tools end well, and show the event with some place?
is_shown() {
	"$PTRACE_DUMP" log >out 2>err && "$PTRACE_DUMP" -f folded log >/dev/null &&
		report --memory >/dev/null &&
		grep -q 'malloc(1000).* at ' out
}

# Its symbols and code stay what they are.
cp whole work
run --symbols=none -k -e process,mem ./work
at="[$(entries DW_AT_abstract_origin | sed 's/.*/0x&,/' | tr -d '\n')]"
patch .debug_info "for i in $at: b[i:i + 4] = (i - 1).to_bytes(4, 'little')"
is "$(text 1000)" "at run (work.c:7);run (work.c:7);main (work.c:36);" \
	"what is inlined has no name"
at="[$(entries DW_AT_sibling | sed 's/.*/0x&,/' | tr -d '\n')]"
patch .debug_info "for i in $at: b[i:i + 4] = (12).to_bytes(4, 'little')"
is_shown
ok $? "entries in a circle"
ranges=.debug_rnglists
readelf -SW whole | grep -q $ranges || ranges=.debug_ranges
patch $ranges 'b = b"\xff" * len(b)'
is_shown
ok $? "ranges of ones"
patch .debug_abbrev 'b = random.Random(1).randbytes(len(b))'
is_shown
ok $? "abbreviations of noise"
for i in 1 2 3 4 5 6 7 8; do
	patch .debug_info "r = random.Random($i)
for i in range(40): b[r.randrange(12, len(b))] = r.choice([0, 1, 9, 127, 255])"
	is_shown || diag "$i: $(cat err)"
done >damaged
is "$(cat damaged)" "" "bytes changed anywhere"

# Nested deeper than anything is.
{
	echo '#include <stdlib.h>'
	echo '#define INLINED static inline __attribute__((always_inline))'
	echo 'void *volatile kept;'
	echo 'INLINED void f0(void) { kept = malloc(1000); }'
	for i in $(seq 1 300); do
		echo "INLINED void f$i(void) { f$((i - 1))(); __asm__(\"\"); }"
	done
	echo 'int main(void) { f300(); return 0; }'
} >work.c
traced gcc -g -O2
text 1000 | tr ';' '\n' >deep
is "$(tail -n 1 deep) $(grep -c 'f[0-9]* (work.c' deep)" \
	"main (work.c:305) 101" "no more than a hundred functions in a frame"
