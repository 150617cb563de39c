#!/bin/sh
# SPDX-License-Identifier: MIT
# --inject: nginx under load does not notice, nor do its clients, not even if the
# injector is killed in the midst of it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need nginx wrk
. "${abs_top_srcdir:-.}/t/lib/inject.sh"
plan 9

# All but the socket is relative to its directory.  Its workers are root's, too.
user=
[ "$(id -u)" != 0 ] || user="user root $(id -gn);"
cat >nginx.conf <<END
$user
daemon off;
worker_processes 3;
pid nginx.pid;
events { worker_connections 64; }
http {
	access_log off;
	client_body_temp_path body;
	proxy_temp_path proxy;
	fastcgi_temp_path fastcgi;
	uwsgi_temp_path uwsgi;
	scgi_temp_path scgi;
	server { listen 127.0.0.1:0; root html; }
}
END
mkdir html
echo "a page" >html/index.html

list_workers() {
	cat "/proc/$nginx/task/$nginx/children" 2>/dev/null
}
has_workers() {
	[ "$(list_workers | wc -w)" = 3 ]
}
has_begun() {
	is_ended "$nginx" || has_workers
}
# None of the first ones.
is_renewed() {
	has_workers && for worker in $workers; do
		! list_workers | grep -qw "$worker" || return 1
	done
}
start() {
	for port in $(seq $((20000 + $$ % 10000)) 1000 39000); do
		sed -i "s/127.0.0.1:[0-9]*/127.0.0.1:$port/" nginx.conf
		nginx -p "$T" -c nginx.conf -e error.log 2>err &
		nginx=$!
		wait_for has_begun
		has_workers && return 0
		wait "$nginx"
	done
	return 1
}
browse() {
	begin_load wrk -t 1 -c 16 -d 100s "http://127.0.0.1:$port/"
}
# served NAME
served() {
	end_load INT
	is "$? $(grep -c 'Requests/sec' load) $(grep -e errors -e Non-2xx load)" \
		"0 1 " "$1"
}

start
ok $? "it serves" || diag "$(cat err)"
workers=$(list_workers)
browse
step=70
for worker in $workers; do
	await_load "$worker"
	# First where the loader is at work.
	inject_killed "$worker" $step 1 4 7 10 13 16 19 22 25 28
	step=$((step + 70))
done
[ $nr_killed -gt 25 ]
ok $? "killed, $nr_killed times"
served "no client has noticed that"

browse
for worker in $workers; do
	await_load "$worker"
	inject "$worker"
	await_load "$worker"
done
served "no client has noticed that it is traced"

inject "$nginx"
kill -HUP "$nginx"
wait_for is_renewed
browse
new=$(list_workers | cut -d ' ' -f 1)
await_load "$new"
served "nor of its new workers"
kill -QUIT "$nginx"
wait "$nginx"
is "$?" 0 "it ends as it does"
is "$(grep -v '\[notice\]' error.log)" "" "no errors in its log"

nr_recorded=0
for worker in $workers; do
	is_recorded "$worker" net:recv && nr_recorded=$((nr_recorded + 1))
done
is $nr_recorded 3 "its workers' calls are recorded"
is_recorded "$nginx" process:fork &&
	"$PTRACE_DUMP" -f raw -n io:epoll_wait "log.$nginx" >calls &&
	grep -q -w "$new" calls
ok $? "and those of its new workers"
