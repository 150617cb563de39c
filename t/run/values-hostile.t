#!/bin/sh
# SPDX-License-Identifier: MIT
# Pointers and sizes that are bad in all ways change nothing for a program whose
# calls are recorded with what they point to, and nothing is made up of them.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
victim=$abs_top_builddir/t/run/victim-values
plan 12

mkdir plain traced
(cd plain && "$victim" hostile) >expected
(cd traced && run -e file,io,net "$victim" hostile) >got
is "$(cat got)" "$(cat expected)" "the same results, and no crash"

"$PTRACE_DUMP" log | cut -c 51- | sed 's/  *at .*//' >text

# has LINE
has() {
	grep -qxF -e "$1" text
	ok $? "$1" || diag "$(head -c 6000 text)"
}

has 'stat("f") = -1 EFAULT (Bad address)'
has 'readlink("l", 4) = 4 "targ"'
has 'setsockopt(6, SOL_SOCKET, SO_KEEPALIVE, 1, 4) = 0'
has 'getsockopt(6, SOL_SOCKET, SO_TYPE) = 0 [SOCK_STREAM]'
has 'getsockopt(6, SOL_SOCKET, SO_TYPE) = -1 EFAULT (Bad address)'
has 'sendmsg(7, 0) = -1 EFAULT (Bad address)'
is "$(grep -c '^sendmsg(7, 0) = 4$' text)" 2 "no descriptor where there is none"
is "$(grep -c 'EPOLL_CTL_ADD.*EFAULT' text)" 1 "epoll_ctl"
is "$(grep -Ec '/"(…|\.{3}), 4\) = 4$' text)" 1 \
	"nothing is told behind a path that is cut"
is "$("$PTRACE_DUMP" -f json log | grep -c '"size":-[0-9]')" 0 "sizes"
is "$(grep -c -e 736563726574 -e secret text)" 0 "no keys"
