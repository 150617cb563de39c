/* SPDX-License-Identifier: MIT */
/* How long those took that were found: a bar for each 1, 2, 5, 10 ... of the time,
 * which leads to those that took so long. */

/* The edges around a duration: [from, to). */
function edgesOf(took) {
	const power = 10 ** Math.floor(Math.log10(max(took, 1)) + 1e-12);
	const step = [5, 2, 1].find(n => took >= n * power) || 1;
	return [step * power, step * power * (step === 2 ? 2.5 : 2)];
}

/* [{from, to, hits}, ...], none left out between the first and the last. */
function spreadOf(data, hits) {
	const bars = new Map();
	for (const i of hits) {
		if (data.took[i] < 0)
			continue;
		const [from, to] = edgesOf(data.took[i]);
		if (!bars.has(from))
			bars.set(from, {from, to, hits: []});
		bars.get(from).hits.push(i);
	}
	const froms = [...bars.keys()], all = [];
	if (froms.length === 0)
		return all;
	const last = froms.reduce((a, b) => max(a, b));
	let from = froms.reduce((a, b) => Math.min(a, b));
	while (from <= last) {
		const [, to] = edgesOf(from);
		all.push(bars.get(from) || {from, to, hits: []});
		from = to;
	}
	return all;
}

class Spread {
	constructor(page) {
		this.page = page;
	}
	show(found) {
		const bars = found ? spreadOf(this.page.data, found.hits) : [];
		const most = bars.reduce((nr, bar) => max(nr, bar.hits.length), 1);
		$('spread').hidden = bars.length === 0;
		$('spread-bars').replaceChildren(...bars.map(bar => this.barOf(bar, most)));
		$('spread-title').textContent = bars.length === 0 ? '' :
			`how long: ${duration(bars[0].from)} to ${duration(bars.at(-1).to)}`;
	}
	barOf(bar, most) {
		const {from, to, hits} = bar, button = document.createElement('button');
		const words = `${duration(from)} to ${duration(to)}: ${plural(hits.length, 'hit')}`;
		const inner = textWith('i', '');
		/* Logarithms: one that was slow is seen beside a million. */
		inner.style.height = hits.length === 0 ? '0'
			: 4 + 40 * Math.log1p(hits.length) / Math.log1p(most) + 'px';
		button.title = words;
		button.setAttribute('aria-label', words);
		button.setAttribute('data-from', from);
		button.append(inner);
		button.disabled = hits.length === 0;
		button.addEventListener('click', () => this.choose(bar));
		return button;
	}
	/* Those alone, and the slowest of them; of words only that. */
	choose({from, to, hits}) {
		const {page} = this, {found, data} = page;
		const slowest = hits.reduce((a, b) => data.took[b] > data.took[a] ? b : a);
		if (found.isExpression)
			page.searchFor(`(${found.words}) && dur >= ${from} && dur < ${to}`);
		page.goToHitNumber(page.found.hits.indexOf(slowest));
	}
}
