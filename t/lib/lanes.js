/* SPDX-License-Identifier: MIT */
/*
 * node lanes.js CHROMIUM PAGE EVENTS FOLDER [many]: folds, sorts and hides the lanes
 * of a page of ptrace-report, and finds what programs say of themselves; or looks
 * through 10 000 processes.  Prints as chromium.js does.
 */
'use strict';
const {drive, say} = require('./devtools.js');

const rows = 'page.timeline.rows';
const soon = 'new Promise(done => setTimeout(done, 300))';
const programs = `${rows}.filter(row => row.node).map(row => row.node.title)`;

/* Where the label of the first row is for which `is' holds. */
const label = is => `(() => { const {timeline} = page;
	const row = timeline.rows.find(row => ${is});
	const box = timeline.canvas.getBoundingClientRect();
	return [box.x + 12, box.y + row.y + 7 - timeline.box.scrollTop]; })()`;

const isOf = name => `row.node && row.node.title === ${JSON.stringify(name)}`;

async function testFold(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	const all = await browser.ask(rows + '.length');
	say('a lane for each thread', all >= 8, true);
	const nr = await browser.ask('page.timeline.view.root.children[0].nr');
	await browser.click(...await browser.ask(label('row.depth === 0')));
	say('a click on its name folds a process', await browser.ask(
		`${rows}.filter(row => row.node).map(row => [row.isSummary, row.node.nr])`),
	    [[true, nr]]);
	const told = await browser.ask(`(() => { const {timeline} = page;
		return timeline.tellAt(timeline.xOf(timeline.wall * 0.9), timeline.rows[0].y + 3);
		})()`);
	say('its lane tells of all of them', [told.includes(` ${nr} processes`),
		/ at work at /.test(told), / 2 failed/.test(told)], [true, true, true]);
	say('as many as are at work', await browser.ask(`(() => {
		const {times, counts} = workOf(page.timeline.view.root.children[0]);
		const all = [...page.data.processes.values()];
		/* Between two edges: those that live, and none of whose children does. */
		return times.slice(0, -1).every((from, i) => {
			const at = (from + times[i + 1]) / 2;
			const lives = all.filter(p => p.begin <= at && at < p.end);
			return counts[i] === lives.filter(p => !lives.some(child =>
				child.parent === p.number)).length;
		}); })()`), true);
	await browser.picture('lanes-folded-1280');
	await browser.ask(soon);
	await browser.show(1280, 800, true, await browser.ask('location.hash'));
	say('a reload keeps it', await browser.ask(rows + '.filter(row => row.node).length'), 1);
	await browser.ask('page.searchFor("path == /none"); page.goToHit(1)');
	await browser.drawn();
	say('what is found is unfolded', await browser.ask(
		`page.timeline.rowOf.has(trackOf(page.data, page.found.hits[0]))`), true);
	await browser.click(...await browser.middle('#unfold'));
	say('Unfold all', await browser.ask(rows + '.length'), all);
	await browser.click(...await browser.middle('#fold'));
	say('Fold all', await browser.ask(rows + '.filter(row => row.node).length'), 1);
	await browser.ask('document.activeElement.blur()');
	await browser.key('X', 'KeyX');
	say('X unfolds, too', await browser.ask(rows + '.length'), all);
}

async function testOrder(browser) {
	await browser.show(1280, 800, false);
	for (const [value, key] of [['time', 'p.end - p.begin'], ['cpu', 'p.cpu']]) {
		await browser.ask(`(() => { const order = document.getElementById('order');
			order.value = ${JSON.stringify(value)};
			order.dispatchEvent(new Event('change')); })()`);
		await browser.drawn();
		say('sorted by ' + value, await browser.ask(`(() => {
			const own = ${rows}.filter(row => row.node &&
				row.track === row.node.tracks[0]).map(({node: {process: p}}) => ${key});
			return [own.length === page.data.processes.size, own.every((x, i) =>
				i === 0 || own[i - 1] >= x)]; })()`), [true, true]);
	}
	await browser.ask(soon);
	say('the address has it', /order=cpu/.test(await browser.ask('location.hash')), true);
	await browser.ask(`location.hash = '#'; ${soon}`);
	say('and without it, the tree', (await browser.ask(programs))[0], 'sh');
}

async function testHide(browser) {
	await browser.ask(`(() => { const {timeline, data} = page;
		const cat = [...data.processes.values()].find(p => p.program === 'cat');
		timeline.show(cat.end + 1000, timeline.wall); })()`);
	await browser.drawn();
	say('what has nothing in the window has no lane',
	    (await browser.ask(programs)).includes('cat'), false);
	await browser.key('e', 'KeyE');
	say('e: it has one', (await browser.ask(programs)).includes('cat'), true);
	await browser.key('e', 'KeyE');
	await browser.key('f', 'KeyF');
	const before = await browser.ask(rows + '.length');
	await browser.key('o', 'KeyO');
	say('o: no threads that only wait', await browser.ask(`[${rows}.length < ${before},
		${rows}.every(row => !row.node || !onlyWaits(page.data, row.track))]`),
	    [true, true]);
	await browser.key('o', 'KeyO');
}

async function testMarks(browser) {
	const marks = await browser.ask(`page.timeline.said.slices.map(i =>
		[page.data.names[page.data.name[i]], textOf(page.data, i)])`);
	say('what programs say is marked', marks, [['phase', '"one"'], ['phase', '"two"']]);
	const [x, box] = await browser.ask(`(() => { const {timeline} = page;
		const {x, y, height} = timeline.canvas.getBoundingClientRect();
		return [timeline.said.places(timeline)[1][1], [x, y, height]]; })()`);
	say('by a line through all lanes', await browser.ask(`(() => {
		const {canvas, brush, theme, seen} = page.timeline;
		const at = y => [...brush.getImageData(${x}, y, 1, 1).data];
		const beside = y => [...brush.getImageData(${x} - 4, y, 1, 1).data];
		return [0.3, 0.5, 0.7, 0.9].every(share =>
			String(at(share * seen)) !== String(beside(share * seen))); })()`), true);
	await browser.mouse('mouseMoved', box[0] + x + 8, box[1] + box[2] - 8);
	await browser.drawn();
	say('what is below the pointer stays there', await browser.ask(
		'page.timeline.canvas.getBoundingClientRect().height'), box[2]);
	await browser.click(box[0] + x + 8, box[1] + box[2] - 8);
	say('a click on its name selects it', await browser.ask(
		'page.timeline.selected === page.timeline.said.slices[1]'), true);
	await browser.picture('lanes-1280');
	await browser.show(390, 844, false);
	say('on a phone it fits', await browser.ask('document.documentElement' +
		'.scrollWidth > document.documentElement.clientWidth'), false);
	await browser.picture('lanes-390');
}

async function testMany(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	say('all processes are', await browser.ask('page.data.processes.size'), 10000);
	const first = await browser.ask(rows + '.length');
	say('folded into few lanes', first > 1 && first < 62, true);
	say('which stand for all of them', await browser.ask(`${rows}.reduce((nr, row) => nr +
		(!row.node ? 0 : page.timeline.view.isFolded(row.node) ? row.node.nr
			: row.track === row.node.tracks[0]), 0)`),
	    10000);
	await browser.picture('many-1280');
	await browser.click(...await browser.middle('#unfold'));
	say('unfolded, each has one', await browser.ask(rows + '.length') >= 10000, true);
	const draw = `(() => { const {timeline} = page, times = [];
		for (let nr = 0; nr < 30; nr++) {
			const began = performance.now();
			timeline.zoom(0.9, 200 + nr * 30);
			timeline.draw();
			times.push(performance.now() - began);
		}
		timeline.show(0, timeline.wall);
		return times.sort((a, b) => a - b)[15]; })()`;
	say('drawn at once', await browser.ask(draw) < 100, true);
	await browser.ask('page.timeline.box.scrollTop = 1e9');
	await browser.drawn();
	await browser.picture('many-unfolded-1280');
	await browser.ask('page.searchFor("pid == 9000"); page.goToHit(1)');
	await browser.drawn();
	say('one of them is found, and seen', await browser.ask(`(() => { const {timeline} = page;
		const row = timeline.rowOf.get(trackOf(page.data, timeline.selected));
		const y = row.y - timeline.box.scrollTop;
		return row.track.tid === 9000 && y > 0 && y < timeline.seen; })()`), true);
}

drive(...process.argv[6] === 'many' ? [testMany]
	: [testFold, testOrder, testHide, testMarks]);
