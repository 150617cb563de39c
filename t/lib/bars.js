/* SPDX-License-Identifier: MIT */
/*
 * Expressions for a page of ptrace-report that say where on the screen events are
 * drawn: [event, x, y].
 */
'use strict';

/* The longest event for whose number j `is' holds; the page goes to it, and
 * selects none. */
const longest = (is = 'true') => `(() => { const {timeline, data} = page;
	let i = -1;
	for (let j = 0; j < data.nr; j++)
		if (data.count[j] === 1 && (${is}) &&
		    (i < 0 || data.took[j] > data.took[i]))
			i = j;
	timeline.goTo(i, true);
	timeline.selected = -1;
	const row = timeline.rows.find(r => r.track.from <= i && i < r.track.to);
	const lane = row.track.lanes.findIndex(l => l.from <= i && i < l.to);
	const box = timeline.canvas.getBoundingClientRect();
	return [i, box.x + timeline.xOf((data.begin[i] + data.end[i]) / 2),
		box.y + row.y + lane * 14 + 7 - timeline.box.scrollTop]; })()`;

/* An event that is in view, of another name than the ith. */
const another = i => `(() => { const {timeline, data} = page;
	const box = timeline.canvas.getBoundingClientRect();
	for (const row of timeline.rows)
		for (const [lane, {from, to}] of row.track.lanes.entries())
			for (let j = from; j < to; j++) {
				const left = timeline.xOf(data.begin[j]);
				const right = timeline.xOf(data.end[j]);
				const y = row.y + lane * 14 + 7 - timeline.box.scrollTop;
				if (data.name[j] !== data.name[${i}] && right - left > 4 &&
				    left > 0 && right < box.width && y > 0 &&
				    y < timeline.box.clientHeight)
					return [j, box.x + (left + right) / 2, box.y + y];
			}
	return [-1, 0, 0]; })()`;

module.exports = {longest, another};
