#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-run --reach static: what static programs do is recorded as of others,
# and what they start is traced; they do what they do without, whoever is killed.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/reach.sh"
reach=static
need_seize
CC=${CC:-cc}
need "${CC%% *}" grep readelf sort
source=$abs_top_srcdir/t/run
build_static known "$source/reach-static.c" || skip_all "no static C library"
plan 42

same "a static program" ./known
has 1 '"name":"process:start"' '"argv":["./known"]'
has 1 '"name":"file:open"' '"path":"made"'
has 1 '"name":"file:unlink"' '"path":"made"'
has 500 '"path":"/in-thread-0"' '"errno":"ENOENT"'
has 500 '"path":"/in-thread-7"'
has 1 '"path":"/after"' '"program":"known"'
has 1 '"path":"/in-fork"'
grep -qF '"path":"/in-handler"' all
ok $? "... of a handler"
has 3 '"name":"process:fork"'
has 1 '"name":"process:exec"' '"path":"/bin/sh"'
has 1 '"name":"process:exec_failed"' '"path":"/bin/none"'
has 1 '"name":"process:start"' '"argv":["sh","-c","exit 4"]'
is "$(sed -n 's/.*"name":"process:exit".*"status":\([0-9]*\).*/\1/p' all |
	sort | tr '\n' ' ')" "3 4 5 " "... each end"
has 1 '"name":"process:exit"' '"signal":9'
is "$(info processes) $(info not-traced)" "4 0" "... of which all is traced"
same "one that a shell starts" sh -c './known; exit $?'
has 1 '"path":"/after"' '"program":"known"'
same "one static program becomes another" ./known ./known
has 2 '"name":"process:start"' '"argv":["./known"'
has 1 '"path":"/after"'
same "a program that is not there" ./known ./none
has 1 '"name":"process:exec_failed"' '"path":"./none"'

# Without the option, and where it cannot be.
"$PTRACE_RUN" -q --reach raw -e process,file -o log ./known >traced.out
dump -f json >all
has 0 '"path":"/after"'
has 1 '"name":"process:untraced"' '"reason":"static"'
cp known set
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null && chmod 4755 set; then
	chmod 755 . && mkdir -m 777 nobody && cd nobody || exit 1
	ours=$PTRACE_RUN
	cat >as-nobody <<END
#!/bin/sh
exec setpriv --reuid 65534 --clear-groups "$ours" "\$@"
END
	chmod 755 as-nobody
	PTRACE_RUN=./as-nobody
	same "another user" "$T/known"
	cp log .. && dump -f json >all
	has 1 '"path":"/after"'
	same "set-user-ID, for another" "$T/set"
	cp log .. && dump -f json >all
	has 0 '"path":"/after"'
	has 1 '"name":"process:untraced"' '"reason":"setuid'
	PTRACE_RUN=$ours
	cd .. || exit 1
	same "set-user-ID, for its user" ./set
	has 0 '"path":"/after"'
else
	skip "another user" "not root, or no setpriv" 7
fi

# The controller and its guardian are gone before the program begins.
cat >begin.sh <<'END'
controller=$(ls /dev/shm/ptrace-*/ask.* | sed 's/.*ask\.//')
guardian=$(sed -n 's/^PPid:[[:space:]]*//p' "/proc/$controller/status")
kill -9 $guardian $controller
./known
END
./known >plain.out
"$PTRACE_RUN" -q --reach static -e process -o log sh begin.sh >traced.out \
	2>/dev/null
cmp plain.out traced.out
ok $? "nobody is there to ask: as without"

if command -v busybox >/dev/null && ! ldd "$(command -v busybox)" >/dev/null 2>&1
then
	busybox=$(command -v busybox)
	cat >script <<END
#!$busybox sh
for i in 1 2 3; do $busybox echo hello \$i | $busybox cat; done
/bin/true
exit 6
END
	chmod +x script
	same "a script of busybox" ./script
	has 7 '"name":"process:start"' '"program":"busybox"' '"argv":["'"$busybox"
	has 1 '"name":"process:start"' '/bin/true'
	is "$(info not-traced)" 0 "... of which all is traced"
else
	skip "a script of busybox" "no static busybox" 4
fi

if ! command -v go >/dev/null; then
	skip "programs of Go" "no go" 7
	exit
fi
HOME=$T GOCACHE=$T/cache GO111MODULE=off
export HOME GOCACHE GO111MODULE
grep -v '^import "C"' "$source/reach-go.go" >gone.go
CGO_ENABLED=0 go build -o gone gone.go || exit 1
same "a program of Go's" ./gone
has 3000 '"name":"file:stat"' '"path":"/none"'
has 10 '"name":"process:start"' '"argv":["echo","child",'
has 1 '"name":"process:exit"' '"status":5'
is "$(info not-traced)" 0 "... of which all is traced"
