/* SPDX-License-Identifier: MIT */
/* Which process of one log is which of the other: by what they and those above them
 * ran, with its arguments, and else by the program alone; not by times or numbers. */

/* The last command of a process, without what is made up in names in /tmp. */
function commandOf(data, {images}) {
	const image = images.at(-1);
	return !image ? '' : wordsOf(data, image.slice)
		.replace(/\/tmp\/[^\s"']+/g, '/tmp/*');
}

/* Of both lists those that are called the same, in their order. */
function pairLists(ones, others, nameOf) {
	const byName = new Map();
	for (const process of others.filter(each => !each.pair)) {
		const name = nameOf(process);
		if (!byName.has(name))
			byName.set(name, []);
		byName.get(name).push(process);
	}
	for (const process of ones.filter(each => !each.pair)) {
		const same = (byName.get(nameOf(process)) || []).shift();
		if (same)
			[process.pair, same.pair] = [same, process];
	}
}

/* What each process began, in the order of time; null: what nobody in the log has. */
function childrenOf(data, run) {
	const children = new Map([[null, []]]);
	const own = [...data.processes.values()].filter(process => process.run === run)
		.sort((a, b) => a.begin - b.begin);
	for (const process of own)
		children.set(process.number, []);
	for (const process of own)
		children.get(children.has(process.parent) ? process.parent : null).push(process);
	return children;
}

function pairProcesses(data) {
	const ofA = childrenOf(data, 'A'), ofB = childrenOf(data, 'B');
	const work = [[null, null]];
	while (work.length > 0) {
		const [a, b] = work.pop(), ones = ofA.get(a), others = ofB.get(b);
		pairLists(ones, others, process =>
			(process.program || '?') + ' ' + commandOf(data, process));
		pairLists(ones, others, process => process.program || '?');
		for (const {number, pair} of ones)
			if (pair)
				work.push([number, pair.number]);
	}
	return {ofA, ofB};
}

/* All processes, those of both logs below each other, and how deep each is. */
function pairedOrder({ofA, ofB}) {
	const order = [], work = [];
	const push = (a, b, depth) => {
		const ones = a === null ? [] : ofA.get(a), others = b === null ? [] : ofB.get(b);
		const all = [...ones, ...others.filter(({pair}) => !pair)]
			.sort((x, y) => x.begin - y.begin);
		for (const process of all.reverse())
			work.push([process, depth]);
	};
	for (const process of [...ofA.get(null),
		...ofB.get(null).filter(({pair}) => !pair)].reverse())
		work.push([process, 0]);
	while (work.length > 0) {
		const [process, depth] = work.pop(), {pair, run, number} = process;
		order.push([process, depth]);
		if (pair)
			order.push([pair, depth]);
		if (run === 'A')
			push(number, pair ? pair.number : null, depth + 1);
		else
			push(null, number, depth + 1);
	}
	return order;
}

/* As a table: how much longer each took in the other log. */
function pairsTable(data) {
	const rows = [];
	const titleOf = process => `${process.program || '?'}[${process.pid}]`;
	for (const process of data.processes.values()) {
		const {pair, run, begin, end} = process;
		if (run === 'B' && pair)
			continue;
		const own = end - begin, other = pair && pair.end - pair.begin;
		rows.push({a: run === 'A' ? own : null, b: run === 'B' ? own : pair ? other : null,
			diff: pair ? other - own : null, exit: run === 'A' ? process.exit : null, exit_b: run === 'B' ? process.exit
				: pair ? pair.exit : null,
			process: titleOf(process) + (pair ? ', ' + titleOf(pair) : '') + ' ' +
				commandOf(data, process), of: process});
	}
	return {name: 'pairs', about: 'processes of both logs, A and B: by what they and ' +
		'those above them ran; — where the other log has none',
	columns: [['a', 'A', 'duration'], ['b', 'B', 'duration'], ['diff', 'B − A', 'change'],
		['exit', 'EXIT A', 'text'], ['exit_b', 'EXIT B', 'text'],
		['process', 'PROCESS', 'text']],
	rows, nr: rows.length, sort: 'diff', missing: []};
}
