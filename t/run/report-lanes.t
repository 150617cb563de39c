#!/bin/sh
# SPDX-License-Identifier: MIT
# Lanes of the page of ptrace-report --html: they fold, are sorted and hidden, and
# what programs say of themselves is a line through all of them.
# shellcheck disable=SC2016 # of the shell that is traced
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
PATH=${PTRACE_EVENT%/*}:$PATH
run sh -c 'ptrace-event phase one; cat /none; (sleep 0.02; true)
	"$0"; ptrace-event phase two; sh -c "sleep 0.01; exit 3"; exit 0' \
	"$VICTIMS/victim-spans" >/dev/null 2>&1
"$PTRACE_REPORT" --html page.html log
drive lanes.js 24
