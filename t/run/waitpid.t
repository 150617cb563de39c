#!/bin/sh
# SPDX-License-Identifier: MIT
# Who waits for children is recorded: for which, what was told, how long it took;
# by whatever function of libc.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
plan 4

# Not a script that looks for it, and waits for others.
python=$(python_itself)

cat >waits.py <<'END'
import json, os, signal
said = []
def told(options, pid, status=None):
    said.append([options, pid, status])
def child(what):
    pid = os.fork()
    if pid == 0:
        what()
        os._exit(3)
    return pid
def stop():
    os.kill(os.getpid(), signal.SIGSTOP)
pid = child(lambda: None)
os.waitpid(pid, 0)
told("0", pid, "exited 3")
pid = child(lambda: signal.pause())
os.waitpid(-1, os.WNOHANG)
told("WNOHANG", 0)
os.kill(pid, signal.SIGKILL)
os.wait4(-1, 0)
told("0", pid, "killed SIGKILL")
def stop_and_wait():
    stop()
    signal.pause()
pid = child(stop_and_wait)
os.waitpid(pid, os.WUNTRACED)
told("WUNTRACED", pid, "stopped SIGSTOP")
os.kill(pid, signal.SIGCONT)
os.waitpid(pid, os.WCONTINUED)
told("WCONTINUED", pid, "continued")
os.kill(pid, signal.SIGKILL)
os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
told("WEXITED|WNOWAIT", pid, "killed SIGKILL")
os.waitid(os.P_ALL, 0, os.WEXITED)
told("WEXITED", pid, "killed SIGKILL")
try:
    os.wait()
except ChildProcessError:
    told("0", -1, "ECHILD")
json.dump(said, open("said", "w"))
END
cat >same.py <<'END'
import json, sys
got = []
for line in sys.stdin:
    e = json.loads(line)
    args = e["args"]
    got.append([args["options"], args["ret"],
                args.get("errno") or args.get("status")])
want = json.load(open("said"))
print("same" if got == want else "%s\n%s" % (got, want))
END
run -e process,sync "$python" waits.py
is "$("$PTRACE_DUMP" -f json -n sync:waitpid log |
	python3 same.py)" same "what each was told"
run -e process,sync sh -c 'sleep 0.5; true'
is "$("$PTRACE_DUMP" -f json --slower 100ms -n sync:waitpid log | wc -l)" 1 \
	"how long it took"
like "$("$PTRACE_DUMP" --slower 100ms -n sync:waitpid log)" \
	' waitpid\(-1, 0\) = [0-9]+ \{exited 0\}' "as strace shows it"
run sh -c 'sleep 0; true'
is "$("$PTRACE_DUMP" -n sync:waitpid log | wc -l)" 0 "not if it was not asked for"
