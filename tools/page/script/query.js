/* SPDX-License-Identifier: MIT */
/* What is searched for: words, or an expression as of ptrace-dump -w. */

const OPERATOR = /==|!=|<=|>=|<|>|!~|~/y;
const UNITS = {ns: 1, us: 1e3, 'µs': 1e3, ms: 1e6, s: 1e9, m: 60e9, h: 3600e9,
	K: 1024, M: 1048576, G: 1073741824};

/* "1.5ms" is 1500000; NaN: it is none. */
function numberOf(text) {
	const found = /^(-?[0-9.]+(?:e[-+]?\d+)?|-?0x[0-9a-f]+)([a-zA-Zµ]*)$/i.exec(text);
	return !found || found[2] && !(found[2] in UNITS) ? NaN
		: Number(found[1]) * (found[2] ? UNITS[found[2]] : 1);
}

/* As of glob(7): * ? [...] and a backslash. */
function patternOf(glob) {
	const source = glob.replace(/\\.|\[[!^]?\]?[^\]]*\]|[^]/g, part =>
		part === '*' ? '[^]*' : part === '?' ? '[^]'
			: part.length > 1 && part[0] === '[' ?
				'[' + part.slice(1, -1).replace(/^!/, '^')
					.replace(/\\/g, '\\\\') + ']'
				: part.slice(-1).replace(/[.*+?^${}()|[\]\\/]/g, '\\$&'));
	try {
		return new RegExp('^' + source + '$');
	} catch {
		return /^$a/;
	}
}

class Parser {
	constructor(text) {
		this.text = text;
		this.at = 0;
		this.hasOperator = false;
	}
	fail(expected) {
		throw new SyntaxError(`at ${this.at + 1}: expected ${expected}`);
	}
	/* What stands there next, behind blanks. */
	take(pattern) {
		const blanks = /\s*/y;
		blanks.lastIndex = this.at;
		this.at += blanks.exec(this.text)[0].length;
		pattern.lastIndex = this.at;
		const found = pattern.exec(this.text);
		if (found)
			this.at += found[0].length;
		return found && found[0];
	}
	either() {
		const tests = [this.all()];
		while (this.take(/\|\|/y))
			tests.push(this.all());
		return tests.length === 1 ? tests[0]
			: i => tests.some(test => test(i));
	}
	all() {
		const tests = [this.one()];
		while (this.take(/&&/y))
			tests.push(this.one());
		return tests.length === 1 ? tests[0]
			: i => tests.every(test => test(i));
	}
	one() {
		if (this.take(/!(?![=~])/y)) {
			const test = this.one();
			this.hasOperator = true;
			return i => !test(i);
		}
		if (!this.take(/\(/y))
			return this.test();
		const test = this.either();
		if (!this.take(/\)/y))
			this.fail('), && or ||');
		return test;
	}
	test() {
		const name = this.take(/[a-z_]\w*/iy);
		if (!name)
			this.fail('a field (name, dur, pid, program, path ...), ! or (');
		const operator = this.take(OPERATOR), field = this.fields(name);
		if (!operator)
			return this.isThere(name, field);
		const value = this.take(/"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'/y);
		const text = value ? value.slice(1, -1).replace(/\\([^])/g, '$1')
			: this.take(/[^\s()&|!<>=~"']+/y);
		this.hasOperator = true;
		if (text === null)
			this.fail('a value: a number (with ns, us, ms, s), a word, ' +
				'or text in quotes');
		return compareWith(operator, text, field);
	}
	isThere(name, field) {
		this.hasOperator ||= name === 'failed';
		return i => field(i).some(value => value !== 0 && value !== '' &&
			value !== '0' && value !== '0x0');
	}
}

/* Passes if one of the values does. */
function compareWith(operator, text, field) {
	const number = numberOf(text), pattern = patternOf(text);
	const numeric = value => typeof value === 'number' ? value : numberOf(value);
	const tests = {
		'==': value => String(value) === text || numeric(value) === number,
		'!=': value => String(value) !== text && numeric(value) !== number,
		'<': value => numeric(value) < number,
		'>': value => numeric(value) > number,
		'<=': value => numeric(value) <= number,
		'>=': value => numeric(value) >= number,
		'~': value => pattern.test(String(value)),
		'!~': value => !pattern.test(String(value)),
	};
	return i => field(i).some(tests[operator]);
}

/* The values of `field=' in a text: one, or those of a list. */
function valuesIn(text, find) {
	const found = find.exec(text), value = found && found[2];
	if (!found)
		return [];
	const list = value[0] === '[' ? value.slice(1, -1)
		.match(/"(?:\\.|[^"\\])*"|[^\s,]+/g) || [] : [value];
	return list.map(each => each.replace(/^"(.*)"$/, '$1').replace(/\\(.)/g, '$1'));
}

/* What a slice has of an argument's name, if it has it. */
function argumentOf(data, name) {
	const find = new RegExp('(^| )' + name +
		'=("(?:\\\\.|[^"\\\\])*"|\\[(?:"(?:\\\\.|[^"\\\\])*"|[^\\]])*\\]|\\S+)');
	const known = new Map();
	return i => {
		const number = data.text[i];
		/* Texts without numbers are the same wherever they come. */
		if (data.numberAt[i] < data.numberAt[i + 1])
			return valuesIn(textOf(data, i), find);
		if (!known.has(number))
			known.set(number, valuesIn(data.texts[number], find));
		return known.get(number);
	};
}

/* What an event does not say itself its thread may have said. */
function argumentOrContext(data, name) {
	const argument = argumentOf(data, name);
	return data.context.length === 0 ? argument : i => {
		const own = argument(i);
		return own.length > 0 ? own : contextsOf(data, i)
			.filter(each => each.startsWith(name + '='))
			.map(each => each.slice(name.length + 1));
	};
}

/* The fields that every event has, or may have; any other is an argument. */
function fieldsOf(data, timeline) {
	const {isBad, causes} = timeline;
	const of = (i, get) => {
		const track = trackOf(data, i), value = track.process ? get(track) : null;
		return value === null || value === undefined ? [] : [value];
	};
	const waited = i => {
		const wait = causes.of(i), what = causes.offFor(i, timeline) || wait && wait.what;
		return what ? [what] : [];
	};
	const argument = name => argumentOrContext(data, name), texts = argument('text');
	const common = {
		name: i => [data.names[data.name[i]]],
		dur: i => data.took[i] < 0 ? [] : [data.took[i]],
		t: i => [data.begin[i]],
		pid: i => of(i, track => track.process.pid),
		tid: i => of(i, track => track.tid),
		host: i => of(i, track => track.host),
		run: i => of(i, track => track.process.run),
		rank: i => of(i, track => track.process.rank < 0 ? null
			: track.process.rank),
		program: i => of(i, track => programAt(data, track.process, data.begin[i])),
		failed: i => [data.flags[i] & 1 || isBad.has(i) ? 1 : 0],
		sym: i => stackOf(data, i).slice(0, 1),
		stack: i => stackOf(data, i),
		context: i => contextsOf(data, i),
		file: i => data.file[i] > 0 ? [data.header.files[data.file[i]]] : [],
		/* Of an event without fields all that it has. */
		text: i => [...valuesIn(textOf(data, i), /^()("(?:\\.|[^"\\])*")/),
			...texts(i)],
		waited,
	};
	return name => Object.hasOwn(common, name) ? common[name] : argument(name);
}

/* A test of slices; null: the text is no expression, but words. */
function expressionOf(text, fields) {
	const parser = new Parser(text);
	parser.fields = fields;
	const test = parser.either();
	parser.take(/$/y);
	if (parser.at < text.length)
		parser.fail('&&, || or the end');
	return parser.hasOperator ? test : null;
}

/* Those that have the words in their names, texts, stacks or files. */
function wordsTest(data, text) {
	const words = text.toLowerCase();
	const has = each => each.toLowerCase().includes(words) ? 1 : 0;
	const names = data.names.map(has), texts = data.texts.map(has);
	const files = data.header.files.map(has);
	const hasDigits = /[0-9]/.test(words), inStack = [0];
	/* Callers come before those that they call. */
	for (let i = 1; i < data.callers.length; i++)
		inStack.push(names[data.callers[i][1]] | inStack[data.callers[i][0]]);
	return i => names[data.name[i]] | texts[data.text[i]] | inStack[data.stack[i]] |
		files[data.file[i]] ||
		hasDigits && data.numberAt[i] < data.numberAt[i + 1] &&
		has(textOf(data, i));
}

/* Of more it would take too long: those of a thread after those of another one. */
const SORTED_MOST = 300000;

function sortByTime(data, hits) {
	if (hits.length <= SORTED_MOST)
		hits.sort((a, b) => data.begin[a] - data.begin[b] || a - b);
}

/* Which slices are found, in the order of their time; hits.before[i] of those that come before i are.  why:
 * the text looks like an expression, but is none. */
function search(data, text, timeline) {
	const before = new Uint32Array(data.nr + 1);
	let test = null, why = '';
	try {
		test = expressionOf(text, fieldsOf(data, timeline));
	} catch (error) {
		why = /==|!=|[<>~]|&&|\|\|/.test(text) ? error.message : '';
	}
	const isExpression = test !== null;
	test = test || wordsTest(data, text);
	for (let i = 0; i < data.nr; i++)
		before[i + 1] = before[i] + (test(i) ? 1 : 0);
	const hits = new Uint32Array(before[data.nr]);
	for (let i = 0; i < data.nr; i++)
		if (before[i + 1] > before[i])
			hits[before[i]] = i;
	sortByTime(data, hits);
	return {before, hits, words: text, isExpression, why};
}
