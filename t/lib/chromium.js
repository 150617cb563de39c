/* SPDX-License-Identifier: MIT */
/*
 * node chromium.js CHROMIUM PAGE EVENTS FOLDER: opens a page of ptrace-report in
 * a browser without a screen, and does what a user does.  Prints "pass NAME" or
 * "fail NAME" for each test, or "skip WHY" if the browser does not work here;
 * pictures of the page are put into the folder, where the browser is at home.
 */
'use strict';
const {longest} = require('./bars.js');
const {drive, say} = require('./devtools.js');

const [, , , , nrEvents] = process.argv;

const window = 'page.timeline.to - page.timeline.from';

/* How many colours the timeline has. */
const colors = `(() => { const canvas = document.getElementById('canvas');
	const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width,
		canvas.height);
	return new Set(new Uint32Array(data.buffer)).size; })()`;

async function testTimeline(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	say('all events are', await browser.ask(
		'page.data.count.reduce((a, b) => a + b, 0)'), Number(nrEvents));
	say('something is drawn', await browser.ask(colors) > 5, true);
	await browser.picture('timeline-1280');
	const whole = await browser.ask(window);
	await browser.mouse('mouseWheel', 700, 300,
		{deltaX: 0, deltaY: -400, modifiers: 2});
	await browser.drawn();
	const closer = await browser.ask(window);
	say('Ctrl and the wheel zoom', closer < whole, true);
	await browser.key('w', 'KeyW');
	say('w zooms', await browser.ask(window) < closer, true);
	const from = await browser.ask('page.timeline.from');
	await browser.drag(700, 300, 600, 300, 8);
	say('dragging with Shift moves', await browser.ask('page.timeline.from') > from, true);
	await browser.key('f', 'KeyF');
	say('f: the whole', await browser.ask(window), whole);
	const [i, x, y] = await browser.ask(longest());
	await browser.drawn();
	await browser.click(x, y);
	say('a click selects', await browser.ask('page.timeline.selected'), i);
	say('and tells', (await browser.ask(
		'document.getElementById("details").textContent')).includes(' at '), true);
	const [corner, top] = await browser.ask(`(() => {
		const box = page.timeline.canvas.getBoundingClientRect();
		return [box.x, box.y]; })()`);
	await browser.key('w', 'KeyW');
	await browser.click(corner + 1200, top + 10);
	say('a click into the overview moves', await browser.ask(
		'page.timeline.to > 0.9 * page.timeline.wall'), true);
	await browser.key('f', 'KeyF');
	say('tracks scroll under the head', await browser.ask(`(() => {
		const {box, canvas} = page.timeline, top = canvas.getBoundingClientRect().y;
		box.scrollTop = 1e6;
		const is = canvas.getBoundingClientRect().y === top;
		box.scrollTop = 0;
		return is; })()`), true);
}

async function testSearch(browser) {
	await browser.ask('document.getElementById("query").focus()');
	await browser.call('Input.insertText', {text: 'io:'});
	await browser.key('Enter');
	say('a search finds', await browser.ask('page.found.hits.length > 0'), true);
	say('and goes there', await browser.ask(
		'page.timeline.selected === page.found.hits[0]'), true);
	await browser.picture('search-1280');
	await browser.ask('new Promise(done => setTimeout(done, 300))');
	const hash = await browser.ask('location.hash');
	say('the address has it', /query=io%3A/.test(hash), true);
	await browser.show(1280, 800, true, hash);
	say('a reload keeps it', await browser.ask('page.found.words'), 'io:');
	say('dark, if that is preferred', await browser.ask('page.isDark'), true);
	await browser.picture('dark-1280');
}

async function testOthers(browser) {
	await browser.click(...await browser.middle('#tab-flame'));
	say('the flame graph', await browser.ask(
		'[document.getElementById("flame").hidden, page.flame.drawn.length > 0]'),
	    [false, true]);
	await browser.picture('flame-1280');
	await browser.click(...await browser.middle('#tab-tables'));
	await browser.click(...await browser.middle('[data-table=events]'));
	await browser.click(...await browser.middle('[data-key=event]'));
	say('a table is sorted', await browser.ask(`(() => {
		const names = [...document.querySelectorAll('tbody tr')].map(row =>
			row.lastElementChild.textContent);
		return names.length > 1 && names.join() === [...names].sort().join();
	})()`), true);
	await browser.picture('tables-1280');
}

const isTooWide =
	'document.documentElement.scrollWidth > document.documentElement.clientWidth';

async function testPhone(browser) {
	say('on a phone', await browser.show(390, 844, false), 'yes');
	say('it fits', await browser.ask(isTooWide), false);
	say('buttons are large enough', await browser.ask(
		`[...document.querySelectorAll('header button')].filter(button =>
			button.getBoundingClientRect().height < 40).length`), 0);
	await browser.picture('timeline-390');
	const [i, x, y] = await browser.ask(longest());
	await browser.drawn();
	await browser.call('Input.dispatchTouchEvent',
		{type: 'touchStart', touchPoints: [{x, y}]});
	await browser.call('Input.dispatchTouchEvent',
		{type: 'touchEnd', touchPoints: []});
	await browser.drawn();
	say('a tap selects', await browser.ask('page.timeline.selected'), i);
	const before = await browser.ask(window);
	await browser.call('Input.dispatchTouchEvent', {type: 'touchStart',
		touchPoints: [{x: 200, y: 400, id: 0}, {x: 240, y: 400, id: 1}]});
	await browser.call('Input.dispatchTouchEvent', {type: 'touchMove',
		touchPoints: [{x: 140, y: 400, id: 0}, {x: 300, y: 400, id: 1}]});
	await browser.call('Input.dispatchTouchEvent',
		{type: 'touchEnd', touchPoints: []});
	await browser.drawn();
	say('two fingers zoom', await browser.ask(window) < before, true);
	await browser.click(...await browser.middle('#tab-tables'));
	say('tables fit, too', await browser.ask(isTooWide), false);
	await browser.picture('tables-390');
	/* A search, a selection and an event at once. */
	const all = `#query=io%3A&range=0-${await browser.ask('Math.round(page.timeline.wall / 2)')}` +
		`&event=${i}`;
	await browser.show(390, 844, false, all);
	await browser.picture('all-390');
	say('all at once leave room for the timeline', await browser.ask(`(() => {
		const end = id => document.getElementById(id).getBoundingClientRect();
		return [end('timeline').height >= 170, end('range').height > 0,
			end('results').height > 0, end('details').top < innerHeight - 60]; })()`),
	    [true, true, true, true]);
	await browser.show(390, 844, false, '#query=nosuch');
	say('nothing found: no room is taken', await browser.ask(
		'[page.found.hits.length, document.getElementById("results").hidden]'), [0, true]);
}

drive(testTimeline, testSearch, testOthers, testPhone);
