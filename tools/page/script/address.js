/* SPDX-License-Identifier: MIT */
/* All that is shown is in the address: a reload and a link keep it, Back goes to
 * what was shown before, and it can be changed by hand. */

const NOTE_MOST = 1000;

/* What changes all the time, and is no step that Back takes. */
const quiet = ['from', 'to', 'query', 'note'];

const stepOf = state => [...state].filter(([key]) => !quiet.includes(key))
	.map(([key, value]) => key + '=' + value).sort().join('&');

/* A whole number of a list of so many; -1: it is none. */
const indexIn = (text, nr) => /^\d+$/.test(text || '') && Number(text) < nr ?
	Number(text) : -1;

class Address {
	constructor(page) {
		this.page = page;
		this.isRestored = false;
		this.step = '';
		/* Somebody has changed the address, or went back to it. */
		addEventListener('hashchange', () => this.restore());
		$('note').addEventListener('input', () => this.remember());
	}
	remember() {
		if (!this.isRestored)
			return;
		clearTimeout(this.timer);
		this.timer = setTimeout(() => this.write(), 150);
	}
	state() {
		const {page} = this, {timeline, flame, tables, range} = page;
		const state = new URLSearchParams({tab: page.tab,
			from: Math.round(timeline.from), to: Math.round(timeline.to)});
		const add = (key, value) => value && state.set(key, value);
		add('query', $('query').value);
		add('event', timeline.selected >= 0 && String(timeline.selected));
		if (page.tab === 'tables') {
			state.set('table', tables.shown.name);
			add('sort', tables.sorting());
			add('of', tables.run === 'B' && 'B');
		}
		add('measure', flame.number);
		add('inverse', flame.isInverse && 'yes');
		add('zoom', flame.path());
		add('function', flame.middle);
		add('compare', flame.isCompared && 'yes');
		add('range', range.isThere && [range.from, range.to].map(Math.round)
			.join('-'));
		add('threads', [...range.tracks].map(track => track.index).join(' '));
		add('path', range.path && 'yes');
		add('critical', timeline.causes.isShown && !range.path && 'yes');
		for (const [key, value] of Object.entries(timeline.view.words()))
			add(key, value);
		add('note', $('note').value.slice(0, NOTE_MOST));
		return state;
	}
	/* A step that Back takes, or the same one. */
	write() {
		const state = this.state(), step = stepOf(state);
		clearTimeout(this.timer);
		try {
			if (step === this.step)
				history.replaceState(null, '', '#' + state);
			else
				history.pushState(null, '', '#' + state);
		} catch {
			/* Not everywhere has a page an address of its own. */
		}
		this.step = step;
		$('link').value = location.href || '';
	}
	restore() {
		const state = new URLSearchParams(location.hash.slice(1));
		clearTimeout(this.timer);
		this.isRestored = false;
		this.restoreViews(state);
		this.restoreTimeline(state);
		this.restoreRange(state);
		this.restoreFlame(state);
		this.page.choose(tabs.includes(state.get('tab')) ? state.get('tab')
			: 'timeline');
		$('note').value = (state.get('note') || '').slice(0, NOTE_MOST);
		$('sharing').hidden = $('note').value === '' && $('sharing').hidden;
		this.isRestored = true;
		this.step = stepOf(this.state());
		$('link').value = location.href || '';
	}
	restoreViews(state) {
		const {page} = this, {tables} = page, query = state.get('query') || '';
		tables.useLog(state.get('of') === 'B' ? 'B' : 'A');
		tables.shown = tables.tables.find(table =>
			table.name === state.get('table')) || tables.tables[0];
		tables.sortAs(state.get('sort'));
		if (query || page.found || $('query').value)
			page.searchFor(query);
	}
	restoreTimeline(state) {
		const {page} = this, {timeline} = page;
		const from = Number(state.get('from')), to = Number(state.get('to'));
		timeline.view.restore(key => state.get(key));
		timeline.causes.isShown = state.get('critical') === 'yes';
		page.select(indexIn(state.get('event'), page.data.nr));
		if (to > from)
			timeline.show(from, to);
		else
			timeline.show(0, timeline.wall);
	}
	restoreRange(state) {
		const {range, data} = this.page;
		const [from, to] = (state.get('range') || '').split('-').map(Number);
		range.clear();
		for (const text of (state.get('threads') || '').split(' ')) {
			const number = indexIn(text, data.tracks.length);
			if (number >= 0)
				range.tracks.add(data.tracks[number]);
		}
		if (to > from)
			range.set(from, to);
		if (to > from && state.get('path') === 'yes')
			range.turnPath();
		this.page.rangeChanged();
	}
	restoreFlame(state) {
		const {flame} = this.page;
		flame.measure(max(0, indexIn(state.get('measure'),
					     flame.flames.length)));
		flame.setInverse(state.get('inverse') === 'yes');
		flame.compare(state.get('compare') === 'yes');
		flame.zoomBy(state.get('zoom') || '');
		if (state.get('function') || flame.sandwich)
			flame.centre(state.get('function') || '');
	}
	/* The panel with the link, and a note that goes with it. */
	share() {
		$('sharing').hidden = !$('sharing').hidden;
		if ($('sharing').hidden)
			return;
		this.write();
		$('note').focus();
	}
	copy() {
		this.write();
		$('link').focus();
		$('link').select();
		const told = () => $('copied').textContent = 'copied';
		const byHand = () => $('copied').textContent =
			document.execCommand('copy') ? 'copied' : 'Ctrl+C copies it';
		if (navigator.clipboard)
			navigator.clipboard.writeText(location.href).then(told, byHand);
		else
			byHand();
	}
}
