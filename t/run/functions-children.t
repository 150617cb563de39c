#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run -f: functions inside the programs that COMMAND starts, which nobody
# has named: each process asks for what is to be written into its memory.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "x86-64 only"
CC=${CC:-cc}
need "${CC%% *}"
todo_coverage "counters of gcov within the functions"
source=$abs_top_srcdir/t/run
plan 16

# calls NAME: of a function of that name in $T/log.
calls() {
	"$PTRACE_DUMP" -f json log |
		grep -c '"name":"call:enter".*"function":"'"$1"'(*)*"'
}

# reasons: why something is not traced, of which nothing else is known.
reasons() {
	"$PTRACE_DUMP" -f json log |
		sed -n 's/.*"call:unhooked".*"slots":-1,"reason":"\([^"]*\)".*/\1/p'
}

$CC -O2 -o known "$source/functions-known.c"
cat >outer.c <<'END'
__attribute__((noinline)) int outer(int n) { return n * 3 + 1; }
END
cat >uses.c <<'END'
int outer(int n);
int main(void) { return outer(7); }
END
$CC -O2 -fPIC -shared -o libouter.so outer.c
$CC -O2 -o uses uses.c -L. -louter -Wl,-rpath,"$T"
./known >plain

# A shell, a script, an interpreter that is named by "#!".
run -f '*' sh -c './known; ./known' >out
is "$? $(cmp -n "$(wc -c <plain)" plain out) $(calls fib)" "3  930" \
	"what a shell starts"
cat >script <<'END'
#!/bin/sh
./known && :
./uses
END
chmod +x script
run -f '*' ./script >out 2>err
is "$? $(calls fib) $(calls main)" "22 465 2" "what a script starts"
run -f 'known:fib' -f 'libouter:*' ./script >out 2>err
is "$? $(calls fib) $(calls outer) $(calls main)" "22 465 1 0" \
	"by the object, a library's, too"
run --entry-only -f 'known:fib' ./script >out 2>err
is "$(calls fib) $(count call:exit)" "465 0" "--entry-only"
run -f '*' env -i ./known >out
is "$? $(cmp plain out)" "3 " "without an environment"
run -f '*' setpriv --no-new-privs ./known >out
is "$? $(calls fib)" "3 465" "without new privileges"

# Not by a name that the controller sees: the file goes with the question.
mkdir hidden
if unshare -m true 2>/dev/null; then
	run -f 'known:*' unshare -m sh -c \
		'mount -t tmpfs none hidden && cp known hidden/ && hidden/known' >out
	# Who reads the log does not see the file, which has the names.
	is "$? $(count call:enter)" "3 931" "in a mount namespace of its own"
else
	skip "in a mount namespace of its own" "no namespaces"
fi

# The file is another one by then.
cat >replace <<'END'
#!/bin/sh
cp known moves
./moves
cp uses moves
./moves
END
chmod +x replace
run -f 'moves:*' ./replace >out
is "$? $(count call:enter)" "22 932" "of one name, one after the other" ||
	diag "$(reasons)"

# What cannot be asked for is told, and the program runs.
run -f 'known:*' "$VICTIMS/victim-refuse" sched_yield EPERM ./known >out
is "$? $(cmp plain out) $(calls fib)" "3  0" "behind a filter of system calls"
is "$(reasons)" "known: a filter of system calls is there" "which is told"
if [ "$(id -u)" = 0 ]; then
	chmod 755 "$T"
	chmod 711 known
	mkdir open && chmod 777 open
	setpriv --reuid=65534 --regid=65534 --clear-groups "$PTRACE_RUN" -q \
		-o open/log -f 'sh:*' -f 'known:*' sh -c './known; exit $?' >out
	status=$?
	cp open/log log
	is "$status $(cmp plain out) $(calls fib) $(reasons)" \
		"3  0 known: its file cannot be read" \
		"what may only be executed"
	chmod 755 known
else
	skip "what may only be executed" "not root"
fi

# The controller is killed: the next one answers at the same place.
mkfifo go there
cat >waits <<'END'
#!/bin/sh
./known
echo >there
read -r line <go
./known
END
chmod +x waits
"$PTRACE_RUN" -q -o log -f 'known:fib' ./waits >out &
pid=$!
read -r _ <there
for process in /proc/[0-9]*/task/[0-9]*/children; do
	parent=${process#/proc/}
	parent=${parent%%/*}
	grep -qx ptrace-guardian "/proc/$parent/comm" 2>/dev/null || continue
	tr '\0' ' ' <"/proc/$parent/cmdline" | grep -q "$T\|./waits" || continue
	guardian=$parent
done
killed=$(cat "/proc/$guardian/task/$guardian/children")
killed=${killed%% *}
kill -9 "$killed"
another() {
	next=$(cat "/proc/$guardian/task/$guardian/children")
	next=${next%% *}
	[ -n "$next" ] && [ "$next" != "$killed" ]
}
wait_for another
echo go >go
wait $pid
is "$? $(calls fib)" "3 930" "a controller that was killed has another" ||
	diag "$(reasons)"

# A question that is none: nothing of it stays open in the controller.
cat >questions.py <<'END'
import array, glob, os, socket
ours = []
for proc in glob.glob("/proc/[0-9]*"):
    try:
        if (open(proc + "/comm").read() in ("ptrace-monitor\n", "ptrace-guardian\n")
                and b"questions.py" in open(proc + "/cmdline", "rb").read()):
            ours.append(proc[6:])
    except OSError:
        pass
path = [p for p in glob.glob("/dev/shm/ptrace-%d*/ask.*" % os.geteuid())
        if p.split(".")[-1] in ours][0]
wrong = [os.open("/dev/null", os.O_RDONLY) for _ in range(2)]
for nr in (0, 1, 2) * 20:
    ask = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ask.connect(path)
    files = array.array("i", wrong[:nr])
    ask.sendmsg([b"?" * 4104], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, files)])
    try:
        ask.recv(1)
    except ConnectionResetError:
        pass
print(sum(os.readlink(f) == "/dev/null" for pid in ours
          for f in glob.glob("/proc/%s/fd/[3-9]*" % pid)))
END
if command -v python3 >/dev/null && [ "$(id -u)" = 0 ]; then
	is "$(run -f 'known:fib' sh -c 'python3 questions.py; ./known >/dev/null
		exit $?'; echo $?) $(calls fib)" "0
3 465" "questions that are none"
else
	skip "questions that are none" "no python3, or not root"
fi

# Many at once: each file is looked at once, and all get it.
cat >many <<'END'
#!/bin/sh
i=0
while [ $i -lt 40 ]; do
	./known >/dev/null &
	i=$((i + 1))
done
wait
END
chmod +x many
run -f 'known:fib' ./many
is "$? $(calls fib) $(reasons)" "0 18600 " "forty at once"
# Of other tests there may be, by the numbers of their controllers.
left=$(find /dev/shm/ -name 'ask.*' -newer many 2>/dev/null |
	while read -r socket; do
		kill -0 "${socket##*.}" 2>/dev/null || echo "$socket"
	done)
is "$left" "" "no socket is left behind"
"$PTRACE_RUN" -o log -f 'known:fib' ./script >out 2>err
is "$(grep -c "not in COMMAND nor a library that it needs: 'known'" err)" 1 \
	"that it is none of COMMAND's is said"
