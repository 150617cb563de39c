/* SPDX-License-Identifier: MIT */
/*
 * node causes.js CHROMIUM PAGE EVENTS FOLDER PAGE2: asks a page of ptrace-report what
 * a thread waited for, and for the critical path; and another one who began a thread.
 * Prints as chromium.js does.
 */
'use strict';
const {drive, say} = require('./devtools.js');

const details = '[...document.querySelectorAll("#details p")].map(p => p.textContent)';
const wait = `(() => { const {data} = page;
	for (let i = 0; i < data.nr; i++)
		if (data.names[data.name[i]] === 'sync:lock' && data.took[i] > 5e7)
			return i;
	return -1; })()`;
/* Dark points of the line below a lane, in the middle of the window. */
const line = `(() => { const {timeline} = page, row = timeline.rows[0];
	const data = timeline.brush.getImageData(0, 0, timeline.canvas.width,
		timeline.canvas.height).data;
	const [red, green, blue] = [0, 1, 2].map(i => data[4 * (timeline.canvas.width *
		Math.round((row.y + row.height - GAP + 1) * timeline.ratio) +
		timeline.xOf(timeline.wall * 0.5) * timeline.ratio | 0) + i]);
	return red + green + blue < 300; })()`;

async function testWait(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	await browser.ask(`page.select(${wait})`);
	const lines = await browser.ask(details);
	say('what it waited for, and who ended that', lines.some(text =>
		/^waited for mutex &object \(victim-waits\), until victim-waits\[\d+\/\d+\] at \d/
			.test(text)), true);
	say('... and what that did meanwhile', lines.some(text =>
		/^meanwhile [\d.]+ms \(\d+%\)  victim-waits: time:usleep$/.test(text)), true);
	await browser.picture('wait-1280');
	await browser.click(...await browser.middle('#details button.cause'));
	say('a click goes to the other thread', await browser.ask(
		`(() => { const {data, timeline} = page, {process, tid} =
			trackOf(data, timeline.selected);
			return tid !== process.pid; })()`), true);
	say('... to what it did', await browser.ask(`(() => { const {data, timeline} = page,
		i = timeline.selected, {told} = timeline.causes.of(${wait});
		return [data.names[data.name[i]],
			Math.abs(data.begin[i] - told) <= 2000]; })()`),
	    ['sync:unlock', true]);
	await browser.key('Escape');
	await browser.ask(`page.select(${wait})`);
	await browser.ask(`[...document.querySelectorAll('#details button.cause')]
		.find(each => each.textContent.includes('time:usleep')).click()`);
	say('a click goes to that, too', await browser.ask(
		'page.data.names[page.data.name[page.timeline.selected]]'), 'time:usleep');
	await browser.key('Escape');
}

/* The table says what was done meanwhile, too; what leads on is the object. */
async function testTable(browser) {
	const cell = nr => `[...document.querySelectorAll('#rows tbody tr')]
		.map(row => row.children[row.children.length - ${nr}].textContent)`;
	await browser.ask(`page.choose('tables');
		page.tables.choose(page.tables.tables.find(({name}) => name === 'waits'))`);
	await browser.picture('waits-1280');
	const [texts, objects] = [await browser.ask(cell(1)), await browser.ask(cell(2))];
	const at = objects.findIndex(text => text.startsWith('mutex &object'));
	say('the table of waits has what was done meanwhile',
	    /^[\d.]+ms \(\d+%\)  victim-waits: time:usleep/.test(texts[at]), true);
	await browser.ask(`[...document.querySelectorAll('#rows td.link')]
		.find(each => each.textContent.startsWith('mutex &object')).click()`);
	say('... and leads to the waits', await browser.ask(`[page.tab,
		page.data.names[page.data.name[page.timeline.selected]]]`), ['timeline', 'sync:lock']);
	await browser.key('Escape');
	await browser.ask('page.searchFor("")');
}

async function testPath(browser) {
	const shown = 'page.timeline.causes.isShown';
	say('no path at first', [await browser.ask(shown), await browser.ask(line)],
	    [false, false]);
	await browser.key('c');
	await browser.ask('new Promise(done => requestAnimationFrame(() => done(0)))');
	await browser.picture('critical-1280');
	say('c shows it', await browser.ask(shown), true);
	say('... all the time somewhere', await browser.ask(`(() => {
		let sum = 0;
		for (const links of page.timeline.causes.critical.values())
			for (const [begin, end] of links)
				sum += end - begin;
		const [{begin, end}] = page.data.processes.values();
		return Math.abs(sum - (end - begin)) < 0.1 * (end - begin); })()`), true);
	await browser.ask(`(() => { const {causes, rows, wall} = page.timeline;
		causes.kept = causes.critical;
		causes.critical = new Map([[rows[0].track, Array.from({length: 5000},
			(_, i) => [wall * 0.1 + i, wall * 0.1 + i + 1])]]); })()`);
	await browser.ask('page.timeline.draw()');
	say('many short parts are no longer together', await browser.ask(line), false);
	await browser.ask('page.timeline.causes.critical = page.timeline.causes.kept');
	await browser.key('c');
	say('and away', await browser.ask(shown), false);
}

/* Of a part of the time, to an event that is clicked on. */
async function testPart(browser) {
	const path = 'page.range.path.map(({track}) => track.tid === track.process.pid)';
	const own = name => `(page.range.table.rows.find(row => row.name === '${name}') || {}).self`;
	await browser.ask(`page.select(${wait}); page.range.set(page.data.begin[${wait}],
		page.data.end[${wait}] + 1); page.rangeChanged()`);
	const [all, lock] = [await browser.ask(own('time:usleep')), await browser.ask(own('sync:lock'))];
	say('a selection has all', [all > 5e7, lock > 5e7], [true, true]);
	await browser.click(...await browser.middle('#range-path'));
	await browser.picture('part-1280');
	say('its path is through the other thread', (await browser.ask(path)).includes(false), true);
	say('... where the time went', [await browser.ask(own('time:usleep')) > all * 0.99,
		(await browser.ask(own('sync:lock')) || 0) < lock / 10], [true, true]);
	say('... each moment once', await browser.ask(`(() => { const {range} = page;
		const sum = range.path.reduce((at, {begin, end}) => at + end - begin, 0);
		return Math.abs(sum - (range.to - range.from)) <= 2000; })()`), true);
	await browser.ask('new Promise(done => setTimeout(done, 300))');
	const {length} = await browser.ask(path);
	await browser.show(1280, 800, false, await browser.ask('location.hash'));
	say('a reload keeps it', (await browser.ask(path)).length, length);
}

/* A thread that another one than the first has begun. */
const begun = `(() => { const {data, timeline} = page;
	for (let i = 0; i < data.nr; i++) {
		const by = timeline.causes.creatorOf(i);
		if (by && by !== by.process.first)
			return i;
	}
	return -1; })()`;

async function testCreator(browser) {
	say('another page', await browser.show(1280, 800, false, '', process.argv[6]), 'yes');
	const i = await browser.ask(begun);
	say('a thread says who has begun it', i >= 0, true);
	say('its bar says in which function', /^in post_at_once\b/.test(
		await browser.ask(`wordsOf(page.data, ${i})`)), true);
	await browser.ask(`page.select(${i})`);
	say('... in words', (await browser.ask(details)).some(text =>
		/^begun by victim-waits\[\d+\/\d+\] ?(\(\w+\))?: time:usleep/.test(text)), true);
	await browser.picture('creator-1280');
	await browser.click(...await browser.middle('#details button.cause'));
	say('a click goes to that thread', await browser.ask(
		`page.timeline.causes.creatorOf(${i}) === trackOf(page.data, page.timeline.selected)`), true);
	say('... to what it did', await browser.ask(
		'page.data.names[page.data.name[page.timeline.selected]]'), 'time:usleep');
}

drive(async browser => {
	await testWait(browser);
	await testTable(browser);
	await testPath(browser);
	await testPart(browser);
}, testCreator);
