#!/bin/sh
# SPDX-License-Identifier: MIT
# A log keeps the names of functions whose programs are gone by then: removed,
# replaced, made by a JIT; and of all with --symbols.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
command -v cc >/dev/null || skip_all "no compiler"
plan 22

cat >program.c <<'END'
#include <dlfcn.h>
#include <fcntl.h>
__attribute__((noinline)) int inner(const char *path)
{
	return open(path, O_RDONLY) + 1;
}
__attribute__((noinline)) int outer(const char *path)
{
	return inner(path) * 2;
}
int main(int argc, char **argv)
{
	void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW) : 0;
	int (*in_library)(const char *);

	if (library) {
		in_library = (int (*)(const char *))dlsym(library, "outer");
		return in_library("/none") * 0;
	}
	return outer("/none");
}
END
cc -g -O1 -o whole program.c || skip_all "the compiler fails"
cc -O1 -shared -fPIC -o library.so program.c || skip_all "no libraries"
# The two innermost functions of what opens /none.
frames() {
	dump "$@" -f json -w 'path == "/none"' |
		sed -n 's/.*"stack":\[\([^]]*\)\].*/\1/p' |
		tr ',' '\n' | sed -n 's/^"\([a-z]*\)+.*/\1/p' | head -n 2 |
		tr '\n' ' '
}
text() {
	"$PTRACE_DUMP" -w 'path == "/none"' log
}
gone() {
	cp whole gone
	run -k -e file "$@" sh -c './gone; rm gone'
}

gone
is "$(frames)" "inner outer " "of a program that was removed"
like "$(text)" 'inner \(program\.c:5\)' "and its lines"
is "$(dump --info | sed -n 's/^symbols-kept: *//p')" 1 "it is the only one"
like "$(dump --info)" '^log-state: *complete$' "the log is complete"
is "$(dump --info | sed -n 's/^log-size: *//p')" "$(wc -c <log)" "its size"
cp log elsewhere && rm log && mv elsewhere log
is "$(frames)" "inner outer " "in a copy of the log"
is "$(frames --no-symbols)" "" "--no-symbols shows none"
gone --symbols=none
is "$(frames) $(dump --info | grep -c '^symbols-kept')" " 0" "--symbols=none"

cp whole there
run -k -e file sh -c './there; cp whole other; strip other; mv other there'
is "$(frames)" "inner outer " "of one that was replaced"
run -k -e file ./whole "./library.so"
rm library.so
is "$(frames)" "inner outer " "of a library, by a relative path, removed later"
like "$(dump -f json -n dl:map -w 'path ~ "*library.so"')" \
	"\"path\":\"$(pwd -P)/library.so\"" "which the log has in full"

# Not in a place where files are passing.
run -k -e file cat /none
is "$(dump --info | grep -c '^symbols-kept')" 0 "nothing of what stays"
run --symbols -k -e file cat /none
like "$(dump --info | sed -n 's/^symbols-kept: *//p')" '^[2-9]$' \
	"--symbols: all"
is "$(run --symbols=some true 2>&1 | head -n 1)" \
	"ptrace-run: --symbols: 'some' is not one of auto, all, none" "wrong usage"

# What a JIT says of its code.
cat >jit.c <<'END'
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
/* push %rbx; mov 2(%rdi) ...: calls open(path, 0), as code that was made. */
static const unsigned char code[] = {0x53, 0x48, 0x89, 0xf8, 0x48, 0x89, 0xf7,
				     0x31, 0xf6, 0xff, 0xd0, 0x5b, 0xc3};
int main(void)
{
	unsigned char *made = mmap(0, 4096, PROT_READ | PROT_WRITE, 0x22, -1, 0);
	int (*call)(int (*)(const char *, int, ...), const char *);
	char path[64];
	FILE *map;

	memcpy(made, code, sizeof(code));
	mprotect(made, 4096, PROT_READ | PROT_EXEC);
	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	map = fopen(path, "w");
	fprintf(map, "%lx %zx jit_compiled one\n", (long)made, sizeof(code));
	fclose(map);
	memcpy(&call, &made, sizeof(made));
	return call(open, "/none") != -1;
}
END
if [ "$(uname -m)" = x86_64 ] && cc -o jit jit.c; then
	run -k -e file ./jit
	map=$(dump -f json -n process:start | sed -n 's/.*"pid":\([0-9]*\).*/\1/p')
	rm -f "/tmp/perf-$map.map"
	like "$(dump -f json -w 'path == "/none"')" \
		'"sym":"jit_compiled one\+0x[0-9a-f]* \(JIT\)"' "of a JIT's code"
	like "$(text)" 'at jit_compiled one' "as text"
else
	ok 0 "of a JIT's code # skip another machine"
	ok 0 "as text # skip another machine"
fi

# A log with a packet that is damaged, and one that claims much.
gone
size=$(($(wc -c <log) - 400))
printf 'xxxxxxxxxxxxxxxxxxxxxxxx' |
	dd of=log bs=1 seek=$size conv=notrunc 2>/dev/null
"$PTRACE_DUMP" log >out 2>&1
is "$? $(grep -c 'openat.*/none' out)" "0 1" "damaged: the events are there"
is "$(frames)" "" "without names"

# The ends of compressed logs, and of what is read from a pipe.
cp whole gone
"$PTRACE_RUN" -q -k -e file --compress -o packed sh -c './gone; rm gone'
mv packed log
if dump --info >/dev/null 2>&1; then
	is "$(frames)" "inner outer " "of a compressed log"
else
	ok 0 "of a compressed log # skip no zstd"
fi
gone
is "$("$PTRACE_DUMP" -f json - <log | grep -c '"sym":"inner+')" 1 "from standard input"

# Cut in the header of what it keeps, of which not even the size is there then.
cp /bin/true kept
"$PTRACE_RUN" -q --symbols=all -e process -o cut.log ./kept
end=$(grep -abo -m 1 'symbols:' cut.log | head -n 1 | cut -d : -f 1)
for behind in 20 28 40; do
	head -c $((end - behind)) cut.log >part.log
	"$PTRACE_DUMP" part.log >other 2>err
	echo "$? $(grep -c damaged err)"
done >said
is "$(sort -u said)" "1 1" "cut in front of a name: it is damaged"

# A disk on which they have no room.
if unshare -m true 2>other; then
	mkdir -p small
	# shellcheck disable=SC2016 # that shell's
	got=$(unshare -m sh -c '
		mount -t tmpfs -o size=48k small small || exit 9
		"$1" --strict --symbols=all -e process -o small/log "$2" -c : 2>&1
		echo "$?"' small "$PTRACE_RUN" "$(command -v sh)")
	like "$(echo "$got" | tr '\n' ' ')" \
		'does not keep all names of functions .*: No space left on device.*125 $' \
		"no room for them: said, and --strict fails"
else
	skip "no room for them: said, and --strict fails" "no namespaces"
fi
