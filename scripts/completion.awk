# SPDX-License-Identifier: MIT
# Completion of a command's options, made from the source that has its table:
#
#	awk -v shell=bash -v command=ptrace-dump -f completion.awk SOURCE...
#
# A row {"name", required_argument, NULL, letter}, is an option if the usage text
# has it, too.  A comment behind the row has the words that its argument is one
# of, or FILE, DIRECTORY; what there is not only in C (the formats) is a row
# ROW(ptl_format_NAME), or a view's .name.  Without a table the options are those of the usage text.

/^\t\{"[a-z-]+", (no|required|optional)_argument, / {
	split($0, part, "\"")
	name[++nr] = part[2]
	kind[nr] = $2
	letter[nr] = match($0, /'[A-Za-z]'/) ? substr($0, RSTART + 1, 1) : ""
	values[nr] = ""
	if (match($0, /\/\* .* \*\//))
		values[nr] = substr($0, RSTART + 3, RLENGTH - 6)
	next
}

# A view of ptrace-report: its option has its name.
/^\t\.name = "[a-z]+",$/ {
	split($0, part, "\"")
	name[++nr] = part[2]
	kind[nr] = "no_argument,"
	letter[nr] = values[nr] = ""
	used[part[2]] = 1
	next
}

# A row that is too long for one line.
/^\t OPT_[A-Z_]+\}, \/\* .* \*\// {
	match($0, /\/\* .* \*\//)
	values[nr] = substr($0, RSTART + 3, RLENGTH - 6)
}

/^\tROW\(ptl_format_[a-z]+\)/ {
	format = $0
	gsub(/.*ptl_format_|\).*/, "", format)
	formats = formats " " format
}

/"/ {
	line = $0
	while (match(line, /--[a-z][a-z-]+/)) {
		word = substr(line, RSTART + 2, RLENGTH - 2)
		if (!(word in seen))
			order[++nr_seen] = word
		seen[word] = 1
		if ($0 ~ /^\t"  /)
			used[word] = 1
		line = substr(line, RSTART + RLENGTH)
	}
	# Words that are commands: of ptrace-ctl.
	if (match($0, /^\t"  [a-z]+(, [a-z]+)* /)) {
		line = substr($0, RSTART + 4, RLENGTH - 5)
		gsub(/,/, "", line)
		if (line != last_command)
			commands = commands " " line
		last_command = line
	}
}

function options(    i, list) {
	for (i = 1; i <= nr; i++)
		if (name[i] in used) {
			list = list " --" name[i]
			if (letter[i] != "")
				list = list " -" letter[i]
		}
	return substr(list, 2)
}

# What an argument is: words, or what the shell knows.
function generator(values) {
	if (values == "FORMAT")
		return "-W \"" substr(formats, 2) "\""
	if (values == "FILE")
		return "-f"
	if (values == "DIRECTORY")
		return "-d"
	return "-W \"" values "\""
}

function bash(    i, id, dashes, list) {
	id = "_" command
	gsub(/-/, "_", id)
	print "# Completion of " command " for bash."
	print id "() {"
	print "\tlocal cur=${COMP_WORDS[COMP_CWORD]}"
	print "\tlocal prev=${COMP_WORDS[COMP_CWORD - 1]}"
	print "\t[ \"$cur\" != = ] || cur="
	print "\t[ \"$prev\" != = ] || prev=${COMP_WORDS[COMP_CWORD - 2]}"
	print "\tcase $prev in"
	for (i = 1; i <= nr; i++) {
		if (!(name[i] in used) || kind[i] == "no_argument,")
			continue
		dashes = "--" name[i]
		if (letter[i] != "" && kind[i] == "required_argument,")
			dashes = dashes " | -" letter[i]
		if (values[i] == "" && kind[i] == "optional_argument,")
			continue
		print "\t" dashes ")"
		if (values[i] != "")
			print "\t\tmapfile -t COMPREPLY < <(compgen " \
				generator(values[i]) " -- \"$cur\")"
		print "\t\treturn ;;"
	}
	print "\tesac"
	print "\tcase $cur in"
	print "\t-*)"
	print "\t\tmapfile -t COMPREPLY < <(compgen -W \"" options() \
		"\" -- \"$cur\") ;;"
	print "\t*)"
	list = commands == "" ? "" : "-W \"" substr(commands, 2) "\" "
	if (command == "ptrace-run")
		list = list "-c "
	print "\t\tmapfile -t COMPREPLY < <(compgen " list "-f -- \"$cur\") ;;"
	print "\tesac"
	print "}"
	print "complete -o filenames -F " id " " command
}

function action(values) {
	if (values == "FILE")
		return "_files"
	if (values == "DIRECTORY")
		return "_files -/"
	if (values == "FORMAT")
		return "(" substr(formats, 2) ")"
	return values == "" ? " " : "(" values ")"
}

# For _arguments: a line an option.
function zsh(    i, dash) {
	print "#compdef " command
	print "_arguments -s -S \\"
	for (i = 1; i <= nr; i++) {
		if (!(name[i] in used))
			continue
		dash = ""
		if (kind[i] != "no_argument,")
			dash = "=:" name[i] ":" action(values[i])
		if (kind[i] == "optional_argument,")
			dash = "=-:" dash
		sub(/^=-:=/, "=-:", dash)
		print "\t'*--" name[i] dash "' \\"
		if (letter[i] == "")
			continue
		sub(/^=-?/, dash ~ /^=-/ ? "-" : "+", dash)
		print "\t'*-" letter[i] dash "' \\"
	}
	if (commands != "")
		print "\t'1:command:(" substr(commands, 2) ")' \\"
	if (command == "ptrace-run")
		print "\t'*::command:_normal'"
	else
		print "\t'*:file:_files'"
}

END {
	if (nr == 0)
		for (i = 1; i <= nr_seen; i++) {
			name[++nr] = order[i]
			used[order[i]] = 1
			kind[nr] = "no_argument,"
		}
	if (nr == 0) {
		print "no options of " command >"/dev/stderr"
		exit 1
	}
	if (shell == "bash")
		bash()
	else
		zsh()
}
