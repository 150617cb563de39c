#!/bin/sh
# SPDX-License-Identifier: MIT
# The summary line, the name of the log, and the log as a pipe.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
plan 16

number='[0-9]{1,3}( [0-9]{3})*'
figures="^ptrace-run: $number events, $number lost, $number process(es)?, "
figures="${figures}[0-9.]+ [KMGT]?i?B -> "

# The command's own output stays apart, and its name is the log's.
is "$(status "$PTRACE_RUN" sh -c 'echo $$; echo error >&2')" 0 "status"
pid=$(cat out)
like "$(sed -n 2p err)" "$figures""sh\\.$pid\\.ptlog\$" "summary line"
is "$(wc -l <err)" 2 "one line of ours"
is "$("$PTRACE_DUMP" --info "sh.$pid.ptlog" | sed -n 's/^log-state: *//p')" \
	complete "the log is complete"

is "$(status "$PTRACE_RUN" -o some.log sh -c 'exit 0')" 0 "-o"
like "$(cat err)" "$figures""some.log\$" "the name is in the line"
is "$(status run sh -c 'exit 0')" 0 "-q"
is "$(cat err)" "" "no line"

# The thousands are set apart.
"$PTRACE_RUN" -o many.log -b 4M "$VICTIMS/victim-ticks" 12345 2>err
like "$(cat err)" '^ptrace-run: 12[0-9]{3} events, 0 lost' "12345 events"

"$PTRACE_RUN" -q -o '|cat >piped; sleep 0.2; echo end >>order' \
	sh -c 'echo command >>order'
is "$?" 0 "-o |CMD"
is "$(cat order)" "command
end" "ptrace-run waits for CMD"
"$PTRACE_DUMP" -f raw piped >text
ok $? "what CMD was given is a log"
"$PTRACE_RUN" -q -o '|cat' true | "$PTRACE_DUMP" -f raw - | grep -q process:start
ok $? "from pipe to pipe"

# Names that are too many: they are counted, and said.
"$PTRACE_RUN" -o names.log "$VICTIMS/victim-names" 1030 2>err
is "$(tail -n 1 err)" "ptrace-run: names refused: 7: too many event types \
(libptrace(7) has the limits)" "names refused"
is "$("$PTRACE_DUMP" --info names.log | grep names-refused | tr -d ' ')" \
	"names-refused:7" "the log has it"
"$PTRACE_RUN" -o names.log "$VICTIMS/victim-names" 1023 2>err
is "$(grep -c refused err)" 0 "not if there are none"
