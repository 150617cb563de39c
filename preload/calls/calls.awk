# SPDX-License-Identifier: MIT
# Makes C of the tables in preload/calls/.
#
# usage: awk -v make=WHAT -f preload/calls/calls.awk core/format/sysevents.h TABLE...
#
#   make=wrap   the wrappers of a table of calls that are only recorded.  Before
#               it, preload/calls/versions: of a function there there are two,
#               and an expression can ask which one it is in: is_old
#   make=real   preload/libc/real.def, of those that are written out (hand.tbl):
#               REAL(name, how it fails)
#   make=names  the names, one a line
#   make=numbers  what records syscall(), of all tables and, last of them,
#               preload/calls/numbers, which says how it differs
#
# A table has the name of an event in a line of its own (core/format/sysevents.h
# has its fields), and below it the functions of libc that give it, each behind
# one tab; what does not fit goes on behind two:
#
#   file:open
#	int creat(const char *path, mode_t mode):
#		dir=AT_FDCWD, flags=O_CREAT | O_WRONLY | O_TRUNC
#
# A field of the event is the parameter of its name, or what is said behind the
# colon: any expression in C of the parameters, of `ret', which is returned, and
# of `failed' (preload/calls/fields.h has functions for it).  Bits (type x) of an
# int are 32.  What was returned and errno need not be said.
#
# A call failed if it returned -1, or NULL if that is a pointer, and
#   fails=VALUE  if it returned that
#   errno=ret    if it returned anything but 0: what it returns is the error.  So
#                if the event has no errno, but `ret' is shown as one
# Else if the event has no errno it cannot fail.
#
#   told=FIELD   this field and those behind it are what the call told: they are
#                recorded only if it succeeded, or where
#   told_if=CONDITION  says so
#   moved=FIELD  this field, the last, of bytes that the call told, is recorded
#                only where what calls move is (--io-data)
#   before=DECLARATION         what must be known before the call; perhaps of
#                              a field, by its name
#   after=STATEMENT            what is done after it, while a stream traces us
#   (int a, ... int b)         b may follow: `int f(int a, ...)'
#   (int a, ... int b if a)    b follows if a is not 0
#   (int a, ...): calls=NAME   whatever follows, as a va_list for libc's function
#                              NAME, which stands above
#
# How long a call takes is recorded, too, unless something else is said of
#   since=EXPRESSION           when it begins: ptl_core_call_time(), or 0
# What is said behind an event and a colon is said of all its functions; what does
# not fit goes on as theirs does.
#
# Functions that are written out stand below `by hand, FILE'; nothing is recorded
# for them but that they are there, what their failure is, and
#   calls=NAME   not libc's function of that name is called, but this one.
#
# What is wrong in a table is told with its line; the exit status is 1 then.

function wrong(line, text)
{
	print line ": " text | "cat 1>&2"
	bad = 1
}

function trim(s)
{
	sub(/^[ \t]+/, "", s)
	sub(/[ \t]+$/, "", s)
	return s
}

# The length of what is before the first of the characters outside of
# parentheses; all of it if there is none.
function before(s, characters,    i, c, depth)
{
	for (i = 1; i <= length(s); i++) {
		c = substr(s, i, 1)
		if (depth == 0 && index(characters, c))
			return i - 1
		if (index("([{", c))
			depth++
		else if (index(")]}", c))
			depth--
	}
	return length(s)
}

# The parts between commas; their number is returned.
function parts(s, part,    n, size)
{
	s = trim(s)
	for (n = 0; s != ""; s = trim(substr(s, size + 2))) {
		size = before(s, ",")
		part[++n] = trim(substr(s, 1, size))
	}
	return n
}

function family(event)
{
	sub(/:.*/, "", event)
	return event
}

## Reading

# The rows of core/format/sysevents.h: SYSEVENT(id, IDENT, "name", ACT, "fields").
FNR == NR {
	sub(/[ \t]*\\$/, "")
	if (/^\tSYSEVENT\([0-9]/)
		event = ""
	event = event $0
	if (event !~ /^\tSYSEVENT\(.*\)$/)
		next
	split(event, word, /, *|[()]/)
	name = word[4]
	sub(/^[^"]*"[^"]*", *[A-Z_]*, */, "", event)
	gsub(/"[ \t]*"|[")]/, "", event)
	gsub(/"/, "", name)
	# The calls of libc have a name of their own each; sigaction() and
	# wait(), 62 and 63, are written out.
	if (word[2] >= 59 && word[2] < 240 && word[2] !~ /^6[23]$/) {
		ident[name] = word[3]
		fields[name] = event
		events[++nr_events] = name
	}
	event = ""
	next
}

{ here = FILENAME ":" FNR }

FNR == 1 { heading = "none" }

/^[ \t]*$/ || /^#/ { next }

FILENAME ~ /\/versions$/ {
	has_versions[$2] = $1 != "first"
	next
}

FILENAME ~ /\/numbers$/ && /^- [a-z0-9_]+: ./ {
	sub(/^- /, "")
	sub(/:.*/, "")
	left[$0] = here
	next
}

FILENAME ~ /\/numbers$/ && /^[a-z0-9_]+ = [a-z0-9_]+/ {
	split($0, word, /[ ,]/)
	alias[++nr_aliases] = word[1]
	alias_of[nr_aliases] = word[3]
	sub(/^[^,]*,?/, "")
	said_of[nr_aliases] = trim($0)
	left[word[1]] = here
	next
}

/^by hand, / {
	heading = ""
	next
}

/^[a-z]+:[a-z_]+(: .*)?$/ {
	heading = $0
	if (match(heading, /: /)) {
		said[substr(heading, 1, RSTART - 1)] = \
			substr(heading, RSTART + 2)
		heading = substr(heading, 1, RSTART - 1)
	}
	if (!(heading in ident))
		wrong(here, "no call in core/format/sysevents.h has the name " \
			heading)
	if (heading in used && FILENAME !~ /\/numbers$/)
		wrong(here, heading " has functions in " used[heading])
	used[heading] = here
	families[family(heading)] = here
	begins = nr_rows
	next
}

/^\t\t/ && heading in said && nr_rows == begins {
	said[heading] = said[heading] " " trim($0)
	next
}

/^\t\t/ && nr_rows {
	row[nr_rows] = row[nr_rows] " " trim($0)
	next
}

/^\t[A-Za-z_]/ && (heading == "" || heading in used) {
	row[++nr_rows] = trim($0)
	line[nr_rows] = here
	event_of[nr_rows] = heading
	next
}

{ wrong(here, "neither an event nor a function: " $0) }

# What is said of fields, and of the call.
function parse_given(i, text,    n, part, at)
{
	n = parts(text, part)
	for (at = 1; at <= n; at++) {
		if (match(part[at], /^[a-z_]+=/))
			given[substr(part[at], 1, RLENGTH - 1)] = \
				trim(substr(part[at], RLENGTH + 1))
		else
			wrong(line[i], "not FIELD=VALUE: " part[at])
	}
}

# The row as it is used below: type, name, fixed, optional, condition of the
# function, as text; parameters in param[], their types in type_of[NAME]; what
# is said of fields in given[FIELD].
function parse(i,    s, size, rest, at)
{
	s = row[i]
	size = index(s, "(") - 1
	if (size < 0 || !match(substr(s, 1, size), /[A-Za-z_0-9]+$/)) {
		wrong(line[i], "not a prototype: " s)
		return 0
	}
	type = substr(s, 1, RSTART - 1)
	name = substr(s, RSTART, RLENGTH)
	if (name in line_of && make != "numbers")
		wrong(line[i], name "() is in " line_of[name] ", too")
	line_of[name] = line[i]
	s = substr(s, size + 1)
	size = 1 + before(substr(s, 2), ")")
	fixed = substr(s, 2, size - 1)
	rest = trim(substr(s, size + 2))
	if (substr(s, size + 1, 1) != ")" || type == "" || \
	    (rest != "" && rest !~ /^:/)) {
		wrong(line[i], "not a prototype: " row[i])
		return 0
	}
	returned = has_errno = ""
	for (at in given)
		delete given[at]
	parse_given(i, said[event_of[i]])
	parse_given(i, substr(rest, 2))
	return 1
}

# Splits the parameters, and what is optional of them.
function parse_parameters(i,    n, part, at, size)
{
	optional = condition = ""
	is_list = sub(/, \.\.\.$/, "", fixed)
	if (is_list != ("calls" in given))
		wrong(line[i], "calls= is for `...' with nothing behind it, " \
			"and needed there")
	if (at = index(fixed, ", ... ")) {
		optional = substr(fixed, at + 6)
		fixed = substr(fixed, 1, at - 1)
	}
	if (at = index(optional, " if ")) {
		condition = substr(optional, at + 4)
		optional = substr(optional, 1, at - 1)
	}
	nr_params = 0
	for (at in type_of)
		delete type_of[at]
	if (fixed == "void")
		return 1
	nr_fixed = n = parts(fixed, part)
	for (at = 1; at <= n; at++)
		param[++nr_params] = part[at]
	n = parts(optional, part)
	for (at = 1; at <= n; at++)
		param[++nr_params] = part[at]
	for (at = 1; at <= nr_params; at++) {
		size = match(param[at], /[A-Za-z_0-9]+(\[[0-9]*\])?$/) - 1
		if (size < 1) {
			wrong(line[i], "not a parameter: " param[at])
			return 0
		}
		n = substr(param[at], size + 1)
		sub(/\[.*/, "", n)
		type_of[n] = trim(substr(param[at], 1, size)) \
			(param[at] ~ /\]$/ && make == "numbers" ? " *" : "")
		param[at] = n
	}
	return 1
}

## How functions fail

# INT: they return -1; POINTER: NULL; ERROR: the error, and 0 if there is none;
# and those that are not there the like of it.
function how_it_fails()
{
	if ("errno" in given && given["errno"] == "ret")
		return "ERROR"
	if (!has_errno && returned ~ /^i\.(errno|thrd|eai)$/)
		return "ERROR"
	return type ~ /\*$/ && !("fails" in given) ? "POINTER" : "INT"
}

# The test of it; nothing: they do not fail.
function failure()
{
	if (type == "void ")
		return ""
	if ("fails" in given)
		return "ret == " given["fails"]
	if (how == "ERROR")
		return "ret != 0"
	if (!has_errno)
		return ""
	return how == "POINTER" ? "ret == NULL" : "ret == -1"
}

## Writing

# An integer of the event: bits in an int are 32.
function integer(of, kind)
{
	if (of in given)
		return given[of]
	if (of == "errno")
		return "failed ? errno : 0"
	if (kind ~ /^x/ && type_of[of] == "int")
		return "(unsigned int)" of
	# A stream that is no parameter is a variable before the call.
	if (of == "stream" || \
	    (of == "ret" ? type : type_of[of]) ~ /\*( *restrict)? *$/)
		return "(int64_t)(uintptr_t)" of
	return "(int64_t)" of
}

# What the call told, which is looked at only if it did.
function when_out(value, otherwise)
{
	return is_out ? "has_out ? " value " : " otherwise : value
}

# The fields of the event: integers, strings, nr_strings, bytes, data; and
# behind these tail, of integers, and after, of bytes.
function parse_fields(i,    n, part, at, of, kind, known)
{
	n = split(fields[event_of[i]], part, " ")
	integers = strings = bytes = data = returned = tail = after = ""
	nr_strings = nr_integers = nr_tail = has_errno = is_out = 0
	for (at = 1; at <= n; at++) {
		if (part[at] ~ /^errno:/)
			has_errno = 1
		if (part[at] ~ /^ret:/)
			returned = substr(part[at], 5)
		sub(/:.*/, "", part[at])
		known[part[at]] = 1
	}
	for (of in given)
		if (!(of in known) &&
		    of !~ /^(before|after|calls|fails|moved|since|told|told_if)$/)
			wrong(line[i], event_of[i] " has no field " of)
	split(fields[event_of[i]], part, " ")
	for (at = 1; at <= n; at++) {
		of = kind = part[at]
		sub(/:.*/, "", of)
		sub(/.*:/, "", kind)
		if (!(of in given) && (kind ~ /^[bd]/ || !(of in type_of)) && \
		    given["before"] !~ ("[ *]" of " = ") && \
		    !((of == "ret" || of == "errno") && type != "void "))
			wrong(line[i], "field " of " of " event_of[i] \
				" is no parameter of " name "(): say " of "=")
		if ("told" in given && of == given["told"])
			is_out = 1
		if (kind ~ /^b/ && !is_out && bytes != "")
			after = given[of]
		else if (kind ~ /^b/ && (nr_strings || tail != ""))
			after = "moved" in given ? "has_moved ? " given[of] \
				" : bytes(NULL, 0)" : \
				when_out(given[of], "bytes(NULL, 0)")
		else if (kind ~ /^b/)
			bytes = when_out(given[of], "bytes(NULL, 0)")
		else if (kind ~ /^d/)
			data = given[of]
		else if (kind ~ /^s/)
			strings = strings (nr_strings++ ? ", " : "") \
				(of in given ? given[of] : of)
		else if (is_out || nr_strings || bytes != "")
			tail = tail "\t\t\t" when_out(integer(of, kind), "0") \
				(++nr_tail ? ",\n" : "")
		else
			integers = integers "\t\t\t" integer(of, kind) \
				(++nr_integers ? ",\n" : "")
	}
	if (data != "" && (nr_strings || tail != ""))
		wrong(line[i], event_of[i] " has data and more")
}

function join(list, n,    s, at)
{
	for (at = 1; at <= n; at++)
		s = s (at > 1 ? ", " : "") list[at]
	return s
}

# What is recorded of a call with pointers.
function write_pointed(id)
{
	print "\t\tconst struct ptl_libc_call call = {"
	print "\t\t\t.value = values,"
	print "\t\t\t.nr_values = " nr_integers ","
	if (bytes != "") {
		print "\t\t\t.has_bytes = true,"
		print "\t\t\t.bytes = " bytes ","
	}
	if (data != "") {
		print "\t\t\t.has_moved = true,"
		print "\t\t\t.moved = (struct ptl_moved[]){" data "},"
	}
	if (nr_strings) {
		print "\t\t\t.string = {" strings "},"
		print "\t\t\t.nr_strings = " nr_strings ","
	}
	if (tail != "") {
		print "\t\t\t.tail = (int64_t[]){\n" tail "\t\t\t},"
		print "\t\t\t.nr_tail = " (is_out ? "has_out ? " nr_tail \
			" : 0" : nr_tail) ","
	}
	if (after != "") {
		print "\t\t\t.after = " after ","
		print "\t\t\t.has_after = " ("moved" in given ? "has_moved" : \
			is_out ? "has_out" : "true") ","
	}
	if (failure())
		print "\t\t\t.failed = failed,"
	print "\t\t};\n"
	print "\t\tptl_call_record(" id ", &call, caller);"
}

# Integers that are recorded only if the call told them; else the time is where
# they would be.
function write_told_values(id)
{
	printf "\t\tint64_t values[] = {\n%s%s\t\t\t(int64_t)since,\n" \
		"\t\t};\n\n", integers, tail
	print "\t\tif (!has_out)"
	print "\t\t\tvalues[" nr_integers "] = (int64_t)since;"
	print "\t\tptl_call_values(" id ", values, has_out ? sizeof(values) : " \
		nr_integers + 1 " * sizeof(*values), caller);"
}

# The same, or with what the call moved.
function write_moved(id)
{
	print "\n\t\tif (PTL_UNLIKELY(has_moved)) {"
	printf "\t\tint64_t values[] = {\n%s\t\t\t(int64_t)since,\n" \
		"\t\t};\n", integers
	write_pointed(id)
	print "\t\t} else {"
	write_told_values(id)
	print "\t\t}"
}

# What is recorded of a call, after it.
function write_recording(id,    pointed)
{
	print "\tif (wanted) {"
	if (failure() && (nr_strings || is_out || bytes data != "" || \
			  integers tail ~ /failed/))
		print "\t\tbool failed = " failure() ";"
	if (is_out)
		print "\t\tbool has_out = " ("told_if" in given ? \
			given["told_if"] : "!failed") ";"
	if ("moved" in given)
		print "\t\tbool has_moved = has_out && ptl_core_io_data;"
	pointed = bytes != "" || nr_strings
	if (tail != "" && !pointed) {
		if (after != "")
			write_moved(id)
		else
			write_told_values(id)
		print "\t}"
		return
	}
	printf "\t\tint64_t values[] = {\n%s\t\t\t(int64_t)since,\n" \
		"\t\t};\n", integers
	if (is_out && !nr_strings) {
		print "\n\t\tif (!has_out) {"
		print "\t\t\tptl_call_values(" id ", values, " \
			"sizeof(values), caller);"
		print "\t\t} else {"
		write_pointed(id)
		print "\t\t}\n\t}"
		return
	}
	if (data != "" && !pointed)
		print "\n\t\tif (PTL_LIKELY(!ptl_core_io_data)) {"
	if (!pointed)
		print "\n\t\tptl_call_values(" id ", values, " \
			"sizeof(values), caller);"
	if (data != "" && !pointed)
		print "\t\t} else {"
	if (data != "" || pointed)
		write_pointed(id)
	if (data != "" && !pointed)
		print "\t\t}"
	print "\t}"
}

# The slower half: the call with what is recorded of it.
function write_told(i,    void, args, params, at, id)
{
	void = type == "void "
	args = join(param, nr_params) (is_list ? ", ap" : "")
	params = fixed (optional ? ", " optional : "") \
		(is_list ? ", va_list ap" : "")
	params = params == "void" ? "" : params ", "
	id = "PTL_EV_" ident[event_of[i]]
	print "static __attribute__((noinline)) PTL_ALIGNS"
	print type "told_" self "(" params "const void *caller)"
	print "{"
	if (has_versions[name])
		print "\tenum { is_old = " (self == name ? "false" : "true") " };\n"
	if ("since" in given) {
		print "\tbool wanted = ptl_core_wants_call(" id ");"
		print "\tuint64_t since = wanted ? " given["since"] " : 0;"
	} else {
		print "\tuint64_t since = ptl_core_call_begins(" id ");"
		print "\tbool wanted = since != 0;"
	}
	if (given["before"] != "")
		print "\t" given["before"] ";"
	print (void ? "\n\t" : "\t" type "ret = ") "PTL_REAL" which "(" real \
		", PTL_FAILS_" how ")(" args ");" (void ? "" : "\n")
	if ("after" in given)
		print "	" given["after"] ";"
	write_recording(id)
	if (!void)
		print "\treturn ret;"
	print "}\n"
}

# Variable arguments, which the caller passes if the condition holds.
function write_optional(    at, tab)
{
	for (at = nr_fixed + 1; at <= nr_params; at++)
		print "\t" type_of[param[at]] (type_of[param[at]] ~ /\*$/ ? \
			"" : " ") param[at] " = 0;"
	print "\tva_list ap;\n"
	if (condition != "") {
		print "\tif (" condition ") {"
		tab = "\t"
	}
	print tab "\tva_start(ap, " param[nr_fixed] ");"
	for (at = nr_fixed + 1; at <= nr_params; at++)
		print tab "\t" param[at] " = va_arg(ap, " type_of[param[at]] ");"
	print tab "\tva_end(ap);"
	if (condition != "")
		print "\t}"
}

# The list must be ended here, so this is no jump.
function write_list(params, args)
{
	print "PTL_WRAP " type name "(" params ")\n{"
	print "\tva_list ap;\n\t" type "ret;\n"
	print "\tva_start(ap, " param[nr_params] ");"
	print "\tif (PTL_LIKELY(!ptl_core_maybe() && ptl_real_" real "))"
	print "\t\tret = ptl_real_" real "(" args ", ap);"
	print "\telse"
	print "\t\tret = told_" self "(" args ", ap, " \
		"__builtin_return_address(0));"
	print "\tva_end(ap);\n\treturn ret;\n}"
}

# One that is reached by a jump, if it ends in one.
function write_jump(params, args)
{
	print (self == name ? "PTL_JUMP " : "") type symbol "(" params ")\n{"
	if (optional)
		write_optional()
	print "\tif (PTL_LIKELY(!ptl_core_maybe() && ptl_real_" self "))"
	print "\t\treturn ptl_real_" self "(" args ");"
	print "\treturn told_" self "(" args (args == "" ? "" : ", ") \
		"__builtin_return_address(0));\n}"
}

function write_wrapper(i,    args, params, at)
{
	at = line[i]
	sub(/^.*preload\/calls\//, "", at)
	how = how_it_fails()
	real = is_list ? given["calls"] : name
	self = symbol = name
	which = has_versions[name] ? "_NOW" : ""
	args = join(param, nr_params)
	params = fixed (optional || is_list ? ", ..." : "")
	print "\n/* " event_of[i] ", " at " */"
	print type name "(" params ");"
	if (!is_list)
		print "static " type "(*ptl_real_" name ")(" params ") PTL_SELDOM;\n"
	write_told(i)
	if (is_list)
		write_list(params, args)
	else
		write_jump(params, args)
	if (!has_versions[name])
		return
	self = "old_" name
	symbol = "ptl_old_" name
	which = "_OLD"
	print "\n#ifdef PTL_OLD_" name "\nPTL_OLD(" name ")"
	write_told(i)
	write_jump(params, args)
	print "#endif"
}

# By its number: `of', of which `text' is said besides.
function write_number(i, of, text,    at, p, t)
{
	if (!parse(i) || type == "void " || !parse_parameters(i) || is_list)
		return
	parse_given(i, text)
	parse_fields(i)
	how = how_it_fails()
	print "\n#ifdef SYS_" of "\n"
	print "PTL_ALIGNS static long number_" of "(long number, long a, long b, "
	print "\tlong c, long d, long e, long f)"
	print "{"
	if (has_versions[name])
		print "\tenum { is_old = false };\n"
	for (at = 1; at <= nr_params; at++) {
		p = param[at]
		t = type_of[p]
		print "\t" t " " p " __attribute__((unused)) = " \
			(t ~ /SOCKADDR_ARG/ ? "{.__sockaddr__ = (void *)" \
			substr("abcdef", at, 1) "}" : \
			"(" t ")" substr("abcdef", at, 1)) ";"
	}
	print "\tconst void *caller = PTL_NUMBER_CALLER;"
	for (at = nr_fixed + 1; at <= nr_params && condition != ""; at++)
		print "\t" param[at] " = " condition " ? " param[at] " : 0;"
	print "\tuint64_t since = ptl_core_call_begins(PTL_EV_" \
		ident[event_of[i]] ");"
	print "\tbool wanted = since != 0;"
	if (given["before"] != "")
		print "\t" given["before"] ";"
	print "\tlong raw = PTL_NUMBER_CALL(number, a, b, c, d, e, f);"
	print "\t" type "ret = (" trim(type) ")raw;\n"
	write_recording("PTL_EV_" ident[event_of[i]])
	print "\treturn raw;\n}\n#define NUMBER_" of \
		"(CASE) CASE(SYS_" of ", number_" of ")"
	print "#else\n#define NUMBER_" of "(CASE)\n#endif"
	numbers[++nr_numbers] = of
}

function write_numbers(    i, at, row_of)
{
	print "\n#include \"preload/hook/hooks.h\"\n\n#include <sys/syscall.h>\n"
	# preload/raw/numbers.c makes the calls otherwise.
	print "#ifndef PTL_NUMBER_CALL"
	print "#define PTL_NUMBER_CALL PTL_LIBC(syscall)"
	print "#define PTL_NUMBER_CALLER __builtin_return_address(0)"
	print "#define PTL_NUMBER_FIND ptl_number_find\n#endif"
	# Elsewhere offsets are two arguments, and structures others.
	print "\n#if __SIZEOF_POINTER__ == 8"
	for (i = 1; i <= nr_rows; i++) {
		parse(i)
		row_of[name] = i
		if (event_of[i] != "" && name !~ /^_/ && !(name in left))
			write_number(i, name, "")
	}
	for (at = 1; at <= nr_aliases; at++)
		if (alias_of[at] in row_of)
			write_number(row_of[alias_of[at]], alias[at], said_of[at])
		else
			wrong(left[alias[at]], "there is no function " alias_of[at])
	print "#endif\n\nvoid *PTL_NUMBER_FIND(long number)\n{"
	print "\tswitch (number) {\n#if __SIZEOF_POINTER__ == 8"
	print "#define CASE(nr, fn) case nr: return (void *)(fn);"
	for (at = 1; at <= nr_numbers; at++)
		print "\tNUMBER_" numbers[at] "(CASE)"
	print "#undef CASE\n#endif\n\tdefault:\n\t\treturn NULL;\n\t}\n}"
}

# Prototypes are compared with libc's.
function write_real(i,    of)
{
	for (of in given)
		if (of !~ /^(calls|errno|fails)$/)
			wrong(line[i], "nothing is recorded of " name \
				"(): no " of "=")
	print type name "(" fixed ");"
	if (!("calls" in given))
		print "REAL(" name ", " how_it_fails() ")"
	else
		called[given["calls"]] = line[i]
}

function write(i)
{
	if (make == "names")
		print name
	else if (make == "real" && event_of[i] == "")
		write_real(i)
	else if (make == "wrap" && event_of[i] != "" && parse_parameters(i)) {
		parse_fields(i)
		write_wrapper(i)
	}
}

END {
	if (make != "names")
		print "/* Made of preload/calls/ by calls.awk there. */"
	if (make == "wrap" || make == "numbers")
		print "#include \"preload/calls/fields.h\""
	if (make == "numbers")
		write_numbers()
	for (i = 1; i <= nr_rows && make != "numbers"; i++)
		if (parse(i))
			write(i)
	for (name in called)
		if (!(name in line_of))
			wrong(called[name], "there is no function " name)
	for (i = 1; i <= nr_events; i++)
		if (!(events[i] in used) && family(events[i]) in families)
			wrong(families[family(events[i])], \
				"no function gives " events[i])
	if (bad) {
		close("cat 1>&2")
		exit 1
	}
}
