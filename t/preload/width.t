#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs of 32 bits are traced as others are, by a library of their own: whoever
# starts them, and whatever they start, in one log; and they do not notice.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"

library=$abs_top_builddir/lib/libptrace/32/libptrace.so.0
[ -f "$library" ] || skip_all "no library for programs of 32 bits"
victim=$abs_top_srcdir/t/preload/width.c
cd "$T" || exit 1
# The headers of the kernel are not everywhere where -m32 looks.
narrow="-m32 -idirafter /usr/include/x86_64-linux-gnu"
# shellcheck disable=SC2086 # words
if ! ${CC:-cc} $narrow -D_GNU_SOURCE -pthread -o w32 "$victim" 2>cc.err ||
	! ./w32 >/dev/null 2>&1; then
	skip_all "programs of 32 bits do not run here"
fi
${CC:-cc} -D_GNU_SOURCE -pthread -o w64 "$victim" || exit 1
plan 37

# statuses: of the processes of the last trace, in the order of their ends.
statuses() {
	"$PTRACE_DUMP" -f json -n process:exit log |
		sed 's/.*"status":\([0-9]*\).*/\1/' | tr '\n' ' '
}
# began: the first arguments of its programs, in the order of their starts.
began() {
	"$PTRACE_DUMP" -f json -n process:start log |
		sed 's/.*"argv":\["\([^"]*\)".*/\1/' | tr '\n' ' '
}

families=process
for how in fork vfork spawn; do
	same "$how" ./w64 $how ./w32 $how ./w64 end 5
	is "$(began)" "./w64 ./w32 ./w64 " "$how: each program"
	is "$(statuses)" "5 6 7 " "$how: each status"
	is "$(events process:untraced) $(events process:fork)" "0 2" \
		"$how: all are traced"
done
same "exec" ./w32 exec ./w64 exec ./w32 exec ./w64 end 9
is "$(began)" "./w32 ./w64 ./w32 ./w64 " "exec: each program"
is "$(events process:exec) $(statuses)" "4 9 " "exec: one process"
same "system" ./w32 system ./w32 end 3
is "$(began)" "./w32 sh ./w32 " "system: a shell of 64 bits between"
same "with another environment" env -i A=1 ./w32 fork /usr/bin/env -i B=2 ./w32 end 1
is "$(statuses)" "1 2 " "all of them are traced"
printf '#!%s end\n' "$T/w32" >./3
chmod +x ./3
same "as an interpreter" ./3
is "$(statuses)" "0 " "it is traced"

same "a signal that ends it" ./w64 fork ./w32 kill 15
is "$(events process:exit '"signal":15')" 1 "it is told by which"
families=process,signal
same "handlers" ./w32 signals
is "$(events signal:deliver)" 2 "both are recorded"

families=file,thread
same "threads" ./w32 calls 2000
is "$(events file:open '"path":"/dev/null"')" 4000 "each call of two threads"
run_traced ./w32 calls 1000 kill 9
is "$(cat traced.status) $(events file:open '"path":"/dev/null"')" "137 2000" \
	"killed: all that it did is there"

families=file,io,mem,process
same "structures and offsets" ./w32 values
is "$(events file:stat '"mode":"S_IFREG.0640","size":3')" 2 \
	"of a struct stat, and of a struct stat64"
is "$(events io:pread '"offset":5368709120') $(events io:pwrite \
	'"offset":5368709120') $(events io:lseek '"offset":5368709120')" \
	"1 1 1" "offsets of 64 bits"
like "$("$PTRACE_DUMP" -n process:prlimit log)" 'rlim_cur=100, rlim_max=RLIM64_INFINITY' \
	"limits"
like "$("$PTRACE_DUMP" -n file:futimes log)" 'tv_sec=2000, tv_nsec=2' \
	"times of a file"
is "$("$PTRACE_DUMP" -f json -n mem:mmap log | grep -c '"ret":-')" 0 \
	"addresses have no sign"

cat >own.c <<'END'
#include <stdio.h>
__attribute__((constructor)) static void start(void) { puts("own"); }
END
${CC:-cc} -m32 -shared -fPIC -o own32.so own.c
run_plain env LD_PRELOAD=./own32.so ./w32 end 2
"$PTRACE_RUN" -q -E LD_PRELOAD=./own32.so -o log ./w32 end 2 >traced.out
is "$(cat traced.out)" "$(cat plain.out)" "another library is preloaded"

"$PTRACE_RUN" -q -l '*' -o log ./w32 end 1 >/dev/null
like "$("$PTRACE_DUMP" -f json -n call:unhooked log)" "32-bit: calls of functions" \
	"that functions are not recorded is told"

# All that processes of both share; ptl_record is what one makes of it.
{
	cd "$abs_top_srcdir/core/format" && for header in *.h; do
		printf '#include "core/format/%s"\n' "$header"
	done
	printf '#include <stdio.h>\nint main(void)\n{\n'
	sed -n 's/^\(struct ptl_[a-z_]*\) {$/\1/p' -- *.h | sort -u |
		sed '/ ptl_record$/d; s/.*/printf("& %zu\\n", sizeof(&));/'
	echo '}'
} >"$T/sizes.c"
cd "$T" || exit 1
${CC:-cc} -D_GNU_SOURCE -w -I"$abs_top_srcdir" -I"$abs_top_srcdir/include" \
	-o sizes64 sizes.c && ./sizes64 >sizes64.out
# shellcheck disable=SC2086 # words
${CC:-cc} $narrow -D_GNU_SOURCE -w -Wno-psabi -I"$abs_top_srcdir" \
	-I"$abs_top_srcdir/include" -o sizes32 sizes.c && ./sizes32 >sizes32.out
is "$(diff sizes32.out sizes64.out)" "" "what both share has one layout"
