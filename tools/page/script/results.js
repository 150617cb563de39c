/* SPDX-License-Identifier: MIT */
/* What a search has found: a list beside the view, which leads to each. */

class Results {
	constructor(page) {
		this.page = page;
		this.most = 500;
		this.spread = new Spread(page);
	}
	/* Of very many those around the current one. */
	get first() {
		const nr = this.page.found.hits.length;
		return max(0, Math.min(this.page.at - this.most / 2, nr - this.most));
	}
	show() {
		const {found} = this.page;
		$('results').hidden = !found || found.hits.length === 0 && !found.why;
		if (found !== this.counted)
			this.spread.show(this.counted = found);
		if (!found)
			return;
		const {hits, why} = found, first = this.first;
		const shown = hits.subarray(first, first + this.most);
		$('results-title').textContent = why ? `no expression (${why}): ` +
			`as words, ${plural(hits.length, 'hit')}`
			: plural(hits.length, 'hit') + (shown.length < hits.length ?
				`, ${count(first + 1)} to ` +
				count(first + shown.length) : '');
		this.shownFrom = first;
		this.lines = [...shown].map((i, at) => this.line(i, first + at));
		$('results-rows').replaceChildren(...this.lines);
		this.mark();
	}
	line(i, at) {
		const {data} = this.page, took = data.took[i];
		const line = document.createElement('button');
		line.append(textWith('span', moment(data.begin[i], data.wall / 1e5)),
			    textWith('span', took < 0 ? '' : duration(took)),
			    textWith('b', data.names[data.name[i]]),
			    textWith('span', whoOf(trackOf(data, i)) + '  ' +
				shorten(wordsOf(data, i), 120)));
		line.setAttribute('data-hit', at);
		line.addEventListener('click', () => this.page.goToHitNumber(at));
		return line;
	}
	/* The current one is seen. */
	mark() {
		const at = this.page.at - this.shownFrom;
		this.lines.forEach((line, i) => line.setAttribute('aria-current',
			String(i === at)));
		const line = this.lines[at];
		if (line && line.scrollIntoView)
			line.scrollIntoView({block: 'nearest'});
	}
}
