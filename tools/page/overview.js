/* SPDX-License-Identifier: MIT */
/* The overview: the whole trace in a strip, and which part of it is shown; and
 * the memory of processes as curves. */

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

/* Of each process that has one: where its memory is drawn to what height. */
function readCurves(data) {
	let most = 1;
	for (const [number, begin, width, points] of data.header.memory) {
		const process = data.processes.get(number);
		if (!process)
			continue;
		process.curves = process.curves || [];
		process.curves.push({begin, width, points,
			peak: points.reduce((a, b) => max(a, b), 0)});
		most = max(most, process.curves.at(-1).peak);
	}
	data.mostMemory = most;
}

function drawCurves(timeline, curves, y) {
	const {brush, theme, left, width, data} = timeline;
	for (const {begin, width: step, points, peak} of curves) {
		brush.fillStyle = theme.memory;
		points.forEach((value, i) => {
			const [x, right] = [i, i + 1].map(at => Math.round(Math.min(width,
				max(left, timeline.xOf(begin + at * step)))));
			const height = value / data.mostMemory * (COUNTER - 4);
			if (right > x && height > 0)
				brush.fillRect(x, y + COUNTER - 2 - max(height, 1),
					       right - x, max(height, 1));
		});
		const x = max(left, timeline.xOf(begin)) + 3;
		const end = Math.min(width,
				     timeline.xOf(begin + points.length * step));
		const letters = floor((end - x) / 6.2);
		brush.fillStyle = theme.fore;
		if (letters > 12)
			brush.fillText(shorten(`memory, at most ${bytes(peak)}`, letters),
				       x, y + COUNTER - 10);
	}
}

/* What it was at a time; '': not known. */
function tellCurves(curves, time) {
	for (const {begin, width, points, peak} of curves) {
		const at = floor((time - begin) / width);
		if (at >= 0 && at < points.length)
			return `memory: ${bytes(points[at])} live at ` +
				`${formats.time(begin + at * width)}s, ` +
				`at most ${bytes(peak)}`;
	}
	return '';
}
