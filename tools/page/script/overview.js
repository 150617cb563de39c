/* SPDX-License-Identifier: MIT */
/* The overview: the whole trace in a strip, and which part of it is shown; and
 * memory, gauges and counters of processes as curves. */

const OVERVIEW = 30, COUNTER = 26;

/* How many events began in each share of the time. */
function densityOf(data, nr) {
	const density = new Float64Array(nr), {begin, count} = data;
	const share = nr / max(data.wall, 1);
	for (let i = 0; i < data.nr; i++)
		density[Math.min(nr - 1, floor(begin[i] * share))] += count[i];
	return density;
}

class Overview {
	constructor(data) {
		this.density = densityOf(data, 400);
		this.most = Math.log1p(this.density.reduce((a, b) => max(a, b), 0));
	}
	/* Heights are logarithms: one event can be seen beside a million. */
	draw({brush, theme, left, width, from, to, wall}) {
		const {density, most} = this, size = (width - left) / density.length;
		brush.fillStyle = theme.row;
		brush.fillRect(0, 0, width, OVERVIEW);
		brush.fillStyle = theme.soft;
		brush.fillText('events', 4, OVERVIEW / 2);
		brush.fillStyle = theme.busy;
		density.forEach((nr, i) => {
			const height = nr > 0 ? 2 + Math.log1p(nr) / most *
				(OVERVIEW - 6) : 0;
			brush.fillRect(left + i * size, OVERVIEW - 1 - height,
				       max(size - 0.2, 0.5), height);
		});
		const x = left + from / wall * (width - left);
		const right = left + to / wall * (width - left);
		brush.fillStyle = theme.back;
		brush.globalAlpha = 0.6;
		brush.fillRect(left, 0, x - left, OVERVIEW);
		brush.fillRect(right, 0, width - right, OVERVIEW);
		brush.globalAlpha = 1;
		brush.strokeStyle = theme.link;
		brush.lineWidth = 1;
		brush.strokeRect(x + 0.5, 0.5, max(2, right - x - 1), OVERVIEW - 1);
	}
}

/*
 * Of each process what is drawn below its tracks: its memory, and the gauges
 * and counters that it records.  Those of one name have one scale.
 */
function readMeters(data) {
	const scales = new Map();
	const add = (number, kind, name, begin, width, points) => {
		const process = data.processes.get(number), key = kind + name;
		if (!process)
			return;
		const scale = scales.get(key) || {least: 0, most: 0};
		scales.set(key, scale);
		scale.least = points.reduce((a, b) => Math.min(a, b), scale.least);
		scale.most = points.reduce((a, b) => max(a, b), scale.most);
		process.meters = process.meters || new Map();
		if (!process.meters.has(key))
			process.meters.set(key, {kind, name, scale, curves: []});
		process.meters.get(key).curves.push({begin, width, points,
			peak: points.reduce((a, b) => max(a, b), points[0]),
			sum: points.reduce((a, b) => a + b, 0)});
	};
	for (const [number, begin, width, points] of data.header.memory)
		add(number, 'memory', 'memory', begin, width, points);
	for (const [number, kind, name, begin, width, points] of data.header.values)
		add(number, kind, name, begin, width, points);
}

/* What it amounts to: what stands in the lane. */
function meterTitle({kind, name}, {peak, sum}) {
	return kind === 'memory' ? `memory, at most ${bytes(peak)}`
		: kind === 'gauge' ? `${name}, at most ${real(peak)}`
			: `${name}, ${real(sum)} in all`;
}

function drawMeter(timeline, meter, y) {
	const {brush, theme, left, width} = timeline, {least, most} = meter.scale;
	const level = value => y + COUNTER - 2 -
		(value - least) / (most - least || 1) * (COUNTER - 4);
	const xOf = time => Math.round(Math.min(width,
		max(left, timeline.xOf(time))));
	for (const curve of meter.curves) {
		const {begin, width: step, points} = curve;
		let best = 0;
		brush.fillStyle = meter.kind === 'memory' ? theme.memory : theme.meter;
		/* What falls on one point of the screen is drawn as the largest. */
		points.forEach((value, i) => {
			const x = xOf(begin + i * step), right = xOf(begin + (i + 1) * step);
			best = Math.abs(value) > Math.abs(best) ? value : best;
			if (right <= x)
				return;
			const top = Math.min(level(best), level(0));
			if (best !== 0 || meter.kind === 'gauge')
				brush.fillRect(x, Math.min(top, level(least) - 1), right - x,
					       max(Math.abs(level(best) - level(0)), 1));
			best = 0;
		});
		const x = max(left, timeline.xOf(begin)) + 3;
		const end = Math.min(width,
				     timeline.xOf(begin + points.length * step));
		brush.fillStyle = theme.fore;
		if (end - x > 80)
			brush.fillText(fit(brush, meterTitle(meter, curve), end - x), x,
				       y + COUNTER - 10);
	}
}

/* What it was at a time; '': not known. */
function tellMeter({kind, name, curves}, time) {
	for (const {begin, width, points, peak, sum} of curves) {
		const at = floor((time - begin) / width), value = points[at];
		if (at < 0 || at >= points.length)
			continue;
		const when = `${formats.time(begin + at * width)}s`;
		return kind === 'memory' ? `memory: ${bytes(value)} live at ${when}, ` +
				`at most ${bytes(peak)}`
			: kind === 'gauge' ? `${name}: ${real(value)} at ${when}, ` +
				`at most ${real(peak)}`
				: `${name}: ${real(value)} within ${duration(width)} from ` +
				`${when} on, ${real(sum)} in all`;
	}
	return '';
}
