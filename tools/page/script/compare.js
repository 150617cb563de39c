/* SPDX-License-Identifier: MIT */
/* Two logs in one flame graph: a box is as wide as in both together; red is what the
 * other log has more of, green what it has less of. */

/* Their trees in one: was and now are what each has. */
function compareTrees(one, other) {
	const merge = (a, b, name, depth) => {
		const names = new Map(), node = {name, depth, children: [],
			self: (a ? a.self : 0) + (b ? b.self : 0),
			total: (a ? a.total : 0) + (b ? b.total : 0),
			was: a ? a.total : 0, now: b ? b.total : 0};
		for (const child of a ? a.children : [])
			names.set(child.name, [child, null]);
		for (const child of b ? b.children : [])
			names.set(child.name, [(names.get(child.name) || [null])[0], child]);
		for (const [own, [x, y]] of names)
			node.children.push(merge(x, y, own, depth + 1));
		node.children.sort((x, y) => y.total - x.total);
		return node;
	};
	return merge(one, other, one.name, 0);
}

/* By how much more, or less, of both it is; what both have as much of is grey. */
function changeColor({was, now}, isDark) {
	const share = was + now > 0 ? (now - was) / (was + now) : 0;
	const strength = Math.round(Math.min(Math.abs(share) * 2, 1) * 70);
	return `hsl(${share > 0 ? 5 : 130} ${strength}% ${isDark ? 30 : 78}%)`;
}

const tellChange = ({was, now}, format) => `was ${format(was)}, is ${format(now)}: ` +
	(now >= was ? '+' : '−') + format(Math.abs(now - was));
