# SPDX-License-Identifier: MIT
# shellcheck shell=sh
# For the tests of -a: what t/preload/victim-typed.c prints, of a trace of it.

# shellcheck disable=SC2034
typed_functions='strcmp,strlen,abs,labs,strtol,strtoul,getnameinfo,sqrt,sqrtf,sqrtl,pow,ldexp,scalbln,fma,fmal,nexttowardf,log,fabs,strchr,getenv,strcpy,strncmp'

# typed_calls <JSON: NAME [ARGUMENTS] and NAME = RESULT of each call.
typed_calls() {
	string='"\([^"\\]\|\\.\)*"'
	sed -n \
		-e 's/.*"name":"call:enter".*"function":"\([^"]*\)".*"callee":"[^"]*","args":\(\[.*\]\)}.*/\1 \2/p' \
		-e "s/.*\"name\":\"call:exit\".*\"function\":\"\([^\"]*\)\".*\"ret\":\($string\|[^,}]*\).*/\1 = \2/p"
}
