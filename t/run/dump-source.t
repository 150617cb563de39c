#!/bin/sh
# SPDX-License-Identifier: MIT
# Addresses get the lines of source code that they were made of, from debug
# information in the file or split off it; never from another file, and nothing
# if it is damaged.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/symbols.sh"
grep -q 'define HAVE_LIBDW 1' "$abs_top_builddir/config.h" ||
	skip_all "built without libdw"
need objcopy strip python3
plan 49

mkdir src
cat >src/one.c <<'END'
#include "inline.h"
int one(int number);
int one(int number)
{
	sink(number);
	wrapped(number);
	return inlined(number) + 1;
}
END
cat >src/inline.h <<'END'
extern void sink(int number);

static inline __attribute__((always_inline)) int inlined(int number)
{
	sink(number + 1);
	return number;
}
END
cat >>src/inline.h <<'END'

static inline __attribute__((always_inline, artificial)) void wrapped(int n)
{
	inlined(n + 2);
}
END
cat >src/two.c <<'END'
#include "inline.h"

int two(int number);
int two(int number)
{
	sink(2 * number);
	return 2;
}
void sink(int number)
{
	__asm__ volatile("" : : "r"(number));
}
END

# behind LIBRARY: where each of the four calls of sink() returns to.
behind() {
	objdump -d --no-show-raw-insn "$1" | awk '
		calls && $1 ~ /:$/ { print "0x" substr($1, 1, length($1) - 1) }
		{ calls = /\t(call|callq|bl)[ \t].*<sink/ }' | head -n 4
}

# lines LIBRARY ADDRESS...: the lines of events recorded there.
lines() {
	name_at "$@" >/dev/null
	"$PTRACE_DUMP" -f json -n thread:exit ${options:+$options} at.log \
		2>err | python3 -c 'import json, sys
print(*[json.loads(line).get("src", "-") for line in sys.stdin])'
}

# same WHAT LIBRARY: has it all its lines?
all="one.c:5 one.c:6 inline.h:5 two.c:6"
same() {
	# shellcheck disable=SC2046 # words
	is "$(lines "$2" $(behind "${3-$2}"))" "$all" "$1"
}

build lib.so src/one.c src/two.c -g -O1 -fno-inline -shared -fPIC \
	-fno-optimize-sibling-calls
ok $? "a library" || exit
is "$(behind lib.so | wc -l)" 4 "its calls are found" || exit
same "in the file; its own line of what is inlined, if that does not \
stand for its call" lib.so
is "$(cat err)" "" "nothing to say"
# shellcheck disable=SC2046 # words
set -- $(behind lib.so)
is "$(lines lib.so 0x10)" "-" "no code: no line"
is "$(lines lib.so 0xfffff)" "-" "behind it"

# All that shows it.
{
	map 1000 $BASE lib.so
	echo "2000 10 10 0 25 $((BASE + $3))"
} | "$VICTIMS/victim-mklog" at.log
like "$("$PTRACE_DUMP" -n thread:exit at.log)" 'at inlined \(inline\.h:5\)$' \
	"text: function and line"
like "$("$PTRACE_DUMP" -v -n thread:exit at.log)" \
	'at inlined in one\+0x[0-9a-f]+ \(lib\.so\) \(.*src/inline\.h:5\)$' \
	"text with -v: all of it"
is "$(options=--no-symbols; lines lib.so "$@")" "- - - -" "--no-symbols"

# Other compilations.
for how in -gdwarf-4 -gdwarf-5 -gsplit-dwarf -gz; do
	if ! build other.so src/one.c src/two.c -g $how -O1 -fno-inline \
		-shared -fPIC -fno-optimize-sibling-calls; then
		skip "$how" "the compiler does not know it"
		continue
	fi
	case $how in
	-gsplit-dwarf)
		rm -f ./*.dwo
		# shellcheck disable=SC2046 # words
		is "$(lines other.so $(behind other.so))" \
			"one.c:5 inline.h:5 inline.h:5 two.c:6" \
			"$how: lines, even if the rest is gone"
		;;
	*) same "$how" other.so ;;
	esac
done
objcopy --remove-section=.debug_aranges lib.so other.so
same "without a table of addresses, as clang's" other.so
for how in zlib zlib-gnu zstd; do
	if [ $how = zstd ] &&
		! grep -q 'define HAVE_ZSTD 1' "$abs_top_builddir/config.h"; then
		skip "packed by zstd" "built without libzstd"
	elif objcopy --compress-debug-sections=$how lib.so other.so; then
		same "packed by $how" other.so
	else
		skip "packed by $how" "objcopy does not know it"
	fi
done
objcopy --remove-section=.debug_line lib.so other.so
is "$(lines other.so "$@")" "- - - -" "without lines"

# claims HOW: a section of lib.so packed by HOW that claims to be 2^40 bytes.
claims() {
	objcopy --compress-debug-sections="$1" lib.so other.so &&
		python3 - "$1" <<-'END'
			import re, struct, sys
			data = bytearray(open('other.so', 'rb').read())
			if sys.argv[1] == 'zlib-gnu':
			    at = [m.start() + 4 for m in re.finditer(b'ZLIB', data)]
			    size = struct.pack('>Q', 1 << 40)
			else:
			    head = struct.pack('<II', 1, 0)
			    at = [m.start() + 8 for m in re.finditer(re.escape(head), data)
			          if data[m.start() + 24:m.start() + 25] == b'x']
			    size = struct.pack('<Q', 1 << 40)
			for i in at:
			    data[i:i + 8] = size
			open('other.so', 'wb').write(data)
			sys.exit(not at)
		END
}
for how in zlib zlib-gnu; do
	if claims $how; then
		is "$(lines other.so "$@")" "- - - -" "$how that claims too much"
	else
		skip "$how that claims too much" "objcopy does not pack so"
	fi
done

# Split off.
cp lib.so full.so
objcopy --only-keep-debug lib.so lib.debug
strip -g lib.so
is "$(lines lib.so "$@")" "- - - -" "stripped"
like "$("$PTRACE_DUMP" -n thread:exit at.log)" 'at one \(lib\.so\)$' \
	"text: the module then"
id=$(id_of lib.so)
options="--symfs $T/root"
debug=root/usr/lib/debug/.build-id/$(echo "$id" | cut -c 1-2)
mkdir -p "$debug"
debug=$debug/$(echo "$id" | cut -c 3-).debug
cp lib.debug "$debug"
cp lib.so root
same "split off, by build id" lib.so full.so
build different.so src/two.c src/one.c -g -O1 -fno-inline -shared -fPIC
cp different.so "$debug"
is "$(lines lib.so "$@")" "- - - -" "... not that of another build"
options=
strip lib.so
objcopy --add-gnu-debuglink=lib.debug lib.so
same "by debug link" lib.so full.so
printf x >>lib.debug
is "$(lines lib.so "$@")" "- - - -" "... not if its check is wrong"
rm lib.debug
cp full.so lib.so
lines lib.so "$@" >/dev/null
cp different.so lib.so
"$PTRACE_DUMP" -f json -n thread:exit at.log >out 2>err
is "$? $(grep -c '"src"' out)" "0 0" "another file of that name"

# damaged NAME COMMAND...: what is damaged gives a line or none, and no more.
damaged() {
	what=$1
	shift
	if ! "$@"; then
		fail "$what: it can be made"
		return
	fi
	# shellcheck disable=SC2086 # words
	name_at lib.so $places >/dev/null
	"$PTRACE_DUMP" -f json -n thread:exit at.log >out 2>err
	is "$? $(wc -l <out)" "0 4" "$what"
}
places=$(behind full.so)

# patch SECTION PYTHON: the bytes of a section, changed in lib.so.
patch() {
	objcopy -O binary --only-section="$1" --set-section-flags \
		"$1=alloc" full.so part
	python3 -c "
import random, sys
b = bytearray(open('part', 'rb').read())
$2
open('part', 'wb').write(b)" && objcopy --update-section "$1=part" full.so lib.so
}
for section in info abbrev line line_str str; do
	damaged "$section cut" patch .debug_$section 'b = b[:len(b) // 2]'
	damaged "$section of ones" patch .debug_$section \
		'b = b"\xff" * len(b)'
	damaged "$section of zeroes" patch .debug_$section 'b = bytes(len(b))'
	damaged "$section of noise" patch .debug_$section \
		'b = random.Random(1).randbytes(len(b))'
done
# Any byte of all of it.
objcopy -O binary --only-section=.debug_info --set-section-flags \
	.debug_info=alloc full.so part
python3 - <<'END'
import os, random
whole = open("full.so", "rb").read()
first = whole.index(open("part", "rb").read())
for i in range(60):
    r = random.Random(i)
    b = bytearray(whole)
    for _ in range(20):
        b[r.randrange(first, len(b))] = r.choice([0, 1, 0x7f, 0x80, 0xff])
    os.makedirs("changed/%d" % i)
    open("changed/%d/full.so" % i, "wb").write(b)
END
# shellcheck disable=SC2086 # words
name_at full.so $places >/dev/null
for dir in changed/*; do
	"$PTRACE_DUMP" -f json -n thread:exit --symfs "$dir" at.log >out 2>err
	[ "$? $(wc -l <out)" = "0 4" ] || diag "$dir"
	grep -o '"src"' out
done >found
is "$(grep '^#' found)" "" "bytes changed anywhere"
[ "$(grep -c src found)" -gt 20 ]
ok $? "... not all of them matter"
