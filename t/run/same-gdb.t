#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2016 # gdb has variables of its own
# -a: arguments and results of library functions are those that gdb finds in the
# registers where they begin, and where they have returned.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "$abs_top_srcdir/t/lib/typed.sh"
need cc gdb
[ "$(uname -m)" = x86_64 ] || skip_all "the registers are x86-64's"

# NAME: format of the arguments: in which registers; of the result: where.
cat >functions <<'END'
strcmp:"%s","%s":(char *)$rdi,(char *)$rsi:%d:(int)$rax
strncmp:"%s","%s",%lu:(char *)$rdi,(char *)$rsi,$rdx:%d:(int)$rax
strlen:"%s":(char *)$rdi:%lu:$rax
strtol:"%s","%#lx",%d:(char *)$rdi,$rsi,(int)$rdx:%ld:(long)$rax
strtoul:"%s","%#lx",%d:(char *)$rdi,$rsi,(int)$rdx:%lu:(unsigned long)$rax
strtod:"%s","%#lx":(char *)$rdi,$rsi:%.17g:$xmm0.v2_double[0]
strchr:"%s",%d:(char *)$rdi,(int)$rsi:"%s":(char *)$rax
strdup:"%s":(char *)$rdi:"%s":(char *)$rax
getenv:"%s":(char *)$rdi:"%s":(char *)$rax
snprintf:"%#lx",%lu,"%s":$rdi,$rsi,(char *)$rdx:%d:(int)$rax
sprintf:"%#lx","%s":$rdi,(char *)$rsi:%d:(int)$rax
memcpy:"%#lx","%#lx",%lu:$rdi,$rsi,$rdx:"%#lx":$rax
fopen:"%s","%s":(char *)$rdi,(char *)$rsi:"%#lx":$rax
fread:"%#lx",%lu,%lu,"%#lx":$rdi,$rsi,$rdx,$rcx:%lu:$rax
qsort:"%#lx",%lu,%lu,"%#lx":$rdi,$rsi,$rdx,$rcx::
abs:%d:(int)$rdi:%d:(int)$rax
labs:%ld:(long)$rdi:%ld:(long)$rax
toupper:%d:(int)$rdi:%d:(int)$rax
sqrt:%.17g:$xmm0.v2_double[0]:%.17g:$xmm0.v2_double[0]
sqrtf:%.17g:$xmm0.v4_float[0]:%.17g:$xmm0.v4_float[0]
pow:%.17g,%.17g:$xmm0.v2_double[0],$xmm1.v2_double[0]:%.17g:$xmm0.v2_double[0]
ldexp:%.17g,%d:$xmm0.v2_double[0],(int)$rdi:%.17g:$xmm0.v2_double[0]
access:"%s",%d:(char *)$rdi,(int)$rsi:%d:(int)$rax
lseek:%d,%ld,%d:(int)$rdi,(long)$rsi,(int)$rdx:%ld:(long)$rax
mmap:"%#lx",%lu,%d,%d,%d,%ld:$rdi,$rsi,(int)$rdx,(int)$rcx,(int)$r8,(long)$r9:"%#lx":$rax
END
cut -d : -f 1 functions >names

cat >main.c <<'END'
#include <ctype.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
extern char __executable_start, etext;
char *low = &__executable_start, *high = &etext;
void *functions[] = {
END
while IFS= read -r name; do
	echo "	(void *)$name,"
done <names >>main.c
cat >>main.c <<'END'
};
static int order(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}
volatile double d;
int main(void)
{
	char buf[64], text[] = "sorted";
	FILE *file;

	d = strcmp("", "D") + strcmp("same", "same") + strcmp("b", "aa");
	d = strncmp("prefix one", "prefix two", 7);
	d = strlen("sixteen bytes ab") + strlen("");
	d = strtol("-77", NULL, 10) + strtol("-0x7f", NULL, 0);
	d = strtoul("-1", NULL, 0) + strtod("2.5e3", NULL);
	d = *strchr("some text", 't') + *strdup("copy");
	d = *getenv("SAME_GDB");
	d = snprintf(buf, sizeof(buf), "%d of %s", 7, "nine");
	d = sprintf(buf, "%g", 1.5);
	memcpy(buf, text, 3);
	file = fopen("functions", "r");
	d = fread(buf, 2, 20, file);
	qsort(text, 6, 1, order);
	d = abs(-5) + labs(-5000000000) + toupper('q');
	d = sqrt(42.25) + sqrtf(2.25f) + pow(2, 0.5) + ldexp(0.75, -3);
	d = access("functions", R_OK) + access("none", W_OK);
	d = lseek(0, -5, SEEK_CUR) + lseek(-1, 5000000000, SEEK_SET);
	d = mmap(NULL, 0, PROT_READ, MAP_PRIVATE, -1, 4096) == NULL;
	return 0;
}
END
cc -g -O0 -fno-builtin -Wl,-z,now -o main main.c -lm 2>cc.out ||
	{ cat cc.out >&2; exit 1; }

# Breakpoints where the functions really are, behind the choice of one for this
# processor.  Calls that libc itself makes are passed over.
{
	cat <<'END'
set confirm off
set pagination off
set debuginfod enabled off
set width 0
break main
run
delete
set $low = (long)low
set $high = (long)high
END
	nr=0
	while IFS= read -r name; do
		echo "break *functions[$nr]"
		nr=$((nr + 1))
	done <names
	cat <<'END'
while 1
  continue
  set $back = *(long *)$rsp
  if $back >= $low && $back < $high
    set $at = $pc
END
	nr=0
	while IFS=: read -r name args where result from; do
		args=$(printf %s "$args" | sed 's/"/\\"/g')
		result=$(printf %s "$result" | sed 's/"/\\"/g')
		printf '    if $at == (long)functions[%d]\n' $nr
		printf '      printf "%s [%s]\\n", %s\n' "$name" "$args" "$where"
		printf '      disable\n      tbreak *$back\n      continue\n'
		[ -z "$result" ] || printf '      printf "%s = %s\\n", %s\n' \
			"$name" "$result" "$from"
		printf '      enable\n    end\n'
		nr=$((nr + 1))
	done <functions
	echo "  end"
	echo "end"
} >script
SAME_GDB="a value" LC_ALL=C gdb -batch -nx -x script ./main >gdb.out 2>gdb.err \
	</dev/null
# Addresses differ from run to run.
plain() {
	sed -E 's/"0x[0-9a-f]{5,}"/"P"/g; s/"0x0"|"0"/"0x0"/g'
}
grep -E '^[a-z]+ (\[|=)' gdb.out | plain >theirs
[ "$(grep -c '^[a-z]* \[' theirs)" -gt 0 ] ||
	skip_all "gdb does not work here: $(head -n 1 gdb.err)"

plan 2
SAME_GDB="a value" run -a -r "$(paste -s -d , names)" ./main </dev/null
"$PTRACE_DUMP" -f json log | grep '(main)"' | typed_calls |
	sed 's/,"\.\.\.\"\]/]/' | plain >ours
cut -d ' ' -f 1 theirs | sort -u >seen
sort names >wanted
is "$(comm -13 seen wanted)" "" "gdb saw each of the functions called"
is "$(diff theirs ours)" "" "the same arguments and results, in order"
