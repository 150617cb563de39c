#!/bin/sh
# SPDX-License-Identifier: MIT
# With -a what write() and its like are given is shown as text: as much as it
# says, and not where it may not be read.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need gcc python3
plan 3

cat >bytes.c <<'EOF'
#define _GNU_SOURCE
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
	static char big[5000];
	char *edge = mmap(0, 8192, PROT_READ | PROT_WRITE,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int s[2];

	for (unsigned int i = 0; i < sizeof(big); i++)
		big[i] = "abcdefghij"[i % 10];
	strcpy(edge + 4092, "end");
	mprotect(edge + 4096, 4096, PROT_NONE);
	write(1, "hello\n", 6);
	write(-1, (void *)8, 10);
	write(-1, "", 0);
	write(-1, edge + 4092, 4);
	write(-1, edge + 4092, 5);
	write(-1, big, sizeof(big));
	socketpair(AF_UNIX, SOCK_STREAM, 0, s);
	send(s[0], "a\0b\x01", 4, 0);
	sendto(s[0], "12345678", 8, 0, 0, 0);
	pwrite(-1, "p", 1, 0);
	return 0;
}
EOF
gcc -w -O0 -U_FORTIFY_SOURCE -o bytes bytes.c
for how in -l -r; do
	run "$how" write "$how" 'send*' "$how" pwrite -a ./bytes >said
	"$PTRACE_DUMP" log | sed -n 's/.*\] *\(p*write\|send[to]*\)(/\1(/p' |
		sed 's/)  *at .*/)/; s/) =.*/)/; s/0x[0-9a-f]\{8,\}/ADDRESS/
			s/\(abcdefghij\)\{12\}/12-times-/' >calls
	is "$(cat calls)" 'write(1, "hello\n", 6)
write(-1, 0x8, 10)
write(-1, "", 0)
write(-1, "end\x00", 4)
write(-1, ADDRESS, 5)
write(-1, "12-times-abcdefgh"..., 5000)
send(3, "a\x00b\x01", 4, 0)
sendto(3, "12345678", 8, 0, NULL, 0)
pwrite(-1, "p", 1, 0)' "$how -a"
done
is "$(dump -f json -w 'name == "call:enter"' | python3 -c '
import json, sys
print([json.loads(line)["args"]["args"][1] for line in sys.stdin][:3])')" \
	"['hello\\n', '0x8', '']" "JSON"
