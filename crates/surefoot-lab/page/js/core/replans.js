// How much each replan took, for the chart: what happened on all boards in one answer stands in one column.

/** Columns that are kept. */
export const MOST_COLUMNS = 120;

const nothing = () => ({ first: null, replans: 0, expanded: 0, us: 0, fresh: 0 });

/** Whether a fresh search answered because repairing had cost more. */
const isFresh = (replan) => (replan?.fresh ?? null) !== null;

/** All that was expanded, by the repair and by a fresh search that took over. */
const workOf = ({ expanded, fresh }) => expanded + (fresh ?? 0);

export class ReplanLog {
  /** `{tick, values, fresh}`: the expansions of a replan of each board, null for one that did not replan; whether a fresh search answered. */
  columns = [];
  /**
   * For each board `{first, replans, expanded, us, fresh}`: the expansions of its first plan, sums of those after it, and how
   * often a fresh search answered.
   */
  totals = [];

  /** Forgets everything; so many boards come. */
  clear(boards) {
    this.columns = [];
    this.totals = Array.from({ length: boards }, nothing);
  }

  /**
   * Takes in the `replan` of each board after some ticks: null where there was none. First plans are not replans. True if there was
   * anything.
   */
  add(tick, replans, areFirst = false) {
    if (replans.every((replan) => replan === null)) return false;
    // Where many ticks passed at once there were several: a column has the mean.
    const values = replans.map((replan) => replan && workOf(replan) / Math.max(replan.count, 1));
    this.columns.push({ tick, values, fresh: replans.map(isFresh) });
    if (this.columns.length > MOST_COLUMNS) this.columns.shift();
    replans.forEach((replan, board) => {
      if (replan && areFirst) this.totals[board].first = workOf(replan);
      else if (replan) this.#sum(this.totals[board], replan);
    });
    return true;
  }

  #sum(total, replan) {
    total.replans += replan.count;
    total.expanded += workOf(replan);
    total.us += replan.us;
    total.fresh += replan.fresh_count;
  }

  /** The mean of a board: `{expanded, us}` a replan, null if it made none. */
  meanOf(board) {
    const { replans, expanded, us } = this.totals[board] ?? nothing();
    return replans > 0 ? { expanded: expanded / replans, us: us / replans } : null;
  }

  /** The last expansions of a board, null if it made no replan. */
  lastOf(board) {
    return this.columns.findLast(({ values }) => values[board] !== null)?.values[board] ?? null;
  }

  /** The most expansions in a column. */
  get most() {
    return Math.max(0, ...this.columns.flatMap(({ values }) => values.filter((value) => value !== null)));
  }
}

/** Values that an axis up to `most` is marked at: 0 and powers of ten, the last not below `most`. */
export function axisMarks(most) {
  const marks = [0, 1];
  while (marks.at(-1) < most) marks.push(10 * marks.at(-1));
  return marks;
}

/** How high a value is on an axis up to `top`, 0 to 1: each factor counts the same, and 0 has a place. */
export const heightOf = (value, top) => Math.log10(1 + 9 * value) / Math.log10(1 + 9 * Math.max(top, 1));
