/* SPDX-License-Identifier: MIT */
/* What made a part of the trace take as long as it did: back from an event, through
 * who ended each wait and began each thread and process.  As tools/report/model/chain.h
 * has it, by the waits that the page has. */

/* So many steps in no time, and those wait for each other; and so many in all. */
const MOST_STILL = 64, MOST_STEPS = 200000;

/* The last wait of a track that had begun before then. */
function waitBefore(causes, track, at) {
	const waits = causes.waits.get(track) || [];
	return waits[lastBefore(waits.length, i => waits[i].begin < at)];
}

/* The last index that passes; those that do come first.  -1: none. */
function lastBefore(nr, test) {
	let low = 0, high = nr;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (test(middle))
			low = middle + 1;
		else
			high = middle;
	}
	return low - 1;
}

/* Who had begun a thread that runs then, and when: {track, at}. */
function beginOf(timeline, track, at) {
	const {data} = timeline, {births, process} = track;
	const birth = births.findLast(([i]) => data.begin[i] < at);
	if (birth)
		return {track: birth[1], at: data.begin[birth[0]]};
	const parent = process && data.processes.get(process.parent);
	return parent && process.first === track && process.begin < at ?
		{track: forkerOf(timeline, parent, process), at: process.begin} : null;
}

/* The thread of the parent that made the last fork before the child was there. */
function forkerOf(timeline, parent, child) {
	const {data} = timeline, fork = data.names.indexOf('process:fork');
	let best = parent.first, when = -1;
	for (const track of data.tracks)
		for (const lane of track.process === parent ? track.lanes : []) {
			let i = timeline.lower(lane, child.begin + 1) - 1;
			for (let nr = 0; nr < 64 && i >= lane.from && data.begin[i] > when; nr++, i--)
				if (data.name[i] === fork)
					[best, when] = [track, data.begin[i]];
		}
	return best;
}

/* [{track, begin, end}, ...], the last first. */
function pathTo(timeline, track, at, until) {
	const {causes} = timeline, path = [];
	const tell = begin => {
		const from = max(begin, until);
		if (from < at) {
			path.push({track, begin: from, end: at});
			at = from;
			still = 0;
		}
	};
	let still = 0;
	for (let nr = 0; nr < MOST_STEPS && track && at > until; nr++) {
		const wait = waitBefore(causes, track, at), began = beginOf(timeline, track, at);
		if (wait && wait.end >= at && wait.waker && still++ < MOST_STILL) {
			tell(wait.woken);
			track = wait.waker;
		} else if (wait && (!began || began.at <= wait.begin)) {
			/* Running since the wait, or nobody is known to have ended it. */
			tell(wait.end < at ? wait.end : wait.begin);
		} else {
			tell(began ? began.at : until);
			track = began && still++ < MOST_STILL ? began.track : null;
		}
	}
	return path;
}

/* The event that is over last in the selection, and did not wait for another one. */
function lastIn(range, timeline) {
	const {data} = timeline;
	let best = -1, last = -1;
	for (const track of data.tracks)
		for (const lane of track.process && range.has(track) ? track.lanes.slice(0, 1) : []) {
			const i = timeline.lower(lane, range.to) - 1;
			const end = i < lane.from ? -1 : Math.min(data.end[i], range.to);
			if (end > range.from && (end > last || end === last &&
			    track.process.begin < trackOf(data, best).process.begin))
				[best, last] = [i, end];
		}
	return best;
}

/* The path of a selection, to the event that is clicked on, or else to the last. */
function pathOf(range, timeline) {
	const {data, selected} = timeline;
	const isIn = selected >= 0 && trackOf(data, selected).process &&
		data.end[selected] > range.from && data.begin[selected] < range.to;
	const to = isIn ? selected : lastIn(range, timeline);
	return to < 0 ? [] : pathTo(timeline, trackOf(data, to),
				    Math.min(data.end[to], range.to), range.from);
}
