#!/bin/sh
# SPDX-License-Identifier: MIT
# Wrong usage is 2 and a failure of ours 125, and nothing is run.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 255

# wrong PATTERN OPTION...: a line that says what, and one that says where help is.
wrong() {
	pattern=$1
	shift
	is "$(status "$PTRACE_RUN" "$@" touch ran)" 2 "$*: status 2"
	like "$(head -n 1 err)" "^ptrace-run: .*$pattern" "$*: what is wrong"
	is "$(tail -n +2 err)" "try 'ptrace-run --help'" "$*: and one more line"
}
wrong --no-such-option --no-such-option
wrong 'process,thread,.*,all,none' -e no-such-family
wrong "'foo' is not a list of process,thread,.*, as open, nor a class, as %net" -e file,foo
wrong "'' is not a list of" -e file,
wrong "'%no' is not a list of" -e %no,file
wrong "'at' is not a list of" -e at
wrong '16K' -s 1X
wrong 'above 0' -s -1
wrong 'above 0' -s 0
wrong '--stream-size' -b ''
wrong 'from 4K on' -b 5
wrong 'loop, until-full, flush, block' --stream-policy no-such
wrong 'loop, until-full, append' --log-policy flush
wrong '0 to 64' -k65
wrong 'auto, own, libunwind' --unwinder=nobody
wrong 'VAR=VAL' -E =x
wrong "'.CMD'" -o ''
wrong 'COMMAND exclude' -p 1
wrong 'appended' -o '|cat' --log-policy loop
wrong '--log-policy loop or until-full' -m 1M
wrong '--log-policy loop or until-full' -m 1M --log-policy append
wrong '-l or -r GLOB names' -e process,call
wrong 'close is process:start$' -x proces:start
wrong 'close is file:open$' -x file:opne
wrong 'close is posix_trace_start$' -x posix_trace_strat
wrong "column 8 of 'path ==': expected a value" --when 'path ==' --do stop
wrong "'go' is not start, stop, mark TEXT, snapshot.=FILE. or exec COMMAND" --when pid --do go
wrong "'started' is not start" --when pid --do started
wrong 'stack is not possible: .* -k' --when pid --do stack
wrong "mark what. .mark TEXT" --when pid --do mark
wrong "exec what. .exec COMMAND" --when pid --do 'exec '
wrong 'nothing follows stop' --when pid --do 'stop now'
wrong "'pid': do what. .--do start, stop," --when pid
wrong "'tid': do what" --when pid --do stop --when tid
wrong 'when. .--when EXPR' --do stop
wrong 'needs --snapshot' --when pid --do snapshot
wrong 'has to be a file' --when pid --do stop -o '|cat'
wrong 'cannot be compressed meanwhile' --when pid --do stop --compress
wrong 'it is loop' --snapshot --stream-policy flush
wrong 'from 1K to 65528 .the most that the kernel copies' --sample --sample-stack=64K
wrong 'from 1K to 65528' --sample --sample-stack=0
wrong '--sample-stack is for samples: --sample' --sample-stack=16K
wrong 'of which functions' -a
wrong 'of which functions' --prototypes /dev/null
wrong 'no/such: No such file' --prototypes no/such -l x
wrong 'no function is declared' --prototypes /dev/null -l x
wrong 'of which functions' --min-duration 1ms -l x
wrong 'of which functions' --depth 1
wrong 'inside COMMAND: which' --min-size 16
wrong 'a number of bytes above 0' --min-size small -f x
wrong 'a number of bytes above 0' --min-size 0 -f x
wrong 'inside COMMAND: which' --hot 1M
wrong 'calls in a second from 10k on' --hot 9k -f x
wrong 'calls in a second from 10k on' --hot often -f x
wrong 'exclude each other: there is no event' --hot 1M -f x -c
wrong 'exclude each other: that leaves out' --hot 1M -f x --min-duration 1us
wrong '10us' --min-duration 10 -r x
wrong '10us' --min-duration 0s -r x
wrong 'levels' --depth 0 -r x
wrong 'a number of bytes above 0' -e io --io-data 0
wrong 'families io, net and file' --io-data 16
wrong 'families io, net and file' -e all,!io,!net,!file --io-data 16
wrong "programs' names" --only=
wrong "programs' names" --skip ''
wrong "programs' names" --program=
wrong 'a list of descriptors' -e io --fd x
wrong 'a list of descriptors' -e io --fd -1
wrong 'a list of descriptors' -e io --fd 1,,2
wrong 'a list of descriptors' -e io --fd 2147483648
wrong 'a list of descriptors, 16 at most' -e io --fd 1,2,3,4,5,6,7,8 \
	--fd 1,2,3,4,5,6,7,8 --fd 9
wrong 'patterns of paths' -e file --path=
wrong 'patterns of paths, 255 bytes at most' -e file \
	--path "$(printf '%0300d' 0)" --path "$(printf '%0300d' 0)"
wrong '10us' -e file --slower 10
wrong '10us' -e file --slower 0s
wrong 'of which families' --failed -e process
wrong 'of which families' --slower 1s -e call -l x
wrong 'which' --inject
wrong "'0' is not a process id" -p 0
is "$(status "$PTRACE_RUN")" 2 "no command: status 2"
is "$(cat err)" "ptrace-run: which COMMAND?
try 'ptrace-run --help'" "no command: two lines"
is "$(status "$PTRACE_RUN" -p x)" 2 "-p x: status 2"
for option in -D "-E A=b"; do
	# shellcheck disable=SC2086 # two words
	is "$(status "$PTRACE_RUN" -p $$ $option)" 2 "-p PID $option: status 2"
	is "$(cat err)" "ptrace-run: -p and ${option%% *} exclude each other
try 'ptrace-run --help'" "-p PID $option: what is wrong"
done
status "$PTRACE_RUN" -o log -x mine true >/dev/null
like "$(head -n 1 err)" "'mine' is not an event type of libptrace; it may be one of a program" \
	"-x of what is none of ours is said to be"
for option in -k6 --stack=6 "-x mine" "-x file:open" "-x process:exit"; do
	# shellcheck disable=SC2086 # two words
	is "$(status "$PTRACE_RUN" -o log $option true)" 0 "$option"
done

[ ! -e ran ]
ok $? "nothing was run"
is "$(status "$PTRACE_RUN" -o no/such/dir touch ran)" 125 \
	"a log that cannot be written: status 125"
is "$(wc -l <err)" 1 "one line says why"
is "$(status "$PTRACE_RUN" -o . touch ran)" 125 "a directory as log"
[ ! -e ran ]
ok $? "nothing was run then, too"

is "$(status "$PTRACE_RUN" --help)" 0 "--help"
is "$(status "$PTRACE_RUN" -V)" 0 "-V"
like "$(cat out)" '^ptrace-run \(libptrace\) [0-9]' "-V says the version"
