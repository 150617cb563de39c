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

drive(testCompare);
