/* SPDX-License-Identifier: MIT */
/* Processes as a tree that can be folded.  Of one parent many children that run the
 * same program are a node, too: "cc ×204". */

const MANY_CHILDREN = 12, MANY_ALIKE = 4;

/* tracks are its own; nr is how many processes it has with those below. */
class Node {
	constructor(id, process, parent) {
		Object.assign(this, {id, process, parent, tracks: [], children: [],
			depth: 0, nr: process ? 1 : 0, nrThreads: 0, failed: 0, wall: 0, cpu: 0});
	}
	get title() {
		const {process, children} = this;
		return (process || children[0].process).program || '?';
	}
	/* All tracks below, too. */
	allTracks() {
		const tracks = [], work = [this];
		while (work.length > 0) {
			const node = work.pop();
			pushAll(tracks, node.tracks);
			pushAll(work, node.children);
		}
		return tracks;
	}
}

/* Children of one parent, those alike together. */
function groupChildren(node, make) {
	const alike = new Map(), {children} = node;
	if (children.length < MANY_CHILDREN)
		return;
	for (const child of children) {
		const name = logOf(child.process) + child.title;
		if (!alike.has(name))
			alike.set(name, []);
		alike.get(name).push(child);
	}
	node.children = children.flatMap(child => {
		const list = alike.get(logOf(child.process) + child.title);
		if (list.length < MANY_ALIKE || list.length === children.length && !node.process)
			return [child];
		if (list[0] !== child)
			return [];
		const group = make('g' + child.id, null, node);
		group.children = list;
		list.forEach(each => each.parent = group);
		return [group];
	});
}

/* Sums of what is below, the innermost first. */
function sumUp(order) {
	for (const node of [...order].reverse()) {
		const {process} = node;
		node.nrThreads += node.tracks.length;
		if (process) {
			node.failed += hasFailed(process) ? 1 : 0;
			node.wall = process.end - process.begin;
			node.cpu += max(process.cpu, 0);
			node.begin = process.begin;
			node.end = process.end;
		}
		for (const child of node.children) {
			node.nr += child.nr;
			node.nrThreads += child.nrThreads;
			node.failed += child.failed;
			node.cpu += child.cpu;
			node.begin = Math.min(node.begin ?? child.begin, child.begin);
			node.end = max(node.end ?? child.end, child.end);
		}
		if (!process)
			node.wall = node.end - node.begin;
	}
}

/* {root, nodes by their names, nodeOf: by track}.  Processes may be deep: there is no
 * recursion. */
function treeOf(data) {
	const nodes = new Map(), nodeOf = new Map(), byNumber = new Map();
	const make = (id, process, parent) => {
		const node = new Node(id, process, parent);
		nodes.set(id, node);
		return node;
	};
	const root = new Node('', null, null);
	for (const process of data.processes.values())
		byNumber.set(process.number, make(String(process.number), process, root));
	for (const node of byNumber.values()) {
		node.parent = byNumber.get(node.process.parent) || root;
		node.parent.children.push(node);
	}
	for (const track of data.tracks) {
		const {process} = track, node = process && byNumber.get(process.number);
		if (!node)
			continue;
		node.tracks.push(track);
		nodeOf.set(track, node);
		if (!process.first || track.tid === process.pid)
			process.first = track;
	}
	for (const {tracks, process} of byNumber.values())
		tracks.sort((a, b) => (b === process.first) - (a === process.first));
	const order = [root];
	for (let at = 0; at < order.length; at++) {
		const node = order[at];
		node.children.sort((a, b) => (a.process.run === 'B') - (b.process.run === 'B') ||
			a.process.begin - b.process.begin);
		/* A group's are its own. */
		if (node.process || node === root)
			groupChildren(node, make);
		for (const child of node.children)
			child.depth = node === root ? 0 : node.depth + 1;
		pushAll(order, node.children);
	}
	sumUp(order);
	return {root, nodes, nodeOf};
}

/* How many processes of a node are at work when: those that run no child.  Times,
 * and how many from each on; and when one failed. */
function workOf(node) {
	if (node.work)
		return node.work;
	const edges = [], failed = [], stack = [node];
	while (stack.length > 0) {
		const {process, children} = stack.pop();
		pushAll(stack, children);
		if (!process)
			continue;
		edges.push([process.begin, 1], [process.end, -1]);
		if (hasFailed(process))
			failed.push(process.end);
		/* While children run, it waits for them. */
		let until = process.begin;
		const own = children.flatMap(each => each.process ? [each] : each.children)
			.map(each => each.process).sort((a, b) => a.begin - b.begin);
		for (const child of own) {
			const begin = max(child.begin, until);
			const end = Math.min(child.end, process.end);
			if (end > begin)
				edges.push([begin, -1], [end, 1]);
			until = max(until, end);
		}
	}
	edges.sort((a, b) => a[0] - b[0]);
	const times = [], counts = [];
	let nr = 0, most = 0;
	for (const [time, by] of edges) {
		nr += by;
		if (times.at(-1) === time)
			counts[counts.length - 1] = nr;
		else {
			times.push(time);
			counts.push(nr);
		}
	}
	most = counts.reduce((a, b) => max(a, b), 1);
	failed.sort((a, b) => a - b);
	return node.work = {times, counts, most, failed};
}

/* The last index whose time is not later; -1: there is none. */
function lastAt(times, time) {
	let low = 0, high = times.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (times[middle] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* The lane of what is folded: as high as many are at work, red where one failed. */
function drawWork(timeline, node, y) {
	const {brush, theme, left, width, from, to, point} = timeline;
	const {times, counts, most, failed} = workOf(node);
	const bottom = y + LANE - 1;
	brush.fillStyle = theme.busy;
	/* Points of one height are one box: a box for each takes long. */
	let height = 0, begun = left;
	const put = (x, next) => {
		if (next !== height && height > 0)
			brush.fillRect(begun, bottom - height, x - begun, height);
		if (next !== height)
			[height, begun] = [next, x];
	};
	for (let x = left, at = lastAt(times, from); x < width; x++) {
		const end = from + (x + 1 - left) * point;
		let high = max(counts[at] || 0, 0);
		if (from + (x - left) * point > to)
			break;
		for (; at + 1 < times.length && times[at + 1] < end; at++)
			high = max(high, counts[at + 1]);
		put(x, Math.ceil(high / most * (LANE - 1)));
	}
	put(width, 0);
	brush.fillStyle = theme.failed;
	let last = -1;
	for (let at = max(lastAt(failed, from), 0); at < failed.length; at++) {
		const x = Math.floor(timeline.xOf(failed[at]));
		if (x > width)
			break;
		if (x > last && x >= left)
			brush.fillRect(last = x, y, 2, LANE - 1);
	}
}

/* What is said of a lane that is folded. */
function tellWork(node, time) {
	const {times, counts, most, failed} = workOf(node);
	const now = max(counts[lastAt(times, time)] || 0, 0);
	return [`${node.title}: ${plural(node.nr, 'process')}, ` +
		`${plural(node.nrThreads, 'thread')}`,
	`${count(now)} at work at ${formats.time(time)}s, at most ${count(most)}`,
	node.cpu > 0 ? duration(node.cpu) + ' CPU' : '',
	failed.length > 0 ? `${count(failed.length)} failed` : '',
	].filter(Boolean).join(' · ');
}
