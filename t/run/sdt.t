#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -e sdt:PROVIDER:NAME: probes of <sys/sdt.h> in programs and
# libraries, with their arguments, as often as the program comes by; and it runs
# as without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/sdt.sh"
plan 40

# ---- kinds of arguments ----
cat >kinds.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <sys/sdt.h>

static int counter = 77;
static short pair[2] = {5, -6};
struct held { int first; int64_t second; };

__attribute__((noipa)) static void whole(int8_t a, uint8_t b, int16_t c, uint16_t d, int e, unsigned f)
{
	DTRACE_PROBE6(kinds, small, a, b, c, d, e, f);
}
__attribute__((noipa)) static void wide(int64_t a, uint64_t b, const char *c)
{
	DTRACE_PROBE3(kinds, wide, a, b, c);
}
__attribute__((noipa)) static void memory(const struct held *held, long i)
{
	DTRACE_PROBE4(kinds, memory, held->first, held->second, pair[i], counter);
}
__attribute__((noipa)) static void points(double a, float b)
{
	STAP_PROBE3(kinds, points, a, b, 1);
}
__attribute__((noipa)) static void constants(void)
{
	DTRACE_PROBE4(kinds, constants, 5, -6, 0x123456789abcL, 'x');
}
__attribute__((noipa)) static void none(void)
{
	DTRACE_PROBE(kinds, none);
}
__attribute__((noipa)) static void twelve(long n)
{
	DTRACE_PROBE12(kinds, twelve, n, n + 1, n + 2, n + 3, n + 4, n + 5,
		       n + 6, n + 7, n + 8, n + 9, n + 10, n + 11);
}
/* Below the stack pointer, and flags, across the probe. */
__attribute__((noipa)) static long leaf(long n)
{
	volatile long kept[8];
	long sum = 0;

	for (int i = 0; i < 8; i++)
		kept[i] = n * i;
	DTRACE_PROBE1(kinds, leaf, n);
	for (int i = 0; i < 8; i++)
		sum += kept[i];
	return sum;
}
__attribute__((noipa)) static int flags(int n)
{
	int is_less;

	__asm__ volatile("cmpl $5, %1\n\t"
			 STAP_PROBE_ASM(kinds, flags, -4@%1)
			 "\n\tsetl %b0\n\tmovzbl %b0, %0"
			 : "=&r"(is_less) : "r"(n));
	return is_less;
}

int main(void)
{
	struct held held = {-3, INT64_MIN};
	long sum = 0;

	whole(-1, 255, -300, 65535, -70000, 4000000000u);
	wide(-5, UINT64_MAX - 1, "text");
	memory(&held, 1);
	points(1.5, -0.25f);
	points(-1e300, 1e-40f);
	constants();
	none();
	twelve(100);
	for (int i = 0; i < 1000; i++)
		sum += leaf(i);
	for (int i = 0; i < 10; i++)
		sum += flags(i) << i;
	printf("%ld\n", sum);
	return 9;
}
END

for flags in -O0 -O2 '-O2 -no-pie' '-O2 -fcf-protection=full'; do
	# shellcheck disable=SC2086
	$CC $flags -o kinds kinds.c || exit 1
	./kinds >plain
	run -e 'sdt:kinds:*' ./kinds >out 2>err
	is "$? $(cmp plain out)" "9 " "$flags: the same output and status"
	sdt | grep -v -e leaf -e flags >seen
	is_file seen "$flags: arguments" <<'END'
sdt:kinds:small arg1=-1 arg2=255 arg3=-300 arg4=65535 arg5=-70000 arg6=4000000000
sdt:kinds:wide arg1=-5 arg2=0xfffffffffffffffe arg3=0xADDRESS
sdt:kinds:memory arg1=-3 arg2=-9223372036854775808 arg3=-6 arg4=77
sdt:kinds:points arg1=1.5 arg2=-0.25 arg3=1
sdt:kinds:points arg1=-1e+300 arg2=9.99994610111476e-41 arg3=1
sdt:kinds:constants arg1=5 arg2=-6 arg3=20015998343868 arg4=120
sdt:kinds:none
sdt:kinds:twelve arg1=100 arg2=101 arg3=102 arg4=103 arg5=104 arg6=105 arg7=106 arg8=107 arg9=108 arg10=109 arg11=110 arg12=111
END
	is "$(sdt | grep leaf | uniq | wc -l) $(sdt | grep -c flags)" "1000 10" \
		"$flags: each time"
done
$CC -Os -o small kinds.c
run -e 'sdt:kinds:*' ./small >out 2>err
is "$? $(cmp plain out)" "9 " "-Os, where not all have room: the same"
like "$(cat err)" "--events: of 'sdt:kinds:\*' [0-9]* of 9 probes cannot be traced" \
	"and it says so"

# ---- strings ----
cat >texts.c <<'END'
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
__attribute__((noipa)) static void say(int n, const char *a, const char *b, uint64_t c)
{
	DTRACE_PROBE4(texts, say, n, a, b, c);
}
__attribute__((noipa)) static int done(void)
{
	return 6;
}
int main(void)
{
	static char text[1000];

	memset(text, 'x', sizeof(text) - 1);
	say(1, "", "a \"text\"", 7);
	say(2, text, NULL, UINT64_MAX);
	say(3, (const char *)5, text + 994, 1);
	puts("said");
	return done();
}
END
$CC -O2 -o texts texts.c || exit 1
long=$(printf '%0252d' 0 | tr 0 x)
run -e 'sdt:texts:say(sss)' ./texts >out
is "$? $(cat out)" "6 said" "arguments that are strings: the program is the same"
sdt >seen
is_file seen "and their text, but of numbers" <<END
sdt:texts:say arg1=1 arg2="" arg3="a \"text\"" arg4=0x7
sdt:texts:say arg1=2 arg2="$long..." arg3="" arg4=0xffffffffffffffff
sdt:texts:say arg1=3 arg2="" arg3="xxxxx" arg4=0x1
END
is "$(status "$PTRACE_RUN" -e 'sdt:texts:say(sx)' ./texts)" 2 "other letters are none"

# ---- which are meant ----
run -e 'sdt:kinds:n*,sdt:kinds:wide' ./kinds >out
is "$(sdt | sed 's/ .*//' | xargs)" "sdt:kinds:wide sdt:kinds:none" "a list of patterns"
is "$(names | grep -v -e sdt: -e posix_trace_ | sort -u | xargs)" \
	"call:hooks dl:map process:program" "and of other events none"
run -e +sdt:kinds:none ./kinds >out
is "$(sdt) $(count process:exit)" "sdt:kinds:none 1" "beside the default"
run -e 'sdt:k*' --exclude sdt:kinds:leaf ./kinds >out
is "$(sdt | grep -c leaf) $(sdt | grep -c flags)" "0 10" "--exclude, and all of a provider"
run -e 'sdt:nothing:*' ./kinds >out 2>err
is "$? $(cmp plain out)" "9 " "none fits: it runs"
like "$(cat err)" "no probe fits 'sdt:nothing:.*' in COMMAND and the libraries that it needs: kinds .kinds: 9., .* without probes; what it starts" \
	"and where it was looked is said"
is "$(status "$PTRACE_RUN" -e 'sdt:kinds:none' -p $$)" 2 "not of a process that runs"

# ---- places ----
cat >places.S <<'END'
#include <sys/sdt.h>
	.text
.macro function name
	.p2align 4, 0xcc
	.globl \name
	.type \name, @function
\name:
	.cfi_startproc
.endm
.macro done name
	.cfi_endproc
	.size \name, . - \name
.endm
function behind
	STAP_PROBE1(places, behind, -4@%edi)
	lea 1(%rdi), %eax
	lea 2(%rax), %eax
	ret
done behind
function padded
	lea 1(%rdi), %eax
	STAP_PROBE(places, padded)
	ret
done padded
function before
	mov $3, %eax
	STAP_PROBE(places, before)
1:	dec %eax
	jne 1b
	ret
done before
function branch
	cmp %rsp, %rsp
	jne 1f
	STAP_PROBE(places, branch)
1:	mov %edi, %eax
	ret
done branch
function nearby
	STAP_PROBE(places, nearby)
	jmp 2f
1:	mov %eax, %edi
	ret
2:	dec %eax
	je 1b
	jmp 2b
done nearby
function twice
	STAP_PROBE1(places, first, 4@%eax)
	STAP_PROBE1(places, second, 8@%zmm3)
	lea 1(%rdi), %eax
	ret
done twice
function joined
	STAP_PROBE(places, one)
	test %edi, %edi
	je 1f
	STAP_PROBE(places, two)
1:	lea 1(%rdi), %eax
	ret
done joined
function tight
1:	STAP_PROBE(places, tight)
2:	dec %eax
	je 1b
	jmp 2b
done tight
function calls
	STAP_PROBE(places, system)
	syscall
	nop
	ret
done calls
	.globl main
function main
	sub $8, %rsp
	mov $4, %edi
	call behind
	mov %eax, %edi
	call padded
	mov %eax, %edi
	call before
	mov %eax, %edi
	call branch
	add $2, %eax
	mov %eax, %edi
	call nearby
	mov %eax, %edi
	call twice
	mov $0, %edi
	call joined
	mov $1, %edi
	call joined
	mov $2, %eax
	add $8, %rsp
	ret
done main
	.section .note.GNU-stack, "", @progbits
END
$CC -o places places.S || exit 1
"$PTRACE_RUN" --probes-list ./places >out 2>err
is "$? $(cat err)" "0 " "the list of probes"
sed 's/^0x[0-9a-f]* *//; s/  */ /g' out >seen
is_file seen "and each of its lines" <<'END'
PLACE PATCH PROBE FILE ARGUMENTS
jump places:behind ./places -4@%edi
padding places:padded ./places
jump places:before ./places
jump places:branch ./places
short places:nearby ./places
jump places:first ./places 4@%eax
jump places:second ./places 8@%zmm3: arg1 is not understood
jump places:one ./places
jump places:two ./places
- places:tight ./places: refused: a jump leads to what is beside it
- places:system ./places: refused: no instructions beside it that can be moved
END
"$PTRACE_RUN" --probes-list ./places 'places:t*' 'sdt:places:one' >out
is "$(awk 'NR > 1 { print $3 }' out | xargs)" "places:one places:two places:tight" "those that fit"
./places
plain=$?
run -e 'sdt:places:*' ./places 2>err
is $? $plain "such a program runs as without"
sdt | xargs >seen
is_file seen "and each is come by" <<'END'
sdt:places:behind arg1=4 sdt:places:padded sdt:places:before sdt:places:branch sdt:places:nearby sdt:places:first arg1=0 sdt:places:second sdt:places:one sdt:places:one sdt:places:two
END

# ---- threads, fork, exec, dlopen, semaphores ----
cat >world.h <<'END'
#define _SDT_HAS_SEMAPHORES 1
#include <sys/sdt.h>
extern unsigned short world_turn_semaphore, world_loaded_semaphore;
END
cat >plug.c <<'END'
#include "world.h"
unsigned short world_loaded_semaphore __attribute__((unused, section(".probes"), visibility("hidden")));
int work(int n);
__attribute__((constructor)) static void begins(void) { DTRACE_PROBE1(world, loaded, -1); }
int work(int n)
{
	if (world_loaded_semaphore)
		DTRACE_PROBE1(world, loaded, n);
	return n;
}
END
cat >world.c <<'END'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include "world.h"
unsigned short world_turn_semaphore __attribute__((unused, section(".probes")));
static int (*work)(int);

static void *each(void *nr)
{
	for (long i = 0; i < 10000; i++)
		if (world_turn_semaphore)
			DTRACE_PROBE2(world, turn, i, (long)nr);
	return NULL;
}

int main(int argc, char **argv)
{
	void *plug = NULL;
	pthread_t thread[4];
	int status;

	for (int i = 0; i < 3; i++) {
		if (plug)
			dlclose(plug);
		plug = dlopen(argv[1], RTLD_NOW);
		if (!plug)
			return 2;
		work = (int (*)(int))dlsym(plug, "work");
		work(i);
	}
	for (long i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, each, (void *)i);
	for (int i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
	if (fork() == 0) {
		each((void *)4L);
		if (argc > 2)
			execl(argv[0], argv[0], argv[1], (char *)NULL);
		_exit(work(7));
	}
	wait(&status);
	puts("done");
	return WEXITSTATUS(status);
}
END
$CC -O2 -fPIC -shared -o plug.so plug.c && $CC -O2 -o world world.c -ldl -lpthread || exit 1
./world ./plug.so >plain
run -e 'sdt:world:*' ./world ./plug.so >out 2>err
is "$? $(cmp plain out)" "7 " "threads, a child, a library: the same"
for i in 0 1 2 3 4; do
	sdt | grep -c "turn arg1=[0-9]* arg2=$i\$"
done >turns
is "$(xargs <turns)" "10000 10000 10000 10000 10000" "each turn of each thread"
is "$(sdt | grep loaded | sed 's/.*=//' | xargs)" "-1 0 -1 1 -1 2 7" \
	"of a library from its first code on, each time that it is loaded"
run -e 'sdt:world:*' ./world ./plug.so again >out
is "$? $(sdt | grep -c turn)" "7 100000" "of the program of a child"
run -e +sdt:other:none ./world ./plug.so >out 2>err
is "$? $(sdt | grep -c .)" "7 0" "nobody wants them: the program is told so"
run -f '*' -e '+sdt:world:*' -e +call ./world ./plug.so >out 2>err
is "$? $(cmp plain out) $(sdt | grep -c turn)" "7  50000" "with functions (-f)"
run -k -e 'sdt:world:turn' ./world ./plug.so >out
like "$("$PTRACE_DUMP" -f json log | grep -m 1 '"sdt:world:turn","addr"')" '"stack":.*each.*"' "with stacks"

# ---- one name, other arguments ----
cat >other.c <<'END'
#include <sys/sdt.h>
int other(const char *at, int n);
int other(const char *at, int n)
{
	DTRACE_PROBE2(app, item, at, n);
	return n;
}
__attribute__((noipa)) int last(void) { return 1; }
END
cat >item.c <<'END'
#include <sys/sdt.h>
int other(const char *at, int n);
__attribute__((noipa)) static int mine(int n)
{
	DTRACE_PROBE1(app, item, n);
	return n;
}
__attribute__((noipa)) int last(void);
int last(void) { return 1; }
int main(int argc, char **argv)
{
	return mine(4) + other(argv[argc], 5) + mine(6) + other(argv[argc], 7);
}
END
$CC -O2 -fPIC -shared -o libother.so other.c && $CC -O2 -o item item.c ./libother.so || exit 1
run -e 'sdt:app:item' ./item
is "$? $(sdt | xargs)" "22 sdt:app:item arg1=4 sdt:app:item.xi arg1=0x0 arg2=5 sdt:app:item arg1=6 sdt:app:item.xi arg1=0x0 arg2=7" \
	"the same name with other arguments, in another file"

# ---- handlers that look at the stack, wherever they interrupt ----
cat >prof.c <<'END'
#define _GNU_SOURCE
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/sdt.h>
#include <sys/time.h>

static volatile int whole, cut;
int main(int argc, char **argv);

static void look(int number)
{
	void *frame[64];
	int nr = backtrace(frame, 64), found = 0;

	(void)number;
	for (int i = 0; i < nr; i++)
		found |= (char *)frame[i] >= (char *)main &&
			 (char *)frame[i] < (char *)main + 400;
	if (found)
		whole++;
	else
		cut++;
}

__attribute__((noipa)) static long leaf(long n)
{
	volatile long kept[4] = {n, n + 1, n + 2, n + 3};

	DTRACE_PROBE2(prof, leaf, n, kept[1]);
	return kept[0] + kept[3];
}

__attribute__((noipa)) static long deep(long n, int depth)
{
	long sum = depth ? deep(n, depth - 1) : leaf(n);

	DTRACE_PROBE1(prof, deep, sum);
	return sum + 1;
}

int main(int argc, char **argv)
{
	const struct itimerval often = {{0, 1000}, {0, 1000}};
	long sum = 0;
	void *first[1];

	(void)argv;
	backtrace(first, 1);
	signal(SIGPROF, look);
	setitimer(ITIMER_PROF, &often, NULL);
	for (long i = 0; whole + cut < 200 * argc; i++)
		sum += deep(i, 3) & 1;
	printf("%d cut\n", cut);
	return sum < 0;
}
END
for flags in -O0 -O2; do
	$CC $flags -o prof prof.c || exit 1
	is "$(run -b 4M --snapshot -e 'sdt:prof:*' ./prof)" "0 cut" \
		"$flags: stacks from signal handlers"
done

# ---- LD_PRELOAD alone ----
is_complete() {
	dump 2>/dev/null | grep -q posix_trace_stop
}
rm log
LD_PRELOAD=$LIBPTRACE PTRACE_OUTPUT=$T/log PTRACE_PROBES='sdt:kinds:leaf' ./kinds >out
wait_for is_complete
is "$(sdt | grep -c leaf)" 1000 "LD_PRELOAD and PTRACE_PROBES"
