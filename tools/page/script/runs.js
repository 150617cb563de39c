/* SPDX-License-Identifier: MIT */
/* Two logs on one page: the slices, tracks and processes of the other one, B, come
 * behind those of the first, A.  Times of both count from their first events. */

/* Two lists of numbers behind each other; the second ones are changed first. */
function joinNumbers(one, other, change = number => number) {
	const all = new one.constructor(one.length + other.length);
	all.set(one);
	for (let i = 0; i < other.length; i++)
		all[one.length + i] = change(other[i]);
	return all;
}

/* Those of no slice, where a log has none. */
const orZeros = ({context, nr}) => context.length > 0 ? context : new Uint32Array(nr);

/* What a name of the other log is in the list of both; the same ones are one. */
function joinNames(names, others) {
	const known = new Map(names.map((name, i) => [name, i])), all = [...names];
	const number = others.map(name => {
		if (!known.has(name))
			known.set(name, all.push(name) - 1);
		return known.get(name);
	});
	return [all, number];
}

/* The other log's processes have numbers of their own; who: 'A' or 'B'. */
function joinProcesses(one, other) {
	const by = 1 + [...one.processes.keys()].reduce((a, b) => max(a, b), 0);
	const processes = new Map(one.processes);
	for (const process of one.processes.values())
		process.run = 'A';
	for (const process of other.processes.values()) {
		process.run = 'B';
		process.number += by;
		process.parent = process.parent === null ? null : process.parent + by;
		processes.set(process.number, process);
	}
	return [processes, by];
}

/* Rows of the header that are about processes: the places in them of their numbers. */
const aboutProcesses = {waits: [0, 4], critical: [0], memory: [0], values: [0]};

function joinHeaders(one, other, by, name) {
	const header = {...one, other};
	for (const wait of other.waits)
		for (const deed of wait[9])
			deed[2] += by;
	for (const [key, places] of Object.entries(aboutProcesses))
		header[key] = [...one[key], ...other[key].map(row => row.map((value, i) =>
			places.includes(i) && value !== null ? value + by : value))];
	header.marks = [...new Set([...one.marks, ...other.marks.map(mark => name[mark])])];
	header.files = [...one.files, ...other.files];
	return header;
}

function moveTracks(one, other) {
	const nrTracks = one.tracks.length, nrLanes = one.lanes.length;
	for (const lane of other.lanes) {
		lane.from += one.nr;
		lane.to += one.nr;
		lane.index += nrLanes;
	}
	for (const track of other.tracks) {
		track.from += one.nr;
		track.to += one.nr;
		track.index += nrTracks;
		track.run = 'B';
	}
	for (const {images} of other.processes.values())
		for (const image of images)
			image.slice += one.nr;
}

function joinSlices(one, other, name) {
	const texts = one.texts.length, stacks = one.callers.length - 1;
	const files = one.header.files.length, contexts = one.contexts.length;
	const orMore = by => number => number > 0 ? number + by : 0;
	const has = one.context.length + other.context.length > 0;
	const joined = {
		nr: one.nr + other.nr, texts: [...one.texts, ...other.texts],
		name: joinNumbers(one.name, other.name, number => name[number]),
		text: joinNumbers(one.text, other.text, number => number + texts),
		stack: joinNumbers(one.stack, other.stack, orMore(stacks)),
		file: joinNumbers(one.file, other.file, orMore(files)),
		context: has ? joinNumbers(orZeros(one), orZeros(other), number =>
			number + contexts) : one.context,
		contexts: [...one.contexts, ...other.contexts],
		number: joinNumbers(one.number, other.number),
		numberAt: joinNumbers(one.numberAt.subarray(0, one.nr), other.numberAt,
				      at => at + one.number.length),
		callers: [...one.callers, ...other.callers.slice(1).map(([caller, own]) =>
			[orMore(stacks)(caller), name[own]])],
	};
	for (const key of ['begin', 'end', 'took', 'count', 'flags'])
		joined[key] = joinNumbers(one[key], other[key]);
	return joined;
}

function joinRuns(one, other) {
	const [names, name] = joinNames(one.names, other.names);
	moveTracks(one, other);
	const [processes, by] = joinProcesses(one, other);
	return {...joinSlices(one, other, name), names, processes,
		header: joinHeaders(one.header, other.header, by, name),
		wall: max(one.wall, other.wall), isPair: true,
		losses: {A: one.header.losses, B: other.header.losses},
		tracks: [...one.tracks, ...other.tracks],
		lanes: [...one.lanes, ...other.lanes]};
}

/* Before the name of what is one of two logs'. */
const logOf = process => process && process.run ? process.run + ' ' : '';
