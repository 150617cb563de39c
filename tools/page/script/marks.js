/* SPDX-License-Identifier: MIT */
/* What programs say of themselves at one time, as lines through all lanes. */

/* Of more in the window each is a tick on the ruler alone. */
const MOST_LINES = 100;

class Marks {
	constructor(data) {
		const is = new Uint8Array(data.names.length), slices = [];
		for (const name of data.header.marks)
			is[name] = 1;
		for (let i = 0; i < data.nr; i++)
			if (is[data.name[i]] && data.took[i] < 0)
				slices.push(i);
		/* Those of one thread are sorted: of millions to sort takes long. */
		if (slices.some((i, at) => at > 0 && data.begin[slices[at - 1]] > data.begin[i]))
			slices.sort((a, b) => data.begin[a] - data.begin[b]);
		this.data = data;
		this.slices = slices;
		this.times = Float64Array.from(slices, i => data.begin[i]);
	}
	/* Of those in the window one for each point of the screen: [slice, x]. */
	places(timeline) {
		const {times, slices} = this, places = [];
		let at = lastAt(times, timeline.from - timeline.point / 1e3) + 1;
		while (at < slices.length && times[at] <= timeline.to) {
			const x = Math.floor(timeline.xOf(times[at]));
			places.push([slices[at], x]);
			at = max(at + 1, lastAt(times, timeline.timeAt(x + 1) -
				timeline.point / 1e3) + 1);
		}
		return places;
	}
	draw(timeline) {
		const {brush, theme, seen, width} = timeline, {data} = this;
		const places = this.places(timeline);
		const areLines = places.length <= MOST_LINES;
		brush.fillStyle = theme.link;
		brush.globalAlpha = 0.7;
		for (const [, x] of places)
			brush.fillRect(x, HEAD - 4, 1, areLines ? seen : 4);
		brush.globalAlpha = 1;
		if (!areLines)
			return;
		places.forEach(([i, x], at) => {
			const room = (at + 1 < places.length ? places[at + 1][1] : width) - x - 6;
			const text = fit(brush, `${data.names[data.name[i]]} ${wordsOf(data, i)}`.trim(),
					 room);
			if (text.length < 3)
				return;
			brush.fillStyle = theme.back;
			brush.fillRect(x + 1, seen - 15, brush.measureText(text).width + 5, 14);
			brush.fillStyle = theme.link;
			brush.fillText(text, x + 3, seen - 8);
		});
	}
	/* The one that stands at a label; -1: none. */
	pick(timeline, x, y) {
		if (y < timeline.seen - 15)
			return -1;
		const places = this.places(timeline);
		const at = places.findLastIndex(([, left]) => left <= x);
		return places.length > MOST_LINES || at < 0 ||
			x - places[at][1] > 6 + 6.4 * 30 ? -1 : places[at][0];
	}
}
