#!/bin/sh
# SPDX-License-Identifier: MIT
# The commands of ptrace-tutorial(7) do what the page shows.  What is between .EX
# and .EE behind a line "NAME:" is that file; else a line that begins with "$ " is
# a command, and what follows is all that it prints, or up to a line "...".
# Times, sizes, addresses and process numbers may differ, and what is behind
# column 78 is not shown.
# shellcheck disable=SC2016 # for another shell
. "${abs_top_srcdir:-.}/t/lib/tap.sh"

# The page's cc is gcc, whatever builds us: its trees are in the output.
need gcc make python3 pkg-config sed
page=$abs_top_srcdir/man/ptrace-tutorial.7

# plain: roff without what it needs in examples.
plain() {
	sed -e 's/^\\&//' -e 's/\\-/-/g' -e 's/\\(ti/~/g' -e 's/\\(ha/^/g' \
		-e "s/\\\\(aq/'/g" -e 's/\\(ga/`/g' -e 's/\\e/\\/g'
}

# parse DIR: the page's files into DIR, the commands into DIR/commands, one a
# line, and what they print into DIR/N.shown.
parse() {
	awk -v dir="$1" '
		/^\.EX$/ { inside = 1; next }
		/^\.EE$/ { inside = 0; file = n_shown = ""; next }
		!inside && /^[A-Za-z]+(\.c|\.py|\.sh)?:$/ {
			file = dir "/" substr($0, 1, length($0) - 1)
		}
		!inside { next }
		/^\$ / {
			print substr($0, 3) >(dir "/commands")
			n_shown = dir "/" ++n ".shown"
			printf "" >n_shown
			next
		}
		n_shown { print >n_shown; next }
		file { print >file }'
}

# shape: standard input without what may differ.
shape() {
	sed -E -e 's/.*Segmentation fault.*/Segmentation fault/' \
		-e 's/(accept4\([0-9]+, [0-9.]+).*/\1/' \
		-e 's/\(cwd [^)]*\)?/(cwd DIR)/; s/ at .*//' \
		-e 's/(exit [0-9]+|killed by [A-Z]+)  .*/\1/' \
		-e 's/mean [0-9].*//; s/([0-9]+ )?[0-9]+ events/N events/' \
		| cut -c 1-78 | sed -E \
		-e 's/^(.{78}).*$/\1/; /^.{78}$/s/ [^ ]*$//' \
		-e 's/[0-9]+(\.[0-9]+)?(ns|us|ms|s)( |\)|$)/T\3/g' \
		-e 's/(T[ 	]+)0( )/\1T\2/g; s/[0-9]+\.[0-9]+[KMG]/SIZE/g' \
		-e 's/^ +[0-9]+\.[0-9]+ /TIME /; s/\[[0-9]+(\/[0-9]+)?\]/[PID]/g' \
		-e 's/\([0-9.]+$/(N/; s/(cc1, sh, make).*/\1/' \
		-e 's/(read [0-9]+, wrote).*/\1/; s/(mutex [^ ]+).*/\1/' \
		-e 's/ [0-9.]+ +counter / N counter /' \
		-e 's/0x[0-9a-f]+/ADDRESS/g; /%/s/[0-9.]+/N/g; s/ N%? / N /g' \
		-e 's/[0-9]+x .*/TIMES/; s/ +/ /g; s/ $//; s/^ //'
}

# play DIR: its commands in one shell, standing there; what each prints goes to
# DIR/N.got.
play() {
	awk '{ print "exec >" NR ".got 2>&1"; print }' "$1/commands" \
		>"$1/session"
	(cd "$1" && sh ./session) </dev/null
}

# differs DIR N: how the Nth command does, or nothing.
differs() {
	shape <"$1/$2.shown" >"$1/shown"
	if [ "$(tail -n 1 "$1/shown")" = ... ]; then
		sed -i '$d' "$1/shown"
		shape <"$1/$2.got" | head -n "$(wc -l <"$1/shown")" >"$1/got"
	else
		shape <"$1/$2.got" >"$1/got"
	fi
	diff "$1/shown" "$1/got"
}

# in_host HOST COMMAND...: there.
in_host() {
	at=$1
	shift
	nsenter -n -u -t "$(cat "$T/$at.pid")" "$@"
}

# Three hosts that have networks and names of their own, as long as somebody has
# the fifo open for writing.
make_hosts() {
	unshare -n -u true && command -v ip || return
	mkfifo "$T/stay" "$T/ready"
	exec 8<>"$T/ready"
	for host in alpha beta gamma; do
		unshare -n -u sh -c 'echo "${1##*/}" >/proc/sys/kernel/hostname
			echo $$ >"$1.pid"; echo >&8; exec 8>&-; read x' \
			sh "$T/$host" <"$T/stay" &
	done
	exec 9>"$T/stay"
	for host in alpha beta gamma; do
		read -r host <&8
	done
	exec 8>&-
	for host in 2:beta 3:gamma; do
		address=10.0.0.${host%:*} host=${host#*:}
		in_host alpha ip link add "$host" type veth peer name eth0 \
			netns "$(cat "$T/$host.pid")" || return
		in_host alpha ip address add 10.0.0.1 peer "$address" dev "$host"
		in_host alpha ip link set "$host" up
		in_host "$host" ip address add "$address" peer 10.0.0.1 dev eth0
		in_host "$host" ip link set eth0 up || return
	done
}

# What is installed.
mkdir "$T/top" "$T/bin" "$T/pc"
sed -e "s|^libdir=.*|libdir=$abs_top_builddir/lib|" \
	-e "s|^includedir=.*|includedir=$abs_top_srcdir/include|" \
	"$abs_top_builddir/include/ptrace.pc" >"$T/pc/ptrace.pc"
printf '#!/bin/sh\nPATH=%s\nexec gcc "$@"\n' "'$PATH'" >"$T/bin/cc"
cat >"$T/bin/ssh" <<END
#!/bin/sh
host=\$1
shift
exec nsenter -n -u -t "\$(cat '$T'/\$host.pid)" "\$@"
END
chmod +x "$T/bin/cc" "$T/bin/ssh"
PATH=$T/bin:${PTRACE_RUN%/*}:${PTRACE_DUMP%/*}:$PATH
PKG_CONFIG_PATH=$T/pc
LD_RUN_PATH=$abs_top_builddir/lib
export PATH PKG_CONFIG_PATH LD_RUN_PATH
unset CC MAKEFLAGS MFLAGS MAKELEVEL

plain <"$page" | parse "$T/top"
plan $(($(wc -l <"$T/top/commands") + 2))
can_sql=
[ "$(echo "SELECT '{\"a\":1}'->>'a';" | sqlite3 2>&1)" = 1 ] && can_sql=1
has_hosts=
make_hosts >"$T/hosts.out" 2>&1 && has_hosts=1
[ -n "$has_hosts" ] || rm -f "$T"/*.pid
play "$T/top"
exec 9>&-
wait
n=0
while IFS= read -r command <&3; do
	n=$((n + 1))
	case $has_hosts$command in
	[!1]*alpha* | [!1]*beta* | [!1]*gamma* | [!1]*hosts.*)
		skip "$command" "no network namespaces: $(tail -n 1 "$T/hosts.out")"
		continue
		;;
	*"report --sql "*)
		if ! grep -q 'define HAVE_SQLITE 1' \
			"$abs_top_builddir/config.h"; then
			skip "$command" "built without SQLite"
			continue
		fi
		;;
	*"sqlite3 "*)
		if [ -z "$can_sql" ]; then
			skip "$command" "no sqlite3 that knows ->>"
			continue
		fi
		;;
	esac
	is "$(differs "$T/top" $n)" "" "$command"
done 3<"$T/top/commands"

# Every question of the page is answered by some command.
is "$(awk '/^\.SH/ { if (asks && !n) print asks; asks = /\?/ ? $0 : ""; n = 0 }
	/^\$ ptrace/ { n++ }' "$page")" "" "no question without a command"

# The test of the test.
mkdir "$T/wrong"
parse "$T/wrong" <<'END'
.EX
$ echo '    0.010877   12ms     sh[7]     exit 4  user 1.11ms'
    0.000877   1.00us   sh[9]                     exit 3  user 1us sys 0us
.EE
END
play "$T/wrong"
is "$(differs "$T/wrong" 1 | tail -n 1)" "> TIME T sh[PID] exit 4" \
	"another output is found"
