/* SPDX-License-Identifier: MIT */
/* What a mouse, fingers and the wheel do in the timeline. */

/* Does a drag that begins so select a range?  On the ruler and with Shift it
 * moves what is seen. */
const isSelecting = ({pointerType, shiftKey, button, offsetX, offsetY}, timeline) =>
	pointerType === 'mouse' && !shiftKey && button === 0 && offsetY >= HEAD &&
	offsetX >= timeline.left;

class Pointers {
	constructor(page) {
		const {timeline} = page, canvas = timeline.canvas;
		this.page = page;
		timeline.box.addEventListener('scroll', () => timeline.ask());
		timeline.box.addEventListener('wheel', event => this.wheel(event),
					      {passive: false});
		this.at = new Map(); /* where each is that is down */
		canvas.addEventListener('pointerdown', event => {
			this.at.set(event.pointerId, [event.offsetX, event.offsetY]);
			this.moved = 0;
			this.isOverview = event.offsetY < OVERVIEW;
			this.selecting = isSelecting(event, timeline) ?
				timeline.timeAt(event.offsetX) : null;
			if (this.isOverview)
				timeline.centre(event.offsetX);
			canvas.setPointerCapture(event.pointerId);
		});
		canvas.addEventListener('pointermove', event => this.drag(event));
		canvas.addEventListener('pointerup', event => {
			const isClick = this.at.size === 1 && this.moved < 4 &&
				!this.isOverview;
			if (isClick && event.shiftKey)
				this.selectTrack(event.offsetX, event.offsetY);
			else if (isClick && !timeline.foldAt(event.offsetX, event.offsetY))
				page.select(timeline.pick(event.offsetX, event.offsetY));
			else if (this.selecting !== null && this.moved >= 4)
				page.rangeChanged();
			this.at.delete(event.pointerId);
		});
		canvas.addEventListener('pointercancel', event =>
			this.at.delete(event.pointerId));
	}
	wheel(event) {
		const {timeline} = this.page;
		const isAside = Math.abs(event.deltaX) > Math.abs(event.deltaY);
		if (event.ctrlKey || event.metaKey || event.altKey)
			timeline.zoom(Math.exp(event.deltaY * 0.002), event.offsetX);
		else if (event.shiftKey || isAside)
			timeline.move((isAside ? event.deltaX
				: event.deltaX || event.deltaY) / timeline.width);
		else
			return;
		event.preventDefault();
	}
	stretchTo(time) {
		const {range, timeline} = this.page;
		range.set(this.selecting, time);
		$('range').hidden = false;
		$('range-title').textContent =
			duration(range.to - range.from) + ' selected';
		timeline.ask();
	}
	selectTrack(x, y) {
		const {range, timeline} = this.page;
		const row = timeline.rowAt(max(x, timeline.left), y);
		if (!row || !row.track.process)
			return;
		range.turn(row.isSummary ? row.node.allTracks() : [row.track]);
		this.page.rangeChanged();
	}
	/* A mouse selects a range, another pointer moves what is seen, two of them
	 * zoom, none says what is there. */
	drag(event) {
		const {page, at} = this, {timeline} = page, {offsetX: x, offsetY: y} = event;
		const before = at.get(event.pointerId);
		if (!before) {
			if (timeline.selected >= 0)
				return;
			const i = timeline.pick(x, y);
			const words = i < 0 && timeline.tellAt(x, y);
			if (i >= 0)
				page.details.glance(page.details.describe(i));
			else if (words)
				page.details.glance([[words]]);
			return;
		}
		if (this.isOverview) {
			timeline.centre(x);
			return;
		}
		this.moved += Math.abs(x - before[0]) + Math.abs(y - before[1]);
		if (this.selecting !== null) {
			if (this.moved >= 4)
				this.stretchTo(timeline.timeAt(x));
		} else if (at.size === 1) {
			timeline.move((before[0] - x) / (timeline.width - timeline.left));
			timeline.box.scrollTop += before[1] - y;
		} else {
			const [, other] = [...at]
				.find(([id]) => id !== event.pointerId);
			const apart = Math.max(1, Math.abs(x - other[0]));
			timeline.zoom(Math.max(1, Math.abs(before[0] - other[0])) / apart,
				      (x + other[0]) / 2);
		}
		at.set(event.pointerId, [x, y]);
	}
}
