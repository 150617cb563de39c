#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-dump's text: of calls of libc that ptrace-run -a has recorded, flags and
# the like by their names.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need cc
plan 8

cat >victim.c <<'END'
#define _GNU_SOURCE
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>
int main(void)
{
	int fd;

	umask(027);
	fd = open("made", O_CREAT | O_WRONLY | O_APPEND, 0600);
	lseek(fd, 3, SEEK_END);
	accept4(fd, NULL, NULL, SOCK_CLOEXEC);
	mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
	     -1, 0);
	openat(AT_FDCWD, "none", O_RDONLY);
	access("made", R_OK | W_OK);
	unlinkat(AT_FDCWD, "made", 0);
	return 0;
}
END
cc -O1 -o victim victim.c || exit
"$PTRACE_RUN" -q -a -r '*' -e process -o log ./victim
"$PTRACE_DUMP" log >text

# has PATTERN WHAT
has() {
	grep -q -F -e "$1" text
	ok $? "$2"
}

has 'umask(0027) = ' 'a mode'
has 'open("made", O_WRONLY|O_CREAT|O_APPEND, ' 'flags of open'
has 'lseek(3, 3, SEEK_END) = 3' 'whence'
has 'accept4(3, NULL, NULL, SOCK_CLOEXEC) = ' 'the first of the table'
has 'PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0)' 'a mapping'
has 'openat(AT_FDCWD, "none", O_RDONLY' 'a directory that is none'
has 'access("made", ' 'access'
has 'unlinkat(AT_FDCWD, "made", ' 'the last of the table'
