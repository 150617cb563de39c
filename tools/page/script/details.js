/* SPDX-License-Identifier: MIT */
/* The lines below: what is known of an event, or of what the pointer is at. */

/* Calls that wait for any of some descriptors. */
const POLLS = /^io:(p?poll|p?select|epoll_p?wait2?)$/;

class Details {
	constructor(page) {
		this.page = page;
	}
	/* Lines of text: nothing of a log is ever markup.  A line that leads to what
	 * is found by some words, or somewhere else, is a button, or has several. */
	show(lines) {
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
				add(text, words, go || (() => this.page.searchFor(words)));
			return line;
		}));
	}
	/* What the pointer is at.  The room for it does not change: what is below
	 * the pointer would move. */
	glance(lines) {
		this.show(lines);
		$('details').className = 'glance';
	}
	describe(i) {
		const {data, timeline} = this.page, nr = data.count[i], took = data.took[i];
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
		if (timeline.isBad.has(i))
			lines.push(['failed: ' + exitOf(track.process), 'bad']);
		if (data.text[i])
			lines.push([textOf(data, i).replace(TOOK, '')]);
		if (data.file[i] > 0)
			lines.push(['file: ' + data.header.files[data.file[i]], 'file',
				is('file', data.header.files[data.file[i]])]);
		for (const context of contextsOf(data, i))
			lines.push(['context: ' + context, 'file', is('context', context)]);
		lines.push(...this.causeOf(i), ...this.spanLinksOf(i), ...this.pairOf(track));
		if (isMerged)
			lines.push([`the longest of ${plural(nr, 'event')} in ` +
				duration(data.end[i] - data.begin[i])]);
		stackOf(data, i).forEach((frame, depth) =>
			lines.push([(depth > 0 ? '  ← ' : 'at ') + frame, 'stack',
				is('stack', frame)]));
		return lines;
	}
	/* The spans that it is linked with: a click goes there. */
	spanLinksOf(i) {
		const {timeline} = this.page, {spanLinks} = timeline;
		return spanLinks.of(i, timeline).map(({from, to, kind}) => {
			const isTo = spanLinks.sliceOf(to, timeline) === i, other = isTo ? from : to;
			const slice = spanLinks.sliceOf(other, timeline);
			const name = slice < 0 ? 'a span' : this.page.data.names[
				this.page.data.name[slice]];
			const how = kind === 'cause' ? ['caused by', 'the cause of'] :
				['follows', 'followed by'];
			return [`${how[isTo ? 0 : 1]} ${name} of ${whoOf(other.track)}`,
				'cause', slice < 0 ? '' : 'go there', () => {
					this.page.select(slice);
					timeline.goTo(slice, false);
				}];
		});
	}
	/* The same process of the other log: a click goes to its last program. */
	pairOf({process}) {
		const {pair} = process || {}, image = pair && pair.images.at(-1);
		const by = pair && pair.end - pair.begin - (process.end - process.begin);
		return !pair ? [] : [this.leadTo(`the same process: ${logOf(pair)}` +
			`${pair.program || '?'}[${pair.pid}], ` +
			`${formats.change(by)} than ${duration(process.end - process.begin)}`,
						 image ? image.slice : -1)];
	}
	/* A line of which a click goes to a slice, if there is one. */
	leadTo(text, slice) {
		const {page} = this, {data, timeline} = page;
		return [text + (slice < 0 ? '' : ': ' + data.names[data.name[slice]]), 'cause',
			slice < 0 ? '' : 'go there', () => {
				page.select(slice);
				timeline.goTo(slice, false);
			}];
	}
	/* Who ended a wait, or began a thread: a click goes there. */
	causeOf(i) {
		const {data, timeline} = this.page, wait = timeline.causes.of(i);
		const creator = timeline.causes.creatorOf(i);
		if (creator)
			return [this.leadTo('begun by ' + whoOf(creator),
					    sliceBefore(data, creator, data.begin[i]))];
		if (!wait)
			return this.unknownCauseOf(i);
		if (!wait.waker)
			return [[`waited for ${wait.what}; who ended that is not known`,
				'cause']];
		return [this.leadTo(`waited for ${wait.what}, until ${whoOf(wait.waker)} at ` +
			(wait.woken / 1e9).toFixed(9) + 's',
				    timeline.causes.sliceOf(wait, timeline)),
		...wait.meanwhile.filter(({time}) => time * 100 >= wait.end - wait.begin)
			.map(deed => this.deedOf(wait, deed))];
	}
	/* Of a wait that nobody is known to have ended: what it was for, as far as the event
	 * itself says it. */
	unknownCauseOf(i) {
		const {data, timeline} = this.page, name = data.names[data.name[i]];
		const off = name === 'sched:off' ? timeline.causes.offFor(i, timeline) : '';
		if (off)
			return [[`off the processor: ${off}; who ended that is not known`]];
		if (!POLLS.test(name) || data.took[i] <= 0 || data.count[i] > 1)
			return [];
		return [[/(^| )ret=0( |$)/.test(textOf(data, i)) ? 'waited until its timeout'
			: 'waited for a descriptor; who ended that is not known']];
	}
	/* What was done meanwhile, by whoever was waited for: a click goes to the longest
	 * of it. */
	deedOf({begin, end}, {text, time, waker, told}) {
		const {timeline} = this.page, slice = waker ?
			timeline.causes.sliceOf({waker, told}, timeline) : -1;
		const share = end > begin ? (100 * time / (end - begin)).toFixed(0) : '0';
		const [, , words, act] = this.leadTo('', slice);
		return [`meanwhile ${duration(time)} (${share}%)  ${text}`, 'cause', words, act];
	}
}
