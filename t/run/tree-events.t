#!/bin/sh
# SPDX-License-Identifier: MIT
# The events of a program, of a library in another program, and of a script are
# in one log: who, when, where, and what.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
plan 9

PATH=${PTRACE_EVENT%/*}:$PATH
cat >plugin.c <<'END'
#define _GNU_SOURCE
#include <trace.h>
#include <stdio.h>
int record_in_library(void)
{
	trace_event_id_t id;
	if (posix_trace_eventid_open("plugin", &id) != 0)
		return 1;
	posix_trace_event(id, "in", 2);
	printf("%d/%d plugin data=\"in\" record_in_library\n", (int)getpid(),
	       (int)gettid());
	return 0;
}
END
cat >linked.c <<'END'
int record_in_library(void);
int main(void) { return record_in_library(); }
END
cat >loader.c <<'END'
#include <dlfcn.h>
int main(int argc, char **argv)
{
	void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
	int (*record)(void) = library ? dlsym(library, "record_in_library") : 0;
	return record ? record() : 1 + argc;
}
END
lib=${LIBPTRACE%/*}
${CC:-cc} -g -shared -fPIC -I"$abs_top_srcdir/include" -o libplugin.so \
	plugin.c "$LIBPTRACE" -Wl,-rpath,"$lib" &&
	${CC:-cc} -o linked linked.c ./libplugin.so &&
	${CC:-cc} -o loader loader.c -ldl
[ -x loader ] || skip_all "no compiler"

# What was recorded, as the program itself says.
recorded() {
	grep '^[0-9]*/[0-9]* [a-z]* data='
}
# The same of the log, in its order.
logged() {
	dump -n own -n plugin -n shell |
		sed -E 's/^[0-9.]+ //; s/ @ ([a-z_]+)\+0x[0-9a-f]+ .*/ \1/'
}

victim=$VICTIMS/victim-tree-events
run -- "$victim" | recorded >want
check --execs 1
ok $? "a program" || tree_diag
is "$(logged)" "$(cat want)" "threads and a child by turns"

# shellcheck disable=SC2016
run -- sh -c 'ptrace-event shell one; "$0"; ./linked; ./linked | cat
	ptrace-event shell "two words"' "$victim" >out
check --execs 7
ok $? "all together" || tree_diag
recorded <out >want
is "$(logged | grep -v ' shell ')" "$(cat want)" "program and library"
is "$(logged | sed -n 's/.* shell \(data="[a-z ]*"\).*/\1/p')" 'data="one"
data="two words"' "script"
logged | cut -d ' ' -f 2 | uniq >order
is "$(tr '\n' ' ' <order)" "shell own plugin shell " "in the order of time"

run -- ./loader ./libplugin.so >want
logged >got
is "$(sed 's/ @ .*//; s/ record_.*//' got)" "$(sed 's/ [^ ]*$//' want)" \
	"a library loaded later"
is "$(cat got)" "$(cat want)" "the name of a function in it"

# Nobody traces: nothing is said, and nothing left.
"$victim" | recorded | wc -l >nr
./loader ./libplugin.so | recorded | wc -l >>nr
./linked | wc -l >>nr
is "$(tr '\n' ' ' <nr)" "22 1 1 " "untraced"
