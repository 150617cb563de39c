#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-dump: the addresses of sockets are shown as they are written, those of
# a family that is not known by its name.
# shellcheck disable=SC2016 # perl's
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need perl
perl -MSocket=:all -e 'pack_sockaddr_in6(1, inet_pton(AF_INET6, "::1"))' 2>/dev/null ||
	skip_all "perl knows no IPv6"
plan 9

# Where they lead to does not matter: calls that fail are recorded, too.
run -e net perl -MSocket=:all -e '
sub try { socket(my $s, AF_UNIX, SOCK_STREAM, 0); connect($s, $_[0]) }
try(pack_sockaddr_un("/no/such"));
try(pack("S a*", AF_UNIX, "\0hidden"));
try(pack("S a*", AF_UNIX, "\0a\nb\0"));
try(pack("S", AF_UNIX));
try(pack_sockaddr_in(80, inet_aton("127.0.0.1")));
try(pack_sockaddr_in6(8080, inet_pton(AF_INET6, "fe80::1")));
try(pack("S a4", AF_INET6, "cut"));
try(pack("S a14", 16, ""));
try(pack("S a14", 999, ""));
'
dump -n net:connect | sed -n 's/.*addr=\(.*\) dur=.* @ .*/\1/p' >got
# next WANT NAME: in the order of the calls.
next() {
	line=$((${line:-0} + 1))
	is "$(sed -n "${line}p" got)" "$1" "$2"
}
next unix:/no/such "a path"
next unix:@hidden "an abstract name"
next 'unix:@a\nb\x00' "one with bytes that are not shown"
next unix: "no name"
next 127.0.0.1:80 "IPv4"
next '[fe80::1]:8080' "IPv6"
next AF_INET6 "an address that is too short"
next AF_NETLINK "a family that has others"
next 999 "one that is none"
