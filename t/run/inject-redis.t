#!/bin/sh
# SPDX-License-Identifier: MIT
# --inject: redis-server under load does not notice, nor do its clients, not even
# if the injector is killed in the midst of it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need redis-server redis-cli redis-benchmark
. "${abs_top_srcdir:-.}/t/lib/inject.sh"
plan 9

ask() {
	redis-cli -s "$T/redis" "$@"
}
redis-server --port 0 --unixsocket "$T/redis" --save '' --dir "$T" \
	--daemonize no >server &
pid=$!
wait_for ask ping
ask set what "is there" >/dev/null

begin_load redis-benchmark -s "$T/redis" -q -l -n 10000 -t set,get
await_load $pid
# Twice where the loader is at work.
inject_killed $pid 150 300 1 4 7 10 13 16 19 22 25 28 31 34
[ $nr_killed -gt 9 ]
ok $? "killed, $nr_killed times"
inject $pid
await_load $pid
kill -0 $load && ! grep -i error load
ok $? "no client has noticed"
end_load TERM
is "$(ask get what)" "is there" "its data are there"

redis-benchmark -s "$T/redis" -q -n 20000 -t set,get >load 2>&1
is "$? $(tr '\r' '\n' <load | grep -c 'requests per second')" "0 2" "it serves"
is "$(ask save)" OK "it saves"
is_saved() {
	ask info persistence | grep -q 'rdb_bgsave_in_progress:0'
}
ask bgsave >/dev/null
wait_for is_saved
like "$(ask info persistence)" "rdb_last_bgsave_status:ok" "it saves by a child"
ask shutdown nosave
wait "$pid"
is "$?" 0 "it ends as it does"

is_recorded $pid io:read
ok $? "its calls are recorded"
is "$("$PTRACE_DUMP" -f raw -n process:fork log.$pid | wc -l)" 1 "and its child"
