/* SPDX-License-Identifier: MIT */
/* The tables: those of ptrace-report, sorted by any column. */

/* Those that views have besides their rows: name, what it is, columns; the first
 * says how it is sorted. */
const moreTables = {
	'default.failures': ['failures', 'what failed, and how often', [
		['count', 'FAILED', 'count'], ['event', 'EVENT', 'text'],
		['error', 'ERROR', 'text'], ['program', 'PROGRAM', 'text']]],
	'default.waits': ['waits', 'calls of libc that took longest, by place', [
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
	}
	return tables;
}

const isText = kind => kind === 'text';

/* What is not known comes last; numbers the largest first, times the earliest.
 * Sorting by the same column again turns that round. */
function sortRows(table, key) {
	const [, , kind] = table.columns.find(column => column[0] === key);
	table.isTurned = table.sorted === key && !table.isTurned;
	table.sorted = key;
	const sign = (kind === 'time' || isText(kind) ? 1 : -1) *
		(table.isTurned ? -1 : 1);
	table.rows = [...table.rows].sort((a, b) => {
		const x = a[key], y = b[key];
		if (x === null || y === null)
			return (x === null) - (y === null);
		return x === y ? 0 : x < y ? -sign : sign;
	});
}

class Tables {
	constructor(data) {
		this.tables = tablesOf(data.header);
		this.shown = this.tables[0];
		this.words = '';
		for (const table of this.tables)
			sortRows(table, table.sort);
		const names = document.getElementById('names');
		for (const table of this.tables) {
			const button = document.createElement('button');
			button.textContent = table.name;
			button.setAttribute('data-table', table.name);
			button.addEventListener('click', () => this.choose(table));
			names.append(button);
			table.button = button;
		}
	}
	choose(table) {
		this.shown = table;
		this.draw();
	}
	find(words) {
		this.words = words.toLowerCase();
	}
	matches(row) {
		return this.shown.columns.some(([key, , kind]) => isText(kind) &&
			row[key] !== null && row[key].toLowerCase().includes(this.words));
	}
	draw() {
		const table = this.shown, element = document.createElement('table');
		const rows = table.rows.filter(row => !this.words || this.matches(row));
		for (const each of this.tables)
			each.button.setAttribute('aria-pressed',
						 String(each === table));
		element.append(this.head(table), this.body(table, rows.slice(0, 1000)));
		document.getElementById('about').textContent = table.about + ': ' +
			plural(table.nr, 'row') + (rows.length < table.nr ?
				`, ${count(Math.min(rows.length, 1000))} shown` : '') +
			(table.missing.length > 0 ? '; not recorded: ' +
				table.missing.join(' ') : '');
		document.getElementById('rows').replaceChildren(element);
	}
	head(table) {
		const head = document.createElement('thead');
		const line = document.createElement('tr');
		for (const [key, heading, kind] of table.columns) {
			const cell = document.createElement('th');
			const isSorted = table.sorted === key;
			const isUp = isSorted && table.isTurned !==
				(kind === 'time' || isText(kind));
			const sort = () => {
				sortRows(table, key);
				this.draw();
			};
			cell.textContent = (heading || key) +
				(isSorted ? isUp ? ' ▴' : ' ▾' : '');
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
			line.append(cell);
		}
		head.append(line);
		return head;
	}
	body(table, rows) {
		const body = document.createElement('tbody');
		for (const row of rows) {
			const line = document.createElement('tr');
			for (const [key, , kind] of table.columns) {
				const cell = document.createElement('td'), value = row[key];
				const isBad = kind === 'errors' && value > 0;
				cell.textContent = value === null || value === undefined ?
					'—' : formats[kind](value);
				cell.className = isText(kind) ? 'text' : isBad ? 'bad' : '';
				if (isText(kind) && value !== null)
					cell.title = value;
				line.append(cell);
			}
			body.append(line);
		}
		return body;
	}
}
