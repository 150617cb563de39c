#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --reach raw: what dynamic programs do by system calls past libc is
# recorded, and what they start is traced; they do what they do without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/reach.sh"
reach=raw
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}" grep sort
libexec=$(dirname "$PTRACE_RUN")/../libexec/libptrace
plan 44

source=$abs_top_srcdir/t/run
$CC -O2 -o known "$source/reach-known.c" -lpthread || exit 1
$CC -O2 -o world "$source/reach-world.c" || exit 1

same "known calls" ./known
has 1 '"name":"file:open"' '"path":"none"' '"errno":"ENOENT"'
has 1 '"name":"file:mkdir"' '"path":"made"' '"mode":"0755"' '"ret":0'
has 1 '"name":"file:stat"' '"path":"none"'
has 1 '"name":"file:unlink"' '"path":"none"'
has 2 '"name":"file:access"' '"path":"handler"'
has 1 '"path":"after"' '"program":"known"'
has 1 '"path":"forked"'
has 1 '"path":"vforked"'
has 2 '"path":"by-child"'
has 1 '"path":"thread"'
has 4 '"name":"process:fork"'
has 1 '"name":"process:exec"' '"path":"/bin/sh"'
has 2 '"name":"process:exec_failed"'
has 1 '"name":"process:start"' '"argv":["sh","-c","exit 6"]'
is "$(sed -n 's/.*"name":"process:exit".*"status":\([0-9]*\).*/\1/p' all |
	sort | tr '\n' ' ')" "3 4 5 6 9 " "... each end"
same "a program that it becomes" ./known /bin/sh -c 'exit 4'
has 1 '"name":"process:exit"' '"status":4,'
"$PTRACE_RUN" -q -e process,file -o log ./known >traced.out
dump -f json >all
has 0 '"path":"forked"'

# Threads that are not libc's.
$CC -O2 -D_GNU_SOURCE -I"$abs_top_srcdir" -o outsiders \
	"$source/reach-outsiders.c" || exit 1
same "what such threads make is as they are" ./outsiders 20

# Where code cannot be changed, or shall not be.
if ./world mdwe /bin/true; then
	same "no memory that is written may be executed" ./world mdwe ./known
	has 1 '"path":"forked"'
else
	skip "no memory that is written may be executed" "not by this kernel" 2
fi
if ./world filter /bin/true; then
	same "a filter was there before" ./world filter ./known
	has 0 '"path":"forked"'
else
	skip "a filter was there before" "none can be" 2
fi
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	chmod 755 . && mkdir -m 777 nobody && cd nobody || exit 1
	same "another user" setpriv --reuid 65534 --clear-groups "$T/known"
	cd .. || exit 1
else
	skip "another user" "not root, or no setpriv"
fi
if unshare -Urpf true 2>/dev/null; then
	same "other namespaces" unshare -Urpf ./known
else
	skip "other namespaces" "not here"
fi

# A helper that lies, or ends otherwise, in place of the real one.
mkdir -p libexec/libptrace lib
cp "$libexec/ptrace-monitor" libexec/libptrace/
ln -s "$LIBPTRACE" lib/libptrace.so
LD_LIBRARY_PATH=$(dirname "$LIBPTRACE")
export LD_LIBRARY_PATH
helper=$(realpath "$libexec/ptrace-functions")
# lie NAME COMMAND: which gets the patches in `patches'.
lie() {
	cat >libexec/libptrace/ptrace-functions <<END
#!/bin/sh
"$helper" "\$@" >"$T/patches"
$2
END
	chmod +x libexec/libptrace/ptrace-functions
	libexec/libptrace/ptrace-monitor -q --reach raw -e file -o log ./known \
		>traced.out 2>traced.err
	echo "$?" >>traced.out
	cmp plain.out traced.out
	ok $? "$1: the same"
	dump -f json >all
}
./known >plain.out
echo $? >>plain.out
lie "a helper that tells the truth" "cat '$T/patches'"
has 1 '"path":"forked"'
cat >other.py <<'END'
import struct, sys
bytes_ = bytearray(open(sys.argv[1], 'rb').read())
# struct ptl_patch_block: was, was_size
was, size = struct.unpack_from('<QQ', bytes_, 16 + 40 + 8 + 64 + 16)
bytes_[was + size - 1] ^= 1
sys.stdout.buffer.write(bytes_)
END
if command -v python3 >/dev/null; then
	lie "other bytes are there" "python3 '$T/other.py' '$T/patches'"
	has 0 '"path":"forked"'
else
	skip "other bytes are there" "no python3" 2
fi
lie "half of it" "head -c 700 '$T/patches'"
has 0 '"path":"forked"'
lie "a helper that is killed" 'kill -9 $$'
has 0 '"path":"forked"'
unset LD_LIBRARY_PATH

# Go's.
if ! command -v go >/dev/null; then
	skip "programs of Go" "no go" 10
	exit
fi
HOME=$T GOCACHE=$T/cache GO111MODULE=off
export HOME GOCACHE GO111MODULE
if ! CGO_ENABLED=1 go build -o gone "$source/reach-go.go" 2>/dev/null; then
	skip "programs of Go" "no cgo" 10
	exit
fi
same "a program of Go's" ./gone
has 3000 '"name":"file:stat"' '"path":"/none"'
has 10 '"name":"process:start"' '"argv":["echo","child",'
has 1 '"name":"process:exit"' '"status":5'
is "$(info not-traced)" 0 "... of which all is traced"
"$PTRACE_RUN" -q --reach raw -o log sh -c './gone; :' >/dev/null
is "$(info processes) $(info not-traced)" "15 0" \
	"one that a shell starts is looked at then"
grep -v '^import "C"' "$source/reach-go.go" >without.go
if CGO_ENABLED=0 go build -ldflags '-linkmode external' -o without without.go \
	2>/dev/null; then
	same "one without cgo, whose threads are not libc's" ./without
	is "$(info not-traced)" 1 "... which is said"
else
	skip "one without cgo" "this linker makes none" 2
fi
same "go itself" go list -f '{{.Dir}}' fmt os
if command -v strace >/dev/null; then
	strace -f -qq -e signal=none -e trace=newfstatat,openat -o st \
		go list -f '{{.Dir}}' fmt os >/dev/null
	paths() {
		grep -v -e /etc/ld.so -e 'libc\.so' -e '^$' | sort -u
	}
	sed -n 's/^[^"]*"\([^"]*\)".*/\1/p' st | paths >theirs
	grep -e '"name":"file:stat"' -e '"name":"file:open"' all |
		sed -n 's/.*"path":"\([^"]*\)".*/\1/p' | paths >ours
	# Its goroutines do not always look at the same: one or two of 2000.
	comm -3 ours theirs >differ
	[ "$(grep -c . theirs)" -gt 100 ] && [ "$(grep -c . differ)" -lt 10 ]
	ok $? "... each file, as strace has them"
else
	skip "each file, as strace has them" "no strace"
fi
