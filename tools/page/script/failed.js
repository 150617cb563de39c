/* SPDX-License-Identifier: MIT */
/* What is red: processes that failed, and the times when a thread lost events. */

const hasFailed = process => process.exit !== null && process.exit !== '0' &&
	process.exit !== '?';

/* "exit 3", or the signal that killed it. */
const exitOf = process => /^\d/.test(process.exit) ? 'exit ' + process.exit
	: process.exit;

/* The slices that are the last programs of processes that failed. */
function failedBars(data) {
	const bars = new Set();
	for (const {process, lanes} of data.tracks) {
		if (!process || !hasFailed(process) || lanes.length === 0)
			continue;
		const name = data.names.indexOf(process.program), [lane] = lanes;
		let i = lane.to - 1;
		/* Behind it are at most its end and what tells of that. */
		for (let nr = 0; nr < 8 && i >= lane.from; nr++, i--)
			if (data.name[i] === name && data.end[i] > data.begin[i]) {
				bars.add(i);
				break;
			}
	}
	return bars;
}

/* When events of a thread were lost: from where the log says that some were, of
 * whichever thread, until the thread's next event.  [[begin, end], ...] */
function lossesOf(timeline, track) {
	const {data} = timeline, process = track.process, losses = [];
	if (track.losses || !process)
		return track.losses || losses;
	for (const [begin, end] of data.losses ? data.losses[process.run]
		: data.header.losses) {
		/* Of what was overwritten nobody knows when it began. */
		if (begin < process.begin && process.program !== '?' ||
		    begin > process.end)
			continue;
		let next = Math.max(end, process.end);
		for (const lane of track.lanes) {
			const i = timeline.lower(lane, begin);
			if (i < lane.to && data.begin[i] < next)
				next = data.begin[i];
		}
		losses.push([begin, next]);
	}
	return track.losses = losses;
}

/* Hatched, for it is not idle time. */
function drawLosses(timeline, track, y, height) {
	const {brush, theme, left, width} = timeline;
	for (const [begin, end] of lossesOf(timeline, track)) {
		if (end < timeline.from || begin > timeline.to)
			continue;
		const x = Math.max(timeline.xOf(begin), left);
		const right = Math.max(Math.min(timeline.xOf(end), width), x + 2);
		brush.fillStyle = theme.lost;
		brush.fillRect(x, y, right - x, height);
		brush.strokeStyle = theme.bad;
		brush.lineWidth = 1;
		brush.globalAlpha = 0.5;
		brush.beginPath();
		for (let at = x - x % 8; at + height < right; at += 8) {
			brush.moveTo(Math.max(at, x), y + height - Math.max(x - at, 0));
			brush.lineTo(at + height, y);
		}
		brush.stroke();
		brush.globalAlpha = 1;
		brush.fillStyle = theme.fore;
		if (right - x > 80)
			brush.fillText('events lost', x + 6, y + height - 6);
	}
}
