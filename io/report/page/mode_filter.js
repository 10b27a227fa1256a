"use strict";
// Sets of modes, held as decision diagrams, under chosen values of some binaries (io/report_modes.hpp).

const modeFilter = {
  /** `chosen`: of every binary 0, 1, or null where it is free. `diagrams`: [binary, set at 0, set at 1]. */
  setUp({ binaries, diagrams, factors }) {
    Object.assign(this, { diagrams, factors, chosen: binaries.map(() => null) });
    this.update();
  },

  /** Counts the modes of all sets; what a set is made of comes before it. To be called once `chosen` changed. */
  update() {
    this.freeBefore = [0];
    for (const value of this.chosen) this.freeBefore.push(this.freeBefore[this.freeBefore.length - 1] + (value === null));
    this.counts = [0n, 1n];  // of each set: ways to choose the free binaries from its first one on
    this.first = [this.chosen.length, this.chosen.length];
    for (const [binary, low, high] of this.diagrams) {
      const below = (set) => this.counts[set] << this.free(binary + 1, this.first[set]);
      const value = this.chosen[binary];
      this.counts.push(value === null ? below(low) + below(high) : below(value === 1 ? high : low));
      this.first.push(binary);
    }
    const all = this.free(0, this.chosen.length);
    this.considered = this.factors.reduce((count, factor) => (count * this.count(factor)) >> all, 1n << all);
  },

  /** Number of free binaries from one on and before another. */
  free(from, to) { return BigInt(this.freeBefore[to] - this.freeBefore[from]); },

  /** Number of choices of the free binaries with which a mode is in the set, considered or not. */
  count(set) { return this.counts[set] << this.free(0, this.first[set]); },

  /** Whether a considered mode with the chosen values is in a set that holds considered modes only. */
  any(set) { return this.considered > 0n && this.counts[set] > 0n; },
};
