#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --probes-list and -e sdt:...: notes that lie, or are damaged, are
# refused, and it is said; the program runs.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/sdt.sh"
need python3
plan 24

cat >victim.c <<'END'
#include <stdio.h>
#include <sys/sdt.h>
int main(int argc, char **argv)
{
	(void)argv;
	DTRACE_PROBE1(app, here, argc);
	puts("runs");
	return 5;
}
END
$CC -O2 -o victim victim.c

# lie.py HOW: victim, as `lie', with another note.
cat >lie.py <<'END'
import struct, sys
how = sys.argv[1]
data = bytearray(open('victim', 'rb').read())
headers, = struct.unpack_from('<Q', data, 40)
nr, names = struct.unpack_from('<HH', data, 60)
strings, = struct.unpack_from('<Q', data, headers + 64 * names + 24)
for i in range(nr):
    at = headers + 64 * i
    name = strings + struct.unpack_from('<I', data, at)[0]
    if data[name:data.index(0, name)] == b'.dynamic':
        relro, = struct.unpack_from('<Q', data, at + 16)
    if data[name:data.index(0, name)] == b'.note.stapsdt':
        break
place, size = struct.unpack_from('<QQ', data, at + 24)

def note(arguments=b'-4@%edi', pc=None, sema=None, provider=b'app', name=b'here', desc=None, end=b'\0'):
    pc0, base, sema0 = struct.unpack_from('<QQQ', data, place + 20)
    body = struct.pack('<QQQ', pc0 if pc is None else pc, base,
                       sema0 if sema is None else sema)
    body += provider + b'\0' + name + b'\0' + arguments + end
    return (struct.pack('<III', 8, len(body) if desc is None else desc, 3) +
            b'stapsdt\0' + body + b'\0' * (-len(body) % 4))

# At the end of the file.
new = {
    'truncated': lambda: note()[:30],
    'header': lambda: note()[:7],
    'huge': lambda: note(desc=0xfffffff0),
    'short': lambda: note(desc=20),
    'unended': lambda: note(end=b'', arguments=b'x' * 24),
    'empty': lambda: note(provider=b''),
    'odd': lambda: note(name=b'a\tb'),
    'long': lambda: note(name=b'n' * 5000),
    'outside': lambda: note(pc=0x7fffffffffff),
    'data': lambda: note(pc=0x4000),
    'inside': lambda: note(pc=struct.unpack_from('<Q', data, place + 20)[0] + 3),
    'semaphore': lambda: note(sema=0x7ffffffffff0),
    'code': lambda: note(sema=struct.unpack_from('<Q', data, place + 20)[0] & ~1),
    'relro': lambda: note(sema=relro),
    'arguments': lambda: note(arguments=b'4@%ezz -4@ 3@%rax 8@(%rax,%rsp,4) 8@no(%rip) f@1 99999999999999999999@%rax 4@%xmm99 8@12(%eax) -4@$7'),
    'wild': lambda: note(arguments=b'8@(%rsp,%rdi,8) 8@-1(%rdi) 8@1234567890123(%rdi)'),
    'many': lambda: note(arguments=b' '.join(b'-4@$%d' % i for i in range(40))),
    'same': lambda: note() * 3000,
    'none': lambda: b'',
}[how]()
struct.pack_into('<QQ', data, at + 24, len(data), len(new))
open('lie', 'wb').write(data + new)
END

# lie HOW: `lie'; listed, into out and err, and run, whose result is $ran.
lie() {
	python3 lie.py "$1" && chmod +x lie || exit 1
	timeout 60 "$PTRACE_RUN" --probes-list ./lie >out 2>err
	listed=$?
	ran=$(timeout 60 "$PTRACE_RUN" -q -o log -e 'sdt:*' ./lie 2>&1 >ran.out; echo " $?")
	ran="$(tail -n 1 ran.out) ${ran##* }"
}

for how in truncated header huge short unended empty odd long; do
	lie $how
	is "$ran $listed $(grep -c 'lie: [12] of its notes of probes cannot be read' err)" \
		"runs 5 125 1" "$how: said, and it runs"
done
for how in outside data; do
	lie $how
	is "$ran $(grep -c 'its note leads to no code' out)" "runs 5 1" "$how"
done
lie inside
is "$ran $(grep -c refused: out)" "runs 5 1" "into another instruction"
for how in semaphore code relro; do
	lie $how
	is "$ran $(sdt | grep -c .)" "runs 5 1" "$how: is not written to"
done
lie arguments
is "$ran $(grep -o 'is not understood' out | wc -l)" "runs 5 9" "arguments that are none"
is "$(sdt)" "sdt:app:here arg10=7" "... and one that is"
lie wild
is "$ran $(sdt | grep -o '=0xADDRESS\|=0x[0-9a-f]*' | tail -n 1)" "runs 5 =0x0" \
	"memory that cannot be read"
lie many
is "$ran $(grep -c 'more than 12 arguments' out) $(sdt | grep -c 'arg12=11$')" \
	"runs 5 1 1" "too many"
lie same
is "$ran $(grep -c '^0x' out) $(sdt | grep -c .)" "runs 5 3000 3000" "3000 at one place"
lie none
is "$ran $listed" "runs 5 125" "no note"

# Another machine's, and no program.
mkdir sys && cp /usr/include/*/sys/sdt*.h sys/ 2>/dev/null
if command -v aarch64-linux-gnu-gcc >/dev/null &&
	aarch64-linux-gnu-gcc -I. -O2 -o other victim.c 2>err; then
	is "$(status "$PTRACE_RUN" --probes-list ./other)" 0 "another machine's"
	nr=$(grep -c '^0x' out)
	is "$((nr > 0)) $(grep -c 'refused: probes only of x86-64' out)" \
		"1 $nr" "... are refused"
else
	skip "another machine's" "no compiler" 2
fi
is "$(status "$PTRACE_RUN" --probes-list ./victim.c)" 126 "no program"

# Patches that lie: what would be written is not.
libexec=$(dirname "$PTRACE_RUN")/../libexec/libptrace
$CC -O2 -I"$abs_top_srcdir" -o lies "$abs_top_srcdir/t/run/functions-lies.c" || exit 1
mkdir -p libexec/libptrace lib
cp "$libexec/ptrace-monitor" libexec/libptrace/
cat >libexec/libptrace/ptrace-functions <<END
#!/bin/sh
"$(realpath "$libexec/ptrace-functions")" "\$@" >"$T/patches"
"$T/lies" "\$SEED" <"$T/patches"
END
chmod +x libexec/libptrace/ptrace-functions
LD_LIBRARY_PATH=$(dirname "$LIBPTRACE")
export LD_LIBRARY_PATH
ln -s "$LIBPTRACE" lib/libptrace.so
for seed in $(seq 2000 2015); do
	SEED=$seed libexec/libptrace/ptrace-monitor -q -o log -e 'sdt:app:*' ./victim >ran.out 2>err
	echo "$? $(cat ran.out err) $(sdt | grep -c .) $(dump -n call:unhooked |
		grep -c 'probes are damaged')"
done | sort | uniq -c | sed 's/^ *//' >seen
is "$(cat seen)" "16 5 runs 0 1" "patches that lie are not written"
