#!/bin/sh
# SPDX-License-Identifier: MIT
# An exec that fails is recorded as such, with its errno, and changes nothing.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
plan 5

cat >"$T/victim.py" <<'END'
import os
for path in "/nonexistent", "/etc", "/etc/passwd":
    try:
        os.execv(path, [path])
    except OSError as error:
        print(path, error.errno, flush=True)
os.execv("/bin/sh", ["sh", "-c", "exit 3"])
END
need python3
same "three failures, then success" python3 "$T/victim.py"
is "$(events process:exec_failed)" 3 "three failures"
is "$(events process:exec_failed '"errno":2,' '"path":"/nonexistent"')" 1 \
	"with errno and path"
is "$(events process:exec '"path":"/bin/sh"')" 1 "the success"
is "$(events process:exit '"status":3')" 1 "the new image is traced"
