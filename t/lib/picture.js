/* SPDX-License-Identifier: MIT */
/*
 * node picture.js CHROMIUM PICTURE EVENTS FOLDER: opens a flame graph of
 * ptrace-report --flame as chromium.js opens a page, zooms and searches.
 */
'use strict';
const {pathToFileURL} = require('url');
const {drive, say} = require('./devtools.js');

const [, , , file] = process.argv;

/* Number, depth, name, x, width and letters of each box that is shown. */
const shown = `[...document.querySelectorAll('.f')]
	.filter(group => group.style.display !== 'none')
	.map(group => {
		const rect = group.querySelector('rect');
		return {number: Number(group.dataset.n), depth: Number(group.dataset.d),
			name: group.querySelector('title').textContent.split('  ')[0],
			x: Number(rect.getAttribute('x')),
			width: Number(rect.getAttribute('width')),
			letters: group.querySelector('text').textContent,
			isOuter: group.classList.contains('x'),
			isFound: group.classList.contains('m'),
			total: Number(group.dataset.total)};
	})`;

const words = 'document.getElementById("i").textContent.trim()';

const isWhole = ({name, letters}) =>
	letters === '' || letters === name ||
	letters.endsWith('..') && name.startsWith(letters.slice(0, -2));

/* The script reckons with doubles. */
const near = n => Math.round(n * 1e6) / 1e6;

/* What is cut off by C and by the script is not the same at the last letter. */
const places = boxes => boxes.map(({number, x, width}) => [number, x, width]);

async function testZoom(browser) {
	await browser.call('Page.navigate', {url: pathToFileURL(file).href});
	while (!await browser.ask('document.readyState === "complete" && ' +
		'document.querySelector(".f rect") !== null').catch(() => false))
		await new Promise(done => setTimeout(done, 10));
	const all = await browser.ask(shown);
	say('there are boxes', all.length > 4, true);
	say('with their names', all.every(isWhole), true);
	await browser.picture('flame');
	const to = all.filter(box => box.depth === 2)
		.reduce((a, b) => b.total > a.total ? b : a);
	const click = async number => browser.click(...await browser.middle(
		`[data-n="${number}"] rect`));
	await click(to.number);
	const closer = await browser.ask(shown);
	say('a click zooms', closer.filter(box => box.number === to.number)
		.map(box => [near(box.x), near(box.width)]), [[10, 1180]]);
	say('what it is in is as wide', closer.filter(box => box.isOuter)
		.map(box => [box.depth, near(box.x), near(box.width)]),
	    [[0, 10, 1180], [1, 10, 1180]]);
	say('all others are a part of it', closer.filter(box => !box.isOuter &&
		(box.depth < 2 || box.x < 9.9 || box.x + box.width > 1190.1)), []);
	say('and the names have their room', closer.every(isWhole), true);
	await browser.picture('flame-zoomed');
	await click(0);
	say('a click on all of it: all', places(await browser.ask(shown)), places(all));
	await click(to.number);
	await browser.key('Escape');
	say('so does Esc', places(await browser.ask(shown)), places(all));
}

async function search(browser, text) {
	await browser.ask(`window.prompt = () => ${JSON.stringify(text)}; 1`);
	await browser.key('/', 'Slash');
}

async function testSearch(browser) {
	const all = await browser.ask(shown);
	await search(browser, '^file:');
	const found = (await browser.ask(shown)).filter(box => box.isFound);
	say('what is found', found.map(box => box.number),
	    all.filter(box => box.name.startsWith('file:')).map(box => box.number));
	const share = 100 * found.reduce((sum, box) => sum + box.total, 0) /
		all[0].total;
	say('is told of', await browser.ask(words),
	    `${found.length} boxes match ^file:: ${share.toFixed(2)}% of all`);
	await search(browser, '');
	say('nothing is found any more',
	    (await browser.ask(shown)).filter(box => box.isFound), []);
	await search(browser, '.');
	say('what is inside of another counts once', await browser.ask(words),
	    `${all.length} boxes match .: 100.00% of all`);
	await search(browser, '(');
	say('no pattern', await browser.ask(words), 'not a pattern: (');
	await browser.mouse('mouseMoved', ...await browser.middle('[data-n="0"] rect'));
	await browser.drawn();
	say('under the mouse', / of all, /.test(await browser.ask(words)), true);
}

drive(testZoom, testSearch);
