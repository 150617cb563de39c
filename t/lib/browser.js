/* SPDX-License-Identifier: MIT */
/*
 * As much of a browser as the page of ptrace-report needs, to run its script in
 * node: elements, events, and a canvas that writes down what is drawn.  Markup
 * cannot be made here: nothing of a log may be.
 */
'use strict';
const vm = require('vm');

class Events {
	constructor() {
		this.listeners = {};
	}
	addEventListener(name, listener) {
		(this.listeners[name] = this.listeners[name] || []).push(listener);
	}
	fire(name, event = {}) {
		const whole = {target: this, isPrevented: false, preventDefault() {
			this.isPrevented = true;
		}, ...event};
		for (const listener of this.listeners[name] || [])
			listener(whole);
		return whole;
	}
}

/* Calls of a canvas's context that draw. */
class Brush {
	constructor() {
		this.calls = [];
		for (const name of ['setTransform', 'setLineDash', 'beginPath', 'moveTo', 'lineTo',
			'stroke', 'save', 'restore', 'rect', 'clip', 'fillRect',
			'strokeRect', 'fillText'])
			this[name] = (...args) => this.calls.push({name, args,
				fill: this.fillStyle, pen: this.strokeStyle,
				align: this.textAlign, alpha: this.globalAlpha});
	}
	measureText(text) {
		return {width: text.length * 6.2};
	}
	of(name) {
		return this.calls.filter(call => call.name === name);
	}
}

class Element extends Events {
	constructor(tag, browser) {
		super();
		Object.assign(this, {tagName: tag.toUpperCase(), children: [],
			attributes: {}, dataset: {}, style: {}, hidden: false,
			scrollTop: 0, value: '', text: '', browser});
	}
	get textContent() {
		return this.text + this.children.map(c => c.textContent).join('');
	}
	set textContent(text) {
		this.children = [];
		this.text = String(text);
	}
	set innerHTML(markup) {
		throw new Error('markup: ' + markup);
	}
	get clientWidth() {
		return this.browser.width;
	}
	get clientHeight() {
		return this.browser.height - 150;
	}
	setAttribute(name, value) {
		if (/^(on|src|href|style)/.test(name))
			throw new Error('attribute: ' + name);
		this.attributes[name] = String(value);
	}
	getAttribute(name) {
		return this.attributes[name] === undefined ? null
			: this.attributes[name];
	}
	append(...children) {
		this.children.push(...children);
	}
	replaceChildren(...children) {
		this.text = '';
		this.children = children;
	}
	getContext() {
		this.brush = this.brush || new Brush();
		return this.brush;
	}
	setPointerCapture() {}
	focus() {
		this.browser.focused = this;
	}
	/* All elements below with that tag. */
	all(tag) {
		return this.children.flatMap(child =>
			[...child.tagName === tag.toUpperCase() ? [child] : [],
				...child.all(tag)]);
	}
}

class Browser {
	constructor(html, width, height) {
		Object.assign(this, {html, width, height, frames: [], isDark: false});
		this.elements = new Map();
		this.root = new Element('html', this);
		this.body = new Element('body', this);
		this.window = new Events();
		const tags = html.matchAll(/<(\w+)([^>]*?) id="([\w-]+)"([^>]*)>/g);
		for (const [, tag, before, id, after] of tags) {
			const element = new Element(tag, this);
			element.hidden = / hidden/.test(before + after);
			this.elements.set(id, element);
		}
		const data = html.indexOf('\n', html.indexOf('id="data"'));
		this.get('data').textContent =
			html.slice(data, html.indexOf('</script>', data));
		const script = html.lastIndexOf('<script>') + '<script>'.length;
		this.script = html.slice(script, html.indexOf('</script>', script));
	}
	get(id) {
		if (!this.elements.has(id))
			throw new Error('no element ' + id);
		return this.elements.get(id);
	}
	/* Runs the script, until the page is there. */
	async load(hash = '') {
		const browser = this, theme = {getPropertyValue: name => name};
		const context = Object.assign(this.window, {
			document: {getElementById: id => this.get(id), title: '',
				documentElement: this.root,
				createElement: tag => new Element(tag, this)},
			location: {hash},
			history: {replaceState: (_, __, to) => {
				context.location.hash = to;
			}, pushState: (_, __, to) => {
				context.location.hash = to;
			}},
			matchMedia: () => ({get matches() {
				return browser.isDark;
			}, addEventListener() {}}),
			getComputedStyle: () => theme,
			ResizeObserver: class {
				observe() {}
			},
			requestAnimationFrame: frame => this.frames.push(frame),
			devicePixelRatio: 1, atob, Blob, DecompressionStream, Response,
			TextDecoder, TextEncoder, URLSearchParams, performance, setTimeout,
			clearTimeout, console,
		});
		context.window = context;
		context.addEventListener = Events.prototype.addEventListener
			.bind(this.window);
		vm.runInNewContext(this.script, context);
		while (!this.root.dataset.ready)
			await new Promise(done => setTimeout(done, 1));
		this.page = context.page;
		return this.page;
	}
	/* Draws the frames that were asked for, and returns what they drew. */
	draw() {
		const {brush} = this.get('canvas');
		brush.calls = [];
		this.page.timeline.asked = 0;
		this.frames.length = 0;
		this.page.timeline.draw();
		return brush;
	}
	key(key, more = {}) {
		return this.window.fire('keydown', {key, target: this.body, ...more});
	}
	click(id) {
		this.get(id).fire('click');
	}
	/* A click, or a tap, on a point of the timeline. */
	tap(x, y) {
		for (const name of ['pointerdown', 'pointerup'])
			this.get('canvas').fire(name,
				{pointerId: 1, offsetX: x, offsetY: y});
	}
}

module.exports = {Browser};
