/* SPDX-License-Identifier: MIT */
/*
 * A real browser without a screen, driven as a person drives it: Chromium, over
 * the DevTools protocol, or Firefox (firefox.js).  What the scripts of tests
 * share; see chromium.js.
 */
'use strict';
const fs = require('fs'), path = require('path');
const {spawn} = require('child_process');
const {pathToFileURL} = require('url');

const [, , program, file, , folder] = process.argv;

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
	constructor(words = options, pipes = ['pipe', 'pipe']) {
		const env = {...process.env, HOME: folder, XDG_RUNTIME_DIR: folder,
			XDG_CONFIG_HOME: folder, XDG_CACHE_HOME: folder, TMPDIR: folder};
		for (const name of ['DISPLAY', 'WAYLAND_DISPLAY', 'CHROMIUM_FLAGS',
			'CHROMIUM_USER_FLAGS', 'DBUS_SESSION_BUS_ADDRESS'])
			delete env[name];
		/* A group of its own: it begins many processes. */
		this.child = spawn(program, words, {env, detached: true,
			stdio: ['ignore', 'ignore', 'pipe', ...pipes]});
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
	async begin() {
		const {targetId} = await this.call('Target.createTarget',
			{url: 'about:blank'});
		const {sessionId} = await this.call('Target.attachToTarget',
			{targetId, flatten: true});
		this.session = sessionId;
		for (const domain of ['Page', 'Runtime', 'Log', 'Network'])
			await this.call(domain + '.enable');
		await this.call('Page.bringToFront');
		await this.call('Emulation.setFocusEmulationEnabled', {enabled: true});
		return this.ask('1 + 1');
	}
	async end() {
		this.session = undefined;
		await this.call('Browser.close');
	}
	async open() {
		try {
			if (await this.begin() !== 2)
				throw new Error('it cannot count');
		} catch (error) {
			throw new CannotStart(error.message + ' ' + this.words.trim()
				.split('\n').pop());
		}
		this.limit(ALL_MS);
	}
	async close() {
		const hurry = setTimeout(() => this.kill(), 5000);
		await this.end().catch(() => {});
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
	async show(width, height, isDark, hash = '', page = file) {
		await this.call('Emulation.setDeviceMetricsOverride',
			{width, height, deviceScaleFactor: 1, mobile: width < 600});
		await this.call('Emulation.setTouchEmulationEnabled',
			{enabled: width < 600});
		await this.call('Emulation.setEmulatedMedia', {features: [{
			name: 'prefers-color-scheme', value: isDark ? 'dark' : 'light'}]});
		/* With another part behind the # alone it would not be loaded. */
		await this.call('Page.navigate', {url: 'about:blank'});
		const {errorText} = await this.call('Page.navigate',
			{url: pathToFileURL(page).href + hash});
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
	/* With a button held; modifiers: 8 is Shift. */
	async drag(x, y, toX, toY, modifiers = 0) {
		const left = {button: 'left', buttons: 1, clickCount: 1, modifiers};
		await this.mouse('mousePressed', x, y, left);
		await this.mouse('mouseMoved', (x + toX) / 2, (y + toY) / 2, left);
		await this.mouse('mouseMoved', toX, toY, left);
		await this.mouse('mouseReleased', toX, toY, left);
		await this.drawn();
	}
	async type(text) {
		await this.call('Input.insertText', {text});
	}
	/* The middle of an element, which a person would have scrolled to. */
	async middle(selector) {
		return this.ask(`(() => { const element = document.querySelector(
			${JSON.stringify(selector)});
			element.scrollIntoView({block: 'nearest', inline: 'nearest'});
			const box = element.getBoundingClientRect();
			return [box.x + box.width / 2, box.y + box.height / 2]; })()`);
	}
	async picture(name) {
		const {data} = await this.call('Page.captureScreenshot',
			{format: 'png'});
		fs.writeFileSync(path.join(folder, name + '.png'),
				 Buffer.from(data, 'base64'));
	}
}

/* What nothing that a person does may lead to. */
function sayNoErrors(browser) {
	say('no errors', browser.told.filter(({method, params}) =>
		method === 'Runtime.exceptionThrown' ||
		method === 'Log.entryAdded' && params.entry.level === 'error')
		.map(({params}) => JSON.stringify(params).slice(0, 300)), []);
	say('and no network', browser.told.filter(({method, params}) =>
		method === 'Network.requestWillBeSent' &&
		!/^(file|about):/.test(params.request.url))
		.map(({params}) => params.request.url), []);
}

/* Runs the tests, one after the other; "skip WHY" if the browser does not work
 * here. */
async function drive(...tests) {
	const browser = new (path.basename(program).startsWith('firefox') ?
		require('./firefox.js').Firefox : Browser)();
	try {
		await browser.open();
		for (const test of tests)
			await test(browser);
		sayNoErrors(browser);
	} catch (error) {
		if (!(error instanceof CannotStart)) {
			console.log('fail the browser works');
			console.log('# ' + String(error.stack).replace(/\n/g, '\n# '));
			return;
		}
		console.log('skip ' + error.message.replace(/\s+/g, ' '));
	} finally {
		await browser.close();
	}
}

module.exports = {Browser, CannotStart, drive, say};
