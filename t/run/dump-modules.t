#!/bin/sh
# SPDX-License-Identifier: MIT
# What is mapped where changes: each event has the names of its own time and
# process.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/symbols.sh"
plan 13

for name in one two; do
	{
		printf '.text\n.globl %s\n.type %s,%%function\n' $name $name
		printf '%s:.space 64\n.size %s,64\n' $name $name
		printf '.section .note.GNU-stack,"",%%progbits\n'
	} >$name.s
	build $name.so $name.s -shared -nostdlib
done
f=$(address_of one.so one)
is "$(address_of two.so two)" "$f" "two libraries of one layout" || exit
here=$((BASE + f + 8))
there=$((BASE + 0x80000 + f + 8))

# unmap TIME BASE, at TIME ADDRESS [PID [IMAGE]]
unmap() {
	echo "$1 10 10 0 33 0 x:$2 x:0x100000 s:x"
}
at() {
	echo "$1 ${3-10} ${3-10} ${4-0} 25 $2"
}
# The names of what is recorded with at, from lines of events.
found() {
	"$VICTIMS/victim-mklog" log
	dump -n thread:exit | sed 's/.* @ //; s/+.*//' | tr '\n' ' '
}

is "$(found <<-END
	$(at 1 $here)
	$(map 2 $BASE one.so)
	$(at 3 $here)
	$(unmap 4 $BASE)
	$(at 5 $here)
	$(map 6 $BASE two.so)
	$(at 7 $here)
END
)" "$(printf '0x%x one 0x%x two ' $here $here)" "mapped, unmapped, reused"
is "$(found <<-END
	$(map 1 $BASE one.so)
	$(map 2 $((BASE + 0x80000)) two.so)
	$(at 3 $here)
	$(at 4 $there)
	$(map 5 $BASE one.so)
	$(at 6 $here)
	$(at 7 $there)
END
)" "$(printf '0x%x two one  ' $here)" \
	"what overlaps has taken the place"
is "$(found <<-END
	$(map 1 $BASE one.so)
	2 10 10 0 17 0 i:11
	$(at 3 $here 11)
	$(unmap 4 $BASE)
	$(at 5 $here 11)
	$(at 6 $here)
	$(map 7 $BASE two.so 11)
	$(at 8 $here 11)
END
)" "$(printf 'one one 0x%x two ' $here)" "a child has its own map"
is "$(found <<-END
	$(map 1 $BASE one.so)
	2 10 10 1 16 0 i:1 s:x
	$(at 3 $here 10 1)
	$(at 4 $here 10 0)
END
)" "$(printf '0x%x one ' $here)" "a program that is executed begins anew"
is "$(found <<-END
	$(map 1 $BASE one.so)
	2 10 10 0 20 0 i:0
	3 10 10 0 16 0 i:1 s:x
	$(at 4 $here)
END
)" "$(printf '0x%x ' $here)" "so does a process with a number used before"
is "$(found <<-END
	$(map 1 $BASE one.so)
	$(unmap 2 $((BASE + 0x1000)))
	$(unmap 3 0)
	4 10 10 0 33 0
	5 10 10 0 33 0 x:$BASE
	6 11 11 0 33 0 x:$BASE x:0x100000
	$(at 7 $here)
END
)" "$(printf '0x%x ' $here)" "a range in it that goes takes it away"
is "$(found <<-END
	$(map 1 $BASE one.so)
	$(unmap 3 0)
	4 10 10 0 33 0
	5 10 10 0 33 0 x:$BASE
	6 11 11 0 33 0 x:$BASE x:0x100000
	$(at 7 $here)
END
)" "one " "damaged, or of other processes: nothing happens"
is "$(found <<-END
	$(map 1 $BASE one.so)
	2 10 10 0 32 0 x:0xfffffffffffff000 x:0x2000 s:two.so b:$(id_of two.so)
	3 10 10 0 32 0 x:$BASE x:0 s:two.so b:$(id_of two.so)
	4 10 10 0 32 0 x:$BASE
	5 10 10 0 32 0
	6 10 10 0 17 0
	$(at 7 $here)
	$(at 8 0xfffffffffff0)
	$(at 9 1)
END
)" "one 0xfffffffffff0 0x1 " "maps that make no sense: nothing happens"
is "$(found <<-END
	$(map 1 $BASE one.so)
	2 10 10 0 32 0 x:$BASE x:0x100000 s:two.so
	$(at 3 $here)
END
)" "$(printf '0x%x ' $here)" "no build id in the log: nobody knows the file"
is "$(found <<-END
	1 10 10 0 32 0 x:$BASE x:0x100000 s:/dev/zero b:$(id_of one.so)
	$(at 2 $here)
	3 10 10 0 32 0 x:$BASE x:0x100000 s:$T b:$(id_of one.so)
	$(at 4 $here)
	5 10 10 0 32 0 x:$BASE x:0x100000 s: b:$(id_of one.so)
	$(at 6 $here)
END
)" "   " "no file: a device, a directory, nothing"

# Many: a process that loads a library ten thousand times, and many libraries.
awk -v id="$(id_of one.so)" -v f=$((f)) 'BEGIN {
	for (i = 1; i <= 10000; i++) {
		base = sprintf("0x7f%05d00000", i % 5000)
		print 3 * i, "10 10 0 32 0 x:" base " x:0x80000 s:one.so b:" id
		printf "%d 10 10 0 25 0x7f%05d%05x\n", 3 * i + 1, i % 5000, f + 1
		if (i % 3 == 0)
			print 3 * i + 2, "10 10 0 33 0 x:" base \
				" x:0x80000 s:one.so"
	}
}' | "$VICTIMS/victim-mklog" log
is "$(dump -n thread:exit | grep -c ' @ one+0x1 (one.so)$')" 10000 "many maps"
mkdir many
i=0
while [ $i -lt 500 ]; do
	ln one.so "many/$i.so"
	i=$((i + 1))
done
awk -v id="$(id_of one.so)" -v f=$((f)) 'BEGIN {
	for (i = 0; i < 500; i++) {
		printf "%d 10 10 0 32 0 x:0x7f%05d00000", 2 * i + 1, i
		print " x:0x80000 s:many/" i ".so b:" id
		printf "%d 10 10 0 25 0x7f%05d%05x\n", 2 * i + 2, i, f + 1
	}
}' | "$VICTIMS/victim-mklog" log
is "$(dump -n thread:exit | grep -c ' @ one+0x1 ([0-9]*.so)$')" 500 \
	"many files"
