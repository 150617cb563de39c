#!/bin/sh
# SPDX-License-Identifier: MIT
# Tail calls: a function that another one jumps to as its last act is inside of
# it and ends with it, in all that is shown.
. "${abs_top_srcdir:-.}/t/lib/tap.sh"
. "${abs_top_srcdir:-.}/t/lib/run.sh"
. "${abs_top_srcdir:-.}/t/lib/report.sh"
need cc
plan 24

# Each in a library of its own, so that the jump goes through a linkage table:
# first() jumps to second(), that to third(), which calls leaf() twice.
cat >first.c <<'END'
int second(int);
int first(int x) { return second(x + 1); }
END
cat >second.c <<'END'
int third(int);
int second(int x) { return third(x * 2); }
END
cat >third.c <<'END'
int leaf(int);
int third(int x) { return leaf(x) + leaf(x + 1); }
END
echo 'int leaf(int x) { return x ^ 1; }' >leaf.c
# What jumps from one of two to the other and back, many times.
cat >even.c <<'END'
int is_odd(int);
int is_even(int x) { return x == 0 ? 1 : is_odd(x - 1); }
END
cat >odd.c <<'END'
int is_even(int);
int is_odd(int x) { return x == 0 ? 0 : is_even(x - 1); }
END
cat >main.c <<'END'
int first(int), second(int), leaf(int), is_even(int);
int main(void)
{
	int sum = second(1);

	for (int i = 0; i < 10; i++)
		sum += first(i) + leaf(i) + is_even(6);
	return sum == 0;
}
END
for name in leaf third second first odd even; do
	cc -O2 -fPIC -shared -o lib$name.so $name.c -Wl,--allow-shlib-undefined \
		>cc.out 2>&1 || skip_all "$(head -n 1 cc.out)"
done
cc -O2 -o jumps main.c ./libfirst.so ./libsecond.so ./libthird.so \
	./libleaf.so ./libeven.so ./libodd.so >cc.out 2>&1 ||
	skip_all "$(head -n 1 cc.out)"

cat >check.py <<'END'
import collections
from nests import indented, say, say_sound, slices, tree

say_sound("log")
found, _ = slices("log")
of = collections.defaultdict(list)
for each in found:
    of[each.name].append(each)
def inside(name, outer):
    return sum(each.outer and each.outer.name == outer for each in of[name])
say("chrome: in what they are the last act of",
    [inside("second", "first"), inside("third", "second"),
     inside("leaf", "third"), inside("leaf", "jumps")], [10, 11, 22, 10])
say("they end together", [
    each for name, outer in (("second", "first"), ("third", "second"))
    for each in of[name] if each.outer.name == outer and
    each.end != each.outer.end], [])
say("back and forth", max(len(each.path()) for each in of["is_odd"]), 7)
say("what is called next is not in them", {
    tuple(each.path()) for name in ("first", "is_even") for each in of[name]
    if each.outer.name != "is_odd"}, {("jumps", "first"), ("jumps", "is_even")})
text = indented("log")
say("text: all have an end", [line for line in text if line.is_open], [])
say("and a time", [line for line in text if not line.took], [])
say("and are as deep as they are", [collections.Counter(
    line.depth for line in text if line.name == which)
    for which in ("first", "second", "third", "leaf")],
    [{0: 10}, {0: 1, 1: 10}, {1: 1, 2: 10}, {2: 2, 3: 20, 0: 10}])
rows = tree("log")
path = ("jumps", "first", "second", "third", "leaf")
say("the report's tree", [(rows[path[:n]]["calls"], rows[path[:n]]["no_end"])
    for n in range(2, 6)], [(10, 0), (10, 0), (10, 0), (20, 0)])
say("and the one that is called", rows[("jumps", "second")]["calls"], 1)
say("all of them have a time", [path for path, row in rows.items()
    if row["total"] is None], [])
END
run -r first -r second -r third -r leaf -r 'is_*' ./jumps
checks "jumps" check.py

# Those of above in a page.
if ! node -e 'new DecompressionStream("gzip")' 2>/dev/null; then
	skip "the page" "no node, or too old" 3
else
	cat >page.js <<'END'
const fs = require('fs');
const {Browser} = require(process.env.abs_top_srcdir + '/t/lib/browser.js');
(async () => {
	const browser = new Browser(fs.readFileSync('page.html', 'utf8'), 1280,
				    800);
	await browser.load();
	const {data} = browser.page, of = {};
	for (let i = 0; i < data.nr; i++) {
		const name = data.names[data.name[i]];
		(of[name] = of[name] || []).push([data.begin[i], data.end[i]]);
	}
	console.log(of.second.length, of.third.length, of.leaf.length);
	const isIn = outer => ([begin, end]) => outer.some(
		([from, to]) => from <= begin && Math.abs(end - to) <= 3);
	console.log(of.second.filter(isIn(of.first)).length,
		    of.third.filter(isIn(of.second)).length);
	console.log(data.lanes.length);
})();
END
	report --html page.html
	node page.js >out 2>&1
	is "$(sed -n 1p out)" "11 11 32" "the page has them"
	is "$(sed -n 2p out)" "10 11" "they end with what they are in"
	is "$(($(sed -n 3p out) < 12))" 1 "and no lane deeper each time"
fi

# What jumps to itself, by another function, which is not traced.
echo 'int down(int x, int (*f)(int)) { return f(x); }' >down.c
cat >self.c <<'END'
int down(int, int (*)(int)), leaf(int);
static int next(int x) { return x > 0 ? down(x - 1, next) : leaf(x); }
int main(void)
{
	int sum = 0;

	for (int i = 0; i < 10; i++)
		sum += down(i % 4, next);
	return sum < 0;
}
END
cat >self.py <<'END'
from nests import indented, report, say, say_sound, slices

say_sound("log")
found, _ = slices("log")
depth = [len(each.path()) - 1 for each in found if each.name == "down"]
want = [n for i in range(10) for n in range(1, i % 4 + 2)]
say("itself: chrome has each in the last", depth, want)
say("they end together", [
    each for each in found if each.outer and each.outer.name == "down" and
    each.name == "down" and each.end != each.outer.end], [])
text = [line for line in indented("log") if line.name == "down"]
say("text, too", [line.depth + 1 for line in text], want)
say("all have an end", [line for line in text if not line.took], [])
rows = {row["function"]: row for row in report("--calls", "log")["rows"]}
say("the report knows of no other", (rows["down"]["calls"],
                                     rows["down"]["no_end"]), (len(want), 0))
END
{
	cc -O2 -fPIC -shared -o libdown.so down.c &&
		cc -O2 -o self self.c ./libdown.so ./libleaf.so
} >cc.out 2>&1 || skip_all "$(head -n 1 cc.out)"
run -r down -r leaf ./self
checks "self" self.py
