/* SPDX-License-Identifier: MIT */
/* The timeline: a canvas on which only what can be seen is drawn. */

const LANE = 14, GAP = 5, RULER = 20, HEAD = OVERVIEW + RULER;

class Timeline {
	constructor(data, page) {
		this.data = data;
		this.page = page;
		this.box = document.getElementById('timeline');
		this.canvas = document.getElementById('canvas');
		this.brush = this.canvas.getContext('2d', {alpha: false});
		this.from = 0;
		this.to = this.wall = Math.max(data.wall, 1000);
		/* Closer, times of so long a trace are no different numbers. */
		this.least = Math.max(10, this.wall / 2 ** 44);
		this.selected = -1;
		this.found = null;
		readMeters(data);
		this.isBad = failedBars(data);
		this.overview = new Overview(data);
		this.causes = new Causes(data);
		this.spanLinks = new SpanLinks(data);
		this.said = new Marks(data);
		this.lanes = {};
		this.view = new View(this);
		this.colors = [];
		this.resize();
	}
	/* Rows: tracks from the top to the bottom; y is of the first lane.  What is at
	 * the top stays there. */
	place() {
		const {scrollTop} = this.box, before = this.lanes;
		const top = (before.rows || []).find(row => row.y + row.height > scrollTop + HEAD);
		const rows = this.view.rows(), rowOf = new Map();
		let y = HEAD;
		for (const row of rows) {
			row.y = y;
			row.height = row.isSummary ? LANE + GAP : this.heightOf(row.track);
			y += row.height;
			rowOf.set(row.track, rowOf.get(row.track) || row);
		}
		this.lanes = {rows, rowOf};
		this.height = y;
		document.getElementById('height').style.height = y + 30 + 'px';
		const now = top && scrollTop > 0 && rowOf.get(top.track);
		if (now && now.y !== top.y)
			this.box.scrollTop = max(0, scrollTop + now.y - top.y);
	}
	get rows() {
		if (!this.lanes.rows || this.isStale) {
			this.isStale = false;
			this.place();
		}
		return this.lanes.rows;
	}
	get rowOf() {
		return this.rows && this.lanes.rowOf;
	}
	/* The row of a track, or of what it is folded into; undefined: it is not there. */
	rowFor(track) {
		const {rowOf} = this;
		for (let node = this.view.nodeOf.get(track); node && !rowOf.has(track);
		     node = node.parent)
			track = node.tracks[0] || track;
		return rowOf.get(track);
	}
	lanesChanged() {
		this.isStale = true;
		this.ask();
		this.page.remember();
	}
	heightOf(track) {
		return Math.max(1, this.lanesOf(track)) * LANE + GAP +
			this.metersOf(track).length * COUNTER;
	}
	/* How many lanes of a track there are: the last of them that are empty are not. */
	lanesOf({lanes}) {
		let nr = lanes.length;
		while (this.view.hidesEmpty && nr > 1 && !this.isIn(lanes[nr - 1]))
			nr--;
		return nr;
	}
	metersOf(track) {
		const {process} = track;
		return process && process.first === track && process.meters ?
			[...process.meters.values()] : [];
	}
	hasEvents(track) {
		return track.lanes.some(lane => this.isIn(lane));
	}
	/* Has a lane anything in the window? */
	isIn(lane) {
		const i = this.lower(lane, this.from);
		return (i < lane.to && this.data.begin[i] <= this.to) ||
			(i > lane.from && this.data.end[i - 1] >= this.from);
	}
	/* height: of all that there is, to be printed. */
	resize(height = 0) {
		const ratio = Math.min(window.devicePixelRatio || 1, 2);
		this.width = this.box.clientWidth;
		this.seen = height || this.box.clientHeight;
		this.left = this.width < 600 ? 86 : 150;
		this.canvas.width = Math.round(this.width * ratio);
		this.canvas.height = Math.round(this.seen * ratio);
		this.canvas.style.width = this.width + 'px';
		this.canvas.style.height = this.seen + 'px';
		this.ratio = ratio;
		this.isStale = true;
		this.ask();
	}
	setTheme(colors, isDark) {
		this.theme = colors;
		this.isDark = isDark;
		this.colors = this.data.names.map(name => colorOf(name, isDark));
		this.ask();
	}
	ask() {
		if (!this.asked)
			this.asked = requestAnimationFrame(() => this.draw());
	}
	show(from, to) {
		const size = Math.min(Math.max(this.least, to - from), this.wall);
		this.from = Math.max(0, Math.min(from, this.wall - size));
		this.to = this.from + size;
		this.isStale = this.isStale || this.view.hidesEmpty;
		this.ask();
		this.page.remember();
	}
	zoom(factor, x = (this.width + this.left) / 2) {
		const at = this.timeAt(x);
		this.show(at - (at - this.from) * factor,
			  at + (this.to - at) * factor);
	}
	/* A point of the overview becomes the middle. */
	centre(x) {
		const half = (this.to - this.from) / 2;
		const at = (x - this.left) / (this.width - this.left) * this.wall;
		this.show(at - half, at + half);
	}
	move(share) {
		const by = (this.to - this.from) * share;
		this.show(this.from + by, this.to + by);
	}
	get point() {
		return (this.to - this.from) / (this.width - this.left);
	}
	timeAt(x) {
		return this.from + (x - this.left) * this.point;
	}
	xOf(time) {
		return this.left + (time - this.from) / this.point;
	}
	/* The first slice of a lane that begins at that time or later. */
	lower(lane, time) {
		let low = lane.from, high = lane.to;
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.data.begin[middle] < time)
				low = middle + 1;
			else
				high = middle;
		}
		return low;
	}
	/* The coarsest level whose runs are no wider than a point; -1: none. */
	level() {
		let level = -1;
		this.data.levels.forEach((each, i) => {
			if (each.quantum <= this.point)
				level = i;
		});
		return level;
	}
	draw() {
		const brush = this.brush, theme = this.theme;
		const {rows} = this, top = this.box.scrollTop;
		this.asked = 0;
		brush.setTransform(this.ratio, 0, 0, this.ratio, 0, 0);
		brush.font = '11px system-ui, sans-serif';
		brush.textBaseline = 'middle';
		brush.fillStyle = theme.back;
		brush.fillRect(0, 0, this.width, this.seen);
		this.rects = 0;
		this.drawGrid();
		brush.save();
		brush.beginPath();
		brush.rect(this.left, HEAD, this.width - this.left, this.seen);
		brush.clip();
		const level = this.level();
		const seen = rowsBetween(rows, top + HEAD, top + this.seen);
		for (const row of seen)
			this.drawTrack(row, row.y - top, level);
		this.drawForks(seen, top);
		this.causes.drawArrow(this, top);
		this.spanLinks.draw(this, top);
		this.said.draw(this);
		brush.restore();
		this.page.range.draw(this);
		for (const row of seen)
			this.drawLabel(row, row.y - top + LANE / 2);
		this.drawRuler();
	}
	drawTrack(row, y, level) {
		const {track, height} = row;
		if (row.isSummary) {
			drawWork(this, row.node, y);
			return;
		}
		const meters = this.metersOf(track), below = y + height - GAP;
		drawLosses(this, track, y, height - GAP);
		meters.forEach((meter, i) => drawMeter(this, meter,
			below - (meters.length - i) * COUNTER));
		track.lanes.slice(0, this.lanesOf(track)).forEach((lane, i) =>
			this.drawLane(lane, y + i * LANE, level));
		this.causes.drawCritical(this, row, y);
	}
	step() {
		const least = (this.to - this.from) /
			Math.max(2, (this.width - this.left) / 110);
		const power = 10 ** Math.floor(Math.log10(least));
		return [1, 2, 5, 10].map(n => n * power).find(n => n >= least);
	}
	/* The times that the ruler shows. */
	marks() {
		const step = this.step(), first = Math.ceil(this.from / step), times = [];
		for (let nr = 0; (first + nr) * step <= this.to; nr++)
			times.push((first + nr) * step);
		return times;
	}
	drawGrid() {
		const {brush} = this;
		brush.strokeStyle = this.theme.line;
		brush.lineWidth = 1;
		brush.beginPath();
		for (const t of this.marks()) {
			const x = Math.round(this.xOf(t)) + 0.5;
			brush.moveTo(x, HEAD);
			brush.lineTo(x, this.seen);
		}
		brush.stroke();
	}
	drawRuler() {
		const {brush} = this, step = this.step();
		const y = OVERVIEW + RULER / 2;
		brush.fillStyle = this.theme.back;
		brush.fillRect(0, 0, this.width, HEAD);
		brush.fillStyle = this.theme.soft;
		for (const t of this.marks()) {
			const x = this.xOf(t);
			if (x >= this.left && x < this.width - 40)
				brush.fillText(moment(t, step), x + 3, y);
		}
		brush.fillText(duration(this.to - this.from) + ' shown', 4, y);
		this.overview.draw(this);
	}
	/* Of what falls on one point the longest is drawn, but a hit before all
	 * else. */
	drawLane(lane, y, number) {
		const data = this.data, level = number < 0 ? null : data.levels[number];
		const {from, point} = this;
		let i = this.lower(lane, from);
		if (i > lane.from)
			i--;
		let run = level ? runOf(level, lane.levels[number], i) : i;
		const end = level ? runEnd(data, level, lane, number) : lane.to;
		const first = level ? level.from : null;
		this.last = '';
		while (run < end) {
			const begin = data.begin[first ? first[run] : run];
			if (begin > this.to)
				break;
			let stop = data.end[(first ? first[run + 1] : run + 1) - 1];
			let best = run++;
			if (stop - begin < point) {
				const next = from + (Math.floor((begin - from) / point) + 1) * point;
				for (; run < end; run++) {
					const at = first ? first[run] : run;
					if (data.begin[at] >= next ||
					    data.end[(first ? first[run + 1] : run + 1) - 1] -
					    data.begin[at] >= point)
						break;
					if (this.isBefore(run, best, level))
						best = run;
					stop = data.end[(first ? first[run + 1] : run + 1) - 1];
				}
			}
			if (stop < from)
				continue;
			this.drawSlice(best, level, begin, stop, y);
		}
	}
	longestOf(run, level) {
		return level ? level.longest[run] : run;
	}
	isHit(run, level) {
		const before = this.found.before;
		return level ? before[level.from[run + 1]] > before[level.from[run]]
			: before[run + 1] > before[run];
	}
	isBefore(run, than, level) {
		if (this.found) {
			const hit = this.isHit(run, level);
			if (hit !== this.isHit(than, level))
				return hit;
		}
		return this.data.took[this.longestOf(run, level)] >
			this.data.took[this.longestOf(than, level)];
	}
	drawSlice(run, level, begin, end, y) {
		const {brush, data, theme} = this, i = this.longestOf(run, level);
		const hit = this.found && this.isHit(run, level);
		const x = Math.max(this.xOf(begin), this.left - 2);
		const right = Math.min(this.xOf(end), this.width + 2);
		const width = Math.max(1, right - x - (right - x > 4 ? 0.6 : 0));
		const isBad = this.isBad.has(i);
		const color = isBad ? theme.failed
			: !this.found ? this.colors[data.name[i]]
				: hit ? theme.hit : theme.dim;
		if (color !== this.last)
			brush.fillStyle = this.last = color;
		brush.fillRect(width > 1 ? x : Math.floor(x), y, width, LANE - 1);
		this.rects++;
		if (data.flags[i] & 1) {
			brush.fillStyle = this.last = theme.soft;
			brush.fillRect(Math.floor(x), y + LANE - 3, Math.max(2, width), 2);
		}
		if (i === this.selected) {
			brush.strokeStyle = theme.fore;
			brush.lineWidth = 2;
			brush.strokeRect(x + 1, y + 1, Math.max(2, width - 2), LANE - 3);
		}
		if (width < 24)
			return;
		let text = data.names[data.name[i]];
		if (isBad)
			text += ': ' + exitOf(trackOf(data, i).process);
		if (width > 6.2 * (text.length + 7) && data.text[i])
			text += '  ' + wordsOf(data, i);
		brush.fillStyle = this.last = isBad || !this.found ?
			this.isDark ? '#fff' : '#111' : hit ? theme.back : theme.fore;
		brush.fillText(fit(brush, text, width - 6), x + 3, y + LANE / 2 - 1);
	}
	/* From a process to those that it forked, from a thread to those that it began. */
	drawForks(seen, top) {
		const {brush} = this;
		brush.strokeStyle = this.theme.soft;
		brush.lineWidth = 1;
		brush.globalAlpha = 0.6;
		brush.beginPath();
		for (const row of seen) {
			const process = row.node && row.node.process;
			const parent = process && process.first === row.track &&
				this.data.processes.get(process.parent);
			if (parent && parent.first)
				this.drawFork(parent.first, row, process.begin, top);
			for (const [i, by] of row.isSummary ? [] : row.track.births)
				this.drawFork(by, row, this.data.begin[i], top);
		}
		brush.stroke();
		brush.globalAlpha = 1;
	}
	drawFork(from, row, time, top) {
		const {brush} = this, above = this.rowFor(from);
		if (!above || above === row || time < this.from || time > this.to)
			return;
		const x = Math.round(this.xOf(time)) + 0.5, y = row.y - top + LANE / 2;
		brush.moveTo(x, above.y - top + (above.y < row.y ? LANE - 1 : 0));
		brush.lineTo(x, y);
		brush.lineTo(x + 5, y);
		brush.moveTo(x + 2, y - 3);
		brush.lineTo(x + 5, y);
		brush.lineTo(x + 2, y + 3);
	}
	drawLabel(row, y) {
		const {brush} = this, {track, node, isSummary} = row, {process} = track;
		const isNarrow = this.width < 600;
		const isMain = process && track.tid === process.pid;
		const isOwn = !isSummary || node.process && node.nr === 1;
		const id = !process ? '' : !isOwn ? '×' + count(node.nr)
			: isNarrow || !isMain ? String(track.tid) : '[' + process.pid + ']';
		const indent = Math.min(row.depth, 6) * (isNarrow ? 3 : 6);
		const room = this.left - 14 - indent - brush.measureText(id).width;
		const name = this.foldSign(row) + logOf(process) + (track.host ? track.host + ':' : '') +
			(!process ? (track.run ? 'B ' : '') + 'trace' : track.name && !isMain ? track.name
				: isSummary ? rankOf(node.process) + node.title
					: rankOf(process) + (process.program || '?') + process.tags);
		this.drawRun(process, y);
		const isBad = isSummary ? node.failed > 0 : isMain && hasFailed(process);
		brush.fillStyle = isBad ? this.theme.bad
			: isMain || !process || isSummary ? this.theme.fore : this.theme.soft;
		brush.fillText(fit(brush, name, Math.max(20, room)), 4 + indent, y);
		brush.fillStyle = this.theme.soft;
		brush.textAlign = 'right';
		brush.fillText(id, this.left - 5, y);
		brush.textAlign = 'left';
	}
	/* What is the other log's has a bar at its left. */
	drawRun(process, y) {
		if (!process || process.run !== 'B')
			return;
		this.brush.fillStyle = this.theme.link;
		this.brush.fillRect(0, y - LANE / 2, 2, LANE);
	}
	/* Before the name of what can be folded. */
	foldSign({track, node, isSummary}) {
		const canFold = node && this.view.order === 'tree' && this.view.canFold(node) &&
			(isSummary || track === node.tracks[0] && node.process);
		return !canFold ? '' : this.view.isFolded(node) ? '▸ ' : '▾ ';
	}
	rowAt(x, y) {
		const at = y + this.box.scrollTop;
		return x < this.left || y < HEAD ? undefined : rowsBetween(this.rows, at, at)[0];
	}
	/* A click on the name of what can be folded; or on nothing. */
	foldAt(x, y) {
		const row = x < this.left && this.rowAt(this.left, y);
		if (!row || !this.foldSign(row))
			return false;
		this.view.toggle(row.node);
		return true;
	}
	/* What the curve at a point is; '': there is none. */
	tellAt(x, y) {
		const row = this.rowAt(x, y);
		if (row && row.isSummary)
			return tellWork(row.node, this.timeAt(x));
		const meters = row && this.metersOf(row.track);
		const first = row && row.y + row.height - GAP - meters.length * COUNTER;
		const meter = row &&
			meters[floor((y + this.box.scrollTop - first) / COUNTER)];
		return meter ? tellMeter(meter, this.timeAt(x)) : '';
	}
	/* The slice at a point of the canvas; -1: none. */
	pick(x, y) {
		const at = y + this.box.scrollTop, data = this.data;
		const row = this.rowAt(x, y), mark = this.said.pick(this, x, y);
		if (mark >= 0 || !row || row.isSummary)
			return mark;
		const lane = row.track.lanes[Math.floor((at - row.y) / LANE)];
		if (!lane)
			return -1;
		const time = this.timeAt(x), near = 2 * this.point;
		let i = this.lower(lane, time + this.point) - 1, best = -1;
		for (let nr = 0; i >= lane.from && nr < 4096; i--, nr++) {
			if (data.end[i] < time - near)
				break;
			if (best < 0 || data.took[i] > data.took[best])
				best = i;
			if (data.end[i] - data.begin[i] > near)
				break;
		}
		return best;
	}
	/* Brings a slice into view; isClose: as wide as the window. */
	goTo(i, isClose) {
		const data = this.data, size = data.end[i] - data.begin[i];
		const width = isClose ? Math.max(size * 1.3, 500) : this.to - this.from;
		const middle = data.begin[i] + size / 2;
		this.selected = i;
		/* What can be seen stays where it is. */
		if (isClose || data.begin[i] < this.from || data.end[i] > this.to)
			this.show(middle - width / 2, middle + width / 2);
		this.view.reveal(trackOf(data, i));
		const row = this.rowOf.get(trackOf(data, i));
		if (row)
			this.box.scrollTop = Math.max(0, row.y - this.seen / 3);
		this.ask();
	}
	showCritical() {
		if (this.page.range.isThere) {
			this.page.turnPath();
			return;
		}
		this.causes.isShown = !this.causes.isShown;
		this.ask();
		this.page.remember();
	}
}

/* The run of a level that slice i is in. */
function runOf(level, low, i) {
	let high = level.nr - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (level.from[middle] <= i)
			low = middle;
		else
			high = middle - 1;
	}
	return low;
}

/* Behind the last run of a lane. */
function runEnd(data, level, lane, number) {
	const next = data.lanes[lane.index + 1];
	return next ? next.levels[number] : level.nr;
}

/* The rows that are somewhere between two heights, one of them at least. */
function rowsBetween(rows, top, bottom) {
	let low = 0, high = rows.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (rows[middle].y + rows[middle].height <= top)
			low = middle + 1;
		else
			high = middle;
	}
	let end = low;
	while (end < rows.length && rows[end].y <= bottom)
		end++;
	return rows.slice(low, end);
}
