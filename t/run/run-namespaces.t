#!/bin/sh
# SPDX-License-Identifier: MIT
# One log has processes of several pid namespaces: a process is not taken for
# another one that has its number elsewhere, and the tree of all is whole.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
need unshare
need nsenter
# A command in front: a user may make namespaces then, and keeps the uid.
may=
[ "$(id -u)" = 0 ] || may="unshare -Uc --keep-caps"
$may unshare -pf true 2>/dev/null || skip_all "no pid namespaces here"
plan 46

# births: of each process of a new namespace the number outside, and its own.
births() {
	dump -f json -n process:fork | sed -n 's/.*"args":{"pidns":\([0-9]*\)'\
',"nspid":\([0-9]*\),"child":\([0-9]*\)}.*/\3 \2@\1/p'
}

# start NAMESPACE: what its first process:start says of it and the number there.
start() {
	dump -f json -n process:start | grep "\"pidns\":$1,\"id\"" | sed -n \
		'1s/.*"pidns":\([0-9]*\),"nspid":\([0-9]*\)}.*/\2@\1/p'
}

# ends OPTION...: the exit statuses of those processes.
ends() {
	dump -n process:exit "$@" | sed -n 's/.* status=\([0-9]*\).*/\1/p'
}

# tree NAME: what the log says of its processes is one whole story.
tree() {
	dump -f json >events 2>err &&
		"$abs_top_srcdir/t/run/check-tree" <events >wrong
	ok $? "$1: the tree is whole" || diag "$(cat err wrong)"
}

# What the first process of a namespace prints: its number outside, which /proc
# still shows, and its namespace.
# shellcheck disable=SC2016
tell='read -r pid _ </proc/self/stat
	echo $pid $(stat -Lc %i /proc/self/ns/pid)'

# Two at once, of different programs; the second begins last and ends first.
sh=$(readlink -f "$(command -v sh)")
cp "$sh" other
mkfifo first end
# shellcheck disable=SC2016,SC2086
run $may sh -c '
	unshare -pf sh -c "$1 >first; read -r _ <end; (exit 4); exit 3" &
	a=$!
	read -r one <first
	unshare -pf ./other -c "$1; (exit 6); exit 5" >second
	echo >end
	wait $a
	echo "$one" $(cat second)' sh "$tell" >out </dev/null
read -r pid1 ns1 pid2 ns2 <out
[ "$ns1" != "$ns2" ]
ok $? "two namespaces"
for n in 1 2; do
	pid=$pid1 ns=$ns1 exits=3 inner=4 program=${sh##*/}
	[ $n = 1 ] || pid=$pid2 ns=$ns2 exits=5 inner=6 program=other
	is "$(births | grep -c -x "$pid 1@$ns")" 1 \
		"$n: process:fork says what fork() returned, and who it is"
	is "$(start "$ns")" "1@$ns" \
		"$n: process:start says the namespace and the number there"
	is "$(dump -p "1@$ns" | cut -d ' ' -f 2 | sort -u)" "1@$ns/1" \
		"$n: each line says whose number it is"
	is "$(ends -p "$pid")" "$exits" "$n: -p takes the number outside"
	is "$(ends -p "1@$ns")" "$exits" "$n: -p takes the number there"
	is "$(dump -f json -n process:exit | sed -n \
		"s/.*\"pidns\":\([0-9]*\).*\"status\":$inner.*/\1/p")" "$ns" \
		"$n: a child of it ends in its namespace"
	is "$(dump -p "1@$ns" -n process:fork | sed 's/.*(\(.*\))/\1/' |
		sort -u)" "$program" "$n: addresses are those of its program"
done
is "$(ends -p 1 | sort | tr '\n' ' ')" "3 5 " "-p 1 is both"
is "$(ends -t 1 | sort | tr '\n' ' ')" "3 5 " "-t 1, too"
is "$(ends -t "1@$ns2")" 5 "-t takes a namespace"
is "$(dump -p 1@0)" "" "-p 1@0 is neither"
tree "two at once"

# One after the other: the kernel gives the second the number of the first.
# shellcheck disable=SC2016,SC2086
run $may sh -c 'unshare -pf sh -c "$0; exit 3"; unshare -pf sh -c "$0; exit 4"' \
	"$tell" >out
is "$(ends -p "$(sed -n '1s/ .*//p' out)")" 3 "one after the other: the first"
is "$(ends -p "$(sed -n '2s/ .*//p' out)")" 4 "and the second"

# One in another: its number there is not the one that we see.
# shellcheck disable=SC2016,SC2086
run $may unshare -pf sh -c 'unshare -pf sh -c "sed -n s/^NSpid:.//p \
	/proc/self/status; exit 7"; exit 6' >out
ns=$(births | tail -n 1)
ns=${ns#*@}
is "$(births | tail -n 1)" "3 1@$ns" "in another: what fork() returned there"
is "$(ends -p "1@$ns")" 7 "and how it ended"
tree "one in another"

# Entered from outside, two levels down.
mkfifo there go
# shellcheck disable=SC2016,SC2086
run $may sh -c 'unshare -pf unshare -pf sh -c "$0 >there; read -r _ <go" &
	read -r pid ns <there
	nsenter -p -t "$pid" sh -c "$0; exit 3"
	echo >go
	wait' "$tell" >out
read -r pid ns <out
is "$(births | grep -c -x "$pid [0-9]*@$ns")" 1 "entered: what fork() returned"
is "$(ends -p "$pid")" 3 "and how it ended"
tree "entered"

# Killed: its parent sees how, by the number that the parent knows.
# shellcheck disable=SC2016,SC2086
run $may sh -c 'unshare -pf sh -c "$0 >there; read -r _ <go" &
	read -r pid ns <there
	kill -KILL "$pid"
	wait
	echo "$ns"' "$tell" >out 2>/dev/null
is "$(dump -p "1@$(cat out)" -n process:exit | cut -d ' ' -f 4)" signal=9 \
	"killed: the signal"
tree "killed"

# Process 1 makes two children, each the process 1 of another namespace.
# shellcheck disable=SC2086
run $may unshare -pf --mount-proc "$VICTIMS/victim-namespace" clone-vm >out
is "$? $(births | tail -n 2 | sed 's/@.*//')" "5 $(cat out)" \
	"by a process 1: what fork() returned"
dump -n process:fork | grep -v ' @ '
is $? 1 "by a process 1: each is told when it is made"

# Ended by a program that is not traced: its status is its parent's to tell.
# shellcheck disable=SC2086
run $may unshare -pf env PTRACE_DISABLE=1 sh -c 'exit 9'
is "$(dump -p 1 -n process:exit | cut -d ' ' -f 4)" status=9 "not traced: how"

# Children by other calls.
for way in fork vfork spawn clone clone-vm; do
	# shellcheck disable=SC2086
	run $may "$VICTIMS/victim-namespace" $way >out
	is "$? $(births | sed 's/@.*//')" "5 $(cat out)" \
		"$way: what it returned"
	case $way in
	clone*)
		# The second may have the number of the first, which is gone.
		dump -n process:fork | grep -v ' @ '
		is $? 1 "$way: each is told when it is made"
		;;
	*) tree "$way" ;;
	esac
done

# Its own user's number is mapped after it was made, as unshare -rpf does, and
# rootless containers.
cat >mapped.py <<'EOF'
import ctypes, os
us = os.geteuid()
NEWUSER, NEWPID = 0x10000000, 0x20000000
if ctypes.CDLL(None).unshare(NEWUSER | NEWPID) != 0:
    os._exit(77)
child = os.fork()
if child == 0:
    with open("/proc/self/uid_map", "w") as ids:
        ids.write("%d %d 1" % (us, us))
    os.execv("/bin/sh", ["sh", "-c", "exit 3"])
os._exit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
EOF
run python3 mapped.py 2>err
case $? in
3)
	tree "mapped after it was made"
	is "$(dump -n process:exit -p 1 | cut -d ' ' -f 4)" status=3 \
		"it has one end"
	is "$(dump -f json | grep -c '"pid":0,')" 0 "and no parent 0"
	;;
*) skip "mapped after it was made" "no user namespaces: $(cat err)" 3 ;;
esac
