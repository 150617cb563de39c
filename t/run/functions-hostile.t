#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --functions-list: a file that lies about itself, in any way, is
# looked at or refused: nothing crashes, and it ends.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" python3
plan 10

cat >victim.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void clean(int *n);
void clean(int *n)
{
	printf("%d\n", *n);
}
int choose(int n)
{
	int kept __attribute__((cleanup(clean))) = n;

	switch (n) {
	case 0: return rand();
	case 1: return puts("one");
	case 2: puts("two"); return 1;
	case 3: puts("three"); return 2;
	case 4: puts("four"); return abs(rand());
	default: return kept;
	}
}
int main(int argc, char **argv)
{
	return argv[0] != NULL && choose(argc);
}
END
$CC -O2 -fexceptions -o victim victim.c
$CC -O2 -fexceptions -no-pie -o fixed victim.c 2>/dev/null || cp victim fixed

cat >lie.py <<'END'
"""lie.py HOW FROM TO: the file with a lie; of a number that many, TO0, ..."""
import random, struct, sys
how, source, to = sys.argv[1:]
data = bytearray(open(source, 'rb').read())
headers, = struct.unpack_from('<Q', data, 40)
nr, names = struct.unpack_from('<HH', data, 60)
strings, = struct.unpack_from('<Q', data, headers + 64 * names + 24)

def section(name):
    for i in range(nr):
        at = headers + 64 * i
        begin = strings + struct.unpack_from('<I', data, at)[0]
        if data[begin:data.index(0, begin)].decode() == name:
            return at
    sys.exit(1)

def put(at, value):
    struct.pack_into('<Q', data, at, value)

text, frames = section('.text'), section('.eh_frame')
place, = struct.unpack_from('<Q', data, frames + 24)
if how == 'none':
    put(40, 0)
    struct.pack_into('<HH', data, 60, 0, 0)
elif how == 'far':
    put(text + 16, 2**64 - 16)
elif how == 'overlap':
    put(text + 16, struct.unpack_from('<Q', data, section('.rodata') + 16)[0])
elif how == 'large':
    put(text + 32, 2**62)
elif how == 'cut':
    data = data[:len(data) // 3]
elif how == 'endless':
    struct.pack_into('<I', data, place, 0xfffffff0)
elif how == 'frames':
    size, = struct.unpack_from('<Q', data, frames + 32)
    data[place:place + size] = b'\xff' * size
elif how == 'symbols':
    table = section('.symtab')
    begin, size = struct.unpack_from('<QQ', data, table + 24)
    for at in range(begin, begin + size, 24):
        put(at + 16, 2**64 - 1)
else:
    whole = bytes(data)
for seed in range(int(how) if how.isdigit() else 0):
    data, chance = bytearray(whole), random.Random(seed)
    for _ in range(chance.choice((1, 4, 16, 64))):
        if chance.random() < .5:
            at = headers + chance.randrange(64 * nr)
        else:
            at = chance.randrange(len(data))
        data[at] = chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))
    open('%s%d' % (to, seed), 'wb').write(data)
open(to, 'wb').write(data)
END

# look FILE: sets $status; what is said is in `out' and `err'.
look() {
	timeout 60 "$PTRACE_RUN" --functions-list -v -f '*' "$1" >out 2>err
	status=$?
}

# lie HOW FROM: the same for ./liar, which it makes.
lie() {
	python3 lie.py "$1" "$2" liar
	look ./liar
}

lie none ./victim
is "$status $(cat err)" "126 ptrace-run: ./liar: no section headers: its code \
cannot be found" "no section headers"
lie far ./victim
is "$status $(cat err)" "126 ptrace-run: ./liar: a section is beyond all \
addresses" "code at the end of all addresses"
lie overlap ./victim
is "$status $(cat err)" "126 ptrace-run: ./liar: its sections overlap" \
	"code that is data, too"
lie large ./victim
is "$status $(cat err)" "126 ptrace-run: ./liar: its sections have more bytes \
than the file" "more code than there is"
lie cut ./victim
is "$status" 126 "the end is cut off"
for how in endless frames; do
	lie "$how" ./victim
	like "$status $(grep main out)" \
		"^0 .*main: refused: no unwind information" \
		"unwind information is not: $how"
done
lie symbols ./victim
is "$status" 0 "each symbol is all that there is"

for file in victim fixed; do
	bad=
	python3 lie.py 40 ./$file liar
	for seed in $(seq 0 39); do
		look "./liar$seed"
		case $status in
		0 | 125 | 126) ;;
		*) bad="$bad $seed:$status" ;;
		esac
	done
	is "$bad" "" "$file, with bytes at random"
done
