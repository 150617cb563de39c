/* SPDX-License-Identifier: MIT */
/*
 * node chromium.js CHROMIUM PAGE EVENTS FOLDER: opens a page of ptrace-report in
 * a browser without a screen, and does what a user does.  Prints "pass NAME" or
 * "fail NAME" for each test, or "skip WHY" if the browser does not work here;
 * pictures of the page are put into the folder, where the browser is at home.
 */
'use strict';
const fs = require('fs'), path = require('path');
const {spawn} = require('child_process');
const {pathToFileURL} = require('url');

const [, , program, file, nrEvents, folder] = process.argv;

function say(name, got, want) {
	const [a, b] = [got, want].map(x => JSON.stringify(x));
	console.log((a === b ? 'pass ' : 'fail ') + name);
	if (a !== b)
		console.log(`# got:  ${a}\n# want: ${b}`);
}

/* As root, in a container, without a screen, a bus or a network. */
const options = ['--headless=new', '--no-sandbox', '--disable-gpu',
	'--disable-dev-shm-usage', '--disable-breakpad', '--disable-extensions',
	'--disable-background-networking', '--disable-component-update',
	'--disable-sync', '--disable-background-timer-throttling',
	'--disable-backgrounding-occluded-windows',
	'--disable-renderer-backgrounding', '--no-first-run',
	'--no-default-browser-check', '--mute-audio', '--password-store=basic',
	'--force-color-profile=srgb', '--hide-scrollbars',
	'--remote-debugging-pipe', '--user-data-dir=' + path.join(folder, 'profile'),
	'about:blank'];

const START_MS = 60000, ALL_MS = 150000;

class CannotStart extends Error {}

/* The DevTools protocol over two pipes: JSON with a null behind each. */
class Browser {
	constructor() {
		const env = {...process.env, HOME: folder, XDG_RUNTIME_DIR: folder,
			XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, TMPDIR: folder};
		for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'CHROMIUM_FLAGS',
			'CHROMIUM_USER_FLAGS', 'DBUS_SESSION_BUS_ADDRESS'])
			delete env[name];
		/* A group of its own: it begins many processes. */
		this.child = spawn(program, options, {env, detached: true,
			stdio: ['ignore', 'ignore', 'pipe', 'pipe', 'pipe']});
		this.calls = new Map();
		this.number = 0;
		this.told = [];
		this.words = '';
		this.child.stderr.on('data', text => {
			this.words = (this.words + text).slice(-2000);
		});
		this.child.on('error', error => this.fail(error.message));
		this.gone = new Promise(done => this.child.on('close', () => {
			this.fail('the browser ended');
			done();
		}));
		this.limit(START_MS);
		if (this.child.stdio[3])
			this.listen(this.child.stdio[3], this.child.stdio[4]);
	}
	listen(to, from) {
		let rest = '';
		from.setEncoding('utf8');
		from.on('data', text => {
			const messages = (rest + text).split('\0');
			rest = messages.pop();
			messages.forEach(message => this.take(JSON.parse(message)));
		});
		for (const pipe of [to, from])
			pipe.on('error', error => this.fail(error.message));
	}
	limit(ms) {
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.fail('it took too long'), ms);
	}
	/* From now on every call fails. */
	fail(why) {
		this.why = this.why || why;
		for (const {reject} of this.calls.values())
			reject(new Error(this.why));
		this.calls.clear();
	}
	take(message) {
		const call = this.calls.get(message.id);
		if (!call) {
			this.told.push(message);
			return;
		}
		this.calls.delete(message.id);
		if (message.error)
			call.reject(new Error(JSON.stringify(message.error)));
		else
			call.resolve(message.result);
	}
	call(method, params = {}) {
		const id = ++this.number, sessionId = this.session;
		if (this.why)
			return Promise.reject(new Error(this.why));
		this.child.stdio[3].write(
			JSON.stringify({id, method, params, sessionId}) + '\0');
		return new Promise((resolve, reject) =>
			this.calls.set(id, {resolve, reject}));
	}
	async open() {
		try {
			const {targetId} = await this.call('Target.createTarget',
				{url: 'about:blank'});
			const {sessionId} = await this.call('Target.attachToTarget',
				{targetId, flatten: true});
			this.session = sessionId;
			for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
				await this.call(domain + '.enable');
			await this.call('Page.bringToFront');
			await this.call('Emulation.setFocusEmulationEnabled',
				{enabled: true});
			if (await this.ask('1 + 1') !== 2)
				throw new Error('it cannot count');
		} catch (error) {
			throw new CannotStart(error.message + ' ' + this.words.trim()
				.split('\n').pop());
		}
		this.limit(ALL_MS);
	}
	async close() {
		const hurry = setTimeout(() => this.kill(), 5000);
		this.session = undefined;
		await this.call('Browser.close').catch(() => {});
		this.kill();
		await this.gone;
		clearTimeout(hurry);
		clearTimeout(this.timer);
	}
	kill() {
		if (!this.child.pid)
			return;
		try {
			process.kill(-this.child.pid, 'SIGKILL');
		} catch {
			/* All of it is gone. */
		}
	}
	async ask(expression) {
		const {result, exceptionDetails} = await this.call('Runtime.evaluate',
			{expression, awaitPromise: true, returnByValue: true});
		if (exceptionDetails)
			throw new Error(expression + ': ' +
				JSON.stringify(exceptionDetails));
		return result.value;
	}
	/* After what was asked for has been drawn. */
	drawn() {
		return this.ask('new Promise(done => requestAnimationFrame(() => ' +
			'requestAnimationFrame(() => done(true))))');
	}
	async show(width, height, isDark, hash = '') {
		await this.call('Emulation.setDeviceMetricsOverride',
			{width, height, deviceScaleFactor: 1, mobile: width < 600});
		await this.call('Emulation.setTouchEmulationEnabled',
			{enabled: width < 600});
		await this.call('Emulation.setEmulatedMedia', {features: [{
			name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light'}]});
		/* With another part behind the # alone it would not be loaded. */
		await this.call('Page.navigate', {url: 'about:blank'});
		const {errorText} = await this.call('Page.navigate',
			{url: pathToFileURL(file).href + hash});
		if (errorText)
			throw new CannotStart('it cannot read our files: ' + errorText);
		return this.ready();
	}
	/* An answer can come from the page before, or get lost with it. */
	async ready() {
		let ready;
		do {
			ready = await this.ask('location.protocol === "file:" && ' +
				'document.documentElement.dataset.ready')
				.catch(error => {
					if (this.why)
						throw error;
				});
			await new Promise(done => setTimeout(done, 10));
		} while (!ready);
		return ready;
	}
	async key(key, code = key) {
		const text = key.length === 1 ? key : key === 'Enter' ? '\r' : undefined;
		await this.call('Input.dispatchKeyEvent',
			{type: 'keyDown', key, code, text,
				windowsVirtualKeyCode: key === 'Enter' ? 13 : undefined});
		await this.call('Input.dispatchKeyEvent', {type: 'keyUp', key, code});
		await this.drawn();
	}
	async mouse(type, x, y, more = {}) {
		await this.call('Input.dispatchMouseEvent', {type, x, y, ...more});
	}
	async click(x, y) {
		const left = {button: 'left', clickCount: 1};
		await this.mouse('mousePressed', x, y, left);
		await this.mouse('mouseReleased', x, y, left);
		await this.drawn();
	}
	/* The middle of an element. */
	async middle(selector) {
		return this.ask(`(() => { const box = document.querySelector(
			${JSON.stringify(selector)}).getBoundingClientRect();
			return [box.x + box.width / 2, box.y + box.height / 2]; })()`);
	}
	async picture(name) {
		const {data} = await this.call('Page.captureScreenshot',
			{format: 'png'});
		fs.writeFileSync(path.join(folder, name + '.png'),
				 Buffer.from(data, 'base64'));
	}
}

const window = 'page.timeline.to - page.timeline.from';

/* How many colours the timeline has. */
const colors = `(() => { const canvas = document.getElementById('canvas');
	const {data} = canvas.getContext('2d').getImageData(0, 0, canvas.width,
		canvas.height);
	return new Set(new Uint32Array(data.buffer)).size; })()`;

/* Where on the screen the longest bar is. */
const longest = `(() => { const {timeline, data} = page;
	let i = 0;
	for (let j = 0; j < data.nr; j++)
		if (data.took[j] > data.took[i] && data.count[j] === 1)
			i = j;
	timeline.goTo(i, true);
	timeline.selected = -1;
	const row = timeline.rows.find(r => r.track.from <= i && i < r.track.to);
	const lane = row.track.lanes.findIndex(l => l.from <= i && i < l.to);
	const box = timeline.canvas.getBoundingClientRect();
	return [i, box.x + timeline.xOf((data.begin[i] + data.end[i]) / 2),
		box.y + row.y + lane * 14 + 7 - timeline.box.scrollTop]; })()`;

async function testTimeline(browser) {
	say('it is there', await browser.show(1280, 800, false), 'yes');
	say('all events are', await browser.ask(
		'page.data.count.reduce((a, b) => a + b, 0)'), Number(nrEvents));
	say('something is drawn', await browser.ask(colors) > 5, true);
	await browser.picture('timeline-1280');
	const whole = await browser.ask(window);
	await browser.mouse('mouseWheel', 700, 300,
		{deltaX: 0, deltaY: -400, modifiers: 2});
	await browser.drawn();
	const closer = await browser.ask(window);
	say('Ctrl and the wheel zoom', closer < whole, true);
	await browser.key('w', 'KeyW');
	say('w zooms', await browser.ask(window) < closer, true);
	const from = await browser.ask('page.timeline.from');
	const left = {button: 'left', buttons: 1};
	await browser.mouse('mousePressed', 700, 300, left);
	await browser.mouse('mouseMoved', 600, 300, left);
	await browser.mouse('mouseReleased', 600, 300, left);
	await browser.drawn();
	say('dragging moves', await browser.ask('page.timeline.from') > from, true);
	await browser.key('f', 'KeyF');
	say('f: the whole', await browser.ask(window), whole);
	const [i, x, y] = await browser.ask(longest);
	await browser.drawn();
	await browser.click(x, y);
	say('a click selects', await browser.ask('page.timeline.selected'), i);
	say('and tells', (await browser.ask(
		'document.getElementById("details").textContent')).includes(' at '), true);
	const [corner, top] = await browser.ask(`(() => {
		const box = page.timeline.canvas.getBoundingClientRect();
		return [box.x, box.y]; })()`);
	await browser.key('w', 'KeyW');
	await browser.click(corner + 1200, top + 10);
	say('a click into the overview moves', await browser.ask(
		'page.timeline.to > 0.9 * page.timeline.wall'), true);
	await browser.key('f', 'KeyF');
	say('tracks scroll under the head', await browser.ask(`(() => {
		const {box, canvas} = page.timeline, top = canvas.getBoundingClientRect().y;
		box.scrollTop = 1e6;
		const is = canvas.getBoundingClientRect().y === top;
		box.scrollTop = 0;
		return is; })()`), true);
}

async function testSearch(browser) {
	await browser.ask('document.getElementById("query").focus()');
	await browser.call('Input.insertText', {text: 'io:'});
	await browser.key('Enter');
	say('a search finds', await browser.ask('page.found.hits.length > 0'), true);
	say('and goes there', await browser.ask(
		'page.timeline.selected === page.found.hits[0]'), true);
	await browser.picture('search-1280');
	await browser.ask('new Promise(done => setTimeout(done, 300))');
	const hash = await browser.ask('location.hash');
	say('the address has it', /query=io%3A/.test(hash), true);
	await browser.show(1280, 800, true, hash);
	say('a reload keeps it', await browser.ask('page.found.words'), 'io:');
	say('dark, if that is preferred', await browser.ask('page.isDark'), true);
	await browser.picture('dark-1280');
}

async function testOthers(browser) {
	await browser.click(...await browser.middle('#tab-flame'));
	say('the flame graph', await browser.ask(
		'[document.getElementById("flame").hidden, page.flame.drawn.length > 0]'),
	    [false, true]);
	await browser.picture('flame-1280');
	await browser.click(...await browser.middle('#tab-tables'));
	await browser.click(...await browser.middle('[data-table=events]'));
	await browser.click(...await browser.middle('[data-key=event]'));
	say('a table is sorted', await browser.ask(`(() => {
		const names = [...document.querySelectorAll('tbody tr')].map(row =>
			row.lastElementChild.textContent);
		return names.length > 1 && names.join() === [...names].sort().join();
	})()`), true);
	await browser.picture('tables-1280');
}

const isTooWide =
	'document.documentElement.scrollWidth > document.documentElement.clientWidth';

async function testPhone(browser) {
	say('on a phone', await browser.show(390, 844, false), 'yes');
	say('it fits', await browser.ask(isTooWide), false);
	say('buttons are large enough', await browser.ask(
		`[...document.querySelectorAll('header button')].filter(button =>
			button.getBoundingClientRect().height < 40).length`), 0);
	await browser.picture('timeline-390');
	const [i, x, y] = await browser.ask(longest);
	await browser.drawn();
	await browser.call('Input.dispatchTouchEvent',
		{type: 'touchStart', touchPoints: [{x, y}]});
	await browser.call('Input.dispatchTouchEvent',
		{type: 'touchEnd', touchPoints: []});
	await browser.drawn();
	say('a tap selects', await browser.ask('page.timeline.selected'), i);
	const before = await browser.ask(window);
	await browser.call('Input.dispatchTouchEvent', {type: 'touchStart',
		touchPoints: [{x: 200, y: 400, id: 0}, {x: 240, y: 400, id: 1}]});
	await browser.call('Input.dispatchTouchEvent', {type: 'touchMove',
		touchPoints: [{x: 140, y: 400, id: 0}, {x: 300, y: 400, id: 1}]});
	await browser.call('Input.dispatchTouchEvent',
		{type: 'touchEnd', touchPoints: []});
	await browser.drawn();
	say('two fingers zoom', await browser.ask(window) < before, true);
	await browser.click(...await browser.middle('#tab-tables'));
	say('tables fit, too', await browser.ask(isTooWide), false);
	await browser.picture('tables-390');
}

async function main() {
	const browser = new Browser();
	try {
		await browser.open();
		await testTimeline(browser);
		await testSearch(browser);
		await testOthers(browser);
		await testPhone(browser);
		say('no errors', browser.told.filter(({method, params}) =>
			method === 'Runtime.exceptionThrown' ||
			method === 'Log.entryAdded' && params.entry.level === 'error')
			.map(({params}) => JSON.stringify(params).slice(0, 300)), []);
		say('and no network', browser.told.filter(({method, params}) =>
			method === 'Network.requestWillBeSent' &&
			!/^(file|about):/.test(params.request.url))
			.map(({params}) => params.request.url), []);
	} catch (error) {
		if (!(error instanceof CannotStart))
			throw error;
		console.log('skip ' + error.message.replace(/\s+/g, ' '));
	} finally {
		await browser.close();
	}
}

main().catch(error => {
	console.log('fail the browser works');
	console.log('# ' + String(error.stack).replace(/\n/g, '\n# '));
});
