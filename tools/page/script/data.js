'use strict';
/* SPDX-License-Identifier: MIT */
/* The data of the page: what tools/page/pyramid.h says, unpacked. */

/* In loops of millions: a look into the global object is slow. */
const {floor, imul, max} = Math;

async function unpack(text) {
	const chars = atob(text.trim());
	const packed = new Uint8Array(chars.length);
	for (let i = 0; i < chars.length; i++)
		packed[i] = chars.charCodeAt(i);
	const stream = new Blob([packed]).stream()
		.pipeThrough(new DecompressionStream('gzip'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
}

/* What is not seen, or changes what is around it: as tools/lib/quote.c has it. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;
const LETTERS = {'\n': '\\n', '\t': '\\t', '\r': '\\r'};

const escapeOf = char => LETTERS[char] || [...new TextEncoder().encode(char)]
	.map(byte => '\\x' + byte.toString(16).padStart(2, '0')).join('');

/* All strings as they can be shown.  Texts of events are, but for their numbers; and
 * contexts have nulls. */
function plain(value) {
	if (typeof value === 'string')
		return value.replace(UNSEEN, escapeOf);
	if (value && typeof value === 'object')
		for (const key in value)
			if (key !== 'texts' && key !== 'contexts')
				value[key] = plain(value[key]);
	return value;
}

/* The sections, each put together from its pieces. */
function sectionsOf(bytes) {
	const view = new DataView(bytes.buffer, bytes.byteOffset);
	const pieces = new Map(), sections = new Map();
	for (let at = 0; at < bytes.length;) {
		const number = bytes[at], size = view.getUint32(at + 1, true);
		if (!pieces.has(number))
			pieces.set(number, []);
		pieces.get(number).push(bytes.subarray(at + 5, at + 5 + size));
		at += 5 + size;
	}
	for (const [number, list] of pieces) {
		let size = 0;
		for (const piece of list)
			size += piece.length;
		const whole = new Uint8Array(size);
		size = 0;
		for (const piece of list) {
			whole.set(piece, size);
			size += piece.length;
		}
		sections.set(number, whole);
	}
	return sections;
}

/* The numbers of a section (pack.h): there are millions. */
function numbersOf(bytes, Type = Float64Array) {
	if (!bytes)
		return new Type(0);
	const nr = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
	const numbers = new Type(nr), longer = new Uint32Array(nr);
	let at = 4, nrLonger = 0;
	for (let i = 0; i < nr; i++) {
		const byte = bytes[at++];
		numbers[i] = byte & 127;
		if (byte > 127)
			longer[nrLonger++] = i;
	}
	for (let factor = 128; nrLonger > 0; factor *= 128) {
		const nrLeft = nrLonger;
		nrLonger = 0;
		for (let j = 0; j < nrLeft; j++) {
			const byte = bytes[at++], i = longer[j];
			numbers[i] += (byte & 127) * factor;
			if (byte > 127)
				longer[nrLonger++] = i;
		}
	}
	return numbers;
}

/* To divide with a rest takes much longer. */
function signed(number) {
	const half = floor(number / 2);
	return number > 2 * half ? -half - 1 : half;
}

/* Of each track its lanes: which slices they have, from and to. */
function readLanes(bytes, tracks) {
	const numbers = numbersOf(bytes), lanes = [];
	let at = 0, next = 0;
	tracks.forEach((track, i) => {
		track.index = i;
		track.from = at;
		track.lanes = [];
		for (let nr = numbers[next++]; nr > 0; nr--) {
			const from = at;
			at += numbers[next++];
			const lane = {track, from, to: at, levels: [],
				index: lanes.length};
			track.lanes.push(lane);
			lanes.push(lane);
		}
		track.to = at;
	});
	return lanes;
}

const LANES = 64;

/* In sixteenths of the power of two below it. */
const lengthOf = more => more < 32 ? more
	: (more % 16 + 16) * 2 ** (floor(more / 16) - 1);

/* Times: `end' is where what is drawn ends. */
function readTimes(data, sections) {
	const {count, flags} = data, begin = numbersOf(sections.get(3));
	const took = numbersOf(sections.get(4)), more = numbersOf(sections.get(6));
	const end = new Float64Array(data.nr), hasMerged = data.header.quantum > 0;
	let at = 0;
	for (const lane of data.lanes) {
		const isLast = lane.track.lanes.indexOf(lane) === LANES - 1;
		let last = 0;
		for (let i = lane.from; i < lane.to; i++) {
			begin[i] += last;
			took[i]--;
			end[i] = begin[i] + max(took[i], 0);
			if (count[i] > 1 || flags[i] & 2)
				end[i] += count[i] > 1 && hasMerged ? lengthOf(more[at++])
					: more[at++];
			last = isLast ? begin[i] : end[i];
		}
	}
	Object.assign(data, {begin, end, took});
}

/* Names that texts had last, and stacks that came there last, are 0. */
function readNames(data, sections) {
	const {text, nr} = data, name = numbersOf(sections.get(7), Uint32Array);
	const stack = numbersOf(sections.get(9), Uint32Array);
	const names = new Uint32Array(data.texts.length);
	const cells = new Uint32Array(65536);
	for (let i = 0, last = 0; i < nr; i++) {
		const cell = (imul(text[i], 0x9e3779b1) ^
			imul(last, 0x85ebca6b)) >>> 16;
		name[i] = name[i] > 0 ? name[i] - 1 : names[text[i]];
		names[text[i]] = name[i];
		stack[i] = stack[i] > 0 ? stack[i] - 1 : cells[cell];
		last = cells[cell] = stack[i];
	}
	Object.assign(data, {name, stack});
}

/* Signs in texts, each of which stands for a number. */
const DECIMAL = 1, HEX = 2, RECENT = 64;

function signsOf(text) {
	const signs = [];
	for (let i = 0; i < text.length; i++) {
		const code = text.charCodeAt(i);
		if (code === DECIMAL || code === HEX)
			signs.push(code);
	}
	return signs;
}

/* The numbers of the texts: of slice i those from numberAt[i] on. */
function readNumbers(data, sections) {
	const {nr, text} = data, numberAt = new Uint32Array(nr + 1);
	const addresses = readAddresses(numbersOf(sections.get(10)),
					numbersOf(sections.get(12)));
	const decimals = numbersOf(sections.get(13));
	const number = new Float64Array(addresses.length + decimals.length);
	const signs = data.texts.map(signsOf);
	const last = signs.map(own => own.length > 0 && new Float64Array(own.length));
	let at = 0, nextAddress = 0, nextDecimal = 0;
	for (let i = 0; i < nr; i++) {
		const own = signs[text[i]], before = last[text[i]];
		numberAt[i] = at;
		for (let j = 0; j < own.length; j++)
			number[at++] = own[j] === HEX ? addresses[nextAddress++]
				: before[j] += signed(decimals[nextDecimal++]);
	}
	numberAt[nr] = at;
	Object.assign(data, {numberAt, number});
}

/* The recent ones are the last of a list, so that new ones move no others. */
function readAddresses(ago, far) {
	const list = new Float64Array(4096);
	let top = RECENT, next = 0;
	for (let i = 0; i < ago.length; i++) {
		const at = top - ago[i];
		let address;
		if (at === top) {
			address = list[top - 1] + signed(far[next++]);
			if (top === list.length) {
				list.copyWithin(0, top - RECENT);
				top = RECENT;
			}
			list[top++] = address;
		} else {
			address = list[at];
			for (let k = at + 1; k < top; k++)
				list[k - 1] = list[k];
			list[top - 1] = address;
		}
		ago[i] = address;
	}
	return ago;
}

/* Slices that are shorter than a quantum, and begin in the same one, are drawn
 * as one.  Level: run j is the slices from[j] to from[j + 1]. */
function makeLevel(data, finer, quantum) {
	const {begin, end, took} = data;
	const from = new Uint32Array(finer.nr + 1);
	const longest = new Uint32Array(finer.nr), levels = [];
	let nr = 0, run = 0;
	for (const lane of data.lanes) {
		levels.push(nr);
		for (let open = -1; run < finer.nr && finer.from[run] < lane.to; run++) {
			const i = finer.from[run], best = finer.longest[run];
			const isShort = finer.from[run + 1] - i > 1 ||
				end[i] - begin[i] < quantum;
			const own = isShort ? floor(begin[i] / quantum) : -1;
			if (isShort && own === open) {
				if (took[best] > took[longest[nr - 1]])
					longest[nr - 1] = best;
				continue;
			}
			from[nr] = i;
			longest[nr++] = best;
			open = own;
		}
	}
	from[nr] = data.nr;
	return {quantum, nr, levels, from: from.slice(0, nr + 1),
		longest: longest.slice(0, nr)};
}

/* A level that has hardly fewer runs than the one before is not worth it. */
function makeLevels(data) {
	const each = new Uint32Array(data.nr + 1).map((_, i) => i);
	let finer = {nr: data.nr, from: each, longest: each};
	data.levels = [];
	for (let quantum = 256; quantum / 8 <= data.wall / 256; quantum *= 8) {
		const level = makeLevel(data, finer, quantum);
		if (level.nr > finer.nr / 4 * 3)
			continue;
		finer = level;
		data.levels.push(level);
		data.lanes.forEach((lane, i) => lane.levels.push(level.levels[i]));
	}
}

function readCallers(sections) {
	const callers = [[0, 0]], names = numbersOf(sections.get(14));
	numbersOf(sections.get(11)).forEach((less, i) =>
		callers.push([i + 1 - less, names[i]]));
	return callers;
}

/* When each process began which program: those that say their arguments. */
function readImages(data) {
	const {header, nr, names, name, text, begin} = data;
	const isStart = header.texts.map(each => each.startsWith('argv=[') ? 1 : 0);
	for (const process of data.processes.values())
		process.images = [];
	for (let i = 0; i < nr; i++)
		if (isStart[text[i]] && trackOf(data, i).process)
			trackOf(data, i).process.images.push({begin: begin[i],
				name: names[name[i]], slice: i});
	for (const {images} of data.processes.values())
		images.sort((a, b) => a.begin - b.begin);
}

/* What a process ran then; before its first program, what its parent did. */
function programAt(data, process, at) {
	for (let nr = 0; process && nr < 1000; nr++) {
		const image = process.images.findLast(({begin}) => begin <= at);
		const parent = data.processes.get(process.parent);
		if (image || !parent)
			return image ? image.name : process.program;
		at = Math.min(at, process.begin);
		process = parent;
	}
	return null;
}

function readCounts({count, flags}, numbers) {
	for (let i = 0; i < numbers.length; i++) {
		count[i] = floor(numbers[i] / 4);
		flags[i] = numbers[i] - 4 * count[i];
	}
}

/* The sections of another log count from there. */
const OTHER = 32;

function decode(bytes) {
	const all = sectionsOf(bytes), one = decodeLog(all, 0);
	const data = all.has(OTHER + 1) ? joinRuns(one, decodeLog(all, OTHER)) : one;
	makeLevels(data);
	return data;
}

function decodeLog(all, base) {
	const sections = {get: number => all.get(base + number)};
	const header = plain(JSON.parse(new TextDecoder().decode(sections.get(1))));
	const nr = header.slices, data = {
		header, nr, wall: header.wall, names: header.names,
		texts: header.texts, count: new Uint32Array(nr),
		flags: new Uint8Array(nr),
		text: numbersOf(sections.get(8), Uint32Array),
		file: numbersOf(sections.get(15), Uint32Array),
		context: numbersOf(sections.get(16), Uint32Array),
		contexts: header.contexts.map(text => text.split('\0').slice(0, -1).map(plain)),
	};
	const processes = new Map(header.processes.map(p => [p[0], {
		number: p[0], pid: p[1], parent: p[2], begin: p[3], end: p[4],
		program: p[5], exit: p[6], cpu: p[7], rank: p[8],
		tags: p[9],
	}]));
	data.processes = processes;
	data.tracks = header.tracks.map(t => ({
		process: processes.get(t[0]), tid: t[1], name: t[2], host: t[3],
	}));
	data.lanes = readLanes(sections.get(2), data.tracks);
	readCounts(data, numbersOf(sections.get(5)));
	readTimes(data, sections);
	readNames(data, sections);
	readNumbers(data, sections);
	data.callers = readCallers(sections);
	readImages(data);
	return data;
}

/* What is known of a slice. */
function textOf(data, i) {
	let at = data.numberAt[i];
	return data.texts[data.text[i]].replace(/[\x01\x02]/g, sign =>
		sign === '\x01' ? String(data.number[at++])
			: '0x' + data.number[at++].toString(16));
}

/* A word of a command, as a shell would take it. */
function wordOf(quotedWord) {
	const word = quotedWord.replace(/\\(["\\])/g, '$1');
	return /^[^\s"']+$/.test(word) ? word : `'${word}'`;
}

/* The same for a bar, which has room for few words: of a program its command, of a
 * thread where it begins. */
function wordsOf(data, i) {
	if (data.names[data.name[i]] === 'thread:start' && data.stack[i] > 0)
		return 'in ' + stackOf(data, i)[0];
	const text = textOf(data, i), words = /^argv=\[(.*?)\]( |$)/.exec(text);
	const name = data.names[data.name[i]], command = words && words[1]
		.replace(/"((?:[^"\\]|\\.)*)"(?:, )?/g, (_, word) => wordOf(word) + ' ').trim();
	return !words ? text : command.replace(/^\S*/, own =>
		own.replace(/.*\//, '') === name ? '' : own).trim();
}

/* What its thread has said of itself: "request=17", and others. */
const contextsOf = (data, i) => data.contexts[data.context[i] || 0];

/* Its stack, the innermost function first. */
function stackOf(data, i) {
	const frames = [];
	for (let at = data.stack[i]; at > 0; at = data.callers[at][0])
		frames.push(data.names[data.callers[at][1]]);
	return frames;
}

/* Of a parallel program; "" where there is none. */
function rankOf(process) {
	return process && process.rank >= 0 ? 'rank ' + process.rank + ': ' : '';
}

function whoOf(track) {
	const process = track.process;
	if (!process)
		return 'the trace itself';
	const numbers = track.tid === process.pid ? process.pid
		: process.pid + '/' + track.tid;
	return logOf(process) + (track.host ? track.host + ':' : '') + rankOf(process) +
		(process.program || '?') +
		'[' + numbers + ']' + process.tags;
}

function trackOf(data, i) {
	let low = 0, high = data.tracks.length - 1;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if (data.tracks[middle].from <= i)
			low = middle;
		else
			high = middle - 1;
	}
	return data.tracks[low];
}
