#!/bin/sh
# SPDX-License-Identifier: MIT
# With --reach libc the files are recorded that libc and the dynamic linker open
# themselves: of locales, conversions, time zones, users, dlopen's searches; and
# what programs call is recorded once, as without.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
[ "$(uname -m)" = x86_64 ] || skip_all "another machine"
command -v cc >/dev/null || skip_all "no compiler"
plan 14

cat >inside.c <<'END'
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <iconv.h>
#include <locale.h>
#include <pthread.h>
#include <pwd.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void *look(void *arg)
{
	setenv("TZ", "Nowhere/Town", 1);
	tzset();
	return arg;
}
int main(void)
{
	char *argv[] = {"true", 0};
	posix_spawn_file_actions_t actions;
	pthread_t thread;
	int status = -1;
	pid_t child;
	FILE *file;

	close(open("/none/open", O_RDONLY));
	file = fopen("/none/fopen", "r");
	access("/none/access", R_OK);
	printf("%d\n", setlocale(LC_ALL, "xx_XX.UTF-8") != 0);
	printf("%d\n", iconv_open("XX-NONE", "UTF-8") != (iconv_t)-1);
	printf("%d\n", getpwnam("nobody") != 0);
	printf("%d\n", dlopen("libnone-of-all.so.7", RTLD_NOW) != 0);
	pthread_create(&thread, 0, look, 0);
	pthread_join(thread, 0);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
	if (posix_spawnp(&child, "true", &actions, 0, argv, environ) == 0)
		waitpid(child, &status, 0);
	printf("%d %d\n", status, file == 0);
	return 0;
}
END
cc -pthread -o inside inside.c -ldl || skip_all "the compiler fails"
./inside >plain
run -e file,process --reach libc ./inside >traced
is "$? $(cat traced)" "0 $(cat plain)" "the program does what it does without"
# How often a path that ends so was opened, or tried to be.
opened() {
	dump -f json -n file:open -n file:access |
		grep -c "\"path\":\"[^\"]*$1\""
}
is "$(dump | grep call:unhooked)" "" "all of it is seen"
[ "$(opened xx_XX.UTF-8/LC_[A-Z]*)" -gt 0 ]
ok $? "locales"
[ "$(opened gconv-modules.cache)" -gt 0 ]
ok $? "conversions"
is "$(opened Nowhere/Town)" 1 "time zones, in a thread"
is "$(opened /etc/passwd)" 1 "users"
[ "$(opened /libnone-of-all.so.7)" -gt 2 ]
ok $? "dlopen's searches"
is "$(opened /none/open) $(opened /none/access)" "1 1" \
	"calls of the program are recorded once"
is "$(dump -f json | grep -c '"path":"/none/fopen"')" 1 "fopen(), too"
is "$(dump -f json -n process:start | grep -c '"argv":\["true"\]')" 1 "a child by posix_spawn"
run -e file --reach libc sh -c './inside >/dev/null; ./inside >/dev/null'
is "$(opened Nowhere/Town)" 2 "in children"
run -e file ./inside >/dev/null
is "$(opened Nowhere/Town) $(opened /libnone-of-all.so.7)" "0 0" \
	"without it none"
run -e file --reach libc --symbols=none ./inside >/dev/null
is "$(opened Nowhere/Town)" 1 "without symbols"

# What strace shows of a program from where it begins.
if command -v strace >/dev/null && strace -o t true 2>/dev/null; then
	strace -f -o t -e trace=open,openat ./inside >/dev/null
	run -e file --reach libc ./inside >/dev/null
	sed -n '/none\/open/,$s/.*openat*([^"]*"\([^"]*\)".*/\1/p' t |
		grep -v -e /dev/null -e '/libc\.so' | sort -u >want
	dump -f json -n file:open -n file:fopen | sed -n 's/.*"path":"\([^"]*\)".*/\1/p' |
		sort -u >got
	is "$(comm -23 want got)" "" "no file that strace has is missing"
else
	ok 0 "no file that strace has is missing # skip no strace"
fi
