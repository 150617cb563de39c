#!/bin/sh
# SPDX-License-Identifier: MIT
# What strace -s N sees that real programs read and write and what --io-data N
# says is the same: the bytes, and whether there were more.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
strace -o "$T/strace" true 2>/dev/null
[ -s "$T/strace" ] || skip_all "strace does not work here"

cat >"$T/check.py" <<'END'
import glob
import json
import re
import sys

# Our events, the bytes of their other fields, and what strace calls them.
KINDS = {
    'io:read': (32, 'read'), 'io:write': (32, 'write'),
    'io:pread': (40, 'pread64'), 'net:send': (40, 'sendto'),
    'net:recv': (40, 'recvfrom'),
}
CALL = re.compile(r'(\w+)\([^"]*"((?:\\x..)*)"(\.\.\.)?.*\) += (\d+)$')


def theirs():
    """With -xx all bytes are in hexadecimal."""
    for path in glob.glob(sys.argv[1] + '.*'):
        for line in open(path):
            m = CALL.match(line)
            if m:
                data = bytes.fromhex(m.group(2).replace('\\x', ''))
                yield (m.group(1), int(m.group(4)), data, bool(m.group(3)))


def ours():
    for line in open(sys.argv[2]):
        e = json.loads(line)
        if e['name'] in KINDS and e['args']['ret'] >= 0:
            at, name = KINDS[e['name']]
            raw = bytes.fromhex(e['data'])
            yield name, e['args']['ret'], raw[at + 1:], raw[at] != 0
            # The same as text, and whether it is cut.
            if raw[at + 1:].isascii():
                assert e['args']['data'] == raw[at + 1:].decode()
            assert e['args'].get('data_cut', False) == (raw[at] != 0)


left = {}
for call in theirs():
    left[call] = left.get(call, 0) + 1
nr = missing = 0
for call in ours():
    nr += 1
    if left.get(call, 0) == 0:
        missing += 1
        print(call, file=sys.stderr)
    else:
        left[call] -= 1
print(nr, missing)
END

# compare LEAST N COMMAND...: two tests.
compare() {
	least=$1 size=$2
	shift 2
	if ! command -v "$1" >/dev/null; then
		skip "$1" "no $1"
		skip "$1" "no $1"
		return
	fi
	rm -f "$T"/theirs.*
	strace -ff -xx -s "$size" -qq -o "$T/theirs" "$@" </dev/null >/dev/null
	run -e io,net -s 64K --io-data "$size" -- "$@" </dev/null >/dev/null
	dump --raw -f json | grep -E '"name":"(io|net):' >"$T/ours"
	name="${1##*/}, $size bytes"
	# shellcheck disable=SC2046
	set -- $(python3 "$T/check.py" "$T/theirs" "$T/ours" 2>"$T/err")
	[ "${1:-0}" -ge "$least" ]
	ok $? "$name: ${1:-no} calls" || diag "$(cat "$T/err")"
	is "${2-}" 0 "$name: the same bytes" || diag "$(cat "$T/err")"
}

head -c 30000 "$PTRACE_DUMP" >binary
cat >server.py <<'END'
import os
import socket
import threading


def serve(a):
    while (got := a.recv(100)):
        a.sendall(got * 40)


a, b = socket.socketpair()
thread = threading.Thread(target=serve, args=(b,))
thread.start()
for size in 1, 15, 16, 17, 99:
    a.sendall(os.pread(os.open('binary', os.O_RDONLY), size, size))
    left = 40 * size
    while left:
        left -= len(a.recv(left, socket.MSG_WAITALL))
a.close()
thread.join()
END
plan 10
compare 2 32 sh -c 'cat binary | cat | cat >copy'
compare 20 16 dd if=binary of=copy bs=1000 status=none
python=$(python_itself)
compare 15 16 "$python" -S server.py
compare 15 5000 "$python" -S server.py
# shellcheck disable=SC2016 # expanded by bash
compare 3 8 bash -c 'while read -r line; do echo "$line"; done <server.py'
