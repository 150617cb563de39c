/* SPDX-License-Identifier: MIT */
/* Which lanes the timeline has. */

class View {
	constructor(timeline) {
		this.timeline = timeline;
	}
	/* What of it is in the address. */
	words() {
		return {empty: this.timeline.isFolded && 'hidden'};
	}
	restore(get) {
		this.timeline.isFolded = get('empty') === 'hidden';
		this.timeline.place();
	}
}
