/* SPDX-License-Identifier: MIT */
/* Numbers for people: three digits and a unit, as ptrace-report prints them. */

const digits = value => value >= 99.95 ? value.toFixed(0)
	: value >= 9.995 ? value.toFixed(1) : value.toFixed(2);

function duration(ns) {
	if (ns < 1000)
		return ns.toFixed(0) + 'ns';
	if (ns < 999500)
		return digits(ns / 1e3) + 'µs';
	if (ns < 999500e3)
		return digits(ns / 1e6) + 'ms';
	if (ns < 59.95e9)
		return digits(ns / 1e9) + 's';
	const s = Math.round(ns / 1e9), two = n => String(n).padStart(2, '0');
	return s < 3600 ? Math.floor(s / 60) + 'm' + two(s % 60) + 's'
		: Math.floor(s / 3600) + 'h' + two(Math.floor(s / 60) % 60) + 'm';
}

/* A time, exact enough to be told from one that is a step apart. */
function moment(ns, step) {
	const [size, unit] = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']]
		.find(([least]) => ns >= least || least === 1);
	if (ns >= 60e9 && step >= (ns < 3600e9 ? 1e9 : 60e9))
		return duration(ns);
	const places = Math.ceil(Math.log10(size / step) - 1e-9);
	return (ns / size).toFixed(Math.min(Math.max(places, 0), 12)) + unit;
}

function bytes(n) {
	if (Math.abs(n) < 1024)
		return String(n);
	let unit = -1;
	while (Math.abs(n) >= 1023.5 && unit < 5) {
		n /= 1024;
		unit++;
	}
	return n.toFixed(Math.abs(n) < 10 ? 1 : 0) + 'KMGTPE'[unit];
}

/* With thin blanks. */
const count = n => String(n).replace(/\B(?=(\d{3})+$)/g, '\u202f');

/* Any number. */
function real(n) {
	const size = Math.abs(n);
	if ((size >= 1e5 && size < 1e15) || (size < 1e5 && Number.isInteger(n)))
		return count(Math.round(n));
	return size >= 1000 && size < 1e5 ? n.toFixed(1)
		: String(Number(n.toPrecision(4)));
}

const formats = {
	count, errors: count, duration, bytes, real,
	change: ns => (ns < 0 ? '−' : ns > 0 ? '+' : '') + duration(Math.abs(ns)),
	time: ns => (ns / 1e9).toFixed(4),
	rate: n => (n / 1e6).toFixed(n < 9995000 ? 1 : 0),
	permille: n => (n / 10).toFixed(1) + '%',
	ratio: n => (n / 1000).toFixed(2),
	text: text => text,
};

/* Of any number: as arguments of push() there can be some ten thousand. */
function pushAll(to, from) {
	for (const each of from)
		to.push(each);
}

const plural = (n, word) => count(n) + ' ' + word +
	(n === 1 ? '' : /s$/.test(word) ? 'es' : 's');

/* As much of a text as that many letters; its end is what tells most. */
const shorten = (text, nr) => text.length <= nr ? text
	: nr < 2 ? '' : text.slice(0, nr - 1) + '…';

/* The same, as much as fits into so many points. */
function fit(brush, text, room) {
	if (room < 18)
		return '';
	/* Of very long ones nobody measures what is never seen. */
	let cut = text.length > room / 2 ? shorten(text, Math.ceil(room / 2)) : text;
	for (let nr = 0; nr < 8; nr++) {
		const {width} = brush.measureText(cut);
		if (width <= room)
			return cut;
		const letters = Math.min(Math.floor(cut.length * room / width), cut.length - 1);
		cut = shorten(text, letters);
	}
	return cut.length < 3 ? '' : cut;
}

/* One name has one hue, but no red one, which is for what failed or was lost. */
function hueOf(name) {
	let hash = 0;
	for (let i = 0; i < name.length; i++)
		hash = (hash * 31 + name.charCodeAt(i)) | 0;
	return 30 + ((hash % 300) + 300) % 300;
}

const familyHues = {
	file: 210, io: 180, mem: 42, sync: 245, net: 275, process: 145,
	signal: 308, dl: 62, time: 85, thread: 118,
};

/* Threads off the processor: waiting; and ready, without one. */
const stateColors = {
	'sched:off': ['hsl(0 0% 84%)', 'hsl(0 0% 26%)'],
	'sched:page fault': ['hsl(275 45% 78%)', 'hsl(275 30% 38%)'],
	'sched:no CPU was free': ['hsl(28 90% 70%)', 'hsl(28 80% 36%)'],
};

/* In all views.  Light boxes have dark text, dark ones have white. */
function colorOf(name, isDark) {
	const hue = familyHues[name.split(':')[0]];
	const own = hueOf(name);
	if (stateColors[name])
		return stateColors[name][isDark ? 1 : 0];
	return hue === undefined || !name.includes(':')
		? `hsl(${own} 32% ${isDark ? 36 : 74}%)`
		: `hsl(${hue + own % 24 - 12} 55% ${isDark ? 29 : 74}%)`;
}
