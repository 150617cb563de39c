#!/bin/sh
# SPDX-License-Identifier: MIT
# ptrace-report --align by messages of MPI: clocks of hosts that were moved are
# found and corrected, also where only a third one tells; what tells nothing, or
# one bound only, or contradicts itself, is left alone and said.  The program and
# its MPI are made for it: only the order of the calls matters.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need cc
plan 22

for name in OMPI_COMM_WORLD_RANK PMIX_RANK PMI_RANK PALS_RANKID SLURM_PROCID \
	PARALLEL_SEQ; do
	unset "$name"
done

cat >mpi.h <<'END'
int MPI_Init(int *argc, char ***argv);
int MPI_Send(const void *buf, int count, void *type, int to, int tag, void *comm);
int MPI_Isend(const void *buf, int count, void *type, int to, int tag, void *comm,
	void *request);
int MPI_Recv(void *buf, int count, void *type, int from, int tag, void *comm,
	void *status);
int MPI_Sendrecv(const void *buf, int count, void *type, int to, int tag,
	void *buf2, int count2, void *type2, int from, int tag2, void *comm,
	void *status);
END
# A message is one more in the counter of who sends it to whom.
cat >mpi.c <<'END'
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mman.h>
#include "mpi.h"
static int (*sent)[16], taken[16], rank;
int MPI_Init(int *argc, char ***argv)
{
	int fd = open((*argv)[1], O_RDWR);

	(void)argc;
	sent = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	rank = atoi(getenv("OMPI_COMM_WORLD_RANK"));
	return sent == MAP_FAILED;
}
static void put(int to)
{
	__atomic_add_fetch(&sent[rank][to], 1, __ATOMIC_SEQ_CST);
}
static void take(int from)
{
	from = from < 0 ? 5 : from;
	taken[from]++;
	while (__atomic_load_n(&sent[from][rank], __ATOMIC_SEQ_CST) < taken[from])
		sched_yield();
}
#define U(a) (void)(a)
int MPI_Send(const void *b, int n, void *t, int to, int tag, void *comm)
{
	U(b), U(n), U(t), U(tag), U(comm);
	put(to);
	return 0;
}
int MPI_Isend(const void *b, int n, void *t, int to, int tag, void *comm, void *r)
{
	U(b), U(n), U(t), U(tag), U(comm), U(r);
	put(to);
	return 0;
}
int MPI_Recv(void *b, int n, void *t, int from, int tag, void *comm, void *s)
{
	U(b), U(n), U(t), U(tag), U(comm), U(s);
	take(from);
	return 0;
}
int MPI_Sendrecv(const void *b, int n, void *t, int to, int tag, void *b2,
		 int n2, void *t2, int from, int tag2, void *comm, void *s)
{
	U(b), U(n), U(t), U(tag), U(comm), U(s), U(b2), U(n2), U(t2), U(tag2);
	put(to);
	take(from);
	return 0;
}
END
# 0 and 1, 1 and 2 talk to each other; 3 only hears; 4 also hears from anybody, who
# is 5; 5 and 6, which are of one host, both talk to 0; 7 is in two communicators.
cat >talk.c <<'END'
#include <stdlib.h>
#include "mpi.h"
static char one, two;
static void say(int to, int tag) { MPI_Send(0, 1, 0, to, tag, &one); }
static void hear(int from, int tag) { MPI_Recv(0, 1, 0, from, tag, &one, 0); }
static void talk(int rank)
{
	switch (rank) {
	case 0:
		for (int to = 1; to < 8; to++)
			if (to != 2)
				say(to, 7);
		for (int from = 1; from < 8; from++)
			if (from != 2 && from != 3)
				hear(from, from);
		break;
	case 1:
		hear(0, 7);
		MPI_Isend(0, 1, 0, 0, 1, &one, 0);
		MPI_Sendrecv(0, 1, 0, 2, 9, 0, 1, 0, 2, 9, &one, 0);
		break;
	case 2:
		MPI_Sendrecv(0, 1, 0, 1, 9, 0, 1, 0, 1, 9, &one, 0);
		break;
	case 3:
		hear(0, 7);
		say(-2, 1);
		break;
	case 7:
		MPI_Recv(0, 1, 0, 0, 7, &two, 0);
		say(0, 7);
		break;
	case 4:
		hear(-1, 7);
		hear(0, 7);
		say(0, 4);
		break;
	default:
		if (rank == 5)
			say(4, 7);
		hear(0, 7);
		say(0, rank);
	}
}
int main(int argc, char **argv)
{
	int rank = atoi(getenv("OMPI_COMM_WORLD_RANK"));

	MPI_Init(&argc, &argv);
	for (int i = 0; i < 20; i++)
		talk(rank);
	return 0;
}
END
cc -O1 -fPIC -shared -o libmpi_of_test.so mpi.c &&
	cc -O1 -o talk talk.c ./libmpi_of_test.so || exit 1
head -c 4096 /dev/zero >shared
for rank in 0 1 2 3 4 5 6 7; do
	env OMPI_COMM_WORLD_RANK=$rank OMPI_COMM_WORLD_SIZE=8 "$PTRACE_RUN" \
		-q -o "$rank.ptlog" -r 'libmpi*:MPI_*' -a --prototypes mpi.h \
		./talk shared &
done
wait

set -- 0 -3000000 5000000 0 0 0 50000000 0
for rank in 0 1 2 3 4 5 6 7; do
	host=$rank
	[ $rank = 6 ] && host=5
	"$abs_top_srcdir/t/run/patch-log" $rank.ptlog $rank.moved \
		"host=host$host" "boot=$host" machine= "later=$1"
	shift
done

cat >check.py <<'END'
import json, os, sys
from report import ns, report, run, say

logs = ["%d.moved" % rank for rank in range(8)]
def clocks(*options):
    return {c["host"]: c for c in
            report("--ranks", *options, *logs)["clocks"]}
before, after = clocks(), clocks("--align")

# By the events: those of 0 and 1 alone.  An end may be rounded.
calls, open = {}, {}
for line in run(os.environ["PTRACE_DUMP"], "-f", "json", *logs).splitlines():
    e = json.loads(line)
    if e["name"] == "call:enter":
        other = (e["args"]["args"] + [None] * 4)[3]
        of = e["rank"], e["args"]["function"], str(other)
        open[e["rank"]] = [ns(e["ts"]), None]
        calls.setdefault(of, []).append(open[e["rank"]])
    if e["name"] == "call:exit":
        call = open[e["rank"]]
        call[1] = call[0] + e["dur"]
def least(sender, function, receiver):
    return min(got[1] - sent[0] for sent, got in
               zip(calls[sender, function, str(receiver)],
                   calls[receiver, "MPI_Recv", str(sender)]))
say("the bounds are those of the messages",
    [abs(got - want) <= 2 for got, want in
     ((before["host1"]["low"], -least(1, "MPI_Isend", 0)),
      (before["host1"]["high"], least(0, "MPI_Send", 1)))], [True, True])
for host, moved in ("host1", -3000000), ("host2", 5000000):
    c, done = before[host], after[host]
    say(host + ": the bounds hold what it was moved by",
        c["low"] <= moved <= c["high"], True)
    say(host + ": ... and are bounds", c["high"] - c["low"] < 2000000000, True)
    say(host + ": corrected, 0", done["low"] <= 0 <= done["high"], True)
    say(host + ": by the middle", abs(done["low"] + done["high"]) <= 2, True)
say("host1: messages", before["host1"]["messages"], 80)
say("host3: one way", ("low" in before["host3"], before["host3"]["high"] >= 0),
    (False, True))
say("host4: what it heard from anybody tells nothing, but what it said",
    [key in before["host4"] for key in ("low", "high")], [True, False])
say("host7: nothing tells", [key in before["host7"] for key in ("low", "high")],
    [False, False])
say("host5: contradicted", before["host5"]["low"] > before["host5"]["high"], True)
for host in "host3", "host5":
    say(host + ": left alone", [before[host].get(key) for key in ("low", "high")],
        [after[host].get(key) for key in ("low", "high")])
END
checks "bounds" check.py

"$PTRACE_REPORT" --ranks ./?.moved >out 2>/dev/null
like "$(grep 'clock of host1' out)" \
	'clock of host1: [23][^ ]* . [^ ]* behind that of host0; --align' "text"
like "$(grep 'clock of host3' out)" \
	': messages went one way only, it is at most [^ ]* ahead of that' \
	"... a bound"
"$PTRACE_REPORT" --ranks --align ./?.moved 2>err >out
like "$(grep 'host2 was' err)" \
	'of host2 was [45][^ ]*ms ahead of that of host0, to within [^ ]* [(]0 calls of all ranks, 40 messages[)]' \
	"--align says by how much, to within what, and by what"
is "$(grep -c 'host[345] is left alone: ' err)" 3 "... and what it leaves alone"
like "$(grep host7 err)" 'nothing tells how far the clock of host7' "... and why"

# Without arguments there are no messages.
"$PTRACE_RUN" -q -o none -r 'libmpi*:MPI_*' env OMPI_COMM_WORLD_RANK=3 true
"$PTRACE_REPORT" --ranks none >out
is $? 0 "nothing at all"
