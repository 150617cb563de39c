#!/bin/sh
# SPDX-License-Identifier: MIT
# What calls point to is what strace -v says of the same run: of a program that
# makes all such calls, and of programs that people use.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/strace.sh"
plan 30

verbose=-v
compare values 60 "$abs_top_builddir/t/run/victim-values" values
program=git compare git 30 sh -c 'git init -q . && git status && git add a.c'
compare bash 20 bash -c 'test -d / && cat a.c | wc -l; exec 2>/dev/null; cd /none'
compare make 20 make
python=$(python_itself)
compare python3 50 "$python" -S -c 'import os, select, socket, subprocess
a, b = socket.socketpair()
a.settimeout(1)
b.send(b"x")
select.select([a], [b], [], 1)
p = select.poll()
p.register(a)
p.poll(10)
a.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF)
os.readlink("/proc/self/exe")
subprocess.run(["true"], capture_output=True)'
compare curl 10 curl -s --max-time 5 http://127.0.0.1:1/
program="perl" compare perl 20 perl -e 'open F, "<Makefile" or die; print <F>;
opendir D, "." or die; print readdir D; -t STDIN; stat "a.c"; lstat "none";
utime 1, 2, "a.c" or die; chmod 0600, "a.c"; rename "a.c", "b.c"; system("true")'
program="cp" compare coreutils 20 sh -c 'cp -a Makefile m && touch -d @1.5 m &&
touch -a m && install -m 755 m n && ln -s m l && touch -h l && rm l'
program="gpg" compare gpg 20 gpg --homedir . --batch --list-keys
program="ls" compare ls 10 sh -c 'mkdir -p a/b && touch a/b/c && ls -laR . && find a | sort'
