#!/bin/sh
# SPDX-License-Identifier: MIT
# The page of ptrace-report --html shows links between spans as arrows, and leads
# from one end to the other.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/drive.sh"
command -v python3 >/dev/null || skip_all "no python3"
PYTHONPATH=$abs_top_srcdir/scripts
export PYTHONPATH
cat >links <<'END'
import threading, time
import ptrace
with ptrace.span("request") as request:
    def worker():
        with ptrace.span("work") as work:
            work.link(request)
            time.sleep(0.02)
    thread = threading.Thread(target=worker)
    thread.start()
    time.sleep(0.01)
    thread.join()
with ptrace.span("report") as report:
    report.link(request, "follows")
    time.sleep(0.01)
END
run -e process,thread python3 links
"$PTRACE_REPORT" --html page.html log
drive spanlinks.js 7
