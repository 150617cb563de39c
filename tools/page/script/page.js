/* SPDX-License-Identifier: MIT */
/* The page: what is shown, and what keys and buttons do. */

const $ = id => document.getElementById(id);
const tabs = ['timeline', 'flame', 'tables'];

/* A text with a class, or without one. */
function textWith(tag, text, kind) {
	const element = document.createElement(tag);
	element.textContent = text;
	element.className = kind || '';
	return element;
}

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
		this.details = new Details(this);
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
		const failed = [...data.processes.values()].filter(process =>
			process.run !== 'B' && hasFailed(process)).length;
		const threads = data.tracks.filter(track => track.process &&
			track.run !== 'B').length;
		const notes = [...comparisonNotes(data), ...badNotesOf(first),
			...softNotesOf(data)];
		document.title = title + ' - ptrace-report';
		$('title').textContent = (data.isPair ? 'A: ' : '') + title;
		$('title').title = title;
		$('summary').textContent = [duration(data.header.wall) +
			(first.stopped === null ? ' wall' : ' recorded, then stopped'),
			first.cpu === null ? '' : (first.cpu_is_least ? '≥' : '') +
				duration(first.cpu) + ' CPU',
			plural(data.header.events, 'event'),
			plural(first.processes, 'process'),
			threads === first.processes ? '' : plural(threads, 'thread'),
			failed === 0 ? '' : plural(failed, 'process') + ' failed',
			first.lost === 0 ? '0 lost' : 'EVENTS LOST',
		].filter(Boolean).join(' · ');
		$('summary').title = $('summary').textContent;
		$('pair-key').hidden = $('pair-help').hidden = !data.isPair;
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
	select(i) {
		this.timeline.selected = i;
		if (i >= 0)
			this.details.show([...this.details.describe(i), ...this.links.linesOf(i)]);
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
			'range-path': () => this.turnPath(),
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
		this.pointers = new Pointers(this);
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
	/* What is of the selection is counted again. */
	rangeChanged() {
		this.range.show();
		const sums = this.range.isThere ? this.range.count() : null;
		const {other} = this.range;
		this.flame.use(sums && sums.tree, sums && other && other.tree);
		if (this.tab === 'flame')
			this.flame.draw();
		this.timeline.ask();
		this.remember();
	}
	turnPath() {
		this.range.turnPath();
		this.rangeChanged();
	}
	clearRange() {
		this.range.clear();
		this.rangeChanged();
	}
	zoomToRange() {
		if (this.range.isThere)
			this.timeline.show(this.range.from, this.range.to);
	}
	listenToFlame() {
		const {flame} = this, canvas = flame.canvas;
		canvas.addEventListener('mousemove', event => {
			const box = flame.pick(event.offsetX, event.offsetY);
			if (box)
				this.details.glance(flame.tell(box).map(text => [text]));
		});
		canvas.addEventListener('click', event => {
			const box = flame.pick(event.offsetX, event.offsetY);
			if (box)
				this.details.show(flame.tell(box).map(text => [text]));
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
				this.details.show(flame.tell(box).map(text => [text]));
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
