# SPDX-License-Identifier: MIT
# plan.py FILE <PLAN: is what t/run/victim-plan says of a file right, going by
# what objdump(1) makes of it?  A line for each place that is not.
import re
import subprocess
import sys

NOPS = re.compile(r'nop|xchg +%ax,%ax|data16|int3|add +%al,\(%rax\)|lea .*0x0\(')
LEADS = re.compile(r'(?:bnd )?(?:j\w+|call|loop\w*|xbegin)(?:,p[nt])? +([0-9a-f]+)\b')


def read(path):
    """Instructions by address, with their sizes and text; what they lead to."""
    insns, targets = {}, set()
    out = subprocess.Popen(['objdump', '-d', '-w', '--insn-width=15', path],
                           stdout=subprocess.PIPE, text=True)
    for line in out.stdout:
        parts = line.rstrip('\n').split('\t')
        if len(parts) < 3 or not parts[0].endswith(':'):
            continue
        at = int(parts[0].strip(' :'), 16)
        insns[at] = (len(parts[1].split()), parts[2])
        found = LEADS.match(parts[2])
        if found:
            targets.add(int(found.group(1), 16))
    out.wait()
    return insns, targets


def written(how, at, island):
    """The bytes that are replaced."""
    if how in ('jump', 'padding'):
        return [(at, at + 5)]
    if how == 'short':
        return [(at, at + 2), (island, island + 5)]
    return []


def check(path):
    insns, targets = read(path)
    taken, moved, wrong, nr = {}, set(), 0, 0
    functions = []

    def say(what, at):
        nonlocal wrong
        wrong += 1
        if wrong <= 20:
            print('%x: %s' % (at, what))

    for line in sys.stdin:
        words = line.split()
        if words[0] == 'function':
            start, end = (int(word, 16) for word in words[1:3])
            functions.append((start, end, words[3:] == ['0', '0'], []))
            continue
        kind, how = words[1:3]
        at, size, island = (int(word, 16) for word in words[3:])
        functions[-1][3].append((kind, how, at, size, island))

    for start, end, is_full, places in functions:
        covered = set()
        for kind, how, at, size, island in places:
            nr += 1
            if how == 'not':
                continue
            # Whole instructions, which are entered at the first one only.
            byte = at
            while byte < at + size and byte in insns:
                byte += insns[byte][0]
            if byte != at + size:
                say('no whole instructions', at)
            for byte in range(at + 1, at + size):
                if byte in targets:
                    say('something leads to what is moved', byte)
            covered.update(range(at, at + size))
            if how != 'inside':
                moved.update(range(at, at + size))
            for first, last in written(how, at, island):
                for byte in range(first, last):
                    if byte in taken:
                        say('written twice', byte)
                    taken[byte] = at
                    if byte > first and byte in targets:
                        say('something leads into a jump', byte)
        for byte in range(start, end if is_full else start):
            if byte in insns and re.match('(bnd |repz )?ret', insns[byte][1]):
                if byte not in covered:
                    say('a return that is not patched', byte)

    # What is replaced was moved, or is padding.
    for byte in taken:
        if byte in moved or byte not in insns:
            continue
        if not NOPS.search(insns[byte][1]):
            say('replaced, but not moved', byte)
    return nr, wrong


places, errors = check(sys.argv[1])
print('%d places, %d wrong' % (places, errors))
sys.exit(errors != 0)
