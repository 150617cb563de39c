#!/bin/sh
# SPDX-License-Identifier: MIT
# Who stops ptrace-dump finds the first events in an export that has an end; who
# waits at a terminal is told how far it is; and what cannot be written to its end
# is not there.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/export.sh"
need python3
plan 22

run "$VICTIMS/victim-ticks" 50000

# The pipe is full when the signal comes, so most events are still to come.
cat >interrupt.py <<'END'
import signal, subprocess, sys
form, number = sys.argv[1], getattr(signal, sys.argv[2])
dump = subprocess.Popen(
    [sys.argv[3], "-f", form, "log"], stdout=subprocess.PIPE,
    stderr=subprocess.PIPE,
    preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
first = dump.stdout.read(1)
dump.send_signal(number)
with open("export", "wb") as file:
    file.write(first + dump.stdout.read())
said = dump.stderr.read().decode().split()
print("by", -dump.wait() == number, " ".join(said[:4]))
with open("count", "w") as file:
    print(said[4], file=file)
END
for format in json chrome perfetto; do
	case $format in
	json) number=SIGINT ;;
	chrome) number=SIGTERM ;;
	*) number=SIGHUP ;;
	esac
	is "$(python3 interrupt.py $format $number "$PTRACE_DUMP")" \
		"by True ptrace-dump: interrupted: the first" \
		"$format: dies by $number, and says so"
	count=$(cat count)
	[ "$count" -gt 0 ] && [ "$count" -lt 50000 ]
	ok $? "$format: before the end"
	json log | head -n "$count" >events
	case $format in
	json)
		cmp -s export events
		ok $? "json: the first events"
		;;
	*)
		"$abs_top_srcdir/t/run/check-$format" export events >results
		grep '^fail' results >bad
		is "$(grep -c '^pass as many\|^pass the same\|^pass what begins ends' \
			results) $(cat bad)" "3 " "$format: the first events"
		;;
	esac
done
sh -c "trap '' TERM; \"\$@\"" sh "$PTRACE_DUMP" -f chrome log |
	python3 -c 'import json, sys; json.load(sys.stdin)'
ok $? "a signal that is ignored stays so"

# A terminal for stderr; what is written is read slowly until it says something.
cat >terminal.py <<'END'
import os, pty, select, subprocess, sys
master, slave = pty.openpty()
dump = subprocess.Popen([sys.argv[1], "-f", "json", "log"],
                        stdout=subprocess.PIPE, stderr=slave)
os.close(slave)
said = b""
while not said and dump.stdout.read(4096):
    if select.select([master], [], [], 0.05)[0]:
        said += os.read(master, 1000)
while dump.stdout.read(1 << 20):
    while select.select([master], [], [], 0)[0]:
        try:
            said += os.read(master, 1000)
        except OSError:
            break
try:
    while True:
        said += os.read(master, 1000)
        if not said:
            break
except OSError:
    pass
print(dump.wait(), said.split(b"\x1b[K")[1].decode().strip().rstrip("0123456789"))
print(repr(said.split(b"\x1b[K")[-1]))
END
python3 terminal.py "$PTRACE_DUMP" >said
like "$(sed -n 1p said)" '^0 ptrace-dump: [0-9]+ of 500[0-9]+ events \([0-9]+ %\)' \
	"at a terminal it says how far it is"
is "$(sed -n 2p said)" "b''" "... and nothing of it is left"
is "$(dump -f json 2>&1 >/dev/null)" "" "elsewhere it does not"

# limited FORMAT: files of more than 4 KiB or 8 cannot be written.
limited() {
	(
		ulimit -f 8
		dump -f "$1" -o export 2>err
		echo $?
	)
}
for format in text json chrome perfetto ctf; do
	is "$(limited $format) $(find . -name export)" "1 " \
		"$format: nothing is left of what could not be written"
done
mkdir export
is "$(limited ctf) $(ls -A export)" "1 " "a directory that was there is empty"
rm -rf export
is "$("$PTRACE_DUMP" -f ctf -o export log log >out 2>&1; ls export)" "1
2" "two logs, two traces"
rm -rf export
(
	ulimit -f 8
	"$PTRACE_DUMP" -f ctf -o export log log 2>/dev/null
)
[ ! -e export ]
ok $? "... of which nothing is left either"
like "$(head -n 1 err)" 'cannot write .*: File too large' "why is said"
