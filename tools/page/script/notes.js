/* SPDX-License-Identifier: MIT */
/* What is to be known of a log before anything in it is believed: crashes, and what
 * is missing. */

/* Where a program crashed, and why, as ptrace-report has it. */
function crashOf({signal, code, address, message, exception, program, pid, stack}) {
	const [place, caller, ...others] = stack.slice(0, 8);
	const why = exception ? `uncaught exception ${exception}` :
		message || (code && address ? `${code} at ${address}` : '');
	return `crashed: ${signal}` + (place ? ` at ${place}` : '') +
		(caller ? `, called from ${[caller, ...others].join(' ← ')}` : '') +
		` (${why ? why + ', ' : ''}${program}[${pid}])`;
}

/* What crashed or was lost: [[text, 'bad']]. */
function badNotesOf(first) {
	const notes = [], {stopped} = first;
	for (const crash of first.crashes.slice(0, 5))
		notes.push(crashOf(crash));
	if (first.crashes.length > 5)
		notes.push(`${first.crashes.length - 5} more crashes`);
	if (first.lost === null)
		notes.push('events were lost, it is not known how many');
	else if (first.lost > 0)
		notes.push(`lost ${plural(first.lost, 'event')}` +
			(first.lost_at === null ? '' :
				`, the first at ${formats.time(first.lost_at)}s`) +
			': counts and sums are at least what is shown');
	if (stopped !== null)
		notes.push('recording stopped by itself at ' +
			`${formats.time(stopped)}s, since there was no more room: ` +
			'what came later is not known');
	return notes.map(text => [text, 'bad']);
}

/* Which logs A and B are, how long each took, and what B lacks. */
function comparisonNotes({header, isPair}) {
	if (!isPair)
		return [];
	const {other} = header, [first] = other.views, by = other.wall - header.wall;
	const share = header.wall > 0 ? ` (${by < 0 ? '−' : '+'}` +
		`${Math.abs(100 * by / header.wall).toFixed(0)}%)` : '';
	const missing = badNotesOf(first).map(([text, kind]) => ['B ' + text, kind]);
	return [[`A: ${header.log}, ${duration(header.wall)}`, ''],
		[`B: ${other.log}, ${duration(other.wall)}${share}, ` +
			[first.program || 'no process', first.arguments || ''].join(' ').trim(), ''],
		...missing];
}

/* What else is missing in the log. */
function softNotesOf({header}) {
	const first = header.views[0], notes = [];
	for (const {path, reason, count: nr} of first.untraced.slice(0, 5))
		notes.push(`not traced: ${path} (${reason}) ×${nr}`);
	if (first.untraced.length > 5)
		notes.push(`not traced: ${first.untraced.length - 5} more programs`);
	if (first.no_end_processes > 0)
		notes.push('no end seen: ' +
			plural(first.no_end_processes, 'process'));
	if (!first.is_complete)
		notes.push('the log is incomplete: what follows in time is missing');
	if (header.quantum > 0)
		notes.push('where there are many, neighbours shorter than ' +
			duration(header.quantum) +
			' share a bar, which counts them; tables are complete');
	if (header.without_text > 0)
		notes.push(plural(header.without_text, 'event') +
			' without their arguments here: ptrace-dump has them');
	return notes.map(text => [text, '']);
}
