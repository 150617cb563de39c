/* SPDX-License-Identifier: MIT */
/* The page: what is shown, and what keys and pointers do. */

const $ = id => document.getElementById(id);
const tabs = ['timeline', 'flame', 'tables'];

/* A text with a class, or without one. */
function textWith(tag, text, kind) {
	const element = document.createElement(tag);
	element.textContent = text;
	element.className = kind || '';
	return element;
}

/* Does a drag that begins so select a range?  On the ruler and with Shift it
 * moves what is seen. */
const isSelecting = ({pointerType, shiftKey, button, offsetX, offsetY}, timeline) =>
	pointerType === 'mouse' && !shiftKey && button === 0 && offsetY >= HEAD &&
	offsetX >= timeline.left;

class Page {
	constructor(data) {
		this.data = data;
		this.at = -1;
		this.tab = 'timeline';
		this.timeline = new Timeline(data, this);
		this.flame = new Flame(data, this);
		this.tables = new Tables(data, this);
		this.range = new Range(this);
		this.results = new Results(this);
		this.links = new Links(this);
		this.address = new Address(this);
		this.printer = new Printer(this);
		this.tell();
		this.paint();
		this.listen();
		this.address.restore();
	}
	tell() {
		const {data} = this, first = data.header.views[0];
		const title = [first.program || 'no process', first.arguments || '']
			.join(' ').trim();
		const failed = [...data.processes.values()].filter(hasFailed).length;
		const threads = data.tracks.filter(track => track.process).length;
		const notes = [...badNotesOf(first), ...softNotesOf(data)];
		document.title = title + ' - ptrace-report';
		$('title').textContent = title;
		$('summary').textContent = [duration(data.wall) +
			(first.stopped === null ? ' wall' : ' recorded, then stopped'),
			first.cpu === null ? '' : duration(first.cpu) + ' CPU',
			plural(data.header.events, 'event'),
			plural(first.processes, 'process'),
			threads === first.processes ? '' : plural(threads, 'thread'),
			failed === 0 ? '' : plural(failed, 'process') + ' failed',
			first.lost === 0 ? '0 lost' : 'EVENTS LOST',
		].filter(Boolean).join(' · ');
		$('summary').title = $('summary').textContent;
		$('notes').replaceChildren(...notes.map(([text, kind], i) =>
			textWith('span', (i > 0 ? ' · ' : '') + text, kind)));
		$('notes').hidden = notes.length === 0;
	}
	/* Colours of the style sheet, for what is drawn. */
	paint() {
		const style = getComputedStyle(document.documentElement);
		const wanted = document.documentElement.dataset.theme;
		const isDark = wanted ? wanted === 'dark'
			: matchMedia('(prefers-color-scheme: dark)').matches;
		const theme = {};
		for (const name of ['back', 'fore', 'soft', 'line', 'row', 'link', 'hit',
			'dim', 'lost', 'bad', 'failed', 'busy', 'memory', 'meter'])
			theme[name] = style.getPropertyValue('--' + name).trim();
		this.isDark = isDark;
		$('compare').hidden = !this.flame.other;
		this.timeline.setTheme(theme, isDark);
		this.flame.setTheme(theme, isDark);
		if (this.tab === 'flame')
			this.flame.draw();
	}
	switchTheme() {
		document.documentElement.dataset.theme = this.isDark ? 'light' : 'dark';
		this.paint();
	}
	choose(tab) {
		this.tab = tab;
		for (const each of tabs) {
			$('tab-' + each).setAttribute('aria-selected',
						      String(each === tab));
			$(each).hidden = each !== tab;
		}
		$('lanes').hidden = tab !== 'timeline';
		this.fit();
		this.remember();
	}
	/* There is more or less room: of the window, or beside the details. */
	fit() {
		if (this.tab === 'timeline')
			this.timeline.resize();
		else
			this[this.tab].draw();
	}
	/* Lines of text: nothing of a log is ever markup.  A line that leads to what
	 * is found by some words, or somewhere else, is a button, or has several. */
	details(lines) {
		$('details').className = '';
		$('details').replaceChildren(...lines.map(([text, kind, words, go]) => {
			const line = textWith('p', Array.isArray(words) ? text + ' '
				: words ? '' : text, words ? '' : kind);
			const add = (name, title, act) => {
				const button = textWith('button', name, kind);
				button.title = title;
				button.addEventListener('click', act);
				line.append(button);
			};
			if (Array.isArray(words))
				words.forEach(([name, act]) =>
					add(name, 'its row of this table', act));
			else if (words)
				add(text, words, go || (() => this.searchFor(words)));
			return line;
		}));
	}
	/* What the pointer is at.  The room for it does not change: what is below
	 * the pointer would move. */
	glance(lines) {
		this.details(lines);
		$('details').className = 'glance';
	}
	describe(i) {
		const {data} = this, nr = data.count[i], took = data.took[i];
		const isCall = nr === 2 && data.end[i] - data.begin[i] === took;
		const track = trackOf(data, i);
		const isMerged = nr > 1 && !isCall;
		const head = [data.names[data.name[i]],
			'at ' + (data.begin[i] / 1e9).toFixed(9) + 's',
			took < 0 ? '' : 'for ' + duration(took),
			data.flags[i] & 2 ? 'no end seen' : '',
			data.flags[i] & 1 ? 'failed' : '',
			'in ' + whoOf(track)].filter(Boolean).join('  ');
		const lines = [[head]];
		if (this.timeline.isBad.has(i))
			lines.push(['failed: ' + exitOf(track.process), 'bad']);
		if (data.text[i])
			lines.push([textOf(data, i)]);
		if (data.file[i] > 0)
			lines.push(['file: ' + data.header.files[data.file[i]], 'file',
				is('file', data.header.files[data.file[i]])]);
		for (const context of contextsOf(data, i))
			lines.push(['context: ' + context, 'file', is('context', context)]);
		lines.push(...this.causeOf(i));
		if (isMerged)
			lines.push([`the longest of ${plural(nr, 'event')} in ` +
				duration(data.end[i] - data.begin[i])]);
		stackOf(data, i).forEach((frame, depth) =>
			lines.push([(depth > 0 ? '  ← ' : 'at ') + frame, 'stack',
				is('stack', frame)]));
		return lines;
	}
	/* Who ended a wait: a click goes there. */
	causeOf(i) {
		const {timeline} = this, wait = timeline.causes.of(i);
		if (!wait)
			return [];
		if (!wait.waker)
			return [[`waited for ${wait.what}; who ended that is not known`,
				'cause']];
		const slice = timeline.causes.sliceOf(wait, timeline);
		const did = slice < 0 ? '' : ': ' + this.data.names[this.data.name[slice]];
		return [[`waited for ${wait.what}, until ${whoOf(wait.waker)} at ` +
			(wait.woken / 1e9).toFixed(9) + 's' + did, 'cause',
			slice < 0 ? '' : 'go there', () => {
				this.select(slice);
				timeline.goTo(slice, false);
			}]];
	}
	select(i) {
		this.timeline.selected = i;
		if (i >= 0)
			this.details([...this.describe(i), ...this.links.linesOf(i)]);
		this.timeline.ask();
		this.remember();
	}
	/* As if somebody had typed it. */
	searchFor(words) {
		$('query').value = words;
		this.search(words);
	}
	/* A test of slices, of what is known to be an expression. */
	compile(words) {
		return expressionOf(words, fieldsOf(this.data, this.timeline));
	}
	search(words) {
		const found = words ? search(this.data, words, this.timeline) : null;
		const plain = found && found.isExpression ? '' : words;
		this.found = this.timeline.found = found;
		this.flame.find(plain);
		this.tables.find(plain);
		this.at = -1;
		this.results.show();
		$('hits').textContent = found ? plural(found.hits.length, 'hit') : '';
		this.timeline.ask();
		if (this.tab !== 'timeline')
			this[this.tab].draw();
		this.remember();
	}
	goToHit(by) {
		const hits = this.found ? this.found.hits : [];
		if (hits.length === 0)
			return;
		this.goToHitNumber(this.at < 0 ? by > 0 ? 0 : hits.length - 1
			: (this.at + by + hits.length) % hits.length);
	}
	goToHitNumber(at) {
		const {hits} = this.found, {first} = this.results;
		this.at = at;
		if (this.results.first === first)
			this.results.mark();
		else
			this.results.show();
		$('hits').textContent = count(this.at + 1) + ' of ' +
			count(hits.length);
		if (this.tab !== 'timeline')
			this.choose('timeline');
		this.select(hits[this.at]);
		this.timeline.goTo(hits[this.at], false);
	}
	remember() {
		this.address.remember();
	}
	listen() {
		for (const tab of tabs)
			$('tab-' + tab).addEventListener('click', () => this.choose(tab));
		const actions = {
			all: () => this.timeline.show(0, this.data.wall),
			theme: () => this.switchTheme(),
			keys: () => this.help(),
			inverse: () => this.flame.turn(),
			compare: () => this.compare(),
			sandwich: () => this.flame.turnSandwich(),
			unzoom: () => this.flame.zoomTo(null),
			'range-zoom': () => this.zoomToRange(),
			'range-flame': () => this.choose('flame'),
			'range-clear': () => this.clearRange(),
			share: () => this.address.share(),
			copy: () => this.address.copy(),
			next: () => this.goToHit(1),
			previous: () => this.goToHit(-1),
		};
		for (const id in actions)
			$(id).addEventListener('click', actions[id]);
		addEventListener('keydown', event => this.key(event));
		new ResizeObserver(() => this.fit())
			.observe($('main'));
		matchMedia('(prefers-color-scheme: dark)')
			.addEventListener('change', () => this.paint());
		this.listenToQuery();
		this.listenToTimeline();
		this.listenToFlame();
	}
	listenToQuery() {
		const query = $('query');
		query.addEventListener('input', () => {
			clearTimeout(this.typing);
			this.typing = setTimeout(() => this.search(query.value), 100);
		});
		query.addEventListener('keydown', event => {
			if (event.key === 'Enter') {
				clearTimeout(this.typing);
				if (!this.found || this.found.words !== query.value)
					this.search(query.value);
				if (this.tab === 'timeline')
					this.goToHit(event.shiftKey ? -1 : 1);
				event.preventDefault();
			} else if (event.key === 'Escape') {
				query.value = '';
				this.search('');
				$('canvas').focus();
			}
		});
	}
	listenToTimeline() {
		const {timeline} = this, canvas = timeline.canvas;
		timeline.box.addEventListener('scroll', () => timeline.ask());
		timeline.box.addEventListener('wheel', event => this.wheel(event),
					      {passive: false});
		this.pointers = new Map();
		canvas.addEventListener('pointerdown', event => {
			this.pointers.set(event.pointerId, [event.offsetX, event.offsetY]);
			this.moved = 0;
			this.isOverview = event.offsetY < OVERVIEW;
			this.selecting = isSelecting(event, timeline) ?
				timeline.timeAt(event.offsetX) : null;
			if (this.isOverview)
				timeline.centre(event.offsetX);
			canvas.setPointerCapture(event.pointerId);
		});
		canvas.addEventListener('pointermove', event => this.drag(event));
		canvas.addEventListener('pointerup', event => {
			const isClick = this.pointers.size === 1 && this.moved < 4 &&
				!this.isOverview;
			if (isClick && event.shiftKey)
				this.selectTrack(event.offsetX, event.offsetY);
			else if (isClick && !timeline.foldAt(event.offsetX, event.offsetY))
				this.select(timeline.pick(event.offsetX, event.offsetY));
			else if (this.selecting !== null && this.moved >= 4)
				this.rangeChanged();
			this.pointers.delete(event.pointerId);
		});
		canvas.addEventListener('pointercancel', event =>
			this.pointers.delete(event.pointerId));
	}
	wheel(event) {
		const {timeline} = this;
		const isAside = Math.abs(event.deltaX) > Math.abs(event.deltaY);
		if (event.ctrlKey || event.metaKey || event.altKey)
			timeline.zoom(Math.exp(event.deltaY * 0.002), event.offsetX);
		else if (event.shiftKey || isAside)
			timeline.move((isAside ? event.deltaX
				: event.deltaX || event.deltaY) / timeline.width);
		else
			return;
		event.preventDefault();
	}
	stretchTo(time) {
		this.range.set(this.selecting, time);
		$('range').hidden = false;
		$('range-title').textContent =
			duration(this.range.to - this.range.from) + ' selected';
		this.timeline.ask();
	}
	selectTrack(x, y) {
		const row = this.timeline.rowAt(max(x, this.timeline.left), y);
		if (!row || !row.track.process)
			return;
		this.range.turn(row.isSummary ? row.node.allTracks() : [row.track]);
		this.rangeChanged();
	}
	/* What is of the selection is counted again. */
	rangeChanged() {
		this.range.show();
		this.flame.use(this.range.isThere ? this.range.count().tree : null);
		if (this.tab === 'flame')
			this.flame.draw();
		this.timeline.ask();
		this.remember();
	}
	clearRange() {
		this.range.clear();
		this.rangeChanged();
	}
	zoomToRange() {
		if (this.range.isThere)
			this.timeline.show(this.range.from, this.range.to);
	}
	/* A mouse selects a range, another pointer moves what is seen, two of them
	 * zoom, none says what is there. */
	drag(event) {
		const {timeline, pointers} = this, {offsetX: x, offsetY: y} = event;
		const before = pointers.get(event.pointerId);
		if (!before) {
			if (timeline.selected >= 0)
				return;
			const i = timeline.pick(x, y);
			const words = i < 0 && timeline.tellAt(x, y);
			if (i >= 0)
				this.glance(this.describe(i));
			else if (words)
				this.glance([[words]]);
			return;
		}
		if (this.isOverview) {
			timeline.centre(x);
			return;
		}
		this.moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
		if (this.selecting !== null) {
			if (this.moved >= 4)
				this.stretchTo(timeline.timeAt(x));
		} else if (pointers.size === 1) {
			timeline.move((before[0] - x) / (timeline.width - timeline.left));
			timeline.box.scrollTop += before[1] - y;
		} else {
			const [, other] = [...pointers]
				.find(([id]) => id !== event.pointerId);
			const apart = Math.max(1, Math.abs(x - other[0]));
			timeline.zoom(Math.max(1, Math.abs(before[0] - other[0])) / apart,
				      (x + other[0]) / 2);
		}
		pointers.set(event.pointerId, [x, y]);
	}
	listenToFlame() {
		const {flame} = this, canvas = flame.canvas;
		canvas.addEventListener('mousemove', event => {
			const box = flame.pick(event.offsetX, event.offsetY);
			if (box)
				this.glance(flame.tell(box).map(text => [text]));
		});
		canvas.addEventListener('click', event => {
			const box = flame.pick(event.offsetX, event.offsetY);
			if (box)
				this.details(flame.tell(box).map(text => [text]));
			flame.zoomTo(box);
		});
	}
	/* The process of the selected event, or all. */
	foldHere() {
		const {view, selected} = this.timeline;
		const node = selected >= 0 && view.nodeOf.get(trackOf(this.data, selected));
		if (node && view.canFold(node))
			view.toggle(node);
		else
			view.foldAll();
	}
	compare() {
		this.flame.compare(!this.flame.isCompared);
		this.flame.draw();
		this.remember();
	}
	zoomToFocused() {
		const {flame} = this, box = flame.drawn[flame.focused];
		if (box)
			flame.zoomTo(box);
	}
	help() {
		$('help').hidden = !$('help').hidden;
		this.legend();
	}
	/* What the colours stand for. */
	legend() {
		const {theme} = this.timeline, families = new Set(this.data.names
			.map(name => name.split(':')).filter(parts => parts.length > 1 &&
				familyHues[parts[0]] !== undefined).map(([family]) => family));
		const signs = [...families].sort().map(family =>
			[family + ':', colorOf(family + ':', this.isDark)]);
		signs.push(['a program that failed', theme.failed],
			   ['events lost', theme.lost],
			   ['a line below: a call that failed', theme.soft],
			   ['a line below (c): the critical path', theme.fore],
			   ['processes at work, folded', theme.busy],
			   ['a line through all lanes: what programs say', theme.link],
			   ['found', theme.hit], ['memory', theme.memory],
			   ['gauges and counters', theme.meter]);
		$('legend').replaceChildren(...signs.map(([text, color]) => {
			const sign = textWith('span', ''), box = textWith('i', '');
			box.style.background = color;
			sign.append(box, textWith('span', text));
			return sign;
		}));
	}
	/* One thing after the other. */
	clear() {
		if (!$('help').hidden)
			$('help').hidden = true;
		else if ((this.flame.zoomed || this.flame.sandwich) && this.tab === 'flame')
			this.flame.zoomTo(null);
		else if (this.timeline.selected >= 0)
			this.select(-1);
		else if (this.range.isThere)
			this.clearRange();
	}
	key(event) {
		if (['INPUT', 'SELECT'].includes(event.target.tagName) || event.ctrlKey ||
		    event.metaKey || event.altKey)
			return;
		const {timeline} = this;
		const later = () => timeline.move(0.15);
		const earlier = () => timeline.move(-0.15);
		const closer = () => timeline.zoom(0.7);
		const wider = () => timeline.zoom(1 / 0.7);
		const actions = {
			'w': closer, '+': closer, '=': closer, 's': wider, '-': wider,
			'a': earlier, 'ArrowLeft': earlier, 'd': later,
			'ArrowRight': later,
			'ArrowUp': () => this.scroll(-60),
			'ArrowDown': () => this.scroll(60),
			'f': () => timeline.show(0, this.data.wall),
			'z': () => this.zoomToRange(),
			'/': () => $('query').focus(),
			'n': () => this.goToHit(1), 'N': () => this.goToHit(-1),
			'l': () => this.address.share(),
			'Enter': () => this.tab === 'flame' ? this.zoomToFocused()
				: timeline.selected >= 0 &&
				timeline.goTo(timeline.selected, true),
			'1': () => this.choose('timeline'),
			'2': () => this.choose('flame'),
			'3': () => this.choose('tables'),
			'i': () => this.tab === 'flame' && this.flame.turn(),
			'b': () => this.tab === 'flame' && this.flame.turnSandwich(),
			'c': () => timeline.showCritical(),
			'e': () => timeline.view.turn('hidesEmpty'),
			'o': () => timeline.view.turn('hidesWaiting'), 'x': () => this.foldHere(),
			'X': () => timeline.view.unfoldAll(), 't': () => this.switchTheme(),
			'?': () => this.help(), 'Escape': () => this.clear(),
		};
		/* A focused button has the key for itself. */
		const isFree = event.target.tagName === 'BODY' ||
			event.target.tagName === 'CANVAS';
		if (!Object.hasOwn(actions, event.key) || event.key === 'Enter' && !isFree)
			return;
		if (!this.walk(event))
			actions[event.key]();
		event.preventDefault();
	}
	/* Shift and arrows: to another event; in the flame graph arrows alone. */
	walk({key, shiftKey}) {
		const [byX, byY] = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1],
			ArrowDown: [0, 1]}[key] || [0, 0];
		const {timeline, flame} = this;
		if (byX === 0 && byY === 0)
			return false;
		if (this.tab === 'flame') {
			const box = flame.step(byX, byY);
			if (box)
				this.details(flame.tell(box).map(text => [text]));
			return true;
		}
		if (this.tab !== 'timeline' || !shiftKey)
			return false;
		const to = stepFrom(timeline, byX, byY);
		if (to >= 0) {
			timeline.goTo(to, false);
			this.select(to);
		}
		return true;
	}
	scroll(by) {
		$(this.tab).scrollTop += by;
	}
}

async function start() {
	const element = $('data'), began = performance.now();
	const bytes = await unpack(element.textContent);
	const unpacked = performance.now();
	element.textContent = '';
	const data = decode(bytes), decoded = performance.now();
	window.page = new Page(data);
	window.page.timeline.draw();
	/* For those who measure. */
	window.page.times = {unpack: unpacked - began,
		decode: decoded - unpacked, show: performance.now() - decoded};
	document.documentElement.dataset.ready = 'yes';
}

start().catch(error => {
	$('summary').textContent = 'cannot show this page: ' + error.message;
	document.documentElement.dataset.ready = 'no';
	throw error;
});
