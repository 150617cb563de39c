/* SPDX-License-Identifier: MIT */
/*
 * node access.js CHROMIUM PAGE EVENTS FOLDER: a page of ptrace-report without a
 * mouse, on paper, and for who does not see it.  With PTL_AXE=FILE, the axe.js of
 * axe-core, that looks at it, too.  Prints as chromium.js does.
 */
'use strict';
const fs = require('fs');
const {drive, say} = require('./devtools.js');

const shift = async (browser, key) => {
	await browser.call('Input.dispatchKeyEvent', {type: 'keyDown', key, code: key,
		modifiers: 8});
	await browser.call('Input.dispatchKeyEvent', {type: 'keyUp', key, code: key,
		modifiers: 8});
};

const selected = 'page.timeline.selected';

async function testEvents(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	await browser.ask('document.getElementById("canvas").focus()');
	await shift(browser, 'ArrowRight');
	const first = await browser.ask(selected);
	say('a key selects an event', first >= 0, true);
	say('which is told', /at 0\./.test(await browser.ask(
		'document.getElementById("details").textContent')), true);
	const nr = await browser.ask(`(() => { const track = trackOf(page.data, ${selected});
		return track.to - track.from; })()`);
	const been = new Set();
	for (let i = 0; i < nr; i++)
		await shift(browser, 'ArrowLeft');
	for (let i = 0; i < nr; i++) {
		been.add(await browser.ask(selected));
		await shift(browser, 'ArrowRight');
	}
	say('keys reach every event of a thread', been.size, nr);
	const rows = new Set(), all = await browser.ask(
		'page.timeline.rows.filter(row => !row.isSummary).length');
	for (let i = 0; i < all; i++)
		await shift(browser, 'ArrowUp');
	for (let i = 0; i < all; i++) {
		rows.add(await browser.ask(`trackOf(page.data, ${selected}).index`));
		await shift(browser, 'ArrowDown');
	}
	say('and every thread', rows.size, all);
	await browser.picture('walk-1280');
}

async function testBoxes(browser) {
	await browser.ask('document.activeElement.blur()');
	await browser.key('2', 'Digit2');
	const all = await browser.ask('page.flame.drawn.length');
	const been = new Set(), told = new Set();
	const note = async () => {
		been.add(await browser.ask('page.flame.focused'));
		told.add(await browser.ask('document.getElementById("details").textContent'));
	};
	const floors = await browser.ask(`page.flame.drawn.reduce((floors, {y}) => {
		floors[y] = (floors[y] || 0) + 1;
		return floors; }, [])`);
	/* Along each floor, from left to right, then down from its left end. */
	for (const nr of floors) {
		await browser.key('ArrowDown');
		await note();
		for (let x = 1; x < nr; x++) {
			await browser.key('ArrowRight');
			await note();
		}
		for (let x = 1; x < nr; x++)
			await browser.key('ArrowLeft');
	}
	say('keys reach every box of the flame graph', [been.size, all > 3], [all, true]);
	say('each is told', told.size > 2, true);
	await browser.key('ArrowUp');
	const name = await browser.ask('page.flame.drawn[page.flame.focused].node.name');
	await browser.key('Enter');
	say('Enter zooms to it', await browser.ask('page.flame.zoomed.name'), name);
	await browser.key('Escape');
}

async function testTables(browser) {
	await browser.show(1280, 400, false);
	await browser.key('3', 'Digit3');
	await browser.click(...await browser.middle('[data-table=events]'));
	const tops = await browser.ask(`(() => { const box = document.getElementById('tables');
		const head = document.querySelector('#rows th');
		box.scrollTop = 1e6;
		return [box.scrollTop > 50, Math.round(head.getBoundingClientRect().y -
			box.getBoundingClientRect().y)]; })()`);
	say('headings stay in view', tops, [true, 0]);
	await browser.picture('sticky-1280');
	await browser.key('1', 'Digit1');
	say('words are as wide as they are', await browser.ask(`['WWWWWWWWWWWW', '\u6f22\u5b57'
		.repeat(20), 'iiiiiiiiiiiiiiiiiiiiiiiiiiiii', 'x'.repeat(100000)].filter(text =>
		page.timeline.brush.measureText(fit(page.timeline.brush, text, 90)).width > 90)`),
	    []);
	say('and as many as there is room for', await browser.ask(
		'fit(page.timeline.brush, "i".repeat(25), 90)'), 'i'.repeat(25));
}

async function testPaper(browser) {
	await browser.show(1280, 500, true);
	await browser.call('Emulation.setEmulatedMedia', {media: 'print'});
	await browser.ask('dispatchEvent(new Event("beforeprint"))');
	say('on paper are all lanes', await browser.ask(`(() => { const {timeline} = page;
		const {canvas} = timeline, row = timeline.rows.at(-1);
		return [canvas.height / timeline.ratio >= row.y + row.height,
			row.y > 500]; })()`), [true, true]);
	say('in black on white', await browser.ask('[page.isDark, page.timeline.theme.back]'),
	    [false, '#fff']);
	say('and they are as wide as it', await browser.ask(`document.getElementById('canvas')
		.getBoundingClientRect().width <= document.documentElement.clientWidth`), true);
	await browser.picture('print');
	await browser.ask('dispatchEvent(new Event("afterprint"))');
	await browser.call('Emulation.setEmulatedMedia', {media: '', features: [
		{name: 'prefers-color-scheme', value: 'dark'}]});
	await browser.drawn();
	say('then all is as before', await browser.ask(`[page.isDark,
		page.timeline.seen === page.timeline.box.clientHeight]`), [true, true]);
	const {data} = await browser.call('Page.printToPDF', {printBackground: true});
	say('it can be printed', Buffer.from(data, 'base64').subarray(0, 5).toString(), '%PDF-');
}

/* The names of what can be used, for who hears them. */
async function testNames(browser) {
	for (const [width, height, isDark] of [[1280, 800, false], [390, 844, true]]) {
		await browser.show(width, height, isDark);
		const {nodes} = await browser.call('Accessibility.getFullAXTree');
		const unnamed = nodes.filter(({role, name, ignored}) => !ignored && role &&
			/^(button|tab|combobox|textbox|searchbox|link|img|dialog|image)$/
				.test(role.value) && !(name && name.value));
		say('all that can be used has a name', unnamed.map(({role}) => role.value), []);
		const pictures = nodes.filter(({role}) => role && /^(img|image)$/.test(role.value));
		say('pictures say how they are read', pictures.every(({name}) =>
			/tables? /.test(name.value)) && pictures.length > 0, true);
		if (!process.env.PTL_AXE)
			continue;
		await browser.ask(fs.readFileSync(process.env.PTL_AXE, 'utf8') + '\n;1');
		for (const act of ['1', '?', 'Escape', '2', '3', 'l']) {
			await browser.ask('document.activeElement.blur()');
			await browser.key(act);
			say(`axe-core, after ${act}`, await browser.ask(`axe.run().then(found =>
				found.violations.map(({id, nodes}) => [id, nodes[0].html]))`), []);
		}
	}
}

drive(testEvents, testBoxes, testTables, testPaper, testNames);
