/* SPDX-License-Identifier: MIT */
/* Links between spans, as arrows: from the one that another goes on from. */

/* Of more in the window only those of the slice that is chosen. */
const MOST_ARROWS = 100;

class SpanLinks {
	constructor(data) {
		const tracks = new Map(data.tracks.filter(track => track.process)
			.map(track => [`${track.process.number}/${track.tid}`, track]));
		this.data = data;
		this.links = (data.header.spanLinks || [])
			.map(([process, tid, begin, by, byTid, came, kind]) => ({kind,
				to: {track: tracks.get(`${process}/${tid}`), begin},
				from: {track: tracks.get(`${by}/${byTid}`), begin: came}}))
			.filter(({from, to}) => from.track && to.track);
	}
	/* Those that begin or end at a slice. */
	of(i, timeline) {
		const track = i < 0 ? null : trackOf(this.data, i);
		return this.links.filter(({from, to}) => [from, to].some(end =>
			end.track === track && this.sliceOf(end, timeline) === i));
	}
	/* The slice of a span; -1: it is not shown as one of its own. */
	sliceOf({track, begin}, timeline) {
		const {data} = this;
		let best = -1;
		for (const lane of track.lanes)
			for (let i = timeline.lower(lane, begin - NEAR) - 1; i < lane.to &&
			     (i < lane.from || data.begin[i] <= begin + NEAR); i++)
				if (i >= lane.from && (best < 0 ||
				    Math.abs(data.begin[i] - begin) <
				    Math.abs(data.begin[best] - begin)))
					best = i;
		return best;
	}
	isSeen(timeline, {from, to}) {
		return Math.max(from.begin, to.begin) >= timeline.from &&
			Math.min(from.begin, to.begin) <= timeline.to;
	}
	/* The middle of the lane that a span is in; -1: its thread is not shown. */
	yOf(end, timeline) {
		const row = timeline.rowFor(end.track), i = this.sliceOf(end, timeline);
		const lane = end.track.lanes.findIndex(({from, to}) => i >= from && i < to);
		const most = timeline.lanesOf(end.track) - 1;
		return row ? row.y + Math.max(0, Math.min(lane, most)) * LANE + LANE / 2 : -1;
	}
	/* What follows comes from the end of the other one, if that has ended. */
	startOf({from, to, kind}, timeline) {
		const i = this.sliceOf(from, timeline);
		return kind === 'cause' || i < 0 ? from.begin :
			Math.min(this.data.end[i], to.begin);
	}
	draw(timeline, top) {
		const {brush, theme} = timeline;
		const seen = this.links.filter(link => this.isSeen(timeline, link));
		const chosen = this.of(timeline.selected, timeline);
		for (const link of seen.length > MOST_ARROWS ? chosen : seen) {
			const y = this.yOf(link.from, timeline), bottom = this.yOf(link.to, timeline);
			if (y < 0 || bottom < 0)
				continue;
			brush.strokeStyle = theme.fore;
			brush.lineWidth = chosen.includes(link) ? 2 : 1;
			this.drawOne(brush, timeline.xOf(this.startOf(link, timeline)), y - top,
				     timeline.xOf(link.to.begin), bottom - top,
				     link.kind === 'cause');
		}
		brush.setLineDash([]);
	}
	/* What follows only is dashed. */
	drawOne(brush, x, y, end, bottom, isCause) {
		brush.setLineDash(isCause ? [] : [4, 3]);
		brush.beginPath();
		brush.moveTo(x, y);
		brush.lineTo(end - 6, bottom);
		brush.lineTo(end, bottom);
		brush.moveTo(end - 4, bottom - 4);
		brush.lineTo(end, bottom);
		brush.lineTo(end - 4, bottom + 4);
		brush.stroke();
	}
}
