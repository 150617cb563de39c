#!/bin/sh
# SPDX-License-Identifier: MIT
# --prototypes: arguments and results of any library's functions, by what the
# user declares; a declaration that is wrong does no harm.
. "${abs_top_srcdir:-.}/t/lib/hooked.sh"
plan 24
build now -Wl,-z,now || exit 1

# declared LINE...: into $T/own.h.
declared() {
	printf '%s\n' "$@" >"$T/own.h"
}

# shown EVENT FUNCTION: arguments or result of the first, as JSON has them.
shown() {
	events "$1" "\"function\":\"$2\"" >/dev/null
	sed -n 's/.*"args":\(\[.*\]\).*/\1/p
		s/.*"ret":\("[^"]*"\|[^,}]*\).*/\1/p' "$T/found" | head -n 1
}

declared '#ifndef OWN_H' 'typedef unsigned short digit;' 'extern "C" {' \
	'int called_leaf(int); /* one */' \
	'long called_longs(long a, long, long c, long, int, unsigned char,' \
	'	digit, short, signed char i);' \
	'double called_doubles(double, double, double, double, double,' \
	'	double, double, double, double)__attribute__((const));' \
	'long double called_long_double(int n, long double x);' \
	'double called_varargs(int nr, ...), called_other(int *);' \
	'struct called_large called_large(struct called_large l, long x);' \
	'struct called_small called_small(struct called_small s, double x);' \
	'_Complex double called_complex(_Complex double z);' \
	'int called_callback(void (*fn)(void *arg), struct unknown *arg);' \
	'}' '#endif'
same_calls "values are the same" --prototypes own.h -r '*' -- ./now values
is "$(shown call:enter called_longs)" "[1,2,3,4,5,6,7,8,9]" "integers"
is "$(shown call:exit called_longs)" 987654321 "and their result"
is "$(shown call:enter called_doubles)" "[1,2,3,4,5,6,7,8,9]" "doubles"
is "$(shown call:exit called_doubles)" 987654321 "and their result"
is "$(shown call:enter called_long_double)" "[3,1.25]" "long double"
is "$(shown call:exit called_long_double)" 3.75 "and its result"
is "$(shown call:enter called_varargs)" "[9]" "what is declared of them"
is "$(shown call:enter called_small)" "[]" "nothing of a structure"
is "$(events call:enter '"function":"called_complex"' '"args":\[\]')" \
	"$(events call:enter '"function":"called_complex"')" "nor of complex"

run_calls -a --prototypes own.h -r called_leaf -- ./now loop 1000
is "$(events call:enter '"args":\[[0-9]+\]')" 1000 "each call has its argument"
is "$(events call:exit '"ret":[0-9]+,')" 1000 "each return its result"
run_calls --prototypes own.h -r called_callback -- ./now forks 2
is "$(events call:enter '"args":\["0x[0-9a-f]+","0x[0-9a-f]+"\]' >/dev/null
	grep -c . "$T/found")" "$(events call:enter)" "pointers are addresses"

# What is no string is not taken for one.
declared 'const char *called_leaf(const char *);' \
	'char *called_other(char *, const char *, const char *, const char *,' \
	'	const char *, const char *, const char *, const char *);'
same_calls "what is no pointer is not read" --prototypes own.h \
	-r 'called_*' -- ./now loop 1000
is "$(shown call:enter called_leaf)" '["0x0"]' "it shows as an address"

# The built-in table knows better, but the user may insist.
declared 'int strlen(const void *);'
run_calls --prototypes own.h -l strlen -- env A=b sh -c :
is "$(events call:enter '"args":\["[^0]')" 0 "a declaration replaces another"

# wrong TEXT WHERE-AND-WHAT
wrong() {
	printf '%s' "$1" >"$T/own.h"
	run_calls --prototypes own.h -l strlen -- touch ran
	is "$(cat traced.status traced.err)" "2
ptrace-run: --prototypes: own.h:$2
try 'ptrace-run --help'" "$2"
}
wrong 'int g(foo_t x);
int h(foo_t x);' "1:7: expected a type, found 'foo_t'"
wrong 'int f(int' "1:10: expected , or ), found the end of the file"
wrong 'int f(int) int g(void);' "1:12: expected ;, found 'int'"
wrong 'int x;' " no function is declared there"

# taken TEXT WHAT: it is said what was left out, and what was not is used.
taken() {
	printf '%s' "$1" >"$T/own.h"
	run_calls --prototypes own.h -l strlen -- env A=b sh -c :
	is "$(cat traced.status traced.err) $(events call:enter \
		'"args":\["[^0]')" "0${2:+
ptrace-run: --prototypes: own.h:$2} 0" "${3:-$2}"
}
taken 'int strlen(const void *);
int g(foo_t x) { return x; }
int h(int);' "2:7: expected a type, found 'foo_t': left out 1, understood 2"
taken 'int f(foo_t x); int g(void) h(void); struct { int x; } x; int i = 3;
int j(;
int strlen(const void *);' \
	"1:7: expected a type, found 'foo_t': left out 2, understood 2"

# Macros, as headers have them.
taken '#if 1
#define OFFSET long long
#  define	API __attribute__((visibility("default"))) /* or nothing */
#endif
#define SIZE int
#define OF_SIZE size_t
BEGIN_DECLS
typedef OFFSET offset;
API int strlen(const void *text) DEPRECATED("in 3.1") NONNULL;
API extern offset seek(int fd, offset by, SIZE size, OF_SIZE most);
DEPRECATED_IN(3, 1) const char *name(void) THROW;
API unsigned char *bytes(API const char *, int size) { return 0; }
typedef int (compare)(void *, void *) DEPRECATED("");
API other *make(compare *, other const *x) __asm__("m") NONNULL;
END_DECLS
' "" "macros beside types and behind functions"
taken '#define SIZE int
#define SIZE long
int strlen(const void *);
int size(SIZE);' "1:9: expected a type, found 'SIZE': left out 1, understood 1"
