#!/bin/sh
# SPDX-License-Identifier: MIT
# make -j2 of a project in C: each compiler, assembler and linker is there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
need make gcc
plan 4

i=0
while [ $i -lt 20 ]; do
	i=$((i + 1))
	echo "int part$i(void) { return $i; }" >part$i.c
done
{
	seq -f 'int part%.0f(void);' 20
	echo 'int main(void) { return 0'
	seq -f '+ part%.0f()' 20
	echo '- 210; }'
} >main.c
cat >Makefile <<'END'
program: main.o $(patsubst %.c,%.o,$(wildcard part*.c))
	gcc -o $@ $^
	./$@ && echo works
%.o: %.c
	gcc -c -o $@ $<
END
prepare() {
	rm -f ./*.o program
}
tree "make -j2" make -j2
like "$(cat out)" '^works$' "it was made"
is "$(grep -c 'argv":\["[^"]*/cc1' json)" 21 "each cc1"
is "$(grep -c '"process:start".*"./program"' json)" 1 "the program itself"
