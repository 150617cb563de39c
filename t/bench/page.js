/* SPDX-License-Identifier: MIT */
/*
 * node page.js BROWSER PAGE 0 FOLDER: how soon a page of ptrace-report is ready, and
 * how long it takes to draw 200 windows, of anything from the whole time to a ten
 * thousandth of it, the same ones each time.
 */
'use strict';
const {drive} = require('../lib/devtools.js');

const [, , program] = process.argv;

const draws = `(() => { const {timeline} = page, {wall} = timeline, times = [];
	let seed = 1;
	const random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
	for (let i = 0; i < 200; i++) {
		const span = wall * Math.pow(10, -4 * random());
		timeline.from = random() * (wall - span);
		timeline.to = timeline.from + span;
		const begin = performance.now();
		timeline.draw();
		/* Drawing is over when what was drawn can be read. */
		timeline.brush.getImageData(0, 0, 1, 1);
		times.push(performance.now() - begin);
	}
	times.sort((a, b) => a - b);
	return [times[100], times[190], times[199]]; })()`;

const mib = bytes => (bytes / 1048576).toFixed(0) + ' MiB';

drive(async browser => {
	const begin = Date.now();
	await browser.show(1280, 800, false);
	const ready = Date.now() - begin;
	const [bars, events, quantum] = await browser.ask(`[page.data.nr,
		page.data.header.events, page.data.header.quantum]`);
	const [median, p95, most] = (await browser.ask(draws)).map(ms => ms.toFixed(1));
	const heap = await browser.ask('performance.memory ? performance.memory.usedJSHeapSize : 0');
	console.log(`${program}: ${events} events, ${bars} bars, quantum ${quantum} ns; ready ` +
		`${ready} ms; drawing median ${median}, p95 ${p95}, max ${most} ms` +
		(heap > 0 ? `; heap ${mib(heap)}` : ''));
});
