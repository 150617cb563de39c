/* SPDX-License-Identifier: MIT */
/*
 * node spanlinks.js CHROMIUM PAGE EVENTS FOLDER: asks a page of ptrace-report for
 * the links between spans.  Prints as chromium.js does.
 */
'use strict';
const {drive, say} = require('./devtools.js');

const details = '[...document.querySelectorAll("#details p")].map(p => p.textContent)';
const named = name => `(() => { const {data} = page;
	for (let i = 0; i < data.nr; i++)
		if (data.names[data.name[i]] === '${name}')
			return i;
	return -1; })()`;
const chosen = 'page.data.names[page.data.name[page.timeline.selected]]';

async function testLinks(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	await browser.ask(`page.select(${named('work')})`);
	const lines = await browser.ask(details);
	say('what caused it', lines.some(text =>
		/^caused by request of python3[^ ]*/.test(text)), true);
	await browser.picture('spanlinks-1280');
	await browser.click(...await browser.middle('#details button.cause'));
	say('a click goes there', await browser.ask(chosen), 'request');
	say('and what it caused is said there', (await browser.ask(details)).filter(text =>
		/^(the cause of work|followed by report) of/.test(text)).length, 2);
	await browser.key('Escape');
	const points = `(() => { const {timeline} = page, {brush} = timeline;
		const dark = () => { const {data} = brush.getImageData(0, 0,
			timeline.canvas.width, timeline.canvas.height);
			let nr = 0;
			for (let i = 0; i < data.length; i += 4)
				nr += data[i] + data[i + 1] + data[i + 2] < 200;
			return nr; };
		timeline.draw();
		const before = dark(), {links} = timeline.spanLinks;
		timeline.spanLinks.links = [];
		timeline.draw();
		const without = dark();
		timeline.spanLinks.links = links;
		return before > without; })()`;
	say('arrows are drawn', await browser.ask(points), true);
}

drive(testLinks);
