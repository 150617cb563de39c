# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of versions: what libc has, which of ours answers to it, and what
# we need of it.

# newer LIBPTRACE: the versions of libc that the loader must find, but for those
# that libc has had since 2.17.
newer() {
	readelf -VW "$1" | sed -n 's/.*Name: GLIBC_\([0-9.]*\) .*Flags: .*/\1/p' |
		awk -F . '$1 > 2 || $2 > 17' | sort -u
}

# disagree LIBPTRACE LIBC FIRST: a line for each function of libc's of which a
# version does not reach a wrapper of its own code; nothing if all is well.
# FIRST: what an object that asks for no version gets.
disagree() {
	for library in "$1" "$2"; do
		nm -D --defined-only "$library" |
			sed -nE 's/^([0-9a-f]+) [TWi] ([A-Za-z0-9_]+)(@*)([A-Za-z0-9_.]*)$/\1 \2 -\3 -\4/p'
		nm -D --defined-only "$library" | sed -n 's/^0* A /version - - -/p'
		echo end
	done | awk -v first="-$3" '
		$1 == "end" { is_libc = 1; next }
		$1 == "version" { has[$4] = is_libc; next }
		$4 ~ /PRIVATE$/ || $2 ~ /^posix_trace_/ { next }
		!is_libc {
			ours[$2] = 1
			if ($4 == "-")
				any[$2] = 1
			else
				answers[$2, $4] = $3
			if ($4 == "-PTRACE_0.1")
				unversioned[$2] = 1
			else if ($4 != "-")
				asked[++nr] = $2 " " $4
			next
		}
		!($2 in ours) { next }
		{
			versions[$2] = versions[$2] " " $4
			addr[$2, $4] = $1
			if ($3 == "-@@")
				now[$2] = $4
		}
		END {
			for (name in versions)
				compare(name)
			for (i = 1; i <= nr; i++) {
				split(asked[i], word, " ")
				if (has[word[2]] && !((word[1], word[2]) in addr))
					print word[1] ": no" word[2] " in libc"
			}
		}
		function compare(name,    part, n, i, v, differs) {
			n = split(versions[name], part, " ")
			for (i = 1; i <= n; i++) {
				v = part[i]
				if (now[name] != "" && addr[name, v] != addr[name, now[name]])
					differs = differs v
				if (name in any)
					continue
				if (!((name, v) in answers))
					print name v ": nothing of ours answers"
				else if ((answers[name, v] == "-@@") != (v == now[name]))
					print name v ": another one is the default"
			}
			if (name in any && differs != "")
				print name differs ": is not the default one, which ours calls"
			if (!(name in any) && differs == "")
				print name ": has no need of versions"
			if (differs != "" && (differs == first) != (name in unversioned))
				print name ": without a version"
		}' | sort
}
