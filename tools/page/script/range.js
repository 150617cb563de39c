/* SPDX-License-Identifier: MIT */
/* What is selected: a range of time, of all threads or of some; and what they did
 * in it, as a table and as a flame graph. */

/* The value that so large a share of the sorted ones does not exceed. */
const percentile = (sorted, share) =>
	sorted[Math.min(sorted.length - 1, floor(sorted.length * share))];

/* A bar of several events of which one is known: the others have no duration. */
const isMerged = (data, i) => data.count[i] > 1 &&
	!(data.count[i] === 2 && data.end[i] - data.begin[i] === data.took[i]);

/* What is in the range, put together while its slices are walked. */
class Sums {
	constructor(data, from, to) {
		Object.assign(this, {data, from, to, events: 0, merged: 0, threads: 0});
		this.rows = new Map();
		this.tree = {name: 'selection', self: 0, total: 0, depth: 0, children: []};
		this.below = new Map();
	}
	/* The box of that name below another one. */
	enter(node, name) {
		let names = this.below.get(node);
		if (!names)
			this.below.set(node, names = new Map());
		let child = names.get(name);
		if (!child) {
			child = {name, self: 0, total: 0, depth: node.depth + 1,
				children: []};
			names.set(name, child);
			node.children.push(child);
		}
		return child;
	}
	row(name) {
		let row = this.rows.get(name);
		if (!row)
			this.rows.set(name, row = {name, calls: 0, total: 0, self: 0,
				failed: 0, took: []});
		return row;
	}
	/* How much of it is in the range; 0: it has no duration. */
	sizeOf(i) {
		const {data} = this;
		if (data.took[i] < 0 && !(data.flags[i] & 2))
			return 0;
		const end = isMerged(data, i) ? data.begin[i] + data.took[i] : data.end[i];
		return max(0, Math.min(end, this.to) - max(data.begin[i], this.from));
	}
	/* Of a recorded stack the frames are boxes. */
	withStack(node, i) {
		const frames = stackOf(this.data, i).reverse();
		return frames.reduce((at, name) => this.enter(at, name), node);
	}
	/* A slice that is in another one, or in the selection itself. */
	add(i, outer) {
		const {data} = this, name = data.names[data.name[i]], row = this.row(name);
		const size = this.sizeOf(i), box = data.stack[i] > 0 && outer.isLife ?
			this.withStack(outer.node, i) : outer.node;
		const own = {node: this.enter(box, name), row, outer,
			isLife: data.stack[i] === 0 && outer.isLife};
		const isWhole = data.begin[i] >= this.from && data.begin[i] < this.to;
		if (isWhole) {
			row.calls++;
			row.failed += data.flags[i] & 1;
			this.events += data.count[i];
			if (data.took[i] >= 0)
				row.took.push(data.took[i]);
		}
		this.merged += isWhole && isMerged(data, i) ? data.count[i] - 1 : 0;
		let isInside = false;
		for (let up = outer; up.row && !isInside; up = up.outer)
			isInside = up.row === row;
		row.total += isInside ? 0 : size;
		row.self += size;
		own.node.self += size;
		if (outer.row) {
			/* What is in a bar that stands for several is not in one.  A
			 * row is what its boxes are. */
			const taken = Math.min(size, outer.node.self);
			outer.row.self -= taken;
			outer.node.self -= taken;
		}
		return own;
	}
	addTrack(track, lower) {
		const {data} = this, root = {node: this.tree, row: null, isLife: true};
		let before = [], lane = null, any = false;
		for (const next of track.lanes) {
			const own = [];
			let first = lower(next, this.from), at = 0;
			if (first > next.from && data.end[first - 1] > this.from)
				first--;
			for (let i = first; i < next.to && data.begin[i] < this.to; i++) {
				while (at + 1 < before.length &&
				       data.begin[lane + at + 1] <= data.begin[i])
					at++;
				const isIn = at < before.length &&
					data.begin[lane + at] <= data.begin[i] &&
					data.end[lane + at] >= data.begin[i];
				own.push(this.add(i, isIn ? before[at] : root));
				any = true;
			}
			before = own;
			lane = first;
		}
		this.threads += any;
	}
	end() {
		const sum = node => {
			node.children.forEach(sum);
			node.children.sort((a, b) => b.total - a.total);
			node.total = node.children.reduce((all, child) =>
				all + child.total, node.self);
		};
		for (const row of this.rows.values()) {
			row.took.sort((a, b) => a - b);
			const isKnown = row.took.length > 0;
			Object.assign(row, {p50: isKnown ? percentile(row.took, 0.5) : null,
				p99: isKnown ? percentile(row.took, 0.99) : null,
				max: isKnown ? row.took.at(-1) : null});
			if (!isKnown && row.total === 0)
				row.total = row.self = null;
		}
		sum(this.tree);
		return this;
	}
}

const rangeColumns = [['calls', 'CALLS', 'count'], ['total', 'TOTAL', 'duration'],
	['self', 'SELF', 'duration'], ['p50', 'P50', 'duration'],
	['p99', 'P99', 'duration'], ['max', 'MAX', 'duration'],
	['failed', 'FAILED', 'count'], ['name', 'NAME', 'text']];

/* Of two logs: what each has of a name. */
const pairColumns = [['a', 'SELF A', 'duration'], ['b', 'SELF B', 'duration'],
	['diff', 'B − A', 'change'], ['calls', 'CALLS A', 'count'],
	['calls_b', 'CALLS B', 'count'], ['failed', 'FAILED A', 'count'],
	['failed_b', 'FAILED B', 'count'], ['name', 'NAME', 'text']];

function pairRows(ones, others) {
	const none = {self: 0, calls: 0, failed: 0};
	return [...new Set([...ones.keys(), ...others.keys()])].map(name => {
		const a = ones.get(name) || none, b = others.get(name) || none;
		const diff = a.self === null && b.self === null ? null
			: (b.self || 0) - (a.self || 0);
		return {name, a: a.self, b: b.self, diff, calls: a.calls, calls_b: b.calls, failed: a.failed,
			failed_b: b.failed};
	});
}

class Range {
	constructor(page) {
		this.page = page;
		this.from = this.to = 0;
		this.tracks = new Set();
		this.sums = null;
		this.path = null;
	}
	get isThere() {
		return this.to > this.from;
	}
	set(from, to) {
		this.dropPath();
		const {wall} = this.page.timeline;
		this.from = max(0, Math.min(from, to));
		this.to = Math.min(wall, max(from, to));
		this.sums = null;
	}
	/* Threads more, or less; none: all of them. */
	turn(tracks) {
		this.dropPath();
		const areIn = tracks.every(track => this.tracks.has(track));
		for (const track of tracks)
			if (areIn)
				this.tracks.delete(track);
			else
				this.tracks.add(track);
		if (!this.isThere)
			this.set(0, this.page.timeline.wall);
		this.sums = null;
	}
	has(track) {
		return this.tracks.size === 0 || this.tracks.has(track);
	}
	clear() {
		this.set(0, 0);
		this.tracks.clear();
	}
	count() {
		if (this.sums || !this.isThere)
			return this.sums;
		const {isPair} = this.page.data, sums = this.sumsOf(isPair ? 'A' : undefined);
		this.other = isPair ? this.sumsOf('B') : null;
		this.table = isPair ? {columns: pairColumns, sort: 'diff',
			rows: pairRows(sums.rows, this.other.rows)}
			: {columns: rangeColumns, rows: [...sums.rows.values()], sort: 'self'};
		sortRows(this.table, this.table.sort);
		return this.sums = sums;
	}
	/* Of all that is selected, or of what one log has of it. */
	sumsOf(run) {
		const {data, timeline} = this.page;
		const sums = new Sums(data, this.from, this.to);
		const add = track => track.process && track.process.run === run &&
			sums.addTrack(track, (lane, at) => timeline.lower(lane, at));
		if (!this.path)
			data.tracks.filter(track => this.has(track)).forEach(add);
		else
			this.addPath(sums, add);
		return sums.end();
	}
	/* What was done on the path alone. */
	addPath(sums, add) {
		const on = new Set(this.path.map(({track}) => track));
		for (const {track, begin, end} of this.path) {
			[sums.from, sums.to] = [begin, end];
			add(track);
		}
		sums.threads = on.size;
	}
	/* Only what is on the critical path counts, or again all. */
	turnPath() {
		const {timeline} = this.page;
		this.path = this.path || !this.isThere ? null : pathOf(this, timeline);
		this.sums = null;
		timeline.causes.part = this.path;
		timeline.causes.isShown = Boolean(this.path);
	}
	dropPath() {
		if (this.path)
			this.turnPath();
	}
	/* Of both logs together. */
	get both() {
		const {events, threads, merged} = this.count(), {other} = this;
		return !other ? {events, threads, merged} : {events: events + other.events,
			threads: threads + other.threads, merged: merged + other.merged};
	}
	title() {
		const {events, threads, merged} = this.both;
		const failed = this.table.rows.reduce((all, row) => all + row.failed +
			(row.failed_b || 0), 0);
		return [duration(this.to - this.from) + (this.path ? ' selected, its critical path'
			: ' selected'),
			`${formats.time(this.from)}s to ${formats.time(this.to)}s`,
			plural(threads, 'thread'), plural(events, 'event'),
			failed > 0 ? `${count(failed)} failed` : '',
			merged > 0 ? `${count(merged)} of them share bars: they are ` +
				'counted here without their times' : '',
		].filter(Boolean).join(' · ');
	}
	/* The panel, which stays until Esc. */
	show() {
		const panel = $('range');
		panel.hidden = !this.isThere;
		if (!this.isThere)
			return;
		this.count();
		$('range-title').textContent = this.title();
		$('range-path').setAttribute('aria-pressed', String(Boolean(this.path)));
		const draw = () => $('range-rows').replaceChildren(
			tableOf(this.table, this.table.rows.slice(0, 200), draw,
				row => () => this.page.searchFor(
					is('name', row.name))));
		draw();
	}
	/* On the timeline: what is not selected is dim. */
	draw(timeline) {
		if (!this.isThere)
			return;
		const {brush, theme, left, width, seen} = timeline;
		const x = Math.min(max(timeline.xOf(this.from), left), width);
		const right = Math.min(max(timeline.xOf(this.to), left), width);
		brush.fillStyle = theme.back;
		brush.globalAlpha = 0.55;
		brush.fillRect(left, HEAD, x - left, seen);
		brush.fillRect(right, HEAD, width - right, seen);
		for (const row of timeline.rows)
			if (!this.has(row.track))
				brush.fillRect(left, row.y - timeline.box.scrollTop,
					       width - left, row.height);
		brush.globalAlpha = 1;
		brush.fillStyle = theme.link;
		brush.fillRect(x - 1, HEAD - 4, 1.5, seen);
		brush.fillRect(right, HEAD - 4, 1.5, seen);
	}
}
