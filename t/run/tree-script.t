#!/bin/sh
# SPDX-License-Identifier: MIT
# python3 and perl: every way they have to make a process.
# shellcheck disable=SC2016 # what is run expands it
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/tree.sh"
need perl
plan 6

python=$(python3 -c 'import sys; print(sys.executable)')
cat >subprocesses.py <<'END'
import os, subprocess, sys
true = '/bin/true'
for i in range(3):
    subprocess.run([true])
    subprocess.run([true], close_fds=False)
subprocess.run('exit 3; /bin/false', shell=True)
subprocess.run([true], preexec_fn=lambda: None, start_new_session=True)
subprocess.run([true], env={}, cwd='/')
os.system('/bin/true; exit 2')
os.popen('/bin/echo hi').read()
os.waitpid(os.posix_spawn(true, [true], {}), 0)
os.spawnv(os.P_WAIT, true, [true])
with subprocess.Popen(['cat'], stdin=subprocess.PIPE) as cat:
    cat.stdin.write(b'x')
try:
    subprocess.run(['/no/such/program'])
except OSError:
    pass
if os.fork() == 0:
    os.execve(true, [true], {})
os.wait()
END
tree "python3: subprocess" "$python" subprocesses.py

cat >pool.py <<'END'
import multiprocessing, os, sys
def work(n):
    return n * n
if __name__ == '__main__':
    multiprocessing.set_start_method(sys.argv[1])
    with multiprocessing.Pool(2) as pool:
        assert pool.map(work, range(4)) == [0, 1, 4, 9]
        pool.close()
        pool.join()
END
for how in fork spawn forkserver; do
	tree "python3: multiprocessing, $how" "$python" pool.py $how
done

cat >script.pl <<'END'
system("/bin/true"); system("exit 3; :"); print `/bin/echo hi`;
for (1 .. 3) { if (!fork) { exit $_ } }
1 while wait > 0;
if (!fork) { exec "/bin/sh", "-c", "exit 5" } wait;
open(P, "|-", "cat") or die; print P "x\n"; close P;
%ENV = (); system("/bin/true"); exec "/bin/true";
END
tree "perl" perl script.pl

# What libseccomp asks at start, to see what there is; nothing is forbidden then.
case $(uname -m) in
x86_64) seccomp=317 ;;
aarch64) seccomp=277 ;;
*) seccomp=-1 ;;
esac
tree "perl asks for seccomp" perl -e '$n = shift; syscall($n, 0, 1, 0);
	syscall($n, 1, 1, 0); syscall($n, 1, 2, 0); if (!fork) { exit 4 } wait;
	system("/bin/true; exit 3"); exec "/bin/true"' $seccomp
