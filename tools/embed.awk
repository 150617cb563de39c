# SPDX-License-Identifier: MIT
# Makes the template of a page or a picture a C file:
#   LC_ALL=C awk -v header=HEADER -v prefix=PREFIX -v css=FILES -v js=FILES \
#	[-v style=SHA256 -v script=SHA256] -f embed.awk DIR/page.html
# which has PREFIX_head[] and PREFIX_tail[], declared in HEADER.  @css@ and @js@
# stand for these files, which are beside it, a line @data@ for the data, and
# @style@ and @script@ for the files' hashes, by which a browser runs these and
# nothing else.
BEGIN {
	for (i = 1; i < 256; i++)
		code[sprintf("%c", i)] = i
	digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZ" \
		"abcdefghijklmnopqrstuvwxyz0123456789+/"
	print "/* Made by tools/embed.awk. */"
	print "#include \"" header "\""
	begin("head")
}
function begin(name) {
	printf "const char %s_%s[] = {\n", prefix, name
}
function end() {
	print "0};"
}
function put(text,    i, line) {
	line = ""
	for (i = 1; i <= length(text); i++)
		line = line code[substr(text, i, 1)] ","
	print line
}
# A hash in base64, as the policy of a page wants it, of hexadecimal digits.
function base64(hex,    i, bits, nr, text, n) {
	for (i = 1; i <= length(hex); i++) {
		bits = bits * 16 + index("0123456789abcdef", substr(hex, i, 1)) - 1
		nr += 4
		if (nr < 6)
			continue
		nr -= 6
		n = int(bits / 2 ^ nr)
		bits -= n * 2 ^ nr
		text = text substr(digits, n + 1, 1)
	}
	if (nr > 0)
		text = text substr(digits, bits * 2 ^ (6 - nr) + 1, 1)
	while (length(text) % 4)
		text = text "="
	return text
}
function put_file(name,    line) {
	while ((getline line < name) > 0)
		put(line "\n")
	close(name)
}
/^@data@$/ {
	end()
	begin("tail")
	next
}
# The tags are parts of these lines: what is hashed is the file, to the byte.
/@css@|@js@/ {
	at = match($0, /@[a-z]+@/)
	put(substr($0, 1, at - 1))
	rest = substr($0, at + RLENGTH) "\n"
	folder = FILENAME
	sub(/[^\/]*$/, "", folder)
	nr = split($0 ~ /@css@/ ? css : js, file, " ")
	for (i = 1; i <= nr; i++)
		put_file(folder file[i])
	put(rest)
	next
}
{
	sub(/@style@/, "sha256-" base64(style))
	sub(/@script@/, "sha256-" base64(script))
	put($0 "\n")
}
END {
	end()
}
