/* SPDX-License-Identifier: MIT */
/*
 * node flames.js CHROMIUM PAGE EVENTS FOLDER: callers and callees of a function, and
 * how long what was found took, in a page of ptrace-report.  Prints as chromium.js
 * does.
 */
'use strict';
const {drive, say} = require('./devtools.js');

const soon = 'new Promise(done => setTimeout(done, 300))';

/* A function that is in several places of the tree, counted by hand. */
const several = `(() => { const places = new Map();
	const walk = (node, path) => {
		if (!path.includes(node.name))
			places.set(node.name, [...places.get(node.name) || [], [node, path]]);
		node.children.forEach(child => walk(child, [...path, node.name]));
	};
	walk(page.flame.tree, []);
	const [name, list] = [...places].filter(([, all]) => all.length > 1 &&
		all[0][0].total > 0 && all.some(([node]) => node.children.length > 0))
		.sort((a, b) => b[1].length - a[1].length)[0];
	const sums = pairs => Object.entries(pairs.reduce((all, [key, nr]) =>
		({...all, [key]: (all[key] || 0) + nr}), {})).filter(([, nr]) => nr > 0).sort();
	return {name, total: list.reduce((all, [node]) => all + node.total, 0),
		callers: sums(list.map(([node, path]) => [path.at(-1), node.total])),
		callees: sums(list.flatMap(([node]) => node.children.map(child =>
			[child.name, child.total])))}; })()`;

const sides = `(() => { const of = node => node.children.filter(({total}) => total > 0)
		.map(({name, total}) => [name, total]).sort();
	const {sandwich, middle} = page.flame;
	return {name: middle, total: sandwich.callers.total, callers: of(sandwich.callers),
		callees: of(sandwich.callees)}; })()`;

async function testSandwich(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	await browser.click(...await browser.middle('#tab-flame'));
	const want = await browser.ask(several);
	await browser.ask(`page.flame.zoomTo(page.flame.drawn.find(({node, y, isRest}) => y > 0 &&
		!isRest && node.name === ${JSON.stringify(want.name)}))`);
	await browser.click(...await browser.middle('#sandwich'));
	say('callers and callees of a function', await browser.ask(sides), want);
	say('callers are above, callees below', await browser.ask(`(() => {
		const {drawn, middle, sandwich} = page.flame;
		const own = drawn.find(({node}) => node === sandwich.callees);
		const floorOf = name => drawn.filter(({node}) => name(node)).map(({y}) => y);
		return [own.node.name === middle, floorOf(node => sandwich.callers.children
			.includes(node)).every(y => y === own.y - 1), floorOf(node =>
			sandwich.callees.children.includes(node)).every(y => y === own.y + 1)];
		})()`), [true, true, true]);
	await browser.picture('sandwich-1280');
	const [caller, x, y] = await browser.ask(`(() => { const {drawn, sandwich, canvas} = page.flame;
		const {x, y} = canvas.getBoundingClientRect();
		const box = drawn.find(({node}) => node === sandwich.callers.children[0]);
		return [box.node.name, x + box.x + box.width / 2, y + box.y * 19 + 9]; })()`);
	await browser.click(x, y);
	say('a click puts another one into the middle', await browser.ask('page.flame.middle'),
	    caller);
	await browser.ask(soon);
	await browser.show(1280, 800, true, await browser.ask('location.hash'));
	say('a reload keeps it', await browser.ask('page.flame.middle'), caller);
	await browser.picture('sandwich-dark-1280');
	await browser.key('Escape');
	say('Esc ends it', await browser.ask('[page.flame.middle, page.flame.sandwich]'),
	    ['', null]);
	await browser.ask(`location.hash = '#tab=flame&function=no+such'; ${soon}`);
	say('there may be no such function', await browser.ask('page.flame.sandwich'), null);
}

const bars = '[...document.querySelectorAll("#spread-bars button")]';

async function testSpread(browser) {
	await browser.ask('page.searchFor("dur >= 0")');
	await browser.drawn();
	say('durations of all that was found', await browser.ask(`spreadOf(page.data,
		page.found.hits).reduce((nr, {hits}) => nr + hits.length, 0)`), await browser.ask(
		`page.data.took.reduce((nr, took) => nr + (took >= 0), 0)`));
	say('one bar behind the other', await browser.ask(`spreadOf(page.data, page.found.hits)
		.every(({from, to, hits}, i, all) => (i === 0 || all[i - 1].to === from) &&
			[1, 2, 5].includes(Number(String(from)[0])) && hits.every(hit =>
			page.data.took[hit] < to && (page.data.took[hit] >= from || from === 1)))`), true);
	await browser.picture('spread-1280');
	const last = `${bars}.filter(each => !each.disabled).at(-1)`;
	const from = await browser.ask(`Number(${last}.dataset.from)`);
	const [x, y] = await browser.ask(`(() => { const {x, y, width, height} =
		${last}.getBoundingClientRect(); return [x + width / 2, y + height - 3]; })()`);
	const most = await browser.ask('page.data.took.reduce((a, b) => Math.max(a, b))');
	await browser.click(x, y);
	say('a click on the last leads to the slowest', await browser.ask(`(() => {
		const {found, data, timeline} = page;
		return [data.took[timeline.selected], [...found.hits].every(i =>
			data.took[i] >= ${from})]; })()`), [most, true]);
	say('each bar has a name', await browser.ask(`${bars}.every(each =>
		/ to .*: .* hits?$/.test(each.getAttribute('aria-label')))`), true);
	await browser.show(390, 844, false, '#query=io:');
	say('on a phone all of it fits', await browser.ask('document.documentElement' +
		'.scrollWidth > document.documentElement.clientWidth'), false);
	await browser.picture('spread-390');
}

drive(testSandwich, testSpread);
