#!/bin/sh
# SPDX-License-Identifier: MIT
# A trace that starts beside hundreds of processes of another one asks the
# kernel about some of them, not about all.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need strace
plan 4

# Beside so many children, which wait for as long as the pipe is open.
cat >beside <<'EOF'
mkfifo hold
exec 3<>hold
i=0
while [ $i -lt 600 ]; do
	(exec 3<&-; read -r _ <hold) &
	i=$((i + 1))
done
./other-trace
exec 3<&-
wait
EOF

cat >other-trace <<'EOF'
#!/bin/sh
strace -f -qq -o calls -e trace=kill,openat "$PTRACE_RUN" -q -o other true
EOF
chmod +x other-trace
export PTRACE_RUN
run sh ./beside
is $? 0 "a trace beside 600 processes"
kills=$(grep -c 'kill(' calls)
stats=$(grep -c '"/proc/[0-9]*/stat"' calls)
[ "$kills" -lt 400 ]
ok $? "few are asked for by number" || diag "$kills"
[ "$stats" -lt 100 ]
ok $? "of fewer /proc is read" || diag "$stats"
is "$(dump --info | sed -n 's/^lost: *//p')" 0 "nothing of theirs is lost"
