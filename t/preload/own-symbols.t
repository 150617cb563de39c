#!/bin/sh
# SPDX-License-Identifier: MIT
# The library calls in libc only what it must: programs define functions of
# libc's names themselves, and ours would be theirs.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
need nm
[ -f "$LIBPTRACE" ] || skip_all "no libptrace.so"
plan 1
todo_coverage "libgcov calls what it likes"

# What all of it may call, in any context: looking up, registering, and
# nothing that allocates.
# The standard streams are variables; of C++'s runtime the reference is weak.
allowed='__environ environ stdin stdout stderr __errno_location __register_atfork
	dl_iterate_phdr dladdr dladdr1 dlerror dlsym getauxval gnu_get_libc_version
	__libc_single_threaded strerrordesc_np __cxa_current_exception_type
	__cxa_at_quick_exit on_exit pthread_key_delete pthread_self pthread_setspecific'
# What only functions of <trace.h> call that are not async-signal-safe, and
# the thread that flushes.
api='__pthread_register_cancel __pthread_unregister_cancel
	__pthread_unwind_next __sigsetjmp pthread_attr_destroy
	pthread_attr_init pthread_attr_setstacksize pthread_join
	pthread_equal pthread_setcancelstate pthread_testcancel
	calloc free malloc realloc qsort exit'
for name in $allowed $api; do
	echo "$name"
done >"$T/allowed"
nm -u "$LIBPTRACE" | awk '{ sub(/@.*/, "", $NF); print $NF }' |
	grep -vxFf "$T/allowed" | sort -u >"$T/others"
is "$(tr '\n' ' ' <"$T/others")" "" "nothing else is called"
