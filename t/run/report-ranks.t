#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --ranks: what each rank of a parallel program spent in MPI, how
# long it waited, and who was waited for: of a program that is made for it, whose
# ranks are told when to come, and of Open MPI.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need cc
plan 52

for name in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK PALS_RANKID SLURM_PROCID \
	PARALLEL_SEQ; do
	unset "$name"
done

# What MPI has, by counters in a file that all have mapped.
cat >mpi.c <<'END'
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
static int round, rank, size;
static int *in, *out;
int MPI_Init(int *argc, char ***argv)
{
	int fd = open((*argv)[1], O_RDWR);

	(void)argc;
	in = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	out = in + 1024;
	rank = atoi(getenv("OMPI_COMM_WORLD_RANK"));
	size = atoi(getenv("OMPI_COMM_WORLD_SIZE"));
	return in == MAP_FAILED;
}
static void come(int *counter, int wanted)
{
	__atomic_add_fetch(counter, 1, __ATOMIC_SEQ_CST);
	while (__atomic_load_n(counter, __ATOMIC_SEQ_CST) < wanted)
		sched_yield();
}
/* Waits until so many are in the round that begins now. */
int await_in(int nr)
{
	while (__atomic_load_n(&in[round], __ATOMIC_SEQ_CST) < nr)
		sched_yield();
	return 0;
}
int await_out(int nr)
{
	while (__atomic_load_n(&out[round], __ATOMIC_SEQ_CST) < nr)
		sched_yield();
	return 0;
}
/* That it has left is told behind its end. */
int tell_out(void)
{
	return __atomic_add_fetch(&out[round++], 1, __ATOMIC_SEQ_CST);
}
int PMPI_Barrier(void *comm)
{
	(void)comm;
	come(&in[round], size);
	return 0;
}
int MPI_Barrier(void *comm) { return PMPI_Barrier(comm); }
int mpi_allreduce_(void *comm) { return PMPI_Barrier(comm); }
/* That of some only: nobody waits. */
int MPI_Allgather(void *comm)
{
	(void)comm;
	__atomic_add_fetch(&in[round], 1, __ATOMIC_SEQ_CST);
	return 0;
}
int MPI_Alltoall(void *comm) { return comm != 0; }
int MPI_Send(void *to) { return to != 0; }
END
cat >ring.c <<'END'
#include <stdlib.h>
int MPI_Init(int *, char ***), MPI_Barrier(void *), mpi_allreduce_(void *);
int MPI_Allgather(void *), MPI_Alltoall(void *), MPI_Send(void *);
int await_in(int), await_out(int), tell_out(void);
int main(int argc, char **argv)
{
	int rank = atoi(getenv("OMPI_COMM_WORLD_RANK"));

	MPI_Init(&argc, &argv);
	for (int i = 0; i < 5; i++) {
		if (rank == 2)
			await_in(3);
		MPI_Barrier(0);
		tell_out();
	}
	if (rank == 1)
		await_in(3);
	mpi_allreduce_(0);
	tell_out();
	if (rank == 0)
		await_out(3);
	MPI_Allgather(0);
	tell_out();
	for (int i = 0; i < rank; i++)
		MPI_Alltoall(0);
	if (rank == 3)
		MPI_Send(0);
	return 0;
}
END
cc -O1 -fPIC -shared -fno-semantic-interposition -o libmpi_of_test.so mpi.c &&
	cc -O1 -o ring ring.c ./libmpi_of_test.so || exit 1

# ranks JOB COMMAND...: four of them, each with what stands for its rank.
cat >ranks <<'END'
job=$1
shift
rm -f shared
head -c 8192 /dev/zero >shared
for rank in 0 1 2 3; do
	env OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=4 \
		PMIX_NAMESPACE=$job "$@" ./ring shared &
done
wait
END
sh ranks jobA "$PTRACE_RUN" -q -o '%r.ptlog' -r 'libmpi*:MPI_*,libmpi*:mpi_*'
"$PTRACE_RUN" -q -o log -r 'libmpi*:MPI_*,libmpi*:mpi_*' sh ranks jobB

# The same from the events themselves.
cat >check.py <<'END'
import collections, json, os, sys
from report import report, run, say

logs = sys.argv[1:]
got = report("--ranks", *logs)
begins = collections.defaultdict(list)
calls = collections.defaultdict(list)   # (function, rank): [(begin, end)]
for line in run(os.environ["PTRACE_DUMP"], "-f", "json", *logs).splitlines():
    e = json.loads(line)
    if e["name"] in ("call:enter", "call:exit"):
        of = e["args"]["function"], e["rank"]
    if e["name"] == "call:enter":
        begins[of].append(e["t"])
    if e["name"] == "call:exit":
        begin = begins[of][len(calls[of])]
        calls[of].append((begin, begin + e["dur"]))
names = {name for name, rank in calls}
waited, awaited, total = ([0] * 4 for i in range(3))
for (name, rank), list in calls.items():
    total[rank] += sum(end - begin for begin, end in list)
for name, nr in ("MPI_Barrier", 5), ("mpi_allreduce_", 1):
    for n in range(nr):
        come = sorted((calls[name, rank][n][0], rank) for rank in range(4))
        awaited[come[3][1]] += come[3][0] - come[2][0]
        for at, rank in come:
            waited[rank] += come[3][0] - at
rows = {row["rank"]: row for row in got["rows"]}
say("all ranks", sorted(rows), [0, 1, 2, 3])
say("time in MPI", [rows[r]["in_mpi"] for r in range(4)], total)
say("waited", [rows[r]["waited"] for r in range(4)], waited)
say("awaited", [rows[r]["awaited"] for r in range(4)], awaited)
say("rank 2 was, and 1, and nobody else",
    [rows[r]["awaited"] > 0 for r in range(4)], [False, True, True, False])
say("calls", [rows[r]["calls"] for r in range(4)], [8, 9, 10, 12])
functions = {f["function"]: f for f in got["functions"]}
say("functions", sorted(functions), sorted(names))
for what, of in ("min", min), ("max", max):
    say(what + " of the ranks", {n: f[what] for n, f in functions.items()},
        {n: of(sum(e - b for b, e in calls.get((n, r), [])) for r in range(4))
         for n in names})
barrier = functions["MPI_Barrier"]
sums = [sum(e - b for b, e in calls["MPI_Barrier", r]) for r in range(4)]
say("mean, and imbalance", (barrier["mean"], barrier["imbalance"]),
    (sum(sums) // 4, int(1000 * (max(sums) / (sum(sums) / 4) - 1))))
say("whose is the most", sums[barrier["max_rank"]], max(sums))
say("together", [functions[n]["together"] for n in
    ("MPI_Barrier", "mpi_allreduce_", "MPI_Send")], [5, 1, None])
say("a rank had left", (functions["MPI_Allgather"]["unfit"],
    functions["MPI_Allgather"]["together"]), (1, 0))
say("not equally often", (functions["MPI_Alltoall"]["uneven"],
    functions["MPI_Alltoall"]["together"]), (1, 0))
job, = got["jobs"]
say("the job", (job["ranks"], job["size"], job["launcher"], job["missing"]),
    (4, 4, "openmpi", []))
END
checks "a log of each" check.py 0.ptlog 1.ptlog 2.ptlog 3.ptlog
checks "one log" check.py log

"$PTRACE_REPORT" --ranks ./?.ptlog >out
like "$(grep 'MPI_Allgather:' out)" ': 1 time a rank had left before ' \
	"text: what was not of all ranks"
like "$(grep 'MPI_Alltoall:' out)" ': not all ranks called it equally often' \
	"text: what not all did"
"$PTRACE_REPORT" --ranks 0.ptlog 3.ptlog >out
is "$(tail -n 1 out)" \
	"ranks 1, 2 of 4 are in no log: who was waited for is not known" \
	"text: logs that are missing"
like "$(grep 'ring\[' out | head -n 1)" '% *[^0-9 ]* *[^0-9 ]* *[0-9]* ' "... and nothing is made up"
"$PTRACE_REPORT" --ranks ./?.ptlog log >out
is "$(grep -c 'ring\[[0-9]*\] (job job[AB])' out)" 8 "two jobs are kept apart"
"$PTRACE_RUN" -q -o none true
like "$("$PTRACE_REPORT" --ranks none)" 'no process has a rank: ' "no ranks"
env PMI_RANK=1 "$PTRACE_RUN" -q -o none true
"$PTRACE_REPORT" --ranks none >out
like "$(cat out)" 'no call of MPI was recorded: ptrace-run -r ' "no calls"
like "$(cat out)" 'how many ranks there are is not known' "no size"
like "$("$PTRACE_REPORT" --processes log)" ' \.\.rank 3: ring\[[0-9]*\] shared$' \
	"--processes has the rank"

# Clocks that are apart, and by how much.
patch_log=$abs_top_srcdir/t/run/patch-log
"$patch_log" 0.ptlog 0.moved host=alpha boot=1 machine=
"$patch_log" 1.ptlog 1.moved host=box boot=1 machine=
"$patch_log" 2.ptlog 2.moved host=beta boot=2 machine= later=3000000
"$patch_log" 3.ptlog 3.moved host=gamma boot=3 machine= later=-5000000
cat >clocks.py <<'END'
import sys
from report import report, say

def clocks(*options):
    return {c["host"]: c for c in
        report("--ranks", *options, *["%d.moved" % r for r in range(4)])["clocks"]}

before, after = clocks(), clocks("--align")
say("hosts, but what has the clock of the first", sorted(before),
    ["beta", "gamma"])
for host, moved in ("beta", 3000000), ("gamma", -5000000):
    c, done = before[host], after[host]
    say(host + ": the bounds hold what it was moved by",
        c["low"] <= moved <= c["high"], True)
    say(host + ": corrected, 0", done["low"] <= 0 <= done["high"], True)
    say(host + ": by the middle", abs(done["low"] + done["high"]) <= 1, True)
END
checks "--align" clocks.py
"$PTRACE_REPORT" --ranks --align ./?.moved 2>err >out
is "$(grep -c ': --align: the clock of [bg][a-z]* was [0-9.]*[mu]s' err)" 2 \
	"--align says by how much"
"$PTRACE_REPORT" --ranks --align ./?.ptlog 2>err >out
is "$(cat err)" "ptrace-report: --align: all logs have one clock" "... or why not"

# Open MPI.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
if ! command -v mpicc >/dev/null || ! cat >mpi-ring.c <<'END' ||
#include <mpi.h>
int main(int argc, char **argv)
{
	int rank, size, token = 0, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	for (int i = 0; i < 20; i++) {
		MPI_Barrier(MPI_COMM_WORLD);
		if (rank > 0)
			MPI_Recv(&token, 1, MPI_INT, rank - 1, 7, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		MPI_Send(&token, 1, MPI_INT, (rank + 1) % size, 7, MPI_COMM_WORLD);
		if (rank == 0)
			MPI_Recv(&token, 1, MPI_INT, size - 1, 7, MPI_COMM_WORLD,
				 MPI_STATUS_IGNORE);
		MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	}
	return MPI_Finalize();
}
END
	! mpicc -o mpi-ring mpi-ring.c >why 2>&1 ||
	! mpirun --oversubscribe -n 16 ./mpi-ring >why 2>&1; then
	for name in "Open MPI: a log of each" "Open MPI: one log" \
		"Open MPI: its mpi.h" "Open MPI: count, to whom, tag"; do
		skip "$name" "no mpicc, or no mpirun that starts something"
	done
	exit
fi
# seen LOG...: what is in the report of them.
seen() {
	"$PTRACE_REPORT" --json --ranks "$@" | python3 -c '
import json, sys
r = json.load(sys.stdin)
job, = r["jobs"]
print(len(r["rows"]), r["lost"], job["size"], job["missing"], job["together"],
      {row["calls"] for row in r["rows"]}, all(row["in_mpi"] and
      row["waited"] is not None for row in r["rows"]))'
}
want="16 0 16 [] 40 {84} True"
mpirun --oversubscribe -n 16 "$PTRACE_RUN" -q -o 'mpi.%r.ptlog' \
	-r 'libmpi*:MPI_*' ./mpi-ring
is "$(seen mpi.*.ptlog)" "$want" "Open MPI: a log of each"
"$PTRACE_RUN" -q -o log -r 'libmpi*:MPI_*' \
	mpirun --oversubscribe -n 16 ./mpi-ring
is "$(seen log)" "$want" "Open MPI: one log"
header=$(mpicc --showme:incdirs | tr ' ' '\n' |
	while read -r dir; do ls "$dir/mpi.h" 2>/dev/null; done | head -n 1)
"$PTRACE_RUN" -q -o log -r 'libmpi*:MPI_Send' -a --prototypes "$header" \
	mpirun --oversubscribe -n 16 ./mpi-ring 2>err
is "$(cat err)" "" "Open MPI: its mpi.h"
"$PTRACE_DUMP" -f json -n call:enter log | python3 -c '
import json, sys
for e in map(json.loads, sys.stdin):
    to, tag = (int(e["args"]["args"][i]) for i in (3, 4))
    print(e["args"]["args"][1], to - e["rank"] in (1, -15), tag)
' | sort | uniq -c >out
is "$(tr -s ' ' <out)" " 320 1 True 7" "Open MPI: count, to whom, tag"
