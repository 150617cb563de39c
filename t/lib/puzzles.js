/* SPDX-License-Identifier: MIT */
/*
 * node puzzles.js CHROMIUM PAGE EVENTS FOLDER NAME: a page of ptrace-report of a wait
 * puzzle: a pipe chain, a convoy, a lock that is held during a disk write.  Who clicks
 * on the longest wait of the main thread, or of the last program, is told the answer.
 * Prints as chromium.js does.
 */
'use strict';
const {drive, say} = require('./devtools.js');

const [, , , , , , name] = process.argv;

const puzzles = {
	/* sort waits for tr, and that for a sleep. */
	pipe: {wait: 'io:fread|io:read', program: 'sort', what: 'data from pipe',
		ended: 'tr', meanwhile: /sleep: time:nanosleep$/, leads: ['time:nanosleep']},
	/* The main thread for the last of those that wait for each other. */
	convoy: {wait: 'sync:wait', program: 'victim-waits', what: 'cond &condition',
		ended: 'victim-waits', meanwhile: /victim-waits: time:usleep$/,
		leads: ['time:usleep']},
	disk: {wait: 'sync:lock', program: 'victim-waits', what: 'mutex &object',
		ended: 'victim-waits', meanwhile: /victim-waits: io:(write|fsync)$/,
		leads: ['io:write', 'io:fsync']},
};
const puzzle = puzzles[name];

/* The longest of these, as one sees it: where its middle is in the window. */
const longest = `(() => { const {data, timeline} = page;
	let best = -1;
	for (let i = 0; i < data.nr; i++) {
		const {process, tid} = trackOf(data, i);
		if (process && tid === process.pid && process.program === '${puzzle.program}' &&
		    /^(${puzzle.wait})$/.test(data.names[data.name[i]]) &&
		    (best < 0 || data.took[i] > data.took[best]))
			best = i;
	}
	const row = timeline.rowFor(trackOf(data, best));
	const lane = trackOf(data, best).lanes.findIndex(({from, to}) => best >= from && best < to);
	const box = timeline.canvas.getBoundingClientRect();
	return [box.x + timeline.xOf((data.begin[best] + data.end[best]) / 2),
		box.y + row.y - timeline.box.scrollTop + lane * LANE + LANE / 2]; })()`;

async function testPuzzle(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	await browser.click(...await browser.ask(longest));
	await browser.picture(`puzzle-${name}-1280`);
	const lines = await browser.ask(
		'[...document.querySelectorAll("#details p")].map(p => p.textContent)');
	const waited = lines.find(text => text.startsWith('waited for ')) || '';
	say('one click says what was waited for', waited.startsWith('waited for ' + puzzle.what) &&
		waited, waited);
	say('... and who ended that', waited.includes(`, until ${puzzle.ended}[`), true);
	const meanwhile = lines.filter(text => text.startsWith('meanwhile '));
	say('... and what that one did', meanwhile.filter(text =>
		puzzle.meanwhile.test(text)).length > 0 || meanwhile, true);
	await browser.ask(`[...document.querySelectorAll('#details button.cause')]
		.find(each => ${puzzle.meanwhile}.test(each.textContent)).click()`);
	say('the next one leads there', puzzle.leads.includes(await browser.ask(
		'page.data.names[page.data.name[page.timeline.selected]]')), true);
}

drive(testPuzzle);
