#!/bin/sh
# SPDX-License-Identifier: MIT
# --io-data: the first bytes of what each call read or wrote are in its event,
# and no more; nothing of it is touched that may be gone.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
command -v "${CC%% *}" >/dev/null 2>&1 || CC=cc
need "${CC%% *}"
plan 20
victim=$VICTIMS/victim-iodata

# data: NAME DATA of each event of the last trace that may have some; -: none.
data() {
	"$PTRACE_DUMP" -f json "$T/log" | sed -n -E \
		-e '/"name":"(io|net):(memfd|socketpair|fflush)/d' \
		-e '/"name":"io:printf".*"stream":"0x0"/d' \
		-e 's/.*"name":"((io|net):[a-z]*)".*"args":\{.*"data":("[^}]*)\}.*/\1 \3/p' \
		-e 't' -e 's/.*"name":"((io|net):[a-z]*)".*/\1 -/p'
}
# traced_by COMMAND..., traced OPTION... -- COMMAND...
traced_by() {
	rm -f "$T/log"
	"$@" >"$T/traced.out" 2>"$T/traced.err" </dev/null
	echo $? >"$T/traced.status"
	data >"$T/data"
}
traced() {
	traced_by "$PTRACE_RUN" -q -e io,net -o "$T/log" "$@"
}

run_plain "$victim"
traced --io-data 5 -- "$victim"
compare "it does not notice"
cmp -s "$T/traced.out" "$T/data"
ok $? "what each call moved" || diag "$(diff "$T/traced.out" "$T/data")"
"$PTRACE_DUMP" -f json "$T/log" | grep -c '"trunc":"record"' >"$T/nr"
is "$(cat "$T/nr")" 0 "none of them counts as cut"
"$PTRACE_DUMP" "$T/log" >"$T/text"
like "$(grep -m 1 ' write(' "$T/text")" ' write\(3, "hello"\.\.\., 11\) = 11 ' \
	"text shows it as strace does"
like "$(cat "$T/text")" '\(3, "\\xff\\x80\\\\a", 4\) = 4 ' "and bytes as they are"

traced -- "$victim"
is "$(grep -c -v ' -$' "$T/data")" 0 "without the option there is none"
"$PTRACE_DUMP" -f json "$T/log" | grep '"io:write"' | head -n 1 >"$T/found"
like "$(cat "$T/found")" '"len":32,' "and events are no larger"

# As much as an event may have, more than the library puts on a stack.
head -c 100000 /dev/zero | tr '\0' x >"$T/file"
# size OPTION...: the bytes that are recorded of what dd reads.
size() {
	traced "$@" -- dd if="$T/file" of=/dev/null bs=100000 count=1
	"$PTRACE_DUMP" -f json -n io:read "$T/log" |
		sed -n 's/.*"data":"\(x*\)".*/\1/p' | tr -d '\n' | wc -c |
		tr -d ' '
}
is "$(size --io-data 100)" 100 "100 bytes"
is "$(size --io-data 3000)" 3000 "3000"
is "$(size --io-data 1M)" 3776 "what max-data-size lets"
is "$("$PTRACE_DUMP" -f json "$T/log" | grep -c '"trunc":"record"')" 0 \
	"and the event is not cut"
is "$(size --io-data 1M -s 1M)" 100000 "all of it"
is "$("$PTRACE_DUMP" -f raw "$T/log" | grep 'io:read' |
	grep -c 'data="x*" dur=[1-9]')" 1 "with how long it took"
is "$(size --io-data 9 -s 100)" 0 "no room"

# A write() behind ours unmaps what it has written.
cat >"$T/gone.c" <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>
ssize_t write(int fd, const void *buf, size_t size)
{
	ssize_t (*real)(int, const void *, size_t) = dlsym(RTLD_NEXT, "write");
	ssize_t ret = real(fd, buf, size);

	if ((uintptr_t)buf % 4096 == 4093)
		munmap((char *)buf + 3, 4096);
	else if ((uintptr_t)buf % 4096 == 0 && size == 4096)
		munmap((void *)buf, 4096);
	return ret;
}
END
${CC:-cc} -shared -fPIC -o "$T/gone.so" "$T/gone.c" || exit 1
# By the kernel; page by page, where the program comes with a seccomp filter;
# not at all, where it has made one itself.
for filter in "" "$victim filter"; do
	# shellcheck disable=SC2086 # two words or none
	LD_PRELOAD=$T/gone.so traced_by $filter "$PTRACE_RUN" -q -e io,net \
		-o "$T/log" --io-data 5 -- "$victim" vanished
	is "$(cat "$T/traced.status")" 0 "${filter:+page by page: }it lives"
	cmp -s "$T/traced.out" "$T/data"
	ok $? "${filter:+page by page: }what is gone" ||
		diag "$(diff "$T/traced.out" "$T/data")"
done
traced_by "$victim" filter "$PTRACE_RUN" -q -e io,net -o "$T/log" --io-data 5 \
	-- "$victim"
cmp -s "$T/traced.out" "$T/data"
ok $? "page by page: what each call moved" ||
	diag "$(diff "$T/traced.out" "$T/data")"
traced --io-data 5 -- "$victim" quiet
is "$(cat "$T/traced.status") $(cat "$T/data")" "0 io:write \"befor\",\"data_cut\":true
io:write -" "nothing where no system call may be made"

