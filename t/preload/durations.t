#!/bin/sh
# SPDX-License-Identifier: MIT
# Calls that can wait have their durations, and come in the order in which they
# began; locks say whether they had to be waited for.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need python3

cat >"$T/check.py" <<'END'
import json
import sys

# What does not wait, or where only a look could tell.
UNTIMED = {'sync:' + name for name in
           '''trylock unlock tryrdlock trywrlock rwunlock signal broadcast
           sem_trywait sem_post spin_trylock spin_unlock mtx_trylock mtx_unlock
           cnd_signal cnd_broadcast detach'''.split()}
events = [json.loads(line) for line in sys.stdin]
wrong = 0


def say(text, *more):
    print('not' if not all(more) else 'ok', text)


def ns(event):
    sec, part = event['ts'].split('.')
    return int(sec) * 10**9 + int(part)


def end(event):
    return ns(event) + event['dur']


def of(name, **args):
    return [e for e in events if e['name'] == name and
            all(e['args'].get(k) == v for k, v in args.items())]


def timed():
    calls = [e for e in events if 64 <= e['id'] < 240]
    lack = {e['name'] for e in calls if 'dur' not in e} - UNTIMED
    more = {e['name'] for e in calls if 'dur' in e} & UNTIMED
    say('all that may wait is timed, %d names: %s' % (
        len({e['name'] for e in calls}), sorted(lack)), len(calls) > 50,
        not lack)
    say('and no other: %s' % sorted(more), not more)
    say('in the order in which they began',
        all(ns(a) <= ns(b) for a, b in zip(events, events[1:])))


def waits():
    polls = of('io:poll')
    say('four waits', len(polls) == 4)
    for poll, name in zip(polls, 'lock rdlock wrlock sem_wait'.split()):
        held = of('sync:' + name, contended=True)
        say(name + ': one waits', len(held) == 1)
        say(name + ': as long as the other does not let go', held and
            ns(held[0]) <= ns(poll) and end(held[0]) >= end(poll))
        free = of('sync:' + name, contended=False)
        say(name + ': the others do not: %d' % len(free),
            len(free) == (0 if name == 'sem_wait' else 1),
            all(e['dur'] == 0 for e in free))
    slept = of('time:nanosleep')[0]
    wrote = of('io:write')[0]
    say('a sleep began before the handler that interrupted it',
        events.index(slept) < events.index(wrote), ns(slept) < ns(wrote))
    say('and ended after it', end(slept) >= end(wrote),
        slept['args']['errno'] == 'EINTR')


timed() if sys.argv[1] == 'timed' else waits()
END

# look HOW: what it says of the last trace, one a line.
look() {
	"$PTRACE_DUMP" -f json "$T/log" | python3 "$T/check.py" "$1" \
		>"$T/said" 2>"$T/err" || diag "$(cat "$T/err")"
	while read -r result name; do
		[ "$result" = ok ]
		ok $? "$name"
	done <"$T/said"
}

plan 20
families=all
mkdir "$T/empty"
cd "$T/empty" || exit
# shellcheck disable=SC2016
run_traced sh -c 'for family in file io mem sync time net; do "$0" $family; done' \
	"$VICTIMS/victim-calls"
is "$(cat "$T/traced.status")" 0 "all calls"
look timed
same "waits" "$VICTIMS/victim-durations"
look waits
