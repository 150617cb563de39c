#!/bin/sh
# SPDX-License-Identifier: MIT
# What strace -f -T sees of real programs and what our log says is the same:
# names of files, results and errors, in their order, and how long they took.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
need python3
strace -o "$T/strace" true 2>/dev/null
[ -s "$T/strace" ] || skip_all "strace does not work here"

cat >"$T/check.py" <<'END'
import json
import re
import sys

# Where a call by strace has the path, and what our event is called.
KINDS = {
    'openat': 'file:open', 'unlink': 'file:unlink', 'unlinkat': 'file:unlink',
    'rename': 'file:rename', 'mkdir': 'file:mkdir', 'chdir': 'file:chdir',
    'readlink': 'file:readlink',
}
PATH = {'file:rename': 'old'}
CALL = re.compile(r'(\d+) +(\w+)\((.*)\) += (-?\d+)(?: (E\w+))?.* <([\d.]+)>$')


def plain(path):
    """Names that differ from run to run."""
    return re.sub(r'/(t|cc)\w{6}(\.\w)?$', r'/\1X\2', path)


def theirs(path):
    for line in open(path, errors='replace'):
        m = CALL.match(line)
        if m and m.group(2) in KINDS:
            text = re.search(r'"((?:[^"\\]|\\.)*)"', m.group(3))
            yield (KINDS[m.group(2)], plain(text.group(1) if text else ''),
                   0 if int(m.group(4)) >= 0 else -1, m.group(5),
                   float(m.group(6)) * 1e9)


def ours(path):
    for line in open(path):
        e = json.loads(line)
        args = e['args']
        # Of what it has elsewhere, temporary files and caches, a program may
        # do more the first time.
        if (e['name'] in KINDS.values() and
                not args.get(PATH.get(e['name'], 'path'), '').startswith('/')):
            yield (e['name'], plain(args.get(PATH.get(e['name'], 'path'), '')),
                   0 if args['ret'] >= 0 else -1, args.get('errno'), e['dur'])


theirs, ours = list(theirs(sys.argv[1])), list(ours(sys.argv[2]))
# What libc and the loader do inside is seen by strace alone: each of ours must
# be among theirs, as often.
left = {}
for call in theirs:
    left.setdefault(call[:4], []).append(call[4])
missing = []
longer = 0
for call in ours:
    found = left.get(call[:4])
    if not found:
        missing.append(call[:4])
        continue
    # Their clock has the stops of strace in it; each runs on its own, so
    # this is only to find what makes no sense.
    longer += call[4] > max(found) + 1e11
    found.pop()
print(len(ours), len(missing), longer)
for call in missing[:9]:
    print(call, file=sys.stderr)
END

# compare NAME COMMAND...: three tests.
compare() {
	name=$1
	shift
	if ! command -v "$1" >/dev/null; then
		for _ in 1 2 3; do
			skip "$name" "no $1"
		done
		return
	fi
	# Programs' own files: those that differ from run to run are not.
	prepare
	strace -f -T -s 4096 -qq -o "$T/theirs" "$@" >/dev/null 2>&1 </dev/null
	prepare
	run -e file -- "$@" >/dev/null 2>&1 </dev/null
	dump -f json | grep '"file:' >"$T/ours"
	# shellcheck disable=SC2046
	set -- $(python3 "$T/check.py" "$T/theirs" "$T/ours" 2>"$T/err")
	[ "${1:-0}" -ge "$least" ]
	ok $? "$name: ${1:-no} calls"
	is "${2-}" 0 "$name: the same paths, results and errors" ||
		diag "$(cat "$T/err")"
	is "${3-}" 0 "$name: none took longer by minutes"
}

prepare() {
	rm -rf "$T/work" && mkdir "$T/work"
	printf 'int main(void) { return 0; }\n' >"$T/work/a.c"
	printf 'all: b\nb: a.c\n\tcp a.c b\n' >"$T/work/Makefile"
	cd "$T/work" || exit
}

plan 15
least=1
compare bash bash -c 'cd . && [ -e a.c ]; echo x >new; cat a.c; ! cat none'
compare make make
compare python3 python3 -S -c 'import os; os.mkdir("d"); os.rename("d", "e")
try: open("no such")
except OSError: pass'
compare git git init -q repository
compare gcc gcc -c a.c
