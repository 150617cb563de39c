/* SPDX-License-Identifier: MIT */
/* Who ended a wait, and who began a thread, as an arrow and in words; and the
 * critical path, as a line below what is on it. */

/* Times of bars and of waits are from different places of the log. */
const NEAR = 2000;

/* So many waits of a thread are looked at that began before. */
const ABOUT = 64;

/* How many of them, which are by their begin, begin until then. */
function behind(waits, time) {
	let low = 0, high = waits.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (waits[middle].begin <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The slice that another one is in; -1: none. */
function outerOf({data, lower}, i) {
	const {lanes} = trackOf(data, i), at = lanes.findIndex(({from, to}) => i >= from && i < to);
	const lane = lanes[at - 1], outer = lane ? lower.call({data}, lane, data.begin[i] + 1) - 1 : -1;
	return lane && outer >= lane.from && data.end[outer] >= data.end[i] ? outer : -1;
}

/* Of each track when threads of its number began, and who has begun them:
 * [[slice, track], ...] */
function readBirths(data, trackAt) {
	const says = data.texts.map(text => text.startsWith('tid=\x01 creator=\x01'));
	for (const track of data.tracks) {
		track.births = [];
		for (const {from, to} of track.process ? track.lanes : [])
			for (let i = from; i < to; i++)
				if (says[data.text[i]] && data.names[data.name[i]] === 'thread:start') {
					const by = trackAt(track.process.number,
							   data.number[data.numberAt[i] + 1]);
					if (by && by !== track)
						track.births.push([i, by]);
				}
	}
}

class Causes {
	constructor(data) {
		const tracks = new Map(data.tracks.filter(track => track.process)
			.map(track => [`${track.process.number}/${track.tid}`, track]));
		const trackAt = (process, tid) => tracks.get(`${process}/${tid}`);
		readBirths(data, trackAt);
		this.waits = new Map();
		for (const [process, tid, begin, end, by, byTid, woken, told, what, deeds] of
			data.header.waits) {
			const track = trackAt(process, tid), waker = trackAt(by, byTid);
			if (!track)
				continue;
			if (!this.waits.has(track))
				this.waits.set(track, []);
			const meanwhile = deeds.map(([text, time, its, itsTid, at]) =>
				({text, time, waker: trackAt(its, itsTid), told: at}));
			this.waits.get(track).push({track, begin, end, waker, woken, told, what,
				meanwhile});
		}
		this.critical = new Map();
		for (const [process, tid, begin, end] of data.header.critical) {
			const track = trackAt(process, tid);
			if (!this.critical.has(track))
				this.critical.set(track, []);
			this.critical.get(track).push([begin, end]);
		}
		this.isShown = false;
		this.part = null; /* of a selection: its path */
		this.data = data;
	}
	/* The wait that a slice is about; undefined: it is none.  A time off the processor
	 * is about the wait that it is a part of. */
	of(i) {
		const {data} = this, waits = i < 0 ? null : this.waits.get(trackOf(data, i));
		if (!waits)
			return undefined;
		const begin = data.begin[i], end = data.end[i];
		const isOff = data.names[data.name[i]] === 'sched:off';
		/* They are by their begin; of a thread one mostly follows another. */
		for (let at = behind(waits, begin + NEAR) - 1, nr = 0; at >= 0 && nr < ABOUT;
		     at--, nr++)
			if (isOff ? waits[at].end >= end - NEAR
				: Math.abs(waits[at].begin - begin) <= NEAR &&
					Math.abs(waits[at].end - end) <= NEAR)
				return waits[at];
		return undefined;
	}
	/* What a thread was off the processor for, as --off-cpu has it; '': it was not. */
	offFor(i, timeline) {
		const {data} = this, name = data.names[data.name[i]], wait = this.of(i);
		if (name === 'sched:no CPU was free')
			return 'no CPU was free';
		if (name === 'sched:page fault')
			return 'page fault';
		if (name !== 'sched:off')
			return '';
		const outer = wait ? -1 : outerOf(timeline, i), own = data.names[data.name[outer]];
		return wait ? wait.what : outer < 0 || own === 'thread:start' ||
			data.texts[data.text[outer]].startsWith('argv=[') ? 'in no recorded call' : own;
	}
	/* What its thread did when it ended the wait, or just before: the slice, or
	 * -1. */
	sliceOf({waker, told}, timeline) {
		const {data} = this;
		let best = -1;
		for (const lane of waker.lanes)
			for (let i = timeline.lower(lane, told - NEAR) - 1; i < lane.to &&
			     (i < lane.from || data.begin[i] <= told + NEAR); i++)
				if (i >= lane.from && (best < 0 ||
				    Math.abs(data.begin[i] - told) <
				    Math.abs(data.begin[best] - told)))
					best = i;
		return best;
	}
	/* The thread that has begun the one whose first event that is; or nothing. */
	creatorOf(i) {
		const birth = i >= 0 && trackOf(this.data, i).births.find(each => each[0] === i);
		return birth ? birth[1] : null;
	}
	/* From who ended the wait to the end of it; from who began a thread to its
	 * begin. */
	drawArrow(timeline, top) {
		const i = timeline.selected, creator = this.creatorOf(i), at = this.data.begin[i];
		const wait = creator ? {waker: creator, track: trackOf(this.data, i),
			woken: at, end: at} : this.of(i);
		const {brush} = timeline;
		const from = wait && wait.waker && timeline.rowFor(wait.waker);
		const to = wait && timeline.rowFor(wait.track);
		if (!from || !to || from === to)
			return;
		const x = timeline.xOf(wait.woken), end = timeline.xOf(wait.end);
		const y = to.y - top + LANE / 2;
		brush.strokeStyle = timeline.theme.fore;
		brush.lineWidth = 1.5;
		brush.beginPath();
		brush.moveTo(x, from.y - top + (from.y < to.y ? LANE - 1 : 0));
		brush.lineTo(x, y);
		brush.lineTo(Math.max(end, x + 6), y);
		brush.moveTo(Math.max(end, x + 6) - 4, y - 4);
		brush.lineTo(Math.max(end, x + 6), y);
		brush.lineTo(Math.max(end, x + 6) - 4, y + 4);
		brush.stroke();
	}
	drawCritical(timeline, {track, height}, y) {
		const {brush, left, width} = timeline;
		let until = -1;
		if (!this.isShown)
			return;
		brush.fillStyle = timeline.theme.fore;
		timeline.last = '';
		const parts = this.part ? this.part.filter(each => each.track === track)
			.map(each => [each.begin, each.end]).reverse()
			: this.critical.get(track) || [];
		for (const [begin, end] of parts) {
			if (end < timeline.from || begin > timeline.to)
				continue;
			/* Many short ones share a point, and do not make it longer. */
			const from = Math.max(timeline.xOf(begin), left);
			const right = Math.max(Math.min(timeline.xOf(end), width), from + 1);
			const x = Math.max(from, until);
			if (right <= x)
				continue;
			brush.fillRect(x, y + height - GAP, right - x, 3);
			until = right;
		}
	}
}
