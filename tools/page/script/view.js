/* SPDX-License-Identifier: MIT */
/* Which lanes the timeline has, and in which order. */

/* So many can be looked through: of more, processes are folded at first. */
const LANES_AT_FIRST = 60;

/* Names of calls that do nothing but wait. */
const isWaiting = name => /^(sync|time|thread):|:(p?poll|p?select|epoll_p?wait|accept4?|pause|sigwait\w*)$/
	.test(name);

/* A thread, not the first of its process, that did nothing but wait. */
function onlyWaits(data, track) {
	if (track.onlyWaits === undefined) {
		track.onlyWaits = track.process.first !== track && track.to > track.from;
		for (let i = track.from; i < track.to && track.onlyWaits; i++)
			track.onlyWaits = isWaiting(data.names[data.name[i]]);
	}
	return track.onlyWaits;
}

class View {
	constructor(timeline) {
		const {data} = timeline;
		Object.assign(this, {timeline, data, hidesEmpty: true,
			hidesWaiting: false, ...treeOf(data)});
		this.pairs = data.isPair ? pairProcesses(data) : null;
		$('in-pairs').hidden = !this.pairs;
		this.trace = data.tracks.filter(track => !track.process &&
			track.to > track.from);
		/* Pairs are not folded: of many, one tree is below the other. */
		this.orderAtFirst = this.pairs && data.tracks.length <= LANES_AT_FIRST ?
			'pairs' : 'tree';
		this.order = this.orderAtFirst;
		this.atFirst = this.foldMany();
		this.folded = new Set(this.atFirst);
		this.listen();
		this.show();
	}
	listen() {
		$('order').addEventListener('change', () => this.change(() => {
			this.order = $('order').value;
		}));
		for (const [id, key] of [['empty', 'hidesEmpty'], ['waiting', 'hidesWaiting']])
			$(id).addEventListener('click', () => this.turn(key));
		$('fold').addEventListener('click', () => this.foldAll());
		$('unfold').addEventListener('click', () => this.unfoldAll());
	}
	/* Of few lanes none is folded; of many the nodes with the fewest are unfolded,
	 * from the root on, while there is room. */
	foldMany() {
		const folded = new Set();
		if (this.data.tracks.length <= LANES_AT_FIRST)
			return folded;
		for (const node of this.nodes.values())
			if (this.canFold(node))
				folded.add(node.id);
		let nr = this.root.children.length;
		const next = [...this.root.children];
		while (next.length > 0) {
			const node = next.shift();
			const more = node.tracks.length + node.children.length - 1;
			if (!folded.has(node.id) || nr + more > LANES_AT_FIRST)
				continue;
			nr += more;
			folded.delete(node.id);
			pushAll(next, node.children);
		}
		return folded;
	}
	canFold(node) {
		return node.children.length > 0 || node.tracks.length > 1;
	}
	change(act) {
		act();
		this.timeline.lanesChanged();
		this.show();
	}
	turn(key) {
		this.change(() => {
			this[key] = !this[key];
		});
	}
	toggle(node) {
		this.change(() => {
			if (!this.folded.delete(node.id))
				this.folded.add(node.id);
		});
	}
	foldAll() {
		this.change(() => {
			for (const node of this.nodes.values())
				if (this.canFold(node))
					this.folded.add(node.id);
		});
	}
	unfoldAll() {
		this.change(() => this.folded.clear());
	}
	/* What is above a track is unfolded. */
	reveal(track) {
		let isNew = this.hidesWaiting && track.process && onlyWaits(this.data, track);
		if (isNew)
			this.hidesWaiting = false;
		for (let node = this.nodeOf.get(track); node && this.order === 'tree';
		     node = node.parent)
			isNew = this.folded.delete(node.id) || isNew;
		if (isNew)
			this.timeline.lanesChanged();
	}
	isFolded(node) {
		return this.order === 'tree' && this.folded.has(node.id);
	}
	/* In the window, if that is asked for. */
	isSeen(track) {
		const {process} = track, {from, to} = this.timeline;
		if (process && this.hidesWaiting && onlyWaits(this.data, track))
			return false;
		if (!this.hidesEmpty)
			return true;
		if (process && (process.begin > to || process.end < from))
			return false;
		return this.timeline.hasEvents(track);
	}
	/* [{track, node, depth, isSummary}, ...] from the top to the bottom. */
	rows() {
		const rows = [];
		if (this.order === 'tree')
			this.addTree(rows);
		else if (this.order === 'pairs')
			this.addPairs(rows);
		else
			this.addSorted(rows);
		for (const track of this.trace)
			if (this.isSeen(track))
				rows.push({track, node: null, depth: 0, isSummary: false});
		return rows;
	}
	isOutside({begin, end}) {
		return this.hidesEmpty && (begin > this.timeline.to || end < this.timeline.from);
	}
	addTree(rows) {
		const work = [...this.root.children].reverse();
		while (work.length > 0) {
			const node = work.pop(), {depth} = node;
			if (this.isOutside(node))
				continue;
			if (this.isFolded(node) || !node.process)
				rows.push({track: (node.process ? node : node.children[0]).tracks[0],
					node, depth, isSummary: true});
			if (this.isFolded(node))
				continue;
			this.addTracks(rows, node, depth);
			for (let i = node.children.length - 1; i >= 0; i--)
				work.push(node.children[i]);
		}
	}
	addTracks(rows, node, depth) {
		for (const track of node.tracks)
			if (this.isSeen(track))
				rows.push({track, node, depth, isSummary: false});
	}
	/* Of two logs each process with that of the other one below it. */
	addPairs(rows) {
		for (const [{number}, depth] of pairedOrder(this.pairs)) {
			const node = this.nodes.get(String(number));
			if (!this.isOutside(node))
				this.addTracks(rows, node, depth);
		}
	}
	/* Processes alone, those with the most first. */
	addSorted(rows) {
		const by = this.order === 'cpu' ? 'ownCpu' : 'wall';
		const sorted = [...this.nodes.values()].filter(node => node.process)
			.map(node => [node, by === 'wall' ? node.wall : node.process.cpu])
			.sort((a, b) => b[1] - a[1]);
		for (const [node] of sorted)
			if (!this.isOutside(node))
				this.addTracks(rows, node, 0);
	}
	/* What the controls say. */
	show() {
		$('order').value = this.order;
		$('empty').setAttribute('aria-pressed', String(this.hidesEmpty));
		$('waiting').setAttribute('aria-pressed', String(this.hidesWaiting));
		$('fold').disabled = $('unfold').disabled = this.order !== 'tree';
	}
	/* What of it is in the address: what is not as at first. */
	words() {
		const {folded, atFirst} = this;
		return {order: this.order !== this.orderAtFirst && this.order,
			empty: !this.hidesEmpty && 'shown',
			waiting: this.hidesWaiting && 'hidden',
			folded: [...folded].filter(id => !atFirst.has(id)).join(' '),
			unfolded: [...atFirst].filter(id => !folded.has(id)).join(' ')};
	}
	restore(get) {
		const idsOf = key => (get(key) || '').split(' ');
		const orders = ['tree', 'time', 'cpu', ...this.pairs ? ['pairs'] : []];
		this.order = orders.includes(get('order')) ? get('order') : this.orderAtFirst;
		this.hidesEmpty = get('empty') !== 'shown';
		this.hidesWaiting = get('waiting') === 'hidden';
		this.folded = new Set(this.atFirst);
		for (const id of idsOf('folded'))
			if (this.nodes.has(id) && this.canFold(this.nodes.get(id)))
				this.folded.add(id);
		for (const id of idsOf('unfolded'))
			this.folded.delete(id);
		this.timeline.lanesChanged();
		this.show();
	}
}
