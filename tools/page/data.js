'use strict';
/* SPDX-License-Identifier: MIT */
/* The data of the page: what tools/page/pyramid.h says, unpacked. */

async function unpack(text) {
	const chars = atob(text.trim());
	const packed = new Uint8Array(chars.length);
	for (let i = 0; i < chars.length; i++)
		packed[i] = chars.charCodeAt(i);
	const stream = new Blob([packed]).stream()
		.pipeThrough(new DecompressionStream('gzip'));
	return new Uint8Array(await new Response(stream).arrayBuffer());
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

/* Reads numbers one by one. */
class Numbers {
	constructor(bytes) {
		this.bytes = bytes || new Uint8Array(0);
		this.at = 0;
	}
	get more() {
		return this.at < this.bytes.length;
	}
	next() {
		let number = this.bytes[this.at++];
		if (number < 128)
			return number;
		number -= 128;
		for (let factor = 128; ; factor *= 128) {
			const byte = this.bytes[this.at++];
			if (byte < 128)
				return number + byte * factor;
			number += (byte - 128) * factor;
		}
	}
	signed() {
		const number = this.next();
		return number % 2 ? -(number + 1) / 2 : number / 2;
	}
	/* All at once: there are millions. */
	fill(array) {
		const {bytes} = this;
		let {at} = this;
		for (let i = 0; i < array.length; i++) {
			let number = bytes[at++];
			if (number > 127) {
				let factor = 128, byte;
				number -= 128;
				do {
					byte = bytes[at++];
					number += (byte & 127) * factor;
					factor *= 128;
				} while (byte > 127);
			}
			array[i] = number;
		}
		this.at = at;
		return array;
	}
}

/* Of each track its lanes: which slices they have, from and to. */
function readLanes(bytes, tracks) {
	const numbers = new Numbers(bytes), lanes = [];
	let at = 0;
	tracks.forEach((track, i) => {
		track.index = i;
		track.from = at;
		track.lanes = [];
		for (let nr = numbers.next(); nr > 0; nr--) {
			const from = at;
			at += numbers.next();
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

/* Times: `end' is where what is drawn ends. */
function readTimes(data, sections) {
	const {begin, end, took} = data;
	new Numbers(sections.get(3)).fill(begin);
	new Numbers(sections.get(4)).fill(took);
	new Numbers(sections.get(6)).fill(end);
	for (const lane of data.lanes) {
		const isLast = lane.track.lanes.indexOf(lane) === LANES - 1;
		let last = 0;
		for (let i = lane.from; i < lane.to; i++) {
			begin[i] += last;
			took[i]--;
			end[i] += begin[i] + Math.max(took[i], 0);
			last = isLast ? begin[i] : end[i];
		}
	}
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
function readNumbers(data, bytes) {
	const numbers = new Numbers(bytes), recent = new Float64Array(RECENT);
	const signs = data.texts.map(signsOf);
	const last = signs.map(own => new Float64Array(own.length));
	let at = 0;
	for (let i = 0; i < data.nr; i++) {
		data.numberAt[i] = at;
		at += signs[data.text[i]].length;
	}
	data.number = new Float64Array(at);
	at = 0;
	for (let i = 0; i < data.nr; i++) {
		const own = signs[data.text[i]], before = last[data.text[i]];
		for (let j = 0; j < own.length; j++)
			data.number[at++] = own[j] === HEX ? readAddress(numbers, recent)
				: before[j] += numbers.signed();
	}
}

function readAddress(numbers, recent) {
	const ago = numbers.next();
	const address = ago > 0 ? recent[ago - 1] : recent[0] + numbers.signed();
	recent.copyWithin(1, 0, ago > 0 ? ago - 1 : RECENT - 1);
	return recent[0] = address;
}

/* A level: run j is the slices from[j] to from[j + 1]. */
function readLevel(data, bytes, index) {
	const numbers = new Numbers(bytes), quantum = numbers.next();
	const from = new Uint32Array(data.nr + 1);
	const longest = new Uint32Array(data.nr);
	let nr = 0, at = 0;
	for (const lane of data.lanes) {
		lane.levels[index] = nr;
		while (at < lane.to) {
			const size = numbers.next();
			from[nr] = at;
			longest[nr++] = size > 1 ? at + numbers.next() : at;
			at += size;
		}
	}
	from[nr] = at;
	return {quantum, nr, from: from.slice(0, nr + 1),
		longest: longest.slice(0, nr)};
}

function readCallers(bytes) {
	const numbers = new Numbers(bytes), callers = [[0, 0]];
	while (numbers.more)
		callers.push([numbers.next(), numbers.next()]);
	return callers;
}

function decode(bytes) {
	const sections = sectionsOf(bytes);
	const header = JSON.parse(new TextDecoder().decode(sections.get(1)));
	const nr = header.slices, data = {
		header, nr, wall: header.wall, names: header.names,
		texts: header.texts, begin: new Float64Array(nr),
		end: new Float64Array(nr), took: new Float64Array(nr),
		count: new Uint32Array(nr), flags: new Uint8Array(nr),
		numberAt: new Uint32Array(nr),
	};
	const processes = new Map(header.processes.map(p => [p[0], {
		number: p[0], pid: p[1], parent: p[2], begin: p[3], end: p[4],
		program: p[5], exit: p[6],
	}]));
	data.processes = processes;
	data.tracks = header.tracks.map(t => ({
		process: processes.get(t[0]), tid: t[1], name: t[2],
	}));
	data.lanes = readLanes(sections.get(2), data.tracks);
	readTimes(data, sections);
	new Numbers(sections.get(5)).fill(data.count);
	for (let i = 0; i < nr; i++) {
		data.flags[i] = data.count[i] & 3;
		data.count[i] >>>= 2;
	}
	data.name = new Numbers(sections.get(7)).fill(new Uint32Array(nr));
	data.text = new Numbers(sections.get(8)).fill(new Uint32Array(nr));
	data.stack = new Numbers(sections.get(9)).fill(new Uint32Array(nr));
	readNumbers(data, sections.get(10));
	data.callers = readCallers(sections.get(11));
	data.levels = [];
	for (let i = 0; sections.has(16 + i); i++)
		data.levels.push(readLevel(data, sections.get(16 + i), i));
	return data;
}

/* What is known of a slice. */
function textOf(data, i) {
	let at = data.numberAt[i];
	return data.texts[data.text[i]].replace(/[\x01\x02]/g, sign =>
		sign === '\x01' ? String(data.number[at++])
			: '0x' + data.number[at++].toString(16));
}

/* Its stack, the innermost function first. */
function stackOf(data, i) {
	const frames = [];
	for (let at = data.stack[i]; at > 0; at = data.callers[at][0])
		frames.push(data.names[data.callers[at][1]]);
	return frames;
}

function whoOf(track) {
	const process = track.process;
	if (!process)
		return 'the trace itself';
	const numbers = track.tid === process.pid ? process.pid
		: process.pid + '/' + track.tid;
	return (process.program || '?') + '[' + numbers + ']';
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

/* Which slices have the words in their names or texts; hits.before[i] of those
 * that come before i do. */
function search(data, query) {
	const words = query.toLowerCase();
	const has = text => text.toLowerCase().includes(words) ? 1 : 0;
	const names = data.names.map(has), texts = data.texts.map(has);
	const before = new Uint32Array(data.nr + 1);
	const hasDigits = /[0-9]/.test(words);
	for (let i = 0; i < data.nr; i++) {
		let hit = names[data.name[i]] | texts[data.text[i]];
		if (!hit && hasDigits && data.numberAt[i] <
		    (i + 1 < data.nr ? data.numberAt[i + 1] : data.number.length))
			hit = has(textOf(data, i));
		before[i + 1] = before[i] + hit;
	}
	const hits = new Uint32Array(before[data.nr]);
	for (let i = 0; i < data.nr; i++)
		if (before[i + 1] > before[i])
			hits[before[i]] = i;
	return {before, hits, words};
}
