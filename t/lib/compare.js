/* SPDX-License-Identifier: MIT */
/*
 * node compare.js CHROMIUM PAGE EVENTS FOLDER: a page of ptrace-report of one log, with
 * what another one has more or less.  Prints as chromium.js does.
 */
'use strict';
const {drive, say} = require('./devtools.js');

const find = name => `(() => { const work = [page.flame.root];
	while (work.length > 0) {
		const node = work.pop();
		if (node.name === ${JSON.stringify(name)})
			return node;
		work.push(...node.children);
	} })()`;

const hue = name => `Number(/hsl\\((\\d+)/.exec(changeColor(${find(name)}, false))[1])`;

async function testCompare(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	await browser.click(...await browser.middle('#tab-flame'));
	await browser.click(...await browser.middle('#compare'));
	say('both logs in one flame graph', await browser.ask(`(() => {
		const {root, tree, other} = page.flame;
		return [root.was === tree.total, root.now === flameTree(other.flames[0].boxes).total,
			root.total === root.was + root.now]; })()`), [true, true, true]);
	say('a box is itself and what it calls', await browser.ask(`(() => {
		const isSum = node => node.total === node.self + node.children.reduce(
			(all, child) => all + child.total, 0) && node.children.every(isSum);
		return isSum(page.flame.root); })()`), true);
	say('what is more is red', [await browser.ask(hue('time:nanosleep')),
		await browser.ask(`${find('time:nanosleep')}.now > ${find('time:nanosleep')}.was`)],
	    [5, true]);
	say('what is gone is green', [await browser.ask(hue('cat')),
		await browser.ask(find('cat') + '.now')], [130, 0]);
	say('the name of the other one is text', await browser.ask(`[document.querySelector('img'),
		document.getElementById('flame-title').textContent.includes('<img src=x>')]`),
	    [null, true]);
	await browser.picture('compare-1280');
	await browser.ask('new Promise(done => setTimeout(done, 300))');
	await browser.show(1280, 800, true, await browser.ask('location.hash'));
	say('a reload keeps it', await browser.ask('page.flame.isCompared'), true);
	await browser.picture('compare-dark-1280');
	await browser.click(...await browser.middle('#compare'));
	say('and it ends', await browser.ask('page.flame.root === page.flame.tree'), true);
}

const runs = 'page.timeline.rows.filter(row => row.track.process)' +
	'.map(row => row.track.process)';

/* Both logs have one axis, and their processes are in pairs. */
async function testLanes(browser) {
	await browser.show(1280, 800, false, '#tab=timeline');
	say('both begin at once', await browser.ask(`[...page.data.processes.values()]
		.filter(({parent}) => parent === null).map(({run, begin}) =>
		[run, begin < page.data.wall / 4])`), [['A', true], ['B', true]]);
	say('as long as the longer one', await browser.ask(`page.data.wall ===
		Math.max(page.data.header.wall, page.data.header.other.wall)`), true);
	const both = `[...page.data.processes.values()].map(({run, program, pair}) =>
		run + program + (pair ? pair.run + pair.program : '')).sort()`;
	say('who is whom', await browser.ask(both),
	    ['Acat', 'AshBsh', 'AsleepBsleep', 'BshAsh', 'BsleepAsleep']);
	say('one below the other', (await browser.ask(`${runs}.map(({run, program}) =>
		run + program)`)).slice(0, 2), ['Ash', 'Bsh']);
	await browser.picture('pairs-1280');
	say('what one took, and its pair', await browser.ask(`(() => {
		const {process} = page.timeline.rows.find(({track}) =>
			track.process.program === 'sleep' && track.process.run === 'A').track;
		page.select(process.images.at(-1).slice);
		return /^the same process: B sleep\\[\\d+\\], \\+\\d+ms than [\\d.]+ms: sleep$/
			.test([...document.querySelectorAll('#details button.cause')]
			.map(each => each.textContent).find(text => /same/.test(text))); })()`), true);
	await browser.ask(`document.querySelector('#details button.cause').click()`);
	say('a click goes there', await browser.ask(
		'trackOf(page.data, page.timeline.selected).process.run'), 'B');
}

async function testTables(browser) {
	await browser.ask('page.searchFor(\'run == "A" && name == "cat"\')');
	say('one log alone is searched', await browser.ask('page.found.hits.length'), 1);
	await browser.ask('page.searchFor("")');
	await browser.click(...await browser.middle('#tab-tables'));
	const row = await browser.ask(`(() => { const {rows} = page.tables.shown;
		const {a, b, diff} = rows.find(each => each.process.startsWith('sleep'));
		return [page.tables.shown.name, rows.length, diff === b - a,
			b > 2e8 && a < 1e8]; })()`);
	say('what each took', row, ['pairs', 3, true, true]);
	await browser.picture('pairs-table-1280');
	const times = 'page.tables.tables.find(({name}) => name === "io" || name === "programs")' +
		'.rows.map(({program}) => program).sort()';
	say('tables are of A', await browser.ask(times), ['cat', 'sh', 'sleep']);
	await browser.click(...await browser.middle('#log-B'));
	say('or of B', await browser.ask(times), ['sh', 'sleep']);
	await browser.ask('new Promise(done => setTimeout(done, 300))');
	await browser.show(1280, 800, false, await browser.ask('location.hash'));
	say('a reload keeps that', await browser.ask('page.tables.run'), 'B');
}

async function testRange(browser) {
	await browser.show(1280, 800, false, '#tab=timeline');
	await browser.ask('page.range.set(0, page.data.wall); page.rangeChanged()');
	const own = `(() => { const {a, b, diff, calls, calls_b} = page.range.table.rows
		.find(({name}) => name === 'time:nanosleep');
		return [b > 2e8, a < 1e8, diff === b - a, calls, calls_b]; })()`;
	say('a selection of both', await browser.ask(own), [true, true, true, 1, 1]);
	await browser.click(...await browser.middle('#tab-flame'));
	await browser.click(...await browser.middle('#compare'));
	say('its flame graph compares', await browser.ask(`(() => { const {root} = page.flame;
		return [root.was > 0, root.now > 0, root.total === root.was + root.now]; })()`),
	    [true, true, true]);
}

drive(testCompare, testLanes, testTables, testRange);
