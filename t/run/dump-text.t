#!/bin/sh
# SPDX-License-Identifier: MIT
# Text for people: a line an event, each kind in the words of those who read it.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 42

# text [OPTION...]: what is shown of events, from lines ID FIELD...; each begins
# a microsecond after the one before.  A call of libc ends with when it began.
text() {
	awk '{
		now = NR * 1000
		print now, 10, 10, 0, $1, 0, substr($0, length($1) + 2),
			($1 >= 64 && $1 < 240 ? "x:" now : "")
	}' | "$VICTIMS/victim-mklog" log
	"$PTRACE_DUMP" "$@" log | cut -c 51-
}

# shellcheck disable=SC2016 # the $ is a program's argument
is "$(text <<-END
	27 i:1 i:0 s:/usr/bin/make s:/src s:make s:-j2
	27 i:1 i:0 s:/usr/bin/make s: s:./make s:-C s:a\$b s:
	16 i:1 s:/usr/bin/cc
	17 i:329
	23 i:4026 i:1 i:329
	18 s:/usr/bin/cc
	19 i:2 s:/no/such
	20 i:0 i:5000 i:4100 i:4200
	20 i:3
	21 i:11 i:1 i:2 i:1024
	22 s:/bin/su s:setuid
END
)" 'start make -j2   (cwd /src)
start ./make -C '\''a$b'\'' '\'''\''
start /usr/bin/cc
fork -> 329
fork -> 329 (there 1@4026)
exec /usr/bin/cc
exec /no/such = -1 ENOENT (No such file or directory)
exit 0  user 5.00ms sys 4.10ms rss 4.1M
exit 3
killed by SIGSEGV  user 1.00us sys 2.00us rss 1.0M
not traced /bin/su (setuid)' "process"
is "$(text <<-END
	24 i:10
	28 i:10 s:pool
	28 i:0 s:pool
	25
	40 i:15 i:99 i:0
	40 i:0 i:99 i:0
	40 i:15 i:99 i:98
	41 i:3 i:15 i:99 i:0
	42 i:17 x:0x1000 i:1 i:329
	42 i:15 x:0x1000
	43 i:11 x:0x1000 i:1 x:0x10
	44 i:15 i:0 i:7
END
)" 'thread starts
named "pool"
named "pool", another thread
thread ends
kill(99, SIGTERM)
kill(99, 0)
tgkill(99, 98, SIGTERM)
kill(99, SIGTERM) = -1 ESRCH (No such process)
--- SIGCHLD from 329 -> 0x1000 ---
--- SIGTERM -> 0x1000 ---
--- SIGSEGV at 0x10 -> 0x1000 ---
sigwait -> SIGTERM from 7' "thread, signal"
is "$(text <<-END
	64 i:-100 x:0 i:0 i:3 i:0 s:/etc/hosts
	64 i:-100 x:0x241 i:438 i:-1 i:2 s:x"y
	64 i:5 x:0x80000 i:0 i:3 i:0 s:here
	66 i:-100 x:0 i:0 i:0 s:/x
	66 i:-100 x:0x100 i:0 i:0 s:/x
	66 i:-100 x:0x800 i:0 i:0 s:/x
	66 i:7 x:0x100 i:-1 i:13 s:x
	73 i:-100 i:-100 x:0 i:0 i:0 s:a s:b
	73 i:-100 i:4 x:1 i:-1 i:17 s:a s:b
	89 x:0x5000 i:0 s:/src
	89 x:0 i:34 s:
	101 x:0x5000 i:0 s:a/../b s:/b
	104 i:5 x:0 i:100 i:-1 i:61 s: s:user.x
	108 i:18 i:2
	65 i:3 i:0 i:0
	92 x:0x7f00 i:0 i:0
END
)" 'openat(AT_FDCWD, "/etc/hosts", O_RDONLY) = 3
openat(AT_FDCWD, "x\"y", O_WRONLY|O_CREAT|O_TRUNC, 0666) = -1 ENOENT (No such file or directory)
openat(5, "here", O_RDONLY|O_CLOEXEC) = 3
stat("/x") = 0
lstat("/x") = 0
fstatat(AT_FDCWD, "/x", AT_NO_AUTOMOUNT) = 0
fstatat(7, "x", AT_SYMLINK_NOFOLLOW) = -1 EACCES (Permission denied)
rename("a", "b") = 0
renameat2(AT_FDCWD, "a", 4, "b", RENAME_NOREPLACE) = -1 EEXIST (File exists)
getcwd() = "/src"
getcwd() = NULL ERANGE (Numerical result out of range)
realpath("a/../b") = "/b"
fgetxattr(5, "user.x", 100) = -1 ENODATA (No data available)
umask(0022) = 0002
close(3) = 0
closedir(0x7f00) = 0' "file"
is "$(text <<-END
	112 i:3 i:4096 i:220 i:0
	121 i:3 x:0 i:9 i:0
	121 i:3 x:0x80000 i:9 i:0
	122 x:0 i:3 i:4 i:0 i:0
	122 x:0x80000 i:3 i:4 i:0 i:0
	126 x:0x7f00 i:1 i:10 i:10 i:4
	144 i:24 x:0x55e0 i:0
	144 i:24 x:0 i:12
	148 x:0x55e0
	149 x:0 i:4096 x:3 x:0x22 i:-1 x:0 x:0x7f00 i:0
	149 x:0 i:4096 x:3 x:0x22 i:-1 x:0 x:0xffffffffffffffff i:12
	192 i:0 x:0 i:100000000 i:0 i:0
	192 i:1 x:1 i:1500000001 i:-1 i:4
	208 i:2 x:0x80001 i:0 i:3 i:0
	211 i:3 i:-1 i:111 b:0200005000000000
	209 i:1 x:1 i:0 i:3 i:4 i:0 i:0
	227 i:-2 s:nohost s:http
END
)" 'read(3, 4096) = 220
dup(3) = 9
dup3(3, 9, O_CLOEXEC) = 9
pipe([3, 4]) = 0
pipe2([3, 4], O_CLOEXEC) = 0
fread(4, 1, 10) = 10
malloc(24) = 0x55e0
malloc(24) = NULL ENOMEM (Cannot allocate memory)
free(0x55e0)
mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = 0x7f00
mmap(NULL, 4096, PROT_READ|PROT_WRITE, MAP_PRIVATE|MAP_ANONYMOUS, -1, 0) = -1 ENOMEM (Cannot allocate memory)
nanosleep(0.1s) = 0
clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, 1.500000001s) = -1 EINTR (Interrupted system call)
socket(AF_INET, SOCK_STREAM|SOCK_CLOEXEC, 0) = 3
connect(3, AF_INET) = -1 ECONNREFUSED (Connection refused)
socketpair(AF_UNIX, SOCK_STREAM, 0, [3, 4]) = 0
getaddrinfo("nohost", "http") = EAI_NONAME' "io, mem, time, net"
is "$(text <<-END
	160 x:0x1000 i:0 i:0
	160 x:0x1000 i:0 i:1
	161 x:0x1000 i:16
	169 x:0x1000 x:0x2000 i:0
	173 x:0x1000 i:-1 i:4 i:1
	177 x:0x1000 i:-1
	183 x:0x1000 i:0 i:-1
END
)" 'lock 0x1000
lock 0x1000  contended
trylock 0x1000 = EBUSY (Device or resource busy)
wait cond 0x1000
sem_wait 0x1000 = -1 EINTR (Interrupted system call)  contended
wait barrier 0x1000 = -1
mtx_lock 0x1000' "sync: what is waited for"

# Noise
noise() {
	text "$@" <<-END
	2
	32 x:0x7f00 x:0x1000 s:/lib/libc.so.6 b:93ac61ec00
	240 x:0x1000 s:f s:lib s:
	243 i:0 s:x s:y
	7
	5
	6
	25
	END
}
is "$(noise)" "-- 7 events lost from here on --
-- recorded again from here on --
thread ends" "no schema, no filters; but what was lost, in its place"
is "$(noise -v | grep -c .)" 8 "-v: all of it"
is "$(noise -v | sed -n '2s/^ *//p')" "map /lib/libc.so.6 at 0x7f00 (build 93ac61ec)" \
	"... what is mapped"
is "$(noise -n 'dl:*' | grep -c .)" 1 "what -n asks for is none"

# What was cut
is "$(text <<-END
	64 i:-100 x:0 i:0 i:3 i:0
	64 i:-100 x:0
END
)" 'openat(AT_FDCWD, ..., O_RDONLY) = 3
openat(AT_FDCWD, ..., O_RDONLY)' "a field is missing"

# The columns
columns() {
	"$VICTIMS/victim-mklog" log <<-END
	1000000000 10 10 0 27 0 i:1 i:0 s:/usr/bin/make s: s:/usr/bin/make
	1000019417 10 10 0 17 0 i:11
	1000050000 10 12 0 24 0 i:12
	1000071204 10 12 0 65 0 i:3 i:0 i:0 x:1000070000
	2500000000 11 11 0 65 0 i:3 i:0 i:0 x:2500000000
	2500000000 11 11 1 27 0 i:1 i:0 s:/x s: s:a-program-of-a-long-name
	2500000001 11 11 1 65 0 i:3 i:0 i:0 x:2500000001
	END
	"$PTRACE_DUMP" "$@" log
}
is "$(columns)" \
	'    0.000000            make[10]                  start /usr/bin/make
    0.000019            make[10]                  fork -> 11
    0.000050            make[10/12]               thread starts
    0.000070    1.20us  make[10/12]               close(3) = 0
    1.500000            make[11]                  close(3) = 0
    1.500000            a-program-of-a-lo...[11]  start a-program-of-a-long-name
    1.500000            a-program-of-a-lo...[11]  close(3) = 0' "columns"
like "$(columns --time delta | sed -n 5p)" '^    1.499930 ' "--time delta"
like "$(TZ=UTC columns --time absolute | sed -n 1p)" \
	'^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}   ' \
	"--time absolute"
like "$(columns --time clock | sed -n 1p)" \
	'^[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{6}   ' "--time clock"
like "$(columns -v | sed -n 4p)" '^    0.000070000    1.20us' \
	"-v: nanoseconds"
is "$(columns | wc -c)" "$(COLUMNS=60 columns | wc -c)" \
	"a file has no width"
if [ "$(LC_ALL=C.UTF-8 locale charmap 2>/dev/null)" = UTF-8 ]; then
	is "$(LC_ALL=C.UTF-8 columns | sed -n '2p;4p;6p')" \
		'    0.000019            make[10]                  fork → 11
    0.000070    1.20µs  make[10/12]               close(3) = 0
    1.500000            a-program-of-a-long…[11]  start a-program-of-a-long-name' \
		"UTF-8 where the locale has it"
else
	skip "UTF-8" "no locale with it"
fi

# Durations
durations() {
	n=100000000000000
	for ns; do
		echo "$n 10 10 0 65 0 i:3 i:0 i:0 x:$((n - ns))"
		n=$((n + 10000000000000))
	done | "$VICTIMS/victim-mklog" log
	"$PTRACE_DUMP" log | cut -c 14-22 | tr -d ' ' | tr '\n' ' '
}
is "$(durations 1 99 999 1000 3149 41200 999999 1000000 9310000 123456789)" \
	"1ns 99ns 999ns 1.00us 3.15us 41.2us 1.00ms 1.00ms 9.31ms 123ms " \
	"three digits"
is "$(durations 1000000000 59999999999 60000000000 247000000000 \
	3600000000000)" "1.00s 1m00s 1m00s 4m07s 1h00m " "long ones"

# A program's own
run -e process -s 1000 "$VICTIMS/victim-events"
"$PTRACE_DUMP" log >text
# line NAME: what follows the name.
line() {
	sed -n "s/^.\{50\}$1 \{0,1\}//p" text
}
here=' *at here \(victim-events(\.c:[0-9]+)?\)$'
like "$(line text)" '^"hello \\"world\\"\\n"'"$here" "quotes and newlines"
like "$(line null)" '^"hello"'"$here" "a null at the end"
like "$(line binary)" '^0x0001ff'"$here" "binary"
like "$(line utf8)" '^"grüß"'"$here" "UTF-8"
like "$(line latin)" '^0x6772fcdf'"$here" "not UTF-8"
like "$(line bell)" '^"ring\\x07 \\x1b\[1mtwice"'"$here" "control characters"
like "$(line empty)" "^$here" "no data"
like "$(line large)" '^"x{1000}" \[cut\]'"$here" "cut off"
like "$(cat text)" ' odd "name"\\n\\xff| odd \\"name\\"\\n\\xff' "an odd name"
like "$(line posix_trace_unnamed_userevent)" '^"unnamed" +at main \(victim-events' \
	"the unnamed type"
like "$(cat text)" 'start [^ ]*/victim-events   \(cwd /' "process:start"
like "$(cat text)" 'exit 0  user (0|[0-9.]+[num]?s) sys ' "process:exit"
is "$(sort -c -s -k 1,1n text 2>&1)" "" "by time"
like "$("$PTRACE_DUMP" -v log | grep 'null "hello"')" \
	' at here\+0x[0-9a-f]+ \(victim-events\)( \(.*victim-events\.c:[0-9]+\))?$' \
	"-v: the place exactly"
is "$(grep -c '^.\{94\}at here' text)" 8 "places in one column"

# Names of what is in memory
cat >locks.c <<-END
	#include <pthread.h>
	pthread_mutex_t big = PTHREAD_MUTEX_INITIALIZER;
	struct { long n[2]; pthread_mutex_t lock; } pair;
	void *worker(void *arg)
	{
		pthread_mutex_lock(&big);
		pthread_mutex_lock(&pair.lock);
		return arg;
	}
	int main(void)
	{
		pthread_t thread;

		return pthread_create(&thread, NULL, worker, NULL) ||
		       pthread_join(thread, NULL);
	}
END
cc=${CC:-cc}
# shellcheck disable=SC2086 # words
if $cc -pthread -o locks locks.c 2>cc.err; then
	run -e thread,sync ./locks
	"$PTRACE_DUMP" log >text
	like "$(cat text)" ' lock &big  .* at worker \(locks\)' "a lock by its name"
	like "$(cat text)" ' lock &pair\+0x10 ' "one inside of something else"
	like "$("$PTRACE_DUMP" -v log)" ' lock 0x[0-9a-f]+ &big ' \
		"-v: and its address"
	like "$(cat text)" ' thread starts in worker' "what a thread runs"
	like "$("$PTRACE_DUMP" --no-symbols log)" ' lock 0x[0-9a-f]+ ' \
		"--no-symbols: no names"
else
	skip "names in memory" "no compiler" 5
fi

# Wrong usage
is "$(status "$PTRACE_DUMP" --time=tomorrow log) $(cat err)" \
	"2 ptrace-dump: --time: 'tomorrow' is not relative, absolute, delta or clock
try 'ptrace-dump --help'" "--time of no sense"
is "$(status "$PTRACE_DUMP" --color=pink log) $(cat err)" \
	"2 ptrace-dump: --color: 'pink' is not auto, always or never
try 'ptrace-dump --help'" "--color of no sense"

# A command as it is shown can be pasted.
if ! lacks bash text "a command can be pasted"; then
	# shellcheck disable=SC2016 # not for this shell
	run -e process /usr/bin/printf '%s|' "it's" 'a b' '$x' '' "$(printf 'a\tb\001c')" \
		'"q"' 'back\slash' '~' 'grün' "'" '!a' '*' >first
	"$PTRACE_DUMP" log | sed -n 's/.* start \(\/usr\/bin\/printf .*\)   (cwd .*/\1/p' >pasted
	bash pasted >again
	is "$(cat again)" "$(cat first)" "a command can be pasted"
fi
