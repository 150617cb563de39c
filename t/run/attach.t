#!/bin/sh
# SPDX-License-Identifier: MIT
# shellcheck disable=SC2094 # the log has a name of its own
# A process that runs already: what it is, its threads and what it has mapped are
# told at once, so that all that it does has a place.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 10
unset LD_PRELOAD

cat >victim.c <<'END'
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <fcntl.h>

static int pipes[2];

__attribute__((noinline)) void touch(const char *path)
{
	close(open(path, O_RDONLY));
}

static void *serve(void *name)
{
	char byte;

	pthread_setname_np(pthread_self(), name);
	while (read(pipes[0], &byte, 1) == 1)
		touch("/dev/null");
	return NULL;
}

int main(int argc, char **argv)
{
	pthread_t thread;
	char line[64];

	/* As servers do. */
	if (argc > 1 && strncmp(argv[1], "title ", 6) == 0) {
		memset(argv[0], 0, strlen(argv[0]) + 1 + strlen(argv[1]));
		strcpy(argv[0], "victim: at work");
	}

	if (pipe(pipes) != 0 ||
	    pthread_create(&thread, NULL, serve, (void *)"server") != 0)
		return 1;
	setvbuf(stdout, NULL, _IONBF, 0);
	while (fgets(line, sizeof(line), stdin)) {
		touch("/dev/zero");
		if (write(pipes[1], line, 1) != 1)
			return 1;
		fputs(line, stdout);
	}
	close(pipes[1]);
	pthread_join(thread, NULL);
	return 3;
}
END
${CC:-cc} -g -O1 -o victim victim.c -pthread || exit 1

is_tracing() {
	grep -q '^ptrace-run: tracing' err || ! kill -0 "$runner"
}
# attach OPTION...: to the process, until it ends.
attach() {
	rm -f input output log err
	mkfifo input output
	env LD_PRELOAD="$LIBPTRACE" PTRACE_DISABLE=1 "$@" <input >output &
	pid=$!
	exec 5>input 6<output
	echo one >&5
	read -r _ <&6
	"$PTRACE_RUN" -v -k -e +file -o log -p "$pid" 2>err &
	runner=$!
	wait_for is_tracing
	echo two >&5
	read -r got <&6
	exec 5>&-
	wait "$pid"
	status=$?
	wait "$runner"
	exec 6<&-
}

attach ./victim with arguments
is "$status $got" "3 two" "nothing is noticed"
dump -f json >json
like "$(head -n 1 json)" '"name":"process:start".*"exe":"[^"]*/victim".*"cwd":"'"$T"'".*"argv":\["./victim","with","arguments"\]' \
	"the program, its directory and its arguments are the first"
is "$(grep -c '"name":"thread:name".*"server"' json)" 1 \
	"and the name of a thread"
like "$(dump -n file:open | grep /dev/zero)" '@ touch\+0x[0-9a-f]* \(victim\)' \
	"what it does has a place"
like "$(dump -n file:open | grep -A 3 /dev/null)" 'serve\+0x[0-9a-f]* \(victim\)' \
	"and stacks have names"
like "$("$PTRACE_REPORT" --processes log | tail -n 1)" ' 2  3 +victim\[' \
	"the report knows the process"

# A process that has executed another program since it began has told of two.
attach sh -c 'exec ./victim again'
is "$status $got" "3 two" "behind an exec: nothing is noticed"
like "$(dump -n file:open | grep /dev/zero)" '@ touch\+0x[0-9a-f]* \(victim\)' \
	"behind an exec: places have names"

attach ./victim "title with room for it"
like "$(dump -f json)" '"argv":\["victim:","at","work"\]' \
	"a title is parted into words"

[ "$(dump -f json | grep -c '"name":"process:exit"')" = 1 ]
ok $? "the end is its own"
