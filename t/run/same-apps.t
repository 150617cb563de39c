#!/bin/sh
# SPDX-License-Identifier: MIT
# Large programs say and return the same with and without us.
# shellcheck disable=SC2016,SC2094,SC2317 # expanded and called elsewhere
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/same.sh"
plan 11
todo_coverage "libgcov says what it cannot write"

HOME=$T
export HOME
ways="run preload"
cat >redis <<'END'
redis-server --port 0 --unixsocket redis.sock --save '' --appendonly no \
	--logfile log.redis --dir . &
until redis-cli -s redis.sock ping; do sleep 0.01; done 2>/dev/null |
	tail -n 1
redis-benchmark -s redis.sock -q -n 4000 -t set,get,lpush --threads 2 |
	tr '\r' '\n' | grep -c 'requests per second'
redis-cli -s redis.sock bgsave
redis-cli -s redis.sock shutdown nosave
wait $!
END
prepare() {
	rm -f redis.sock dump.rdb
}
try "redis" redis-server sh redis
cat >test.js <<'END'
const cp = require('child_process');
if (process.argv[2] == 'child') {
	process.send({ n: 7 }, () => process.exit(5));
} else {
	console.log(cp.execSync('echo hi').toString());
	console.log(cp.spawnSync('sh', ['-c', 'exit 4']).status);
	const child = cp.fork(process.argv[1], ['child']);
	child.on('message', m => console.log(m));
	child.on('exit', status => { console.log(status); process.exitCode = 6; });
}
END
try "node" node node test.js
try "ssh" ssh ssh -V
try "sqlite3" sqlite3 sqlite3 :memory: 'create table t(a); with recursive
	c(x) as (select 1 union all select x+1 from c where x < 100000)
	insert into t select x from c; select sum(a) from t; select nothing;'
cat >CMakeLists.txt <<'END'
cmake_minimum_required(VERSION 3.0)
project(x NONE)
execute_process(COMMAND sh -c "echo hi; exit 3" RESULT_VARIABLE r)
message("status ${r}")
add_custom_target(all2 ALL COMMAND echo built)
END
prepare() {
	rm -rf build
}
settle() {
	sed 's/ ([0-9.]*s)$//'
}
try "cmake" cmake sh -c 'cmake -B build . && cmake --build build'
cat >main.c <<'END'
int f(int n) { return n * 2; }
int main(void) { return f(21); }
END
gcc -g -o main main.c 2>/dev/null || cp /bin/true main
settle() {
	sed -E 's/\(process [0-9]+\)//; s/0x[0-9a-f]+/ADDRESS/g'
}
try "gdb" gdb gdb -nx -batch -ex 'break f' -ex run -ex bt -ex finish \
	-ex continue ./main
settle() {
	sed -E 's/[0-9.]+k?//g; s/ +/ /g; s/^options:.*//'
}
try "openssl speed" openssl openssl speed -seconds 1 -bytes 1024 \
	-multi 2 sha256
settle() {
	cat
}
try "openssl" openssl sh -c 'openssl genrsa 1024 2>&1 >key | wc -c
	openssl rsa -in key -check -noout; openssl version; openssl nothing'
unset TMUX
prepare() {
	rm -f said tmux.sock
}
try "tmux" tmux sh -c 'tmux -f /dev/null -S tmux.sock new-session -d \
		"echo \$((6 * 7)) >said; tty | sed s/[0-9]*\$// >>said
		tmux -S tmux.sock wait-for -S end; sleep 100"
	tmux -S tmux.sock wait-for end
	cat said; tmux -S tmux.sock list-sessions -F "#{session_name}"
	tmux -S tmux.sock kill-server'
# It has a filter for system calls.
try "man" man man -P cat ls
try "find" find find /usr/share/doc /etc -maxdepth 2 -newer /nothing -o \
	-name 'lib*'
