/* SPDX-License-Identifier: MIT */
/*
 * node work.js CHROMIUM PAGE EVENTS FOLDER: works in a page of ptrace-report as a
 * person does: selects a range of time, keeps an event, searches, sees what
 * failed.  Prints as chromium.js does.
 */
'use strict';
const {longest, another} = require('./bars.js');
const {drive, say} = require('./devtools.js');

const text = id => `document.getElementById("${id}").textContent`;
const hidden = id => `document.getElementById("${id}").hidden`;

/* What the panel has to say, counted by hand. */
const counted = `(() => { const {data, range} = page;
	let events = 0, failed = 0;
	for (const track of data.tracks)
		for (let i = track.from; track.process && i < track.to; i++)
			if (data.begin[i] >= range.from && data.begin[i] < range.to) {
				events += data.count[i];
				failed += data.flags[i] & 1;
			}
	return [events, failed]; })()`;

/* The rows of its table as they are shown, and counted by hand: events that begin
 * in the range, by name. */
const shownRows = `[...document.querySelectorAll("#range-rows tbody tr")].map(row =>
	[row.lastChild.textContent, Number(row.firstChild.textContent)]).sort()`;
const rowsByHand = `(() => { const {data, range} = page, rows = new Map();
	for (const track of data.tracks)
		for (let i = track.from; track.process && i < track.to; i++) {
			const name = data.names[data.name[i]];
			if (data.end[i] >= range.from && data.begin[i] < range.to)
				rows.set(name, (rows.get(name) || 0) +
					 (data.begin[i] >= range.from));
		}
	return [...rows].sort(); })()`;

async function testFailed(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	say('it says how many processes failed',
	    / 2 processes failed /.test(await browser.ask(text('summary'))), true);
	const failed = '[...page.timeline.isBad].map(i => page.data.names[page.data.name[i]])';
	say('their bars are red', (await browser.ask(failed)).sort(), ['cat', 'sh']);
	const colors = `page.data.names.map(name => colorOf(name, false)).filter(color =>
		!(Number(/hsl\\((\\d+)/.exec(color)[1]) > 25 &&
		  Number(/hsl\\((\\d+)/.exec(color)[1]) < 345))`;
	say('nothing else is', await browser.ask(colors), []);
	await browser.click(...await browser.middle('#tab-tables'));
	await browser.click(...await browser.middle('[data-table=failed]'));
	say('and they have a table', await browser.ask(`[...document.querySelectorAll(
		'#rows td.bad')].map(cell => cell.textContent)`), ['1', 'SIGKILL']);
	await browser.click(...await browser.middle('#tab-timeline'));
	await browser.key('?');
	say('colours have a legend', /failed.*lost/.test(
		await browser.ask(text('legend'))), true);
	await browser.picture('help-1280');
	await browser.key('Escape');
}

async function testMeasures(browser) {
	await browser.click(...await browser.middle('#tab-flame'));
	const stacks = `page.data.stack.reduce((nr, stack, i) =>
		nr + (stack > 0 && trackOf(page.data, i).process ?
			page.data.count[i] : 0), 0)`;
	const root = 'page.flame.root.total';
	say('the flame graph has time and more', await browser.ask(
		'page.flame.flames.map(flame => flame.kind)'), ['duration', 'count', 'bytes', 'bytes', 'bytes']);
	say('first is time', await browser.ask(root), await browser.ask(
		`page.data.stack.reduce((all, stack, i) => all + (stack > 0 ?
			max(page.data.took[i], 0) : 0), 0)`));
	await browser.click(...await browser.middle('[data-measure="1"]'));
	say('then how often', await browser.ask(root), await browser.ask(stacks));
	const ofHeaps = column => `page.data.header.views.find(view =>
		view.view === 'memory').heaps.reduce((all, heap) => all + heap.${column}, 0)`;
	for (const [i, column] of [[3, 'peak'], [4, 'leaked']]) {
		await browser.click(...await browser.middle(`[data-measure="${i}"]`));
		say('bytes: ' + column, await browser.ask(root),
		    await browser.ask(ofHeaps(column)));
	}
	await browser.click(...await browser.middle('[data-measure="0"]'));
	await browser.click(...await browser.middle('#tab-timeline'));
}

/* A row of a thread that did something in the range. */
const busy = `page.timeline.rows.find(({track, isSummary}) => track.process && !isSummary &&
	track.lanes.some(({from, to}) => page.data.begin.subarray(from, to).some(at =>
		at >= page.range.from && at < page.range.to)))`;

async function testRange(browser) {
	await browser.drag(300, 200, 1000, 260);
	const [from, to] = await browser.ask('[page.range.from, page.range.to]');
	say('dragging selects a range', to > from, true);
	say('and moves nothing', await browser.ask(
		'[page.timeline.from, page.timeline.to - page.timeline.wall]'), [0, 0]);
	const [events, failed] = await browser.ask(counted);
	const title = (await browser.ask(text('range-title'))).replace(/\u202f/g, '');
	say('a panel has its counts', title.includes(` ${events} events`) &&
	    (failed === 0 || title.includes(` ${failed} failed`)), true);
	const rows = await browser.ask(shownRows);
	say('with a row for each name, and its calls', rows,
	    await browser.ask(rowsByHand));
	say('which are several', rows.length > 3, true);
	await browser.picture('range-1280');
	await browser.click(...await browser.middle('#range-flame'));
	say('the flame graph is of the selection', await browser.ask(`(() => {
		const {flame, range} = page, {tree} = range.sums;
		return [flame.root === tree, tree.total > 0, /selection/.test(
			document.getElementById('flame-title').textContent)]; })()`),
	    [true, true, true]);
	await browser.picture('range-flame-1280');
	say('a box is itself and what it calls', await browser.ask(`(() => {
		const isSum = node => node.total === node.self + node.children.reduce(
			(all, child) => all + child.total, 0) && node.children.every(isSum);
		return isSum(page.flame.root); })()`), true);
	say('a table row is what its boxes are', await browser.ask(`(() => {
		const self = new Map(), {rows, tree} = page.range.sums;
		const add = node => {
			self.set(node.name, (self.get(node.name) || 0) + node.self);
			node.children.forEach(add);
		};
		add(tree);
		return [...rows.values()].filter(row => row.self !== null &&
			Math.abs(row.self - self.get(row.name)) > 1).map(row => row.name);
		})()`), []);
	await browser.click(...await browser.middle('#tab-timeline'));
	await browser.ask('new Promise(done => setTimeout(done, 300))');
	const hash = await browser.ask('location.hash');
	await browser.show(1280, 800, true, hash);
	say('a reload keeps it', await browser.ask(
		'[page.range.from, page.range.to]'), [from, to].map(Math.round));
	await browser.picture('range-dark-1280');
	await browser.key('z', 'KeyZ');
	say('z zooms to it', await browser.ask(
		'[page.timeline.from, page.timeline.to]'), [from, to].map(Math.round));
	await browser.key('f', 'KeyF');
	const label = await browser.ask(`(() => { const {timeline} = page;
		const box = timeline.canvas.getBoundingClientRect();
		return [box.x + 40, box.y + ${busy}.y + 5]; })()`);
	const left = {button: 'left', clickCount: 1, modifiers: 8};
	await browser.mouse('mousePressed', ...label, left);
	await browser.mouse('mouseReleased', ...label, left);
	await browser.drawn();
	say('Shift-click selects a thread', await browser.ask(
		'[page.range.tracks.has(' + busy + '.track), page.range.sums.threads]'),
	    [true, 1]);
	await browser.key('Escape');
	say('Esc clears it', await browser.ask(`[page.range.isThere, ${hidden('range')}]`),
	    [false, true]);
}

async function testPin(browser) {
	const [i, x, y] = await browser.ask(longest('data.stack[j] > 0'));
	await browser.drawn();
	await browser.click(x, y);
	say('a click keeps an event', await browser.ask('page.timeline.selected'), i);
	const told = await browser.ask(text('details'));
	const [other, ...there] = await browser.ask(another(i));
	await browser.mouse('mouseMoved', ...there);
	await browser.drawn();
	say('pointing at another does not take it away', [other >= 0,
		await browser.ask(text('details'))], [true, told]);
	await browser.click(...await browser.middle('#details button.stack'));
	say('a frame of its stack finds its events', await browser.ask(
		'[page.found.isExpression, page.found.hits.includes(page.timeline.selected)]'),
	    [true, true]);
	await browser.ask('document.getElementById("canvas").focus()');
	await browser.key('Escape');
	/* What was found takes room: what is in view changes then. */
	await browser.key('f', 'KeyF');
	let now = told;
	for (let nr = 0; nr < 100 && now === told; nr++) {
		const [, ...then] = await browser.ask(another(i));
		await browser.mouse('mouseMoved', 1, 1);
		await browser.mouse('mouseMoved', ...then);
		await browser.drawn();
		now = await browser.ask(text('details'));
	}
	say('Esc does: then pointing tells again', [
		await browser.ask('page.timeline.selected'), now !== told],
	    [-1, true]);
}

async function find(browser, words) {
	await browser.ask(`document.getElementById("query").value = "";
		document.getElementById("query").focus()`);
	await browser.type(words);
	await browser.key('Enter');
	return browser.ask('page.found.hits.length');
}

async function testSearch(browser) {
	const {names} = {names: 'page.data.names[page.data.name[i]]'};
	const hits = test => browser.ask(`(() => { const {data} = page;
		return [...data.name.keys()].filter(i => ${test}).length; })()`);
	say('an expression finds', await find(browser, 'dur >= 1us && name ~ "file:*"'),
	    await hits(`data.took[i] >= 1000 && ${names}.startsWith("file:")`));
	say('by whether it failed', await find(browser, 'failed && !(name ~ process:*)'),
	    await hits(`(data.flags[i] & 1 || page.timeline.isBad.has(i)) &&
		!${names}.startsWith("process:")`));
	say('by an argument', await find(browser, 'path == "/none"') > 0, true);
	say('by its program', await find(browser, 'program == cat || pid == 0'),
	    await hits(`trackOf(data, i).process &&
		programAt(data, trackOf(data, i).process, data.begin[i]) === "cat"`));
	say('what is none is told of', [await find(browser, 'dur > && x'),
		/no expression/.test(await browser.ask(text('results-title')))], [0, true]);
	await find(browser, 'name ~ "io:*"');
	const list = '#results-rows button';
	say('what is found is a list', await browser.ask(
		`document.querySelectorAll("${list}").length === page.found.hits.length`),
	    true);
	say('in order of time', await browser.ask(`[...page.found.hits].every((hit, i, all) =>
		i === 0 || page.data.begin[all[i - 1]] <= page.data.begin[hit])`), true);
	await browser.picture('results-1280');
	await browser.click(...await browser.middle(list + '[data-hit="2"]'));
	say('a click goes there', await browser.ask(
		'[page.at, page.timeline.selected === page.found.hits[2]]'), [2, true]);
	await browser.ask('document.getElementById("canvas").focus()');
	await browser.key('n', 'KeyN');
	say('n to the next', await browser.ask(`[page.at, document.querySelector(
		"${list}[aria-current=true]").dataset.hit]`), [3, '3']);
	await browser.click(...await browser.middle('#tab-flame'));
	await find(browser, 'io:');
	say('Enter stays in the view', await browser.ask('page.tab'), 'flame');
}

async function testAddress(browser) {
	await browser.ask(`location.hash = '#tab=tables&table=failed&query=cat';
		new Promise(done => setTimeout(done, 300))`);
	say('an address that is changed by hand is followed', await browser.ask(
		'[page.tab, page.tables.shown.name, page.found.words]'),
	    ['tables', 'failed', 'cat']);
	await browser.click(...await browser.middle('[data-table=events]'));
	await browser.ask('new Promise(done => setTimeout(done, 300))');
	say('the table is in it', /table=events/.test(
		await browser.ask('location.hash')), true);
	await browser.ask(`location.hash = '#tab=timeline';
		new Promise(done => setTimeout(done, 300))`);
	say('and so is what is not', await browser.ask(
		'[page.tab, page.found, page.timeline.selected]'), ['timeline', null, -1]);
}

async function testPhone(browser) {
	await browser.show(390, 844, false, '#tab=timeline&from=0&to=1e9&query=io%3A&range=0-1000000');
	say('on a phone all of it fits', await browser.ask('document.documentElement' +
		'.scrollWidth > document.documentElement.clientWidth'), false);
	await browser.picture('range-390');
}

drive(testFailed, testMeasures, testRange, testPin, testSearch, testAddress, testPhone);
