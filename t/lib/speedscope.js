/* SPDX-License-Identifier: MIT */
/*
 * node speedscope.js CHROMIUM EXPORT EVENTS FOLDER RELEASE: opens an export of
 * ptrace-dump, folded or chrome, in npm's speedscope, whose folder dist/release is
 * given, and compares the sums that it shows with those of the export.  Prints as
 * chromium.js does.
 */
'use strict';
const fs = require('fs');
const path = require('path');
const {drive, say} = require('./devtools.js');

const [, , , file, , folder, release] = process.argv;
const text = fs.readFileSync(file, 'utf8');

/* name: [total, self] of the profile that is shown first. */
function add(sums, names, weight) {
	for (const name of new Set(names))
		(sums[name] = sums[name] || [0, 0])[0] += weight;
	sums[names.at(-1)][1] += weight;
}

function foldedSums() {
	const sums = {};
	for (const line of text.trimEnd().split('\n')) {
		const at = line.lastIndexOf(' ');
		add(sums, line.slice(0, at).split(';'), Number(line.slice(at + 1)));
	}
	return {sums, profiles: 1, format: value => value.toLocaleString('en-US')};
}

const spell = us => us >= 1e6 ? `${(us / 1e6).toFixed(2)}s` : us >= 1e3 ?
	`${(us / 1e3).toFixed(2)}ms` : us >= 1 ? `${us.toFixed(2)}µs` : `${(us * 1e3).toFixed(2)}ns`;

/* Of the first thread: what lasts, each less what is in it. */
function chromeSums() {
	const {traceEvents} = JSON.parse(text), sums = {};
	const lasting = traceEvents.filter(({ph}) => ph === 'X');
	const threads = [...new Set(lasting.map(({pid, tid}) => `${pid}/${tid}`))];
	const ofFirst = lasting.filter(({pid, tid}) => pid === lasting.reduce((least, each) =>
		Math.min(least, each.pid), Infinity) && tid === pid)
		.sort((a, b) => a.ts - b.ts || b.dur - a.dur);
	const open = [];
	for (const {name, args, ts, dur} of ofFirst) {
		while (open.length > 0 && open.at(-1).end <= ts)
			open.pop();
		const label = Object.keys(args).length > 0 ? `${name} ${JSON.stringify(args)}` : name;
		const sum = sums[label] = sums[label] || [0, 0];
		sum[0] += open.some(each => each.label === label) ? 0 : dur;
		sum[1] += dur;
		if (open.length > 0)
			sums[open.at(-1).label][1] -= dur;
		open.push({label, end: ts + dur});
	}
	return {sums, profiles: threads.length, format: spell};
}

async function testSums(browser) {
	const script = path.join(folder, 'profile.js');
	fs.writeFileSync(script, `speedscope.loadFileFromBase64(${
		JSON.stringify(path.basename(file))}, "${Buffer.from(text).toString('base64')}")`);
	await browser.call('Page.navigate', {url: `file://${release}/index.html` +
		`#localProfilePath=${script}&view=sandwich`});
	let rows = [];
	while (rows.length === 0) {
		await new Promise(done => setTimeout(done, 50));
		rows = await browser.ask(`[...document.querySelectorAll('tr')].slice(1)
			.map(row => [...row.children].map(cell => cell.innerText.trim()))
			.filter(([total]) => total.endsWith('%)'))`)
			.catch(() => []);
	}
	await browser.picture('speedscope-' + path.basename(file));
	const {sums, profiles, format} = text.startsWith('{') ? chromeSums() : foldedSums();
	const shown = await browser.ask('document.body.innerText');
	say('it has all of them', Number((/\(1\/(\d+)\)/.exec(shown) || [0, 1])[1]), profiles);
	say('it shows rows', rows.length > 3, true);
	/* A half is rounded up or down, as the viewer's doubles fall. */
	const isRight = (words, sum) => [sum, sum - 1e-3, sum + 1e-3]
		.some(each => format(each) === words.split(' (')[0]);
	say('their sums are right', rows.filter(([total, self, name]) => !sums[name] ||
		!isRight(total, sums[name][0]) ||
		!isRight(self, sums[name][1])).slice(0, 3)
		.map(row => [row, sums[row[2]]]), []);
}

drive(testSums);
