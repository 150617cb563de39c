/* SPDX-License-Identifier: MIT */
/* The tables: those of ptrace-report, sorted by any column. */

/* Those that views have besides their rows: name, what it is, columns; the first
 * says how it is sorted. */
const moreTables = {
	'default.failures': ['failures', 'what failed, and how often', [
		['count', 'FAILED', 'count'], ['event', 'EVENT', 'text'],
		['error', 'ERROR', 'text'], ['program', 'PROGRAM', 'text']]],
	'default.waits': ['longest', 'calls of libc that took longest, by place', [
		['longest', 'LONGEST', 'duration'], ['at', 'AT(s)', 'time'],
		['calls', 'CALLS', 'count'], ['total', 'TOTAL', 'duration'],
		['event', 'EVENT', 'text'], ['program', 'PROGRAM', 'text'],
		['site', 'CALLED AT', 'text']]],
	'locks.waits': ['conditions', 'waits that are not contention', [
		['wait', 'WAIT', 'duration'], ['waits', 'WAITS', 'count'],
		['p99', '~P99', 'duration'], ['max', 'MAX', 'duration'],
		['object', 'WAITED FOR', 'text']]],
};

function tablesOf(header) {
	const tables = [];
	for (const view of header.views) {
		const name = view.view === 'default' ? 'programs' : view.view;
		tables.push({name, about: view.about || 'programs, and their time',
			columns: view.columns, rows: view.rows, nr: view.nr,
			sort: view.sort, missing: view.not_recorded || []});
		for (const key in moreTables) {
			const [of, member] = key.split('.'), rows = view[member];
			const [own, about, columns] = moreTables[key];
			if (of === view.view && rows)
				tables.push({name: own, about, columns, rows,
					nr: rows.length, sort: columns[0][0], missing: []});
		}
		if (view.view === 'processes')
			tables.push(failedTable(tables.at(-1)));
	}
	return tables;
}

/* Of the processes those that failed; the first column is how. */
function failedTable(processes) {
	const rows = processes.rows.filter(hasFailed);
	const column = processes.columns.find(([key]) => key === 'exit');
	return {name: 'failed', about: 'processes that failed',
		columns: [column, ...processes.columns.filter(c => c !== column)],
		rows, nr: rows.length, sort: processes.sort, missing: []};
}

const isText = kind => kind === 'text';

/* What is not known comes last; numbers the largest first, times the earliest.
 * Sorting by the same column again turns that round. */
function sortRows(table, key, isTurned = table.sorted === key && !table.isTurned) {
	const [, , kind] = table.columns.find(column => column[0] === key);
	table.isTurned = isTurned;
	table.sorted = key;
	const sign = (kind === 'time' || isText(kind) ? 1 : -1) *
		(table.isTurned ? -1 : 1);
	table.rows = [...table.rows].sort((a, b) => {
		const x = a[key], y = b[key];
		if (x === null || y === null)
			return (x === null) - (y === null);
		if (kind === 'change')
			return sign * (Math.abs(x) - Math.abs(y));
		return x === y ? 0 : x < y ? -sign : sign;
	});
}

/* A heading of which a click sorts, and draws the table again. */
function headOf(table, [key, heading, kind], draw) {
	const cell = document.createElement('th'), isSorted = table.sorted === key;
	const isUp = isSorted && table.isTurned !== (kind === 'time' || isText(kind));
	const sort = () => {
		sortRows(table, key);
		draw();
	};
	cell.textContent = (heading || key.toUpperCase()) + (isSorted ? isUp ? ' ▴' : ' ▾' : '');
	cell.className = isText(kind) ? 'text' : '';
	cell.tabIndex = 0;
	cell.setAttribute('data-key', key);
	cell.setAttribute('aria-sort', !isSorted ? 'none'
		: isUp ? 'ascending' : 'descending');
	cell.addEventListener('click', sort);
	cell.addEventListener('keydown', event => {
		if (event.key === 'Enter')
			sort();
	});
	return cell;
}

function cellOf(row, [key, , kind]) {
	const cell = document.createElement('td'), value = row[key];
	const isBad = /^exit/.test(key) && hasFailed({exit: value});
	cell.textContent = value === null || value === undefined ? '—'
		: !row[key + '_is_least'] ? formats[kind](value)
			: kind === 'duration' ? formats[kind](value) + '+'
				: '≥' + formats[kind](value);
	cell.className = isText(kind) ? 'text' : '';
	if (isBad)
		cell.className += ' bad';
	if (isText(kind) && value !== null)
		cell.title = value;
	return cell;
}

/* A cell that can be clicked on, and chosen by key. */
function makeLink(cell, act) {
	cell.className += ' link';
	cell.tabIndex = 0;
	cell.setAttribute('role', 'link');
	cell.addEventListener('click', act);
	cell.addEventListener('keydown', event => {
		if (event.key === 'Enter')
			act();
	});
}

/* Which cell says what a row is about: the last, but of a wait before what others
 * did meanwhile, and of a time off the processor before where that was. */
const aboutOf = ({columns, name}) => columns.length -
	(columns[columns.length - 1][0] === 'meanwhile' || name === 'off-cpu' ? 2 : 1);

/* That one leads to its events, if it has any. */
function rowOf(table, row, choose) {
	const line = document.createElement('tr');
	line.append(...table.columns.map(column => cellOf(row, column)));
	const act = choose && choose(row), cell = line.children[aboutOf(table)];
	cell.className += ' about';
	if (act)
		makeLink(cell, act);
	return line;
}

function tableOf(table, rows, draw, choose) {
	const element = document.createElement('table');
	const head = document.createElement('thead');
	const line = document.createElement('tr');
	const body = document.createElement('tbody');
	line.append(...table.columns.map(column => headOf(table, column, draw)));
	line.children[aboutOf(table)].className += ' about';
	head.append(line);
	body.append(...rows.map(row => rowOf(table, row, choose)));
	element.append(head, body);
	return element;
}

class Tables {
	constructor(data, page) {
		this.page = page;
		this.row = this.marked = null;
		this.words = '';
		this.logs = {A: tablesOf(data.header)};
		if (data.isPair) {
			this.logs.B = tablesOf(data.header.other);
			for (const run of ['A', 'B'])
				this.logs[run].unshift(pairsTable(data));
		}
		for (const [run, tables] of Object.entries(this.logs))
			for (const table of tables) {
				table.run = run;
				sortRows(table, table.sort);
				table.button = this.buttonOf(table);
			}
		$('logs').hidden = !data.isPair;
		for (const run of ['A', 'B'])
			$('log-' + run).addEventListener('click', () => {
				this.useLog(run);
				this.draw();
				page.remember();
			});
		this.useLog('A');
	}
	buttonOf(table) {
		const button = document.createElement('button');
		button.textContent = table.name;
		button.setAttribute('data-table', table.name);
		button.className = table.nr === 0 ? 'empty' : '';
		button.addEventListener('click', () => this.choose(table));
		return button;
	}
	/* The tables of one of two logs: that of the same name is shown. */
	useLog(run) {
		const name = this.shown ? this.shown.name : '';
		this.run = this.logs[run] ? run : 'A';
		this.tables = this.logs[this.run];
		this.shown = this.tables.find(table => table.name === name) || this.tables[0];
		for (const each of ['A', 'B'])
			$('log-' + each).setAttribute('aria-pressed', String(each === this.run));
		$('names').replaceChildren(...this.tables.map(({button}) => button));
	}
	choose(table) {
		this.shown = table;
		this.row = null;
		this.draw();
		this.page.remember();
	}
	/* "KEY", or "-KEY" if it is turned round; '': as it was at first. */
	sorting() {
		const {sorted, sort, isTurned} = this.shown;
		return sorted === sort && !isTurned ? '' : (isTurned ? '-' : '') + sorted;
	}
	sortAs(text) {
		const key = (text || '').replace(/^-/, ''), table = this.shown;
		const isThere = table.columns.some(column => column[0] === key);
		sortRows(table, isThere ? key : table.sort, isThere && text[0] === '-');
	}
	/* To a row, which is marked. */
	goTo(table, row) {
		if (this.words && !this.page.found.isExpression)
			this.page.searchFor('');
		this.choose(table);
		this.row = row;
		this.page.choose('tables');
		const line = this.marked;
		if (line && line.scrollIntoView)
			line.scrollIntoView({block: 'center'});
	}
	find(words) {
		this.words = words.toLowerCase();
	}
	matches(row) {
		return this.shown.columns.some(([key, , kind]) => isText(kind) &&
			row[key] !== null && row[key].toLowerCase().includes(this.words));
	}
	draw() {
		const table = this.shown;
		const rows = table.rows.filter(row => !this.words || this.matches(row));
		for (const each of this.tables)
			each.button.setAttribute('aria-pressed',
						 String(each === table));
		document.getElementById('about').textContent = table.about + ': ' +
			plural(table.nr, 'row') + (rows.length < table.nr ?
				`, ${count(Math.min(rows.length, 1000))} shown` : '') +
			(this.words ? `: those that have “${this.words}”` : '') +
			(table.missing.length > 0 ? '; not recorded: ' +
				table.missing.join(' ') : '');
		const shown = rows.slice(0, 1000), element = tableOf(table, shown, () => {
			this.draw();
			this.page.remember();
		}, row => this.page.links.choose(table, row));
		this.mark(element, shown.indexOf(this.row));
		document.getElementById('rows').replaceChildren(element);
	}
	mark(element, at) {
		const body = element.children[element.children.length - 1];
		this.marked = at < 0 ? null : body.children[at];
		if (this.marked)
			this.marked.setAttribute('aria-current', 'true');
	}
}
