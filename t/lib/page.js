/* SPDX-License-Identifier: MIT */
/*
 * node page.js PAGE EVENTS [CALLS]: checks a page of ptrace-report against what
 * ptrace-dump -f json says of the same log, and ptrace-report --calls --json.
 * Prints "pass NAME" or "fail NAME", for each test, and comments.
 */
'use strict';
const fs = require('fs'), crypto = require('crypto');
const {Browser} = require('./browser.js');

function say(name, got, want) {
	const [a, b] = [got, want].map(x => JSON.stringify(x));
	console.log((a === b ? 'pass ' : 'fail ') + name);
	if (a !== b)
		console.log(`# got:  ${String(a).slice(0, 400)}\n` +
			`# want: ${String(b).slice(0, 400)}`);
}

function readEvents(path) {
	const events = fs.readFileSync(path, 'utf8').split('\n').filter(Boolean)
		.map(line => JSON.parse(line));
	const ns = ts => BigInt(ts.replace('.', ''));
	for (const event of events)
		event.at = Number(ns(event.ts) - ns(events[0].ts));
	return events;
}

/* The page as it lies there. */
function checkFile(html) {
	const policy = /Content-Security-Policy" content="([^"]*)"/.exec(html)[1];
	const hash = tag => {
		const at = html.lastIndexOf(`<${tag}>`) + tag.length + 2;
		const text = html.slice(at, html.indexOf(`</${tag}>`, at));
		return "'sha256-" + crypto.createHash('sha256').update(text)
			.digest('base64') + "'";
	};
	say('the policy allows nothing', policy.startsWith("default-src 'none'; "),
	    true);
	say('but this script', policy.includes('script-src ' + hash('script') + ';'),
	    true);
	say('and this style', policy.includes('style-src ' + hash('style') + ';'),
	    true);
	say('it has one script, and data',
	    html.match(/<script[ >]/g), ['<script ', '<script>']);
	say('and needs nothing else',
	    html.replace(/<script[^]*/, '').match(/(src|href)=|url\(|@import|\w:\/\//g), null);
}

/* The contrast of two colours (WCAG 2); text needs 4.5. */
function rgbOf(color) {
	const hsl = /^hsl\((\S+) (\d+)% (\d+)%\)$/.exec(color);
	if (!hsl) {
		const hex = color.length === 4 ? color.replace(/\w/g, '$&$&') : color;
		return [1, 3, 5].map(at => parseInt(hex.slice(at, at + 2), 16) / 255);
	}
	const [hue, s, l] = [hsl[1] / 30, hsl[2] / 100, hsl[3] / 100];
	return [0, 8, 4].map(n => (n + hue) % 12).map(k =>
		l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
}

function contrast(...colors) {
	const [low, high] = colors.map(color => {
		const [r, g, b] = rgbOf(color).map(x => x <= 0.03928 ? x / 12.92
			: ((x + 0.055) / 1.055) ** 2.4);
		return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
	}).sort((a, b) => a - b);
	return high / low;
}

function checkColors(html, {colorOf}) {
	const schemes = [...html.matchAll(/:root[^{]*\{([^}]*)\}/g)].map(([, block]) =>
		Object.fromEntries([...block.matchAll(/--(\w+):\s*(#\w+)/g)]
			.map(([, name, color]) => [name, color])));
	const pairs = ['fore back', 'soft back', 'link back', 'bad back', 'fore row',
		'soft row', 'link row', 'fore lost', 'fore dim', 'back hit',
		'fore memory', 'fore meter'].flatMap(pair => schemes.map(scheme =>
		pair.split(' ').map(name => scheme[name])));
	const families = ['file', 'io', 'mem', 'sync', 'net', 'process', 'signal', 'dl',
		'time', 'thread'].map(name => name + ':');
	for (let i = 0; i < 100; i++)
		for (const name of ['', ...families].map(each => each + 'x' + i))
			pairs.push([colorOf(name, false), '#111'],
				   [colorOf(name, true), '#fff']);
	for (const scheme of schemes)
		pairs.push([scheme.failed, scheme.fore === '#1b1f24' ? '#111' : '#fff']);
	say('all words can be read on their colours',
	    pairs.filter(pair => !(contrast(...pair) >= 4.5)), []);
}

const sum = list => list.reduce((all, x) => all + x, 0);

function checkLevels(data, events) {
	say('slices stand for all events', sum([...data.count]), events);
	const ahead = new Float64Array(data.nr + 1);
	for (let i = 0; i < data.nr; i++)
		ahead[i + 1] = ahead[i] + data.count[i];
	say('and so does each level', data.levels.map(level => {
		let all = 0;
		for (let run = 0; run < level.nr; run++)
			all += ahead[level.from[run + 1]] - ahead[level.from[run]];
		return all;
	}), data.levels.map(() => events));
	let nr = data.nr;
	say('each has fewer runs', data.levels.filter(level => {
		const isFewer = level.nr < nr;
		nr = level.nr;
		return !isFewer;
	}).length, 0);
	say('a run is of one lane, no wider than the quantum, and its longest is',
	    data.levels.flatMap(level => badRuns(data, level)), []);
	/* Deeper slices share the last lane. */
	say('no two slices of a lane overlap', data.lanes.filter(lane => {
		if (lane.track.lanes.indexOf(lane) === 63)
			return false;
		for (let i = lane.from + 1; i < lane.to; i++)
			if (data.begin[i] < data.end[i - 1])
				return true;
		return false;
	}).length, 0);
}

function badRuns(data, level) {
	const ends = new Set(data.lanes.map(lane => lane.to)), bad = [];
	for (let run = 0; run < level.nr; run++) {
		const from = level.from[run], to = level.from[run + 1];
		let longest = -1;
		for (let i = from; i < to; i++) {
			longest = Math.max(longest, data.took[i]);
			if (i + 1 < to && (ends.has(i + 1) || data.end[i] -
			    data.begin[from] >= 2 * level.quantum))
				bad.push(run);
		}
		if (data.took[level.longest[run]] !== longest ||
		    to - from > 1 && data.end[to - 1] - data.begin[from] >
			2 * level.quantum)
			bad.push(run);
	}
	return bad;
}

/* Nothing that is not seen, or that turns what is around it. */
function checkNames({data}) {
	const shown = [...data.names, ...data.processes.values()].map(each =>
		typeof each === 'string' ? each : each.program || '');
	say('names can be seen', shown.filter(name => /[\p{Cc}\p{Cf}]/u.test(name)), []);
}

/* Those that have slices of their own, which say the same. */
const isPlain = event => !/^(process:start|thread:start|call:)/.test(event.name);

function slicesOf(page) {
	const {data} = page, slices = [];
	for (let i = 0; i < data.nr; i++) {
		/* What is shown when one points at it. */
		const lines = page.details.describe(i).map(([text]) => text);
		slices.push({i, name: data.names[data.name[i]], at: data.begin[i],
			took: data.took[i], head: lines[0], text: lines.slice(1)
				.join('\n')});
	}
	return slices;
}

function keyOf(name, at, took) {
	return name + ' ' + at + ' ' + took;
}

function shown(value) {
	if (typeof value === 'string')
		return value.slice(0, 200);
	return String(value);
}

function checkEvents(page, events) {
	const byKey = new Map();
	for (const slice of slicesOf(page)) {
		const key = keyOf(slice.name, slice.at, slice.took);
		byKey.set(key, [...byKey.get(key) || [], slice]);
	}
	const missing = [], wrong = [];
	for (const event of events.filter(isPlain)) {
		const key = keyOf(event.name, event.at,
				  event.dur === undefined ? -1 : event.dur);
		const own = byKey.get(key);
		if (!own) {
			missing.push(key);
			continue;
		}
		const values = Object.values(event.args || {})
			.filter(value => ['string', 'number', 'boolean']
				.includes(typeof value) && /^[\w/.-]*$/.test(value));
		const name = event.inlined ? event.inlined[0].function
			: (event.sym || '').replace(/\+0x.*/, '');
		if (event.src)
			values.push(`${name} (${event.src})`);
		else if (event.sym)
			values.push(event.sym);
		const who = event.name.startsWith('posix_trace_') ? 'trace'
			: event.pid === event.tid ? `[${event.pid}]`
				: `[${event.pid}/${event.tid}]`;
		if (!own.some(slice => slice.head.includes(who) &&
		    values.every(value => slice.text.includes(shown(value)))))
			wrong.push([key, values, own.map(slice => slice.text)]);
	}
	say('each event is there, with its time and duration', missing, []);
	say('its arguments, its place and whose it is', wrong.slice(0, 3), []);
	const programs = events.filter(e => e.name === 'process:start')
		.map(e => e.args.argv[0].replace(/.*\//, '') + ' ' + e.at).sort();
	const found = slicesOf(page).map(s => s.name + ' ' + s.at);
	say('programs', programs.filter(each => !found.includes(each)), []);
}

function checkZoom(browser) {
	const {page} = browser, {timeline} = page, whole = timeline.wall;
	const window = () => timeline.to - timeline.from;
	const canvas = browser.get('timeline');
	browser.key('f');
	say('f: the whole', [timeline.from, timeline.to], [0, whole]);
	const x = 400, at = timeline.timeAt(x);
	let event = canvas.fire('wheel',
		{ctrlKey: true, deltaX: 0, deltaY: -300, offsetX: x});
	say('the wheel zooms', window() < whole && event.isPrevented, true);
	say('to where it is', Math.abs(timeline.timeAt(x) - at) < whole * 1e-9, true);
	event = canvas.fire('wheel', {deltaX: 0, deltaY: 50, offsetX: x});
	say('without Ctrl it scrolls', event.isPrevented, false);
	const before = window();
	browser.key('w');
	say('w zooms in', window() < before, true);
	browser.key('s');
	say('s zooms out', Math.abs(window() - before) < 1e-3 * before, true);
	const from = timeline.from;
	browser.key('d');
	say('d goes on', timeline.from > from, true);
	browser.key('a');
	say('a goes back', Math.abs(timeline.from - from) < 1e-3 * whole, true);
	const was = timeline.timeAt(500);
	for (const [name, offsetX] of [['pointerdown', 500], ['pointermove', 450],
		['pointerup', 450]])
		browser.get('canvas').fire(name, {pointerId: 1, offsetX, offsetY: 60});
	say('dragging moves', Math.abs(timeline.timeAt(450) - was) < 1e-3 * whole,
	    true);
	browser.key('a', {ctrlKey: true});
	say('keys of the browser are its own',
	    Math.abs(timeline.timeAt(450) - was) < 1e-3 * whole, true);
	/* Even where a long trace is seen from very near. */
	for (const wall of [5e9, 3e13]) {
		const {wall: own, from, to} = timeline;
		Object.assign(timeline, {wall, from: wall / 3, to: wall / 3 + 1e4});
		const marks = browser.draw().of('fillText').filter(({args: [, x, y]}) =>
			x > timeline.left && y < 50)
			.map(({args: [text]}) => text);
		say('no two marks of the ruler are the same', [marks.length > 3,
			new Set(marks).size], [true, marks.length]);
		Object.assign(timeline, {wall: own, from, to});
	}
	browser.key('f');
	const rects = browser.draw().of('fillRect').length;
	say('what is drawn depends on the points', rects <
	    page.data.lanes.length * (browser.width + 4) + 1000, true);
}

/* A click on the middle of a bar selects it. */
function checkPick(browser) {
	const {page} = browser, {timeline, data} = page;
	let longest = 0;
	for (let i = 0; i < data.nr; i++)
		if (data.took[i] > data.took[longest] && data.flags[i] === 0 &&
		    data.count[i] === 1)
			longest = i;
	timeline.goTo(longest, true);
	browser.draw();
	const row = timeline.rowOf.get(browser.page.timeline.rows.find(
		r => r.track.from <= longest && longest < r.track.to).track);
	const lane = row.track.lanes.findIndex(l => longest >= l.from &&
		longest < l.to);
	timeline.selected = -1;
	browser.tap(timeline.xOf((data.begin[longest] + data.end[longest]) / 2),
		    row.y + lane * 14 + 7 - timeline.box.scrollTop);
	say('a click selects', timeline.selected, longest);
	say('and tells of it', browser.get('details').textContent
		.includes(data.names[data.name[longest]]), true);
	browser.key('Escape');
	say('Esc clears', timeline.selected, -1);
}

function checkSearch(browser, events) {
	const {page} = browser;
	for (const word of ['io:', 'MALLOC', '/none', 'nothing like this']) {
		const want = events.filter(isPlain).filter(event =>
			event.name.includes(word.toLowerCase())).length;
		const query = browser.get('query');
		query.value = word;
		query.fire('keydown', {key: 'Enter', target: query});
		if (!word.startsWith('/'))
			say('search ' + word, page.found.hits.length, want);
		else
			say('search ' + word, page.found.hits.length >= events
				.filter(e => JSON.stringify(e.args || '').includes(word) &&
					isPlain(e)).length, true);
	}
	const query = browser.get('query');
	query.value = 'io:';
	query.fire('keydown', {key: 'Enter', target: query});
	const first = page.timeline.selected;
	say('Enter goes to a hit', page.found.hits[0], first);
	say('which is in the window', page.timeline.from <= page.data.begin[first] &&
	    page.data.begin[first] <= page.timeline.to, true);
	browser.key('n');
	say('n to the next', page.timeline.selected, page.found.hits[1]);
	browser.key('N');
	say('N back', page.timeline.selected, first);
	say('hits have their colour', browser.draw().of('fillRect')
		.some(call => call.fill === '--hit'), true);
	query.fire('keydown', {key: 'Escape', target: query});
	say('Esc ends the search', page.found, null);
}

function checkFlame(browser) {
	const {page} = browser, {flame} = page;
	browser.key('2');
	say('the flame graph is shown',
	    [browser.get('flame').hidden, browser.get('timeline').hidden],
	    [false, true]);
	const boxes = page.data.header.flames[0].boxes;
	const all = sum(boxes.filter((_, i) => i % 3 === 2));
	say('its root is all', flame.root.total, all);
	const isSum = node => node.total === node.self +
		sum(node.children.map(child => child.total)) &&
		node.children.every(isSum);
	say('a box is itself and what it calls', isSum(flame.root), true);
	const child = flame.drawn.find(box => box.y === 1);
	browser.get('boxes').fire('click', {offsetX: child.x + child.width / 2,
		offsetY: 19 + 9});
	say('a click zooms', flame.zoomed === child.node, true);
	browser.key('Escape');
	say('Esc ends that', flame.zoomed, null);
	browser.key('i');
	say('the inverse is all, too', flame.root.total, all);
	say('its second floor is what functions took themselves',
	    sum(flame.root.children.map(node => node.total)), all);
	browser.key('i');
}

function checkTables(browser, calls) {
	const {page} = browser;
	browser.key('3');
	say('the tables that there are', page.tables.tables.map(t => t.name),
	    ['programs', 'failures', 'longest', 'processes', 'failed', 'calls', 'cpu', 'off-cpu', 'files',
		    'locks', 'conditions', 'waits', 'critical-path', 'ranks', 'memory', 'io',
		    'spans', 'values', 'contexts', 'events']);
	const table = page.tables.tables.find(t => t.name === 'calls');
	table.button.fire('click');
	const rows = () => browser.get('rows').all('tbody')[0].all('tr')
		.map(row => row.all('td').map(cell => cell.textContent));
	say('calls as in ptrace-report', table.rows.map(row =>
		[row.function, row.calls, row.total, row.self]),
	    calls.rows.map(row => [row.function, row.calls, row.total, row.self]));
	const head = browser.get('rows').all('th')
		.find(th => th.getAttribute('data-key') === 'calls');
	head.fire('click');
	const numbers = rows().map(row => Number(row[0].replace(/\D/g, '')));
	say('sorted by another column', numbers,
	    [...numbers].sort((a, b) => b - a));
	browser.get('rows').all('th').find(th => th.getAttribute('data-key') ===
		'calls').fire('keydown', {key: 'Enter'});
	say('and the other way round',
	    rows().map(row => Number(row[0].replace(/\D/g, ''))),
	    [...numbers].sort((a, b) => a - b));
	for (const each of page.tables.tables)
		each.button.fire('click');
	browser.key('1');
}

/* The strip above, and the memory of processes. */
function checkOverview(browser) {
	const {page} = browser, {timeline, data} = page;
	const where = share => timeline.left +
		share * (timeline.width - timeline.left);
	browser.key('f');
	browser.key('w');
	browser.key('w');
	const size = timeline.to - timeline.from;
	browser.tap(where(0.75), 10);
	say('a click into the overview moves there',
	    [timeline.from + size / 2, timeline.to - timeline.from]
		    .map(x => Math.round(x / timeline.wall * 1e6)),
	    [0.75, size / timeline.wall].map(x => Math.round(x * 1e6)));
	say('it has all events', sum([...timeline.overview.density]),
	    data.header.events);
	const heaps = data.header.views.find(v => v.view === 'memory').heaps;
	const largest = list => list.sort((a, b) => b - a);
	const peaks = largest(data.header.memory
		.map(([, , , points]) => Math.max(...points)));
	say('curves of memory reach the peaks', peaks,
	    largest(heaps.map(heap => heap.peak)).slice(0, peaks.length));
	for (const [number, begin, , points] of data.header.memory) {
		timeline.show(begin, begin + 1e6);
		const row = timeline.rows.find(r => r.track.process &&
			r.track.process.number === number);
		const told = timeline.tellAt(timeline.left + 1, row.y + row.height -
			10 - timeline.box.scrollTop);
		say('and tell it', told.startsWith(
			'memory: ' + browser.window.bytes(points[0]) + ' live at '), true);
		break;
	}
	browser.key('f');
}

function checkRest(browser) {
	browser.key('?');
	say('? shows the keys', browser.get('help').hidden, false);
	browser.key('Escape');
	say('Esc hides them', browser.get('help').hidden, true);
	const {dark} = {dark: browser.page.isDark};
	browser.click('theme');
	say('dark and light', [browser.root.dataset.theme, browser.page.isDark],
	    [dark ? 'light' : 'dark', !dark]);
	browser.click('theme');
}

/* What the page says is missing. */
async function showNotes(html) {
	const browser = new Browser(html, 1280, 800);
	await browser.load();
	console.log(browser.get('notes').textContent);
}

/* Of each thread: its bars, and how many events the fullest one stands for. */
async function showBars(html) {
	const browser = new Browser(html, 1280, 800), {data} = await browser.load();
	for (const {tid, from, to} of data.tracks) {
		const counts = [...data.count.slice(from, to)];
		console.log(tid, to - from, Math.max(...counts));
	}
}

/* The curves of gauges and counters, and what is said where each begins. */
async function showValues(html) {
	const browser = new Browser(html, 1280, 800);
	await browser.load();
	const {timeline} = browser.page;
	for (const row of timeline.rows) {
		const meters = timeline.metersOf(row.track);
		meters.forEach((meter, i) => {
			const [{begin, width, points}] = meter.curves;
			timeline.show(begin, begin + width * 2);
			const y = row.y + row.height - 10 - timeline.box.scrollTop -
				(meters.length - 1 - i) * 26;
			console.log(row.track.process.pid, meter.kind, meter.name,
				'at most', Math.max(...points), 'tells',
				timeline.tellAt(timeline.left + 1, y));
		});
	}
}

/* Slices that end later than the trace. */
async function showLate(html) {
	const browser = new Browser(html, 1280, 800), {data} = await browser.load();
	for (let i = 0; i < data.nr; i++)
		if (data.end[i] > data.wall)
			console.log(data.names[data.name[i]], data.begin[i], data.end[i]);
}

/* When which threads lost events. */
async function showLosses(html) {
	const browser = new Browser(html, 1280, 800), page = await browser.load();
	for (const track of page.data.tracks)
		for (const [begin, end] of browser.window.lossesOf(page.timeline, track))
			console.log(track.tid, begin, end);
}

/* What is told of each event that has that in it. */
async function find(html, words) {
	const browser = new Browser(html, 1280, 800);
	const page = await browser.load();
	page.search(words);
	for (const i of page.found.hits) {
		page.select(i);
		console.log(browser.get('details').textContent);
	}
}

/* Does all that there is to do; says what was drawn that is not a number, or
 * more than a screen has room for. */
async function tryAll(html) {
	for (const [width, height] of [[1280, 800], [390, 844]]) {
		const browser = new Browser(html, width, height);
		const page = await browser.load(), {timeline} = page;
		const brushes = [browser.get('canvas').getContext(),
			browser.get('boxes').getContext()];
		const look = what => {
			const calls = brushes.flatMap(brush => brush.calls);
			const bad = calls.find(({args}) => args.some(arg =>
				typeof arg === 'number' && !Number.isFinite(arg)));
			if (bad || calls.length > 200000 || !(timeline.to > timeline.from))
				console.log(`${what}: ${JSON.stringify(bad)}, ` +
					`${calls.length} calls, ${timeline.from}-${timeline.to}`);
			brushes.forEach(brush => brush.calls = []);
		};
		for (const key of 'fwwwwwwddadswfewwws+-tnN?2i2i31'.split('').concat(
			['Enter', 'ArrowUp', 'ArrowDown', 'Escape'])) {
			browser.key(key);
			timeline.draw();
			look(key);
		}
		for (let i = 0; i < page.data.nr; i += Math.ceil(page.data.nr / 50)) {
			timeline.goTo(i, true);
			page.select(i);
			timeline.draw();
			look('event ' + i);
		}
		for (let y = 0; y < height; y += 7)
			browser.get('canvas').fire('pointermove',
				{pointerId: 9, offsetX: width / 2, offsetY: y});
		for (const words of ['a', '1', '', '0x7', '\u2028'])
			page.search(words);
	}
}

/* Each link between spans; what is said of the first one's end; and how many lines
 * are drawn more than without them. */
async function showLinks(html) {
	const browser = new Browser(html, 1280, 800);
	await browser.load();
	const {data, timeline} = browser.page, {links} = timeline.spanLinks;
	const sliceOf = end => timeline.spanLinks.sliceOf(end, timeline);
	const nameOf = end => data.names[data.name[sliceOf(end)]];
	for (const {from, to, kind} of links)
		console.log(`${nameOf(to)} <- ${nameOf(from)} ${kind}`);
	for (const [text, , does] of browser.page.details.describe(sliceOf(links[0].to)))
		if (/^caused by/.test(text))
			console.log(text.replace(/\d+/g, 'N'), does);
	let drawn = 0;
	timeline.spanLinks.drawOne = () => drawn++;
	timeline.draw();
	console.log(drawn, 'arrows');
}

async function main() {
	const [page, dump, calls] = process.argv.slice(2);
	if (page === '--try')
		return tryAll(fs.readFileSync(dump, 'utf8'));
	if (page === '--notes')
		return showNotes(fs.readFileSync(dump, 'utf8'));
	if (page === '--bars')
		return showBars(fs.readFileSync(dump, 'utf8'));
	if (page === '--values')
		return showValues(fs.readFileSync(dump, 'utf8'));
	if (page === '--links')
		return showLinks(fs.readFileSync(dump, 'utf8'));
	if (page === '--late')
		return showLate(fs.readFileSync(dump, 'utf8'));
	if (page === '--losses')
		return showLosses(fs.readFileSync(dump, 'utf8'));
	if (page === '--find')
		return find(fs.readFileSync(dump, 'utf8'), calls);
	const html = fs.readFileSync(page, 'utf8');
	const browser = new Browser(html, 1280, 800);
	const events = readEvents(dump);
	checkFile(html);
	await browser.load();
	checkLevels(browser.page.data, events.length);
	checkNames(browser.page);
	if (!calls)
		return;
	checkColors(html, browser.window);
	checkEvents(browser.page, events);
	checkZoom(browser);
	checkPick(browser);
	checkSearch(browser, events);
	checkFlame(browser);
	checkTables(browser, JSON.parse(fs.readFileSync(calls, 'utf8')));
	checkOverview(browser);
	checkRest(browser);
	const phone = new Browser(html, 390, 844);
	await phone.load('#tab=timeline&from=1000&to=2000&query=io%3A');
	say('a window in the address is kept', [phone.page.timeline.from,
		phone.page.timeline.to], [1000, 2000]);
	say('on a phone labels leave room', phone.page.timeline.left, 86);
}

main().catch(error => {
	console.log('fail the page works');
	console.log('# ' + String(error.stack).replace(/\n/g, '\n# '));
});
