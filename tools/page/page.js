/* SPDX-License-Identifier: MIT */
/* The page: what is shown, and what keys and pointers do. */

const $ = id => document.getElementById(id);
const tabs = ['timeline', 'flame', 'tables'];

/* What is missing in the log, in one line. */
function notesOf(data) {
	const {header} = data, first = header.views[0], notes = [];
	if (first.lost === null)
		notes.push('events were lost, it is not known how many');
	else if (first.lost > 0)
		notes.push(`lost ${plural(first.lost, 'event')}` +
			(first.lost_at === null ? '' :
				`, the first at ${formats.time(first.lost_at)}s`) +
			': counts and sums are at least what is shown');
	for (const {path, reason, count: nr} of first.untraced.slice(0, 5))
		notes.push(`not traced: ${path} (${reason}) ×${nr}`);
	if (first.untraced.length > 5)
		notes.push(`not traced: ${first.untraced.length - 5} more programs`);
	if (first.no_end_processes > 0)
		notes.push('no end seen: ' +
			plural(first.no_end_processes, 'process'));
	if (!first.is_complete)
		notes.push('the log is incomplete: what follows in time is missing');
	if (header.quantum > 0)
		notes.push('neighbours shorter than ' + duration(header.quantum) +
			' share a bar, which counts them; tables are complete');
	if (header.without_text > 0)
		notes.push(plural(header.without_text, 'event') +
			' without their arguments here: ptrace-dump has them');
	return notes;
}

class Page {
	constructor(data) {
		this.data = data;
		this.at = -1;
		this.isRestored = false;
		this.timeline = new Timeline(data, this);
		this.flame = new Flame(data, this);
		this.tables = new Tables(data);
		this.tell();
		this.paint();
		this.listen();
		this.restore();
		this.isRestored = true;
	}
	tell() {
		const {data} = this, first = data.header.views[0];
		const title = [first.program || 'no process', first.arguments || '']
			.join(' ').trim();
		const threads = data.tracks.filter(track => track.process).length;
		const notes = notesOf(data);
		document.title = title + ' - ptrace-report';
		$('title').textContent = title;
		$('summary').textContent = [duration(data.wall) + ' wall',
			first.cpu === null ? '' : duration(first.cpu) + ' CPU',
			plural(data.header.events, 'event'),
			plural(first.processes, 'process'),
			threads === first.processes ? '' : plural(threads, 'thread'),
			first.lost === 0 ? '0 lost' : 'EVENTS LOST',
		].filter(Boolean).join(' · ');
		$('summary').title = $('summary').textContent;
		$('notes').textContent = notes.join(' · ');
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
			'dim', 'lost', 'bad', 'busy', 'memory'])
			theme[name] = style.getPropertyValue('--' + name).trim();
		this.isDark = isDark;
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
	/* Lines of text: nothing of a log is ever markup. */
	details(lines) {
		$('details').replaceChildren(...lines.map(([text, kind]) => {
			const line = document.createElement('p');
			line.textContent = text;
			line.className = kind || '';
			return line;
		}));
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
		if (data.text[i])
			lines.push([textOf(data, i)]);
		if (isMerged)
			lines.push([`the longest of ${plural(nr, 'event')} in ` +
				duration(data.end[i] - data.begin[i])]);
		stackOf(data, i).forEach((frame, depth) =>
			lines.push([(depth > 0 ? '  ← ' : 'at ') + frame, 'stack']));
		return lines;
	}
	select(i) {
		this.timeline.selected = i;
		if (i >= 0)
			this.details(this.describe(i));
		this.timeline.ask();
		this.remember();
	}
	search(words) {
		const found = words ? search(this.data, words) : null;
		this.found = this.timeline.found = found;
		this.flame.find(words);
		this.tables.find(words);
		this.at = -1;
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
		this.at = this.at < 0 ? by > 0 ? 0 : hits.length - 1
			: (this.at + by + hits.length) % hits.length;
		$('hits').textContent = count(this.at + 1) + ' of ' +
			count(hits.length);
		if (this.tab !== 'timeline')
			this.choose('timeline');
		this.select(hits[this.at]);
		this.timeline.goTo(hits[this.at], false);
	}
	/* The state is in the address, so that a reload keeps it. */
	remember() {
		if (!this.isRestored)
			return;
		clearTimeout(this.timer);
		this.timer = setTimeout(() => {
			const state = new URLSearchParams({tab: this.tab,
				from: Math.round(this.timeline.from),
				to: Math.round(this.timeline.to)});
			if ($('query').value)
				state.set('query', $('query').value);
			if (this.timeline.selected >= 0)
				state.set('event', this.timeline.selected);
			try {
				history.replaceState(null, '', '#' + state);
			} catch {
				/* Not everywhere has a page an address of its own. */
			}
		}, 150);
	}
	restore() {
		const state = new URLSearchParams(location.hash.slice(1));
		const from = Number(state.get('from')), to = Number(state.get('to'));
		const event = Number(state.get('event') || -1);
		this.choose(tabs.includes(state.get('tab')) ? state.get('tab')
			: 'timeline');
		if (state.get('query')) {
			$('query').value = state.get('query');
			this.search(state.get('query'));
		}
		if (event >= 0 && event < this.data.nr)
			this.select(event);
		if (to > from)
			this.timeline.show(from, to);
	}
	listen() {
		for (const tab of tabs)
			$('tab-' + tab).addEventListener('click', () => this.choose(tab));
		const actions = {
			all: () => this.timeline.show(0, this.data.wall),
			theme: () => this.switchTheme(),
			keys: () => this.help(),
			inverse: () => this.flame.turn(),
			unzoom: () => this.flame.zoomTo(null),
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
				if (!this.found || this.found.words !== query.value.toLowerCase())
					this.search(query.value);
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
			if (this.isOverview)
				timeline.centre(event.offsetX);
			canvas.setPointerCapture(event.pointerId);
		});
		canvas.addEventListener('pointermove', event => this.drag(event));
		canvas.addEventListener('pointerup', event => {
			if (this.pointers.size === 1 && this.moved < 4 && !this.isOverview)
				this.select(timeline.pick(event.offsetX, event.offsetY));
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
	/* One pointer moves what is seen, two of them zoom, none says what is
	 * there. */
	drag(event) {
		const {timeline, pointers} = this, {offsetX: x, offsetY: y} = event;
		const before = pointers.get(event.pointerId);
		if (!before) {
			const i = timeline.pick(x, y);
			const words = i < 0 && timeline.tellAt(x, y);
			if (i >= 0)
				this.details(this.describe(i));
			else if (words)
				this.details([[words]]);
			return;
		}
		if (this.isOverview) {
			timeline.centre(x);
			return;
		}
		this.moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
		if (pointers.size === 1) {
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
				this.details(flame.tell(box).map(text => [text]));
		});
		canvas.addEventListener('click', event => {
			const box = flame.pick(event.offsetX, event.offsetY);
			if (box)
				this.details(flame.tell(box).map(text => [text]));
			flame.zoomTo(box);
		});
	}
	help() {
		$('help').hidden = !$('help').hidden;
	}
	clear() {
		$('help').hidden = true;
		if (this.flame.zoomed && this.tab === 'flame')
			this.flame.zoomTo(null);
		this.select(-1);
	}
	key(event) {
		if (event.target.tagName === 'INPUT' || event.ctrlKey ||
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
			'/': () => $('query').focus(),
			'n': () => this.goToHit(1), 'N': () => this.goToHit(-1),
			'Enter': () => timeline.selected >= 0 &&
				timeline.goTo(timeline.selected, true),
			'1': () => this.choose('timeline'),
			'2': () => this.choose('flame'),
			'3': () => this.choose('tables'),
			'i': () => this.tab === 'flame' && this.flame.turn(),
			'e': () => timeline.fold(), 't': () => this.switchTheme(),
			'?': () => this.help(), 'Escape': () => this.clear(),
		};
		/* A focused button has the key for itself. */
		if (!Object.hasOwn(actions, event.key) || event.key === 'Enter' &&
		    event.target.tagName !== 'BODY' && event.target !== timeline.canvas)
			return;
		actions[event.key]();
		event.preventDefault();
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
