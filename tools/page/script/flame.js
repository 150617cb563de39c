/* SPDX-License-Identifier: MIT */
/* The flame graph, and its inverse: who called. */

const BOX = 19;

/* boxes: the depth, name and worth in itself of each, in the order in which a
 * tree is walked. */
function flameTree(boxes) {
	const path = [];
	for (let i = 0; i < boxes.length; i += 3) {
		const [depth, name, self] = boxes.slice(i, i + 3);
		const node = {name, self, total: self, children: [], depth};
		path.length = depth;
		for (const outer of path)
			outer.total += self;
		if (depth > 0)
			path[depth - 1].children.push(node);
		path.push(node);
	}
	return path[0];
}

/* What functions are worth in themselves, and below each its callers. */
function inverseTree(tree) {
	const root = {name: 'all', self: 0, total: 0, depth: 0, children: []};
	const byName = new Map([[root, new Map()]]);
	const enter = (node, name) => {
		let child = byName.get(node).get(name);
		if (!child) {
			child = {name, self: 0, total: 0, depth: node.depth + 1,
				children: []};
			byName.get(node).set(name, child);
			byName.set(child, new Map());
			node.children.push(child);
		}
		return child;
	};
	const walk = (node, path) => {
		if (node.self > 0) {
			let at = root;
			root.total += node.self;
			for (let i = path.length - 1; i >= 0; i--) {
				at = enter(at, path[i]);
				at.total += node.self;
			}
			at.self += node.self;
		}
		for (const child of node.children)
			walk(child, [...path, child.name]);
	};
	walk(tree, []);
	const sort = node => {
		node.children.sort((a, b) => b.total - a.total);
		node.children.forEach(sort);
	};
	sort(root);
	return root;
}

/* Callers and callees of one function: of a recursive one its outermost calls. */
function sandwichOf(tree, name) {
	const make = (own, depth) => ({name: own, self: 0, total: 0, depth, children: []});
	const callers = make(name, 0), callees = make(name, 0), names = new Map();
	const enter = (node, own) => {
		if (!names.has(node))
			names.set(node, new Map());
		const below = names.get(node);
		if (!below.has(own)) {
			below.set(own, make(own, node.depth + 1));
			node.children.push(below.get(own));
		}
		return below.get(own);
	};
	const merge = (into, node) => {
		into.self += node.self;
		into.total += node.total;
		for (const child of node.children)
			merge(enter(into, child.name), child);
	};
	const walk = (node, path) => {
		if (node.name !== name) {
			for (const child of node.children)
				walk(child, [...path, node.name]);
			return;
		}
		merge(callees, node);
		let at = callers;
		at.total += node.total;
		for (const own of [...path].reverse()) {
			at = enter(at, own);
			at.total += node.total;
		}
	};
	walk(tree, []);
	const sort = node => {
		node.children.sort((a, b) => b.total - a.total);
		node.children.forEach(sort);
	};
	sort(callers);
	sort(callees);
	return {callers, callees};
}

class Flame {
	constructor(data, page) {
		const none = {kind: 'duration', title: 'wall time of calls',
			boxes: [0, 'all', 0]};
		const {flames} = data.header;
		this.page = page;
		this.flames = flames.length > 0 ? flames : [none];
		this.measure(0);
		this.box = document.getElementById('flame');
		this.canvas = document.getElementById('boxes');
		this.brush = this.canvas.getContext('2d', {alpha: false});
		this.isInverse = false;
		this.words = '';
		this.focused = -1; /* of those that are drawn */
		this.zoomed = null;
		this.middle = '';
		this.sandwich = null;
		this.selection = null;
		this.other = data.header.other || null;
		this.otherSelection = null;
		this.isCompared = false;
		this.makeButtons();
	}
	/* The other log's of the same measure, if it has it. */
	get otherTree() {
		if (this.selection)
			return this.otherSelection;
		const same = this.other && this.other.flames.find(({title}) =>
			title === this.title);
		return same ? flameTree(same.boxes) : null;
	}
	compare(isCompared) {
		const other = isCompared ? this.otherTree : null;
		this.isCompared = Boolean(other);
		this.comparison = other && compareTrees(this.selection || this.tree, other);
		this.centre('');
		$('compare').setAttribute('aria-pressed', String(this.isCompared));
	}
	/* What the width of a box is: one of those that there are. */
	measure(number) {
		const {kind, title, boxes} = this.flames[number];
		this.number = number;
		this.ownFormat = formats[kind];
		this.title = title;
		this.tree = flameTree(boxes);
		this.inverse = this.zoomed = null;
	}
	/* A button for each, if there are several. */
	makeButtons() {
		const word = title => title.replace(/^wall /, '').split(/[ ,]/)[0];
		this.buttons = this.flames.length < 2 ? [] : this.flames.map((flame, i) => {
			const button = textWith('button', word(flame.title));
			button.title = flame.title;
			button.setAttribute('data-measure', i);
			button.addEventListener('click', () => {
				this.measure(i);
				this.compare(this.isCompared);
				this.centre(this.middle);
				this.draw();
				this.page.remember();
			});
			return button;
		});
		document.getElementById('measures').append(...this.buttons);
	}
	/* A selection's, or of the whole trace; of another log what is compared with it. */
	use(selection, other) {
		const isCompared = this.isCompared && Boolean(other || !selection);
		this.selection = selection;
		this.otherSelection = other;
		this.inverse = this.zoomed = null;
		this.compare(isCompared);
		this.centre(this.middle);
	}
	get root() {
		const tree = this.selection || this.tree;
		if (this.isCompared)
			return this.comparison;
		if (this.isInverse && !this.inverse)
			this.inverse = inverseTree(tree);
		return this.isInverse ? this.inverse : tree;
	}
	get format() {
		return this.selection ? formats.duration : this.ownFormat;
	}
	setInverse(isInverse) {
		this.compare(false);
		this.isInverse = isInverse;
		this.zoomed = null;
		document.getElementById('inverse')
			.setAttribute('aria-pressed', String(isInverse));
	}
	/* Callers and callees of a function, which is in the middle; '': no longer. */
	centre(name) {
		const tree = this.selection || this.tree;
		this.middle = name;
		this.sandwich = name ? sandwichOf(tree, name) : null;
		if (this.sandwich && this.sandwich.callees.total === 0)
			[this.middle, this.sandwich] = ['', null];
		this.zoomed = null;
		this.focused = -1;
		$('sandwich').setAttribute('aria-pressed', String(Boolean(this.sandwich)));
	}
	/* Of the box that is zoomed to, or that keys have reached. */
	turnSandwich() {
		const box = this.drawn[this.focused];
		const node = box && !box.isRest ? box.node : this.zoomed;
		this.centre(this.sandwich || !node ? '' : node.name);
		this.draw();
		this.page.remember();
	}
	turn() {
		this.setInverse(!this.isInverse);
		this.draw();
		this.page.remember();
	}
	/* Where the box is that is zoomed to: of each floor which child it is. */
	path() {
		const find = node => {
			if (node === this.zoomed)
				return [];
			for (const [i, child] of node.children.entries()) {
				const below = find(child);
				if (below)
					return [i, ...below];
			}
			return null;
		};
		return this.zoomed ? (find(this.root) || []).join('.') : '';
	}
	zoomBy(path) {
		let node = this.root;
		for (const i of path ? path.split('.') : [])
			node = node && node.children[i];
		this.zoomed = node === this.root ? null : node || null;
	}
	setTheme(theme, isDark) {
		this.theme = theme;
		this.isDark = isDark;
	}
	/* The boxes that are wide enough, and one for those that are not. */
	layOut(width) {
		const {sandwich} = this;
		if (!sandwich)
			return this.placeAll(this.drawn = [], this.zoomed || this.root, width);
		/* Callers are above, the innermost lowest. */
		const above = [], below = [];
		const high = this.placeAll(above, sandwich.callers, width) - 1;
		const low = this.placeAll(below, sandwich.callees, width);
		for (const box of above)
			box.y = high - box.y;
		for (const box of below)
			box.y += high;
		this.drawn = [...above.filter(box => box.y < high), ...below];
		return high + low;
	}
	placeAll(drawn, top, width) {
		const place = (node, x, size, y) => {
			let at = x, rest = 0, nr = 0;
			drawn.push({node, x, width: size, y});
			for (const child of node.children) {
				const share = node.total > 0 ?
					size * child.total / node.total : 0;
				if (share >= 1) {
					place(child, at, share, y + 1);
					at += share;
				} else {
					rest += child.total;
					nr++;
				}
			}
			const share = node.total > 0 ? size * rest / node.total : 0;
			if (share >= 1)
				drawn.push({x: at, width: share, y: y + 1, isRest: true,
					node: {name: `(${nr} narrower)`, total: rest,
						self: rest, children: []}});
		};
		place(top, 0, width, 0);
		return 1 + drawn.reduce((most, box) => Math.max(most, box.y), 0);
	}
	/* Those that are found, nested ones once. */
	worth() {
		const sum = node => this.isFound(node) ? node.total
			: node.children.reduce((all, child) => all + sum(child), 0);
		return sum(this.zoomed || this.root);
	}
	isFound(node) {
		return node.name.toLowerCase().includes(this.words);
	}
	draw() {
		const width = Math.max(100, this.box.clientWidth - 20);
		const height = this.layOut(width) * BOX, {brush, theme} = this;
		/* There are browsers that draw nothing if it has more points. */
		const ratio = Math.min(window.devicePixelRatio || 1, 2,
				       Math.sqrt(16e6 / (width * height)));
		this.canvas.width = Math.round(width * ratio);
		this.canvas.height = Math.round(height * ratio);
		this.canvas.style.width = width + 'px';
		this.canvas.style.height = height + 'px';
		brush.setTransform(ratio, 0, 0, ratio, 0, 0);
		brush.font = '11px system-ui, sans-serif';
		brush.textBaseline = 'middle';
		brush.fillStyle = theme.back;
		brush.fillRect(0, 0, width, height);
		for (const box of this.drawn)
			this.drawBox(box);
		this.buttons.forEach((button, i) => {
			button.hidden = this.selection !== null;
			button.setAttribute('aria-pressed', String(i === this.number));
		});
		const found = this.words ? '; found: ' + this.share(this.worth()) : '';
		document.getElementById('flame-title').textContent =
			(this.isInverse ? 'Inverse, callers below: ' : '') +
			(this.selection ? 'time in the selection' : this.title) +
			': ' + this.format(this.root.total) + found;
		if (this.isCompared)
			$('flame-title').textContent = (this.selection ? 'The selection compared'
				: 'Compared') + ` with B, ${this.other.log}, ` +
				'red is more there, green is less: ' +
				tellChange(this.comparison, this.format);
		if (this.sandwich)
			$('flame-title').textContent = 'Callers and callees of ' + this.middle +
				': ' + this.share(this.sandwich.callees.total);
	}
	share(part) {
		const whole = this.root.total;
		return this.format(part) + (whole > 0 ?
			` (${(100 * part / whole).toFixed(1)}%)` : '');
	}
	drawBox(box) {
		const {node, x, width, y, isRest} = box;
		const {brush, theme} = this;
		const isFound = this.words && this.isFound(node);
		brush.fillStyle = isFound ? theme.hit : isRest || this.words ? theme.dim
			: this.isCompared ? changeColor(node, this.isDark)
				: colorOf(node.name, this.isDark);
		brush.fillRect(x, y * BOX, Math.max(0.5, width - 0.6), BOX - 1);
		const isMiddle = this.sandwich && node === this.sandwich.callees;
		if (isMiddle || box === this.drawn[this.focused]) {
			brush.strokeStyle = theme.fore;
			brush.lineWidth = 2;
			brush.strokeRect(x + 1, y * BOX + 1, Math.max(2, width - 2.6), BOX - 3);
		}
		if (width < 24)
			return;
		brush.fillStyle = isFound ? theme.back : isRest || this.words ?
			theme.fore : this.isDark ? '#fff' : '#111';
		brush.fillText(fit(brush, node.name + '  ' + this.format(node.total),
				   width - 6), x + 3, y * BOX + BOX / 2);
	}
	pick(x, y) {
		return this.drawn.find(box => x >= box.x && x < box.x + box.width &&
			Math.floor(y / BOX) === box.y);
	}
	/* By key to the box beside, below or above the one that was told of. */
	step(byX, byY) {
		const {drawn} = this, now = drawn[this.focused];
		const floor = now && drawn.filter(box => box.y === now.y + byY);
		const to = !now ? drawn[0]
			: byY !== 0 ? floor.find(box => byY > 0 ? box.x >= now.x - 0.5
				: box.x + box.width > now.x + 0.5)
				: floor[floor.indexOf(now) + byX];
		if (!to)
			return null;
		this.focused = drawn.indexOf(to);
		this.draw();
		return to;
	}
	tell(box) {
		const {node} = box;
		if (node.was !== undefined)
			return [node.name, tellChange(node, this.format)];
		return [node.name, `total ${this.share(node.total)} of all, ` +
			`self ${this.share(node.self)}`];
	}
	zoomTo(box) {
		if (this.sandwich && box && !box.isRest)
			this.centre(box.node.name);
		else if (this.sandwich)
			this.centre('');
		if (this.sandwich) {
			this.draw();
			this.page.remember();
			return;
		}
		this.zoomed = box && !box.isRest && box.y > 0 ? box.node : null;
		this.focused = this.focused < 0 ? -1 : 0;
		this.draw();
		this.page.remember();
	}
	find(words) {
		this.words = words.toLowerCase();
	}
}
