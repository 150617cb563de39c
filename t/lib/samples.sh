# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of samples, after t/lib/run.sh.

# need_rules: skips all where a sample has the innermost function only.
need_rules() {
	[ "$(uname -m)" = x86_64 ] || skip_all "stacks by rules are for x86-64"
}

# need_samples: skips all where the kernel gives none.
need_samples() {
	"$PTRACE_RUN" -q --sample -o log true 2>why ||
		skip_all "the kernel gives no samples: $(cat why)"
}
