#!/bin/sh
# SPDX-License-Identifier: MIT
# What strace -f -y -v and the log say of one and the same run of ten real programs:
# each call of ours that is a system call is there in strace's, in the order of its
# thread, with the same arguments, files of descriptors, result and error; it took
# us no less, for strace stops the thread inside of our call; and processes end
# alike.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/strace.sh"

for postgres in /usr/lib/postgresql/*/bin; do :; done

cat >talk.py <<'END'
import os, socket, time
a = socket.socket()
try:
    a.connect(("127.0.0.1", 1))
except OSError:
    pass
a = socket.socket()
a.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
a.bind(("127.0.0.1", 0))
a.listen()
if os.fork() == 0:
    b = socket.create_connection(a.getsockname())
    b.sendall(b"hello")
    b.recv(10)
    os._exit(3)
c, _ = a.accept()
c.recv(10)
c.send(b"bye")
c.close()
os.wait()
time.sleep(0.001)
os.mkdir("d")
END
cat >serve.sh <<'END'
redis-server --port 0 --unixsocket s --save "" >/dev/null &
until [ -S s ] && redis-cli -s s ping; do sleep 0.1; done
redis-cli -s s set a 1
redis-cli -s s get a
redis-cli -s s shutdown nosave
wait
END
# A web server: one worker, a file, and one that is not there.
cat >web.conf <<END
daemon off;
pid $T/web/pid;
error_log $T/web/log;
events { }
http {
	access_log off;
	client_body_temp_path $T/web/body;
	proxy_temp_path $T/web/proxy;
	fastcgi_temp_path $T/web/fastcgi;
	uwsgi_temp_path $T/web/uwsgi;
	scgi_temp_path $T/web/scgi;
	server { listen unix:$T/web/s; root $T/web/root; }
}
END
[ "$(id -u)" != 0 ] || echo "user root;" >>web.conf
cat >web.sh <<END
mkdir -p $T/web/root
echo hello >$T/web/root/a
nginx -p $T/web -c $T/web.conf &
until [ -S $T/web/s ]; do sleep 0.1; done
curl -s --unix-socket $T/web/s http://x/a http://x/none
kill -QUIT \$!
wait
END
# A database: one session of it alone.
cat >base.sh <<END
echo "create table t (a int); insert into t values (1); select * from t" |
	$postgres/postgres --single -D $T/base/data -c fsync=off postgres
END

plan 30
verbose=-v
files=4
compare bash 5 bash -c 'cd . && echo x >new; cat a.c | cat >/dev/null; ! cat none'
compare make 5 make
python=$(python_itself)
compare python3 20 "$python" -S "$T/talk.py"
compare git 5 git init -q repository
compare sqlite3 20 sqlite3 base \
	'create table t (a int); insert into t values (1); select * from t'
compare tar 5 tar -cf made.tar a.c Makefile
compare curl 10 curl -s --max-time 5 http://127.0.0.1:1/
program=redis-server
compare redis-server 50 sh "$T/serve.sh"
if command -v curl >/dev/null; then
	program=nginx
else
	program=curl
fi
compare nginx 50 sh "$T/web.sh"

# It is not for root.
if [ "$(id -u)" = 0 ]; then
	as="setpriv --reuid=65534 --regid=65534 --clear-groups"
	chmod 777 "$T"
fi
mkdir -m 777 base
program=${postgres:-/no}/postgres
${as-} "${postgres:-/no}/initdb" -A trust -N -D "$T/base/data" >base.out 2>&1 ||
	program=/no/postgres
compare postgres 200 sh "$T/base.sh"
