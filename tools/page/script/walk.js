/* SPDX-License-Identifier: MIT */
/* By key from event to event, and from box to box; and what is printed. */

/* The slices of a track in the order of their begins; outer ones first. */
function orderOf(data, track) {
	if (!track.order) {
		track.order = Uint32Array.from({length: track.to - track.from},
					       (_, i) => track.from + i);
		track.order.sort((a, b) => data.begin[a] - data.begin[b] || a - b);
	}
	return track.order;
}

/* The one of a track that began last before a time, or its first; -1: none. */
function sliceNear(data, track, time) {
	const order = orderOf(data, track);
	let low = 0, high = order.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (data.begin[order[middle]] <= time)
			low = middle + 1;
		else
			high = middle;
	}
	return order.length === 0 ? -1 : order[max(low - 1, 0)];
}

/* The last that was over before a time: what is going on then may have begun a
 * moment ago. */
function sliceBefore(data, track, time) {
	const order = orderOf(data, track), near = sliceNear(data, track, time);
	let at = order.indexOf(near);
	while (at > 0 && data.end[order[at]] > time)
		at--;
	return at < 0 ? near : order[at];
}

/* The event before or behind the selected one in its thread (byTime), or that of
 * another thread then (byRow). */
function stepFrom(timeline, byTime, byRow) {
	const {data, selected} = timeline;
	const rows = timeline.rows.filter(({isSummary, track}) =>
		!isSummary && track.to > track.from);
	if (selected < 0)
		return rows.length > 0 ? sliceNear(data, rows[0].track, timeline.from) : -1;
	const track = trackOf(data, selected), order = orderOf(data, track);
	if (byTime !== 0)
		return order[order.indexOf(selected) + byTime] ?? selected;
	const at = rows.findIndex(row => row.track === track);
	const to = rows[at + byRow];
	return to ? sliceNear(data, to.track, data.begin[selected]) : selected;
}

/* So high can a picture be that is printed. */
const PRINTED_MOST = 16000;

/* On paper all lanes are, and the background is white. */
class Printer {
	constructor(page) {
		this.page = page;
		addEventListener('beforeprint', () => this.begin());
		addEventListener('afterprint', () => this.end());
	}
	begin() {
		const {page} = this, {timeline} = page, {theme} = document.documentElement.dataset;
		this.theme = theme;
		this.scrollTop = timeline.box.scrollTop;
		document.documentElement.dataset.theme = 'light';
		page.paint();
		if (page.tab !== 'timeline')
			return;
		timeline.box.scrollTop = 0;
		timeline.resize(Math.min(timeline.rows.length > 0 ? timeline.height + 30 : 0,
					 PRINTED_MOST));
		timeline.draw();
	}
	end() {
		const {page} = this, {dataset} = document.documentElement;
		if (this.theme)
			dataset.theme = this.theme;
		else
			delete dataset.theme;
		page.paint();
		page.fit();
		page.timeline.box.scrollTop = this.scrollTop;
	}
}
