# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of ptrace-report, after t/lib/tap.sh and t/lib/run.sh.
command -v python3 >/dev/null 2>&1 || skip_all "no python3"
# Not a script that looks for it.
python=$(python3 -c 'import sys; print(sys.executable)')
ln -s "$python" "$T/python"
python=$T/python
PYTHONPATH=$abs_top_srcdir/t/lib
PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH PYTHONDONTWRITEBYTECODE

# report OPTION...: of $T/log.
report() {
	"$PTRACE_REPORT" "$@" "$T/log"
}

# checks WHAT SCRIPT ARGUMENT...: the tests that a python script prints, each
# "pass NAME" or "fail NAME", and comments.
checks() {
	checks_what=$1
	shift
	python3 "$@" >"$T/results" 2>"$T/why" || {
		echo "fail the script ends well" >>"$T/results"
		sed 's/^/# /' "$T/why" >>"$T/results"
	}
	while read -r result name; do
		case $result in
		pass) pass "$checks_what: $name" ;;
		fail) fail "$checks_what: $name" ;;
		*) echo "# $name" ;;
		esac
	done <"$T/results"
}

# record_make OPTION...: a small project, built by make -j2, in $T/log.
record_make() {
	mkdir -p project && cd project || exit 1
	printf '%s\n' 'all: a.out' 'a.out: a.o b.o' '	cc -o $@ a.o b.o' \
		'%.o: %.c' '	cc -c -o $@ $<' >Makefile
	echo 'int b(void); int main(void) { return b(); }' >a.c
	echo 'int b(void) { return 0; }' >b.c
	run "$@" make -s -j2
	cd .. || exit 1
}
