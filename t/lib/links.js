/* SPDX-License-Identifier: MIT */
/*
 * node links.js CHROMIUM PAGE EVENTS FOLDER: in a page of ptrace-report, goes from
 * rows of tables to their events and back, and sees that the address has what is
 * shown.  Prints as chromium.js does.
 */
'use strict';
const {drive, say} = require('./devtools.js');

const text = id => `document.getElementById("${id}").textContent`;
const soon = 'new Promise(done => setTimeout(done, 300))';

const openTable = async (browser, name) => {
	await browser.click(...await browser.middle('#tab-tables'));
	await browser.click(...await browser.middle(`[data-table=${name}]`));
};

/* The middle of the cell of a row that has those words. */
const cell = words => `(() => { const cells = [...document.querySelectorAll('#rows td.link')];
	const found = cells.find(each => each.textContent.includes(${JSON.stringify(words)}));
	found.scrollIntoView({block: 'center'});
	const box = found.getBoundingClientRect();
	return [box.x + Math.min(box.width / 2, 40), box.y + box.height / 2]; })()`;

/* Of each table: the rows whose events are not found, or not as many of them. */
const unfound = `page.tables.tables.flatMap(table => table.rows.map(row => {
	const words = page.links.wordsOf(table, row);
	if (!words)
		return '';
	const {hits, isExpression} = search(page.data, words, page.timeline);
	const nr = {failures: row.count, calls: row.calls, io: row.calls, spans: row.count,
		events: row.count}[table.name];
	const all = [...hits].reduce((sum, i) => sum +
		(table.name === 'spans' ? 1 : page.data.count[i]), 0);
	return isExpression && hits.length > 0 && (nr === undefined || all === nr) ? ''
		: [table.name, words, hits.length, nr].join(' ');
}).filter(Boolean))`;

async function testRows(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	say('rows find their events', await browser.ask(unfound), []);
	say('nearly all have some', await browser.ask(`page.tables.tables.filter(table =>
		table.rows.length > 0 && !table.rows.some(row =>
			page.links.wordsOf(table, row))).map(table => table.name)`), []);
	await openTable(browser, 'files');
	await browser.click(...await browser.middle('[data-key=path]'));
	await browser.ask(soon);
	const before = await browser.ask('location.hash');
	await browser.click(...await browser.ask(cell('/none')));
	say('a click on a row goes to its first event', await browser.ask(`(() => {
		const {found, timeline, data, tab} = page;
		return [tab, found.hits.length > 0, timeline.selected === found.hits[0],
			[...found.hits].every(i => data.header.files[data.file[i]] ===
				'/none')]; })()`), ['timeline', true, true, true]);
	await browser.ask(soon);
	await browser.picture('links-1280');
	await browser.ask('history.back()');
	await browser.ask(soon);
	say('Back is where it was', [await browser.ask('location.hash') === before,
		await browser.ask('[page.tab, page.tables.shown.name, page.tables.shown.sorted]')],
	    [true, ['tables', 'files', 'path']]);
	await browser.ask('history.forward()');
	await browser.ask(soon);
	say('and forward again', await browser.ask(
		'[page.tab, page.timeline.selected === page.found.hits[0]]'),
	    ['timeline', true]);
}

async function testBack(browser) {
	const buttons = '[...document.querySelectorAll("#details button.rows")]';
	const names = await browser.ask(buttons + '.map(each => each.textContent)');
	say('an event leads to its rows', ['failures', 'processes', 'calls', 'files', 'events']
		.filter(name => !names.includes(name)), []);
	await browser.click(...await browser.ask(`(() => { const box = ${buttons}.find(each =>
		each.textContent === 'files').getBoundingClientRect();
		return [box.x + 5, box.y + 8]; })()`));
	say('which are marked', await browser.ask(`[page.tab, page.tables.shown.name,
		document.querySelector('[aria-current=true] td:last-child').textContent]`),
	    ['tables', 'files', '/none']);
	await browser.picture('links-row-1280');
	await openTable(browser, 'files');
	await browser.click(...await browser.ask(cell('<img')));
	say('a hostile name is found as it is', await browser.ask(
		'[page.found.hits.length > 0, page.found.isExpression]'), [true, true]);
	say('and is no markup', await browser.ask('document.querySelector("img")'), null);
}

/* "cat /none ..." among the bars. */
const command = `(() => { const {data} = page;
	const i = data.text.findIndex((text, j) => data.names[data.name[j]] === 'cat' &&
		data.texts[text].startsWith('argv='));
	return wordsOf(data, i); })()`;

async function testContexts(browser) {
	say('a bar has the command as a shell takes it', await browser.ask(command),
	    '/none \'"><img src=x>\'');
	await openTable(browser, 'contexts');
	await browser.click(...await browser.ask(cell('request=18')));
	say('a context leads to its events', await browser.ask(`(() => {
		const {found, data, timeline} = page;
		return [found.hits.length > 0, timeline.selected === found.hits[0],
			[...found.hits].every(i => contextsOf(data, i).includes('request=18'))];
	})()`), [true, true, true]);
	say('which say it', /context: request=18/.test(await browser.ask(text('details'))), true);
	say('and lead back', (await browser.ask(`[...document.querySelectorAll(
		"#details button.rows")].map(each => each.textContent)`)).includes('contexts'),
	    true);
	say('it is a field, too', await browser.ask(`(() => {
		const of = words => search(page.data, words, page.timeline).hits.join();
		return [of('request == 18') === of('context == "request=18"'),
			of('request > 1000')]; })()`), [true, '']);
}

const shown = `[page.tab, page.tables.shown.name, page.tables.shown.sorted,
	page.tables.shown.isTurned, page.flame.isInverse, page.flame.path()]`;

async function testAddress(browser) {
	await openTable(browser, 'calls');
	for (let nr = 0; nr < 2; nr++)
		await browser.click(...await browser.middle('[data-key=max]'));
	await browser.click(...await browser.middle('#tab-flame'));
	await browser.key('i', 'KeyI');
	await browser.ask('page.searchFor("")');
	await browser.ask(`(() => { const {flame} = page;
		flame.zoomTo(flame.drawn.find(box => box.y === 1)); })()`);
	await browser.ask(soon);
	const [, , , , , zoom] = await browser.ask(shown);
	await browser.show(1280, 800, false, await browser.ask('location.hash'));
	say('a reload keeps the zoom of the flame graph, and its inverse',
	    (await browser.ask(shown)).slice(4), [true, zoom]);
	say('which is one', zoom !== '', true);
	await browser.ask('history.replaceState(null, "", "#"); page.address.restore()');
	await openTable(browser, 'calls');
	for (let nr = 0; nr < 2; nr++)
		await browser.click(...await browser.middle('[data-key=max]'));
	await browser.ask(soon);
	await browser.show(1280, 800, true, await browser.ask('location.hash'));
	say('and how a table is sorted', (await browser.ask(shown)).slice(0, 4),
	    ['tables', 'calls', 'max', true]);
	await browser.ask(`location.hash = '#tab=flame&inverse=yes&zoom=0'; ${soon}`);
	say('an address by hand', (await browser.ask(shown)).slice(4), [true, '0']);
	for (const odd of ['event=-5&from=x&to=y', 'measure=99&zoom=7.7.7&tab=flame',
		'threads=900%20x%20-1&range=5-2', 'table=constructor&sort=-zzz&tab=tables',
		'tab=__proto__&order=up&folded=x&note=' + 'n'.repeat(3000),
		'event=1e99', '%', '&&&=&=x'])
		await browser.ask(`location.hash = '#${odd}'; ${soon}`);
	say('whatever it is', await browser.ask(
		'[page.tab, page.timeline.selected, page.range.isThere]'),
	    ['timeline', -1, false]);
}

async function testNote(browser) {
	await browser.show(1280, 800, false, '#tab=tables&table=locks');
	await browser.key('l', 'KeyL');
	await browser.type('look: "this" <b>one</b>');
	await browser.ask(soon);
	await browser.click(...await browser.middle('#copy'));
	await browser.ask(soon);
	say('a link is copied', await browser.ask(text('copied')) !== '', true);
	const link = await browser.ask('document.getElementById("link").value');
	say('which has it all', [/table=locks/.test(link), /note=look/.test(link)],
	    [true, true]);
	await browser.picture('note-1280');
	await browser.show(1280, 800, false, link.slice(link.indexOf('#')));
	say('and its note is shown', await browser.ask(`[page.tables.shown.name,
		document.getElementById('note').value,
		document.getElementById('sharing').hidden]`),
	    ['locks', 'look: "this" <b>one</b>', false]);
	await browser.show(390, 844, true, link.slice(link.indexOf('#')));
	say('on a phone all of it fits', await browser.ask('document.documentElement' +
		'.scrollWidth > document.documentElement.clientWidth'), false);
	await browser.picture('note-390');
}

drive(testRows, testBack, testContexts, testAddress, testNote);
