#!/bin/sh
# SPDX-License-Identifier: MIT
# An environment that is as large as it can be: the program runs all the same. It
# is traced if it finds us in it, or else told of.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
need python3
plan 10

cat >"$T/victim.py" <<'END'
import os, sys
CHUNK = 100000
PROGRAM = '/bin/sh', ['sh', '-c', 'exit 3']


# What the kernel counts.
def size(env):
    return sum(len(k) + len(v) + 2 + 8 for k, v in env.items())


# That environment, filled up to so many bytes.
def filled(env, limit):
    env = dict(env)
    i = 0
    while limit - size(env) > 30:
        room = min(limit - size(env), CHUNK)
        env['F%06d' % i] = 'x' * (room - 17)
        i += 1
    return env


def fits(limit):
    pid = os.fork()
    if pid == 0:
        try:
            os.execve(*PROGRAM, filled({}, limit))
        except OSError:
            os._exit(9)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 3


if sys.argv[1] == 'find':
    low, high = 1000, 16 << 20
    while high - low > 1:
        middle = (low + high) // 2
        if fits(middle):
            low = middle
        else:
            high = middle
    print(low)
    sys.exit()
env = filled(os.environ if sys.argv[2] == 'keep' else {}, int(sys.argv[3]))
if sys.argv[1] == 'spawn':
    pid = os.posix_spawn(*PROGRAM, env)
    sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
os.execve(*PROGRAM, env)
END
limit=$(python3 "$T/victim.py" find)
for how in exec spawn; do
	same "$how, no room for us" python3 "$T/victim.py" $how clear "$limit"
	is "$(events process:untraced 'environment too large')" 1 "$how: it is told"
	is "$(events process:start '"exit 3"')" 0 "$how: it is not traced"
	same "$how, no more room" python3 "$T/victim.py" $how keep "$limit"
	is "$(events process:start '"exit 3"')" 1 "$how: it is traced"
done
