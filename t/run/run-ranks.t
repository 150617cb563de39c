#!/bin/sh
# SPDX-License-Identifier: MIT
# -o: %h is the host, %p the process, %r the rank, %% a percent sign; so each of
# those that mpirun starts has a log of its own.
# shellcheck disable=SC2016 # the command expands its variables
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 30

for name in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK PALS_RANKID SLURM_PROCID \
	PARALLEL_SEQ; do
	unset "$name"
done
host=$(uname -n | tr -c 'A-Za-z0-9_+.\n-' _)
pid=$("$PTRACE_RUN" -o 'h.%h.%p.%%' sh -c 'echo $$' 2>err)
ok "$([ -n "$pid" ]; echo $?)" "it runs"
is "$(ls h.*)" "h.$host.$pid.%" "host, process, percent sign"
like "$(cat err)" "-> h\.$host\.$pid\.%\$" "the summary names the file"
is "$(status "$PTRACE_DUMP" "h.$host.$pid.%")" 0 "which is a whole log"
for name in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK PALS_RANKID SLURM_PROCID \
	PARALLEL_SEQ; do
	env "$name=17" "$PTRACE_RUN" -q -o "$name.%r" true
	ok "$([ -e "$name.17" ]; echo $?)" "%r by $name"
done
SLURM_PROCID=0 PMI_RANK='../3' "$PTRACE_RUN" -q -o 'of.%r' true
is "$(ls of.*)" "of..._3" "the launcher counts more than the batch system; no path"
PTRACE_OUTPUT='preload.%r.%h' PMI_RANK=5 LD_PRELOAD=$LIBPTRACE /bin/true
wait_for test -s "preload.5.$host"
ok $? "PTRACE_OUTPUT"
PTRACE_MONITOR=/nonexistent PTRACE_OUTPUT='alone.%r' PMI_RANK=6 \
	LD_PRELOAD=$LIBPTRACE /bin/true
ok "$([ -s alone.6 ]; echo $?)" "PTRACE_OUTPUT, without a monitor"
is "$("$PTRACE_RUN" -q -o '|cat >piped.%r' true; ls piped*)" "piped.%r" \
	"of a command it means nothing"

is "$(status "$PTRACE_RUN" -o 'no.%r' touch ran)" 125 "no rank: status"
like "$(cat err)" "^ptrace-run: cannot write no\.%r: no rank: .*SLURM_PROCID" \
	"no rank: says so"
ok "$([ ! -e ran ]; echo $?)" "no rank: nothing is run"
for bad in '%q' 'log%' '%d.%h'; do
	is "$(status "$PTRACE_RUN" -o "$bad" touch ran) $(wc -l <err)" "2 2" "$bad: wrong usage, two lines"
done
like "$(cat err)" "^ptrace-run: --output: '%d.%h' is not .*%r: rank" \
	"the allowed values"

mpirun=$(command -v mpirun.openmpi || command -v mpirun)
if [ -n "$mpirun" ] && OMPI_ALLOW_RUN_AS_ROOT=1 \
	OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$mpirun" --oversubscribe -n 3 \
	true >/dev/null 2>&1; then
	export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
	"$mpirun" --oversubscribe -n 3 "$PTRACE_RUN" -q -o 'mpi.%h.%r.ptlog' \
		sh -c 'exit 0' >out 2>err
	is "$(echo mpi.*)" "mpi.$host.0.ptlog mpi.$host.1.ptlog mpi.$host.2.ptlog" \
		"mpirun: a log a rank" || diag "$(cat err)"
	is "$("$PTRACE_DUMP" -f raw -n process:start mpi.*.ptlog | wc -l)" 3 \
		"... and all of them together"
else
	skip "mpirun: a log a rank" "no mpirun that starts something"
	skip "... and all of them together" "no mpirun that starts something"
fi

# The rank itself, as the launcher said it, of each process.
env OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=16 PMIX_NAMESPACE=job7 \
	PMI_RANK=9 "$PTRACE_RUN" -q -o log sh -c '/bin/true | cat'
is "$("$PTRACE_DUMP" -f json -n process:rank log |
	sed 's/.*"args"://; s/}$//' | sort -u)" \
	'{"rank":3,"size":16,"launcher":"openmpi","job":"job7"}' "process:rank"
like "$("$PTRACE_DUMP" -n process:rank log)" \
	' rank 3 of 16  \(openmpi, job job7\)' "as text"
is "$("$PTRACE_DUMP" -f json -w 'rank == 3' log | grep -c '"rank":3')" \
	"$("$PTRACE_DUMP" -f json -w 'rank == 3' log | wc -l)" "in JSON and -w"
ok "$([ "$("$PTRACE_DUMP" -w 'rank == 3' log | wc -l)" -gt 6 ]; echo $?)" \
	"of all that it does"
if grep -q 'define HAVE_SQLITE 1' "$abs_top_builddir/config.h"; then
	is "$("$PTRACE_REPORT" --csv --sql 'SELECT count(*), min(rank), max(rank)
		FROM process' log | tail -n 1 | tr -d '\r')" 3,3,3 "in SQL, children too"
else
	skip "in SQL, children too" "built without SQLite"
fi
PMI_RANK=x "$PTRACE_RUN" -q -o log true
is "$("$PTRACE_DUMP" -n process:rank log)" "" "no number, no rank"
"$PTRACE_RUN" -q -o log true
is "$("$PTRACE_DUMP" -n process:rank log)" "" "nor without one"
