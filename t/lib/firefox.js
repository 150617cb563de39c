/* SPDX-License-Identifier: MIT */
/*
 * Firefox, driven as devtools.js drives Chromium: over WebDriver BiDi, JSON in
 * messages of a WebSocket.  What it has no words for (the colours that a person
 * prefers, touch, print) stays as it is.
 */
'use strict';
const fs = require('fs'), net = require('net'), path = require('path');
const crypto = require('crypto');
const {pathToFileURL} = require('url');
const {Browser, CannotStart} = require('./devtools.js');

const [, , , file, , folder] = process.argv;
const profile = path.join(folder, 'profile');

const options = ['--headless', '--no-remote', '--remote-debugging-port=0',
	'--profile', profile, 'about:blank'];

/* Nothing but our page, and light. */
const preferences = {
	'app.update.enabled': false,
	'browser.shell.checkDefaultBrowser': false,
	'browser.safebrowsing.update.enabled': false,
	'datareporting.policy.dataSubmissionEnabled': false,
	'extensions.update.enabled': false,
	'layout.css.prefers-color-scheme.content-override': 1,
	'network.captive-portal-service.enabled': false,
	'network.connectivity-service.enabled': false,
	'toolkit.telemetry.enabled': false,
	'ui.prefersReducedMotion': 1,
};

/* Keys that are no characters have codes of the WebDriver standard. */
const keys = {Backspace: '\ue003', Tab: '\ue004', Enter: '\ue007',
	Shift: '\ue008', Escape: '\ue00c', PageUp: '\ue00e', PageDown: '\ue00f',
	End: '\ue010', Home: '\ue011', ArrowLeft: '\ue012', ArrowUp: '\ue013',
	ArrowRight: '\ue014', ArrowDown: '\ue015', Delete: '\ue017'};

/* A value as the protocol tells it. */
function plain({type, value}) {
	switch (type) {
	case 'null':
		return null;
	case 'number':
		return Number(value);
	case 'array':
		return value.map(plain);
	case 'object':
		return Object.fromEntries(value.map(([key, of]) => [key, plain(of)]));
	default:
		return value;
	}
}

/* As much of RFC 6455 as one client of a server on this machine needs. */
class Socket {
	constructor(port, take, fail) {
		this.rest = Buffer.alloc(0);
		this.parts = [];
		this.take = take;
		this.socket = net.connect(port, '127.0.0.1');
		this.socket.on('error', error => fail(error.message));
		this.socket.on('close', () => fail('the browser hung up'));
		this.socket.write(`GET /session HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n` +
			'Upgrade: websocket\r\nConnection: Upgrade\r\n' +
			`Sec-WebSocket-Key: ${crypto.randomBytes(16).toString('base64')}\r\n` +
			'Sec-WebSocket-Version: 13\r\n\r\n');
		this.opened = new Promise((done, not) => {
			this.socket.on('data', data => {
				this.rest = Buffer.concat([this.rest, data]);
				if (this.isOpen)
					this.read();
				else
					this.greet(done, not);
			});
		});
	}
	greet(done, not) {
		const end = this.rest.indexOf('\r\n\r\n');
		if (end < 0)
			return;
		if (!this.rest.subarray(0, end).toString().includes(' 101 '))
			not(new CannotStart('it speaks no WebSocket'));
		this.rest = this.rest.subarray(end + 4);
		this.isOpen = true;
		done();
		this.read();
	}
	/* One frame of what has come, or nothing. */
	frame() {
		let size = this.rest.length > 1 ? this.rest[1] & 0x7f : Infinity, at = 2;
		if (size === 126 && this.rest.length >= 4)
			size = this.rest.readUInt16BE(2), at = 4;
		else if (size === 127 && this.rest.length >= 10)
			size = Number(this.rest.readBigUInt64BE(2)), at = 10;
		else if (size === 126 || size === 127)
			return undefined;
		if (this.rest.length < at + size)
			return undefined;
		const frame = {first: this.rest[0],
			bytes: this.rest.subarray(at, at + size)};
		this.rest = this.rest.subarray(at + size);
		return frame;
	}
	read() {
		for (let frame; (frame = this.frame());) {
			const what = frame.first & 0xf;
			if (what === 9)
				this.send(frame.bytes, 0x8a);
			if (what > 2)
				continue;
			this.parts.push(frame.bytes);
			if (!(frame.first & 0x80))
				continue;
			this.take(JSON.parse(Buffer.concat(this.parts).toString()));
			this.parts = [];
		}
	}
	/* What a client sends is masked. */
	send(bytes, first = 0x81) {
		const head = Buffer.alloc(14), size = bytes.length;
		const mask = crypto.randomBytes(4);
		let at = 2;
		head[0] = first;
		if (size < 126) {
			head[1] = 0x80 | size;
		} else if (size < 65536) {
			head[1] = 0x80 | 126;
			at = head.writeUInt16BE(size, 2);
		} else {
			head[1] = 0x80 | 127;
			at = head.writeBigUInt64BE(BigInt(size), 2);
		}
		mask.copy(head, at);
		this.socket.write(Buffer.concat([head.subarray(0, at + 4),
			bytes.map((byte, i) => byte ^ mask[i % 4])]));
	}
}

class Firefox extends Browser {
	constructor() {
		fs.mkdirSync(profile, {recursive: true});
		fs.writeFileSync(path.join(profile, 'user.js'),
			Object.entries(preferences).map(([name, value]) =>
				`user_pref("${name}", ${value});\n`).join(''));
		super(options, []);
	}
	call(method, params = {}) {
		const id = ++this.number;
		if (this.why)
			return Promise.reject(new Error(this.why));
		if (this.context && !('context' in params))
			params.context = this.context;
		this.socket.send(Buffer.from(JSON.stringify({id, method, params})));
		return new Promise((resolve, reject) =>
			this.calls.set(id, {resolve, reject}));
	}
	/* What it tells is told as Chromium would, for sayNoErrors(). */
	take(message) {
		const {method, params} = message;
		if (method === 'log.entryAdded')
			this.told.push({method: 'Log.entryAdded', params: {entry: params}});
		else if (method === 'network.beforeRequestSent')
			this.told.push({method: 'Network.requestWillBeSent', params});
		else if (message.type === 'error')
			super.take({id: message.id, error: message});
		else
			super.take(message);
	}
	async connect() {
		let port;
		while (!(port = / on ws:\/\/[^:]+:(\d+)/.exec(this.words))) {
			if (this.why)
				throw new Error(this.why);
			await new Promise(done => setTimeout(done, 20));
		}
		this.socket = new Socket(port[1], message => this.take(message),
			why => this.fail(why));
		await this.socket.opened;
	}
	async begin() {
		await this.connect();
		await this.call('session.new', {capabilities: {}});
		const {contexts} = await this.call('browsingContext.getTree');
		await this.call('session.subscribe', {contexts: [contexts[0].context],
			events: ['log.entryAdded', 'network.beforeRequestSent']});
		this.context = contexts[0].context;
		return this.ask('1 + 1');
	}
	async ask(expression) {
		const {type, result, exceptionDetails} = await this.call(
			'script.evaluate', {awaitPromise: true, expression,
				target: {context: this.context}});
		if (type === 'exception')
			throw new Error(expression + ': ' + exceptionDetails.text);
		return plain(result);
	}
	async show(width, height, isDark, hash = '') {
		await this.call('browsingContext.setViewport',
			{viewport: {width, height}, devicePixelRatio: 1});
		for (const url of ['about:blank', pathToFileURL(file).href + hash])
			await this.call('browsingContext.navigate', {url, wait: 'complete'});
		return this.ready();
	}
	perform(type, actions, more = {}) {
		return this.call('input.performActions',
			{actions: [{type, id: type, actions, ...more}]});
	}
	async key(key) {
		const value = keys[key] || key;
		await this.perform('key', [{type: 'keyDown', value},
			{type: 'keyUp', value}]);
		await this.drawn();
	}
	async type(text) {
		await this.perform('key', [...text].flatMap(value =>
			[{type: 'keyDown', value}, {type: 'keyUp', value}]));
	}
	async shift(type, modifiers) {
		if (modifiers & 8)
			await this.perform('key', [{type, value: keys.Shift}]);
	}
	async mouse(type, x, y, {deltaX = 0, deltaY = 0, modifiers = 0} = {}) {
		[x, y] = [Math.round(x), Math.round(y)];
		if (type === 'mouseWheel') {
			await this.perform('wheel',
				[{type: 'scroll', x, y, deltaX, deltaY}]);
			return;
		}
		const actions = [{type: 'pointerMove', x, y}];
		if (type === 'mousePressed')
			actions.push({type: 'pointerDown', button: 0});
		else if (type === 'mouseReleased')
			actions.push({type: 'pointerUp', button: 0});
		await this.shift('keyDown', modifiers);
		await this.perform('pointer', actions);
		await this.shift('keyUp', modifiers);
	}
	async picture(name) {
		const {data} = await this.call('browsingContext.captureScreenshot');
		fs.writeFileSync(path.join(folder, name + '.png'),
				 Buffer.from(data, 'base64'));
	}
	async end() {
		await this.call('browser.close', {context: undefined});
	}
}

module.exports = {Firefox};
