#!/bin/sh
# SPDX-License-Identifier: MIT
# What does not mind a misaligned stack does not when it is traced: neither
# libc's functions, nor handlers of an emulator that delivers signals so.
. "${abs_top_srcdir:-.}/t/lib/preload.sh"
victim=$VICTIMS/victim-misaligned
called=$("$victim")
[ -n "$called" ] || skip_all "stacks are made so on x86_64 only"
plan $((2 * $(echo "$called" | wc -l) + 4))

for families in "" all; do
	for name in $called; do
		run_plain "$victim" "$name"
		if [ "$(cat "$T/plain.status")" -ge 128 ]; then
			skip "$name" "libc's own does mind"
		else
			same "$name${families:+, $families events}" "$victim" "$name"
		fi
	done
done

# A slot of an object that is loaded later, which the loader looks for in another
# way, and which older compilers' code calls so: __tls_get_addr().
cat >"$T/plugin.c" <<'END'
int slot_off(void);
__asm__(".globl slot_off\n"
	"slot_off:\n"
	"	pushq %rbp\n"
	"	movq %rsp, %rbp\n"
	"	andq $-16, %rsp\n"
	"	subq $8, %rsp\n"
	"	call getppid@PLT\n"
	"	leave\n"
	"	ret\n"
	".section .note.GNU-stack\n");
END
cat >"$T/program.c" <<'END'
#include <dlfcn.h>
#include <unistd.h>
int main(int argc, char **arg)
{
	void *plugin = argc > 1 ? dlopen(arg[1], RTLD_NOW) : NULL;
	int (*fn)(void) = plugin ? (int (*)(void))dlsym(plugin, "slot_off") : 0;
	return fn && fn() == getppid() ? 3 : 1;
}
END
# hooked OPTION...: stacks are looked for, by what is not ours, too.
hooked() {
	"$PTRACE_RUN" -q -k "$@" -o "$T/log" "$T/program" "$T/plugin.so"
	is "$? $(events call:enter '"function":"getppid".*plugin.so')" "3 1" \
		"hooked: $*"
}
cc=${CC:-cc}
if $cc -o "$T/program" "$T/program.c" -ldl &&
	$cc -shared -o "$T/plugin.so" "$T/plugin.c"; then
	hooked -l '*'
	hooked -r '*' -a
	if "$PTRACE_RUN" -q --unwinder libunwind -o "$T/log" true; then
		hooked -l '*' --unwinder libunwind
	else
		skip "hooked: libunwind" "there is none"
	fi
else
	skip "hooked" "no compiler" 3
fi
if command -v qemu-x86_64 >/dev/null && qemu-x86_64 "$victim" raise \
	>"$T/out" 2>&1; then
	families=signal
	same "a handler under qemu-user" qemu-x86_64 "$victim" raise
else
	skip "a handler under qemu-user" "no qemu-x86_64"
fi
