#!/bin/sh
# SPDX-License-Identifier: MIT
# Damaged and hostile programs and libraries: no crash, and the others have
# their names.  FUZZ=COUNT SEED=NUMBER for more of them.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/symbols.sh"
need python3 strip objcopy
plan 7

cat >calls.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int call(const char *);
int call(const char *s)
{
	return puts(s) + atoi(s);
}
END
build full.so calls.c -shared -fPIC -g -Wl,-z,lazy
cp full.so linked.so
objcopy --only-keep-debug full.so full.debug
strip linked.so
objcopy --add-gnu-debuglink=full.debug linked.so

cat >damage.py <<'END'
import os, random, struct, sys
name, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
random.seed(seed)
whole = open(name, "rb").read()
wild = [0, 1, 2, 7, 8, 0xff, 0xfff1, 0xffff, 0x7fffffff, 0x80000000,
        0xffffffff, 1 << 32, (1 << 63) - 1, 1 << 63, (1 << 64) - 1,
        len(whole), len(whole) - 1, len(whole) + 1]
shoff, shentsize, shnum = (struct.unpack_from("<Q", whole, 40)[0],
                           *struct.unpack_from("<HH", whole, 58))
phoff, phentsize, phnum = (struct.unpack_from("<Q", whole, 32)[0],
                           *struct.unpack_from("<HH", whole, 54))
# Offsets and sizes of the fields of an ELF header, a segment, a section.
head = [(16, 2), (18, 2), (32, 8), (40, 8), (52, 2), (54, 2), (56, 2),
        (58, 2), (60, 2), (62, 2), (4, 1), (5, 1)]
segment = [(0, 4), (8, 8), (16, 8), (32, 8), (40, 8), (48, 8)]
section = [(0, 4), (4, 4), (8, 8), (16, 8), (24, 8), (32, 8), (40, 4),
           (44, 4), (48, 8), (56, 8)]
def put(b, at, size, value):
    b[at:at + size] = (value % (1 << 8 * size)).to_bytes(size, "little")
def one(b):
    kind = random.randrange(6)
    value = random.choice(wild + [random.getrandbits(64), random.getrandbits(16)])
    if kind == 0:
        put(b, *random.choice(head), value)
    elif kind == 1:
        at, size = random.choice(segment)
        put(b, phoff + phentsize * random.randrange(phnum) + at, size, value)
    elif kind <= 3:
        at, size = random.choice(section)
        put(b, shoff + shentsize * random.randrange(shnum) + at, size, value)
    else:       # anything inside a section
        at = shoff + shentsize * random.randrange(shnum)
        offset, size = struct.unpack_from("<QQ", whole, at + 24)
        if size > 0 and offset + size <= len(whole):
            for _ in range(random.choice([1, 1, 8])):
                b[offset + random.randrange(size)] = random.getrandbits(8)
for i in range(count):
    b = bytearray(whole)
    for _ in range(random.choice([1, 1, 2, 5])):
        one(b)
    if i % 10 == 9:
        del b[random.randrange(len(b)):]
    with open("damaged/%d-%s" % (i, name), "wb") as f:
        f.write(b[:len(whole) + 4096])
END

# A log that knows each of the files, and asks for names all over them.
make_log() {
	id=$(id_of full.so)
	i=0
	for file; do
		i=$((i + 1))
		base=$(printf '0x7f%05x00000' $i)
		echo "$((10 * i)) 10 10 0 32 0 x:$base x:0x5000 s:$file b:$id"
		for at in 4097 4129 4161 4400 4413 8193; do
			echo "$((10 * i + 1)) 10 10 0 25 $((base + at))"
		done
		echo "$((10 * i + 2)) 10 10 0 241 0 x:$((base + 4400))"
	done | "$VICTIMS/victim-mklog" log
}
count=${FUZZ:-200}
seed=${SEED:-1}
mkdir damaged
# damaged NAME FILE
damaged() {
	python3 damage.py "$2" "$count" "$seed"
	make_log damaged/*-"$2" "$2"
	is "$(status dump -v)" 0 "$1: no crash"
	is "$(grep -c ' 10/10 ' out)" $((8 * (count + 1))) "... and all events"
}
call=$(($(address_of full.so call) + 1))
damaged "damaged" full.so
like "$(tail -n 8 out)" ' @ .*@plt\+0x[0-9a-f]+ \(full.so\)' \
	"... and a good one has its names"
cp full.debug damaged
damaged "damaged, with a debug file" linked.so
python3 damage.py full.debug "$count" "$seed"
i=0
mkdir -p root/.build-id root/usr/lib/debug/.build-id/ab
crashed=0
for file in damaged/*-full.debug; do
	cp "$file" "root/usr/lib/debug/.build-id/ab/$(id_of full.so |
		cut -c 3-).debug"
	{
		map 1 $BASE linked.so
		echo "2 10 10 0 25 $((BASE + call))"
	} | "$VICTIMS/victim-mklog" log
	i=$((i + 1))
	[ "$(status dump --symfs root)" = 0 ] || crashed=$((crashed + 1))
	[ $i -lt 40 ] || break
done
is "$crashed" 0 "damaged debug files: no crash"
printf '\177ELF' >damaged/short
head -c 64 full.so >damaged/head
: >damaged/empty
head -c 1000000 /dev/zero >damaged/zero
mkfifo damaged/pipe
make_log damaged/short damaged/head damaged/empty damaged/zero damaged/pipe
is "$(status dump)" 0 "hardly files at all"
