/* SPDX-License-Identifier: MIT */
/* From the rows of tables to their events, and back: of each table the expression
 * that finds what a row is about. */

/* In quotes, as expressions have it. */
const quoted = text => `"${text.replace(/[\\"]/g, '\\$&')}"`;
const is = (field, value) => `${field} == ${quoted(value)}`;
const all = (...tests) => tests.filter(Boolean).join(' && ');
const isLike = (field, text) => `${field} ~ ${quoted(text)}`;

/* Programs and functions have bars that are called as they are. */
const eventsCalled = name => name === 'process:start' ? isLike('argv', '*')
	: /^(call:(enter|exit)|span:(begin|end))$/.test(name) ? '' : is('name', name);

const processOf = text => /\[(\d+)\]/.exec(text);

/* What was awaited; several objects of one program may have that name. */
function waitTest({object, program}, tables) {
	const whose = is('program', program);
	const objects = ['locks', 'conditions'].flatMap(name => {
		const table = tables.find(each => each.name === name);
		return table ? table.rows : [];
	}).filter(row => (row.lock || row.object || '').startsWith(object + ' of ') &&
		row.program === program).slice(0, 20);
	if (/^[a-z]+:\w+$/.test(object))
		return all(whose, is('name', object));
	if (objects.length > 0)
		return `(${objects.map(objectTest).join(' || ')})`;
	return all(whose, is('waited', object));
}

const objectTest = ({kind, address, pid}) =>
	address ? all(is(kind, address), `pid == ${pid}`) : '';

const rowTests = {
	programs: row => is('program', row.program),
	failures: row => row.event === 'process:exit' ?
		all(is('name', row.event), is('program', row.program),
		    '(status != 0 || signal > 0)')
		: all('failed', is('name', row.event), is('program', row.program),
		      /^E[A-Z0-9]+$/.test(row.error) && is('errno', row.error)),
	longest: row => all(is('name', row.event), is('program', row.program),
			    is('sym', row.site)),
	processes: row => processOf(row.process) &&
		`pid == ${processOf(row.process)[1]}`,
	calls: row => is('name', row.function),
	cpu: row => is('stack', row.function),
	'off-cpu': row => all(is('program', row.program), isLike('name', 'sched:*'),
			      is('waited', row.why)),
	ranks: row => `rank == ${row.rank}`,
	files: row => is('file', row.path),
	locks: objectTest,
	conditions: objectTest,
	waits: waitTest,
	'critical-path': row => all(is('program', row.program),
				    /^[a-z]+:\w+$/.test(row.what) &&
					is('name', row.what)),
	memory: row => all(isLike('name', 'mem:*'), is('program', row.program),
			   is('sym', row.site)),
	io: row => is('name', row.call),
	spans: row => is('name', row.span),
	/* "TYPE.FIELD", or "TYPE" of a field that is called value. */
	values: (row, tables, names) => is('name', names.includes(row.name) ? row.name
		: row.name.replace(/\.[^.]*$/, '')),
	contexts: row => is('context', row.context),
	events: row => eventsCalled(row.event),
};
rowTests.failed = rowTests.processes;
rowTests.pairs = ({of: {pair, run, pid}}) => all(`run == "${run}"`, `pid == ${pid}`) +
	(pair ? ` || run == "${pair.run}" && pid == ${pair.pid}` : '');

/* Of these a row is not what an event is about, but where it is. */
const notFromEvents = ['critical-path', 'failed'];

class Links {
	constructor(page) {
		this.page = page;
		this.tests = new Map();
	}
	/* The expression of a row; '': its events are not on the page. */
	wordsOf(table, row) {
		const words = Object.hasOwn(rowTests, table.name) ?
			rowTests[table.name](row, this.page.tables.tables,
				this.page.data.names) : '';
		/* Rows are about one log. */
		return !words ? '' : this.page.data.isPair && table.name !== 'pairs' ?
			`run == "${table.run}" && (${words})` : words;
	}
	/* What a click on a row does, or nothing. */
	choose(table, row) {
		const words = this.wordsOf(table, row);
		return words && (() => this.goToEvents(words, row));
	}
	/* The one that the row tells of, or the first. */
	goToEvents(words, {at, start}) {
		const {page} = this, {data} = page, when = at === undefined ? start : at;
		page.searchFor(words);
		const {hits} = page.found;
		const number = when === undefined ? 0
			: hits.findIndex(i => data.begin[i] === when);
		page.choose('timeline');
		if (hits.length > 0)
			page.goToHitNumber(max(0, number));
	}
	testOf(table, row) {
		if (!this.tests.has(row)) {
			const words = this.wordsOf(table, row);
			this.tests.set(row, words ? this.page.compile(words) : null);
		}
		return this.tests.get(row);
	}
	/* The rows that tell of an event, one of each table. */
	rowsOf(i) {
		const {tables} = this.page.tables, found = [];
		for (const table of tables) {
			if (notFromEvents.includes(table.name))
				continue;
			const row = table.rows.find(each => {
				const test = this.testOf(table, each);
				return test && test(i);
			});
			if (row)
				found.push([table, row]);
		}
		return found;
	}
	/* For the details: a button for each. */
	linesOf(i) {
		const rows = this.rowsOf(i);
		return rows.length === 0 ? [] : [['rows:', 'rows', rows.map(([table, row]) =>
			[table.name, () => this.page.tables.goTo(table, row)])]];
	}
}
