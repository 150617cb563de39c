/* SPDX-License-Identifier: MIT */
/* Zooms into a flame graph, and searches in it: changes places and widths of
 * boxes.  The picture is complete without that. */

(function () {
'use strict';

/* As in svg.c: the width of all, the margin, and about that of a letter. */
const WIDTH = 1180, MARGIN = 10, LETTER = 6.6;

const boxes = [], byNumber = {};
const info = document.getElementById('i');

function say(text) {
	info.textContent = text || ' ';
}

function place(box, x, width) {
	const room = Math.floor(width / LETTER), {name} = box;
	box.rect.setAttribute('x', x);
	box.rect.setAttribute('width', width);
	box.text.setAttribute('x', Math.max(x, MARGIN) + 3);
	box.text.textContent = room < 3 ? ''
		: name.length > room ? name.slice(0, room - 2) + '..' : name;
}

/* Is it the other one, or a part of it? */
function isBelow(box, other) {
	while (box && box !== other)
		box = byNumber[box.parent];
	return Boolean(box);
}

function zoom(to) {
	const scale = WIDTH / (to.width || 1);
	for (const box of boxes) {
		const isOuter = box !== to && isBelow(to, box);
		const isInner = isBelow(box, to);
		box.group.style.display = isOuter || isInner ? '' : 'none';
		box.group.classList.toggle('x', isOuter);
		if (isOuter)
			place(box, MARGIN, WIDTH);
		else if (isInner)
			place(box, MARGIN + (box.x - to.x) * scale, box.width * scale);
	}
}

function isInHit(box) {
	while ((box = byNumber[box.parent]))
		if (box.isHit)
			return true;
	return false;
}

function search(text) {
	let pattern;
	try {
		pattern = new RegExp(text);
	} catch (e) {
		say('not a pattern: ' + text);
		return;
	}
	for (const box of boxes) {
		box.isHit = text !== '' && pattern.test(box.name);
		box.group.classList.toggle('m', box.isHit);
	}
	if (text === '') {
		say('');
		return;
	}
	const hits = boxes.filter(box => box.isHit);
	const sum = hits.filter(box => !isInHit(box))
		.reduce((sum, box) => sum + box.total, 0);
	say(`${hits.length} boxes match ${text}: ` +
		`${(100 * sum / (boxes[0].total || 1)).toFixed(2)}% of all`);
}

document.querySelectorAll('.f').forEach(group => {
	const rect = group.querySelector('rect');
	const title = group.querySelector('title').textContent;
	const box = {
		group, rect,
		text: group.querySelector('text'),
		name: title.replace(/  [^ ].* of all, .*$/, ''),
		number: Number(group.dataset.n),
		parent: Number(group.dataset.p),
		total: Number(group.dataset.total),
		x: Number(rect.getAttribute('x')),
		width: Number(rect.getAttribute('width')),
	};
	boxes.push(box);
	byNumber[box.number] = box;
	group.addEventListener('click', () => zoom(box));
	group.addEventListener('mouseover', () => say(title));
});

document.addEventListener('keydown', event => {
	if (event.key === '/' || (event.key === 'f' && event.ctrlKey)) {
		event.preventDefault();
		const text = prompt('search (regular expression):', '');
		if (text !== null)
			search(text);
	}
	if (event.key === 'Escape') {
		search('');
		zoom(boxes[0]);
	}
});
})();
