#!/bin/sh
# SPDX-License-Identifier: MIT
# What runs in front of a function, where vector registers hold its arguments,
# uses none, and calls nothing that may: all that can be reached from the hooks
# is looked through.  But a child of a fork that nobody saw keeps them, and may.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need objdump awk
[ -f "$LIBPTRACE" ] || skip_all "no libptrace.so"
[ "$(uname -m)" = x86_64 ] || skip_all "not x86-64"
plan 4

objdump -d --no-show-raw-insn "$LIBPTRACE" >"$T/code"

# "who FUNCTION", "uses FUNCTION INSTRUCTION", "calls FUNCTION LIBC'S": what is
# reached, by call, by jump, or since somebody takes its address.
awk '
	/^[0-9a-f]+ <.*>:$/ {
		at = $1
		sub(/^0+/, "", at)
		name[at] = substr($2, 2, length($2) - 3)
		if (name[at] ~ /^ptl_(core_event|call_enter|call_leave)$/)
			queue[++nr] = at
		next
	}
	/[%](x|y|z)mm[0-9]|[%]st|[%]mm[0-7]|\t(fx|x)(save|rstor)/ {
		uses[at] = uses[at] "\n" $2
	}
	$2 ~ /^(call|j|lea|bnd)/ && match($0, /[0-9a-f]+ <[A-Za-z_][^>+]*>/) {
		to = substr($0, RSTART, RLENGTH)
		edges[at] = edges[at] "\n" to
	}
	END {
		for (i = 1; i <= nr; i++)
			seen[queue[i]] = 1
		for (i = 1; i <= nr; i++) {
			at = queue[i]
			print "who", name[at], (from[at] ? "from " from[at] : "")
			many = split(substr(uses[at], 2), one, "\n")
			for (k = 1; k <= many; k++)
				print "uses", name[at], one[k]
			many = split(substr(edges[at], 2), one, "\n")
			for (k = 1; k <= many; k++) {
				split(one[k], part, " ")
				if (part[2] ~ /@(plt|GLIBC|@GLIBC)/)
					print "calls", name[at], part[2]
				else if (name[at] == "ptl_child_settle" &&
					part[2] ~ /ptl_fork_child/)
					continue
				else if ((part[1] in name) && !seen[part[1]]++) {
					from[part[1]] = name[at]
					queue[++nr] = part[1]
				}
			}
		}
	}' "$T/code" | sort -u >"$T/reached"

like "$(grep -c '^who' "$T/reached")" '^[0-9]{3}' "hundreds of functions"
like "$(tr '\n' ' ' <"$T/reached")" \
	'who ptl_aside_save .*who ptl_frame_step .*who ptl_map_attach ' \
	"among them those of the slow path"
# These keep the registers, or read what arguments are in them.
is "$(awk '$1 == "uses" &&
	!($3 ~ /^f?x(save|rstor)$/ && $2 ~ /^ptl_aside_(save|restore)$/) &&
	!($3 == "movups" && $2 ~ /^(ptl_clock_ns|save_vectors)$/)' \
	"$T/reached")" "" \
	"none uses a vector register"
# What calls libunwind keeps them before.
is "$(awk '$1 == "calls" && $2 !~ /^ptl_libunwind_unwind$/ {
		gsub(/^<|@.*/, "", $3)
		print $3
	}' "$T/reached" | sort -u | grep -vx -e getauxval -e pthread_self | tr '\n' ' ')" "" \
	"nothing of libc is called that may"
